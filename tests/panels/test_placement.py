from __future__ import annotations

import pytest

from hfviewer.panels.placement import Sight
from hfviewer.panels.view2d import View2D


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("full", [(8000, 1), (1, 8000), (1, 1), (8000, 3)])
@pytest.mark.parametrize("reduced", [1, 8])
def test_a_thin_picture_is_at_least_a_device_pixel_thick(
    full: tuple[int, int], ratio: float, reduced: int
) -> None:
    stored = (max(1, full[0] // reduced), max(1, full[1] // reduced))
    place = Sight(None, (480, 320), ratio).place(full, stored)
    assert place is not None
    left, top, width, height = place.target
    assert width * ratio >= 1 - 1e-9
    assert height * ratio >= 1 - 1e-9
    assert place.size[0] >= 1
    assert place.size[1] >= 1
    assert left > -1
    assert left + width < 481
    assert top > -1
    assert top + height < 321


def test_a_shrunk_picture_lies_on_whole_device_pixels() -> None:
    place = Sight(None, (333, 217), 1.5).place((1920, 1080), (1920, 1080))
    assert place is not None
    for value in place.target:
        assert value * 1.5 == pytest.approx(round(value * 1.5))
    assert place.size == (round(place.target[2] * 1.5), round(place.target[3] * 1.5))


def test_nothing_shows_of_a_picture_beside_the_widget() -> None:
    assert Sight(View2D(scale=1.0, left=500, top=0), (100, 100), 1.0).place((50, 50), (50, 50)) is None
    assert Sight(None, (100, 100), 1.0).place((0, 5), (0, 5)) is None
