from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.convert.importers.kitti_calibration import read_calibration
from hfviewer.convert.source import ProblemLog
from hfviewer.core.frame import PointFrame, SampleFrame
from hfviewer.core.geometry import Calibration, CameraModel, Transform
from hfviewer.core.projection import link
from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from hfviewer.panels.overlay import (
    HAND_BONES,
    PointOverlay,
    is_keypoints,
    keypoint_columns,
    keypoints_over,
    overlay_choices,
    points_over,
    splat,
)
from tests.convert.layouts import REAL_DATA
from tests.panels.making import depth, points

CITY = REAL_DATA / "kitti_drive_city"
K = np.array([[100.0, 0, 50], [0, 100, 40], [0, 0, 1]])
CAMERA = CameraModel(100, 80, K, frame="cam")


def described(name: str, kind: StreamKind, **more: object) -> StreamDescription:
    return StreamDescription(name=name, kind=kind, encoding="any", **more)  # type: ignore[arg-type]


def test_points_fall_on_the_pixels_that_the_arithmetic_says_and_others_are_left_out() -> None:
    xyz = np.array([[0, 0, 2], [0.4, -0.3, 1], [5, 0, 1], [0, 0, -1], [np.nan, 0, 1]], np.float32)
    overlay = points_over(points(xyz), None, np.eye(4), CAMERA, 7)
    assert overlay is not None
    np.testing.assert_allclose(overlay.pixels, [[50, 40], [90, 10]], atol=1e-4)
    assert overlay.index.tolist() == [0, 1]
    assert (overlay.total, overlay.offset_ns) == (5, 7)
    assert overlay.nearest(51, 41, 3) == 0
    assert overlay.nearest(55, 45, 3) is None


def test_a_depth_picture_can_lie_over_another_camera() -> None:
    stored = np.full((80, 100), 2000, np.uint16)
    matrix = np.eye(4)
    matrix[0, 3] = 0.1  # the other camera sees everything 0.1 m farther right
    overlay = points_over(depth(stored), CAMERA, matrix, CAMERA, 0)
    assert overlay is not None
    columns, rows = overlay.index % 100, overlay.index // 100
    np.testing.assert_allclose(overlay.pixels[:, 0], columns + 5, atol=1e-3)
    np.testing.assert_allclose(overlay.pixels[:, 1], rows, atol=1e-3)
    assert points_over(depth(np.full((80, 33), 2000, np.uint16)), CAMERA, matrix, CAMERA, 0) is None


def test_only_what_the_calibration_connects_is_offered() -> None:
    calibration = Calibration(
        {"left": CAMERA, "depth": CAMERA, "blank": CameraModel(9, 9, np.zeros((3, 3)))},
        (Transform("cam", "velo", np.eye(4)),),
    )
    descriptions = {
        d.name: d
        for d in (
            described("left", StreamKind.IMAGE),
            described("lidar", StreamKind.POINTS, frame="velo"),
            described("radar", StreamKind.POINTS, frame="elsewhere"),
            described("depth", StreamKind.DEPTH),
            described("blank", StreamKind.DEPTH, frame="cam"),
            described("marks", StreamKind.SIGNAL, channels=(Channel("u", "px"), Channel("v", "px"))),
            described("imu", StreamKind.IMU, channels=(Channel("x", "m/s^2"),)),
        )
    }
    assert overlay_choices(calibration, descriptions, "left") == ["lidar", "depth", "marks"]
    assert overlay_choices(calibration, descriptions, "blank") == ["marks"]


def sample(values: list[float], channels: tuple[Channel, ...] = ()) -> SampleFrame:
    return SampleFrame(
        stream="marks",
        index=0,
        timestamp_ns=0,
        sequence=0,
        timestamps_ns=np.zeros(1, np.int64),
        values=np.array([values]),
        channels=channels,
    )


def test_keypoints_are_pairs_of_channels_in_pixels() -> None:
    units = ("s", "px", "px", "", "px", "px", "px")
    marks = described(
        "marks", StreamKind.SIGNAL, channels=tuple(Channel(str(i), u) for i, u in enumerate(units))
    )
    assert keypoint_columns(marks) == [(1, 2), (4, 5)]
    assert is_keypoints(marks)
    found = keypoints_over(sample([0, 10, 20, 0, float("nan"), 5, 6]), marks, 0)
    assert found is not None
    np.testing.assert_array_equal(found.pixels, [[10.0, 20.0]])
    assert found.bones == ()


