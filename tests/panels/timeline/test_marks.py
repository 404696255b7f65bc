from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline import marks as marks_module
from hfviewer.panels.timeline.marks import LaneMarks, find_marks

PERIOD_NS = 10_000_000
EVERYTHING = TimeWindow(-(2**62), 2**62)


def marks_of(
    timestamps_ns: NDArray[np.int64],
    sequence: NDArray[np.int64] | None = None,
    *,
    period_ns: int | None = PERIOD_NS,
    span: TimeWindow = EVERYTHING,
) -> LaneMarks:
    if sequence is None:
        sequence = np.arange(len(timestamps_ns), dtype=np.int64)
    return LaneMarks.joined(list(find_marks(timestamps_ns, sequence, period_ns=period_ns, span=span)))


def every(count: int) -> NDArray[np.int64]:
    return PERIOD_NS * np.arange(count, dtype=np.int64)


def test_a_missing_frame_is_known_by_the_interval() -> None:
    found = marks_of(np.delete(every(20), [7, 8, 9]))
    assert found.gap_starts_ns.tolist() == [6 * PERIOD_NS]
    assert found.gap_ends_ns.tolist() == [10 * PERIOD_NS]
    assert found.gap_lost.tolist() == [3]
    assert not found.gap_by_sequence.any()


def test_a_jump_in_the_sequence_is_the_stronger_evidence() -> None:
    timestamps_ns = np.delete(every(20), [7, 8, 9])
    sequence = np.delete(np.arange(20), [7, 8, 9])
    sequence[7:] += 2  # the counter says five are lost, the interval three
    found = marks_of(timestamps_ns, sequence)
    assert found.gap_lost.tolist() == [5]
    assert found.gap_by_sequence.all()


def test_a_jump_without_a_long_interval_is_a_gap_as_well() -> None:
    sequence = np.arange(10, dtype=np.int64)
    sequence[4:] += 1
    found = marks_of(every(10), sequence)
    assert found.gap_starts_ns.tolist() == [3 * PERIOD_NS]
    assert found.gap_lost.tolist() == [1]


@pytest.mark.parametrize(("late_ns", "lost"), [(PERIOD_NS // 2, []), (PERIOD_NS // 2 + 1, [1])])
def test_an_interval_counts_from_one_and_a_half_periods_on(late_ns: int, lost: list[int]) -> None:
    timestamps_ns = every(10)
    timestamps_ns[5:] += late_ns
    assert marks_of(timestamps_ns).gap_lost.tolist() == lost


def test_irregular_streams_have_gaps_only_by_sequence() -> None:
    timestamps_ns = np.array([0, 1, 50, 51, 900], np.int64) * PERIOD_NS
    assert len(marks_of(timestamps_ns, period_ns=None).gap_lost) == 0
    found = marks_of(timestamps_ns, np.array([0, 1, 2, 5, 6]), period_ns=None)
    assert found.gap_lost.tolist() == [2]


def test_a_frame_that_arrived_late_is_out_of_order_and_not_lost() -> None:
    found = marks_of(every(6), np.array([0, 1, 3, 2, 4, 5], np.int64))
    assert len(found.gap_lost) == 0
    assert found.reversed_ns.tolist() == [3 * PERIOD_NS]


def test_a_counter_that_starts_anew_is_no_evidence() -> None:
    found = marks_of(every(6), np.array([65533, 65534, 65535, 0, 1, 2], np.int64))
    assert len(found.gap_lost) == 0
    assert len(found.reversed_ns) == 0
    leap = marks_of(every(4), np.array([0, 1, 2**40, 2**40 + 1], np.int64))
    assert len(leap.gap_lost) == 0


def test_doubled_stamps_are_counted() -> None:
    found = marks_of(np.array([0, 1, 1, 2, 3, 3, 3], np.int64) * PERIOD_NS)
    assert found.doubled_ns.tolist() == [PERIOD_NS, 3 * PERIOD_NS]
    assert found.doubled_counts.tolist() == [2, 3]


def test_a_broken_stamp_far_outside_leaves_no_gap() -> None:
    timestamps_ns = np.concatenate([[0], 10**18 + every(10)]).astype(np.int64)
    span = TimeWindow(10**18, 10**18 + 10 * PERIOD_NS)
    assert len(marks_of(timestamps_ns, span=span).gap_lost) == 0


def test_stamps_at_the_ends_of_int64_are_survived() -> None:
    timestamps_ns = np.array([-(2**63), 0, 2**63 - 1], np.int64)
    everything = TimeWindow(-(2**63), 2**63)
    found = marks_of(timestamps_ns, period_ns=1, span=everything)
    assert (found.gap_lost > 0).all()


def test_pieces_join_as_if_looked_at_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    timestamps_ns = np.sort(rng.choice(every(400), 300, replace=True))
    sequence = np.cumsum(rng.integers(0, 4, 300)).astype(np.int64)
    whole = marks_of(timestamps_ns, sequence)
    monkeypatch.setattr(marks_module, "PIECE", 7)
    pieces = marks_of(timestamps_ns, sequence)
    for name in ("gap_starts_ns", "gap_ends_ns", "gap_lost", "doubled_ns", "doubled_counts", "reversed_ns"):
        assert getattr(pieces, name).tolist() == getattr(whole, name).tolist(), name


@pytest.mark.parametrize("count", [0, 1])
def test_a_stream_without_intervals_has_no_marks(count: int) -> None:
    found = marks_of(every(count))
    assert len(found.gap_lost) == len(found.doubled_ns) == len(found.reversed_ns) == 0
    assert found.gap_at(0) is None


def test_a_time_knows_the_gap_it_lies_in() -> None:
    found = marks_of(np.delete(every(20), [7, 12, 13]))
    assert found.gap_at(6 * PERIOD_NS) is None
    assert found.gap_at(6 * PERIOD_NS + 1) == 0
    assert found.gap_at(8 * PERIOD_NS) is None
    assert found.gap_at(12 * PERIOD_NS) == 1
