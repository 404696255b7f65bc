"""The plots of the page of timing: an interval histogram, and a curve over time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from hfviewer.core.stream import StreamKind
from hfviewer.core.time_format import TimeFormat
from hfviewer.core.window import TimeWindow
from hfviewer.panels.menus import MenuMaker
from hfviewer.panels.panel_menu import popup_menu
from hfviewer.panels.theme import Theme, kind_colour, ui_font
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.ruler import Ruler
from hfviewer.panels.timeline.scale import PLAYHEAD_PX, ruler_of
from hfviewer.panels.timing.figures import Histogram, Series
from hfviewer.panels.timing.plot_parts import ClockAxis, PlotArea, PlotHead, ValueAxis

_DOT_PX = 3.0


class Plot(QWidget):
    """A head, and a plot below it.

    Args:
        title: in the head.
        theme: the tokens in force.
        bottom: the axis below.
        left: the axis on the left.
        scrubs: True where the left button sets the playhead, False where it pans.
    """

    def __init__(
        self, title: str, theme: Theme, *, bottom: pg.AxisItem, left: pg.AxisItem, scrubs: bool
    ) -> None:
        super().__init__()
        self._theme, self._kind = theme, StreamKind.SIGNAL
        self._grid = ("left", "bottom") if scrubs else ("left",)  # bars need no lines between them
        self._head = PlotHead(title, theme)
        self.canvas = PlotArea(theme, bottom=bottom, left=left, scrubs=scrubs)
        self._empty = QLabel(self.canvas)
        self._empty.setFont(ui_font(12))
        self._empty.setTextFormat(Qt.TextFormat.PlainText)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(self.canvas, 1)
        self.canvas.hovered.connect(self._on_hovered)
        self.canvas.left.connect(lambda: self._head.tell(""))
        self.canvas.menu_wanted.connect(lambda place: popup_menu(self, self.menu_actions(), place))
        self.canvas.box.sigResized.connect(self._on_resized)
        theme.changed.connect(self._restyle)

    @property
    def area(self) -> QRect:
        """Where the data is drawn, within `canvas`."""
        return self.canvas.area

    @property
    def read_out(self) -> str:
        """What lies under the pointer."""
        return self._head.read_out

    def set_kind(self, kind: StreamKind) -> None:
        """Draw in the colour of a stream of this kind."""
        self._kind = kind
        self._restyle()

    def set_note(self, note: str) -> None:
        """One line beside the title."""
        self._head.set_note(note)

    def menu_actions(self) -> list[QAction]:
        """What its menu offers."""
        raise NotImplementedError

    def sizeHint(self) -> QSize:
        return QSize(640, 180)

    @property
    def _colour(self) -> QColor:
        return kind_colour(self._theme.tokens, self._kind)

    def _say_empty(self, text: str) -> None:
        """Say why nothing is drawn; with an empty text there is something."""
        self._empty.setText(text)
        self._head.tell("")
        for side in ("left", "bottom"):
            self.canvas.getAxis(side).setStyle(showValues=not text)
            self.canvas.getAxis(side).setGrid(255 if side in self._grid and not text else False)

    def _on_hovered(self, at: QPoint) -> None:
        self._head.tell(self._text_at(at) if self.area.contains(at) else "")

    def _on_resized(self) -> None:
        self._empty.setGeometry(self.area)

    def _text_at(self, at: QPoint) -> str:
        raise NotImplementedError

    def _restyle(self) -> None:
        self._empty.setStyleSheet(f"color: {self._theme.tokens.t3.name()}")


class HistogramPlot(Plot):
    """Bars for the lengths of intervals; their heights are logarithmic, so that a single one still shows."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            "Intervals, ms", theme, bottom=ValueAxis("bottom"), left=ValueAxis("left"), scrubs=False
        )
        self._histogram: Histogram | None = None
        self._bars = pg.BarGraphItem(x=[], height=[], width=1.0, pen=None)
        self._period = pg.InfiniteLine(angle=90)
        for item in (self._bars, self._period):
            self.canvas.addItem(item, ignoreBounds=True)
        self.set_histogram(None, None)
        self._restyle()

    def set_histogram(self, histogram: Histogram | None, period_ns: int | None) -> None:
        self._histogram = histogram
        self._say_empty("Fewer than two frames" if histogram is None else "")
        self._bars.setVisible(histogram is not None)
        self._period.setVisible(histogram is not None and period_ns is not None)
        beyond = []
        if histogram is not None:
            if histogram.shorter:
                beyond.append(f"{histogram.shorter} shorter")
            if histogram.longer:
                beyond.append(f"{histogram.longer} longer")
            self._draw(histogram)
        if period_ns is not None:
            self._period.setValue(period_ns / 1e6)
        self.set_note(
            "number of intervals, logarithmic" + (f" · not shown: {', '.join(beyond)}" if beyond else "")
        )

    def bar_at(self, point: QPoint) -> int | None:
        """The bar in a place of the canvas, if there is one."""
        histogram, area = self._histogram, self.area
        if histogram is None or not area.contains(point):
            return None
        low, high = self.canvas.box.viewRange()[0]
        length_ms = low + (point.x() - area.left()) / area.width() * (high - low)
        bar = int((length_ms - histogram.first_ms) // histogram.step_ms)
        return bar if 0 <= bar < len(histogram.counts) else None

    def menu_actions(self) -> list[QAction]:
        return [MenuMaker(self).entry("All lengths", self._show_all, enabled=self._histogram is not None)]

    def _draw(self, histogram: Histogram) -> None:
        heights = np.log10(1.0 + histogram.counts)
        lefts = histogram.first_ms + histogram.step_ms * np.arange(len(heights))
        self._bars.setOpts(x0=lefts, width=0.92 * histogram.step_ms, height=heights)
        top = max(1.0, float(heights.max()) * 1.05)
        decades = [10**power for power in range(int(top) + 1)]
        self.canvas.getAxis("left").setTicks([[(float(np.log10(1 + n)), str(n)) for n in decades]])
        self.canvas.setYRange(0.0, top, padding=0)
        self._show_all()

    def _show_all(self) -> None:
        if self._histogram is not None:
            first, last = self._histogram.first_ms, self._histogram.last_ms
            self.canvas.box.setLimits(xMin=first, xMax=last, minXRange=self._histogram.step_ms)
            self.canvas.setXRange(first, last, padding=0)

    def _text_at(self, at: QPoint) -> str:
        bar, histogram = self.bar_at(at), self._histogram
        if bar is None or histogram is None:
            return ""
        first = histogram.first_ms + bar * histogram.step_ms
        return f"{first:.3f} to {first + histogram.step_ms:.3f} ms: {int(histogram.counts[bar])}"

    def _restyle(self) -> None:
        super()._restyle()
        self._bars.setOpts(brush=self._colour)
        self._period.setPen(pg.mkPen(self._theme.tokens.t2, style=Qt.PenStyle.DashLine))


class SeriesPlot(Plot):
    """A curve over time, lowest to highest value in each column; a click moves the playhead there.

    What lies beyond the range is drawn at its edge in the colour of warnings, and flattens nothing. pyqtgraph
    counts seconds since the recording's start; what is shown is kept beside it, exactly.
    """

    clicked = Signal(object)  # int, ns
    zoomed = Signal(object)  # TimeWindow: what the user wants to see

    def __init__(self, title: str, theme: Theme) -> None:
        bottom, left = ClockAxis(self._shown, self._place), ValueAxis("left", signed=True)
        super().__init__(title, theme, bottom=bottom, left=left, scrubs=True)
        self._series: Series | None = None
        self._axis: TimeAxis | None = None
        self._times: TimeFormat | None = None
        self._whole, self._playhead_ns = False, 0
        self._curve = pg.PlotCurveItem()
        self._beyond = pg.ScatterPlotItem(symbol="s", size=5, pen=None)
        self._playhead = pg.InfiniteLine(angle=90)
        for item in (self._curve, self._beyond, self._playhead):
            self.canvas.addItem(item, ignoreBounds=True)
        self.canvas.pressed.connect(self._on_pressed)
        self.canvas.box.sigRangeChangedManually.connect(self._on_zoomed)
        self._restyle()

    @property
    def axis(self) -> TimeAxis | None:
        """What is shown."""
        return None if self._axis is None else self._axis.resized(max(1, self.area.width()))

    def set_series(self, series: Series | None, *, empty: str) -> None:
        """Show a curve; None: say why there is none."""
        self._series = series
        self._say_empty(empty if series is None else "")
        self._draw()

    def set_view(self, span: TimeWindow, view: TimeWindow, times: TimeFormat) -> None:
        """Show a part of the recording."""
        self._axis = TimeAxis.fitting(span, max(1, self.area.width())).showing(view.start_ns, view.stop_ns)
        self._times = times
        shown = self._axis.view
        self.canvas.setXRange(self._place(shown.start_ns), self._place(shown.stop_ns), padding=0)
        self.canvas.box.updateMatrix()  # the wheel zooms about what it says, also before the next painting
        self.canvas.getAxis("bottom").picture = None  # the same range may have other labels now
        self._draw()

    def set_playhead(self, position_ns: int) -> None:
        self._playhead_ns = position_ns
        if self.axis is not None:  # in the middle of its column, so that the first one shows it, too
            self._playhead.setValue(self._middle(self.axis, self.axis.column_at(position_ns)))

    def show_whole(self, whole: bool) -> None:
        """Show every value, or only those that nearly all are among."""
        self._whole = whole
        self._draw()

    def menu_actions(self) -> list[QAction]:
        make, axis = MenuMaker(self), self._axis
        some = self._series is not None and axis is not None
        return [
            make.entry("Whole recording", self._show_all, enabled=some),
            make.entry(
                "Every value", lambda: self.show_whole(not self._whole), checked=self._whole, enabled=some
            ),
        ]

    def _shown(self) -> tuple[TimeAxis, Ruler] | None:
        axis, times = self.axis, self._times
        return None if axis is None or times is None else (axis, ruler_of(axis, times))

    def _place(self, at_ns: int) -> float:
        """Where a time lies in the plot, in seconds since the recording's start."""
        return 0.0 if self._axis is None else (at_ns - self._axis.span.start_ns) / 1e9

    def _middle(self, axis: TimeAxis, columns: Any) -> Any:
        """Where the middle of a column lies in the plot."""
        column_s = axis.view.duration_ns / 1e9 / axis.width_px
        return self._place(axis.view.start_ns) + (columns + 0.5) * column_s

    def _show_all(self) -> None:
        if self._axis is not None:
            self.zoomed.emit(self._axis.span)

    def _on_zoomed(self, _mask: object) -> None:
        if self._axis is None:
            return
        start_s, stop_s = self.canvas.box.viewRange()[0]
        start_ns = self._axis.span.start_ns + round(start_s * 1e9)
        stop_ns = self._axis.span.start_ns + round(stop_s * 1e9)
        self.zoomed.emit(self._axis.showing(start_ns, stop_ns).view)

    def _on_resized(self) -> None:
        super()._on_resized()
        self._draw()

    def _on_pressed(self, at: QPoint) -> None:
        if self.axis is not None:
            self.clicked.emit(self._time_at(self.axis, at))

    def _text_at(self, at: QPoint) -> str:
        axis, series = self.axis, self._series
        if axis is None or series is None or self._times is None:
            return ""
        time_ns = self._time_at(axis, at)
        index = int(series.times_ns.searchsorted(time_ns))
        near = [i for i in (index - 1, index) if 0 <= i < len(series.times_ns)]
        if not near:
            return ""
        best = min(near, key=lambda i: abs(int(series.times_ns[i]) - time_ns))
        when = self._times.with_unit(int(series.times_ns[best]))
        return f"{when}  {series.values_ms[best]:+.3f} ms".replace("-", "−")

    def _time_at(self, axis: TimeAxis, point: QPoint) -> int:
        return axis.time_at(point.x() - self.area.left())

    def _draw(self) -> None:
        """Draw what each column of the view holds: never more marks than columns, however many values."""
        series, axis = self._series, self.axis
        for item in (self._curve, self._beyond, self._playhead):
            item.setVisible(series is not None and axis is not None)
        if series is None or axis is None:
            return
        self.set_playhead(self._playhead_ns)
        low, high = series.range_of(whole=self._whole)
        self.canvas.setYRange(low, high, padding=0)
        lows, highs = series.columns(axis.edges_ns())
        some = np.flatnonzero(~np.isnan(lows))
        lows, highs = lows[some], highs[some]
        places = self._middle(axis, some)
        dot = _DOT_PX / 2 * (high - low) / max(1, self.area.height())
        wide = _DOT_PX if len(some) < axis.width_px // 3 else 2
        pen = pg.mkPen(self._colour, width=wide)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        self._curve.setPen(pen)
        ends = np.column_stack((np.maximum(lows, low) - dot, np.minimum(highs, high) + dot)).ravel()
        self._curve.setData(np.repeat(places, 2), ends, connect="pairs")
        above, below = highs > high, lows < low
        edge = 2.5 * dot
        at = np.concatenate((places[above], places[below]))
        heights = [high - edge] * int(above.sum()) + [low + edge] * int(below.sum())
        self._beyond.setData(at, heights)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._draw()

    def _restyle(self) -> None:
        super()._restyle()
        tokens = self._theme.tokens
        self._beyond.setBrush(tokens.warning)
        self._playhead.setPen(pg.mkPen(tokens.playhead, width=PLAYHEAD_PX))
        self._draw()
