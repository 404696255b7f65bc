from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from hfviewer.panels.cloud_colour import (
    FARTHEST_M,
    LEAST_CONTRAST,
    Shading,
    colour_choices,
    contrast,
    finite_cloud,
    flat_shading,
    point_table,
    reach_and_ground,
    robust_range,
    scalar_of,
    shade,
)
from hfviewer.panels.depth_colour import ColourMap, colour_table
from hfviewer.panels.theme import DARK
from tests.panels.making import points

XYZ = np.array([[3, 4, 0], [np.nan, 1, 1], [0, 0, 2], [1, np.inf, 0]], np.float32)
FRAME = points(
    XYZ, x=XYZ[:, 0], intensity=np.array([0.1, 0.2, 0.3, 0.4], np.float32), short=np.zeros(1, np.float32)
)


def test_points_without_a_place_are_dropped_and_counted() -> None:
    cloud = finite_cloud(FRAME)
    assert (cloud.kept.tolist(), cloud.not_finite, cloud.too_far) == ([0, 2], 2, 0)
    assert cloud.xyz.tolist() == [[3, 4, 0], [0, 0, 2]]


def test_points_absurdly_far_away_are_dropped_and_counted_apart() -> None:
    xyz = np.array(
        [[1, 2, 3], [3e38, 0, 0], [0, -1.1e6, 0], [FARTHEST_M, 0, 0], [np.nan, 3e38, 0], [0, 0, -np.inf]],
        np.float32,
    )
    frame = points(xyz, ring=np.arange(6, dtype=np.float32))
    cloud = finite_cloud(frame)
    assert (cloud.kept.tolist(), cloud.not_finite, cloud.too_far) == ([0, 3], 2, 2)
    rings = scalar_of(frame, cloud, "ring")
    assert rings is not None
    assert rings.tolist() == [0, 3]


def test_fields_follow_the_points_that_were_kept() -> None:
    cloud = finite_cloud(FRAME)
    intensity, distance = scalar_of(FRAME, cloud, "intensity"), scalar_of(FRAME, cloud, "range")
    assert intensity is not None
    assert intensity == pytest.approx([0.1, 0.3])
    assert distance is not None
    assert distance.tolist() == [5, 2]
    for name in ("flat", "no such field", "short"):
        assert scalar_of(FRAME, cloud, name) is None


def test_the_coordinates_are_offered_as_height_and_range_only() -> None:
    assert colour_choices(FRAME) == ["height", "range", "intensity", "short", "flat"]


def test_the_range_of_colours_withstands_outliers_and_emptiness() -> None:
    values = np.linspace(0, 10, 10_001).astype(np.float32)
    values[0], values[1] = 1e9, np.nan
    low, high = robust_range(values)
    assert (low, high) == pytest.approx((0.1, 9.9), abs=0.02)
    assert robust_range(np.empty(0, np.float32)) == (0.0, 1.0)
    assert robust_range(np.full(3, np.nan, np.float32)) == (0.0, 1.0)
    low, high = robust_range(np.full(3, 7, np.float32))
    assert low == 7
    assert high > 7


def test_values_beyond_the_range_take_the_end_colours_and_no_value_its_own() -> None:
    table = np.arange(256, dtype=np.uint32) + 1000
    values = np.array([-5, 0, 5, 10, 99, np.inf, -np.inf, np.nan], np.float32)
    shades = shade(values, (0, 10), table, 7)
    assert shades.tolist() == [1000, 1000, 1127, 1255, 1255, 1255, 1000, 7]


def test_a_shading_colours_by_values_or_all_alike() -> None:
    table = np.arange(256, dtype=np.uint32)
    shading = Shading(np.array([0, 10, np.nan], np.float32), (0, 10), table, 999)
    assert shading.colours(3).tolist() == [0, 255, 999]
    assert flat_shading(0xFF123456).colours(3).tolist() == [0xFF123456] * 3


def test_reach_and_ground_are_those_of_most_points() -> None:
    rng = np.random.default_rng(3)
    angle, far = rng.uniform(0, 6.28, 5000), rng.uniform(0, 20, 5000)
    xyz = np.stack([far * np.cos(angle), far * np.sin(angle), np.full(5000, -1.7)], axis=1).astype(np.float32)
    xyz[0] = (1e30, 0, -1e30)
    reach, ground = reach_and_ground(xyz)
    assert reach == pytest.approx(18, abs=0.5)
    assert ground == pytest.approx(-1.7)
    assert reach_and_ground(np.empty((0, 3), np.float32)) == (20.0, 0.0)


@pytest.mark.parametrize("colour_map", list(ColourMap))
def test_every_colour_of_a_point_stands_out_from_the_ground(
    qapp: QApplication, colour_map: ColourMap
) -> None:
    ground = DARK.picture.rgba()
    table = point_table(colour_map, ground)
    assert contrast(table, ground).min() >= LEAST_CONTRAST
    assert len(table) == 256
    # The same colours in the same order, only without those that cannot be seen.
    whole = colour_table(colour_map).tolist()
    places = [whole.index(colour) for colour in table.tolist()]
    assert places == sorted(places)
    assert len(set(places)) > 128
    assert point_table(colour_map, ground) is table  # a renderer sends the same table only once


def test_contrast_is_that_of_the_web_guidelines() -> None:
    black_grey_white = np.array([0xFF000000, 0xFF777777, 0xFFFFFFFF], np.uint32)
    assert contrast(black_grey_white, 0xFFFFFFFF) == pytest.approx([21.0, 4.48, 1.0], abs=0.01)
    assert contrast(black_grey_white, 0xFF000000) == pytest.approx([1.0, 4.69, 21.0], abs=0.01)
