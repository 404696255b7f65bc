"""What the mouse does to the camera of a scene: orbit, pan, zoom; and what is a click instead."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from hfviewer.panels.cloud_camera import OrbitCamera

_BUTTONS = (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton)
_CLICK_PX = 4  # a press of the left button that moves no farther is a click
_ZOOM = 0.85  # of the distance, for each notch of the wheel


class CameraMouse:
    """Follows one drag at a time: the left button orbits, the others pan, and so does Shift."""

    def __init__(self) -> None:
        self._from: QPointF | None = None
        self._pressed_at: QPointF | None = None  # until it is a drag
        self._panning = False

    @property
    def is_held(self) -> bool:
        """True while a button is held down."""
        return self._from is not None

    def press(self, event: QMouseEvent) -> None:
        """A button went down."""
        if event.button() in _BUTTONS:
            left = event.button() == Qt.MouseButton.LeftButton
            self._from = event.position()
            self._pressed_at = self._from if left else None
            self._panning = not left or bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)

    def moved(self, event: QMouseEvent, camera: OrbitCamera, height_px: int) -> OrbitCamera | None:
        """The camera after a drag; None where there is none, or it may still be a click.

        Args:
            event: of the move.
            camera: before it.
            height_px: of the widget.
        """
        if self._from is None:
            return None
        if self._pressed_at is not None:
            if (event.position() - self._pressed_at).manhattanLength() < _CLICK_PX:
                return None
            self._pressed_at = None
        by, self._from = event.position() - self._from, event.position()
        return camera.panned(by.x(), by.y(), height_px) if self._panning else camera.orbited(by.x(), by.y())

    def release(self) -> QPointF | None:
        """A button went up: where a click of the left one was, or None."""
        place, self._from, self._pressed_at = self._pressed_at, None, None
        return place


def wheeled(event: QWheelEvent, camera: OrbitCamera) -> OrbitCamera | None:
    """The camera after a turn of the wheel; None where it did not turn."""
    event.accept()
    notches = event.angleDelta().y() / 120
    return camera.dollied(_ZOOM**notches) if notches else None
