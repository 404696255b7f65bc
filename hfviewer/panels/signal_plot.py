"""One plot of a dense signal: curves over time, gaps, and the playhead.

Painted by hand, not by pyqtgraph: following the playhead moves every point on every frame, and pyqtgraph took
four times as long for that (measured: two plots, three curves each).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from hfviewer.core import timing
from hfviewer.core.time_text import NS_PER_S
from hfviewer.core.window import TimeWindow
from hfviewer.panels.drawing import draw_card, painting
from hfviewer.panels.signal_tiles import CurveTiles, Series, shown_gaps
from hfviewer.panels.standing import age_text
from hfviewer.panels.theme import Theme, icon_pixmap, number_font, ui_font
from hfviewer.panels.ticks import tick_step, tick_texts, tick_values
from hfviewer.quality.gaps import Gaps

AXIS_WIDTH = 50
AXIS_HEIGHT = 20
_CALM_MS = 120
_RIGHT = 8


class SignalPlot(QWidget):
    """Curves over a window of time. It owns no view: what shows is set from outside.

    Axes and grid are one picture, the curves are several side by side (`CurveTiles`), so that neither moving
    the playhead nor following it paints a curve twice.

    Args:
        theme: colours.
        has_time_axis: True for the lowest of several plots.
        parent: the panel's body.
    """

    resized = Signal()

    def __init__(self, theme: Theme, *, has_time_axis: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._has_time_axis = theme, has_time_axis
        self._series: list[Series] = []
        self._tiles = CurveTiles()
        self._window, self._origin_ns, self._relative = TimeWindow(0, 1), 0, False
        self._low, self._high = -1.0, 1.0
        self._gaps: Gaps | None = None
        self._playhead_ns = 0
        self._cursors: list[tuple[str, int]] = []
        self._axes: tuple[object, QPixmap] | None = None
        self._hurry = QTimer(self)  # runs while tiles are wanted one paint after the other: somebody scrubs
        self._hurry.setSingleShot(True)
        self._hurry.setInterval(_CALM_MS)
        self._hurry.timeout.connect(self._on_calm)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self.update)

    @property
    def series(self) -> list[Series]:
        return self._series

    @property
    def tiles_painted(self) -> int:
        """How many strips of curves were painted so far."""
        return self._tiles.painted

    @property
    def shown_window(self) -> TimeWindow:
        """What the width shows."""
        return self._window

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
            self.update()

    def show_series(self, series: list[Series], gaps: Gaps, timestamps_ns: NDArray[np.int64]) -> None:
        """Draw these lines.

        Args:
            series: in drawing order.
            gaps: hatched.
            timestamps_ns: int64[n] of all the series.
        """
        self._series, self._gaps = series, gaps
        self._tiles.set_series(series, gaps, timestamps_ns)
        self.update()

    def show_cursors(self, cursors: list[tuple[str, int]]) -> None:
        """Draw a line with a letter at each of these times, ns."""
        if cursors != self._cursors:
            self._cursors = list(cursors)
            self.update()

    def show_window(self, window: TimeWindow, playhead_ns: int, *, origin_ns: int, relative: bool) -> None:
        """Show this part of time.

        Args:
            window: not empty.
            playhead_ns: where the line stands.
            origin_ns: from where the labels count.
            relative: True where that is the playhead, so that labels carry a sign.
        """
        if (window, origin_ns, relative) == (self._window, self._origin_ns, self._relative):
            self._move_playhead(playhead_ns)
            return
        self._window, self._origin_ns, self._relative = window, origin_ns, relative
        self._playhead_ns = playhead_ns
        self.update()

    def _move_playhead(self, playhead_ns: int) -> None:
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
        self.update()
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        rect, tokens = self.plot_rect(), self._theme.tokens
        painted = self._tiles.painted
        with painting(self) as painter:
            painter.drawPixmap(0, 0, self._axes_picture(rect))
            painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
            self._tiles.draw(
                painter,
                rect,
                self._window,
                low=self._low,
                high=self._high,
                ratio=self.devicePixelRatioF(),
                tokens=tokens,
                hurry=self._hurry.isActive(),
            )
            if self._tiles.painted != painted:
                self._hurry.start()
            found = self._gap_at(self._playhead_ns)
            if found is None:
                self._paint_lost(painter, rect)
            self._paint_cursors(painter, rect)
            x = self._x(self._playhead_ns)
            if rect.left() <= x <= rect.right():
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(tokens.playhead, 1.5))
                painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom() + 1))
            if found is not None:
                self._paint_card(painter, rect, x, found)

    # -- inside ----------------------------------------------------------------------------------------------

    def _on_calm(self) -> None:
        """No more tiles were wanted for a moment: those painted in a hurry are painted well."""
        if self._tiles.is_coarse:
            self.update()

    def _axes_picture(self, rect: QRect) -> QPixmap:
        """Ground, grid and labels: the same while a view follows the playhead."""
        tokens, ratio = self._theme.tokens, self.devicePixelRatioF()
        key = (
            *(self.size(), ratio, tokens.dark, self._low, self._high, self._relative),
            *(self._window.start_ns - self._origin_ns, self._window.duration_ns),
        )
        if self._axes is None or self._axes[0] != key:
            picture = QPixmap(max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio)))
            picture.setDevicePixelRatio(ratio)
            picture.fill(tokens.bg1)
            with painting(picture) as painter:
                painter.fillRect(rect, tokens.bg0)
                self._paint_axes(painter, rect)
            self._axes = (key, picture)
        return self._axes[1]

    def _paint_axes(self, painter: QPainter, rect: QRect) -> None:
        tokens, font = self._theme.tokens, number_font(11)
        painter.setFont(font)
        most = max(1, rect.height() // 26)
        values = tick_values(self._low, self._high, most)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for value, text in zip(
            values, tick_texts(values, tick_step(self._high - self._low, most)), strict=True
        ):
            share = (value - self._low) / (self._high - self._low)
            y = round(rect.bottom() - share * (rect.height() - 1))
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

    def _x(self, time_ns: int) -> float:
        rect = self.plot_rect()
        return rect.left() + (time_ns - self._window.start_ns) / self._window.duration_ns * rect.width()

    def _paint_cursors(self, painter: QPainter, rect: QRect) -> None:
        tokens = self._theme.tokens
        painter.setFont(number_font(11, 700))
        for letter, at_ns in self._cursors:
            x = self._x(at_ns)
            if not rect.left() <= x <= rect.right():
                continue
            painter.setPen(QPen(tokens.accent, 1.4, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom() + 1))
            flag = QRectF(x - 7, rect.top(), 14, 14)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.accent)
            painter.drawRoundedRect(flag, 3, 3)
            painter.setPen(tokens.on_accent)
            painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, letter)

    def _gap_at(self, time_ns: int) -> int | None:
        if self._gaps is None:
            return None
        index = timing.index_at(self._gaps.start_ns, time_ns)
        return index if index is not None and time_ns < int(self._gaps.end_ns[index]) else None

    def _paint_lost(self, painter: QPainter, rect: QRect) -> None:
        """How many samples each gap lost, where there is room for it."""
        if self._gaps is None:
            return
        starts, stops, lost = shown_gaps(self._gaps, self._window)
        if not starts:
            return
        tokens, font = self._theme.tokens, number_font(11, 600)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        free_from = float(rect.left())
        for start_ns, stop_ns, count in zip(starts, stops, lost, strict=True):
            x0 = max(self._x(start_ns), rect.left() - 4.0)
            x1 = max(min(self._x(stop_ns), rect.right() + 4.0), x0 + 3)
            text = f"−{count}"
            width = metrics.horizontalAdvance(text) + 8
            left = (x0 + x1 - width) / 2 if x1 - x0 > width else x1 + 3
            if left >= free_from and left + width <= rect.right():
                label = QRectF(left, rect.top() + 3, width, 16)
                draw_card(painter, label, tokens)
                painter.setPen(tokens.warning)
                painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
                free_from = left + width

    def _paint_card(self, painter: QPainter, rect: QRect, x: float, index: int) -> None:
        """What was lost where the playhead is."""
        assert self._gaps is not None
        tokens, font = self._theme.tokens, ui_font(11, 600)
        length_ns = int(self._gaps.end_ns[index]) - int(self._gaps.start_ns[index])
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
