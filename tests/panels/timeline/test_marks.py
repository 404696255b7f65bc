from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline import marks as marks_module
from hfviewer.panels.timeline.marks import LaneMarks, find_marks
from hfviewer.quality.gaps import find_gaps
from hfviewer.quality.order import find_disorder
from hfviewer.quality.stream_timing import StreamTiming

PERIOD_NS = 10_000_000
EVERYTHING = TimeWindow(-(2**62), 2**62)


def marks_of(
    timestamps_ns: NDArray[np.int64], sequence: NDArray[np.int64], *, span: TimeWindow = EVERYTHING
) -> LaneMarks:
    return LaneMarks.joined(list(find_marks(StreamTiming.of_table(timestamps_ns, sequence, PERIOD_NS, span))))


def test_pieces_join_to_what_the_checks_find_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    timestamps_ns = np.sort(rng.choice(PERIOD_NS * np.arange(400, dtype=np.int64), 300, replace=True))
    sequence = np.cumsum(rng.integers(0, 4, 300)).astype(np.int64)
    sequence[[100, 101]] = sequence[[101, 100]]
    monkeypatch.setattr(marks_module, "PIECE", 7)
    marks = marks_of(timestamps_ns, sequence)
    gaps, disorder = (
        find_gaps(timestamps_ns, sequence, PERIOD_NS),
        find_disorder(timestamps_ns, sequence, PERIOD_NS),
    )
    for name in ("before", "start_ns", "end_ns", "by_sequence", "by_interval"):
        assert getattr(marks.gaps, name).tolist() == getattr(gaps, name).tolist(), name
    for name in ("doubled_ns", "doubled_counts", "late"):
        assert getattr(marks.disorder, name).tolist() == getattr(disorder, name).tolist(), name
    assert len(gaps) > 20
    assert len(disorder.doubled_ns) > 20
    assert not marks.is_empty


def test_what_reaches_beyond_the_recording_is_no_mark() -> None:
    timestamps_ns = np.concatenate([[0], 10**18 + PERIOD_NS * np.arange(10)]).astype(np.int64)
    span = TimeWindow(10**18, 10**18 + 10 * PERIOD_NS)
    assert marks_of(timestamps_ns, np.arange(11), span=span).is_empty


@pytest.mark.parametrize("count", [0, 1])
def test_a_stream_without_intervals_has_no_marks(count: int) -> None:
    assert marks_of(np.zeros(count, np.int64), np.zeros(count, np.int64)).is_empty
    assert LaneMarks.none().is_empty
