"""The widget that draws a touch map on a hand, or as a grid."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from hfviewer.panels.drawing import STALE_OPACITY, hatch_brush, painting
from hfviewer.panels.theme import Theme, number_font, with_alpha
from hfviewer.panels.touch_layout import EDGE, HandCells, grid_cells, hand_cells

_EDGE_PX = 46  # room for cards above and below
_SIDE_PX = 14
_WIDE, _WIDER, _LEGEND_PX = 1.9, 4.0, 236
_NUMBERS_FROM_PX = 30  # cells at least this wide say their values
_BRIGHT = 0.45  # numbers on brighter cells are dark


class TouchCanvas(QWidget):
    """Cells in the colours that they are given.

    Args:
        theme: colours.
        left: True for a left hand.
        parent: the panel.
    """

    hovered = Signal()

    def __init__(self, theme: Theme, parent: QWidget, *, left: bool) -> None:
        super().__init__(parent)
        self._theme, self._left = theme, left
        self._on_hand = True
        self._colours: NDArray[np.uint32] | None = None
        self._texts: NDArray[np.float32] | None = None
        self._cursor: QPointF | None = None
        self._stale = False
        self._paint_over: Callable[[QPainter], None] | None = None
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self.update)

    @property
    def on_hand(self) -> bool:
        return self._on_hand

    @property
    def cells(self) -> HandCells:
        """The cells as they lie now."""
        return hand_cells(left=self._left) if self._on_hand else grid_cells()

    @property
    def cursor_cell(self) -> tuple[int, int] | None:
        """Row and column of the cell under the pointer."""
        number = self._cell_at(self._cursor)
        return None if number is None else (int(self.cells.rows[number]), int(self.cells.columns[number]))

    def set_on_hand(self, on_hand: bool) -> None:
        """Lay the cells out as a hand, or as the grid that they are stored in."""
        self._on_hand = on_hand
        self.update()

    def set_paint_over(self, paint_over: Callable[[QPainter], None]) -> None:
        """Called at the end of every paint, for cards."""
        self._paint_over = paint_over

    def show_cells(self, colours: NDArray[np.uint32], values: NDArray[np.float32]) -> None:
        """Draw these.

        Args:
            colours: uint32 16×16.
            values: float32 16×16, written into the cells where there is room.
        """
        self._colours, self._texts = colours, values
        self.update()

    def clear(self) -> None:
        self._colours = self._texts = None
        self.update()

    def set_stale(self, stale: bool) -> None:
        """Draw the cells so that nobody takes them for current ones, or not."""
        if stale != self._stale:
            self._stale = stale
            self.update()

    def placed(self) -> tuple[float, float, float]:
        """Pixels per cell, and where the cells begin: left and top."""
        width, height = self.cells.size
        room = QRectF(self.rect()).adjusted(_SIDE_PX, _EDGE_PX, -_SIDE_PX, -_EDGE_PX)
        if self.width() > _WIDE * self.height():  # the cards have room beside the hand
            room = QRectF(self.rect()).adjusted(_SIDE_PX, _SIDE_PX, -_SIDE_PX, -_SIDE_PX)
            if self.width() < _WIDER * self.height():  # to the right of the scale, below the sum
                room = QRectF(self.rect()).adjusted(_LEGEND_PX, _EDGE_PX - 4, -8, -8)
        scale = max(0.5, min(room.width() / width, room.height() / height))
        middle = room.center()
        return scale, middle.x() - width * scale / 2, middle.y() - height * scale / 2

    # -- Qt --------------------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._cursor = event.position()
        self.hovered.emit()
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._cursor = None
        self.hovered.emit()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self, smooth=True) as painter:
            painter.fillRect(self.rect(), self._theme.tokens.picture)
            if self._colours is not None:
                painter.save()
                self._paint_cells(painter, self._colours)
                painter.restore()
            if self._paint_over is not None:
                self._paint_over(painter)

    # -- inside ----------------------------------------------------------------------------------------------

    def _cell_at(self, place: QPointF | None) -> int | None:
        if place is None:
            return None
        scale, left, top = self.placed()
        at = np.array([(place.x() - left) / scale, (place.y() - top) / scale])
        corners = self.cells.corners
        ahead = np.roll(corners, -1, axis=1) - corners
        towards = at - corners
        turn = ahead[..., 0] * towards[..., 1] - ahead[..., 1] * towards[..., 0]
        inside = np.flatnonzero((turn >= 0).all(axis=1) | (turn <= 0).all(axis=1))
        return int(inside[0]) if len(inside) else None

    def _paint_cells(self, painter: QPainter, colours: NDArray[np.uint32]) -> None:
        scale, left, top = self.placed()
        cells, tokens = self.cells, self._theme.on_picture
        if not self._on_hand:
            whole = QRectF(left, top, EDGE * scale, EDGE * scale)
            painter.fillRect(
                whole,
                hatch_brush(
                    with_alpha(tokens.line2, 0.6), spacing=8, width=1.0, ratio=self.devicePixelRatioF()
                ),
            )
        if self._stale:
            painter.setOpacity(STALE_OPACITY)
        placed = cells.corners * scale + np.array([left, top])
        wide = min(scale, float(np.abs(placed[0, 0] - placed[0, 2]).max()))
        painter.setPen(QPen(with_alpha(tokens.bg0, 0.9), 1.0 if wide >= 6 else 0.5))
        shown = colours[cells.rows, cells.columns]
        for corners, code in zip(placed.tolist(), shown.tolist(), strict=True):
            colour = QColor.fromRgb(code)
            if self._stale:
                grey = QColor.fromRgb(code).lightness()
                colour = QColor(grey, grey, grey)
            painter.setBrush(colour)
            painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
        if wide >= _NUMBERS_FROM_PX and not self._stale:
            self._paint_numbers(painter, placed, shown)
        number = self._cell_at(self._cursor)
        if number is not None:
            painter.setOpacity(1.0)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(tokens.playhead, 2))
            painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in placed[number].tolist()]))

    def _paint_numbers(
        self, painter: QPainter, placed: NDArray[np.float64], shown: NDArray[np.uint32]
    ) -> None:
        assert self._texts is not None
        values = self._texts[self.cells.rows, self.cells.columns]
        tokens = self._theme.on_picture
        painter.setFont(number_font(10))
        middles = placed.mean(axis=1)
        for (x, y), value, code in zip(middles.tolist(), values.tolist(), shown.tolist(), strict=True):
            bright = QColor.fromRgb(code).lightnessF() > _BRIGHT
            painter.setPen(tokens.on_label if bright else tokens.t1)
            rect = QRectF(x - 24, y - 8, 48, 16)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, f"{value:.0f}")
