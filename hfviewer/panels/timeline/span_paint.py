"""How labels look on the timeline: spans, instants, what is selected, what grows while a key is held."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
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
_ONE_BY_ONE_PX = 5  # what is narrower is a band of colour
_MOST_ONE_BY_ONE = 5000  # of more narrow ones, only where they begin is looked at
_MOST_DIAMONDS = 300
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
    """Paints the labels of a track: what is wide enough one by one, the rest column by column.

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
        self._fills = [label_colour(schema, name, tokens) for name in spans.names]
        self._known = [schema.label(name) is not None for name in spans.names]

    def paint(self, painter: QPainter, axis: TimeAxis, rect: QRect) -> None:
        """Paint what is in view."""
        part = self._spans.within(axis.view)
        edges_ns = axis.edges_ns()
        for row, indices in enumerate(self._spans.of_rows if part else ()):
            first, stop = np.searchsorted(indices, (part.start, part.stop))
            shown = indices[first:stop]
            lengths_ns = self._spans.ends_ns[shown] - self._spans.starts_ns[shown]
            # Compared as floats: it only chooses how to draw.
            wide = lengths_ns >= _ONE_BY_ONE_PX * axis.ns_per_px
            row_rect = self._row_rect(rect, row)
            self._paint_columns(painter, row_rect, edges_ns, shown[~wide])
            for index in shown[wide].tolist():
                annotation = self._spans.annotations[index]
                left = max(axis.column_at(annotation.start_ns), -2 * _RADIUS)
                right = min(axis.column_at(annotation.end_ns), rect.width() + 2 * _RADIUS)
                if right < 0 or left > rect.width():
                    continue
                box = QRect(row_rect.left() + left, row_rect.top(), max(2, right - left), row_rect.height())
                self._paint_span(painter, box, index, row_rect)

    def paint_bands(self, painter: QPainter, axis: TimeAxis, band: QRect) -> None:
        """All labels as bands of colour, without words, whatever their row."""
        self._paint_columns(painter, band, axis.edges_ns(), np.arange(len(self._spans)), words=False)

    def _paint_columns(
        self,
        painter: QPainter,
        row: QRect,
        edges_ns: NDArray[np.int64],
        shown: NDArray[np.intp],
        *,
        words: bool = True,
    ) -> None:
        """Labels of a few columns, however many there are: each column at most once for each name."""
        if not len(shown):
            return
        width = len(edges_ns) - 1
        starts_ns = self._spans.starts_ns[shown]
        if len(shown) <= _MOST_ONE_BY_ONE:
            first = edges_ns.searchsorted(starts_ns, "right") - 1
            last = edges_ns.searchsorted(self._spans.ends_ns[shown], "right") - 1
            codes = self._spans.codes[shown]
            if words:
                self._paint_instants(painter, row, shown, first)
        else:
            # Of all that begin in a column, the first stands for them.
            at = starts_ns.searchsorted(edges_ns, "left")
            first = last = np.flatnonzero(at[1:] > at[:-1])
            codes = self._spans.codes[shown[at[first]]]
        for code in np.unique(codes).tolist():
            of_code = codes == code
            for left, right in covered(first[of_code], last[of_code], width):
                box = QRect(row.left() + left, row.top(), right - left, row.height())
                painter.fillRect(box, self._fills[code])

    def _paint_instants(
        self, painter: QPainter, row: QRect, shown: NDArray[np.intp], columns: NDArray[np.intp]
    ) -> None:
        """Diamonds on what does not last, where there is room for them."""
        instants = np.flatnonzero(self._spans.starts_ns[shown] == self._spans.ends_ns[shown])
        if not len(instants) or len(instants) > _MOST_DIAMONDS:
            return
        half, middle = _INSTANT_PX, row.center().y() + 0.5
        painter.setPen(Qt.PenStyle.NoPen)
        for place in instants.tolist():
            x = row.left() + int(columns[place]) + 0.5
            painter.setBrush(self._fills[int(self._spans.codes[shown[place]])])
            corners = ((x - half, middle), (x, middle - half), (x + half, middle), (x, middle + half))
            painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))

    def _paint_span(self, painter: QPainter, box: QRect, index: int, row: QRect) -> None:
        annotation, code = self._spans.annotations[index], int(self._spans.codes[index])
        fill, known = self._fills[code], self._known[code]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill if known else with_alpha(fill, 0.35))
        if box.width() <= 4 * _RADIUS:
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


def paint_many_selected(
    painter: QPainter,
    axis: TimeAxis,
    row: QRect,
    spans: TrackSpans,
    indices: NDArray[np.intp],
    tokens: Tokens,
) -> None:
    """A line above and below what is selected, where it is too much to outline each."""
    edges_ns = axis.edges_ns()
    first = edges_ns.searchsorted(spans.starts_ns[indices], "right") - 1
    last = edges_ns.searchsorted(spans.ends_ns[indices], "right") - 1
    for left, right in covered(first, last, len(edges_ns) - 1):
        for top in (row.top(), row.bottom() - 1):
            painter.fillRect(row.left() + left, top, right - left, 2, tokens.t1)


def covered(first: NDArray[np.intp], last: NDArray[np.intp], width: int) -> list[list[int]]:
    """Stretches of columns that any of many spans covers, each as its first and one past its last."""
    steps = np.zeros(width + 2, np.int32)
    np.add.at(steps, np.clip(first, 0, width), 1)
    np.add.at(steps, np.clip(last + 1, 0, width + 1), -1)
    inside = np.concatenate(([False], np.cumsum(steps)[:width] > 0, [False]))
    turns = np.flatnonzero(inside[1:] != inside[:-1])
    stretches: list[list[int]] = turns.reshape(-1, 2).tolist()
    return stretches


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
    """All labels of a track in a line a few pixels high."""
    band = QRect(scale.left_px, rect.top(), scale.axis.width_px, rect.height())
    SpanPainter(spans, schema, tokens, lambda whole, _row: whole).paint_bands(painter, scale.axis, band)


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
