"""Needs a window system with any OpenGL: run under Xvfb with ``-m gl``; skipped elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QMainWindow
from pytestqt.qtbot import QtBot

from hfviewer.core.stream import StreamKind
from hfviewer.panels import cloud_choice
from hfviewer.panels.cloud import CloudPanel
from hfviewer.panels.cloud_camera import CloudViewpoint
from hfviewer.panels.cloud_choice import CloudRenderer
from hfviewer.panels.cloud_colour import Shading
from hfviewer.panels.depth_colour import ColourMap
from hfviewer.panels.theme import Theme
from tests.panels.making import START_NS, describe, points, result, table

pytestmark = pytest.mark.gl

STAMPS = table(10)
Make = Callable[[], CloudPanel]


@pytest.fixture(autouse=True)
def _needs_gl(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    if cloud_choice.gl_renderer() is None:
        pytest.skip("no OpenGL here")
    monkeypatch.setenv(cloud_choice.VARIABLE, "gl")


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Make]:
    """Panels without a frame, not shown yet; canvases go for good at the end."""

    def build() -> CloudPanel:
        panel = new_panel()
        qtbot.addWidget(panel)
        return panel

    yield build
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def panel(qtbot: QtBot, make: Make) -> CloudPanel:
    made = make()
    bring_up(qtbot, made)
    return made


def new_panel() -> CloudPanel:
    panel = CloudPanel(describe(StreamKind.POINTS, STAMPS), STAMPS, START_NS, Theme())
    panel.resize(484, 392)
    return panel


def bring_up(qtbot: QtBot, panel: CloudPanel) -> None:
    panel.show()
    qtbot.waitExposed(panel)
    panel.set_playhead(START_NS)


def scene() -> NDArray[np.float32]:
    """A ground with rings and a wall that hides some of it."""
    rng = np.random.default_rng(5)
    turn, far = rng.uniform(0, 2 * np.pi, 30_000), rng.uniform(2, 30, 30_000)
    ground = np.stack([far * np.cos(turn), far * np.sin(turn), np.full(30_000, -1.7)], axis=1)
    wall = np.stack([np.full(9000, 9.0), rng.uniform(-5, 5, 9000), rng.uniform(-1.7, 2, 9000)], axis=1)
    return np.concatenate([wall, ground]).astype(np.float32)


def pixels(panel: CloudPanel) -> NDArray[np.int16]:
    """int16 H×W×3 of the view as painted, canvas included."""
    return as_array(panel.view.grab().toImage())


def as_array(image: QImage) -> NDArray[np.int16]:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
    return rows[..., :3].astype(np.int16)


def bright(picture: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Where points are, and neither grid nor ground."""
    return np.asarray(picture.max(axis=2) > 110)


def on_screen(panel: CloudPanel) -> NDArray[np.int16]:
    """The view as the window system shows it."""
    corner, size = panel.view.mapToGlobal(QPoint(0, 0)), panel.view.size()
    screen = QGuiApplication.primaryScreen()
    return as_array(screen.grabWindow(0, corner.x(), corner.y(), size.width(), size.height()).toImage())


def shows_points_on_screen(panel: CloudPanel) -> bool:
    return bool(np.count_nonzero(bright(on_screen(panel))[40:-40]) > 300)


