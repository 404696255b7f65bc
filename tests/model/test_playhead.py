from __future__ import annotations

import pytest

from hfviewer.core.window import TimeWindow
from hfviewer.model.playhead import MAX_SPEED, MIN_SPEED, Playhead

START = 1_700_000_000_123_456_789


@pytest.fixture
def playhead(qapp: object) -> Playhead:
    made = Playhead()
    made.reset(TimeWindow(START, START + 1_000_000))
    return made


def test_positions_travel_through_signals_to_the_nanosecond(playhead: Playhead) -> None:
    seen: list[int] = []
    playhead.moved.connect(seen.append)
    playhead.move_to(START + 999_999)
    assert seen == [START + 999_999]


def test_moving_to_where_it_is_says_nothing(playhead: Playhead) -> None:
    seen: list[int] = []
    playhead.moved.connect(seen.append)
    playhead.move_to(START)
    assert seen == []


def test_it_stops_at_both_ends(playhead: Playhead) -> None:
    playhead.move_to(0)
    assert playhead.position_ns == START
    playhead.move_to(2**62)
    assert playhead.position_ns == START + 999_999


def test_jumping_back_returns_and_comes_again(playhead: Playhead) -> None:
    playhead.move_to(START + 10)
    playhead.jump_to(START + 500, remember=True)
    playhead.jump_back()
    assert playhead.position_ns == START + 10
    playhead.jump_back()
    assert playhead.position_ns == START + 500


@pytest.mark.parametrize(("asked", "given"), [(1000.0, MAX_SPEED), (0.001, MIN_SPEED), (-1000.0, -MAX_SPEED)])
def test_speeds_are_bounded_and_keep_their_direction(playhead: Playhead, asked: float, given: float) -> None:
    playhead.set_speed(asked)
    assert playhead.speed == given


def test_an_in_point_behind_the_out_point_drops_the_out_point(playhead: Playhead) -> None:
    playhead.set_range(START + 10, START + 20)
    playhead.set_range(START + 30, START + 20)
    assert (playhead.in_ns, playhead.out_ns) == (START + 30, None)
    playhead.set_range(START + 30, START + 5)
    assert (playhead.in_ns, playhead.out_ns) == (None, START + 5)


def test_what_is_played_runs_from_in_to_out_inclusive(playhead: Playhead) -> None:
    assert playhead.play_span == playhead.span
    playhead.set_range(START + 10, START + 20)
    assert playhead.play_span == TimeWindow(START + 10, START + 21)


def test_another_recording_starts_anew(playhead: Playhead) -> None:
    playhead.set_speed(4.0)
    playhead.set_range(START + 1, START + 2)
    playhead.set_playing(True)
    playhead.reset(TimeWindow(5, 10))
    assert (playhead.position_ns, playhead.speed, playhead.playing) == (5, 1.0, False)
    assert (playhead.in_ns, playhead.out_ns) == (None, None)
