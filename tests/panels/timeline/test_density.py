from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.density import (
    MIN_MARK_PX,
    coarse_table,
    doubled_runs,
    frames_per_column,
    fullness,
    gap_runs,
    held,
    reversed_runs,
    runs_of,
)
from hfviewer.panels.timeline.marks import LaneMarks, find_marks
from hfviewer.quality.gap import Gaps
from hfviewer.quality.order import Disorder
from hfviewer.quality.stream_timing import StreamTiming

PERIOD_NS = 10_000_000
FRAMES = 10_000
SPAN = TimeWindow(0, PERIOD_NS * FRAMES)


def marks_of(timestamps_ns: NDArray[np.int64], sequence: NDArray[np.int64] | None = None) -> LaneMarks:
    if sequence is None:
        sequence = np.arange(len(timestamps_ns), dtype=np.int64)
    return LaneMarks.joined(list(find_marks(StreamTiming.of_table(timestamps_ns, sequence, PERIOD_NS, SPAN))))


def without(*lost: int) -> NDArray[np.int64]:
    return np.delete(PERIOD_NS * np.arange(FRAMES, dtype=np.int64), lost)


@given(
    stamps=st.lists(st.integers(0, 10**9), max_size=50),
    start_ns=st.integers(0, 10**9 - 2_000),
    width_px=st.integers(1, 300),
)
def test_every_frame_in_view_is_in_one_column(stamps: list[int], start_ns: int, width_px: int) -> None:
    timestamps_ns = np.array(sorted(stamps), np.int64)
    axis = TimeAxis.fitting(TimeWindow(0, 10**9), width_px).showing(start_ns, start_ns + 2_000)
    counts = frames_per_column(timestamps_ns, axis.edges_ns())
    assert counts.sum() == sum(time_ns in axis.view for time_ns in stamps)
    for time_ns in stamps:
        if time_ns in axis.view:
            assert counts[axis.column_at(time_ns)] > 0


def test_a_healthy_stream_is_even_at_any_zoom() -> None:
    timestamps_ns = without()
    axis = TimeAxis.fitting(SPAN, 731)
    counts = frames_per_column(timestamps_ns, axis.edges_ns())
    assert len(set(counts.tolist())) > 1  # 13 or 14 in a column
    assert set(fullness(counts, axis.ns_per_px / PERIOD_NS).tolist()) == {1.0}


def test_a_column_that_lost_frames_is_darker_and_an_empty_one_is_empty() -> None:
    level = fullness(np.array([10, 5, 1, 0]), 10.0)
    assert level[0] == 1.0
    assert level[0] > level[1] > level[2] > 0.25
    assert level[3] == 0.0


def test_an_irregular_stream_is_measured_by_its_own_fullest_columns() -> None:
    assert fullness(np.array([0, 0, 4, 8, 0]), None).max() == 1.0
    assert fullness(np.array([0, 0]), None).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("frames_in_view", [40, 400, 4_000, FRAMES])
