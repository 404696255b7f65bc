from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.core.depth import DepthScale
from hfviewer.core.geometry import Calibration, CameraModel, Transform, matrix_from_pose, project
from hfviewer.core.projection import (
    distort,
    frame_of,
    from_picture,
    is_usable,
    link,
    meet_depth,
    points_of_depth,
    ray_of,
    reach_of_lens,
    straightening_maps,
    to_picture,
    undistort,
)
from hfviewer.demo.rig import DEPTH_CAMERA

K = np.array([[700.0, 0.0, 320.0], [0.0, 710.0, 240.0], [0.0, 0.0, 1.0]])
LENSES = {
    "none": CameraModel(640, 480, K),
    "barrel": CameraModel(640, 480, K, (-0.28, 0.07, 1e-4, -2e-4, 0.0), "plumb_bob"),
    "four": CameraModel(640, 480, K, (-0.28, 0.07, 1e-4, -2e-4), "plumb_bob"),
    "rational": CameraModel(640, 480, K, (0.3, -0.2, 1e-3, 2e-3, 0.05, 0.6, -0.1, 0.02), "plumb_bob"),
    "prism": CameraModel(640, 480, K, (-0.2, 0.05, 0, 0, 0, 0, 0, 0, 1e-3, -2e-3, 5e-4, 1e-3), "plumb_bob"),
    "fisheye": CameraModel(640, 480, K, (0.02, -0.01, 0.003, -0.001), "equidistant"),
}


def rays(count: int = 500, widest: float = 0.42) -> NDArray[np.float64]:
    xy = np.random.default_rng(1).uniform(-widest, widest, (count, 2))
    return np.column_stack([xy, np.ones(count)]) * np.random.default_rng(2).uniform(0.3, 60, (count, 1))


@pytest.mark.parametrize("name", LENSES)
def test_a_lens_bends_rays_as_opencv_says(name: str) -> None:
    camera, points = LENSES[name], rays()
    terms = np.array(camera.distortion)
    if camera.distortion_model == "equidistant":
        expected = cv2.fisheye.projectPoints(points[:, None], np.zeros(3), np.zeros(3), K, terms)[0]
    else:
        expected = cv2.projectPoints(points, np.zeros(3), np.zeros(3), K, terms)[0]
    pixels, inside = to_picture(camera, points)
    seen = ~np.isnan(pixels).any(axis=1)
    assert seen.mean() > 0.9
    np.testing.assert_allclose(pixels[seen], expected.reshape(-1, 2)[seen], atol=1e-9)
    assert inside.any()


@pytest.mark.parametrize("name", LENSES)
def test_a_pixel_with_its_depth_comes_back_to_the_same_pixel(name: str) -> None:
    camera = LENSES[name]
    pixels = np.random.default_rng(3).uniform(0, 1, (400, 2)) * [639, 479]
    depth_m = np.random.default_rng(4).uniform(0.2, 80, 400)
    points = from_picture(camera, pixels, depth_m)
    found = np.isfinite(points).all(axis=1)
    assert found.mean() > 0.95
    again, inside = to_picture(camera, points[found])
    np.testing.assert_allclose(again, pixels[found], atol=1e-3)
    assert inside.all()


def test_rays_beyond_the_bend_of_a_lens_do_not_fold_back_into_the_picture() -> None:
    camera = CameraModel(640, 480, K, (-0.35, 0.02, 0.0, 0.0, 0.0), "plumb_bob")
    assert 0.9 < reach_of_lens(camera) < 1.1  # where 1 - 1.05 r² + 0.1 r⁴ is nothing
    far_off = np.array([[1.7, 0.0, 1.0], [0.0, 1.7, 1.0], [-1.2, 1.2, 1.0]])
    folded = cv2.projectPoints(far_off, np.zeros(3), np.zeros(3), K, np.array(camera.distortion))[0]
    pixels, inside = to_picture(camera, far_off)
    assert np.isnan(pixels).all()
    assert (np.abs(folded.reshape(-1, 2) - [320, 240]) < [320, 240]).all()
    assert not inside.any()


