from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hfviewer.core.geometry import (
    Calibration,
    CameraModel,
    Transform,
    back_project,
    invert_rigid,
    matrix_from_pose,
    project,
    quaternion_from_matrix,
    transform_points,
)

Array = NDArray[np.float64]

K = np.array([[700.0, 0.0, 320.0], [0.0, 710.0, 240.0], [0.0, 0.0, 1.0]])
SKEWED_K = np.array([[700.0, 1.5, 320.0], [0.0, 710.0, 240.0], [0.0, 0.0, 1.0]])
# KITTI's P_rect_03: the right colour camera, shifted against the frame of the left grey one.
KITTI_P = np.array(
    [[721.5377, 0.0, 609.5593, -339.5242], [0.0, 721.5377, 172.854, 2.199936], [0.0, 0.0, 1.0, 0.002729905]]
)
CAMERAS = {
    "plain": CameraModel(640, 480, K),
    "skewed": CameraModel(640, 480, SKEWED_K),
    "kitti": CameraModel(1242, 375, KITTI_P[:, :3], projection=KITTI_P),
    "turned": CameraModel(
        640, 480, K, projection=K @ np.array([[0.8, 0, 0.6, 1], [0, 1, 0, 2], [-0.6, 0, 0.8, 3]])
    ),
}

components = st.floats(-1, 1).filter(lambda value: value == 0 or abs(value) > 1e-6)
quaternions = (
    st.lists(components, min_size=4, max_size=4)
    .map(lambda parts: np.array(parts, np.float64))
    .filter(lambda quaternion: bool(np.linalg.norm(quaternion) > 1e-3))
)
positions = st.lists(st.floats(-100, 100), min_size=3, max_size=3).map(lambda xyz: np.array(xyz, np.float64))
poses = st.builds(matrix_from_pose, positions, quaternions)


def rotate_by_product(quaternion: Array, point: Array) -> Array:
    """q · p · q*, term by term: the definition, without a matrix."""
    q = quaternion / np.linalg.norm(quaternion)
    vector, w = q[:3], q[3]
    first = np.cross(vector, point) + w * point
    return np.asarray(point + 2 * np.cross(vector, first))


@given(positions, quaternions, positions)
def test_a_pose_turns_and_then_moves_a_point(position: Array, quaternion: Array, point: Array) -> None:
    moved = transform_points(matrix_from_pose(position, quaternion), point[None])[0]
    np.testing.assert_allclose(moved, rotate_by_product(quaternion, point) + position, atol=1e-9)


@given(quaternions)
def test_quaternion_and_matrix_are_two_ways_to_write_one_rotation(quaternion: Array) -> None:
    matrix = matrix_from_pose(np.zeros(3), quaternion)
    np.testing.assert_allclose(matrix[:3, :3] @ matrix[:3, :3].T, np.eye(3), atol=1e-12)
    assert np.linalg.det(matrix[:3, :3]) == pytest.approx(1.0)
    back = quaternion_from_matrix(matrix)
    normed = quaternion / np.linalg.norm(quaternion)
    assert back[3] >= 0
    assert abs(float(back @ normed)) == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(quaternion_from_matrix(matrix[:3, :3]), back)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("off_rad", [0.0, 1e-12, -1e-12, 1e-7])
def test_half_turns_keep_their_axis(axis: int, off_rad: float) -> None:
    quaternion = np.zeros(4)
    quaternion[axis], quaternion[3] = np.cos(off_rad / 2), np.sin(off_rad / 2)
    back = quaternion_from_matrix(matrix_from_pose(np.zeros(3), quaternion))
    assert abs(float(back @ quaternion)) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("size", [1e-200, 1e-160, 1e-30, 1.0, 1e30, 1e200])
def test_a_quaternion_need_not_be_normed(size: float) -> None:
    unit = np.array([0.1, -0.5, 0.3, 0.8])
    expected = matrix_from_pose(np.zeros(3), unit)
    np.testing.assert_allclose(matrix_from_pose(np.zeros(3), unit * size), expected, atol=1e-12)


@pytest.mark.parametrize("bad", [0.0, np.nan, np.inf])
def test_an_unknown_rotation_keeps_the_position_and_does_not_turn(bad: float) -> None:
    matrix = matrix_from_pose(np.array([1.0, 2.0, 3.0]), np.full(4, bad))
    np.testing.assert_array_equal(matrix[:3, :3], np.eye(3))
    assert matrix[:, 3].tolist() == [1.0, 2.0, 3.0, 1.0]


@given(poses)
def test_an_inverted_pose_undoes_it(pose: Array) -> None:
    np.testing.assert_allclose(invert_rigid(pose) @ pose, np.eye(4), atol=1e-9)
    np.testing.assert_allclose(invert_rigid(invert_rigid(pose)), pose, atol=1e-9)


@given(poses, poses, poses, positions)
def test_transforms_chain_both_along_and_against_their_direction(
    base_from_body: Array, body_from_lidar: Array, body_from_camera: Array, point: Array
) -> None:
    calibration = Calibration(
        transforms=(
            Transform("base", "body", base_from_body),
            Transform("body", "lidar", body_from_lidar),
            Transform("body", "camera", body_from_camera),
        )
    )
    base_from_lidar = calibration.between(target="base", source="lidar")
    camera_from_lidar = calibration.between(target="camera", source="lidar")
    lidar_from_camera = calibration.between(target="lidar", source="camera")
    assert base_from_lidar is not None
    assert camera_from_lidar is not None
    assert lidar_from_camera is not None
    np.testing.assert_allclose(base_from_lidar, base_from_body @ body_from_lidar, atol=1e-9)
    np.testing.assert_allclose(camera_from_lidar @ lidar_from_camera, np.eye(4), atol=1e-9)
    in_body = transform_points(body_from_lidar, point[None])
    from_camera = transform_points(body_from_camera, transform_points(camera_from_lidar, point[None]))
    np.testing.assert_allclose(from_camera, in_body, atol=1e-9)


