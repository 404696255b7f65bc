"""One scene of exact geometry, seen by a depth camera, a colour camera with a lens, and a lidar."""

from __future__ import annotations

import lzma
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from hfviewer.convert.importers.kitti_calibration import read_calibration
from hfviewer.convert.source import ProblemLog
from hfviewer.core.depth import DepthScale
from hfviewer.core.geometry import Calibration, CameraModel, Transform, matrix_from_pose
from hfviewer.core.projection import link
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.model.pick import Pick, PickBoard
from hfviewer.panels.cloud import CloudPanel
from hfviewer.panels.depth import DepthPanel
from hfviewer.panels.image import ImagePanel
from hfviewer.panels.image_prepare import ImageWish, prepare_image
from hfviewer.panels.orientation import Orientation
from hfviewer.panels.overlay import points_over
from hfviewer.panels.picture_panel import PicturePanel
from hfviewer.panels.surroundings import Surroundings
from hfviewer.panels.theme import Theme
from tests.convert.layouts import REAL_DATA
from tests.panels.making import (
    START_NS,
    depth,
    describe,
    image,
    move_pointer,
    points,
    result,
    show,
    table,
)

CITY = REAL_DATA / "kitti_drive_city"
STAMPS = table(10)
DEPTH_K = np.array([[280.0, 0, 211.5], [0, 280, 119.5], [0, 0, 1]])
COLOUR_K = np.array([[420.0, 0, 319.5], [0, 420, 179.5], [0, 0, 1]])
LENS = (-0.28, 0.07, 1e-4, -2e-4, 0.0)
COLOUR_FROM_DEPTH = matrix_from_pose(np.array([0.25, -0.04, 0.02]), np.array([0.01, -0.03, 0.02, 1.0]))
CALIBRATION = Calibration(
    {
        "depth": CameraModel(424, 240, DEPTH_K, frame="depth optical"),
        "colour": CameraModel(640, 360, COLOUR_K, LENS, "plumb_bob", frame="colour optical"),
    },
    (Transform("colour optical", "depth optical", COLOUR_FROM_DEPTH),),
)


def plane_depth_m() -> NDArray[np.float64]:
    """Of the wall z = 2 + 0.3 x, along the axis of the depth camera, at every pixel."""
    tangent = (np.arange(424) - 211.5) / 280
    return np.broadcast_to(2.0 / (1 - 0.3 * tangent), (240, 424))


@dataclass
class Scene:
    board: PickBoard
    depth: DepthPanel
    colour: ImagePanel

    def hover(self, panel: PicturePanel, column: int, row: int) -> None:
        x, y = panel._to_widget(np.array([[column, row]]))[0]
        move_pointer(panel.canvas, QPoint(round(x), round(y)))


@pytest.fixture
def scene(qtbot: QtBot) -> Scene:
    board = PickBoard()
    panels: list[PicturePanel] = []
    descriptions: dict[str, StreamDescription] = {}
    for kind, name in ((StreamKind.DEPTH, "depth"), (StreamKind.IMAGE, "colour")):
        descriptions[name] = replace(describe(kind, STAMPS), name=name)
    for made in (
        DepthPanel(descriptions["depth"], STAMPS, START_NS, Theme()),
        ImagePanel(descriptions["colour"], STAMPS, START_NS, Theme()),
    ):
        made.set_surroundings(Surroundings(CALIBRATION, descriptions, board))
        show(qtbot, made, 900, 560)
        made.set_playhead(START_NS)
        panels.append(made)
    stored = np.rint(plane_depth_m() * 10_000).astype(np.uint16)
    frame = replace(depth(stored, scale=DepthScale(unit_mm=0.1)), stream="depth")
    panels[0].show_result(replace(result(frame), stream="depth"))
    picture = replace(image(np.zeros((360, 640, 3), np.uint8)), stream="colour")
    panels[1].show_result(replace(result(picture), stream="colour"))
    assert isinstance(panels[0], DepthPanel)
    assert isinstance(panels[1], ImagePanel)
    return Scene(board, panels[0], panels[1])


def wall_point(column: int, row: int) -> NDArray[np.float64]:
    """Where the line of sight of a depth pixel meets the wall, from the formula of the wall alone."""
    z = 2.0 / (1 - 0.3 * (column - 211.5) / 280)
    return np.array([(column - 211.5) / 280 * z, (row - 119.5) / 280 * z, z])


def pixel_in_colour(point: NDArray[np.float64]) -> NDArray[np.float64]:
    """By OpenCV, from the depth camera's frame."""
    turn, _ = cv2.Rodrigues(COLOUR_FROM_DEPTH[:3, :3])
    found, _ = cv2.projectPoints(point[None], turn, COLOUR_FROM_DEPTH[:3, 3], COLOUR_K, np.array(LENS))
    return np.asarray(found.reshape(2), np.float64)


