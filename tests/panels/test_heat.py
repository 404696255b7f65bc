from __future__ import annotations

import numpy as np
import pytest

from hfviewer.panels.depth_colour import ColourMap, colour_table
from hfviewer.panels.heat import colours_of, heat_picture, round_top, signed, two_sided_table


def test_values_beyond_the_ends_take_the_end_colours_and_nan_has_none() -> None:
    table = colour_table(ColourMap.TURBO)
    found = colours_of(np.array([-5.0, 0.0, 10.0, np.inf, -np.inf, np.nan]), 0.0, 10.0, table)
    assert found[0] == found[1] == found[4] == table[0]
    assert found[2] == found[3] == table[255]
    assert found[5] == 0


def test_zero_is_the_darkest_of_a_scale_with_two_sides() -> None:
    channels = [(two_sided_table() >> shift) & 0xFF for shift in (16, 8, 0)]
    brightness = np.sum(channels, axis=0)
    assert 126 <= int(np.argmin(brightness)) <= 129
    assert brightness[0] > 2 * brightness.min()
    assert brightness[255] > 2 * brightness.min()


def test_cells_are_picked_and_not_averaged() -> None:
    values = np.array([[0.0, 1.0], [1.0, 0.0]])
    table = two_sided_table()
    picture = heat_picture(values, 0.0, 1.0, table, (0, 0, 2, 2), (8, 8))
    found = {picture.pixel(x, y) for x in range(8) for y in range(8)}
    assert found == {int(table[0]), int(table[255])}
    assert picture.pixel(7, 0) == int(table[255])


@pytest.mark.parametrize(("value", "top"), [(0.3, 1.0), (1.0, 1.0), (1.1, 2.0), (812.0, 1000.0), (2e3, 2e3)])
def test_scales_end_at_round_numbers(value: float, top: float) -> None:
    assert round_top(value) == top


def test_what_is_no_number_gives_the_least_scale() -> None:
    assert round_top(float("nan"), 100.0) == 100.0
    assert signed(float("inf")) == "–"
    assert signed(-0.031) == "−0.03"
