from __future__ import annotations

import numpy as np
import pytest

from hfviewer.core.geometry import Calibration, CameraModel, Transform
from hfviewer.core.projection import to_picture
from hfviewer.core.stream import StreamKind
from hfviewer.panels.cloud_lines import LineRole, frustum
from hfviewer.panels.cloud_picture import cameras_of, paint_points, screen_colours
from tests.panels.making import describe, image, table

CAMERA = CameraModel(
    64,
    48,
    np.array([[50.0, 0, 31.5], [0, 50.0, 23.5], [0, 0, 1]]),
    frame="camera",
    distortion=(-0.1, 0.01, 0, 0),
)
CAMERA_FROM_LIDAR = np.array([[0, -1, 0, 0.1], [0, 0, -1, -0.2], [1, 0, 0, 0.05], [0, 0, 0, 1.0]])
UNSEEN = 0xFF123456


def picture() -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    """Every pixel says where it is: blue its column, green its row."""
    pixels = np.zeros((48, 64, 3), np.uint8)
    pixels[..., 0] = np.arange(64)[None, :]
    pixels[..., 1] = np.arange(48)[:, None]
    pixels[..., 2] = 200
    return pixels


def cloud() -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    rng = np.random.default_rng(3)
    return rng.uniform([-5, -4, -3], [20, 4, 3], (4000, 3)).astype(np.float32)


def test_a_point_has_the_colour_of_its_pixel() -> None:
    xyz = cloud()
    colours = np.full(len(xyz), UNSEEN, np.uint32)
    paint_points(colours, xyz, CAMERA_FROM_LIDAR, CAMERA, image(picture()))
    in_camera = xyz @ CAMERA_FROM_LIDAR[:3, :3].T + CAMERA_FROM_LIDAR[:3, 3]
    pixels, inside = to_picture(CAMERA, in_camera)
    assert 200 < inside.sum() < 3000
    assert (colours[~inside] == UNSEEN).all()
    columns, rows = np.rint(pixels[inside]).astype(int).T
    expected = 0xFF000000 | (200 << 16) | (rows << 8) | columns
    np.testing.assert_array_equal(colours[inside], expected)


def test_a_reduced_picture_gives_the_colours_of_the_same_places() -> None:
    xyz = cloud()
    full, half = (np.full(len(xyz), UNSEEN, np.uint32) for _ in range(2))
    pixels = picture()
    paint_points(full, xyz, CAMERA_FROM_LIDAR, CAMERA, image(pixels))
    paint_points(half, xyz, CAMERA_FROM_LIDAR, CAMERA, image(pixels[::2, ::2], full_size=(64, 48)))
    seen = full != UNSEEN
    np.testing.assert_array_equal(half != UNSEEN, seen)
    assert np.abs((full[seen] & 0xFF).astype(int) - (half[seen] & 0xFF).astype(int)).max() <= 2


@pytest.mark.parametrize("kind", ["grey", "sixteen bit", "bayer"])
def test_pictures_of_every_kind_have_colours(kind: str) -> None:
    grey = np.tile(np.arange(64, dtype=np.uint8) * 4, (48, 1))
    frame = {
        "grey": image(grey),
        "sixteen bit": image(grey.astype(np.uint16) * 16),
        "bayer": image(grey, pixel_format="bayer_rggb8"),
    }[kind]
    colours = screen_colours(frame)
    assert colours.shape == (48, 64)
    assert (colours >> 24 == 0xFF).all()
    assert (colours[24, 60] & 0xFF) > (colours[24, 4] & 0xFF)


def test_cameras_need_a_picture_stream_intrinsics_and_a_way_to_the_sensor() -> None:
    stamps = table(3)
    known = {
        "front": describe(StreamKind.IMAGE, stamps),
        "depth": describe(StreamKind.DEPTH, stamps),
        "lost": describe(StreamKind.IMAGE, stamps),
    }
    lost = CameraModel(64, 48, CAMERA.k, frame="nowhere")
    calibration = Calibration(
        {"front": CAMERA, "depth": CAMERA, "lost": lost, "gone": CAMERA},
        (Transform("camera", "lidar", CAMERA_FROM_LIDAR),),
    )
    found = cameras_of(calibration, known, "lidar")
    assert list(found) == ["front"]
    np.testing.assert_array_equal(found["front"], CAMERA_FROM_LIDAR)


def test_the_corners_of_a_frustum_project_onto_those_of_the_picture() -> None:
    lines = frustum("front", CAMERA, CAMERA_FROM_LIDAR, 10.0)
    assert lines is not None
    assert lines.role is LineRole.FRUSTUM
    corners = lines.lines[-1][:4]
    in_camera = corners @ CAMERA_FROM_LIDAR[:3, :3].T + CAMERA_FROM_LIDAR[:3, 3]
    pixels, _ = to_picture(CAMERA, in_camera)
    expected = [(-0.5, -0.5), (63.5, -0.5), (63.5, 47.5), (-0.5, 47.5)]
    np.testing.assert_allclose(pixels, expected, atol=1e-4)
    np.testing.assert_allclose(in_camera[:, 2], 2.0)
