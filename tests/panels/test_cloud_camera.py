from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.panels.cloud_camera import CloudViewpoint, OrbitCamera, viewpoint_camera, viewpoint_of

WIDTH, HEIGHT = 640, 480
ANGLES = st.floats(-math.pi, math.pi)


def pixel(camera: OrbitCamera, x: float, y: float, z: float) -> tuple[float, float, float]:
    column, row, depth, w = camera.pixels_from_sensor(WIDTH, HEIGHT) @ np.array([x, y, z, 1.0])
    return float(column / w), float(row / w), float(depth)


@given(ANGLES, st.floats(-math.pi / 2, math.pi / 2), st.booleans())
def test_the_target_is_in_the_middle_at_its_distance(
    azimuth: float, elevation: float, parallel: bool
) -> None:
    camera = OrbitCamera(
        target_m=(3, -4, 5), distance_m=20, azimuth_rad=azimuth, elevation_rad=elevation, parallel=parallel
    )
    assert pixel(camera, 3, -4, 5) == pytest.approx((WIDTH / 2, HEIGHT / 2, 20), abs=1e-6)


@given(ANGLES, st.floats(-math.pi / 2, math.pi / 2))
def test_the_axes_are_right_handed_and_of_unit_length(azimuth: float, elevation: float) -> None:
    right, up, forward = OrbitCamera(azimuth_rad=azimuth, elevation_rad=elevation).axes()
    assert np.cross(right, up) == pytest.approx(-forward, abs=1e-12)
    for axis in (right, up, forward):
        assert np.linalg.norm(axis) == pytest.approx(1)


def test_from_behind_ahead_is_up_the_picture_left_is_left_and_high_is_high() -> None:
    camera = viewpoint_camera(CloudViewpoint.FREE, reach_m=30, ground_m=-1.7)
    near, far = pixel(camera, 5, 0, -1.7), pixel(camera, 40, 0, -1.7)
    assert far[1] < near[1]
    assert pixel(camera, 20, 5, 0)[0] < pixel(camera, 20, -5, 0)[0]
    assert pixel(camera, 20, 0, 2)[1] < pixel(camera, 20, 0, 0)[1]
    assert camera.position_m()[0] < 0 < camera.position_m()[2]


def test_from_above_ahead_is_up_and_left_is_left_and_height_does_not_matter() -> None:
    camera = viewpoint_camera(CloudViewpoint.TOP, reach_m=30, ground_m=0)
    assert pixel(camera, 10, 0, 0)[1] < HEIGHT / 2
    assert pixel(camera, 0, 10, 0)[0] < WIDTH / 2
    assert pixel(camera, 10, 3, 0)[:2] == pytest.approx(pixel(camera, 10, 3, 2)[:2])


def test_front_and_side_show_heights_as_heights() -> None:
    front = viewpoint_camera(CloudViewpoint.FRONT, reach_m=30, ground_m=0)
    side = viewpoint_camera(CloudViewpoint.SIDE, reach_m=30, ground_m=0)
    assert pixel(front, 0, 5, 0)[0] > WIDTH / 2  # seen from ahead, the sensor's left is on the right
    assert pixel(side, 5, 0, 0)[0] > WIDTH / 2
    for camera in (front, side):
        assert pixel(camera, 0, 0, 5)[1] < HEIGHT / 2


def test_a_pan_moves_the_target_with_the_pointer() -> None:
    camera = OrbitCamera(target_m=(0, 0, 0), distance_m=10)
    column, row, _ = pixel(camera.panned(30, -20, HEIGHT), 0, 0, 0)
    assert (column, row) == pytest.approx((WIDTH / 2 + 30, HEIGHT / 2 - 20), abs=1e-6)


def test_orbiting_stops_at_the_poles_and_leaves_the_plan() -> None:
    camera = viewpoint_camera(CloudViewpoint.TOP, reach_m=30, ground_m=0).orbited(0, 10_000)
    assert camera.elevation_rad == math.pi / 2
    assert not camera.parallel
    assert camera.orbited(0, -1e6).elevation_rad == -math.pi / 2


def test_the_distance_stays_between_its_limits() -> None:
    camera = OrbitCamera()
    for factor in (1e-9, 1e9):
        assert np.isfinite(camera.dollied(factor).pixels_from_sensor(10, 10)).all()


@pytest.mark.parametrize("viewpoint", list(CloudViewpoint))
def test_a_viewpoint_is_known_by_its_camera_also_once_it_was_moved(viewpoint: CloudViewpoint) -> None:
    camera = viewpoint_camera(viewpoint, reach_m=20, ground_m=-2)
    assert viewpoint_of(camera) is viewpoint
    assert viewpoint_of(camera.dollied(0.3).panned(50, -20, 400)) is viewpoint
    assert viewpoint_of(camera.orbited(30, 10)) is CloudViewpoint.FREE


def test_turning_about_a_place_brings_it_to_the_middle_and_keeps_its_size() -> None:
    camera = viewpoint_camera(CloudViewpoint.FREE, reach_m=20, ground_m=-2)
    place = (15.0, 4.0, 1.0)
    before = pixel(camera, *place)[2]
    turned = camera.turning_about(*place)
    column, row, depth = pixel(turned, *place)
    assert (column, row) == pytest.approx((WIDTH / 2, HEIGHT / 2))
    assert depth == pytest.approx(before)
    assert turned.azimuth_rad == camera.azimuth_rad
    plan = viewpoint_camera(CloudViewpoint.TOP, reach_m=20, ground_m=-2)
    assert plan.turning_about(*place).distance_m == plan.distance_m
    behind = camera.turning_about(*(camera.position_m() - 5 * camera.axes()[2]).tolist())
    assert behind.distance_m == camera.distance_m
