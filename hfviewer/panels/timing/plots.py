"""The plots of the page of timing: painted by hand, a column of pixels at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from hfviewer.core.stream import StreamKind
from hfviewer.core.time_format import TimeFormat
from hfviewer.core.window import TimeWindow
from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import Theme, kind_colour, number_font, ui_font, with_alpha
from hfviewer.panels.ticks import tick_step, tick_texts, tick_values
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.scale import ruler_of
from hfviewer.panels.timing.figures import Histogram, Series

_LEFT_PX, _RIGHT_PX, _TOP_PX, _BOTTOM_PX = 68, 16, 30, 22
_TICK_EVERY_PX = 34
_VALUE_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_VALUE_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class Plot(QWidget):
    """A title, a frame with ticks on its left, and what lies under the pointer on the right."""

    def __init__(self, title: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._theme = title, theme
        self._note = ""
        self._read_out = ""
        self._kind = StreamKind.SIGNAL
        self._title_font, self._note_font, self._font = ui_font(12, 600), ui_font(12), number_font(11)
        self.setMouseTracking(True)
        self.setMinimumHeight(110)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.update)

    @property
    def area(self) -> QRect:
        """Where the data is drawn."""
        return self.rect().adjusted(_LEFT_PX, _TOP_PX, -_RIGHT_PX, -_BOTTOM_PX)

    @property
    def read_out(self) -> str:
        """What lies under the pointer."""
        return self._read_out

    def set_kind(self, kind: StreamKind) -> None:
        """Draw in the colour of a stream of this kind."""
        self._kind = kind
        self.update()

    @property
    def _colour(self) -> QColor:
        return kind_colour(self._theme.tokens, self._kind)

    def set_note(self, note: str) -> None:
        """One line beside the title."""
        self._note = note
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(640, 180)

    def _tell(self, text: str) -> None:
        if text != self._read_out:
            self._read_out = text
            self.update()

    def _paint_frame(self, painter: QPainter, ticks: Sequence[tuple[float, str]], *, empty: str) -> None:
        """Ground, title, and grid lines at heights from 0 (below) to 1."""
        tokens, area = self._theme.tokens, self.area
        painter.fillRect(self.rect(), tokens.bg1)
        painter.fillRect(area, tokens.bg0)
        head = QRect(_LEFT_PX, 4, area.width(), _TOP_PX - 6)
        painter.setFont(self._title_font)
        painter.setPen(tokens.t1)
        painter.drawText(head, _VALUE_LEFT, self._title)
        shift = painter.fontMetrics().horizontalAdvance(self._title) + 12
        painter.setFont(self._font)
        read_px = painter.fontMetrics().horizontalAdvance(self._read_out) + 12
        painter.setPen(tokens.t1)
        painter.drawText(head, _VALUE_RIGHT, self._read_out)
        painter.setFont(self._note_font)
        painter.setPen(tokens.t3)
        room = head.adjusted(shift, 0, -read_px, 0)
        note = painter.fontMetrics().elidedText(self._note, Qt.TextElideMode.ElideRight, max(0, room.width()))
        painter.drawText(room, _VALUE_LEFT, note)
        painter.setFont(self._font)
        for height, text in ticks:
            y = area.bottom() - height * (area.height() - 1)
            painter.fillRect(QRectF(area.left(), y, area.width(), 1), tokens.line)
            painter.setPen(tokens.t3)
            painter.drawText(QRectF(0, y - 9, _LEFT_PX - 8, 18), _VALUE_RIGHT, text)
        if empty:
            painter.setFont(self._note_font)
            painter.setPen(tokens.t3)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, empty)

    def leaveEvent(self, event: QEvent) -> None:
        self._tell("")


class HistogramPlot(Plot):
    """Bars for the lengths of intervals; their heights are logarithmic, so that a single one still shows."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("Intervals, ms", theme, parent)
        self._histogram: Histogram | None = None
        self._period_ms: float | None = None

    def set_histogram(self, histogram: Histogram | None, period_ns: int | None) -> None:
        self._histogram = histogram
        self._period_ms = None if period_ns is None else period_ns / 1e6
        self._read_out = ""
        beyond = []
        if histogram is not None:
            if histogram.shorter:
                beyond.append(f"{histogram.shorter} shorter")
            if histogram.longer:
                beyond.append(f"{histogram.longer} longer")
        self.set_note(
            "number of intervals, logarithmic" + (f" · not shown: {', '.join(beyond)}" if beyond else "")
        )

    def bar_at(self, point: QPoint) -> int | None:
        """The bar in a place, if there is one."""
        if self._histogram is None or not self.area.contains(point):
            return None
        bars = len(self._histogram.counts)
        return min(bars - 1, (point.x() - self.area.left()) * bars // self.area.width())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        bar, histogram = self.bar_at(event.position().toPoint()), self._histogram
        if bar is None or histogram is None:
            self._tell("")
            return
        first = histogram.first_ms + bar * histogram.step_ms
        count = int(histogram.counts[bar])
        self._tell(f"{first:.3f} to {first + histogram.step_ms:.3f} ms: {count}")

    def paintEvent(self, event: QPaintEvent) -> None:
        histogram, area = self._histogram, self.area
        with painting(self) as painter:
            if histogram is None:
                self._paint_frame(painter, [], empty="Fewer than two frames")
                return
            top = max(1.0, float(np.log10(1 + histogram.counts.max())) * 1.05)
            decades = [10**power for power in range(int(top) + 1)]
            ticks = [(float(np.log10(1 + count)) / top, str(count)) for count in decades]
            self._paint_frame(painter, ticks, empty="")
            bars, colour = len(histogram.counts), self._colour
            for bar, count in enumerate(histogram.counts.tolist()):
                if count:
                    left = area.left() + area.width() * bar // bars
                    right = area.left() + area.width() * (bar + 1) // bars
                    height = max(2, round(float(np.log10(1 + count)) / top * (area.height() - 1)))
                    wide = max(1, right - left - 1)
                    painter.fillRect(left, area.bottom() + 1 - height, wide, height, colour)
            self._paint_lengths(painter, histogram)

    def _paint_lengths(self, painter: QPainter, histogram: Histogram) -> None:
        tokens, area = self._theme.tokens, self.area
        span = histogram.last_ms - histogram.first_ms

        def x_of(milliseconds: float) -> float:
            return area.left() + (milliseconds - histogram.first_ms) / span * area.width()

        most = max(2, area.width() // 90)
        values = tick_values(histogram.first_ms, histogram.last_ms, most)
        texts = tick_texts(values, tick_step(span, most))
        painter.setFont(self._font)
        painter.setPen(tokens.t3)
        for value, text in zip(values, texts, strict=True):
            painter.drawText(
                QRectF(x_of(value) - 40, area.bottom() + 2, 80, 18), Qt.AlignmentFlag.AlignCenter, text
            )
        if self._period_ms is not None and histogram.first_ms <= self._period_ms <= histogram.last_ms:
            painter.setPen(QPen(tokens.t2, 1, Qt.PenStyle.DashLine))
            x = x_of(self._period_ms)
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))