def test_bad_points_and_bad_lenses_give_no_pixel_and_no_warning() -> None:
    bad = np.array([[np.nan, 0, 1], [np.inf, 0, 1], [0, 0, -1], [0, 0, 0], [1e300, 1e300, 1]])
    for camera in LENSES.values():
        assert not to_picture(camera, bad)[1].any()
    wild = CameraModel(640, 480, K, (1e9, -1e12, 5.0, 1e6, 0.0), "plumb_bob")
    assert not to_picture(wild, rays(50))[1].all()
    assert undistort(wild, np.array([[0.1, 0.2]])).shape == (1, 2)
    assert to_picture(LENSES["barrel"], np.empty((0, 3)))[0].shape == (0, 2)


def test_no_calibration_that_a_file_may_hold_makes_an_exception_or_a_warning() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 65536, (24, 32), np.uint16)
    tried = 0
    for number in range(120):
        k = rng.normal(size=(3, 3)) * 10.0 ** rng.integers(-12, 12)
        terms = rng.normal(size=int(rng.choice([0, 1, 4, 5, 8, 12, 14]))) * 10.0 ** rng.integers(-6, 9)
        if number % 7 == 0 and len(terms):
            terms[-1] = rng.choice([np.nan, np.inf, 1e308])
        model = str(rng.choice(["plumb_bob", "equidistant", "nobody knows"]))
        camera = CameraModel(32, 24, k, tuple(terms.tolist()), model)
        if not is_usable(camera):
            continue
        tried += 1
        to_picture(camera, rng.normal(size=(50, 3)) * 10.0 ** rng.integers(-3, 6))
        points_of_depth(camera, codes, DepthScale())
        straightening_maps(camera)
        ray = ray_of(camera, (3.0, 4.0))
        if ray is not None:
            meet_depth(ray, camera, codes, DepthScale())
    assert tried > 30


def test_placeholders_and_unknown_lenses_are_not_usable() -> None:
    assert is_usable(LENSES["rational"])
    assert not is_usable(CameraModel(1280, 800, np.zeros((3, 3))))
    assert not is_usable(CameraModel(640, 480, K * 1e300))
    assert not is_usable(CameraModel(640, 480, np.full((3, 3), np.nan)))
    assert not is_usable(CameraModel(640, 480, K, (0.1,) * 14, "plumb_bob"))
    assert not is_usable(CameraModel(640, 480, K, (float("nan"), 0, 0, 0), "plumb_bob"))


def test_the_straightening_maps_are_those_of_opencv() -> None:
    camera = LENSES["barrel"]
    columns, rows = straightening_maps(camera)
    terms = np.array(camera.distortion)
    expected = cv2.initUndistortRectifyMap(K, terms, np.eye(3), K, (640, 480), cv2.CV_32FC1)
    np.testing.assert_allclose(columns, expected[0], atol=1e-2)
    np.testing.assert_allclose(rows, expected[1], atol=1e-2)


def test_a_shifted_rectified_camera_has_its_own_centre() -> None:
    matrix = np.array([[700.0, 0, 320, -350.0], [0, 700, 240, 0], [0, 0, 1, 0]])
    camera = CameraModel(640, 480, matrix[:, :3], projection=matrix)
    ray = ray_of(camera, (100.0, 50.0))
    assert ray is not None
    np.testing.assert_allclose(ray.origin_m, [0.5, 0, 0], atol=1e-9)
    pixels, _ = project(camera, ray.points(np.array([0.7, 5.0, 60.0])))
    np.testing.assert_allclose(pixels, [[100.0, 50.0]] * 3, atol=1e-6)


def test_a_ray_keeps_its_points_when_the_frame_changes() -> None:
    ray = ray_of(LENSES["barrel"], (600.0, 400.0))
    assert ray is not None
    matrix = matrix_from_pose(np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.2, -0.3, 0.9]))
    distances = np.array([0.5, 4.0])
    moved = ray.moved(matrix).points(distances)
    np.testing.assert_allclose(moved, ray.points(distances) @ matrix[:3, :3].T + matrix[:3, 3])


