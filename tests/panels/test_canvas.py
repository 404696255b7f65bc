from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from hfviewer.panels.canvas import PictureCanvas
from hfviewer.panels.theme import Theme
from tests.panels.making import colour_at, move_pointer, show


class Recorder:
    """A render that remembers what it was asked for and gives plain red."""

    def __init__(self) -> None:
        self.asked: list[tuple[tuple[int, int, int, int], tuple[int, int]]] = []

    def __call__(self, part: tuple[int, int, int, int], size: tuple[int, int]) -> QImage:
        self.asked.append((part, size))
        image = QImage(*size, QImage.Format.Format_RGB32)
        image.fill(QColor("#FF0000"))
        return image


@pytest.fixture
def canvas(qtbot: QtBot) -> PictureCanvas:
    host = QWidget()
    made = PictureCanvas(Theme(), host)
    made.setGeometry(0, 0, 400, 300)
    show(qtbot, host, 400, 300)
    made.host = host  # type: ignore[attr-defined]  # keeps it alive
    return made


def wheel(canvas: PictureCanvas, x: int, y: int, steps: int) -> None:
    place = QPointF(x, y)
    event = QWheelEvent(
        place,
        canvas.mapToGlobal(place),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(canvas, event)


def test_a_large_picture_is_wanted_at_the_size_of_the_screen(canvas: PictureCanvas) -> None:
    render = Recorder()
    canvas.show_picture(render, (4000, 3000), (4000, 3000))
    canvas.grab()
    assert render.asked == [((0, 0, 4000, 3000), (400, 300))]


def test_a_small_picture_is_wanted_as_it_is_and_fills_the_widget(canvas: PictureCanvas) -> None:
    render = Recorder()
    canvas.show_picture(render, (4, 3), (4, 3))
    assert colour_at(canvas, 2, 2) == (255, 0, 0)
    assert render.asked == [((0, 0, 4, 3), (4, 3))]


def test_repainting_without_a_change_renders_nothing_anew(canvas: PictureCanvas) -> None:
    render = Recorder()
    canvas.show_picture(render, (40, 30), (40, 30))
    for _ in range(3):
        canvas.grab()
    assert len(render.asked) == 1
    canvas.invalidate()
    canvas.grab()
    assert len(render.asked) == 2


def test_the_wheel_zooms_about_the_pointer(canvas: PictureCanvas) -> None:
    canvas.show_picture(Recorder(), (400, 300), (400, 300))
    before = canvas.view.to_picture(100, 50)
    wheel(canvas, 100, 50, 3)
    assert canvas.view.scale > 1.5
    assert canvas.view.to_picture(100, 50) == pytest.approx(before)
    assert not canvas.is_fitted


def test_zoomed_in_only_the_visible_part_is_rendered(canvas: PictureCanvas) -> None:
    render = Recorder()
    canvas.show_picture(render, (400, 300), (400, 300))
    canvas.zoom(4, 0, 0)
    canvas.grab()
    assert render.asked[-1] == ((0, 0, 100, 75), (100, 75))


def test_zoom_and_pan_stay_when_the_next_frame_comes(canvas: PictureCanvas) -> None:
    canvas.show_picture(Recorder(), (400, 300), (400, 300))
    canvas.zoom(4, 10, 10)
    view = canvas.view
    canvas.show_picture(Recorder(), (400, 300), (400, 300))
    assert canvas.view == view
    canvas.show_picture(Recorder(), (200, 150), (400, 300))  # the same picture, reduced
    assert canvas.view == view
    canvas.show_picture(Recorder(), (640, 480), (640, 480))
    assert canvas.is_fitted


def test_a_drag_pans_and_a_double_click_fits_again(qtbot: QtBot, canvas: PictureCanvas) -> None:
    canvas.show_picture(Recorder(), (400, 300), (400, 300))
    canvas.zoom(2, 200, 150)
    left = canvas.view.left
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(200, 150))
    move_pointer(canvas, QPoint(230, 150))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(230, 150))
    assert canvas.view.left == pytest.approx(left + 30)
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(200, 150))
    assert canvas.is_fitted


def test_hovering_names_the_pixel_of_the_full_picture(qtbot: QtBot, canvas: PictureCanvas) -> None:
    canvas.show_picture(Recorder(), (200, 150), (800, 600))
    heard: list[object] = []
    canvas.hovered.connect(heard.append)
    move_pointer(canvas, QPoint(100, 30))
    assert canvas.cursor_pixel == (200, 60)
    assert heard[-1] == (200, 60)


def test_a_stale_picture_is_grey_and_nearly_gone(canvas: PictureCanvas) -> None:
    canvas.show_picture(Recorder(), (4, 3), (4, 3))
    canvas.set_stale(True)
    red, green, blue = colour_at(canvas, 200, 150)
    assert abs(red - green) < 8
    assert abs(red - blue) < 12
    assert red < 60


def test_nothing_is_painted_without_a_picture(canvas: PictureCanvas) -> None:
    canvas.show_picture(Recorder(), (4, 3), (4, 3))
    canvas.clear()
    assert colour_at(canvas, 200, 150) == (5, 7, 10)
    wheel(canvas, 10, 10, 1)
    canvas.fit()
    assert canvas.cursor_pixel is None
