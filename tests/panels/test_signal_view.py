from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.window import TimeWindow
from hfviewer.panels.signal_view import SignalView

PLAYHEAD_NS = 1_700_000_000_123_456_789


def test_the_first_view_is_two_hundred_samples_but_never_beyond_two_seconds() -> None:
    assert SignalView.around(1_000_000).span_ns == 200_000_000
    assert SignalView.around(100_000_000).span_ns == 4_000_000_000
    assert SignalView.around(1_000_000_000).span_ns == 20_000_000_000
    assert SignalView.around(None).span_ns == 4_000_000_000


def test_a_view_that_follows_keeps_the_playhead_at_its_place() -> None:
    view = SignalView.around(1_000_000)
    for playhead_ns in (PLAYHEAD_NS, PLAYHEAD_NS + 999):
        window = view.window(playhead_ns)
        assert (window.start_ns + window.stop_ns) // 2 == playhead_ns


@given(st.floats(0.05, 20), st.floats(0, 1))
def test_zooming_keeps_the_time_under_the_pointer(factor: float, at: float) -> None:
    view = SignalView(start_ns=0, span_ns=1_000_000_000)
    before = view.window(PLAYHEAD_NS)
    after = view.zoomed(factor, at, PLAYHEAD_NS).window(PLAYHEAD_NS)
    at_before = before.start_ns + at * before.duration_ns
    at_after = after.start_ns + at * after.duration_ns
    assert at_after == pytest.approx(at_before, abs=1000)


def test_panning_the_playhead_out_of_sight_stops_following() -> None:
    view = SignalView(start_ns=0, span_ns=1000)
    assert view.panned(0.2, PLAYHEAD_NS).follows
    assert view.panned(0.2, PLAYHEAD_NS).share == pytest.approx(0.3)
    away = view.panned(0.6, PLAYHEAD_NS)
    assert not away.follows
    assert away.window(0) == away.window(PLAYHEAD_NS)


def test_the_whole_stream_is_shown_with_a_margin() -> None:
    span = TimeWindow(1000, 10_001_000)
    shown = SignalView.whole(span).window(0)
    assert shown.start_ns < span.start_ns
    assert shown.stop_ns > span.stop_ns


def test_the_span_stays_between_its_limits() -> None:
    view = SignalView.around(None)
    for factor in (1e-12, 1e12):
        assert view.zoomed(factor, 0.5, PLAYHEAD_NS).span_ns > 0
        assert view.zoomed(factor, 0.5, PLAYHEAD_NS).span_ns < 2**62
