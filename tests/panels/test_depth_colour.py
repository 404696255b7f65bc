from __future__ import annotations

import numpy as np
import pytest

from hfviewer.core.depth import DepthScale
from hfviewer.panels.depth_colour import (
    ColourMap,
    DepthColours,
    colour_table,
    invalid_share,
    probe,
    robust_range_mm,
)
from tests.panels.making import depth


def test_low_is_blue_and_high_is_red_and_all_is_opaque() -> None:
    table = colour_table(ColourMap.TURBO)
    quarter, late = int(table[50]), int(table[220])
    assert (quarter & 0xFF) > (quarter >> 16 & 0xFF)
    assert (late >> 16 & 0xFF) > (late & 0xFF)
    for colour_map in ColourMap:
        assert np.all(colour_table(colour_map) >> 24 == 0xFF)
    assert colour_table(ColourMap.GREY).tolist()[128] == 0xFF808080


def test_only_codes_without_a_measurement_are_transparent() -> None:
    scale = DepthScale(unit_mm=0.5, invalid_codes=(0, 65535))
    table = DepthColours(low_mm=100, high_mm=1000).table(scale)
    assert np.flatnonzero(table == 0).tolist() == [0, 65535]


def test_codes_take_the_colour_of_their_depth_and_the_ends_beyond_the_range() -> None:
    colours = DepthColours(low_mm=1000, high_mm=2000, colour_map=ColourMap.GREY)
    grey = (colours.table(DepthScale(unit_mm=0.5)) & 0xFF)[[1, 2000, 3000, 4000, 60000]]
    assert grey.tolist() == [0, 0, 128, 255, 255]


def test_logarithmic_puts_the_geometric_mean_in_the_middle() -> None:
    colours = DepthColours(low_mm=100, high_mm=10_000, logarithmic=True)
    assert colours.position(np.array([1000.0]))[0] == pytest.approx(0.5)


def test_a_logarithmic_range_from_zero_is_no_error() -> None:
    table = DepthColours(low_mm=0, high_mm=0.5, logarithmic=True).table(DepthScale())
    assert table[1000] != 0


def test_the_range_leaves_invalid_pixels_and_outliers_out() -> None:
    stored = np.full((100, 100), 2000, np.uint16)
    stored[:50] = 1000
    stored[0, :50] = 0
    stored[1, 0] = 60000
    assert robust_range_mm(depth(stored)) == (1000, 2000)


def test_a_picture_without_any_measurement_still_has_a_range() -> None:
    low, high = robust_range_mm(depth(np.zeros((4, 4), np.uint16)))
    assert low < high
    low, high = robust_range_mm(depth(np.full((4, 4), 9, np.uint16)))
    assert low < high


def test_the_share_of_invalid_pixels_is_counted() -> None:
    stored = np.array([[0, 1], [2, 3]], np.uint16)
    assert invalid_share(depth(stored)) == 0.25
    assert invalid_share(depth(np.zeros((0, 3), np.uint16))) == 1.0


def test_the_probe_gives_code_exact_depth_and_valid_neighbours() -> None:
    stored = np.full((10, 10), 700, np.uint16)
    stored[4:6, 4] = 0
    found = probe(depth(stored, scale=DepthScale(unit_mm=0.25)), 5, 5)
    assert found is not None
    assert (found.code, found.millimetres, found.valid, found.neighbours) == (700, 175.0, 23, 25)
    corner = probe(depth(stored), 0, 0)
    assert corner is not None
    assert corner.neighbours == 9
    hole = probe(depth(stored), 4, 4)
    assert hole is not None
    assert hole.millimetres is None
    assert probe(depth(stored), 10, 0) is None
    assert probe(depth(stored), -1, 0) is None