def both(
    qtbot: QtBot, make: Make, monkeypatch: pytest.MonkeyPatch, prepare: Callable[[CloudPanel], None]
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """What GL and CPU make of the same."""
    pictures = []
    for renderer in CloudRenderer:
        monkeypatch.setenv(cloud_choice.VARIABLE, renderer)
        panel = make()
        bring_up(qtbot, panel)
        prepare(panel)
        pictures.append(pixels(panel))
        assert panel.view.renderer is renderer
        assert panel.view.notice == ""
    return pictures[0], pictures[1]


@pytest.mark.parametrize("viewpoint", list(CloudViewpoint))
@pytest.mark.parametrize("point_px", [1, 2, 3])
def test_both_renderers_cover_the_same_pixels(
    qtbot: QtBot, make: Make, monkeypatch: pytest.MonkeyPatch, viewpoint: CloudViewpoint, point_px: int
) -> None:
    def prepare(panel: CloudPanel) -> None:
        panel.set_colour_by("flat")
        panel.show_result(result(points(scene())))
        panel.view.set_point_px(point_px)
        panel.look_from(viewpoint)

    by_gl, by_cpu = (bright(picture) for picture in both(qtbot, make, monkeypatch, prepare))
    assert np.count_nonzero(by_cpu) > 500
    assert np.count_nonzero(by_gl != by_cpu) < 0.02 * np.count_nonzero(by_cpu)


def test_both_renderers_give_the_same_colours_and_let_near_points_hide_far_ones(
    qtbot: QtBot, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    xyz = scene()
    intensity = np.linspace(0, 1, len(xyz), dtype=np.float32)
    intensity[::5], intensity[1::5], intensity[2::5] = np.nan, np.inf, -np.inf

    def prepare(panel: CloudPanel) -> None:
        panel.set_colour_by("intensity")
        panel.show_result(result(points(xyz, intensity=intensity)))

    by_gl, by_cpu = both(qtbot, make, monkeypatch, prepare)
    differs = np.abs(by_gl - by_cpu).max(axis=2) > 24
    assert np.count_nonzero(bright(by_cpu)) > 5000
    assert np.count_nonzero(differs) < 0.02 * np.count_nonzero(bright(by_cpu))


def test_both_renderers_give_points_colours_of_their_own(
    qtbot: QtBot, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    xyz = scene()
    own = np.random.default_rng(8).integers(0xFF404040, 0xFFFFFFFF, len(xyz), dtype=np.uint32)
    table = np.zeros(256, np.uint32)

    def prepare(panel: CloudPanel) -> None:
        panel.show_result(result(points(xyz)))
        panel.view.show_points(xyz, Shading(None, (0.0, 1.0), table, 0, own))

    by_gl, by_cpu = both(qtbot, make, monkeypatch, prepare)
    differs = np.abs(by_gl - by_cpu).max(axis=2) > 2
    assert np.count_nonzero(bright(by_cpu)) > 5000
    assert np.count_nonzero(differs) < 0.02 * np.count_nonzero(bright(by_cpu))


def test_both_renderers_grey_out_a_stale_scan_alike(
    qtbot: QtBot, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prepare(panel: CloudPanel) -> None:
        panel.show_result(result(points(scene())))
        panel.view.set_stale(True)

    clear = np.s_[60:, 260:]  # of buttons and cards, which are never grey; with metres and axes
    by_gl, by_cpu = (picture[clear] for picture in both(qtbot, make, monkeypatch, prepare))
    assert 40 < by_cpu.max() < 110
    assert np.count_nonzero(by_cpu.max(axis=2) > 20) > 800
    assert np.count_nonzero(np.abs(by_gl - by_cpu).max(axis=2) > 3) < 100


def test_recolouring_sends_no_positions(panel: CloudPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    from vispy import gloo

    xyz = scene()
    panel.show_result(result(points(xyz, intensity=np.linspace(0, 1, len(xyz), dtype=np.float32))))
    pixels(panel)
    sent: list[int] = []
    really_send = gloo.VertexBuffer.set_data

    def send(buffer: Any, data: NDArray[np.float32], *more: Any, **named: Any) -> None:
        sent.append(data.size)
        really_send(buffer, data, *more, **named)

    monkeypatch.setattr(gloo.VertexBuffer, "set_data", send)
    pictures = [pixels(panel)]
    changes: list[Callable[[], None]] = [
        lambda: panel.set_limits(-5, 20),
        lambda: panel.set_colour_map(ColourMap.VIRIDIS),
        lambda: panel.view.set_point_px(1),
        lambda: panel.look_from(CloudViewpoint.TOP),
    ]
    for change in changes:
        change()
        pictures.append(pixels(panel))
        assert np.count_nonzero(np.abs(pictures[-1] - pictures[-2]).max(axis=2) > 10) > 300
        assert sent == []
    panel.set_colour_by("intensity")
    pixels(panel)
    assert sent == [len(xyz)]  # one number a point
    panel.show_result(result(points(xyz * np.float32(0.9)), generation=2))
    pixels(panel)
    assert xyz.size in sent


def test_a_scan_of_another_size_replaces_the_last(panel: CloudPanel) -> None:
    panel.set_colour_by("flat")
    shown = []
    for generation, count in enumerate((39_000, 500, 0, 20_000), start=1):
        panel.show_result(result(points(scene()[:count]), generation=generation))
        shown.append(np.count_nonzero(bright(pixels(panel))[60:300]))
    panel.set_playhead(START_NS - 1)
    assert panel.view.drawn == 0
    many, few, none, again = shown
    assert many > again > few > none
    assert panel.view.renderer is CloudRenderer.GL


@pytest.mark.parametrize("size_m", [0.0, 1e-20, 1e6, 1e30, 3e38])
def test_clouds_of_any_size_are_drawn(panel: CloudPanel, size_m: float) -> None:
    panel.set_colour_by("range")
    panel.show_result(result(points(np.full((50, 3), size_m, np.float32))))
    panel.set_limits(-1e300, 1e300)
    pixels(panel)
    assert panel.view.renderer is CloudRenderer.GL


def test_mouse_and_read_out_work_over_the_canvas(panel: CloudPanel) -> None:
    xyz = np.array([[np.nan, 0, 0], [10, 0, 0], [10.5, 0.5, 0]], np.float32)
    panel.show_result(result(points(xyz)))
    matrix = panel.view.camera.pixels_from_sensor(panel.view.width(), panel.view.height())
    column, row, _, w = matrix @ np.array([10, 0, 0, 1.0])
    heard: list[str] = []
    panel.read_out_changed.connect(heard.append)
    place = panel.view.mapTo(panel.window(), QPoint(int(column / w), int(row / w)))
    window = panel.window().windowHandle()  # as the window system delivers it: to whichever widget is there
    QTest.mouseMove(window, place)
    assert heard[-1].startswith("x 10.000  y 0.000  z 0.000 m")
    before = panel.view.camera
    QTest.mousePress(window, Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseMove(window, place + QPoint(60, 20))
    QTest.mouseRelease(window, Qt.MouseButton.LeftButton, pos=place + QPoint(60, 20))
    assert panel.view.camera.azimuth_rad != before.azimuth_rad


def test_docking_floating_tabbing_hiding_and_resizing_keep_the_picture(qtbot: QtBot) -> None:
    window = QMainWindow()
    window.setDockNestingEnabled(True)
    qtbot.addWidget(window)
    docks, panels = [], []
    for name in ("left", "right"):
        panel, dock = new_panel(), QDockWidget(name, window)
        dock.setWidget(panel)
        window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, dock)
        docks.append(dock)
        panels.append(panel)
    window.setGeometry(50, 50, 900, 420)
    window.show()
    qtbot.waitExposed(window)
    for panel in panels:
        panel.set_playhead(START_NS)
        panel.set_colour_by("flat")
        panel.show_result(result(points(scene())))
    canvases = [panel.view.findChildren(type(panel.view._gl.widget)) for panel in panels if panel.view._gl]

    def both_show() -> None:
        for dock, panel in zip(docks, panels, strict=True):
            dock.raise_()
            qtbot.waitUntil(partial(shows_points_on_screen, panel), timeout=5000)

    def float_first() -> None:
        docks[0].setFloating(True)
        docks[0].setGeometry(1000, 100, 500, 400)

    both_show()
    steps: list[Callable[[], None]] = [
        float_first,
        lambda: panels[0].view.set_point_px(3),
        lambda: docks[0].setFloating(False),
        lambda: window.tabifyDockWidget(docks[0], docks[1]),
        lambda: window.splitDockWidget(docks[0], docks[1], Qt.Orientation.Vertical),
        docks[1].hide,
        docks[1].show,
        lambda: window.resize(1300, 800),
        lambda: panels[1].show_result(result(points(scene()[:20_000]), generation=2)),
    ]
    for step in steps:
        step()
        if not docks[1].isHidden():
            both_show()
    assert [panel.view.renderer for panel in panels] == [CloudRenderer.GL] * 2
    assert [panel.view.notice for panel in panels] == ["", ""]
    assert canvases == [
        panel.view.findChildren(type(panel.view._gl.widget)) for panel in panels if panel.view._gl
    ]


def test_shaders_that_do_not_compile_leave_the_points_to_the_cpu_and_say_so(
    qtbot: QtBot, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hfviewer.panels import cloud_visuals

    monkeypatch.setattr(cloud_visuals, "_POINTS_FRAGMENT", "void main() { nonsense; }")
    panel = make()
    bring_up(qtbot, panel)
    panel.set_colour_by("flat")
    assert panel.view.renderer is CloudRenderer.GL
    panel.show_result(result(points(scene())))
    qtbot.waitUntil(lambda: panel.view.renderer is CloudRenderer.CPU, timeout=5000)
    assert panel.view.notice == "OpenGL failed"
    with_notice = pixels(panel)
    assert np.count_nonzero(bright(with_notice)[60:300]) > 2000
    qtbot.waitUntil(lambda: shows_points_on_screen(panel), timeout=5000)
    monkeypatch.setenv(cloud_choice.VARIABLE, "cpu")
    other = make()
    bring_up(qtbot, other)
    other.set_colour_by("flat")
    other.show_result(result(points(scene())))
    differs = np.argwhere(np.abs(with_notice - pixels(other)).max(axis=2) > 10)
    assert len(differs) > 300  # the card with the notice, and nothing else
    assert differs[:, 0].min() > 65
    assert differs[:, 0].max() < 105


def test_a_failure_while_playing_is_survived(
    qtbot: QtBot, panel: CloudPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vispy.gloo import gl

    panel.show_result(result(points(scene())))
    pixels(panel)
    assert panel.view.renderer is CloudRenderer.GL

    def lost(when: str) -> None:
        raise RuntimeError(f"context lost ({when})")

    monkeypatch.setattr(gl, "check_error", lost)
    panel.show_result(result(points(scene()), generation=2))
    qtbot.waitUntil(lambda: panel.view.renderer is CloudRenderer.CPU, timeout=5000)
    for generation in (3, 4):
        panel.show_result(result(points(scene()), generation=generation))
        panel.view.resize(300 + generation, 200)
        assert np.count_nonzero(bright(pixels(panel))) > 500
    assert panel.view.notice == "OpenGL failed"


def test_no_canvas_at_all_is_survived(qtbot: QtBot, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    from vispy import app

    def refuse(**_: object) -> None:
        raise RuntimeError("no context")

    monkeypatch.setattr(app, "Canvas", refuse)
    panel = make()
    bring_up(qtbot, panel)
    assert (panel.view.renderer, panel.view.notice) == (CloudRenderer.CPU, "OpenGL failed")
    panel.show_result(result(points(scene())))
    assert np.count_nonzero(bright(pixels(panel))) > 500


def test_a_closed_panel_leaves_nothing_on_the_gpu(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    from vispy.gloo import gl

    alive: set[tuple[str, int]] = set()
    most = 0
    for kind in ("Buffer", "Texture", "Program"):
        create, delete = getattr(gl, f"glCreate{kind}"), getattr(gl, f"glDelete{kind}")

        def created(kind: str = kind, create: Callable[[], int] = create) -> int:
            name = create()
            alive.add((kind, name))
            return name

        def deleted(name: int, kind: str = kind, delete: Callable[[int], None] = delete) -> None:
            alive.discard((kind, name))
            delete(name)

        monkeypatch.setattr(gl, f"glCreate{kind}", created)
        monkeypatch.setattr(gl, f"glDelete{kind}", deleted)
    for _ in range(3):
        panel = new_panel()
        bring_up(qtbot, panel)
        panel.show_result(result(points(scene())))
        pixels(panel)
        most = max(most, len(alive))
        panel.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert alive == set()
    assert most >= 7  # positions, values, table, corners, backdrop, two programs


def test_vispy_does_not_take_over_qts_messages(qtbot: QtBot, make: Make) -> None:
    heard: list[str] = []

    def hear(kind: object, context: object, text: str) -> None:
        heard.append(text)

    before = qInstallMessageHandler(hear)
    try:
        bring_up(qtbot, make())
        kept = qInstallMessageHandler(hear)
    finally:
        qInstallMessageHandler(before)
    assert kept is hear
