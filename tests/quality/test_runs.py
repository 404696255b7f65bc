from __future__ import annotations

import numpy as np
import pytest

from hfviewer.core.finding import Finding
from hfviewer.quality.runs import run_findings, runs_of

TABLE_NS = np.arange(200, dtype=np.int64) * 10


def found(runs: list[range]) -> list[Finding]:
    return run_findings(
        "black_picture",
        "cam",
        TABLE_NS,
        runs,
        message=lambda run: f"{len(run)} from {run.start}",
        message_of_rest=lambda frames, places: f"{frames} in {places}",
        evidence=lambda run: f"seen at {run.start}",
    )


@pytest.mark.parametrize(
    ("marked", "runs"),
    [
        ("", []),
        ("...", []),
        ("###", [range(3)]),
        (".##.#", [range(1, 3), range(4, 5)]),
    ],
)
def test_runs_are_where_neighbours_are_marked(marked: str, runs: list[range]) -> None:
    assert runs_of(np.array([sign == "#" for sign in marked], np.bool_)) == runs


def test_each_run_is_told_with_its_frames_and_times() -> None:
    (one,) = found([range(3, 6)])
    assert (one.code, one.stream, one.message, one.evidence) == (
        "black_picture",
        "cam",
        "3 from 3",
        "seen at 3",
    )
    assert (one.first_frame, one.last_frame, one.start_ns, one.end_ns) == (3, 5, 30, 50)


def test_of_many_runs_the_last_share_one_that_counts_only_their_own_frames() -> None:
    runs = [range(8 * i, 8 * i + 2) for i in range(25)]
    all_found = found(runs)
    assert [f.first_frame for f in all_found[:-1]] == [run.start for run in runs[: len(all_found) - 1]]
    rest = runs[len(all_found) - 1 :]
    assert len(rest) > 1
    last = all_found[-1]
    assert last.message == f"{2 * len(rest)} in {len(rest)}"
    assert (last.first_frame, last.last_frame) == (rest[0].start, rest[-1].stop - 1)
