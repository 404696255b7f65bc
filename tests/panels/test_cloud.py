from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from hfviewer.core.geometry import Calibration, CameraModel, Transform
from hfviewer.core.projection import ray_of, to_picture
from hfviewer.core.stream import StreamKind
from hfviewer.model.pick import Pick
from hfviewer.panels import cloud_view
from hfviewer.panels.cloud import CloudPanel
from hfviewer.panels.cloud_camera import CloudViewpoint
from hfviewer.panels.cloud_colour import point_table
from hfviewer.panels.cloud_gather import Gathering
from hfviewer.panels.cloud_prepare import PreparedCloud
from hfviewer.panels.depth_colour import ColourMap, colour_table
from hfviewer.panels.saving import Saver
from hfviewer.panels.standing import Standing
from hfviewer.panels.surroundings import Surroundings
from hfviewer.panels.theme import DARK, Theme
from tests.panels.making import START_NS, describe, entries, image, move_pointer, points, result, show, table

STAMPS = table(10)


def ground(count: int = 4000, *, seed: int = 5) -> NDArray[np.float32]:
    """Points on a plane 1.7 m below the sensor, 20 m around it."""
    rng = np.random.default_rng(seed)
    xyz = rng.uniform(-20, 20, (count, 3)).astype(np.float32)
    xyz[:, 2] = -1.7
    return xyz


@pytest.fixture
def panel(qtbot: QtBot) -> CloudPanel:
    made = CloudPanel(describe(StreamKind.POINTS, STAMPS), STAMPS, START_NS, Theme())
    show(qtbot, made, 484, 392)
    made.set_playhead(START_NS)
    return made


def lit(panel: CloudPanel) -> int:
    """How many pixels of the middle are bright, as points are and grid and ground are not."""
    picture = panel.view.grab().toImage()
    middle = [picture.pixelColor(x, y) for x in range(60, 420, 3) for y in range(60, 300, 3)]
    return sum(colour.value() > 120 for colour in middle)


def test_points_appear_and_disappear_with_their_frame(panel: CloudPanel) -> None:
    panel.set_colour_by("flat")
    assert lit(panel) == 0
    panel.show_result(result(points(ground())))
    shown = lit(panel)
    assert shown > 400
    panel.set_playhead(START_NS - 1)
    assert panel.view.drawn == 0
    assert lit(panel) < shown / 2  # the words on the plate


def test_the_range_of_colours_stays_that_of_the_first_scan(panel: CloudPanel) -> None:
    panel.set_colour_by("range")
    panel.show_result(result(points(ground()), generation=1))
    limits = panel.limits
    panel.show_result(result(points(ground() * np.float32(3)), generation=2))
    assert panel.limits == limits
    assert limits is not None
    assert 20 < limits[1] < 29
    panel.set_limits(0, 5)
    assert panel.limits == (0, 5)
    panel.set_limits(5, 5)
    panel.set_limits(float("nan"), 5)
    assert panel.limits == (0, 5)


def test_the_camera_is_fitted_to_the_first_scan_only(panel: CloudPanel) -> None:
    panel.show_result(result(points(np.empty((0, 3), np.float32)), generation=1))
    panel.show_result(result(points(ground()), generation=2))
    camera = panel.view.camera
    panel.show_result(result(points(ground() * np.float32(10)), generation=3))
    assert panel.view.camera == camera
    assert camera.target_m[2] == pytest.approx(-1.7)


def test_a_drag_turns_and_the_reset_turns_back(qtbot: QtBot, panel: CloudPanel) -> None:
    panel.show_result(result(points(ground())))
    before = panel.view.camera
    QTest.mousePress(panel.view, Qt.MouseButton.LeftButton, pos=QPoint(200, 200))
    move_pointer(panel.view, QPoint(260, 220))
    QTest.mouseRelease(panel.view, Qt.MouseButton.LeftButton, pos=QPoint(260, 220))
    assert panel.view.camera.azimuth_rad != before.azimuth_rad
    assert panel.view.camera.target_m == before.target_m
    panel.reset_view()
    assert panel.view.camera == before


def test_a_right_drag_pans(qtbot: QtBot, panel: CloudPanel) -> None:
    panel.show_result(result(points(ground())))
    before = panel.view.camera
    QTest.mousePress(panel.view, Qt.MouseButton.RightButton, pos=QPoint(200, 200))
    move_pointer(panel.view, QPoint(260, 220))
    assert panel.view.camera.azimuth_rad == before.azimuth_rad
    assert panel.view.camera.target_m != before.target_m


