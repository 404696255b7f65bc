"""One plot of a dense signal: curves over time, gaps, and the playhead.

Painted by hand, not by pyqtgraph: following the playhead moves every point on every frame, and pyqtgraph took
four times as long for that (measured: two plots, three curves each).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QWidget
from shiboken6 import VoidPtr

from hfviewer.core.time_text import NS_PER_S
from hfviewer.core.window import TimeWindow
from hfviewer.panels.drawing import draw_card, hatch_brush
from hfviewer.panels.signal_data import Gaps
from hfviewer.panels.standing import age_text
from hfviewer.panels.theme import Theme, icon_pixmap, number_font, ui_font, with_alpha
from hfviewer.panels.ticks import tick_step, tick_texts, tick_values

AXIS_WIDTH = 50
AXIS_HEIGHT = 20
_RIGHT = 8
_DOTS_BELOW = 0.2  # samples per pixel column up to which each gets a dot
_FINE_LINE_POINTS = 500  # Qt needs long for thick lines with many corners
_MOST_GAPS = 400
_FAR_PX = 30_000.0


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A line to draw.

    Args:
        x: float64[m], seconds from the plot's origin; NaN breaks the line.
        y: float64[m].
        colour: of the line.
        are_samples: True where every point is a sample.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    colour: QColor
    are_samples: bool


class SignalPlot(QWidget):
    """Curves over a window of time. It owns no view: what shows is set from outside.

    All but the playhead is kept as a picture, so that moving the playhead paints two strips.

    Args:
        theme: colours.
        has_time_axis: True for the lowest of several plots.
        parent: the panel's body.
    """

    resized = Signal()

    def __init__(self, theme: Theme, *, has_time_axis: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._has_time_axis = theme, has_time_axis
        self._curves: list[Curve] = []
        self._window, self._origin_ns, self._relative = TimeWindow(0, 1), 0, False
        self._low, self._high = -1.0, 1.0
        self._gaps: Gaps | None = None
        self._playhead_ns = 0
        self._picture: QPixmap | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self._redraw)

    @property
    def curves(self) -> list[Curve]:
        return self._curves

    @property
    def y_range(self) -> tuple[float, float]:
        return self._low, self._high

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def plot_rect(self) -> QRect:
        """Where the curves are, in this widget's pixels; never empty."""
        bottom = AXIS_HEIGHT if self._has_time_axis else 3
        width, height = self.width() - AXIS_WIDTH - _RIGHT, self.height() - 2 - bottom
        return QRect(AXIS_WIDTH, 2, max(1, width), max(1, height))

    def set_y_range(self, low: float, high: float) -> None:
        """Show these values; ``low`` below ``high``."""
        if (low, high) != (self._low, self._high):
            self._low, self._high = low, high
            self._redraw()

    def show_curves(
        self, curves: list[Curve], gaps: Gaps, window: TimeWindow, *, origin_ns: int, relative: bool
    ) -> None:
        """Draw these lines.

        Args:
            curves: in drawing order.
            gaps: hatched.
            window: what the width shows.
            origin_ns: where the curves' x is 0.
            relative: True where that is the playhead, so that labels carry a sign.
        """
        self._curves, self._gaps, self._window = curves, gaps, window
        self._origin_ns, self._relative = origin_ns, relative
        self._redraw()

    def move_playhead(self, playhead_ns: int) -> None:
        """Move the line; only the two strips it leaves and enters are painted again."""
        if playhead_ns == self._playhead_ns:
            return
        before, gap_before = self._x(self._playhead_ns), self._gap_at(self._playhead_ns)
        self._playhead_ns = playhead_ns
        if gap_before is not None or self._gap_at(playhead_ns) is not None:
            self.update()
            return
        for x in (before, self._x(playhead_ns)):
            self.update(QRect(int(min(max(x, -9.0), self.width() + 9.0)) - 2, 0, 5, self.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._redraw()
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._picture is None:
            self._picture = self._make_picture()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        rect = self.plot_rect()
        painter.setClipRect(rect)
        x = self._x(self._playhead_ns)
        if rect.left() <= x <= rect.right():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.tokens.playhead, 1.5))
            painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom() + 1))
        found = self._gap_at(self._playhead_ns)
        if found is not None:
            self._paint_card(painter, rect, x, found)
        painter.end()

    # -- inside ----------------------------------------------------------------------------------------------

    def _redraw(self) -> None:
        self._picture = None
        self.update()

    def _make_picture(self) -> QPixmap:
        tokens, ratio, rect = self._theme.tokens, self.devicePixelRatioF(), self.plot_rect()
        picture = QPixmap(max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio)))
        picture.setDevicePixelRatio(ratio)
        picture.fill(tokens.bg1)
        painter = QPainter(picture)
        painter.fillRect(rect, tokens.bg0)
        self._paint_axes(painter, rect)
        painter.setClipRect(rect)
        for curve in self._curves:
            self._paint_curve(painter, rect, curve)
        self._paint_gaps(painter, rect)
        painter.end()
        return picture

    def _paint_axes(self, painter: QPainter, rect: QRect) -> None:
        tokens, font = self._theme.tokens, number_font(11)
        painter.setFont(font)
        most = max(1, rect.height() // 26)
        values = tick_values(self._low, self._high, most)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for value, text in zip(
            values, tick_texts(values, tick_step(self._high - self._low, most)), strict=True
        ):
            y = round(self._y(rect, np.array([value]))[0])
            painter.setPen(tokens.line)
            painter.drawLine(rect.left(), y, rect.right(), y)
            painter.setPen(tokens.t2)
            painter.drawText(QRect(0, y - 8, AXIS_WIDTH - 6, 16), right, text)
        # Time in ms where the span is short; both ends are differences, so floats hold them.
        start_s = (self._window.start_ns - self._origin_ns) / NS_PER_S
        span_s = self._window.duration_ns / NS_PER_S
        unit, factor = ("ms", 1000.0) if span_s < 2 else ("s", 1.0)
        most = max(1, rect.width() // 72)
        values = tick_values(start_s * factor, (start_s + span_s) * factor, most)
        texts = tick_texts(values, tick_step(span_s * factor, most), signed=self._relative)
        taken = float(rect.left())
        for value, text in zip(values, texts, strict=True):
            x = rect.left() + (value / factor - start_s) / span_s * rect.width()
            painter.setPen(tokens.line)
            painter.drawLine(round(x), rect.top(), round(x), rect.bottom())
            width = QFontMetrics(font).horizontalAdvance(text)
            label = QRectF(x - width / 2, rect.bottom() + 3, width + 1, AXIS_HEIGHT - 4)
            if self._has_time_axis and label.left() > taken and label.right() < self.width():
                painter.setPen(tokens.t2)
                painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
                taken = label.right() + 6
        if self._has_time_axis:
            painter.setFont(ui_font(11))
            painter.setPen(tokens.t2)
            painter.drawText(QRect(0, rect.bottom() + 3, AXIS_WIDTH - 6, AXIS_HEIGHT - 4), right, unit)

    def _paint_curve(self, painter: QPainter, rect: QRect, curve: Curve) -> None:
        start_s = (self._window.start_ns - self._origin_ns) / NS_PER_S
        x = rect.left() + (curve.x - start_s) * (rect.width() / (self._window.duration_ns / NS_PER_S))
        y = self._y(rect, curve.y)
        fine = curve.are_samples and len(x) <= _FINE_LINE_POINTS
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, fine)
        painter.setPen(QPen(curve.colour, 1.6 if fine else 1.0))
        broken = np.flatnonzero(np.isnan(x) | np.isnan(y))
        for first, stop in zip(np.append(0, broken + 1), np.append(broken, len(x)), strict=True):
            if stop - first == 1:
                painter.drawPoint(QPointF(float(x[first]), float(y[first])))
            elif stop > first:
                painter.drawPolyline(_polygon(x[first:stop], y[first:stop]))
        if curve.are_samples and len(x) < _DOTS_BELOW * rect.width():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(curve.colour)
            whole = ~(np.isnan(x) | np.isnan(y))
            for column, row in zip(x[whole].tolist(), y[whole].tolist(), strict=True):
                painter.drawEllipse(QPointF(column, row), 2.0, 2.0)
            painter.setBrush(Qt.BrushStyle.NoBrush)

    def _y(self, rect: QRect, values: NDArray[np.float64]) -> NDArray[np.float64]:
        share = (values - self._low) / (self._high - self._low)
        return np.clip(rect.bottom() - share * (rect.height() - 1), -_FAR_PX, _FAR_PX)

    def _x(self, time_ns: int) -> float:
        rect = self.plot_rect()
        return rect.left() + (time_ns - self._window.start_ns) / self._window.duration_ns * rect.width()

    def _gap_at(self, time_ns: int) -> int | None:
        if self._gaps is None:
            return None
        index = int(np.searchsorted(self._gaps.starts_ns, time_ns, side="right")) - 1
        return index if index >= 0 and time_ns < int(self._gaps.stops_ns[index]) else None

    def _paint_gaps(self, painter: QPainter, rect: QRect) -> None:
        if self._gaps is None:
            return
        tokens, part = self._theme.tokens, self._gaps.within(self._window)
        starts, stops, lost = (a[part] for a in (self._gaps.starts_ns, self._gaps.stops_ns, self._gaps.lost))
        if len(starts) > _MOST_GAPS:
            # The longest ones show; all of them would be one solid block.
            longest = np.sort(np.argsort(starts - stops, kind="stable")[:_MOST_GAPS])
            starts, stops, lost = starts[longest], stops[longest], lost[longest]
        hatch = hatch_brush(with_alpha(tokens.warning, 0.75), spacing=6, width=1.2)
        font = number_font(11, 600)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        free_from = float(rect.left())
        for start_ns, stop_ns, count in zip(starts.tolist(), stops.tolist(), lost.tolist(), strict=True):
            x0 = max(self._x(start_ns), rect.left() - 4.0)
            x1 = max(min(self._x(stop_ns), rect.right() + 4.0), x0 + 3)  # never too narrow to be seen
            band = QRectF(x0, rect.top(), x1 - x0, rect.height())
            painter.fillRect(band, with_alpha(tokens.warning_ground, 0.6))
            painter.fillRect(band, hatch)
            text = f"−{count}"
            width = metrics.horizontalAdvance(text) + 8
            left = (x0 + x1 - width) / 2 if x1 - x0 > width else x1 + 3
            if left >= free_from and left + width <= rect.right() and self._gap_at(self._playhead_ns) is None:
                label = QRectF(left, rect.top() + 3, width, 16)
                draw_card(painter, label, tokens)
                painter.setPen(tokens.warning)
                painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
                free_from = left + width

    def _paint_card(self, painter: QPainter, rect: QRect, x: float, index: int) -> None:
        """What was lost where the playhead is."""
        assert self._gaps is not None
        tokens, font = self._theme.tokens, ui_font(11, 600)
        length_ns = int(self._gaps.stops_ns[index]) - int(self._gaps.starts_ns[index])
        text = f"−{int(self._gaps.lost[index])}, {age_text(length_ns)} gap"
        width = QFontMetrics(font).horizontalAdvance(text) + 34
        if rect.width() < width + 30 or rect.height() < 40:
            return
        left = x + 16 if x + 16 + width < rect.right() else x - 16 - width
        card = QRectF(left, rect.top() + 6, width, 20)
        painter.setPen(QPen(tokens.warning, 1))
        painter.setBrush(tokens.warning_ground)
        painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.drawPixmap(
            QPointF(card.left() + 8, card.top() + 4), icon_pixmap("warning", tokens.warning, 12)
        )
        painter.setFont(font)
        painter.setPen(tokens.warning)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(card.adjusted(25, 0, 0, 0), flags, text)


def _polygon(x: NDArray[np.float64], y: NDArray[np.float64]) -> QPolygonF:
    """Points for Qt, filled in one go instead of one by one."""
    polygon = QPolygonF()
    polygon.resize(len(x))
    # The stubs know VoidPtr only as made from a number, and not that it is a buffer.
    pointer = VoidPtr(polygon.data(), len(x) * 16, True)  # type: ignore[call-arg,arg-type]
    memory = np.frombuffer(pointer, np.float64).reshape(-1, 2)  # type: ignore[call-overload]
    memory[:, 0], memory[:, 1] = x, y
    return polygon