@pytest.mark.parametrize("pixel", [(212, 120), (60, 30), (330, 200)])
def test_a_depth_pixel_marks_its_point_in_the_picture(scene: Scene, pixel: tuple[int, int]) -> None:
    scene.hover(scene.depth, *pixel)
    pick = scene.board.pick
    assert pick is not None
    assert pick.pixel == pixel
    assert pick.point_m is not None
    np.testing.assert_allclose(pick.point_m, wall_point(*pixel), atol=2e-4)  # half a code is 0.05 mm
    assert scene.colour.mark is not None
    np.testing.assert_allclose(scene.colour.mark, pixel_in_colour(wall_point(*pixel)), atol=0.05)
    assert "depth" in scene.board.read_out
    assert "colour" in scene.board.read_out
    assert not scene.colour.grab().isNull()


@pytest.mark.parametrize("pixel", [(212, 120), (100, 60), (330, 200)])
def test_a_pixel_of_the_picture_finds_its_depth(scene: Scene, pixel: tuple[int, int]) -> None:
    """A picture knows no depth: it is where the line of sight meets the wall."""
    expected = pixel_in_colour(wall_point(*pixel))
    scene.hover(scene.colour, round(expected[0]), round(expected[1]))
    assert scene.board.pick is not None
    assert scene.board.pick.point_m is not None
    assert scene.depth.mark is not None
    np.testing.assert_allclose(scene.depth.mark, pixel, atol=1.0)
    back = np.linalg.inv(COLOUR_FROM_DEPTH) @ [*scene.board.pick.point_m, 1.0]
    # On the wall, up to its slope across the pixel that its depth was looked up at.
    assert abs(back[2] - (2 + 0.3 * back[0])) < 0.004


def test_where_depth_is_unknown_a_line_of_sight_is_drawn_instead(scene: Scene) -> None:
    frame = replace(depth(np.zeros((240, 424), np.uint16)), stream="depth", index=1)
    scene.depth.show_result(replace(result(frame, generation=2), stream="depth", index=1))
    scene.hover(scene.depth, 200, 100)
    assert scene.board.pick is not None
    assert scene.board.pick.point_m is None
    assert scene.board.pick.ray is not None
    assert scene.colour.mark is None
    line = scene.colour._sight_line
    assert len(line) > 20
    direction = np.array([(200 - 211.5) / 280, (100 - 119.5) / 280, 1.0])
    for distance in (0.5, 2.0, 20.0):
        pixel = pixel_in_colour(direction * distance)
        assert np.hypot(*(line - pixel).T).min() < 6
    assert not scene.colour.grab().isNull()


def test_leaving_takes_the_mark_away(scene: Scene) -> None:
    scene.hover(scene.depth, 212, 120)
    assert scene.colour.mark is not None
    scene.depth.canvas.leaveEvent(None)  # type: ignore[arg-type]
    assert scene.colour.mark is None
    assert scene.board.read_out == ""


def test_a_turned_picture_marks_and_reads_the_same_stored_pixel(scene: Scene) -> None:
    scene.depth.set_orientation(Orientation(1, True))
    scene.colour.set_orientation(Orientation(3))
    scene.hover(scene.depth, 60, 30)
    assert scene.board.pick is not None
    assert scene.board.pick.pixel == (60, 30)
    assert scene.colour.mark is not None
    np.testing.assert_allclose(scene.colour.mark, pixel_in_colour(wall_point(60, 30)), atol=0.05)


def test_a_straightened_picture_is_marked_where_a_pinhole_sees_the_point(scene: Scene) -> None:
    assert scene.colour.can_straighten
    scene.colour.set_straight(True)
    scene.hover(scene.depth, 60, 30)
    point = COLOUR_FROM_DEPTH @ [*wall_point(60, 30), 1.0]
    assert scene.colour.mark is not None
    np.testing.assert_allclose(scene.colour.mark, point[:2] / point[2] * 420 + [319.5, 179.5], atol=0.05)


def test_another_frame_under_a_pointer_that_rests_is_told_too(scene: Scene) -> None:
    scene.hover(scene.depth, 212, 120)
    heard: list[Pick | None] = []
    scene.board.changed.connect(heard.append)
    frame = replace(depth(np.full((240, 424), 5000, np.uint16)), stream="depth", index=1)
    scene.depth.show_result(replace(result(frame, generation=2), stream="depth", index=1))
    assert heard
    assert heard[-1] is not None
    assert heard[-1].point_m is not None
    assert heard[-1].point_m[2] == pytest.approx(5.0)


def test_streams_that_nothing_connects_do_not_mark_each_other(qtbot: QtBot, scene: Scene) -> None:
    alone = Surroundings(Calibration(dict(CALIBRATION.cameras)), picks=scene.board)
    scene.colour.set_surroundings(alone)
    scene.hover(scene.depth, 212, 120)
    assert scene.board.pick is not None
    assert scene.colour.mark is None


# -- a real drive ------------------------------------------------------------------------------------------


@dataclass
class Drive:
    board: PickBoard
    camera: ImagePanel
    cloud: CloudPanel
    scan: NDArray[np.float32]
    matrix: NDArray[np.float64]


