from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.window import TimeWindow, WindowGrid

EPOCH_NS = 1_700_000_000_000_000_000

small_windows = st.tuples(st.integers(-20, 20), st.integers(0, 20)).map(
    lambda pair: TimeWindow(pair[0], pair[0] + pair[1])
)
starts = st.one_of(st.integers(-30, 30), st.just(EPOCH_NS), st.integers(-(2**63), 2**63 - 10_000))
spans = st.integers(0, 400)
lengths = st.integers(1, 120)


def rule_index(timestamp_ns: int, start_ns: int, window_ns: int) -> int:
    """Window k has B_k < t <= B_(k+1), window 0 also t = B_0, read straight from formats/hyperframe.md."""
    k = 0
    while not (start_ns + k * window_ns < timestamp_ns <= start_ns + (k + 1) * window_ns):
        if timestamp_ns == start_ns:
            return 0
        k += 1
    return k


@given(small_windows, st.integers(-50, 50))
def test_a_window_holds_its_start_and_not_its_stop(window: TimeWindow, timestamp_ns: int) -> None:
    assert (timestamp_ns in window) == (timestamp_ns in range(window.start_ns, window.stop_ns))
    assert window.duration_ns == len(range(window.start_ns, window.stop_ns))


@given(small_windows, small_windows)
def test_an_intersection_holds_exactly_the_common_instants(one: TimeWindow, other: TimeWindow) -> None:
    common = [t for t in range(-60, 60) if t in one and t in other]
    shared = one.intersection(other)
    assert shared == other.intersection(one)
    assert common == ([] if shared is None else list(range(shared.start_ns, shared.stop_ns)))


@given(small_windows, st.integers(-50, 50))
def test_clamp_gives_the_nearest_instant_inside(window: TimeWindow, timestamp_ns: int) -> None:
    inside = range(window.start_ns, window.stop_ns) or [window.start_ns]
    assert window.clamp(timestamp_ns) == min(inside, key=lambda t: abs(t - timestamp_ns))


def test_a_window_that_stops_before_it_starts_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot stop"):
        TimeWindow(5, 4)


@given(starts, spans, lengths, st.data())
def test_every_timestamp_lies_in_exactly_the_window_that_the_format_names(
    start_ns: int, span_ns: int, window_ns: int, data: st.DataObject
) -> None:
    grid = WindowGrid.covering(start_ns, start_ns + span_ns, window_ns)
    timestamp_ns = start_ns + data.draw(st.integers(0, span_ns))
    holding = [k for k, window in enumerate(grid) if timestamp_ns in window]
    assert holding == [rule_index(timestamp_ns, start_ns, window_ns)]
    assert grid.index_at(timestamp_ns) == holding[0]


@given(starts, spans, lengths)
def test_the_windows_of_a_grid_tile_and_the_last_one_holds_the_last_frame(
    start_ns: int, span_ns: int, window_ns: int
) -> None:
    grid = WindowGrid.covering(start_ns, start_ns + span_ns, window_ns)
    windows = list(grid)
    assert windows[0].start_ns == start_ns
    assert all(a.stop_ns == b.start_ns for a, b in pairwise(windows))
    assert start_ns + span_ns in windows[-1]
    assert len(grid) == len(windows)
    assert windows == [grid[k] for k in range(len(grid))]
    assert windows[::-1] == list(reversed(grid))
    assert grid[-1] == windows[-1]
    assert grid[1:-1] == windows[1:-1]


@given(starts, spans, lengths, st.integers(-500, 1000))
def test_index_at_agrees_with_the_windows_inside_and_outside_the_grid(
    start_ns: int, span_ns: int, window_ns: int, offset_ns: int
) -> None:
    grid = WindowGrid.covering(start_ns, start_ns + span_ns, window_ns)
    holding = [k for k, window in enumerate(grid) if start_ns + offset_ns in window]
    assert grid.index_at(start_ns + offset_ns) == (holding[0] if holding else None)


def test_a_grid_without_frames_has_no_windows() -> None:
    grid = WindowGrid.covering(EPOCH_NS, EPOCH_NS - 1, 100)
    assert len(grid) == 0
    assert list(grid) == []
    assert grid.index_at(EPOCH_NS) is None
    with pytest.raises(IndexError):
        grid[0]


@pytest.mark.parametrize("window_ns", [0, -1])
def test_a_grid_of_windows_without_length_is_refused(window_ns: int) -> None:
    with pytest.raises(ValueError, match="positive"):
        WindowGrid.covering(0, 10, window_ns)


def test_a_damaged_header_cannot_make_a_grid_too_long_to_use() -> None:
    grid = WindowGrid.covering(-(2**63), 2**63 - 1, 1)
    assert len(grid) > 0
    assert grid
    last = grid.index_at(2**63 - 1)
    assert last is not None
    assert 2**63 - 1 in grid[last]
