from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.window import TimeWindow
from hfviewer.playback.clock import Anchor, tick

START = 1_700_000_000_123_456_789
SPAN = TimeWindow(START, START + 10_000_000_001)


def test_the_position_follows_real_time_exactly_at_normal_speed() -> None:
    anchor = Anchor(START, 5_000, 1.0)
    assert anchor.position_at(5_000 + 3_600_000_000_000) == START + 3_600_000_000_000


@given(st.floats(0.05, 64.0), st.integers(0, 10**13))
def test_the_position_is_within_a_nanosecond_in_a_million_of_the_exact_product(
    speed: float, passed: int
) -> None:
    moved = Anchor(START, 0, speed).position_at(passed) - START
    assert abs(moved - passed * speed) <= 1 + passed * speed * 1e-12


def test_without_loop_it_stops_on_the_last_nanosecond_and_says_so() -> None:
    step = tick(Anchor(START, 0, 1.0), 20_000_000_000, SPAN, loop=False)
    assert (step.position_ns, step.ended) == (SPAN.stop_ns - 1, True)


def test_backwards_it_stops_at_the_start() -> None:
    step = tick(Anchor(START + 5, 0, -2.0), 20_000_000_000, SPAN, loop=False)
    assert (step.position_ns, step.ended) == (START, True)


@given(st.integers(0, 10**11), st.sampled_from([-8.0, -1.0, 0.5, 1.0, 64.0]))
def test_a_loop_never_leaves_the_span_and_loses_no_time(passed: int, speed: float) -> None:
    anchor = Anchor(START + 7, 0, speed)
    step = tick(anchor, passed, SPAN, loop=True)
    assert step.position_ns in SPAN
    assert (anchor.position_at(passed) - step.position_ns) % SPAN.duration_ns == 0
    assert not step.ended


def test_outside_the_range_but_on_the_way_in_it_plays_on() -> None:
    step = tick(Anchor(START - 1_000, 0, 1.0), 10, SPAN, loop=True)
    assert (step.position_ns, step.wrapped, step.ended) == (START - 990, False, False)