@pytest.fixture
def drive(qtbot: QtBot) -> Drive:
    calibration = read_calibration(CITY, ["image_02"], ProblemLog())
    assert calibration is not None
    raw = lzma.decompress((CITY / "velodyne_points" / "data" / "0000000009.bin.xz").read_bytes())
    scan = np.ascontiguousarray(np.frombuffer(raw, "<f4").reshape(-1, 4)[:, :3])
    pixels = cv2.imread(str(CITY / "image_02" / "data" / "0000000009.jpg"))
    assert pixels is not None
    descriptions = {
        "image_02": replace(describe(StreamKind.IMAGE, STAMPS), name="image_02"),
        "lidar": replace(describe(StreamKind.POINTS, STAMPS), name="lidar", frame="velodyne"),
    }
    board = PickBoard()
    around = Surroundings(calibration, descriptions, board)
    camera = ImagePanel(descriptions["image_02"], STAMPS, START_NS, Theme())
    cloud = CloudPanel(descriptions["lidar"], STAMPS, START_NS, Theme())
    for panel in (camera, cloud):
        panel.set_surroundings(around)
        show(qtbot, panel, 1246, 407)
        panel.set_playhead(START_NS)
    points_frame = replace(points(scan), stream="lidar")
    model, frame = calibration.cameras["image_02"], replace(image(pixels), stream="image_02")
    matrix = link(calibration, target=model.frame, source="velodyne")
    assert matrix is not None
    prepared = prepare_image(frame, ImageWish(None, camera.canvas.sight, model, overlay="lidar", source=None))
    assert prepared is not None
    over = points_over(points_frame, None, matrix, model, 0)
    camera.set_overlay("lidar")
    camera.show_result(replace(result(frame), stream="image_02", prepared=replace(prepared, overlay=over)))
    cloud.show_result(replace(result(points_frame), stream="lidar"))
    projection = model.projection
    assert projection is not None
    whole = np.vstack([projection, [0, 0, 0, 1.0]]) @ matrix
    return Drive(board, camera, cloud, scan, whole)


@pytest.mark.skipif(not CITY.is_dir(), reason="the shared KITTI drive is not here")
def test_camera_and_lidar_of_a_real_drive_agree_to_a_pixel_and_a_millimetre(drive: Drive) -> None:
    homogeneous = np.column_stack([drive.scan.astype(np.float64), np.ones(len(drive.scan))]) @ drive.matrix.T
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = homogeneous[:, :2] / homogeneous[:, 2:3]
    front = (homogeneous[:, 2] > 2) & (np.abs(expected - [600, 240]) < [400, 80]).all(axis=1)
    for index in np.random.default_rng(8).choice(np.flatnonzero(front), 10):
        x, y, z = (float(v) for v in drive.scan[index])
        # From the cloud: the picture marks the pixel of the data set's own formula.
        drive.board.point_at(
            Pick(stream="lidar", timestamp_ns=0, text="", frame="velodyne", point_m=(x, y, z))
        )
        assert drive.camera.mark is not None
        np.testing.assert_allclose(drive.camera.mark, expected[index], atol=1e-3)
        drive.board.leave("lidar")
        # From the picture: a pointer on the overlay's point is that point for the cloud.
        u, v = (int(part) for part in np.rint(expected[index]))
        view = drive.camera.canvas.view
        where = view.to_widget(u + 0.5, v + 0.5)
        move_pointer(drive.camera.canvas, QPoint(round(where[0]), round(where[1])))
        assert drive.board.pick is not None
        assert drive.board.pick.point_m is not None
        seen = drive.cloud._link.seen
        assert seen is not None
        assert seen.point_m is not None
        gap = np.linalg.norm(drive.scan.astype(np.float64) - seen.point_m, axis=1)
        assert gap.min() < 1e-3
        assert np.abs(expected[int(np.argmin(gap))] - [u, v]).max() <= 7
        drive.camera.canvas.leaveEvent(None)  # type: ignore[arg-type]


def test_two_panels_of_one_cloud_mark_what_the_pointer_is_over_in_the_other(qtbot: QtBot) -> None:
    board, xyz = PickBoard(), np.array([[5.0, 0, 0], [5, 1, 0], [6, -1, 1]], np.float32)
    known = {"lidar": replace(describe(StreamKind.POINTS, STAMPS), name="lidar")}
    panels = [CloudPanel(known["lidar"], STAMPS, START_NS, Theme()) for _ in range(2)]
    for panel in panels:
        panel.set_surroundings(Surroundings(Calibration(), known, board))
        show(qtbot, panel, 400, 300)
        panel.set_playhead(START_NS)
        panel.show_result(replace(result(replace(points(xyz), stream="lidar")), stream="lidar"))
    first, second = panels
    first.view.hovered.emit(1)
    assert first._link.seen is None
    assert second._link.seen is not None
    assert second._link.seen.point_m == (5.0, 1.0, 0.0)
    second.view.hovered.emit(None)  # nobody points there: it takes nothing back
    assert second._link.seen is not None
    first.view.hovered.emit(None)
    assert second._link.seen is None
