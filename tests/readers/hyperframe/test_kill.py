"""Whatever moment a process dies at: the old revision or the new one, whole."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.hyperframe.verify import verify
from tests.readers.hyperframe.nursery import TRACK, frames_of
from tests.readers.hyperframe.recordings import write_small
from tests.readers.plain import PlainWriter

_MOST_REVISIONS = 25  # verify looks at every one of them


class Nursery:
    """The process that starts and kills the children."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.readers.hyperframe.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def kill_one(self, path: Path, commits: int, delay_us: int) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{path} {commits} {delay_us}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate(timeout=60)


@pytest.fixture
def nursery() -> Iterator[Nursery]:
    nursery = Nursery()
    yield nursery
    nursery.close()


def _kill_often(nursery: Nursery, fresh: Path, times: int) -> None:
    path = fresh.with_name("killed.hfr")
    shutil.copy(fresh, path)
    rng = random.Random(times)
    committed = before = 1
    for _ in range(times):
        if before > _MOST_REVISIONS:
            shutil.copy(fresh, path)
            committed = before = 1
        committed = max(before, nursery.kill_one(path, rng.randrange(4), rng.randrange(20_000)))
        report = verify(path)
        assert report.ok, report.bad
        with HyperframeReader().open(path) as recording:
            revision = recording.header.revision
            # What was reported as committed is there; at most one more may have made it.
            assert committed <= revision <= committed + 1
            assert not recording.state.findings
            if revision > 1:
                stream = recording.streams[TRACK.name]
                assert [stream.payload(i) for i in range(len(stream))] == frames_of(revision)
        before = revision


def test_a_writer_killed_while_it_commits_leaves_the_old_revision_or_the_new(
    nursery: Nursery, tmp_path: Path
) -> None:
    fresh = tmp_path / "fresh.hfr"
    write_small(fresh)
    _kill_often(nursery, fresh, 30)


def test_a_writer_killed_while_it_commits_to_a_plain_file_leaves_the_old_revision_or_the_new(
    nursery: Nursery, tmp_path: Path
) -> None:
    fresh = tmp_path / "fresh.hfr"
    plain = PlainWriter(fresh)
    for i in range(20):
        plain.append(i % 2, 1000 * (20 - i), b'{"i": %d}' % i)
    plain.finalize()
    _kill_often(nursery, fresh, 10)


@pytest.mark.soak
def test_hundreds_of_kills_never_cost_a_revision(nursery: Nursery, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.hfr"
    write_small(fresh)
    _kill_often(nursery, fresh, 250)
