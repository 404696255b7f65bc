from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline.axis import MIN_VIEW_NS, OVERSHOOT_PERCENT, TimeAxis

SECOND_NS = 1_000_000_000

_starts = st.integers(-(2**61), 2**61)
_durations = st.integers(MIN_VIEW_NS, 10**17)
_widths = st.integers(1, 4000)


@st.composite
def axes(draw: st.DrawFn) -> TimeAxis:
    start_ns, duration_ns, width_px = draw(_starts), draw(_durations), draw(_widths)
    axis = TimeAxis.fitting(TimeWindow(start_ns, start_ns + duration_ns), width_px)
    first_ns = start_ns + draw(st.integers(0, duration_ns - 1))
    return axis.showing(first_ns, first_ns + draw(st.integers(1, duration_ns)))


@given(axis=axes(), column=st.integers(-5000, 5000))
def test_a_column_holds_the_times_from_its_edge_to_the_next(axis: TimeAxis, column: int) -> None:
    first_ns, stop_ns = axis.time_at(column), axis.time_at(column + 1)
    if first_ns < stop_ns:
        assert axis.column_at(first_ns) == column
        assert axis.column_at(stop_ns - 1) == column


@given(axis=axes(), share=st.integers(0, 10**6))
def test_a_time_lies_in_the_column_it_is_drawn_in(axis: TimeAxis, share: int) -> None:
    time_ns = axis.view.start_ns + axis.view.duration_ns * share // 10**6
    column = axis.column_at(time_ns)
    assert axis.time_at(column) <= time_ns < axis.time_at(column + 1)


