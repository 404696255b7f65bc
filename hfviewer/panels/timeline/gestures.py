"""What the pointer does to the timeline: scrub, select, pan, zoom; a track decides for itself."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from hfviewer.core.finding import Finding
from hfviewer.model.workspace import Workspace
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.card import CardContent
from hfviewer.panels.timeline.hover import pointed_ns
from hfviewer.panels.timeline.layout import LANE_PX, Area, BoxPart, box_part
from hfviewer.panels.timeline.moving import Guide
from hfviewer.panels.timeline.scale import flag_at
from hfviewer.panels.timeline.snap import snapped
from hfviewer.panels.timeline.track_row import TimeScale, TrackEvent, TrackRow

if TYPE_CHECKING:
    from hfviewer.panels.timeline.canvas import TimelineCanvas

WHEEL_FACTOR = 1.25  # a notch of the wheel
_NOTCH = 120  # eighths of a degree, Qt's unit
_PAN_SHARE = 10  # a notch with Shift moves the view by a tenth
_LANE_DRAG_PX = 6  # less is a click
_LANE_STEP_PX = 2  # a notch with Ctrl
_LEFT, _MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton


class _Drag(Enum):
    NONE = auto()
    SCRUB = auto()
    SELECT = auto()
    IN = auto()
    OUT = auto()
    PAN = auto()
    BOX = auto()
    BOX_START = auto()
    BOX_STOP = auto()
    LANE = auto()
    TRACK = auto()


class Gestures:
    """Turns mouse events into moves of the playhead, of the in/out range and of the view.

    Every drag is reckoned from where it began, so that it cannot drift.
    """

    def __init__(self, canvas: TimelineCanvas, workspace: Workspace) -> None:
        self._canvas, self._workspace = canvas, workspace
        self._drag = _Drag.NONE
        self._from_column = self._from_y = 0
        self._from_axis: TimeAxis | None = None
        self._from_ns = 0
        self._lane: str | None = None
        self._track: TrackRow | None = None

    @property
    def busy(self) -> bool:
        """True while a button is held down on the timeline."""
        return self._drag is not _Drag.NONE

    def cancel(self) -> None:
        """Forget the drag under way: what it was about is gone."""
        track, self._track = self._track, None
        self._end()
        if track is not None:
            track.cancel()

    def _end(self) -> None:
        self._drag = _Drag.NONE
        self._from_axis = self._lane = None
        self._canvas.show_guide(None)
        self._canvas.show_insertion(None)

    # -- buttons ---------------------------------------------------------------------------------------------

    def press(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        layout, axis = self._canvas.parts, self._canvas.axis
        area = layout.area_at(point)
        self._canvas.hide_hover()
        if area is Area.NAMES:
            self._press_name(event, point)
            return
        if axis is None or area is Area.NOTHING or self.busy:
            return
        self._from_column, self._from_axis = layout.column_of(point.x()), axis
        track = self._track_event(event, point)
        if track is not None:
            row, told = track
            if area is Area.TRACK_NAMES:
                row.press_name(told)
                return
            if row.press(told):
                self._drag, self._track = _Drag.TRACK, row
                return
        elif area is Area.TRACK_NAMES:
            return
        if area is Area.OVERVIEW:
            if event.button() is _LEFT:
                self._grab_box(axis)
        elif event.button() is _MIDDLE:
            self._drag = _Drag.PAN
            self._canvas.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() is _LEFT:
            self._press_time(event, point, area, axis)

    def _press_name(self, event: QMouseEvent, point: QPoint) -> None:
        row = self._canvas.parts.lane_at(point.y())
        if row is not None and event.button() is _LEFT and not self.busy:
            self._lane = self._canvas.lanes[row].name
            self._drag, self._from_y = _Drag.LANE, point.y()
            self._workspace.focus(self._lane)

    def _press_time(self, event: QMouseEvent, point: QPoint, area: Area, axis: TimeAxis) -> None:
        finding = self._finding_at(axis, point) if area is Area.STRIP else None
        playhead = self._workspace.playhead
        flag = flag_at(axis, self._canvas.parts, playhead.in_ns, playhead.out_ns, point)
        if finding is not None:
            self._canvas.finding_clicked.emit(finding)
        elif flag is not None:
            self._drag = _Drag.IN if flag == "I" else _Drag.OUT
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._drag = _Drag.SELECT
            self._from_ns = self._time_at(event, point)[0]
        else:
            self._drag = _Drag.SCRUB
            playhead.jump_to(self._time_at(event, point)[0])

    def move(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        axis, started = self._canvas.axis, self._from_axis
        if self._drag is _Drag.LANE:
            self._drag_lane(point)
            return
        if self._drag is _Drag.NONE or axis is None or started is None:
            self._canvas.show_hover(point)
            self._show_cursor(event, point)
            return
        column = self._canvas.parts.column_of(point.x())
        match self._drag:
            case _Drag.SCRUB:
                self._workspace.playhead.jump_to(self._time_at(event, point)[0])
            case _Drag.SELECT | _Drag.IN | _Drag.OUT:
                self._drag_range(event, point)
            case _Drag.PAN:
                self._canvas.set_axis(started.panned(column - self._from_column))
            case _Drag.TRACK:
                self._tell_track(event, point, released=False)
            case _:
                self._drag_box(started, column)

    def release(self, event: QMouseEvent) -> None:
        if event.buttons() != Qt.MouseButton.NoButton or not self.busy:
            return
        point = event.position().toPoint()
        if self._drag is _Drag.TRACK:
            self._tell_track(event, point, released=True)
        elif self._drag is _Drag.LANE and self._lane is not None:
            edge, row = self._lane_edge(point), self._canvas.arrangement.row_of(self._lane)
            if edge is not None and row is not None:
                self._canvas.arrangement.move(self._lane, edge if edge <= row else edge - 1)
        self._track = None
        self._end()
        self._show_cursor(event, point)

    def double_click(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        area = self._canvas.parts.area_at(point)
        track = self._track_event(event, point)
        if area is Area.TRACKS and track is not None and track[0].double_click(track[1]):
            return
        if event.button() is not _LEFT or area in (Area.NAMES, Area.TRACK_NAMES):
            self.press(event)
        elif self._canvas.axis is not None and area is not Area.NOTHING:
            self._canvas.set_axis(self._canvas.axis.fitted())

    def wheel(self, event: QWheelEvent) -> None:
        delta = event.angleDelta().y() or event.angleDelta().x()
        layout, axis = self._canvas.parts, self._canvas.axis
        point = event.position().toPoint()
        area, rows_px = layout.area_at(point), delta * 2 * LANE_PX // _NOTCH
        event.accept()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._canvas.set_lane_height(layout.lane_px + round(delta * _LANE_STEP_PX / _NOTCH))
        elif area is Area.NAMES:
            self._canvas.scroll_to(layout.scroll_px - rows_px)
        elif area is Area.TRACK_NAMES:
            self._canvas.scroll_tracks_to(layout.tracks_scroll_px - rows_px)
        elif axis is None or delta == 0:
            return
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._canvas.set_axis(axis.panned(delta * axis.width_px // (_NOTCH * _PAN_SHARE)))
        else:
            column = max(0, min(layout.column_of(point.x()), axis.width_px - 1))
            if area is Area.OVERVIEW:
                column = axis.width_px // 2
            self._canvas.set_axis(axis.zoomed(column, WHEEL_FACTOR ** (delta / _NOTCH)))

    # -- tracks ----------------------------------------------------------------------------------------------

    def track_card(self, point: QPoint) -> CardContent | None:
        """What the row under the pointer says of that place."""
        index, axis = self._canvas.parts.track_at(point.y()), self._canvas.axis
        if index is None or axis is None:
            return None
        return self._canvas.tracks[index].hover(self._told(None, point, axis, index))

    def _track_event(self, event: QMouseEvent, point: QPoint) -> tuple[TrackRow, TrackEvent] | None:
        index, axis = self._canvas.parts.track_at(point.y()), self._canvas.axis
        if index is None or axis is None:
            return None
        return self._canvas.tracks[index], self._told(event, point, axis, index)

    def _tell_track(self, event: QMouseEvent, point: QPoint, *, released: bool) -> None:
        row, axis = self._track, self._canvas.axis
        if row is None or axis is None or row not in self._canvas.tracks:
            return
        told = self._told(event, point, axis, list(self._canvas.tracks).index(row))
        row.release(told) if released else row.drag(told)

    def _told(self, event: QMouseEvent | None, point: QPoint, axis: TimeAxis, index: int) -> TrackEvent:
        column = self._canvas.parts.column_of(point.x())
        snap = self._snaps(event)
        time_ns, frame = self._snapped(axis, column, axis.time_at(column), snap=snap)
        return TrackEvent(
            point=point,
            rect=self._canvas.parts.track_rect(index),
            scale=TimeScale(axis),
            free_ns=axis.time_at(column),
            time_ns=time_ns,
            frame=frame,
            button=Qt.MouseButton.NoButton if event is None else event.button(),
            modifiers=Qt.KeyboardModifier.NoModifier if event is None else event.modifiers(),
        )

    # -- inside ----------------------------------------------------------------------------------------------

    def _snaps(self, event: QMouseEvent | None) -> bool:
        turned = event is not None and bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        return self._workspace.snapping != turned

    def _snapped(self, axis: TimeAxis, column: int, free_ns: int, *, snap: bool) -> tuple[int, int | None]:
        lane = self._canvas.arrangement.lane(self._workspace.focused)
        if lane is None or not snap:
            return free_ns, None
        return snapped(lane.timestamps_ns, axis, column, free_ns)

    def _time_at(self, event: QMouseEvent, point: QPoint) -> tuple[int, int | None]:
        axis = self._canvas.axis
        if axis is None:
            return 0, None
        column = max(0, min(self._canvas.parts.column_of(point.x()), axis.width_px - 1))
        return self._snapped(axis, column, pointed_ns(axis, column), snap=self._snaps(event))

    def _drag_range(self, event: QMouseEvent, point: QPoint) -> None:
        playhead = self._workspace.playhead
        time_ns, frame = self._time_at(event, point)
        time_ns = playhead.span.clamp(time_ns)
        self._canvas.show_guide(Guide(time_ns, frame, point.y()))
        match self._drag:
            case _Drag.IN:
                playhead.set_range(time_ns, playhead.out_ns)
            case _Drag.OUT:
                playhead.set_range(playhead.in_ns, time_ns)
            case _:
                playhead.set_range(*sorted((playhead.span.clamp(self._from_ns), time_ns)))

    def _finding_at(self, axis: TimeAxis, point: QPoint) -> Finding | None:
        return self._canvas.strip.at(axis, self._canvas.parts.column_of(point.x()))

    def _lane_edge(self, point: QPoint) -> int | None:
        """Where the dragged lane would go; None while it was hardly moved."""
        if abs(point.y() - self._from_y) < _LANE_DRAG_PX:
            return None
        return self._canvas.parts.lane_edge_at(point.y())

    def _drag_lane(self, point: QPoint) -> None:
        self._canvas.show_insertion(self._lane_edge(point))

    def _grab_box(self, axis: TimeAxis) -> None:
        whole = axis.fitted()
        part = self._part_at(axis, self._from_column)
        if part is BoxPart.OUTSIDE:
            axis = axis.bringing(whole.time_at(self._from_column), 50)
            self._from_axis = axis
            self._canvas.set_axis(axis)
        self._drag = {BoxPart.START: _Drag.BOX_START, BoxPart.STOP: _Drag.BOX_STOP}.get(part, _Drag.BOX)

    def _drag_box(self, started: TimeAxis, column: int) -> None:
        whole, view = started.fitted(), started.view
        moved_ns = whole.time_at(column) - whole.time_at(self._from_column)
        if self._drag is _Drag.BOX:
            self._canvas.set_axis(started.starting_at(view.start_ns + moved_ns))
        elif self._drag is _Drag.BOX_START:
            self._canvas.set_axis(
                started.showing(min(view.start_ns + moved_ns, view.stop_ns - 1), view.stop_ns)
            )
        else:
            self._canvas.set_axis(
                started.showing(view.start_ns, max(view.stop_ns + moved_ns, view.start_ns + 1))
            )

    def _part_at(self, axis: TimeAxis, column: int) -> BoxPart:
        whole = axis.fitted()
        return box_part(
            whole.column_at(axis.view.start_ns), whole.column_at(axis.view.stop_ns - 1) + 1, column
        )

    def _show_cursor(self, event: QMouseEvent, point: QPoint) -> None:
        layout, axis = self._canvas.parts, self._canvas.axis
        area, shape = layout.area_at(point), Qt.CursorShape.ArrowCursor
        playhead, track = self._workspace.playhead, None
        if axis is not None and area is Area.TRACKS:
            track = self._track_event(event, point)
        if track is not None:
            shape = track[0].cursor_at(track[1])
        elif axis is not None and area is Area.OVERVIEW:
            part = self._part_at(axis, layout.column_of(point.x()))
            shape = {
                BoxPart.START: Qt.CursorShape.SizeHorCursor,
                BoxPart.STOP: Qt.CursorShape.SizeHorCursor,
                BoxPart.MIDDLE: Qt.CursorShape.OpenHandCursor,
            }.get(part, shape)
        elif axis is not None and flag_at(axis, layout, playhead.in_ns, playhead.out_ns, point):
            shape = Qt.CursorShape.SizeHorCursor
        elif axis is not None and area is Area.STRIP and self._finding_at(axis, point) is not None:
            shape = Qt.CursorShape.PointingHandCursor
        if self._canvas.cursor().shape() != shape:
            self._canvas.setCursor(shape)
