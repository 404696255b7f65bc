from __future__ import annotations

import pytest

from hfviewer.core.time_format import is_epoch
from hfviewer.model.playhead import MAX_SPEED, MIN_SPEED
from hfviewer.panels.transport_parts import next_speed, speed_text


@pytest.mark.parametrize(
    ("speed", "text"),
    [(1.0, "1.0×"), (0.25, "0.25×"), (-2.0, "−2.0×"), (0.05, "0.05×"), (1.1, "1.1×"), (64.0, "64.0×")],
)
def test_speeds_read_short(speed: float, text: str) -> None:
    assert speed_text(speed) == text


@pytest.mark.parametrize(
    ("speed", "faster", "following"),
    [
        (1.0, True, 2.0),
        (1.0, False, 0.5),
        (1.1, False, 1.0),
        (-1.0, True, -2.0),
        (MAX_SPEED, True, MAX_SPEED),
        (-MIN_SPEED, False, -MIN_SPEED),
    ],
)
def test_speed_climbs_a_ladder_in_its_own_direction(speed: float, faster: bool, following: float) -> None:
    assert next_speed(speed, faster=faster) == following


@pytest.mark.parametrize(
    ("time_ns", "plausible"),
    [(0, False), (946_684_799_999_999_999, False), (946_684_800_000_000_000, True), (2**62, False)],
)
def test_only_stamps_of_this_century_count_from_1970(time_ns: int, plausible: bool) -> None:
    assert is_epoch(time_ns) is plausible
