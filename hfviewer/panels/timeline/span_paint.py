"""How labels look on the timeline: spans, instants, what is selected, what grows while a key is held."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF

from hfviewer.core.annotation import Annotation, Schema
from hfviewer.core.time_text import format_duration
from hfviewer.panels.drawing import hatch_brush, one_line
from hfviewer.panels.label_colours import label_colour, text_on
from hfviewer.panels.theme import icon_pixmap, ui_font
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.spans import TrackSpans
from hfviewer.panels.timeline.track_row import TimeScale
from hfviewer.panels.tokens import Tokens, with_alpha

_RADIUS = 3
_PAD_PX = 6
_KEY_PX = 15
_TEXT_FROM_PX = 26  # a narrower span has no room for words
_MOST_ONE_BY_ONE = 1500  # more spans than columns: what is narrow is drawn column by column
_HANDLE_PX = (6, 14)
_INSTANT_PX = 5
_NAME_PAD_PX = 20


@dataclass(frozen=True, slots=True)
class GhostSpan:
    """A label that is being made.

    Args:
        label: its name.
        hotkey: that makes it.
        start_ns: where it begins.
        end_ns: how far it reaches now.
    """

    label: str
    hotkey: str
    start_ns: int
    end_ns: int

    def colour(self, schema: Schema, tokens: Tokens) -> QColor:
        if schema.label(self.label) is None and self.hotkey:
            return tokens.labels[(int(self.hotkey) - 1) % len(tokens.labels)]
        return label_colour(schema, self.label, tokens)


class SpanPainter:
    """Paints the labels of a track.

    Args:
        spans: of the track.
        schema: of the labels.
        tokens: in force.
        row_rect: where a row of the track lies in its rectangle.
    """

    def __init__(
        self,
        spans: TrackSpans,
        schema: Schema,
        tokens: Tokens,
        row_rect: Callable[[QRect, int], QRect],
    ) -> None:
        self._spans, self._schema, self._tokens, self._row_rect = spans, schema, tokens, row_rect
        self._font = ui_font(12, 600)
        self._metrics = QFontMetrics(self._font)
        self._key_font = ui_font(11, 600)

    def paint(self, painter: QPainter, axis: TimeAxis, rect: QRect) -> None:
        """Paint what is in view."""
        part = self._spans.within(axis.view)
        if not part:
            return
        first, last = self._spans.columns(axis, part)
        rows = self._spans.rows[part.start : part.stop]
        wide = np.arange(len(part))
        if len(part) > _MOST_ONE_BY_ONE:
            narrow = last - first < 2
            self._paint_columns(painter, rect, part, first, last, np.flatnonzero(narrow))
            wide = np.flatnonzero(~narrow)
        for place in wide.tolist():
            annotation = self._spans.annotations[part.start + place]
            row_rect = self._row_rect(rect, int(rows[place]))
            left, right = int(first[place]), int(last[place])
            if annotation.is_instant:
                self._paint_instant(painter, row_rect, left, annotation)
            else:
                left, right = max(left, -2 * _RADIUS), min(right, rect.width() + 2 * _RADIUS)
                box = QRect(row_rect.left() + left, row_rect.top(), max(2, right - left), row_rect.height())
                self._paint_span(painter, box, annotation, row_rect)

    def _paint_span(self, painter: QPainter, box: QRect, annotation: Annotation, row: QRect) -> None:
        fill, known = self._fill(annotation)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill if known else with_alpha(fill, 0.35))
        if box.width() <= 4:
            painter.fillRect(box, painter.brush())
            return
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0, -0.5, 0), _RADIUS, _RADIUS)
        if not known or annotation.status == "rejected":
            painter.setBrush(hatch_brush(with_alpha(self._tokens.bg0, 0.7), spacing=7))
            painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0, -0.5, 0), _RADIUS, _RADIUS)
        inner = box.intersected(row).adjusted(_PAD_PX, 0, -_PAD_PX, 0)
        if inner.width() < _TEXT_FROM_PX:
            return
        self._paint_words(painter, inner, annotation, fill, known)

    def _paint_words(
        self, painter: QPainter, inner: QRect, annotation: Annotation, fill: QColor, known: bool
    ) -> None:
        label = self._schema.label(annotation.label)
        colour = text_on(fill, self._tokens) if known else self._tokens.t1
        x = inner.left()
        if label is not None and label.hotkey and inner.width() > _KEY_PX + _TEXT_FROM_PX:
            key = QRectF(x, inner.center().y() - _KEY_PX / 2 + 0.5, _KEY_PX, _KEY_PX)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(with_alpha(colour, 0.22))
            painter.drawRoundedRect(key, 3, 3)
            painter.setFont(self._key_font)
            painter.setPen(colour)
            painter.drawText(key, Qt.AlignmentFlag.AlignCenter, label.hotkey)
            x += _KEY_PX + 5
        mark = {"reviewed": " ✓✓", "done": " ✓", "rejected": " ✗"}.get(annotation.status, "")
        text = one_line(annotation.label) + ("" if known else " ?") + mark
        room = QRect(x, inner.top(), inner.right() - x, inner.height())
        painter.setFont(self._font)
        painter.setPen(colour)
        elided = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, elided)

    def _paint_instant(self, painter: QPainter, row: QRect, column: int, annotation: Annotation) -> None:
        fill, _ = self._fill(annotation)
        x, middle = row.left() + column + 0.5, row.center().y() + 0.5
        painter.setPen(QPen(fill, 1))
        painter.drawLine(QPointF(x, row.top()), QPointF(x, row.bottom()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        half = _INSTANT_PX
        painter.drawPolygon(
            QPolygonF(
                [
                    QPointF(x - half, middle),
                    QPointF(x, middle - half),
                    QPointF(x + half, middle),
                    QPointF(x, middle + half),
                ]
            )
        )

    def _paint_columns(
        self,
        painter: QPainter,
        rect: QRect,
        part: range,
        first: np.ndarray,
        last: np.ndarray,
        which: np.ndarray,
    ) -> None:
        """Labels of a column or two, of which there are more than columns: each column once a row."""
        rows = self._spans.rows[part.start : part.stop]
        drawn: set[tuple[int, int]] = set()
        keys = np.unique(rows[which].astype(np.int64) << 32 | (first[which] + 1), return_index=True)[1]
        for place in which[keys].tolist():
            left = int(first[place])
            key = (left, int(rows[place]))
            if key in drawn or not 0 <= left < rect.width():
                continue
            drawn.add(key)
            annotation = self._spans.annotations[part.start + place]
            row_rect = self._row_rect(rect, key[1])
            width = max(1, min(2, int(last[place]) - left))
            fill, _ = self._fill(annotation)
            painter.fillRect(QRect(row_rect.left() + left, row_rect.top(), width, row_rect.height()), fill)

    def _fill(self, annotation: Annotation) -> tuple[QColor, bool]:
        known = self._schema.label(annotation.label) is not None
        return label_colour(self._schema, annotation.label, self._tokens), known


def paint_selected(
    painter: QPainter,
    scale: TimeScale,
    row: QRect,
    annotation: Annotation,
    schema: Schema,
    tokens: Tokens,
    *,
    dragged: bool,
) -> None:
    """An outline and two handles; filled while it is dragged, as its picture still is where it was."""
    left, right = scale.x_of(annotation.start_ns), scale.x_of(annotation.end_ns)
    if annotation.is_instant:
        left, right = left - _INSTANT_PX - 2, left + _INSTANT_PX + 3
    box = QRectF(left, row.top() + 1, max(3, right - left), row.height() - 2)
    fill = with_alpha(label_colour(schema, annotation.label, tokens), 0.3)
    painter.setBrush(fill if dragged else Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(tokens.t1, 2))
    painter.drawRoundedRect(box, _RADIUS, _RADIUS)
    if annotation.is_instant:
        return
    width, height = _HANDLE_PX
    for x in (box.left(), box.right()):
        handle = QRectF(x - width / 2, box.center().y() - height / 2, width, height)
        painter.setPen(QPen(tokens.on_label, 1))
        painter.setBrush(QColor("white"))
        painter.drawRoundedRect(handle, 2, 2)


def paint_ghost(
    painter: QPainter, scale: TimeScale, row: QRect, ghost: GhostSpan, colour: QColor, tokens: Tokens
) -> None:
    """A span that is being made: pale, dashed, with its key, its name and its length so far."""
    first, last = sorted((scale.x_of(ghost.start_ns), scale.x_of(ghost.end_ns)))
    box = QRectF(first, row.top() + 1, max(3, last - first), row.height() - 2)
    # What lies below must not be read together with it.
    painter.fillRect(box, with_alpha(tokens.bg1, 0.85))
    painter.setBrush(with_alpha(colour, 0.28))
    painter.setPen(QPen(colour, 1.5, Qt.PenStyle.DashLine))
    painter.drawRoundedRect(box, _RADIUS, _RADIUS)
    painter.setFont(ui_font(12, 600))
    metrics = painter.fontMetrics()
    length = format_duration(abs(ghost.end_ns - ghost.start_ns))
    inner = box.toRect().adjusted(_PAD_PX, 0, -_PAD_PX, 0)
    painter.setPen(tokens.t1)
    words = f"{ghost.hotkey}  {ghost.label}".strip()
    middle = Qt.AlignmentFlag.AlignVCenter
    if metrics.horizontalAdvance(f"{words}  {length}") < inner.width():
        painter.drawText(inner, middle | Qt.AlignmentFlag.AlignLeft, words)
        painter.drawText(inner, middle | Qt.AlignmentFlag.AlignRight, length)
    elif metrics.horizontalAdvance(words) < inner.width():
        painter.drawText(inner, middle | Qt.AlignmentFlag.AlignLeft, words)


def paint_overview_spans(
    painter: QPainter, scale: TimeScale, rect: QRect, spans: TrackSpans, schema: Schema, tokens: Tokens
) -> None:
    """All labels of a track in a line a few pixels high; each column once."""
    part = range(len(spans))
    if not part:
        return
    first, last = spans.columns(scale.axis, part)
    columns = np.maximum(last - first, 1)
    picked = np.arange(len(part))
    if len(part) > _MOST_ONE_BY_ONE:
        picked = np.unique(first * 4096 + np.minimum(columns, 4095), return_index=True)[1]
    for place in picked.tolist():
        fill = label_colour(schema, spans.annotations[place].label, tokens)
        x = scale.left_px + int(first[place])
        painter.fillRect(QRect(x, rect.top(), int(columns[place]), rect.height()), fill)


def paint_track_name(
    painter: QPainter, rect: QRect, name: str, count: int, *, active: bool, locked: bool, tokens: Tokens
) -> None:
    """The name of a track and how many labels it has; the one that keys write to is marked."""
    if active:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.accent_ground)
        painter.drawRoundedRect(QRectF(rect).adjusted(4, 1, -4, -1), 4, 4)
        painter.fillRect(QRect(rect.left() + 4, rect.top() + 4, 2, rect.height() - 8), tokens.accent)
    colour = tokens.t3 if locked else (tokens.t1 if active else tokens.t2)
    painter.drawPixmap(rect.left() + 12, rect.center().y() - 7, icon_pixmap("annotation", colour, 16))
    painter.setFont(ui_font(13, 600))
    text = QRect(rect.left() + 12 + _NAME_PAD_PX, rect.top(), rect.width() - 76, rect.height())
    painter.setPen(colour)
    elided = painter.fontMetrics().elidedText(one_line(name), Qt.TextElideMode.ElideMiddle, text.width())
    painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, elided)
    painter.setFont(ui_font(11))
    painter.setPen(tokens.t3)
    numbers = QRect(rect.right() - 52, rect.top(), 44, rect.height())
    painter.drawText(numbers, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, str(count))