def test_a_hand_counts_where_it_has_a_box() -> None:
    hands = described(
        "hands", StreamKind.SIGNAL, role="hand_keypoints", channels=tuple(Channel(str(i)) for i in range(92))
    )
    values = [0.0] * 92
    values[46:88] = [float(v) for v in range(42)]
    values[88:] = [1.0, 2.0, 30.0, 40.0]
    found = keypoints_over(sample(values), hands, 0)
    assert found is not None
    assert found.pixels.shape == (21, 2)
    assert found.pixels[20].tolist() == [40.0, 41.0]
    assert found.bones == HAND_BONES
    assert found.boxes.tolist() == [[1.0, 2.0, 30.0, 40.0]]
    assert keypoints_over(sample([0.0] * 92), hands, 0).pixels.shape == (0, 2)  # type: ignore[union-attr]


def test_the_nearer_point_lies_on_top() -> None:
    table = np.arange(256, dtype=np.uint32) | np.uint32(0xFF000000)
    places = np.array([[5.0, 5.0], [6.0, 5.0], [-0.9, 0.0], [500.0, 1.0]])
    drawn = splat(places, np.array([1.0, 9.0, 5.0, 1.0], np.float32), (1.0, 9.0), table, (20, 10), 3)
    assert drawn.shape == (10, 20)
    assert drawn[5, 5] & 0xFF == 0
    assert drawn[5, 7] & 0xFF == 255
    assert drawn[0, 0] >> 24 == 0xFF
    assert drawn[9, 19] == 0
    assert not splat(np.empty((0, 2)), np.empty(0, np.float32), (0, 1), table, (4, 4), 2).any()


def numbers(path: Path, key: str) -> NDArray[np.float64]:
    line = next(line for line in path.read_text().splitlines() if line.startswith(key + ":"))
    return np.array(line.split(":", 1)[1].split(), np.float64)


@pytest.mark.skipif(not CITY.is_dir(), reason="the shared KITTI drive is not here")
def test_lidar_points_of_a_real_drive_lie_where_the_data_sets_own_formula_puts_them() -> None:
    """P_rect_02 · R_rect_00 · [R|T], term by term from the text files, without any code of this project."""
    cam, velo = CITY / "calib_cam_to_cam.txt", CITY / "calib_velo_to_cam.txt"
    projection, rectify = numbers(cam, "P_rect_02").reshape(3, 4), numbers(cam, "R_rect_00").reshape(3, 3)
    rotation, shift = numbers(velo, "R").reshape(3, 3), numbers(velo, "T")
    packed = CITY / "velodyne_points" / "data" / "0000000009.bin.xz"
    raw = lzma.decompress(packed.read_bytes())
    scan = np.frombuffer(raw, "<f4").reshape(-1, 4)[:, :3]

    calibration = read_calibration(CITY, ["image_02"], ProblemLog())
    assert calibration is not None
    matrix = link(calibration, target=calibration.cameras["image_02"].frame, source="velodyne")
    assert matrix is not None
    frame = PointFrame(stream="lidar", index=9, timestamp_ns=0, sequence=9, xyz=scan, fields={})
    overlay = points_over(frame, None, matrix, calibration.cameras["image_02"], 0)
    assert isinstance(overlay, PointOverlay)
    assert 10_000 < len(overlay.pixels) < 30_000

    for number in (0, 777, len(overlay.pixels) // 2, len(overlay.pixels) - 1):
        x, y, z = (float(v) for v in scan[overlay.index[number]])
        in_camera = [
            sum(float(rotation[i, j]) * (x, y, z)[j] for j in range(3)) + float(shift[i]) for i in range(3)
        ]
        rectified = [sum(float(rectify[i, j]) * in_camera[j] for j in range(3)) for i in range(3)]
        u, v, w = (sum(float(projection[i, j]) * (*rectified, 1.0)[j] for j in range(4)) for i in range(3))
        assert abs(overlay.pixels[number, 0] - u / w) < 1e-3
        assert abs(overlay.pixels[number, 1] - v / w) < 1e-3
        assert abs(overlay.depth_m[number] - rectified[2]) < 1e-4

    # The back of the dark car ahead fills the picture around (631, 285): one surface, a few metres away.
    car = np.abs(overlay.pixels - [631, 285]).max(axis=1) < 25
    assert car.sum() > 100
    assert np.percentile(overlay.depth_m[car], 95) - np.percentile(overlay.depth_m[car], 5) < 1.5
    # Sky: nothing came back.
    assert not (np.abs(overlay.pixels - [600, 20]).max(axis=1) < 20).any()
