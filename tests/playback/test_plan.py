from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core import timing
from hfviewer.playback.plan import MOST_FRAMES_AHEAD, frames_around
from tests.playback.fakes import every

CAMERA = every(33_000_000, 300)


def test_while_playing_the_next_frame_is_wanted_before_the_previous_one() -> None:
    wanted = frames_around({"camera": CAMERA}, int(CAMERA[100]), 1.0, playing=True)
    assert wanted[0].index == 101
    assert {w.index for w in wanted} >= {99, 101, 102}


def test_backwards_the_previous_frame_comes_first() -> None:
    wanted = frames_around({"camera": CAMERA}, int(CAMERA[100]), -1.0, playing=True)
    assert wanted[0].index == 99


def test_a_slow_stream_still_gets_its_neighbours() -> None:
    slow = every(5_000_000_000, 10)
    wanted = frames_around({"slow": slow}, int(slow[4]) + 1, 1.0, playing=False)
    assert {w.index for w in wanted} == {3, 5}


@given(
    st.lists(st.integers(0, 10**10), max_size=80),
    st.integers(-(10**9), 11 * 10**9),
    st.sampled_from([-4.0, 1.0, 64.0]),
    st.booleans(),
)
def test_the_plan_is_bounded_inside_the_table_and_never_the_shown_frame(
    stamps: list[int], playhead: int, speed: float, playing: bool
) -> None:
    table = np.array(sorted(stamps), np.int64)
    wanted = frames_around({"s": table}, playhead, speed, playing=playing)
    indices = [w.index for w in wanted]
    assert len(indices) == len(set(indices)) <= MOST_FRAMES_AHEAD
    assert all(0 <= i < len(table) for i in indices)
    assert timing.index_at(table, playhead) not in indices