@given(axis=axes())
def test_the_edges_are_the_times_of_the_columns(axis: TimeAxis) -> None:
    edges_ns = axis.edges_ns()
    assert edges_ns.dtype == np.int64
    assert edges_ns[0] == axis.view.start_ns
    assert edges_ns[-1] == axis.view.stop_ns
    for column in (0, axis.width_px // 3, axis.width_px - 1):
        assert edges_ns[column] == axis.time_at(column)


@given(axis=axes(), share=st.floats(0, 1), factor=st.floats(1.01, 4))
def test_zooming_in_keeps_the_time_under_the_pointer(axis: TimeAxis, share: float, factor: float) -> None:
    column = min(int(share * axis.width_px), axis.width_px - 1)
    under_ns = (axis.time_at(column) + axis.time_at(column + 1)) // 2
    zoomed = axis.zoomed(column, factor)
    assert zoomed.view.duration_ns <= axis.view.duration_ns
    columns_per_ns = axis.width_px // zoomed.view.duration_ns
    assert abs(zoomed.column_at(under_ns) - column) <= 1 + 2 * columns_per_ns


@given(axis=axes(), columns=st.integers(-8000, 8000), column=st.integers(0, 4000), factor=st.floats(0.1, 9))
def test_no_view_leaves_the_recording_by_more_than_its_margin(
    axis: TimeAxis, columns: int, column: int, factor: float
) -> None:
    margin_ns = axis.span.duration_ns * OVERSHOOT_PERCENT // 100
    for moved in (axis.panned(columns), axis.zoomed(column, factor), axis.starting_at(columns * 10**15)):
        assert moved.view.start_ns >= axis.span.start_ns - margin_ns
        assert moved.view.stop_ns <= axis.span.stop_ns + margin_ns
        assert moved.view.duration_ns >= MIN_VIEW_NS


@given(axis=axes(), columns=st.integers(-500, 500))
def test_panning_never_changes_the_length_of_the_view(axis: TimeAxis, columns: int) -> None:
    assert axis.panned(columns).view.duration_ns == axis.view.duration_ns


def test_panning_keeps_the_grabbed_time_under_the_pointer() -> None:
    axis = TimeAxis.fitting(TimeWindow(0, 60 * SECOND_NS), 600).showing(20 * SECOND_NS, 30 * SECOND_NS)
    grabbed_ns = axis.time_at(300)
    assert axis.panned(-120).column_at(grabbed_ns) == 180


def test_zooming_out_ends_at_the_margins() -> None:
    axis = TimeAxis.fitting(TimeWindow(0, 100 * SECOND_NS), 1000).zoomed(10, 0.001)
    assert axis.view == TimeWindow(-5 * SECOND_NS, 105 * SECOND_NS)
    assert axis.fits
    assert axis.zoomed(10, 0.5) == axis


def test_zooming_in_ends_at_a_microsecond() -> None:
    axis = TimeAxis.fitting(TimeWindow(0, 100 * SECOND_NS), 1000)
    for _ in range(40):
        axis = axis.zoomed(700, 3)
    assert axis.view.duration_ns == MIN_VIEW_NS
    assert axis.view.start_ns <= 70_050_000_000 < axis.view.stop_ns


def test_a_recording_of_one_instant_has_room_around_it() -> None:
    axis = TimeAxis.fitting(TimeWindow(5 * SECOND_NS, 5 * SECOND_NS + 1), 1000)
    assert axis.view.duration_ns == SECOND_NS
    assert axis.column_at(5 * SECOND_NS) == 0


def test_stamps_at_the_ends_of_int64_do_not_overflow() -> None:
    axis = TimeAxis.fitting(TimeWindow(-(2**63), 2**63), 1920).zoomed(0, 0.5)
    edges_ns = axis.edges_ns()
    assert (np.diff(edges_ns) > 0).all()


def test_a_time_is_brought_to_a_tenth_of_the_view() -> None:
    axis = TimeAxis.fitting(TimeWindow(0, 100 * SECOND_NS), 1000).showing(0, 10 * SECOND_NS)
    paged = axis.bringing(42 * SECOND_NS, 10)
    assert paged.view == TimeWindow(41 * SECOND_NS, 51 * SECOND_NS)


def test_a_factor_that_is_no_zoom_changes_nothing() -> None:
    axis = TimeAxis.fitting(TimeWindow(0, SECOND_NS), 100)
    assert axis.zoomed(5, 1.0) == axis
    assert axis.zoomed(5, 0.0) == axis


@given(axis=axes(), share=st.integers(0, 10**6), factor=st.floats(0.05, 20))
def test_zooming_about_a_time_keeps_its_place(axis: TimeAxis, share: int, factor: float) -> None:
    time_ns = axis.view.start_ns + (axis.view.duration_ns - 1) * share // 10**6
    zoomed = axis.zoomed_about(time_ns, factor)
    assert time_ns in zoomed.view
    if factor > 1:
        columns_per_ns = axis.width_px // zoomed.view.duration_ns
        assert abs(zoomed.column_at(time_ns) - axis.column_at(time_ns)) <= 1 + columns_per_ns


@given(axis=axes(), start_ns=st.integers(-(2**63), 2**63), length_ns=st.integers(0, 2**64))
def test_the_columns_of_a_span_are_in_the_widget_however_long_it_is(
    axis: TimeAxis, start_ns: int, length_ns: int
) -> None:
    columns = axis.columns_of(start_ns, start_ns + length_ns)
    assert 0 <= columns.start <= columns.stop <= axis.width_px
    covers_all = start_ns <= axis.view.start_ns and start_ns + length_ns >= axis.view.stop_ns
    if covers_all and axis.width_px <= axis.view.duration_ns:
        assert columns == range(axis.width_px)


def test_the_first_and_the_last_instant_of_int64_can_be_in_view() -> None:
    for instant_ns in (-(2**63), 2**63 - 1):
        axis = TimeAxis.fitting(TimeWindow(instant_ns, instant_ns + 1), 500)
        assert instant_ns in axis.view
        assert 0 <= axis.column_at(instant_ns) < 500
        edges_ns = axis.edges_ns()
        assert (np.diff(edges_ns) > 0).all()
