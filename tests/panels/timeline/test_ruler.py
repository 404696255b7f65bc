from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.time_format import TimeFormat, TimeMode, elapsed_text
from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline.ruler import Ruler, decimals_of, nice_step_ns

SECOND_NS = 1_000_000_000


@given(
    start_ns=st.integers(-(2**60), 2**60),
    duration_ns=st.integers(1_000, 10**17),
    view_share=st.floats(0, 1),
    mode=st.sampled_from(TimeMode),
    width_px=st.integers(200, 4000),
)
def test_marks_lie_in_view_and_keep_their_distance(
    start_ns: int, duration_ns: int, view_share: float, width_px: int, mode: TimeMode
) -> None:
    span = TimeWindow(start_ns, start_ns + duration_ns)
    view = TimeWindow(start_ns, start_ns + max(1_000, int(duration_ns * view_share)))
    ruler = Ruler.for_view(view, TimeFormat.of(mode, span), width_px, spacing_px=90)
    labelled, minor = ruler.labelled(view), ruler.minor(view)
    assert all(time_ns in view for time_ns in labelled)
    assert len(labelled) <= width_px // 90 + 1
    assert set(labelled) <= set(minor)
    assert len(minor) <= width_px // 6 + 1


@given(st.integers(1, 10**18))
def test_seconds_step_by_one_two_and_five(least_ns: int) -> None:
    step_ns = nice_step_ns(least_ns, clock=False)
    assert least_ns <= step_ns < least_ns * 2.51
    assert str(step_ns).rstrip("0") in ("1", "2", "5")


@pytest.mark.parametrize(
    ("least_s", "step_s"), [(1, 1), (11, 15), (31, 60), (61, 120), (4000, 7200), (100_000, 172_800)]
)
def test_long_recordings_step_by_parts_of_minutes_hours_and_days(least_s: int, step_s: int) -> None:
    assert nice_step_ns(least_s * SECOND_NS, clock=True) == step_s * SECOND_NS


@pytest.mark.parametrize(
    ("step_ns", "decimals"),
    [(60 * SECOND_NS, 0), (SECOND_NS, 1), (200_000_000, 1), (50_000_000, 2), (1_000, 6), (20, 8)],
)
def test_labels_have_as_many_decimals_as_the_step_needs(step_ns: int, decimals: int) -> None:
    assert decimals_of(step_ns) == decimals


@pytest.mark.parametrize(
    ("elapsed_ns", "decimals", "clock", "text"),
    [
        (52_706_999_999, 3, False, "52.706"),
        (0, 1, False, "0.0"),
        (-500_000_000, 1, False, "−0.5"),
        (-1, 1, False, "−0.1"),
        (3_723_500_000_000, 1, True, "1:02:03.5"),
        (59_000_000_000, 0, True, "0:00:59"),
    ],
)
def test_times_read_as_seconds_or_as_a_clock(elapsed_ns: int, decimals: int, clock: bool, text: str) -> None:
    assert elapsed_text(elapsed_ns, decimals=decimals, clock=clock) == text


def test_zooming_in_does_not_change_how_a_long_recording_reads() -> None:
    span = TimeWindow(0, 7200 * SECOND_NS)
    view = TimeWindow(3600 * SECOND_NS, 3601 * SECOND_NS)
    ruler = Ruler.for_view(view, TimeFormat.elapsed(span), 1000, spacing_px=100)
    assert ruler.label(ruler.labelled(view)[1]) == "1:00:00.1"
