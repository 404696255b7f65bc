from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.window import TimeWindow

EPOCH_NS = 1_700_000_000_000_000_000
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
SECOND_NS = 1_000_000_000
DAY_NS = 86_400 * SECOND_NS

Table = NDArray[np.int64]


def make_table(*stamps_ns: int) -> Table:
    return np.array(stamps_ns, np.int64)


# Few different values close together, so that repeats and exact hits are common.
times = st.one_of(
    st.integers(EPOCH_NS - 12, EPOCH_NS + 12),
    st.sampled_from([0, -5, INT64_MIN, INT64_MAX, INT64_MAX - 1]),
)
# A window's stop may lie one past the last time that int64 holds, and a playhead anywhere.
asked_times = st.one_of(times, st.sampled_from([INT64_MIN - 1, INT64_MAX + 1, 2**70]))
tables = st.lists(times, max_size=30).map(lambda stamps: make_table(*sorted(stamps)))
windows = st.tuples(asked_times, asked_times).map(lambda ends: TimeWindow(min(ends), max(ends)))


@given(tables, asked_times)
def test_index_at_is_the_last_frame_at_or_before_the_playhead(table: Table, playhead_ns: int) -> None:
    naive = None
    for index, timestamp_ns in enumerate(table.tolist()):
        if timestamp_ns <= playhead_ns:
            naive = index
    assert timing.index_at(table, playhead_ns) == naive


@given(tables, asked_times)
def test_index_nearest_is_the_closest_frame_and_of_two_equally_close_the_earlier(
    table: Table, time_ns: int
) -> None:
    stamps = table.tolist()
    if not stamps:
        assert timing.index_nearest(table, time_ns) is None
        return
    smallest_ns = min(abs(stamp - time_ns) for stamp in stamps)
    closest_ns = min(stamp for stamp in stamps if abs(stamp - time_ns) == smallest_ns)
    same = [index for index, stamp in enumerate(stamps) if stamp == closest_ns]
    assert timing.index_nearest(table, time_ns) == (same[-1] if closest_ns <= time_ns else same[0])


@given(tables, asked_times)
def test_index_after_is_the_first_strictly_later_frame(table: Table, time_ns: int) -> None:
    naive = next((index for index, stamp in enumerate(table.tolist()) if stamp > time_ns), None)
    assert timing.index_after(table, time_ns) == naive


@given(tables, asked_times)
def test_index_before_is_the_last_strictly_earlier_frame(table: Table, time_ns: int) -> None:
    naive = None
    for index, stamp in enumerate(table.tolist()):
        if stamp < time_ns:
            naive = index
    assert timing.index_before(table, time_ns) == naive


@given(tables, windows)
def test_indices_in_are_the_frames_of_the_half_open_window(table: Table, window: TimeWindow) -> None:
    naive = [i for i, stamp in enumerate(table.tolist()) if window.start_ns <= stamp < window.stop_ns]
    assert list(timing.indices_in(table, window)) == naive


@given(tables, st.lists(asked_times, min_size=2, max_size=8))
def test_neighbouring_windows_give_every_frame_between_them_once(table: Table, edges: list[int]) -> None:
    edges.sort()
    found: list[int] = []
    for start_ns, stop_ns in pairwise(edges):
        found.extend(timing.indices_in(table, TimeWindow(start_ns, stop_ns)))
    assert found == list(timing.indices_in(table, TimeWindow(edges[0], edges[-1])))


@given(st.lists(st.tuples(times, times), max_size=20), windows)
def test_indices_overlapping_share_an_instant_with_the_window(
    intervals: list[tuple[int, int]], window: TimeWindow
) -> None:
    intervals = [(min(pair), max(pair)) for pair in intervals]
    naive = []
    for index, (start_ns, stop_ns) in enumerate(intervals):
        end_ns = max(stop_ns, start_ns + 1)
        if max(start_ns, window.start_ns) < min(end_ns, window.stop_ns):
            naive.append(index)
    starts_ns = make_table(*(start for start, _ in intervals))
    stops_ns = make_table(*(stop for _, stop in intervals))
    assert timing.indices_overlapping(starts_ns, stops_ns, window).tolist() == naive


