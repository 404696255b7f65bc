from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline import marks as marks_module
from hfviewer.panels.timeline.lane import keyframes
from hfviewer.panels.timeline.marks import PIECE, LaneMarks, find_marks
from hfviewer.quality.gaps import find_gaps
from hfviewer.quality.order import find_disorder
from hfviewer.quality.stream_timing import StreamTiming
from tests.panels.fakes import FakeRecording, FakeStream, regular_ns

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


def stream_marks(stream: FakeStream, keys: np.ndarray | None = None) -> LaneMarks:
    recording = FakeRecording(stream)
    seen = StreamTiming.of(stream, recording.description.span)
    return LaneMarks.joined(list(find_marks(seen, keys)))


def test_frames_that_came_late_are_no_gap_and_are_marked_as_late() -> None:
    stamps_ns = regular_ns(1000, 10_000_000)
    stamps_ns[500:502] += 8_000_000  # one stalls, the next one too, none is missing
    marks = stream_marks(FakeStream("cam", stamps_ns))
    assert len(marks.gaps) == 0
    assert marks.late_ns.tolist() == [stamps_ns[500]]
    lost = stream_marks(FakeStream("cam", np.delete(regular_ns(1000, 10_000_000), 500)))
    assert len(lost.gaps) == 1
    assert len(lost.late_ns) == 0


def test_keyframes_are_marked_across_pieces() -> None:
    stamps_ns = regular_ns(PIECE + 50, 1_000)
    keys = np.zeros(len(stamps_ns), np.bool_)
    keys[::30] = True
    assert stream_marks(FakeStream("video", stamps_ns), keys).keys_ns.tolist() == stamps_ns[::30].tolist()


def test_a_stream_of_keyframes_only_has_no_marks() -> None:
    class Flagged(FakeStream):
        flags_given = np.ones(10, np.uint16)

        @property
        def flags(self) -> np.ndarray:
            return self.flags_given

    stream = Flagged("video", regular_ns(10, 1_000))
    assert keyframes(stream) is None
    assert keyframes(FakeStream("raw", regular_ns(10, 1_000))) is None
    stream.flags_given = np.array([3, 2, 2, 3, 2, 2, 2, 3, 2, 2], np.uint16)
    found = keyframes(stream)
    assert found is not None
    assert np.flatnonzero(found).tolist() == [0, 3, 7]


def test_stamps_that_rows_share_as_a_rule_are_no_fault() -> None:
    stamps_ns = np.repeat(regular_ns(300, 50_000_000), 3)
    radar = stream_marks(FakeStream("radar", stamps_ns))
    assert radar.shares_stamps(len(stamps_ns))
    few = np.sort(np.append(regular_ns(300, 50_000_000), regular_ns(300, 50_000_000)[:20]))
    assert not stream_marks(FakeStream("cam", few)).shares_stamps(len(few))
    assert not LaneMarks.none().shares_stamps(0)
