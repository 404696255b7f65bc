"""The legend of a depth picture: colours in metres, near and far handles to take hold of, histogram."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QWidget

from hfviewer.panels.depth_colour import DepthColours, colour_table
from hfviewer.panels.drawing import CARD_MARGIN, draw_card, painting
from hfviewer.panels.legend import colour_bar
from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.panels.ticks import log_ticks, tick_step, tick_texts, tick_values

WIDTH_PX = 104
_MOST_HEIGHT_PX, _LEAST_HEIGHT_PX = 300, 100
_LEAST_PANEL_PX, _ROOMY_PANEL_PX = 240, 400
_TOP_PX, _BOTTOM_PX = 12, 30
_HISTOGRAM_PX = 34
_HANDLE_PX = 7
_GRAB_PX = 9
_LEAST_RATIO = 1.005  # of far to near


class DepthScaleBar(QWidget):
    """Lies at the right edge of a depth picture.

    The axis reaches from the nearest to the farthest depth that matters, the colours from the near handle to
    the far one. A double click puts both back.
    """

    range_changed = Signal(float, float)  # near, far, millimetres
    reset_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._colours: DepthColours | None = None
        self._extent = (0.0, 1.0)
        self._histogram: NDArray[np.float64] = np.empty(0)
        self._held: str = ""
        self._still_key: object = None
        self._still = QPixmap()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Range of the depth colours")
        self.setToolTip(
            "Drag the handles to set what is near and far; double-click for the range of the recording"
        )
        theme.changed.connect(self.update)
        self.hide()

    @property
    def axis(self) -> DepthColours:
        """Positions along the bar: 0 below, 1 on top."""
        colours = self._colours or DepthColours(low_mm=0.0, high_mm=1.0)
        low, high = self._extent
        return DepthColours(low_mm=low, high_mm=high, logarithmic=colours.logarithmic)

    def place(self) -> None:
        """To the upper right of the widget it lies on; away where that is too small."""
        parent = self.parentWidget()
        if parent is None:
            return
        height = min(parent.height() - 2 * CARD_MARGIN, _MOST_HEIGHT_PX)
        fits = height >= _LEAST_HEIGHT_PX and parent.width() >= _LEAST_PANEL_PX
        self.setVisible(fits and self._colours is not None)
        if fits:
            # In a narrow panel the picture needs the room more than the histogram does.
            width = WIDTH_PX if parent.width() >= _ROOMY_PANEL_PX else WIDTH_PX - _HISTOGRAM_PX
            self.setGeometry(parent.width() - CARD_MARGIN - width, CARD_MARGIN, width, height)

    def show_range(self, colours: DepthColours | None, extent_mm: tuple[float, float]) -> None:
        """What is coloured now.

        Args:
            colours: None: nothing is shown.
            extent_mm: the nearest and the farthest depth that the axis must reach.
        """
        self._colours = colours
        if colours is not None and not self._held:
            # While a handle is held the axis stays, or it would run away from under the pointer.
            self._extent = (min(colours.low_mm, extent_mm[0]), max(colours.high_mm, extent_mm[1]))
        self.place()
        self.update()

    def show_histogram(self, shares: NDArray[np.float64]) -> None:
        """Share of the pixels in each part of the axis."""
        self._histogram = shares
        if self.isVisible():
            self.update()

    # -- Qt --------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._held = (
            self._handle_at(event.position().y()) if event.button() is Qt.MouseButton.LeftButton else ""
        )
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        near = bool(self._handle_at(event.position().y()))
        self.setCursor(Qt.CursorShape.SizeVerCursor if near or self._held else Qt.CursorShape.ArrowCursor)
        if not self._held or self._colours is None:
            return
        depth = self._depth_at(event.position().y())
        low, high = self._colours.low_mm, self._colours.high_mm
        if self._held == "near":
            low = min(depth, high / _LEAST_RATIO - 1.0)
        else:
            high = max(depth, low * _LEAST_RATIO + 1.0)
        if 0 <= low < high and math.isfinite(low) and math.isfinite(high):
            self.range_changed.emit(low, high)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = ""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._held = ""
        self.reset_requested.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._colours is None:
            return
        ratio = self.devicePixelRatioF()
        key = (self._colours, self._extent, self.width(), self.height(), ratio, self._theme.dark)
        if key != self._still_key:
            self._still_key, self._still = key, self._paint_still(self._colours, ratio)
        with painting(self) as painter:
            painter.drawPixmap(0, 0, self._still)
            self._paint_histogram(painter)

    def _paint_still(self, colours: DepthColours, ratio: float) -> QPixmap:
        """All that stays the same from frame to frame."""
        tokens = self._theme.tokens
        still = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        still.setDevicePixelRatio(ratio)
        still.fill(Qt.GlobalColor.transparent)
        with painting(still, smooth=True) as painter:
            draw_card(painter, QRectF(self.rect()), tokens)
            self._paint_bar(painter, colours)
            self._paint_ticks(painter)
            for depth in (colours.low_mm, colours.high_mm):
                self._paint_handle(painter, self._y_of(depth))
            painter.setFont(ui_font(11))
            painter.setPen(tokens.t2)
            unit = "metres, log" if colours.logarithmic else "metres"
            room = QRectF(0, self.height() - 24, self.width(), 20)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, unit)
        return still

    # -- inside ----------------------------------------------------------------------------------------------

    @property
    def has_histogram(self) -> bool:
        """Whether there is room for it."""
        return self.width() >= WIDTH_PX

    @property
    def _bar(self) -> QRectF:
        left = 10 + (_HISTOGRAM_PX if self.has_histogram else 0)
        return QRectF(left, _TOP_PX, 10, max(1, self.height() - _TOP_PX - _BOTTOM_PX))

    def _y_of(self, depth_mm: float) -> float:
        share = float(self.axis.position(np.array([depth_mm]))[0])
        return self._bar.bottom() - share * self._bar.height()

    def _depth_at(self, y: float) -> float:
        share = min(1.0, max(0.0, (self._bar.bottom() - y) / self._bar.height()))
        low, high = self._extent
        if self.axis.logarithmic:
            low = max(low, 1.0)
            return float(low * (max(high, low * 1.001) / low) ** share)
        return low + share * (high - low)

    def _handle_at(self, y: float) -> str:
        if self._colours is None:
            return ""
        gaps = {
            "near": abs(y - self._y_of(self._colours.low_mm)),
            "far": abs(y - self._y_of(self._colours.high_mm)),
        }
        name = min(gaps, key=lambda key: gaps[key])
        return name if gaps[name] <= _GRAB_PX else ""

    def _paint_histogram(self, painter: QPainter) -> None:
        """As a picture of a pixel a bin, stretched: one call, where a rectangle for each bin is sixty."""
        if not self.has_histogram or not len(self._histogram) or not self._histogram.any():
            return
        room = _HISTOGRAM_PX - 4
        widths = np.maximum(self._histogram / self._histogram.max() * room, self._histogram > 0)
        filled = np.arange(room, 0, -1) <= np.round(widths[::-1, None])
        pixels = np.where(filled, np.uint32(self._theme.tokens.t3.rgba()), np.uint32(0))
        picture = QImage(pixels.data, room, len(pixels), room * 4, QImage.Format.Format_ARGB32_Premultiplied)
        bar = self._bar
        painter.drawImage(QRectF(bar.left() - 3 - room, bar.top(), room, bar.height()), picture)

    def _paint_bar(self, painter: QPainter, colours: DepthColours) -> None:
        """The colours between the handles, the end colours beyond them."""
        bar, table = self._bar, colour_table(colours.colour_map)
        top, bottom = self._y_of(colours.high_mm), self._y_of(colours.low_mm)
        painter.fillRect(QRectF(bar.left(), bar.top(), bar.width(), top - bar.top()), QColor(int(table[-1])))
        painter.fillRect(
            QRectF(bar.left(), bottom, bar.width(), bar.bottom() - bottom), QColor(int(table[0]))
        )
        # The axis and the colours have the same curve, so that between the handles both are linear.
        painter.drawImage(QRectF(bar.left(), top, bar.width(), bottom - top), colour_bar(table, upright=True))

    def _paint_ticks(self, painter: QPainter) -> None:
        bar, tokens = self._bar, self._theme.tokens
        low_m, high_m = self._extent[0] / 1000, self._extent[1] / 1000
        values = log_ticks(max(low_m, 0.001), high_m) if self.axis.logarithmic else []
        if len(values) >= 3:
            texts = [f"{value:g}" for value in values]
        else:
            most = max(2, int(bar.height()) // 56)
            values = tick_values(low_m, high_m, most)
            texts = tick_texts(values, tick_step(high_m - low_m, most))
        painter.setFont(number_font(11))
        last = math.inf
        for value, text in zip(values, texts, strict=True):
            y = self._y_of(value * 1000)
            if last - y < 14:
                continue  # no room for another one
            last = y
            painter.setPen(QPen(tokens.t2, 1))
            painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 4, y))
            painter.setPen(tokens.t1)
            room = QRectF(bar.right() + 12, y - 8, self.width() - bar.right() - 14, 16)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _paint_handle(self, painter: QPainter, y: float) -> None:
        right = self._bar.right() + 1
        painter.setPen(QPen(self._theme.tokens.bg0, 1))
        painter.setBrush(self._theme.tokens.t1)
        painter.drawPolygon(
            QPolygonF(
                [
                    QPointF(right, y),
                    QPointF(right + _HANDLE_PX + 2, y - _HANDLE_PX + 2),
                    QPointF(right + _HANDLE_PX + 2, y + _HANDLE_PX - 2),
                ]
            )
        )
