"""What lies over an OpenGL canvas and is painted like everything else."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from hfviewer.panels.drawing import painting


class CanvasOverlay(QWidget):
    """Lies over a GL canvas, lets the mouse through, and paints what a painter paints."""

    def __init__(self, paint: Callable[[QPainter], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._paint = paint
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            self._paint(painter)
