"""The widget that shows overview, ruler and lanes. The pointer's part is in `gestures`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.recording import Recording
from hfviewer.core.window import WindowGrid
from hfviewer.model.workspace import Workspace
from hfviewer.panels.drawing import one_line, painting
from hfviewer.panels.theme import Theme, kind_colour, with_alpha
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.body import Body, BodyKey, window_borders
from hfviewer.panels.timeline.card import HoverCard
from hfviewer.panels.timeline.fonts import TimelineFonts
from hfviewer.panels.timeline.gestures import Gestures
from hfviewer.panels.timeline.hover import ThumbnailSource, describe
from hfviewer.panels.timeline.lane import Lane, lanes_of, look_through
from hfviewer.panels.timeline.layout import (
    FEW_LANES,
    LANE_PX,
    NAMES_PX,
    OVERVIEW_PX,
    RULER_PX,
    TALL_LANE_PX,
    Area,
    TimelineLayout,
)
from hfviewer.panels.timeline.names import name_width, paint_names
from hfviewer.panels.timeline.overview import paint_box, paint_overview
from hfviewer.panels.timeline.scale import paint_playhead

PAGE_PERCENT = 10  # where the playhead comes back when playing leaves the view
_HOLD_FROM_PX = 8  # least distance of frames whose hold time is filled
_HOLD_SHARE = 0.17
_NO_WINDOWS = WindowGrid(0, 1, 0)


class TimelineCanvas(QWidget):
    """Overview, ruler, lanes and their names.

    Args:
        workspace: what is open, its playhead and the stream in focus.
        theme: the tokens in force.
        parent: as in Qt.
    """

    axis_changed = Signal()
    lanes_changed = Signal()  # how many there are, how high they stand or how far they are scrolled

    def __init__(self, workspace: Workspace, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._theme = theme
        self._fonts = TimelineFonts()
        self._axis: TimeAxis | None = None
        self._lanes: list[Lane] = []
        self._windows = _NO_WINDOWS
        self._severities: dict[str, Severity] = {}
        self._layout = TimelineLayout(self.width(), self.height(), 0)
        self._scan: Iterator[tuple[int, Lane] | None] = iter(())
        self._scan_timer = QTimer(self)
        self._scan_timer.timeout.connect(self._scan_on)
        self._generation = 0
        self._body: Body | None = None
        self._bodies_painted = 0
        self._overview: tuple[object, QImage] | None = None
        self._last_ns = workspace.playhead.position_ns
        self._hover_column: int | None = None
        self._thumbnails: ThumbnailSource | None = None
        self._card = HoverCard(theme, self)
        self._gestures = Gestures(self, workspace)
        self.setMouseTracking(True)
        self.setMinimumHeight(OVERVIEW_PX + RULER_PX + LANE_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self.update)
        workspace.time_display.changed.connect(self.update)
        workspace.focus_changed.connect(self._on_focus_changed)
        workspace.findings_changed.connect(self._on_findings_changed)
        workspace.playhead.moved.connect(self._on_playhead_moved)
        workspace.playhead.range_changed.connect(self.update)
        self._on_findings_changed(workspace.findings)

    @property
    def axis(self) -> TimeAxis | None:
        """The view; None while nothing is open, or nothing with frames."""
        return self._axis

    @property
    def parts(self) -> TimelineLayout:
        """Where everything lies."""
        return self._layout

    @property
    def lanes(self) -> Sequence[Lane]:
        return self._lanes

    @property
    def bodies_painted(self) -> int:
        """How often ruler and lanes were painted anew; the playhead's moves do not count."""
        return self._bodies_painted

    @property
    def card(self) -> HoverCard:
        return self._card

    def set_recording(self, recording: Recording | None) -> None:
        """Show the streams of a recording, all of it in view."""
        span = None if recording is None else recording.description.span
        self._lanes = [] if recording is None else lanes_of(recording)
        self._windows = _NO_WINDOWS if recording is None else recording.windows
        self._axis = None if span is None else TimeAxis.fitting(span, self._layout.time_px)
        self._scan = (
            iter(()) if recording is None or span is None else look_through(self._lanes, recording, span)
        )
        self._scan_timer.start(0)
        self._generation += 1
        self._last_ns = self._workspace.playhead.position_ns
        self._gestures.cancel()
        self.hide_hover()
        self._set_layout(TimelineLayout(self.width(), self.height(), len(self._lanes)))
        self.axis_changed.emit()

    def finish_scan(self) -> None:
        """Look for gaps at once instead of between events; for pictures that must be complete."""
        while self._scan_timer.isActive():
            self._scan_on()

    def set_thumbnails(self, source: ThumbnailSource | None) -> None:
        """Where the hover card gets small pictures from; asked on the GUI thread, so it must not wait."""
        self._thumbnails = source

    def set_axis(self, axis: TimeAxis) -> None:
        """Show another part of the recording."""
        if axis != self._axis:
            self._axis = axis
            self.hide_hover()
            self.update()
            self.axis_changed.emit()

    def scroll_to(self, scroll_px: int) -> None:
        """Scroll the lanes."""
        self._set_layout(replace(self._layout, scroll_px=scroll_px))

    def show_hover(self, point: QPoint) -> None:
        """Tell what lies under the pointer."""
        layout, axis = self._layout, self._axis
        area = layout.area_at(point)
        if axis is None or area not in (Area.LANES, Area.RULER):
            self.hide_hover()
            return
        self._hover_column = layout.column_of(point.x())
        index = layout.lane_at(point.y())
        lane = self._lanes[index] if area is Area.LANES and index is not None else None
        content = describe(
            axis,
            self._hover_column,
            self._workspace.playhead.position_ns,
            lane,
            self._thumbnails,
            times=self._workspace.time_display.format,
        )
        self._card.show_at(point, content, layout.body_rect)
        self.update()

    def hide_hover(self) -> None:
        """Tell nothing."""
        if self._hover_column is not None:
            self._hover_column = None
            self.update()
        self._card.dismiss()

    def sizeHint(self) -> QSize:
        lanes = max(1, len(self._lanes))
        lane_px = TALL_LANE_PX if lanes <= FEW_LANES else LANE_PX
        return QSize(900, OVERVIEW_PX + RULER_PX + lanes * lane_px)

    def _set_layout(self, layout: TimelineLayout) -> None:
        layout = replace(layout, scroll_px=max(0, min(layout.scroll_px, layout.max_scroll_px)))
        if layout != self._layout:
            self._layout = layout
            self.lanes_changed.emit()
        self.update()

    def _scan_on(self) -> None:
        try:
            found = next(self._scan)
        except StopIteration:
            self._scan_timer.stop()
            return
        if found is None:
            return
        index, lane = found
        changed = lane.marks.is_empty != self._lanes[index].marks.is_empty
        self._lanes[index] = lane
        if changed:
            self._generation += 1
            self.update()

    def _on_focus_changed(self, stream: str | None) -> None:
        index = next((i for i, lane in enumerate(self._lanes) if lane.name == stream), None)
        if index is not None:
            rect, top = self._layout.lanes_rect, self._layout.lane_top(index)
            below = top + self._layout.lane_px - rect.bottom() - 1
            above = rect.top() - top
            if above > 0 or below > 0:
                self.scroll_to(self._layout.scroll_px + (below if below > 0 else -above))
        self.update()

    def _on_findings_changed(self, findings: list[Finding]) -> None:
        order = list(Severity)
        self._severities = {}
        for finding in findings:
            if finding.stream is not None:
                worst = self._severities.get(finding.stream, finding.severity)
                self._severities[finding.stream] = min(worst, finding.severity, key=order.index)
        self.update()

    def _on_playhead_moved(self, position_ns: int) -> None:
        axis, playhead = self._axis, self._workspace.playhead
        # Only where playing itself leaves the view: someone who looks elsewhere is left alone.
        followed = playhead.playing and not self._gestures.busy
        if axis is not None and followed and self._last_ns in axis.view and position_ns not in axis.view:
            percent = PAGE_PERCENT if playhead.speed > 0 else 100 - PAGE_PERCENT
            self.set_axis(axis.bringing(position_ns, percent))
        self._last_ns = position_ns
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._set_layout(replace(self._layout, width_px=self.width(), height_px=self.height()))
        if self._axis is not None:
            self.set_axis(self._axis.resized(self._layout.time_px))

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self, smooth=True) as painter:
            tokens, layout, axis = self._theme.tokens, self._layout, self._axis
            position_ns = self._workspace.playhead.position_ns
            if axis is None:
                self._paint_empty(painter)
                return
            body = self._body_image(axis)
            painter.drawImage(layout.body_rect.topLeft(), body)
            painter.drawImage(layout.overview_rect.topLeft(), self._overview_image(axis))
            whole = axis.fitted()
            first, last = whole.column_at(axis.view.start_ns), whole.column_at(axis.view.stop_ns - 1)
            paint_box(painter, layout.overview_rect, first, last + 1, tokens)
            self._paint_hold(painter, axis, position_ns)
            if self._hover_column is not None:
                x = NAMES_PX + self._hover_column + 0.5
                painter.setPen(QPen(tokens.t3, 1, Qt.PenStyle.DotLine))
                painter.drawLine(QPointF(x, layout.lanes_rect.top()), QPointF(x, layout.height_px))
            times = self._workspace.time_display.format
            paint_playhead(painter, axis, layout, position_ns, times, tokens, self._fonts)
            paint_names(
                painter,
                layout,
                self._lanes,
                position_ns,
                focused=self._workspace.focused,
                severities=self._severities,
                windows=self._windows_text(axis),
                tokens=tokens,
                fonts=self._fonts,
            )

    def _paint_empty(self, painter: QPainter) -> None:
        tokens = self._theme.tokens
        painter.fillRect(self.rect(), tokens.bg1)
        painter.setPen(tokens.t3)
        painter.setFont(self._fonts.name)
        text = (
            "Open a recording to see its streams here."
            if self._workspace.recording is None
            else "This recording holds no frames."
        )
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, text)

    def _paint_hold(self, painter: QPainter, axis: TimeAxis, position_ns: int) -> None:
        layout = self._layout
        painter.save()
        painter.setClipRect(layout.lanes_rect)
        for index in layout.visible_lanes():
            lane = self._lanes[index]
            if lane.px_per_frame(axis.ns_per_px) < _HOLD_FROM_PX:
                continue
            hold = lane.hold_at(position_ns)
            if hold is None:
                continue
            columns = axis.columns_of(hold.start_ns, hold.stop_ns)
            top, pad = layout.lane_top(index), min(5, layout.lane_px // 8)
            held = QRect(NAMES_PX + columns.start, top + pad, len(columns), layout.lane_px - 2 * pad)
            painter.fillRect(held, with_alpha(kind_colour(self._theme.tokens, lane.kind), _HOLD_SHARE))
        painter.restore()

    def _body_image(self, axis: TimeAxis) -> QImage:
        playhead = self._workspace.playhead
        key = BodyKey(
            axis,
            self._layout,
            self.devicePixelRatioF(),
            playhead.in_ns,
            playhead.out_ns,
            self._theme.dark,
            self._workspace.time_display.format,
            self._generation,
        )
        if self._body is None or self._body.key != key:
            self._bodies_painted += 1
            self._body = Body(key, self._lanes, self._windows, self._theme.tokens, self._fonts)
        return self._body.image

    def _overview_image(self, axis: TimeAxis) -> QImage:
        ratio = self.devicePixelRatioF()
        key = (axis.span, axis.width_px, ratio, self._theme.dark, self._generation)
        if self._overview is None or self._overview[0] != key:
            image = paint_overview(axis.fitted(), self._lanes, self._theme.tokens, ratio)
            self._overview = (key, image)
        return self._overview[1]

    def _windows_text(self, axis: TimeAxis) -> str:
        if window_borders(self._windows, axis) is None:
            return "Time"
        milliseconds = self._windows.window_ns / 1e6
        return f"Windows {milliseconds:g} ms"

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self._layout.lane_at(event.pos().y()) if event.pos().x() < NAMES_PX else None
            lane = None if index is None else self._lanes[index]
            name = "" if lane is None else one_line(lane.name)
            if lane is not None and self._fonts.elided(name, name_width(lane, self._fonts)) != name:
                QToolTip.showText(event.globalPos(), name, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._gestures.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._gestures.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._gestures.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._gestures.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._gestures.wheel(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.hide_hover()
