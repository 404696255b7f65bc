"""The widget that shows overview, ruler, findings, lanes and tracks. The pointer's part is in `gestures`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from hfviewer.core.finding import Finding
from hfviewer.core.recording import Recording
from hfviewer.core.window import WindowGrid
from hfviewer.model.workspace import Workspace
from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import Theme
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.body import BodyKey, windows_text
from hfviewer.panels.timeline.card import HoverCard
from hfviewer.panels.timeline.fonts import TimelineFonts
from hfviewer.panels.timeline.gestures import Gestures
from hfviewer.panels.timeline.hover import ThumbnailSource, describe, describe_finding
from hfviewer.panels.timeline.lane import Lane
from hfviewer.panels.timeline.lanes import Lanes
from hfviewer.panels.timeline.layout import (
    FEW_LANES,
    LANE_PX,
    LANE_PX_RANGE,
    NAMES_PX,
    TALL_LANE_PX,
    TOP_PX,
    TRACKS_GAP_PX,
    Area,
    TimelineLayout,
)
from hfviewer.panels.timeline.moving import (
    Guide,
    paint_empty,
    paint_guide,
    paint_holds,
    paint_insertion,
    paint_track_names,
    paint_tracks,
)
from hfviewer.panels.timeline.names import NamesKey, lane_tip, paint_numbers, worst_of_each
from hfviewer.panels.timeline.overview import paint_box
from hfviewer.panels.timeline.pictures import Content, Pictures
from hfviewer.panels.timeline.scale import paint_playhead
from hfviewer.panels.timeline.strip import StripMarks, strip_title
from hfviewer.panels.timeline.track_row import TrackRow
from hfviewer.panels.tips import plain_tip

PAGE_PERCENT = 10  # where the playhead comes back when playing leaves the view
_NO_WINDOWS = WindowGrid(0, 1, 0)


class TimelineCanvas(QWidget):
    """Overview, ruler, findings, lanes, the tracks below them, and their names.

    Args:
        workspace: what is open, its playhead and the stream in focus.
        theme: the tokens in force.
        parent: as in Qt.
    """

    axis_changed = Signal()
    lanes_changed = Signal()  # how many there are, how high they stand or how far they are scrolled
    finding_clicked = Signal(object)  # Finding
    lane_menu_wanted = Signal(object, QPoint)  # name of a stream or None, place on the screen

    def __init__(self, workspace: Workspace, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace, self._theme = workspace, theme
        self._fonts = TimelineFonts()
        self._axis: TimeAxis | None = None
        self._lanes = Lanes(self)
        self._tracks: list[TrackRow] = []
        self._windows = _NO_WINDOWS
        self._strip = StripMarks.of([])
        self._severities = worst_of_each([])
        self._layout = TimelineLayout(self.width(), self.height(), 0)
        self._generation = self._findings_seen = 0
        self._pictures = Pictures()
        self._last_ns = workspace.playhead.position_ns
        self._hover_column: int | None = None
        self._guide: Guide | None = None
        self._insertion: int | None = None
        self._thumbnails: ThumbnailSource | None = None
        self._card = HoverCard(theme, self)
        self._gestures = Gestures(self, workspace)
        self.setMouseTracking(True)
        self.setMinimumHeight(TOP_PX + LANE_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self.update)
        self._lanes.arranged.connect(self._on_arranged)
        self._lanes.marks_found.connect(self._on_marks_found)
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
        """Those that are shown, from top to bottom."""
        return self._lanes.shown

    @property
    def arrangement(self) -> Lanes:
        """All lanes, and how they are arranged."""
        return self._lanes

    @property
    def strip(self) -> StripMarks:
        """The findings that have a time."""
        return self._strip

    @property
    def tracks(self) -> Sequence[TrackRow]:
        """The rows below the lanes."""
        return self._tracks

    @property
    def bodies_painted(self) -> int:
        """How often ruler and lanes were painted anew; the playhead's moves do not count."""
        return self._pictures.bodies_painted

    @property
    def card(self) -> HoverCard:
        return self._card

    def set_recording(self, recording: Recording | None) -> None:
        """Show the streams of a recording, all of it in view."""
        span = None if recording is None else recording.description.span
        self._windows = _NO_WINDOWS if recording is None else recording.windows
        self._axis = None if span is None else TimeAxis.fitting(span, self._layout.time_px)
        self._last_ns = self._workspace.playhead.position_ns
        self._gestures.cancel()
        self.hide_hover()
        self._lanes.set_recording(recording)
        self.axis_changed.emit()

    def finish_scan(self) -> None:
        """Look for gaps at once instead of between events; for pictures that must be complete."""
        self._lanes.finish()

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

    def scroll_tracks_to(self, scroll_px: int) -> None:
        """Scroll the rows below the lanes."""
        self._set_layout(replace(self._layout, tracks_scroll_px=scroll_px))

    def set_lane_height(self, lane_px: int | None) -> None:
        """Make lanes higher or lower; None: as high as room allows."""
        least, most = LANE_PX_RANGE
        set_px = None if lane_px is None else max(least, min(lane_px, most))
        self._set_layout(replace(self._layout, set_lane_px=set_px))

    # -- tracks ----------------------------------------------------------------------------------------------

    def set_tracks(self, tracks: Sequence[TrackRow]) -> None:
        """Rows to show below the lanes, from top to bottom."""
        self._gestures.cancel()
        self._tracks = list(tracks)
        self.refresh_tracks()

    def refresh_tracks(self) -> None:
        """A row looks different now, or asks for another height."""
        self._set_layout(replace(self._layout, tracks=tuple(row.height_px for row in self._tracks)))

    def show_track(self, track: int) -> None:
        """Bring a row below the lanes into sight."""
        if 0 <= track < len(self._layout.tracks):
            self.scroll_tracks_to(self._layout.scroll_showing(track))

    @property
    def tracks_px(self) -> int:
        """How high all rows below the lanes are together."""
        return sum(self._layout.tracks) + TRACKS_GAP_PX if self._layout.tracks else 0

    def cancel_drag(self) -> bool:
        """Break off what the pointer is doing; False where it does nothing."""
        busy = self._gestures.busy
        self._gestures.cancel()
        return busy

    # -- pointing --------------------------------------------------------------------------------------------

    def show_guide(self, guide: Guide | None) -> None:
        """Mark the frame that an edge snaps to while it is dragged."""
        if guide != self._guide:
            self._guide = guide
            self.update()

    def show_insertion(self, edge: int | None) -> None:
        """Mark where a dragged lane would go: above the lane of that number."""
        if edge != self._insertion:
            self._insertion = edge
            self.update()

    def show_hover(self, point: QPoint) -> None:
        """Tell what lies under the pointer."""
        layout, axis = self._layout, self._axis
        area = layout.area_at(point)
        if axis is None or area not in (Area.LANES, Area.RULER, Area.STRIP, Area.TRACKS):
            self.hide_hover()
            return
        column = self._hover_column = layout.column_of(point.x())
        position_ns, times = self._workspace.playhead.position_ns, self._workspace.time_display.format
        index = layout.lane_at(point.y()) if area is Area.LANES else None
        lane = None if index is None else self.lanes[index]
        content = describe(axis, column, position_ns, lane, self._thumbnails, times=times)
        finding = self._strip.at(axis, column) if area is Area.STRIP else None
        if finding is not None:
            found = self._lanes.lane(finding.stream)
            content = describe_finding(finding, None if found is None else found.kind, times)
        elif area is Area.TRACKS:
            content = self._gestures.track_card(point) or content
        self._card.show_at(point, content, self.rect().adjusted(NAMES_PX, 0, 0, 0))
        self.update()

    def hide_hover(self) -> None:
        """Tell nothing."""
        if self._hover_column is not None:
            self._hover_column = None
            self.update()
        self._card.dismiss()

    # -- inside ----------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        lanes = max(1, len(self.lanes))
        lane_px = self._layout.set_lane_px or (TALL_LANE_PX if lanes <= FEW_LANES else LANE_PX)
        return QSize(900, TOP_PX + lanes * lane_px + self.tracks_px)

    def _set_layout(self, layout: TimelineLayout) -> None:
        layout = replace(
            layout,
            scroll_px=max(0, min(layout.scroll_px, layout.max_scroll_px)),
            tracks_scroll_px=max(0, min(layout.tracks_scroll_px, layout.max_tracks_scroll_px)),
        )
        if layout != self._layout:
            self._layout = layout
            self.lanes_changed.emit()
        self.update()

    def _on_arranged(self) -> None:
        self._generation += 1
        self.hide_hover()
        self._set_layout(replace(self._layout, lanes=len(self.lanes)))

    def _on_marks_found(self) -> None:
        self._generation += 1
        self.update()

    def _on_focus_changed(self, stream: str | None) -> None:
        index = self._lanes.row_of(stream)
        if index is not None:
            rect, top = self._layout.lanes_rect, self._layout.lane_top(index)
            below = top + self._layout.lane_px - rect.bottom() - 1
            above = rect.top() - top
            if above > 0 or below > 0:
                self.scroll_to(self._layout.scroll_px + (below if below > 0 else -above))
        self.update()

    def _on_findings_changed(self, findings: list[Finding]) -> None:
        self._severities = worst_of_each(findings)
        self._strip = StripMarks.of(findings)
        self._findings_seen += 1
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
            times = self._workspace.time_display.format
            if axis is None:
                nothing = self._workspace.recording is None
                paint_empty(painter, self.rect(), tokens, self._fonts, nothing_open=nothing)
                return
            self._paint_pictures(painter, axis)
            whole = axis.fitted()
            first, last = whole.column_at(axis.view.start_ns), whole.column_at(axis.view.stop_ns - 1)
            paint_tracks(painter, axis, layout, self._tracks, tokens)
            paint_box(painter, layout.overview_rect, first, last + 1, tokens)
            paint_holds(painter, axis, layout, self.lanes, position_ns, tokens)
            if self._hover_column is not None:
                x = NAMES_PX + self._hover_column + 0.5
                painter.setPen(QPen(tokens.t3, 1, Qt.PenStyle.DotLine))
                painter.drawLine(QPointF(x, layout.lanes_rect.top()), QPointF(x, layout.height_px))
            paint_playhead(painter, axis, layout, position_ns, times, tokens, self._fonts)
            if self._guide is not None:
                paint_guide(painter, axis, layout, self._guide, times, tokens, self._fonts)
            self._paint_names(painter, axis, position_ns)
            paint_track_names(painter, layout, self._tracks)
            if self._insertion is not None:
                paint_insertion(painter, layout, self._insertion, tokens)

    def _content(self) -> Content:
        return Content(self.lanes, self._windows, self._strip, self._theme.tokens, self._fonts)

    def _paint_pictures(self, painter: QPainter, axis: TimeAxis) -> None:
        playhead, layout, content = self._workspace.playhead, self._layout, self._content()
        key = BodyKey(
            axis,
            layout,
            self.devicePixelRatioF(),
            playhead.in_ns,
            playhead.out_ns,
            self._theme.dark,
            self._workspace.time_display.format,
            self._findings_seen,
            self._generation,
        )
        painter.drawImage(layout.body_rect.topLeft(), self._pictures.body(key, content))
        painter.drawImage(layout.overview_rect.topLeft(), self._pictures.overview(axis, key, content))

    def _paint_names(self, painter: QPainter, axis: TimeAxis, position_ns: int) -> None:
        key = NamesKey(
            self._layout,
            tuple(lane.name for lane in self.lanes),
            self._workspace.focused,
            tuple(self._severities.items()),
            windows_text(self._windows, axis),
            strip_title(len(self._strip), len(self._workspace.findings)),
            self._theme.dark,
            self.devicePixelRatioF(),
        )
        painter.drawPixmap(0, 0, self._pictures.names(key, self._content()))
        paint_numbers(painter, self._layout, self.lanes, position_ns, self._theme.tokens, self._fonts)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self._layout.lane_at(event.pos().y()) if event.pos().x() < NAMES_PX else None
            tip = "" if index is None else lane_tip(self.lanes[index], self._fonts)
            QToolTip.showText(event.globalPos(), plain_tip(tip), self)  # an empty one hides what is there
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

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._layout.area_at(event.pos()) is Area.NAMES:
            index = self._layout.lane_at(event.pos().y())
            self.lane_menu_wanted.emit(None if index is None else self.lanes[index].name, event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        self.hide_hover()