def shifted(x: float) -> Array:
    matrix = np.eye(4)
    matrix[0, 3] = x
    return matrix


def test_the_shortest_chain_is_taken_and_a_circle_ends() -> None:
    calibration = Calibration(
        transforms=(
            Transform("a", "a", shifted(50)),
            Transform("a", "b", shifted(1)),
            Transform("b", "c", shifted(2)),
            Transform("a", "c", shifted(10)),
            Transform("c", "d", shifted(100)),
        )
    )
    a_from_d = calibration.between(target="a", source="d")
    assert a_from_d is not None
    assert a_from_d[0, 3] == 110
    assert calibration.between(target="a", source="elsewhere") is None
    np.testing.assert_array_equal(calibration.between(target="x", source="x"), np.eye(4))


@pytest.mark.parametrize("name", CAMERAS)
@given(data=st.data())
def test_a_pixel_with_its_depth_comes_back_to_the_same_pixel(name: str, data: st.DataObject) -> None:
    camera = CAMERAS[name]
    pixel = [data.draw(st.floats(0, camera.width - 1)), data.draw(st.floats(0, camera.height - 1))]
    depth_m = data.draw(st.floats(0.2, 80.0))
    xyz = back_project(camera, np.array([pixel]), np.array([depth_m]))
    assert xyz[0, 2] == depth_m
    pixels, inside = project(camera, xyz)
    if name == "turned" and np.isnan(pixels).any():
        return  # that depth plane lies behind the turned camera for this pixel
    np.testing.assert_allclose(pixels, [pixel], atol=1e-6)
    assert inside[0]


@pytest.mark.parametrize("name", CAMERAS)
@given(data=st.data())
def test_a_point_in_front_comes_back_to_the_same_point(name: str, data: st.DataObject) -> None:
    camera = CAMERAS[name]
    xyz = np.array(
        [[data.draw(st.floats(-3, 3)), data.draw(st.floats(-3, 3)), data.draw(st.floats(1.0, 80.0))]]
    )
    pixels, _ = project(camera, xyz)
    np.testing.assert_allclose(back_project(camera, pixels, xyz[:, 2]), xyz, atol=1e-8)


def test_a_point_on_the_axis_falls_on_the_principal_point() -> None:
    pixels, inside = project(CAMERAS["plain"], np.array([[0.0, 0.0, 2.0], [1.0, -1.0, 2.0]]))
    np.testing.assert_allclose(pixels, [[320.0, 240.0], [320.0 + 350.0, 240.0 - 355.0]])
    assert inside.tolist() == [True, False]


def test_the_picture_reaches_half_a_pixel_beyond_the_outer_pixel_centres() -> None:
    corners = np.array([[-0.49, -0.49], [639.49, 479.49], [-0.51, 5.0], [5.0, 479.51]])
    xyz = back_project(CAMERAS["plain"], corners, np.full(4, 3.0))
    assert project(CAMERAS["plain"], xyz)[1].tolist() == [True, True, False, False]


def test_points_behind_the_camera_or_not_finite_are_outside_without_a_warning() -> None:
    bad = np.array(
        [
            [0, 0, -1],
            [0, 0, 0],
            [np.nan, 0, 1],
            [0, 0, np.nan],
            [np.inf, 0, 1],
            [0, -np.inf, 1],
            [1e308, 0, 1],
        ]
    )
    for camera in CAMERAS.values():
        _, inside = project(camera, np.tile(bad, (8, 1)))
        assert not inside[2:7].any()
    pixels, inside = project(CAMERAS["plain"], bad)
    assert not inside.any()
    assert np.isnan(pixels[:2]).all()


def test_moving_points_that_are_not_finite_makes_no_warning_and_leaves_the_others_right() -> None:
    points = np.array([[np.nan, 0, 0], [np.inf, -np.inf, 0], [1, 2, 3]] * 8, np.float32)
    moved = transform_points(shifted(10), points)
    assert moved.dtype == np.float64
    np.testing.assert_array_equal(moved[2::3], np.tile([11.0, 2.0, 3.0], (8, 1)))
    assert not np.isfinite(moved[0::3]).all(axis=1).any()
    assert not np.isfinite(moved[1::3]).all(axis=1).any()


def test_back_projection_keeps_unknown_depth_unknown_and_needs_no_focal_length_to_return() -> None:
    xyz = back_project(CAMERAS["plain"], np.array([[10.0, 20.0]]), np.array([np.nan]))
    assert np.isnan(xyz).all()
    placeholder = CameraModel(1280, 800, np.zeros((3, 3)))
    xyz = back_project(placeholder, np.array([[10.0, 20.0]]), np.array([1.5], np.float32))
    assert not np.isfinite(xyz[0, :2]).any()
    assert xyz[0, 2] == 1.5


def test_empty_clouds_stay_empty() -> None:
    empty = np.empty((0, 3))
    pixels, inside = project(CAMERAS["kitti"], empty)
    assert pixels.shape == (0, 2)
    assert inside.shape == (0,)
    assert transform_points(np.eye(4), empty).shape == (0, 3)
    assert back_project(CAMERAS["kitti"], pixels, np.empty(0)).shape == (0, 3)
