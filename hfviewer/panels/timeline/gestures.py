"""What the pointer does to the timeline: scrub, select, pan, zoom."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from hfviewer.model.workspace import Workspace
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.hover import pointed_ns
from hfviewer.panels.timeline.layout import LANE_PX, Area, BoxPart, box_part

if TYPE_CHECKING:
    from hfviewer.panels.timeline.canvas import TimelineCanvas

WHEEL_FACTOR = 1.25  # a notch of the wheel
_NOTCH = 120  # eighths of a degree, Qt's unit
_PAN_SHARE = 10  # a notch with Shift moves the view by a tenth


class _Drag(Enum):
    NONE = auto()
    SCRUB = auto()
    SELECT = auto()
    PAN = auto()
    BOX = auto()
    BOX_START = auto()
    BOX_STOP = auto()


class Gestures:
    """Turns mouse events into moves of the playhead, of the in/out range and of the view.

    Every drag is reckoned from where it began, so that it cannot drift.
    """

    def __init__(self, canvas: TimelineCanvas, workspace: Workspace) -> None:
        self._canvas = canvas
        self._workspace = workspace
        self._drag = _Drag.NONE
        self._from_column = 0
        self._from_axis: TimeAxis | None = None
        self._from_ns = 0

    @property
    def busy(self) -> bool:
        """True while a button is held down on the timeline."""
        return self._drag is not _Drag.NONE

    def cancel(self) -> None:
        """Forget the drag under way: what it was about is gone."""
        self._drag = _Drag.NONE
        self._from_axis = None

    def press(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        layout, axis = self._canvas.parts, self._canvas.axis
        area = layout.area_at(point)
        self._canvas.hide_hover()
        if area is Area.NAMES:
            lane = layout.lane_at(point.y())
            if lane is not None and event.button() is Qt.MouseButton.LeftButton:
                self._workspace.focus(self._canvas.lanes[lane].name)
            return
        if axis is None or area is Area.NOTHING or self.busy:
            return
        self._from_column, self._from_axis = layout.column_of(point.x()), axis
        if area is Area.OVERVIEW:
            if event.button() is Qt.MouseButton.LeftButton:
                self._grab_box(axis)
        elif event.button() is Qt.MouseButton.MiddleButton:
            self._drag = _Drag.PAN
            self._canvas.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() is Qt.MouseButton.LeftButton:
            self._from_ns = self._time_at(axis, point)
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._drag = _Drag.SELECT
            else:
                self._drag = _Drag.SCRUB
                self._workspace.playhead.jump_to(self._from_ns)

    def move(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        axis, started = self._canvas.axis, self._from_axis
        if self._drag is _Drag.NONE or axis is None or started is None:
            self._canvas.show_hover(point)
            self._show_cursor(point)
            return
        column = self._canvas.parts.column_of(point.x())
        match self._drag:
            case _Drag.SCRUB:
                self._workspace.playhead.jump_to(self._time_at(axis, point))
            case _Drag.SELECT:
                first_ns, last_ns = sorted((self._from_ns, self._time_at(axis, point)))
                span = self._workspace.playhead.span
                self._workspace.playhead.set_range(span.clamp(first_ns), span.clamp(last_ns))
            case _Drag.PAN:
                self._canvas.set_axis(started.panned(column - self._from_column))
            case _:
                self._drag_box(started, column)

    def release(self, event: QMouseEvent) -> None:
        if event.buttons() == Qt.MouseButton.NoButton and self.busy:
            self.cancel()
            self._show_cursor(event.position().toPoint())

    def double_click(self, event: QMouseEvent) -> None:
        area = self._canvas.parts.area_at(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or area is Area.NAMES:
            self.press(event)
        elif self._canvas.axis is not None and area is not Area.NOTHING:
            self._canvas.set_axis(self._canvas.axis.fitted())

    def wheel(self, event: QWheelEvent) -> None:
        delta = event.angleDelta().y() or event.angleDelta().x()
        layout, axis = self._canvas.parts, self._canvas.axis
        point = event.position().toPoint()
        event.accept()
        if layout.area_at(point) is Area.NAMES:
            self._canvas.scroll_to(layout.scroll_px - delta * 2 * LANE_PX // _NOTCH)
        elif axis is None or delta == 0:
            return
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._canvas.set_axis(axis.panned(delta * axis.width_px // (_NOTCH * _PAN_SHARE)))
        else:
            column = max(0, min(layout.column_of(point.x()), axis.width_px - 1))
            if layout.area_at(point) is Area.OVERVIEW:
                column = axis.width_px // 2
            self._canvas.set_axis(axis.zoomed(column, WHEEL_FACTOR ** (delta / _NOTCH)))

    def _time_at(self, axis: TimeAxis, point: QPoint) -> int:
        column = self._canvas.parts.column_of(point.x())
        return pointed_ns(axis, max(0, min(column, axis.width_px - 1)))

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

    def _show_cursor(self, point: QPoint) -> None:
        layout, axis = self._canvas.parts, self._canvas.axis
        shape = Qt.CursorShape.ArrowCursor
        if axis is not None and layout.area_at(point) is Area.OVERVIEW:
            part = self._part_at(axis, layout.column_of(point.x()))
            shape = {
                BoxPart.START: Qt.CursorShape.SizeHorCursor,
                BoxPart.STOP: Qt.CursorShape.SizeHorCursor,
                BoxPart.MIDDLE: Qt.CursorShape.OpenHandCursor,
            }.get(part, Qt.CursorShape.ArrowCursor)
        if self._canvas.cursor().shape() != shape:
            self._canvas.setCursor(shape)