@pytest.mark.parametrize("viewpoint", list(CloudViewpoint))
def test_points_show_from_every_viewpoint(panel: CloudPanel, viewpoint: CloudViewpoint) -> None:
    xyz = ground()
    xyz[:, 2] = np.linspace(-2, 6, len(xyz), dtype=np.float32)
    panel.show_result(result(points(xyz)))
    panel.look_from(viewpoint)
    assert lit(panel) > 100


def test_points_that_are_not_finite_are_dropped(panel: CloudPanel) -> None:
    xyz = ground()
    xyz[::2, 1] = np.nan
    xyz[1, 0] = np.inf
    panel.show_result(result(points(xyz)))
    assert panel.standing is Standing.FRESH
    assert panel.view.drawn == len(xyz) // 2 - 1
    assert panel.dropped_text == "2\u202f001 not finite"


def test_points_out_of_range_are_dropped_and_told_beside_those_not_finite(panel: CloudPanel) -> None:
    xyz = ground()
    xyz[:3] = [[3e38, 0, 0], [0, -3e38, 0], [0, 0, np.nan]]
    plain = panel.view.grab().toImage()
    panel.show_result(result(points(xyz)))
    assert panel.dropped_text == "1 not finite · 2 out of range"
    assert panel.view.drawn == len(xyz) - 3
    told = panel.view.grab().toImage()
    row = [told.pixel(x, 52) for x in range(12, 200)]  # inside the second card
    assert row != [plain.pixel(x, 52) for x in range(12, 200)]
    panel.show_result(result(points(ground()), generation=2))
    assert panel.dropped_text == ""


