"""Marks over pictures: a place that is pointed at, a line of sight."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from hfviewer.panels.theme import Theme


def paint_cross(painter: QPainter, at: QPointF, theme: Theme) -> None:
    """A ring with four hairs, light on dark, to be seen on any colour."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((theme.on_picture.bg0, 4.0), (theme.on_picture.playhead, 1.5)):
        painter.setPen(QPen(colour, width))
        painter.drawEllipse(at, 8, 8)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            painter.drawLine(at + QPointF(dx * 8, dy * 8), at + QPointF(dx * 16, dy * 16))
    painter.restore()


def paint_line(painter: QPainter, places: NDArray[np.float64], theme: Theme, *, dashed: bool) -> None:
    """A line through widget places, light on dark.

    Args:
        painter: of the widget.
        places: N×2.
        theme: colours.
        dashed: True for what is only known up to its distance.
    """
    if len(places) < 2:
        return
    polygon = QPolygonF([QPointF(x, y) for x, y in places.tolist()])
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for colour, width in ((theme.on_picture.bg0, 4.0), (theme.on_picture.playhead, 1.5)):
        pen = QPen(colour, width)
        if dashed and width < 2:
            pen.setDashPattern([5.0, 3.0])
        painter.setPen(pen)
        painter.drawPolyline(polygon)
    painter.restore()