@given(
    st.lists(st.tuples(times, st.floats(-1e6, 1e6)), max_size=12),
    st.lists(times, max_size=12),
)
def test_interpolation_equals_exact_arithmetic_at_epoch_times(
    samples: list[tuple[int, float]], asked_ns: list[int]
) -> None:
    samples.sort(key=lambda sample: sample[0])
    stamps = [stamp for stamp, _ in samples]
    column = np.array([value for _, value in samples], np.float64)
    values = np.stack([column, -column], axis=1)
    mixed = timing.interpolate_linear(make_table(*stamps), values, make_table(*asked_ns))
    assert mixed.shape == (len(asked_ns), 2)
    for row, time_ns in zip(mixed.tolist(), asked_ns, strict=True):
        if not stamps or not stamps[0] <= time_ns <= stamps[-1]:
            assert np.isnan(row).all()
            continue
        left = max(index for index, stamp in enumerate(stamps) if stamp <= time_ns)
        expected = Fraction(float(column[left]))
        if stamps[left] < time_ns:
            share = Fraction(time_ns - stamps[left], stamps[left + 1] - stamps[left])
            expected += (Fraction(float(column[left + 1])) - expected) * share
        assert row == pytest.approx([float(expected), -float(expected)], rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("neighbour", [np.nan, np.inf, -np.inf, 1.7e308])
def test_interpolation_at_a_samples_own_time_is_that_sample_whatever_its_neighbours_hold(
    neighbour: float,
) -> None:
    table = make_table(EPOCH_NS, EPOCH_NS + 10, EPOCH_NS + 20)
    values = np.array([[neighbour], [-1.5e308], [neighbour]])
    assert timing.interpolate_linear(table, values, table[1:2]).tolist() == [[-1.5e308]]
    swapped = np.array([[2.5], [neighbour], [0.1]])
    assert timing.interpolate_linear(table, swapped, table[[0, 2]]).tolist() == [[2.5], [0.1]]


def test_interpolation_at_a_repeated_last_time_is_the_last_sample() -> None:
    table = make_table(EPOCH_NS, EPOCH_NS + 10, EPOCH_NS + 10)
    values = np.array([[1.0], [2.0], [3.0]])
    assert timing.interpolate_linear(table, values, table[2:]).tolist() == [[3.0]]


def test_interpolation_of_a_single_sample_holds_at_its_time_only() -> None:
    around = make_table(EPOCH_NS - 1, EPOCH_NS, EPOCH_NS + 1)
    mixed = timing.interpolate_linear(make_table(EPOCH_NS), np.array([[4.0, 5.0]]), around)
    np.testing.assert_array_equal(mixed, [[np.nan, np.nan], [4.0, 5.0], [np.nan, np.nan]])


@given(tables)
def test_period_is_the_median_of_the_positive_intervals(table: Table) -> None:
    stamps = [stamp for stamp in table.tolist() if abs(stamp - EPOCH_NS) <= 12]
    gaps = sorted(b - a for a, b in pairwise(stamps) if b > a)
    middle = len(gaps) // 2
    naive = None if not gaps else gaps[middle] if len(gaps) % 2 else (gaps[middle - 1] + gaps[middle]) // 2
    assert timing.period_ns(make_table(*stamps)) == naive


def test_rate_and_period_ignore_a_gap_and_a_repeat() -> None:
    steps = np.full(300, 33_333_333, np.int64)
    steps[100], steps[200] = 5 * SECOND_NS, 0
    table = EPOCH_NS + np.append(0, np.cumsum(steps))
    assert timing.period_ns(table) == 33_333_333
    assert timing.rate_hz(table) == pytest.approx(30.0, rel=1e-6)


@pytest.mark.parametrize("share_regular", [0.75, 0.85])
def test_a_stream_has_a_rate_only_where_enough_intervals_are_near_its_period(share_regular: float) -> None:
    steps = np.full(1000, 10_000_000, np.int64)
    steps[int(1000 * share_regular) :] = 14_000_000
    rate_hz = timing.rate_hz(EPOCH_NS + np.append(0, np.cumsum(steps)))
    if share_regular < timing.REGULAR_SHARE:
        assert rate_hz is None
    else:
        assert rate_hz == pytest.approx(100.0)


@pytest.mark.parametrize("table", [make_table(), make_table(EPOCH_NS), make_table(EPOCH_NS, EPOCH_NS)])
def test_without_two_different_stamps_there_is_neither_period_nor_rate(table: Table) -> None:
    assert timing.period_ns(table) is None
    assert timing.rate_hz(table) is None


def test_a_long_table_is_sampled_evenly_for_its_period() -> None:
    table = EPOCH_NS + np.arange(300_001, dtype=np.int64) * 1_000_000
    assert timing.period_ns(table) == 1_000_000
    assert timing.rate_hz(table) == pytest.approx(1000.0)


ordinary_tables = st.builds(
    lambda start_ns, gaps_ns: start_ns + np.append(0, np.cumsum(np.array(gaps_ns, np.int64))),
    st.integers(EPOCH_NS, EPOCH_NS + 3600 * SECOND_NS),
    st.lists(st.integers(0, 40_000_000), max_size=60),
)


def bounds(tables_ns: list[Table]) -> TimeWindow:
    stamps = np.concatenate(tables_ns)
    return TimeWindow(int(stamps.min()), int(stamps.max()) + 1)


@given(st.lists(ordinary_tables, min_size=1, max_size=4))
def test_an_ordinary_recording_keeps_every_frame(tables_ns: list[Table]) -> None:
    assert timing.robust_span(tables_ns) == bounds(tables_ns)


@given(
    st.lists(ordinary_tables.filter(lambda table: len(table) > 1), min_size=1, max_size=4),
    st.sampled_from(
        [0, 1, 5 * DAY_NS, 365 * DAY_NS, EPOCH_NS + 3650 * DAY_NS, INT64_MAX, INT64_MIN, -SECOND_NS]
    ),
    st.integers(0, 3),
)
def test_one_absurd_stamp_in_a_table_of_any_length_does_not_stretch_the_span(
    tables_ns: list[Table], absurd_ns: int, which: int
) -> None:
    damaged = list(tables_ns)
    which %= len(damaged)
    damaged[which] = np.sort(np.append(damaged[which], absurd_ns))
    assert timing.robust_span(damaged) == bounds(tables_ns)


@given(st.lists(ordinary_tables, min_size=2, max_size=4), st.sampled_from([0, 365 * DAY_NS, INT64_MAX]))
def test_a_stream_of_one_absurd_stamp_does_not_stretch_the_span(
    tables_ns: list[Table], absurd_ns: int
) -> None:
    assert timing.robust_span([make_table(absurd_ns), *tables_ns]) == bounds(tables_ns)


def test_absurd_stamps_at_both_ends_of_several_tables_do_not_stretch_the_span() -> None:
    good = EPOCH_NS + np.arange(5, dtype=np.int64) * SECOND_NS
    damaged = [np.concatenate([[0], good, [INT64_MAX]]), np.concatenate([[0, 0], good])]
    assert timing.robust_span(damaged) == bounds([good])


@pytest.mark.parametrize("frame_count", [2, 5, 500])
def test_a_stamp_of_0_is_left_out_where_the_clock_counts_from_power_on(frame_count: int) -> None:
    good = 3000 * SECOND_NS + np.arange(frame_count, dtype=np.int64) * SECOND_NS // 10
    assert timing.robust_span([np.append(0, good)]) == bounds([good])


def test_a_clock_that_starts_at_0_keeps_its_first_frame() -> None:
    table = np.arange(300, dtype=np.int64) * 33_333_333
    assert timing.robust_span([table]) == bounds([table])


@pytest.mark.parametrize("late", [True, False])
def test_one_stamp_an_hour_off_is_left_out_of_a_long_table(late: bool) -> None:
    good = EPOCH_NS + np.arange(900, dtype=np.int64) * SECOND_NS
    stray_ns = int(good[-1]) + 3600 * SECOND_NS if late else int(good[0]) - 3600 * SECOND_NS
    assert timing.robust_span([np.sort(np.append(good, stray_ns))]) == bounds([good])


def test_a_second_short_burst_after_a_pause_is_kept() -> None:
    burst = np.arange(1000, dtype=np.int64) * 10_000_000
    table = np.concatenate([EPOCH_NS + burst, EPOCH_NS + 300 * SECOND_NS + burst[:20]])
    assert timing.robust_span([table]) == bounds([table])


def test_few_notes_far_apart_are_all_kept() -> None:
    notes = EPOCH_NS + np.array([0, 100, 400], np.int64) * SECOND_NS
    assert timing.robust_span([notes]) == bounds([notes])


def test_a_part_closer_than_the_length_of_the_main_part_is_kept_and_a_farther_one_is_not() -> None:
    main = EPOCH_NS + np.arange(0, 101, dtype=np.int64) * DAY_NS // 10
    weekend = main[:10] + 13 * DAY_NS
    next_month = main[:10] + 40 * DAY_NS
    assert timing.robust_span([main, np.append(weekend, next_month)]) == bounds([main, weekend])


def test_single_frame_streams_outvote_one_of_the_far_future() -> None:
    singles = [make_table(EPOCH_NS + second * SECOND_NS) for second in range(3)]
    assert timing.robust_span([*singles, make_table(INT64_MAX)]) == bounds(singles)


@pytest.mark.parametrize("tables_ns", [[], [make_table()], [make_table(), make_table()]])
def test_there_is_no_span_without_frames(tables_ns: list[Table]) -> None:
    assert timing.robust_span(tables_ns) is None


@given(st.lists(tables, max_size=4))
def test_any_stamps_give_a_span_that_holds_a_frame(tables_ns: list[Table]) -> None:
    span = timing.robust_span(tables_ns)
    if span is None:
        assert not any(len(table) for table in tables_ns)
    else:
        stamps = np.concatenate(tables_ns).tolist()
        assert span.start_ns in stamps
        assert span.stop_ns - 1 in stamps