def test_the_legend_has_the_colours_of_the_points(panel: CloudPanel) -> None:
    xyz = ground()
    xyz[:, 2] = np.linspace(-2, 6, len(xyz), dtype=np.float32)
    panel.show_result(result(points(xyz)))
    table = point_table(ColourMap.TURBO, DARK.picture.rgba())
    image = panel.view.grab().toImage()
    row = [image.pixelColor(x, image.height() - 22) for x in range(image.width() // 2)]
    bar = [colour.rgb() for colour in row if colour.saturation() > 100 and colour.value() > 100]
    assert len(bar) > 60
    assert set(bar) <= set(table.tolist())
    dark = colour_table(ColourMap.TURBO)[:10].tolist()
    pixels = {image.pixel(x, y) for x in range(60, 420, 2) for y in range(60, 300, 2)}
    assert not pixels.intersection(dark)


def test_choosing_a_viewpoint_takes_the_focus(qtbot: QtBot, panel: CloudPanel) -> None:
    button = panel.view.findChildren(QToolButton)[0]
    with qtbot.waitSignal(panel.focus_requested, timeout=1000) as heard:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert heard.args == [panel.stream_name]
    assert panel.view.camera.parallel


@pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)
def test_a_right_click_without_a_drag_opens_the_menu_and_keeps_the_view(
    qtbot: QtBot, panel: CloudPanel
) -> None:
    panel.show_result(result(points(ground())))
    before = panel.view.camera
    QTest.mouseClick(panel.view, Qt.MouseButton.RightButton, pos=QPoint(200, 200))
    assert panel.view.camera == before
    menu = next(menu for menu in panel.findChildren(QMenu) if menu.isVisible())
    menu.close()
    qtbot.waitUntil(lambda: panel.findChild(QMenu) is None, timeout=2000)
    QTest.mousePress(panel.view, Qt.MouseButton.RightButton, pos=QPoint(200, 200))
    move_pointer(panel.view, QPoint(260, 220))
    QTest.mouseRelease(panel.view, Qt.MouseButton.RightButton, pos=QPoint(260, 220))
    assert panel.view.camera != before
    assert panel.findChild(QMenu) is None


def test_large_clouds_are_thinned_until_the_view_is_still(
    qtbot: QtBot, panel: CloudPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cloud_view, "MOVING_POINTS", 1000)
    panel.show_result(result(points(ground(4500))))
    panel.grab()
    assert panel.view.drawn == 900
    qtbot.waitUntil(lambda: not panel.view.is_moving, timeout=2000)
    panel.grab()
    assert panel.view.drawn == 4500


def test_a_large_cloud_whose_picture_was_made_ahead_is_shown_whole_at_once(
    panel: CloudPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cloud_view, "MOVING_POINTS", 1000)
    panel.show_result(result(points(ground(4500)), generation=1))
    prepare = panel.preparer()
    assert prepare is not None
    frame = points(ground(4500, seed=6), index=1)
    panel.show_result(replace(result(frame, generation=2), prepared=prepare(frame)))
    panel.grab()
    assert panel.view.drawn == 4500
    assert not panel.view.is_moving


def test_hovering_a_point_reads_its_values(qtbot: QtBot, panel: CloudPanel) -> None:
    xyz = np.array([[np.nan, 0, 0], [10, 0, 0], [10.5, 0.5, 0]], np.float32)
    panel.show_result(result(points(xyz, intensity=np.array([1, 0.25, 3], np.float32))))
    panel.grab()
    matrix = panel.view.camera.pixels_from_sensor(panel.view.width(), panel.view.height())
    column, row, _, w = matrix @ np.array([10, 0, 0, 1.0])
    heard: list[str] = []
    panel.read_out_changed.connect(heard.append)
    move_pointer(panel.view, QPoint(int(column / w), int(row / w)))
    assert heard[-1] == "x 10.000  y 0.000  z 0.000 m   range 10.000 m   intensity 0.25   point 1"
    move_pointer(panel.view, QPoint(3, 3))
    assert heard[-1] == ""


@pytest.mark.parametrize("size", [(1, 1), (30, 400), (400, 30)])
def test_no_size_is_too_small(qtbot: QtBot, size: tuple[int, int]) -> None:
    panel = CloudPanel(describe(StreamKind.POINTS, STAMPS), STAMPS, START_NS, Theme())
    panel.setMinimumSize(0, 0)
    show(qtbot, panel, *size)
    panel.set_playhead(START_NS)
    panel.show_result(result(points(ground())))
    panel.view.resize(1, 1)
    assert not panel.view.grab().isNull()


@pytest.mark.parametrize("size_m", [0.0, 1e-20, 1e6, 1e30])
def test_clouds_of_any_size_are_drawn(panel: CloudPanel, size_m: float) -> None:
    panel.set_colour_by("range")
    panel.show_result(result(points(np.full((50, 3), size_m, np.float32))))
    assert panel.standing is Standing.FRESH
    assert not panel.grab().isNull()


def test_what_is_no_cloud_is_unreadable(panel: CloudPanel) -> None:
    panel.show_result(result(image(np.zeros((3, 3), np.uint8))))
    assert panel.standing is Standing.UNREADABLE


def test_every_menu_entry_can_be_used(panel: CloudPanel) -> None:
    panel.show_result(result(points(ground(), intensity=np.linspace(0, 1, 4000, dtype=np.float32))))
    names = set()
    for action in entries(panel.context_actions()):
        if not action.text().endswith("…"):  # these open dialogs
            action.trigger()
        names.add(panel.colour_by)
        assert not panel.grab().isNull()
    assert names == {"height", "range", "intensity", "flat"}
    assert panel.view.point_px == 6
    assert panel.gathering.scans == 50


THREE = np.array([[10, 0, 0], [10.5, 0.5, 0], [14, -3, 1]], np.float32)


def pixel_of(panel: CloudPanel, point: NDArray[np.float32]) -> QPoint:
    """Where a point shows, by the camera's own arithmetic."""
    column, row, _, w = panel.view.matrix @ np.array([*point.tolist(), 1.0])
    return QPoint(math.floor(column / w), math.floor(row / w))


def click(panel: CloudPanel, place: QPoint, *, ctrl: bool = False) -> None:
    held = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(panel.view, Qt.MouseButton.LeftButton, held, place)


def test_a_click_picks_the_point_that_is_seen_there_exactly(panel: CloudPanel) -> None:
    xyz = np.random.default_rng(3).uniform([2, -15, -2], [40, 15, 3], (5000, 3)).astype(np.float32)
    panel.show_result(result(points(xyz, intensity=np.arange(5000, dtype=np.float32))))
    panel.grab()
    size = panel.view.point_px
    homogeneous = np.column_stack([xyz, np.ones(len(xyz))]) @ panel.view.matrix.T
    corners = np.floor(homogeneous[:, :2] / homogeneous[:, 3:])
    tried = 0
    for index in range(0, 5000, 250):
        place = pixel_of(panel, xyz[index])
        if not panel.view.rect().adjusted(2, 40, -60, -40).contains(place):
            continue
        over = np.array([place.x(), place.y()])
        covers = ((corners <= over) & (over < corners + size)).all(axis=1) & (homogeneous[:, 2] > 0.05)
        foremost = int(np.flatnonzero(covers)[np.argmin(homogeneous[covers, 2])])
        click(panel, place)
        picked = panel.picks.first
        assert picked is not None
        assert picked.index == foremost
        assert np.abs(np.array(picked.place_m) - xyz[foremost]).max() == 0
        assert picked.values == (("intensity", float(foremost)),)
        tried += 1
    assert tried > 5


def test_the_distance_between_two_picks_is_told(panel: CloudPanel) -> None:
    panel.show_result(result(points(THREE)))
    panel.grab()
    click(panel, pixel_of(panel, THREE[0]))
    assert panel.picks.distance_m is None
    click(panel, pixel_of(panel, THREE[2]), ctrl=True)
    assert panel.picks.distance_m == pytest.approx(np.sqrt(16 + 9 + 1), abs=1e-6)
    assert panel.picks.card_lines()[-1].endswith("distance 5.099 m")
    before = panel.view.grab().toImage()
    click(panel, QPoint(3, 200))
    assert panel.picks.first is None
    assert panel.view.grab().toImage() != before
    assert panel.picks.card_lines() == []


def test_a_double_click_makes_a_point_the_one_to_turn_about(panel: CloudPanel) -> None:
    panel.show_result(result(points(THREE)))
    panel.grab()
    place = pixel_of(panel, THREE[2])
    QTest.mouseDClick(panel.view, Qt.MouseButton.LeftButton, pos=place)
    assert panel.view.camera.target_m == pytest.approx((14, -3, 1))
    middle = pixel_of(panel, THREE[2])
    assert (middle.x(), middle.y()) == (panel.view.width() // 2, panel.view.height() // 2)
    camera = panel.view.camera
    QTest.mouseDClick(panel.view, Qt.MouseButton.LeftButton, pos=QPoint(3, 200))
    assert panel.view.camera == camera


def test_a_drag_picks_nothing(panel: CloudPanel) -> None:
    panel.show_result(result(points(THREE)))
    panel.grab()
    place = pixel_of(panel, THREE[0])
    QTest.mousePress(panel.view, Qt.MouseButton.LeftButton, pos=place)
    move_pointer(panel.view, place + QPoint(30, 0))
    QTest.mouseRelease(panel.view, Qt.MouseButton.LeftButton, pos=place + QPoint(30, 0))
    assert panel.picks.first is None


def test_more_points_than_the_budget_are_thinned_and_told(panel: CloudPanel) -> None:
    wanted: list[bool] = []
    panel.detail_wanted.connect(lambda: wanted.append(True))
    panel.set_most(1000)
    assert wanted == [True]
    panel.show_result(result(points(ground(4000))))
    assert panel.view.drawn == 1000
    assert panel.shown_cloud is not None
    assert panel.shown_cloud.usable == 4000


def test_a_fitted_range_is_that_of_each_scan(panel: CloudPanel) -> None:
    panel.set_colour_by("range")
    panel.set_fitted(True)
    limits = []
    for generation, factor in ((1, 1), (2, 3)):
        panel.show_result(result(points(ground() * np.float32(factor)), generation=generation))
        limits.append(panel.limits)
    assert limits[0] is not None
    assert limits[1] == pytest.approx([3 * limit for limit in limits[0]], rel=1e-3)
    panel.set_fitted(False)
    panel.show_result(result(points(ground()), generation=3))
    assert panel.limits == limits[1]


def test_a_range_can_be_typed(panel: CloudPanel) -> None:
    panel.show_result(result(points(ground())))
    failures: list[object] = []
    panel.failed.connect(failures.append)
    panel.ask_limits()
    dialog = panel.findChild(QInputDialog)
    assert isinstance(dialog, QInputDialog)
    dialog.setTextValue("−2, 3.5")
    dialog.accept()
    assert panel.limits == (-2, 3.5)
    assert failures == []


def test_the_points_on_screen_are_saved_whole_or_not_at_all(panel: CloudPanel, tmp_path: Path) -> None:
    panel.show_result(result(points(THREE, intensity=np.array([1, 2, 3], np.float32))))
    path = tmp_path / "cloud.ply"
    path.write_text("an older file")
    said: list[str] = []
    failures: list[object] = []
    panel.told.connect(said.append)
    panel.failed.connect(failures.append)
    saver = panel.findChild(Saver)
    assert isinstance(saver, Saver)
    saver.start(path, panel.ply_writer()).join()
    saver.start(tmp_path / "no such folder" / "cloud.ply", panel.ply_writer()).join()
    QApplication.processEvents()
    assert said[-1] == "cloud.ply: 3 points"
    assert path.read_bytes().startswith(b"ply")
    assert b"property float intensity" in path.read_bytes()
    assert len(failures) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["cloud.ply"]


def test_what_is_pointed_at_elsewhere_is_marked_and_the_other_way_round(panel: CloudPanel) -> None:
    camera_from_lidar = np.array([[0, -1, 0, 0.0], [0, 0, -1, 0.0], [1, 0, 0, 0.0], [0, 0, 0, 1.0]])
    camera = CameraModel(64, 48, np.array([[50.0, 0, 31.5], [0, 50.0, 23.5], [0, 0, 1]]), frame="camera")
    calibration = Calibration({"front": camera}, (Transform("camera", "sensor", camera_from_lidar),))
    around = Surroundings(calibration, {"sensor": panel.description})
    panel.set_surroundings(around)
    panel.show_result(result(points(THREE)))
    panel.grab()
    move_pointer(panel.view, pixel_of(panel, THREE[1]))
    pick = around.picks.pick
    assert pick is not None
    assert pick.point_m == tuple(THREE[1].tolist())
    assert pick.index == 1
    seen = pick.seen_from(calibration, "camera")
    assert seen is not None
    assert seen.point_m == pytest.approx((-0.5, 0, 10.5), abs=1e-9)
    move_pointer(panel.view, QPoint(3, 200))
    assert around.picks.pick is None
    plain = panel.view.grab().toImage()
    pixels, _ = to_picture(camera, np.array([[3.0, -1.0, 14.0]]))  # where the camera sees the third point
    around.picks.point_at(
        Pick(
            stream="front",
            timestamp_ns=0,
            text="column 42",
            frame="camera",
            ray=ray_of(camera, (float(pixels[0, 0]), float(pixels[0, 1]))),
        )
    )
    found = around.picks.pick
    assert found is not None
    assert found.point_m == pytest.approx((3, -1, 14), abs=1e-3)
    assert "x 14.000  y -3.000  z 1.000 m" in around.picks.read_out
    assert panel.view.grab().toImage() != plain
    around.picks.leave("front")
    assert panel.view.grab().toImage() == plain


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_to_pick_is_no_trouble(panel: CloudPanel, count: int) -> None:
    panel.show_result(result(points(THREE[:count])))
    panel.grab()
    click(panel, QPoint(200, 200))
    QTest.mouseDClick(panel.view, Qt.MouseButton.LeftButton, pos=QPoint(200, 200))
    assert panel.standing is Standing.FRESH


def test_every_part_of_the_scene_can_be_switched_off(panel: CloudPanel) -> None:
    panel.show_result(result(points(ground(50))))
    pictures = [panel.view.grab().toImage()]
    for toggle in (panel.toggle_axes, panel.toggle_grid):
        toggle()
        pictures.append(panel.view.grab().toImage())
        assert pictures[-1] != pictures[-2]
    panel.toggle_grid()
    panel.toggle_axes()
    assert panel.view.grab().toImage() == pictures[0]


def test_a_saved_look_comes_back_before_and_after_the_first_scan(qtbot: QtBot, panel: CloudPanel) -> None:
    panel.show_result(result(points(ground(), intensity=np.linspace(0, 1, 4000, dtype=np.float32))))
    panel.set_colour_by("intensity")
    panel.set_limits(0.2, 0.7)
    panel.set_colour_map(ColourMap.CIVIDIS)
    panel.view.set_point_px(3)
    panel.set_scans(5)
    panel.toggle_grid()
    panel.look_from(CloudViewpoint.TOP)
    panel.view.set_camera(panel.view.camera.dollied(0.5))
    state = json.loads(json.dumps(panel.view_state()))
    for with_scan in (True, False):
        other = CloudPanel(describe(StreamKind.POINTS, STAMPS), STAMPS, START_NS, Theme())
        show(qtbot, other, 484, 392)
        other.set_playhead(START_NS)
        if with_scan:
            other.show_result(result(points(ground(seed=9))))
        other.restore_view_state(dict(state))
        other.show_result(result(points(ground(seed=9)), generation=2))
        assert other.view_state() == state
        assert other.view.camera == panel.view.camera


@pytest.mark.parametrize(
    "state",
    [
        {},
        {
            "colour_by": 3,
            "map": None,
            "limits": [1],
            "point_px": "x",
            "scans": 10**12,
            "pose": [],
            "most": -1,
        },
        {"limits": [float("nan"), 1.0], "camera": [1, 2, 3, 4, 5, 6, 7], "grid": "no", "axes": 1},
        {"camera": [1e300, 0, 0, 1, 0, 0, False], "colour_by": "no such field", "pose": "no such stream"},
        {"camera": "here", "limits": [5, 5], "fitted": 7},
    ],
)
def test_a_look_that_makes_no_sense_is_left_out(panel: CloudPanel, state: dict[str, object]) -> None:
    panel.show_result(result(points(ground())))
    camera = panel.view.camera
    panel.restore_view_state(state)
    assert panel.view.camera == camera
    assert panel.gathering == Gathering()
    assert not panel.is_fitted
    assert not panel.grab().isNull()


def test_a_cloud_too_large_to_draw_while_the_window_waits_is_drawn_elsewhere(
    qtbot: QtBot, panel: CloudPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cloud_view, "MOVING_POINTS", 1000)
    monkeypatch.setattr(cloud_view, "WHOLE_POINTS", 2000)
    frame = points(ground(4500))
    generations = iter(range(2, 100))

    def load() -> None:
        prepare = panel.preparer()
        assert prepare is not None
        panel.show_result(replace(result(frame, generation=next(generations)), prepared=prepare(frame)))

    panel.show_result(result(frame, generation=1))
    panel.grab()
    assert panel.view.drawn == 900
    with qtbot.waitSignal(panel.detail_wanted, timeout=2000):
        pass
    panel.grab()
    assert panel.view.drawn == 900
    load()
    panel.grab()
    assert panel.view.drawn == 4500
    assert not panel.view.is_moving
    panel.view.set_camera(panel.view.camera.dollied(0.9))
    panel.grab()
    assert panel.view.drawn == 900
    with qtbot.waitSignal(panel.detail_wanted, timeout=2000):
        pass
    load()
    panel.grab()
    assert panel.view.drawn == 4500


def test_of_the_same_scan_only_what_is_another_is_done_again(panel: CloudPanel) -> None:
    frame = points(ground(), intensity=np.linspace(0, 1, 4000, dtype=np.float32))

    def load(generation: int) -> PreparedCloud:
        prepare = panel.preparer()
        assert prepare is not None
        made = prepare(frame)
        assert isinstance(made, PreparedCloud)
        panel.show_result(replace(result(frame, generation=generation), prepared=made))
        return made

    first = load(1)
    panel.view.set_camera(panel.view.camera.dollied(0.8))
    turned = load(2)
    assert turned.shown is first.shown
    assert turned.values is first.values
    assert turned.ready != first.ready
    panel.set_colour_by("intensity")
    coloured = load(3)
    assert coloured.shown is first.shown
    assert coloured.values is not first.values
    panel.set_most(100)
    fewer = load(4)
    assert len(fewer.shown.xyz) == 100
    other = points(ground(seed=8), index=1)
    prepare = panel.preparer()
    assert prepare is not None
    made = prepare(other)
    assert isinstance(made, PreparedCloud)
    assert made.shown.parts[0].frame is other


def test_a_picture_that_never_comes_is_drawn_here_after_a_few_tries(
    qtbot: QtBot, panel: CloudPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cloud_view, "MOVING_POINTS", 1000)
    monkeypatch.setattr(cloud_view, "WHOLE_POINTS", 2000)
    generations = iter(range(2, 100))
    asked: list[int] = []

    def answer_without_a_picture() -> None:
        asked.append(next(generations))
        panel.show_result(result(points(ground(4500)), generation=asked[-1]))

    panel.detail_wanted.connect(answer_without_a_picture)
    panel.show_result(result(points(ground(4500)), generation=1))

    def is_whole() -> bool:
        panel.grab()
        return panel.view.drawn == 4500

    qtbot.waitUntil(is_whole, timeout=5000)
    assert len(asked) == 3


def test_a_double_click_leaves_picked_points_as_they_were(panel: CloudPanel) -> None:
    panel.show_result(result(points(THREE)))
    panel.grab()
    click(panel, pixel_of(panel, THREE[0]))
    before = panel.picks.first
    place = pixel_of(panel, THREE[2])
    QTest.mouseClick(panel.view, Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(panel.view, Qt.MouseButton.LeftButton, pos=place)
    assert panel.view.camera.target_m == pytest.approx((14, -3, 1))
    assert panel.picks.first == before
