from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hfviewer.panels.cloud_camera import OrbitCamera
from hfviewer.panels.cloud_splat import splat

CAMERA = OrbitCamera(target_m=(10, 0, 0), distance_m=10, elevation_rad=0.0)  # at the origin, along +x
RED, GREEN = np.uint32(0xFFFF0000), np.uint32(0xFF00FF00)


def cloud(*rows: tuple[float, float, float]) -> NDArray[np.float32]:
    return np.array(rows, np.float32).reshape(-1, 3)


def draw(
    xyz: NDArray[np.float32], colours: NDArray[np.uint32], size: tuple[int, int] = (40, 30)
) -> NDArray[np.uint32]:
    return splat(xyz, colours, CAMERA.pixels_from_sensor(*size), *size).pixels


def test_a_point_ahead_is_a_square_in_the_middle() -> None:
    pixels = draw(cloud((10, 0, 0)), np.array([RED]))
    assert np.argwhere(pixels).tolist() == [[15, 20], [15, 21], [16, 20], [16, 21]]


def test_the_near_point_hides_the_far_one_whatever_their_order() -> None:
    near, far = (5, 0, 0), (50, 0, 0)
    for rows, colours in (((near, far), (RED, GREEN)), ((far, near), (GREEN, RED))):
        assert draw(cloud(*rows), np.array(colours))[15, 20] == RED


def test_far_points_do_not_bleed_through_squares_that_overlap_by_a_pixel() -> None:
    matrix = CAMERA.pixels_from_sensor(40, 30)
    focal = 30 / 2 / np.tan(np.radians(25))
    near, far = (10.0, 0.0, 0.0), (40.0, -40.0 * 1.0 / focal, 0.0)  # far one lands a pixel to the right
    for order in ((0, 1), (1, 0)):
        rows = np.array([near, far], np.float32)[list(order)]
        pixels = splat(rows, np.array([RED, GREEN])[list(order)], matrix, 40, 30).pixels
        assert pixels[15, 20:23].tolist() == [RED, RED, GREEN]


def test_points_behind_beside_or_without_a_place_do_not_show() -> None:
    rows = cloud(
        (-5, 0, 0), (10, 100, 0), (10, 0, 100), (np.nan, 0, 0), (np.inf, 0, 0), (0, 0, 0), (3e38, 3e38, 3e38)
    )
    assert not draw(rows, np.full(len(rows), RED)).any()


def test_no_points_and_a_picture_of_one_pixel_are_fine() -> None:
    assert draw(cloud(), np.empty(0, np.uint32)).shape == (30, 40)
    shown = splat(cloud((10, 0, 0)), np.array([RED]), CAMERA.pixels_from_sensor(1, 1), 1, 1, size_px=1)
    assert shown.pixels.tolist() == [[RED]]


def test_points_at_the_edges_stay_inside_the_picture() -> None:
    rng = np.random.default_rng(1)
    xyz = rng.normal(0, 20, (20_000, 3)).astype(np.float32)
    shown = splat(xyz, np.full(len(xyz), RED), CAMERA.pixels_from_sensor(37, 23), 37, 23, size_px=4)
    assert shown.columns.min() >= 0
    assert shown.columns.max() <= 37 - 4
    assert shown.rows.max() <= 23 - 4


def test_every_drawn_point_agrees_with_a_slow_projection() -> None:
    rng = np.random.default_rng(2)
    xyz = rng.uniform((1, -3, -2), (30, 3, 2), (500, 3)).astype(np.float32)
    matrix = CAMERA.pixels_from_sensor(200, 150)
    shown = splat(xyz, np.full(len(xyz), RED), matrix, 200, 150, size_px=1)
    for column, row, index in zip(
        shown.columns.tolist(), shown.rows.tolist(), shown.indices.tolist(), strict=True
    ):
        place = matrix @ np.append(xyz[index].astype(np.float64), 1)
        assert abs(place[0] / place[3] - column - 0.5) <= 0.51
        assert abs(place[1] / place[3] - row - 0.5) <= 0.51
    depths = xyz[shown.indices, 0]
    assert np.all(np.diff(depths) <= 30 / 65535 * 1.5)


def test_the_foremost_point_near_a_pixel_is_picked() -> None:
    xyz = cloud((50, 0, 0), (5, 0, 0), (10, 3, 0))
    shown = splat(xyz, np.full(3, RED), CAMERA.pixels_from_sensor(400, 300), 400, 300)
    assert shown.nearest_at(201, 151, 5) == 1
    assert shown.nearest_at(10, 10, 5) is None