def test_a_single_lost_frame_is_marked_at_any_zoom(frames_in_view: int) -> None:
    marks = marks_of(without(5_000))
    axis = TimeAxis.fitting(SPAN, 300)
    if frames_in_view < FRAMES:
        axis = axis.showing(
            (5_000 - frames_in_view // 2) * PERIOD_NS, (5_000 + frames_in_view // 2) * PERIOD_NS
        )
    runs = gap_runs(marks, axis.edges_ns())
    assert runs.counts.tolist() == [1]
    assert runs.stops[0] - runs.firsts[0] >= MIN_MARK_PX
    assert runs.firsts[0] <= axis.column_at(5_000 * PERIOD_NS) < runs.stops[0]
    assert not runs.severe[0]


def test_gaps_that_fall_together_add_up() -> None:
    marks = marks_of(without(5_000, 5_003, 5_004))
    far = gap_runs(marks, TimeAxis.fitting(SPAN, 300).edges_ns())
    assert (far.counts.tolist(), far.marks.tolist(), far.severe.tolist()) == ([3], [2], [True])
    near = TimeAxis.fitting(SPAN, 300).showing(4_990 * PERIOD_NS, 5_010 * PERIOD_NS)
    close = gap_runs(marks, near.edges_ns())
    assert (close.counts.tolist(), close.severe.tolist()) == ([1, 2], [False, True])


def test_a_gap_is_drawn_from_the_last_frame_to_the_next() -> None:
    marks = marks_of(without(5_000, 5_001))
    axis = TimeAxis.fitting(SPAN, 500).showing(4_990 * PERIOD_NS, 5_010 * PERIOD_NS)
    runs = gap_runs(marks, axis.edges_ns())
    assert runs.firsts.tolist() == [axis.column_at(4_999 * PERIOD_NS)]
    assert runs.stops.tolist() == [axis.column_at(5_002 * PERIOD_NS)]


def test_a_gap_wider_than_the_view_fills_it() -> None:
    marks = marks_of(np.delete(without(), slice(2_000, 8_000)))
    axis = TimeAxis.fitting(SPAN, 200).showing(4_000 * PERIOD_NS, 5_000 * PERIOD_NS)
    runs = gap_runs(marks, axis.edges_ns())
    assert (runs.firsts.tolist(), runs.stops.tolist(), runs.counts.tolist()) == ([0], [200], [6_000])


def test_a_gap_in_the_last_column_keeps_its_width() -> None:
    axis = TimeAxis.fitting(SPAN, 100).showing(0, 10 * PERIOD_NS)
    marks = marks_of(without(10))
    runs = gap_runs(marks, axis.showing(0, 9 * PERIOD_NS + 1).edges_ns())
    assert (runs.firsts.tolist(), runs.stops.tolist()) == ([97], [100])


@given(st.lists(st.integers(1, FRAMES - 2), min_size=1, max_size=60, unique=True), st.integers(1, 400))
def test_no_lost_frame_is_left_out_of_the_whole_view(lost: list[int], width_px: int) -> None:
    marks = marks_of(without(*lost))
    runs = gap_runs(marks, TimeAxis.fitting(SPAN, width_px).edges_ns())
    assert runs.counts.sum() == len(lost)
    assert (runs.firsts[1:] > runs.stops[:-1]).all()
    assert (runs.stops - runs.firsts >= min(MIN_MARK_PX, width_px)).all()
    covered = runs.covers(width_px)
    assert covered.sum() == (runs.stops - runs.firsts).sum()


def test_doubled_stamps_and_frames_out_of_order_have_their_runs() -> None:
    timestamps_ns = without()
    timestamps_ns[200] = timestamps_ns[201] = timestamps_ns[199]
    sequence = np.arange(FRAMES, dtype=np.int64)
    sequence[[700, 701]] = [701, 700]
    marks = marks_of(timestamps_ns, sequence)
    edges_ns = TimeAxis.fitting(SPAN, 1000).edges_ns()
    doubled = doubled_runs(marks, edges_ns)
    assert (doubled.firsts.tolist(), doubled.counts.tolist(), doubled.marks.tolist()) == ([19], [3], [1])
    backwards = reversed_runs(marks, edges_ns)
    assert (backwards.firsts.tolist(), backwards.counts.tolist()) == ([70], [1])


def test_a_lane_without_marks_has_no_runs() -> None:
    edges_ns = TimeAxis.fitting(SPAN, 100).edges_ns()
    for runs in (gap_runs, doubled_runs, reversed_runs):
        assert len(runs(LaneMarks.none(), edges_ns)) == 0
    assert not gap_runs(LaneMarks.none(), edges_ns).covers(100).any()


@pytest.mark.parametrize("width_px", [1, 7, 300, 4_000])
def test_the_coarse_table_changes_no_count(width_px: int) -> None:
    rng = np.random.default_rng(width_px)
    timestamps_ns = np.sort(rng.integers(0, 30_000_000, 300_000))
    edges_ns = TimeAxis.fitting(TimeWindow(5_000_000, 25_000_000), width_px).edges_ns()
    quick = frames_per_column(timestamps_ns, edges_ns, coarse_table(timestamps_ns))
    assert quick.tolist() == np.diff(timestamps_ns.searchsorted(edges_ns)).tolist()


def test_the_last_instant_of_int64_is_in_the_last_column() -> None:
    last_ns = 2**63 - 1
    timestamps_ns = np.array([last_ns - 10**9, last_ns, last_ns], np.int64)
    axis = TimeAxis.fitting(TimeWindow(last_ns - 10**9, last_ns + 1), 100)
    for coarse_ns in (None, coarse_table(timestamps_ns)):
        counts = frames_per_column(timestamps_ns, axis.edges_ns(), coarse_ns)
        assert (counts[0], counts[-1], counts.sum()) == (1, 2, 3)


@pytest.mark.parametrize("px_per_frame", [0.4, 0.9, 1.0, 1.1, 2.7])
def test_no_column_between_two_frames_of_a_regular_stream_is_empty(px_per_frame: float) -> None:
    rng = np.random.default_rng(2)
    stamps_ns = PERIOD_NS * np.arange(1000, dtype=np.int64) + rng.integers(0, PERIOD_NS // 10, 1000)
    width_px = round(1000 * px_per_frame)
    axis = TimeAxis.fitting(TimeWindow(0, PERIOD_NS * 1000), width_px)
    level = fullness(frames_per_column(stamps_ns, axis.edges_ns()), 1 / px_per_frame)
    assert (held(level, px_per_frame)[3:] > 0).all()
    lost = np.delete(stamps_ns, range(500, 520))
    level = fullness(frames_per_column(lost, axis.edges_ns()), 1 / px_per_frame)
    empty = np.count_nonzero(held(level, px_per_frame)[3:] == 0)
    assert empty >= 20 * px_per_frame - 4


@pytest.mark.parametrize("seed", range(30))
def test_few_gaps_and_many_give_the_same_runs(seed: int) -> None:
    """Asked gap by gap or column by column: what is drawn is the same."""
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.choice(10_000, 2 * int(rng.integers(1, 40)), replace=False)).astype(np.int64) * 1_000
    starts, ends = cuts[::2], cuts[1::2]
    count = len(starts)
    zeros = np.zeros(count, np.int64)
    lost = rng.integers(1, 4, count).astype(np.int64)
    gaps = Gaps(np.arange(count), starts, ends, zeros, lost, zeros, 1_000)
    marks = LaneMarks(gaps, Disorder.none())
    axis = TimeAxis.fitting(TimeWindow(0, 10_000_000), 200)
    first = int(rng.integers(0, 5_000_000))
    edges_ns = axis.showing(first, first + int(rng.integers(100_000, 5_000_000))).edges_ns()
    quick = gap_runs(marks, edges_ns)
    begun = starts.searchsorted(edges_ns[1:], side="left")
    ended = ends.searchsorted(edges_ns[:-1], side="right")
    runs = runs_of(begun > ended)
    assert quick.firsts.tolist() == runs.firsts.tolist()
    assert quick.stops.tolist() == runs.stops.tolist()
    head, tail = ended[runs.origins], begun[runs.lasts]
    assert quick.marks.tolist() == (tail - head).tolist()
    assert quick.counts.tolist() == (gaps.lost_before[tail] - gaps.lost_before[head]).tolist()
