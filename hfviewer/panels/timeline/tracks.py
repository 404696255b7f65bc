"""A track of labels below the lanes: coloured spans to select, move and stretch with the pointer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

import numpy as np
from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtGui import QImage, QPainter

from hfviewer.core.annotation import Annotation, Schema
from hfviewer.core.edits import Edge
from hfviewer.core.time_text import format_duration
from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import Theme
from hfviewer.panels.timeline.card import CardContent
from hfviewer.panels.timeline.span_paint import (
    GhostSpan,
    SpanPainter,
    paint_ghost,
    paint_many_selected,
    paint_overview_spans,
    paint_selected,
    paint_track_name,
)
from hfviewer.panels.timeline.spans import TrackSpans
from hfviewer.panels.timeline.track_row import TimeScale, TrackEvent

ONE_ROW_PX = 28
_ROW_PX = 22
_GAP_PX = 6
EDGE_PX = 5  # so near an edge, dragging moves the edge
_MOST_OUTLINED = 500  # of more that are selected and in view, only the columns are marked
_MOVE_PX = 3  # a press that moves less is a click


class _Part(Enum):
    START = auto()
    END = auto()
    WHOLE = auto()
    NEW = auto()


@dataclass(slots=True)
class _Drag:
    part: _Part
    of: Annotation | None
    from_event: TrackEvent
    start: Edge
    end: Edge
    moved: bool = False


class LabelTrack(QObject):
    """One track. It draws what it is given and says what the user did.

    Args:
        name: of the track.
        theme: the tokens in force.
        parent: as in Qt.
    """

    clicked = Signal(str, bool)  # id, or empty for none; True: beside those that are selected
    edge_dragged = Signal(object)  # int, ns: where the edge is now, so that every panel shows it
    retimed = Signal(str, object, object)  # id, Edge, Edge
    drawn = Signal(str, object, object)  # name of the track, Edge, Edge: a new span
    opened = Signal(str)  # id: double-clicked
    name_clicked = Signal(str)
    menu_wanted = Signal(str)  # the name of the track was clicked with the right button
    wants_repaint = Signal()

    def __init__(self, name: str, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self._theme = theme
        self._schema = Schema()
        self._spans = TrackSpans(())
        self._selected_at = np.zeros(0, np.intp)  # indices of them, in the order of time
        self._ghosts: tuple[GhostSpan, ...] = ()
        self._active = False
        self._locked = False
        self._drag: _Drag | None = None
        self._picture: tuple[object, QImage] | None = None
        self._version = 0
        theme.changed.connect(self._forget_picture)

    # -- what it shows ---------------------------------------------------------------------------------------

    def set_labels(self, annotations: Sequence[Annotation], schema: Schema) -> None:
        """Show these; cheap where they are the same as before."""
        if annotations is not self._spans.annotations:
            self._spans = TrackSpans(annotations, self._spans)
            self._forget_picture()
        if schema is not self._schema:
            self._schema = schema
            self._forget_picture()

    def set_selected(self, selected: Sequence[Annotation]) -> None:
        """Those that are selected now, on any track; to be told again where one of them changes."""
        annotations = self._spans.annotations
        if len(selected) > _MOST_OUTLINED:  # then one pass over all is quicker than finding each
            chosen = set(map(id, selected))
            there = np.fromiter((id(a) in chosen for a in annotations), np.bool_, len(annotations))
            self._selected_at = np.flatnonzero(there)
            return
        found = (self._spans.index_of(annotation) for annotation in selected)
        self._selected_at = np.array(sorted(index for index in found if index is not None), np.intp)

    def set_ghosts(self, ghosts: tuple[GhostSpan, ...]) -> None:
        """Spans that grow while a key is held."""
        self._ghosts = ghosts

    def set_active(self, active: bool) -> None:
        """Whether keys put labels here."""
        self._active = active

    def set_locked(self, locked: bool) -> None:
        """Whether somebody else is labelling, so that nothing can be changed here."""
        self._locked = locked

    @property
    def spans(self) -> TrackSpans:
        return self._spans

    @property
    def height_px(self) -> int:
        rows = self._spans.row_count
        return ONE_ROW_PX if rows == 1 else rows * _ROW_PX + _GAP_PX

    # -- painting --------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, scale: TimeScale, rect: QRect) -> None:
        tokens = self._theme.tokens
        spans = SpanPainter(self._spans, self._schema, tokens, self._row_rect)
        ratio = painter.device().devicePixelRatioF()
        key = (scale.axis, rect.size().toTuple(), ratio, self._version)
        if self._picture is None or self._picture[0] != key:
            image = QImage(rect.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
            image.setDevicePixelRatio(ratio)
            image.fill(Qt.GlobalColor.transparent)
            with painting(image, smooth=True) as inner:
                spans.paint(inner, scale.axis, QRect(0, 0, rect.width(), rect.height()))
            self._picture = (key, image)
        painter.drawImage(rect.topLeft(), self._picture[1])
        self._paint_selected(painter, scale, rect)
        if self._drag is not None and self._drag.part is _Part.NEW and self._drag.moved:
            ghost = GhostSpan("", "", self._drag.start.at_ns, self._drag.end.at_ns)
            paint_ghost(painter, scale, self._row_rect(rect, 0), ghost, tokens.accent, tokens)
        for ghost in self._ghosts:
            paint_ghost(
                painter, scale, self._row_rect(rect, 0), ghost, ghost.colour(self._schema, tokens), tokens
            )

    def paint_name(self, painter: QPainter, rect: QRect) -> None:
        paint_track_name(
            painter,
            rect,
            self.name,
            len(self._spans),
            active=self._active,
            locked=self._locked,
            tokens=self._theme.tokens,
        )

    def paint_overview(self, painter: QPainter, scale: TimeScale, rect: QRect) -> None:
        paint_overview_spans(painter, scale, rect, self._spans, self._schema, self._theme.tokens)

    # -- the pointer -----------------------------------------------------------------------------------------

    def press(self, event: TrackEvent) -> bool:
        if event.button is not Qt.MouseButton.LeftButton:
            return False
        found = self._at(event)
        several = bool(event.modifiers & Qt.KeyboardModifier.ControlModifier)
        if found is None:
            self.clicked.emit("", several)
            if self._locked:
                return False  # then a drag scrubs, as everywhere else
            edge = Edge(event.time_ns, event.frame)
            self._drag = _Drag(_Part.NEW, None, event, edge, edge)
            return True
        self.clicked.emit(found.id, several)
        if self._locked:
            return True
        start = Edge(found.start_ns, found.first_frame)
        self._drag = _Drag(
            self._part_at(event, found), found, event, start, Edge(found.end_ns, found.last_frame)
        )
        return True

    def drag(self, event: TrackEvent) -> None:
        drag = self._drag
        if drag is None:
            return
        if abs(event.point.x() - drag.from_event.point.x()) >= _MOVE_PX:
            drag.moved = True
        if not drag.moved:
            return
        here = Edge(event.time_ns, event.frame)
        match drag.part:
            case _Part.START if drag.of is not None:
                drag.start = here if here.at_ns <= drag.end.at_ns else drag.end
                here = drag.start
            case _Part.END if drag.of is not None:
                drag.end = here if here.at_ns >= drag.start.at_ns else drag.start
                here = drag.end
            case _Part.WHOLE if drag.of is not None:
                by_ns = event.free_ns - drag.from_event.free_ns
                by_ns = max(by_ns, -drag.of.start_ns)
                drag.start, drag.end = Edge(drag.of.start_ns + by_ns), Edge(drag.of.end_ns + by_ns)
                here = drag.start
            case _:
                pressed = Edge(drag.from_event.time_ns, drag.from_event.frame)
                drag.start, drag.end = sorted((pressed, here), key=lambda edge: edge.at_ns)
        self.edge_dragged.emit(here.at_ns)
        self.wants_repaint.emit()

    def release(self, event: TrackEvent) -> None:
        drag, self._drag = self._drag, None
        if drag is None:
            return
        if not drag.moved:
            if drag.of is None:
                self.edge_dragged.emit(event.time_ns)  # a click on nothing goes there
            return
        if drag.of is None:
            self.drawn.emit(self.name, drag.start, drag.end)
        else:
            self.retimed.emit(drag.of.id, drag.start, drag.end)
        self.wants_repaint.emit()

    def cancel(self) -> None:
        if self._drag is not None:
            self._drag = None
            self.wants_repaint.emit()

    def double_click(self, event: TrackEvent) -> bool:
        found = self._at(event)
        if found is not None:
            self.opened.emit(found.id)
        return found is not None

    def press_name(self, event: TrackEvent) -> bool:
        if event.button is Qt.MouseButton.RightButton:
            self.menu_wanted.emit(self.name)
        else:
            self.name_clicked.emit(self.name)
        return True

    def cursor_at(self, event: TrackEvent) -> Qt.CursorShape:
        found = None if self._locked else self._at(event)
        if found is None:
            return Qt.CursorShape.ArrowCursor
        edge = self._part_at(event, found) in (_Part.START, _Part.END)
        return Qt.CursorShape.SizeHorCursor if edge else Qt.CursorShape.PointingHandCursor

    def hover(self, event: TrackEvent) -> CardContent | None:
        found = self._at(event)
        if found is None:
            return None
        frames = "" if found.first_frame is None else f"#{found.first_frame}"
        if found.last_frame is not None and found.last_frame != found.first_frame:
            frames += f"–{found.last_frame}"
        said = [found.author, found.status, f"{found.stream} {frames}".strip(), found.note]
        known = self._schema.label(found.label) is not None
        return CardContent(
            time="" if found.is_instant else format_duration(found.end_ns - found.start_ns),
            distance="instant" if found.is_instant else "",
            stream=found.label,
            detail=" · ".join(part for part in said if part),
            warning="" if known else "not in the list of labels",
        )

    # -- inside ----------------------------------------------------------------------------------------------

    def _forget_picture(self) -> None:
        self._picture = None
        self._version += 1

    def _at(self, event: TrackEvent) -> Annotation | None:
        column = event.point.x() - event.scale.left_px
        slack = EDGE_PX
        for row in range(self._spans.row_count):
            row_rect = self._row_rect(event.rect, row)
            if row_rect.top() <= event.point.y() <= row_rect.bottom():
                return self._spans.at(event.scale.axis, column, row, slack_px=slack)
        return None

    def _part_at(self, event: TrackEvent, found: Annotation) -> _Part:
        first, last = event.scale.x_of(found.start_ns), event.scale.x_of(found.end_ns)
        x = event.point.x()
        if found.is_instant or (last - first > 3 * EDGE_PX and first + EDGE_PX < x < last - EDGE_PX):
            return _Part.WHOLE
        return _Part.START if abs(x - first) < abs(x - last) else _Part.END

    def _paint_selected(self, painter: QPainter, scale: TimeScale, rect: QRect) -> None:
        """Those that are selected and in view, as the drag under way leaves them."""
        tokens, spans, drag = self._theme.tokens, self._spans, self._drag
        part = spans.within(scale.view)
        chosen = self._selected_at
        dragged = None if drag is None or drag.of is None or not drag.moved else drag.of.id
        if dragged is None:
            chosen = chosen[slice(*np.searchsorted(chosen, (part.start, part.stop)).tolist())]
        if len(chosen) > _MOST_OUTLINED:
            for row in range(spans.row_count):
                indices = chosen[spans.rows[chosen] == row]
                paint_many_selected(painter, scale.axis, self._row_rect(rect, row), spans, indices, tokens)
            return
        for index in chosen.tolist():
            annotation = spans.annotations[index]
            moved = drag is not None and annotation.id == dragged
            if drag is not None and moved:
                annotation = replace(annotation, start_ns=drag.start.at_ns, end_ns=drag.end.at_ns)
            row_rect = self._row_rect(rect, int(spans.rows[index]))
            paint_selected(painter, scale, row_rect, annotation, self._schema, tokens, dragged=moved)

    def _row_rect(self, rect: QRect, row: int) -> QRect:
        if self._spans.row_count == 1:
            return rect.adjusted(0, 2, 0, -2)
        return QRect(rect.left(), rect.top() + _GAP_PX // 2 + row * _ROW_PX, rect.width(), _ROW_PX - 2)