def slanted(camera: CameraModel) -> tuple[NDArray[np.uint16], NDArray[np.float64]]:
    """Depth, in tenths of a millimetre, of the plane z = 2 + 0.3 x seen without distortion."""
    u = np.arange(camera.width)[None]
    tangent = (u - camera.k[0, 2]) / camera.k[0, 0]
    depth_m = np.broadcast_to(2.0 / (1 - 0.3 * tangent), (camera.height, camera.width))
    return np.rint(depth_m * 10_000).astype(np.uint16), depth_m


def test_depth_becomes_the_surface_that_it_was_measured_from() -> None:
    camera = DEPTH_CAMERA.model
    stored, _ = slanted(camera)
    stored[:10] = 0
    xyz, pixel = points_of_depth(camera, stored, DepthScale(unit_mm=0.1))
    assert len(xyz) == camera.width * (camera.height - 10)
    np.testing.assert_allclose(xyz[:, 2], 2 + 0.3 * xyz[:, 0], atol=1e-4)
    assert pixel[0] == 10 * camera.width
    fewer, chosen = points_of_depth(camera, stored, DepthScale(unit_mm=0.1), step=4)
    assert set(chosen.tolist()) <= set(pixel.tolist())
    assert len(fewer) == len(chosen) < len(xyz) / 12


def test_a_line_of_sight_from_another_camera_ends_on_the_measured_surface() -> None:
    depth_camera = DEPTH_CAMERA.model
    stored, _ = slanted(depth_camera)
    other = CameraModel(640, 360, np.array([[420.0, 0, 319.5], [0, 420, 179.5], [0, 0, 1]]), frame="other")
    depth_from_other = matrix_from_pose(np.array([-0.25, 0.05, 0.0]), np.array([0.0, 0.02, 0.0, 1.0]))
    for pixel in ((300.0, 180.0), (200.0, 100.0), (420.0, 250.0)):
        ray = ray_of(other, pixel)
        assert ray is not None
        point = meet_depth(ray.moved(depth_from_other), depth_camera, stored, DepthScale(unit_mm=0.1))
        assert point is not None
        # Off by at most the slope of the surface over the pixel that the depth was looked up at.
        assert abs(point[2] - (2 + 0.3 * point[0])) < 0.3 * 2.5 / 280
        back, _ = to_picture(
            other,
            np.array([point]) @ np.linalg.inv(depth_from_other)[:3, :3].T
            + np.linalg.inv(depth_from_other)[:3, 3],
        )
        np.testing.assert_allclose(back[0], pixel, atol=1e-6)


def test_a_line_of_sight_past_an_edge_does_not_end_in_the_air_between() -> None:
    camera = DEPTH_CAMERA.model
    stored = np.full((camera.height, camera.width), 5000, np.uint16)
    stored[:, : camera.width // 2] = 1000
    aside = CameraModel(640, 480, K, frame="aside")
    ray = ray_of(aside, (320.0, 240.0))
    assert ray is not None
    # From the right, close to the near wall's edge, into the gap behind it.
    across = matrix_from_pose(np.array([1.0, 0.0, 0.0]), np.array([0.0, -0.2, 0.0, 0.98]))
    point = meet_depth(ray.moved(across), camera, stored, DepthScale())
    assert point is None or min(abs(point[2] - 1.0), abs(point[2] - 5.0)) < 0.01
    stored[:] = 0
    assert meet_depth(ray, camera, stored, DepthScale()) is None


def test_frames_are_linked_by_name() -> None:
    camera = replace(LENSES["none"], frame="cam")
    calibration = Calibration({"left": camera}, (Transform("base", "cam", np.eye(4)),))
    assert frame_of(calibration, "left", "other") == "cam"
    assert frame_of(calibration, "lidar", "velo") == "velo"
    assert frame_of(calibration, "lidar") == "lidar"
    assert link(calibration, target="base", source="cam") is not None
    assert link(calibration, target="base", source="") is None
    assert link(calibration, target="base", source="velo") is None


def test_distortion_at_the_centre_is_nothing() -> None:
    for camera in LENSES.values():
        np.testing.assert_allclose(distort(camera, np.zeros((1, 2))), [[0.0, 0.0]], atol=1e-12)
