from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from hfviewer.panels.camera_mouse import CameraMouse, wheeled
from hfviewer.panels.cloud_camera import OrbitCamera

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
PLAIN, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
pytestmark = pytest.mark.usefixtures("qapp")
CAMERA = OrbitCamera(target_m=(1.0, 2.0, 3.0), distance_m=10.0)


def at(
    x: float, y: float, button: Qt.MouseButton = LEFT, modifiers: Qt.KeyboardModifier = PLAIN
) -> QMouseEvent:
    place = QPointF(x, y)
    return QMouseEvent(QEvent.Type.MouseMove, place, place, button, button, modifiers)


def dragged(button: Qt.MouseButton, modifiers: Qt.KeyboardModifier = PLAIN) -> OrbitCamera:
    mouse = CameraMouse()
    mouse.press(at(10, 10, button, modifiers))
    camera = mouse.moved(at(40, 30), CAMERA, 400)
    assert camera is not None
    assert mouse.release() is None
    assert not mouse.is_held
    return camera


def test_the_left_button_orbits_and_the_others_pan() -> None:
    assert dragged(LEFT) == CAMERA.orbited(30, 20)
    for button, modifiers in ((RIGHT, PLAIN), (MIDDLE, PLAIN), (LEFT, SHIFT)):
        assert dragged(button, modifiers) == CAMERA.panned(30, 20, 400)


def test_a_press_that_hardly_moves_is_a_click() -> None:
    mouse = CameraMouse()
    mouse.press(at(10, 10))
    assert mouse.is_held
    assert mouse.moved(at(12, 11), CAMERA, 400) is None
    assert mouse.release() == QPointF(10, 10)


def test_a_click_of_another_button_is_none_and_other_buttons_hold_nothing() -> None:
    mouse = CameraMouse()
    mouse.press(at(10, 10, RIGHT))
    assert mouse.release() is None
    mouse.press(at(10, 10, Qt.MouseButton.BackButton))
    assert not mouse.is_held
    assert mouse.moved(at(90, 90), CAMERA, 400) is None


def test_the_wheel_comes_nearer_and_goes_away() -> None:
    def turn(angle: int) -> OrbitCamera | None:
        event = QWheelEvent(
            QPointF(0, 0),
            QPointF(0, 0),
            QPoint(0, 0),
            QPoint(0, angle),
            Qt.MouseButton.NoButton,
            PLAIN,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        return wheeled(event, CAMERA)

    near, far = turn(120), turn(-120)
    assert near is not None
    assert far is not None
    assert near.distance_m < CAMERA.distance_m < far.distance_m
    assert turn(0) is None
