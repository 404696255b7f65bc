"""Paints the ruler, the in/out range and the playhead."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from hfviewer.core.time_format import TimeFormat, TimeMode
from hfviewer.panels.theme import Tokens
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.fonts import TimelineFonts
from hfviewer.panels.timeline.layout import NAMES_PX, TimelineLayout
from hfviewer.panels.timeline.ruler import Ruler, decimals_of

LABEL_SPACING_PX = 110
RAW_SPACING_PX = 170  # of nineteen digits
PLAYHEAD_PX = 1.5
_FLAG_PX = 15  # of I and O
_MINOR_PX = 4
_MAJOR_PX = 9


def ruler_of(axis: TimeAxis, times: TimeFormat) -> Ruler:
    """The ruler of a view."""
    spacing_px = RAW_SPACING_PX if times.reads_as is TimeMode.NS else LABEL_SPACING_PX
    return Ruler.for_view(axis.view, times, axis.width_px, spacing_px=spacing_px)


def decimals_for(axis: TimeAxis, times: TimeFormat) -> int:
    """Decimals that tell places in this view apart: at least milliseconds, finer where the ruler is."""
    return max(3, decimals_of(ruler_of(axis, times).minor_ns))


def playhead_text(axis: TimeAxis, playhead_ns: int, times: TimeFormat) -> str:
    """What the playhead's flag says."""
    return times.text(playhead_ns, decimals_for(axis, times))


def centre_x(axis: TimeAxis, time_ns: int) -> float:
    """Where the middle of a time's column lies in the widget; at most a width beside what shows."""
    column = max(-axis.width_px, min(axis.column_at(time_ns), 2 * axis.width_px))
    return NAMES_PX + column + 0.5


def paint_ruler(
    painter: QPainter,
    axis: TimeAxis,
    layout: TimelineLayout,
    ruler: Ruler,
    tokens: Tokens,
    fonts: TimelineFonts,
) -> None:
    """Ticks and labels."""
    rect = layout.ruler_rect
    painter.fillRect(rect, tokens.bg1)
    bottom = rect.bottom() + 1
    for time_ns in ruler.minor(axis.view):
        x = NAMES_PX + axis.column_at(time_ns)
        painter.fillRect(x, bottom - _MINOR_PX, 1, _MINOR_PX, tokens.line2)
    painter.setFont(fonts.ruler)
    for time_ns in ruler.labelled(axis.view):
        x = NAMES_PX + axis.column_at(time_ns)
        painter.fillRect(x, bottom - _MAJOR_PX, 1, _MAJOR_PX, tokens.t3)
        text = ruler.label(time_ns)
        if x + 5 + fonts.index_width(len(text)) <= layout.width_px:
            painter.setPen(tokens.t2)
            painter.drawText(QPointF(x + 5, rect.top() + 14), text)


def paint_range(
    painter: QPainter,
    axis: TimeAxis,
    layout: TimelineLayout,
    in_ns: int | None,
    out_ns: int | None,
    tokens: Tokens,
    fonts: TimelineFonts,
) -> None:
    """Where playing and exporting begin and end."""
    if in_ns is None and out_ns is None:
        return
    ruler, lanes = layout.ruler_rect, layout.lanes_rect
    left, right = float(NAMES_PX), float(layout.width_px)
    in_x = left if in_ns is None else centre_x(axis, in_ns)
    out_x = right if out_ns is None else centre_x(axis, out_ns)
    painter.save()
    painter.setClipRect(layout.body_rect)
    span_left, span_right = max(left, in_x), min(right, out_x)
    if span_left < span_right:
        painter.fillRect(QRectF(span_left, ruler.bottom() - 1, span_right - span_left, 2), tokens.accent)
    for time_ns, x, letter, shift in ((in_ns, in_x, "I", 0.0), (out_ns, out_x, "O", -float(_FLAG_PX))):
        if time_ns is None or not left - _FLAG_PX <= x <= right + _FLAG_PX:
            continue
        painter.fillRect(QRectF(x - 0.75, ruler.bottom(), 1.5, lanes.height() + 1), tokens.accent)
        flag = QRectF(x + shift, ruler.top() + 9, _FLAG_PX, _FLAG_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.accent)
        painter.drawRoundedRect(flag, 3, 3)
        painter.setPen(tokens.on_accent)
        painter.setFont(fonts.flag)
        painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, letter)
    painter.restore()


def flag_at(
    axis: TimeAxis, layout: TimelineLayout, in_ns: int | None, out_ns: int | None, point: QPoint
) -> str | None:
    """Whether a place in the ruler is on the flag of the in or out point: ``I``, ``O`` or None."""
    if not layout.ruler_rect.contains(point):
        return None
    for time_ns, letter, shift in ((in_ns, "I", 0), (out_ns, "O", -_FLAG_PX)):
        if time_ns is not None and 0 <= point.x() - centre_x(axis, time_ns) - shift <= _FLAG_PX:
            return letter
    return None


def paint_playhead(
    painter: QPainter,
    axis: TimeAxis,
    layout: TimelineLayout,
    playhead_ns: int,
    times: TimeFormat,
    tokens: Tokens,
    fonts: TimelineFonts,
) -> None:
    """The line through overview, ruler and lanes, and its flag."""
    in_overview = centre_x(axis.fitted(), playhead_ns)
    if NAMES_PX <= in_overview < layout.width_px:
        _line(painter, in_overview, 1, layout.overview_rect.bottom(), tokens.playhead)
    x = centre_x(axis, playhead_ns)
    if not NAMES_PX <= x < layout.width_px:
        return
    ruler = layout.ruler_rect
    _line(painter, x, ruler.top() + 18, layout.height_px, tokens.playhead)
    text = playhead_text(axis, playhead_ns, times)
    width = fonts.playhead_width(len(text)) + 14
    left = min(max(x - width / 2, NAMES_PX), layout.width_px - width)
    flag = QRectF(left, ruler.top() + 2, width, 19)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tokens.playhead)
    painter.drawRoundedRect(flag, 4, 4)
    bottom = flag.bottom()
    painter.drawPolygon(
        QPolygonF([QPointF(x - 4, bottom - 0.5), QPointF(x + 4, bottom - 0.5), QPointF(x, bottom + 4)])
    )
    painter.setPen(tokens.bg0)
    painter.setFont(fonts.playhead)
    painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, text)


def _line(painter: QPainter, x: float, top: int, bottom: int, colour: QColor) -> None:
    painter.fillRect(QRectF(x - PLAYHEAD_PX / 2, top, PLAYHEAD_PX, bottom - top), colour)