class SeriesPlot(Plot):
    """A curve over time, lowest to highest value in each column; a click moves the playhead there.

    What lies beyond the range is drawn at its edge in the colour of warnings, and flattens nothing.
    """

    clicked = Signal(object)  # int, ns

    def __init__(self, title: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(title, theme, parent)
        self._series: Series | None = None
        self._axis: TimeAxis | None = None
        self._times: TimeFormat | None = None
        self._playhead_ns = 0
        self._empty = ""

    @property
    def axis(self) -> TimeAxis | None:
        """What is shown."""
        return None if self._axis is None else self._axis.resized(max(1, self.area.width()))

    def set_series(self, series: Series | None, *, empty: str) -> None:
        """Show a curve; None: say why there is none."""
        self._series, self._empty, self._read_out = series, empty if series is None else "", ""
        self.update()

    def set_view(self, span: TimeWindow, view: TimeWindow, times: TimeFormat) -> None:
        """Show a part of the recording."""
        self._axis = TimeAxis.fitting(span, max(1, self.area.width())).showing(view.start_ns, view.stop_ns)
        self._times = times
        self.update()

    def set_playhead(self, position_ns: int) -> None:
        self._playhead_ns = position_ns
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        axis, point = self.axis, event.position().toPoint()
        if axis is not None and event.button() is Qt.MouseButton.LeftButton and self.area.contains(point):
            self.clicked.emit(self._time_at(axis, point))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        axis, point, series = self.axis, event.position().toPoint(), self._series
        if axis is None or series is None or self._times is None or not self.area.contains(point):
            self._tell("")
            return
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.clicked.emit(self._time_at(axis, point))
        time_ns = self._time_at(axis, point)
        index = int(series.times_ns.searchsorted(time_ns))
        near = [i for i in (index - 1, index) if 0 <= i < len(series.times_ns)]
        if near:
            best = min(near, key=lambda i: abs(int(series.times_ns[i]) - time_ns))
            when = self._times.with_unit(int(series.times_ns[best]))
            self._tell(f"{when}  {series.values_ms[best]:+.3f} ms".replace("-", "−"))

    def _time_at(self, axis: TimeAxis, point: QPoint) -> int:
        return axis.time_at(point.x() - self.area.left())

    def paintEvent(self, event: QPaintEvent) -> None:
        series, axis, times = self._series, self.axis, self._times
        with painting(self, smooth=True) as painter:
            if series is None or axis is None or times is None:
                self._paint_frame(painter, [], empty=self._empty)
                return
            low, high = series.range_ms
            most = max(2, self.area.height() // _TICK_EVERY_PX)
            values = tick_values(low, high, most)
            texts = tick_texts(values, tick_step(high - low, most), signed=True)
            ticks = [((v - low) / (high - low), text) for v, text in zip(values, texts, strict=True)]
            self._paint_frame(painter, ticks, empty="")
            self._paint_curve(painter, series, axis, low, high)
            self._paint_times(painter, axis, times)

    def _paint_curve(
        self, painter: QPainter, series: Series, axis: TimeAxis, low: float, high: float
    ) -> None:
        tokens, area = self._theme.tokens, self.area
        lows, highs = series.columns(axis.edges_ns())
        scale = (area.height() - 1) / (high - low)
        some = np.flatnonzero(~np.isnan(lows))
        tops = np.clip(area.bottom() - (highs[some] - low) * scale, area.top(), area.bottom())
        bottoms = np.clip(area.bottom() - (lows[some] - low) * scale, area.top(), area.bottom())
        painter.save()
        painter.setClipRect(area)
        wide = 3 if len(some) < area.width() // 3 else 2
        rows = zip(some.tolist(), tops.tolist(), bottoms.tolist(), strict=True)
        colour = self._colour
        for column, top, bottom in rows:
            height = max(3.0, bottom - top)
            painter.fillRect(QRectF(area.left() + column - 1, top - 1.5, wide, height), colour)
        for beyond, y in ((highs[some] > high, area.top()), (lows[some] < low, area.bottom() - 4)):
            for column in some[beyond].tolist():
                painter.fillRect(area.left() + column - 1, y, 3, 5, tokens.warning)
        painter.restore()

    def _paint_times(self, painter: QPainter, axis: TimeAxis, times: TimeFormat) -> None:
        tokens, area = self._theme.tokens, self.area
        ruler = ruler_of(axis, times)
        painter.setFont(self._font)
        for time_ns in ruler.labelled(axis.view):
            x = area.left() + axis.column_at(time_ns)
            painter.fillRect(QRectF(x, area.top(), 1, area.height()), with_alpha(tokens.line, 0.6))
            painter.setPen(tokens.t3)
            text = ruler.label(time_ns)
            if x + painter.fontMetrics().horizontalAdvance(text) // 2 <= self.width():
                painter.drawText(
                    QRectF(x - 80, area.bottom() + 2, 160, 18), Qt.AlignmentFlag.AlignCenter, text
                )
        column = axis.column_at(self._playhead_ns)
        if 0 <= column < axis.width_px:
            painter.fillRect(
                QRectF(area.left() + column - 0.25, area.top(), 1.5, area.height()), tokens.playhead
            )
