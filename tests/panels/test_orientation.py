from __future__ import annotations

import numpy as np
import pytest

from hfviewer.panels.orientation import Orientation

ALL = [Orientation(turns, mirrored) for turns in range(4) for mirrored in (False, True)]
PICTURE = np.arange(12, dtype=np.uint16).reshape(3, 4)


@pytest.mark.parametrize("orientation", ALL)
def test_a_pixel_is_where_its_place_says(orientation: Orientation) -> None:
    shown = orientation.apply(PICTURE)
    assert (shown.shape[1], shown.shape[0]) == orientation.size((4, 3))
    for row in range(3):
        for column in range(4):
            x, y = orientation.to_shown(column + 0.5, row + 0.5, (4, 3))
            assert shown[int(y), int(x)] == PICTURE[row, column]
            assert orientation.to_stored(x, y, (4, 3)) == (column + 0.5, row + 0.5)
    places = np.array([[0.25, 2.75], [4.0, 0.0]])
    expected = [orientation.to_shown(x, y, (4, 3)) for x, y in places.tolist()]
    np.testing.assert_allclose(orientation.many_to_shown(places, (4, 3)), expected)


def test_turns_are_clockwise() -> None:
    assert Orientation(1).apply(PICTURE)[0].tolist() == [8, 4, 0]
    assert Orientation().turned(5) == Orientation(1)


@pytest.mark.parametrize("orientation", ALL)
def test_flipping_swaps_left_and_right_of_what_is_seen(orientation: Orientation) -> None:
    np.testing.assert_array_equal(orientation.flipped().apply(PICTURE), orientation.apply(PICTURE)[:, ::-1])
