"""Paints what lies over the lanes and moves: hold times, tracks, the snap guide, a dragged lane's place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from hfviewer.core.time_format import TimeFormat
from hfviewer.panels.standing import index_text
from hfviewer.panels.theme import Tokens, kind_colour, with_alpha
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.fonts import TimelineFonts
from hfviewer.panels.timeline.lane import Lane
from hfviewer.panels.timeline.layout import NAMES_PX, TRACKS_GAP_PX, TimelineLayout
from hfviewer.panels.timeline.overview import track_lines
from hfviewer.panels.timeline.scale import centre_x, decimals_for
from hfviewer.panels.timeline.track_row import TimeScale, TrackRow

_HOLD_FROM_PX = 8  # least distance of frames whose hold time is filled
_HOLD_SHARE = 0.17
_GUIDE_PX = 18


@dataclass(frozen=True, slots=True)
class Guide:
    """The frame that an edge snaps to, or the time it is at.

    Args:
        time_ns: of the edge.
        frame: index of the frame; None where it did not snap.
        y: where the pointer is.
    """

    time_ns: int
    frame: int | None
    y: int


def paint_holds(
    painter: QPainter,
    axis: TimeAxis,
    layout: TimelineLayout,
    lanes: Sequence[Lane],
    position_ns: int,
    tokens: Tokens,
) -> None:
    """How long each frame under the playhead is on screen, where there is room to see that."""
    painter.save()
    painter.setClipRect(layout.lanes_rect)
    for index in layout.visible_lanes():
        lane = lanes[index]
        if lane.px_per_frame(axis.ns_per_px) < _HOLD_FROM_PX:
            continue
        hold = lane.hold_at(position_ns)
        if hold is None:
            continue
        columns = axis.columns_of(hold.start_ns, hold.stop_ns)
        top, pad = layout.lane_top(index), min(5, layout.lane_px // 8)
        held = QRect(NAMES_PX + columns.start, top + pad, len(columns), layout.lane_px - 2 * pad)
        painter.fillRect(held, with_alpha(kind_colour(tokens, lane.kind), _HOLD_SHARE))
    painter.restore()


def paint_tracks(
    painter: QPainter, axis: TimeAxis, layout: TimelineLayout, tracks: Sequence[TrackRow], tokens: Tokens
) -> None:
    """The rows below the lanes, and a line for each in the overview."""
    if not tracks:
        return
    area = layout.tracks_rect
    top = area.top() - TRACKS_GAP_PX  # nothing else paints the gap below the lanes
    painter.fillRect(0, top, layout.width_px, layout.height_px - top, tokens.bg1)
    painter.fillRect(area, tokens.bg0)
    scale, whole = TimeScale(axis), TimeScale(axis.fitted())
    for index, row in enumerate(tracks):
        rect = layout.track_rect(index)
        shown = rect.intersected(area)
        if not shown.isEmpty():
            painter.save()
            painter.setClipRect(shown)
            row.paint(painter, scale, rect)
            painter.restore()
            painter.fillRect(NAMES_PX, min(rect.bottom(), area.bottom()), rect.width(), 1, tokens.bg1)
    lines = track_lines(len(tracks), layout.time_px, NAMES_PX)
    for row, line in zip(tracks, lines, strict=False):
        painter.save()
        painter.setClipRect(line)
        row.paint_overview(painter, whole, line)
        painter.restore()


def paint_track_names(painter: QPainter, layout: TimelineLayout, tracks: Sequence[TrackRow]) -> None:
    """Their names, in the column on the left."""
    area = layout.tracks_rect
    for index, row in enumerate(tracks):
        rect = layout.track_rect(index)
        painter.save()
        painter.setClipRect(0, area.top(), NAMES_PX, area.height())
        row.paint_name(painter, QRect(0, rect.top(), NAMES_PX, rect.height()))
        painter.restore()


def paint_empty(
    painter: QPainter, rect: QRect, tokens: Tokens, fonts: TimelineFonts, *, nothing_open: bool
) -> None:
    """What stands in place of a timeline without time."""
    painter.fillRect(rect, tokens.bg1)
    painter.setPen(tokens.t3)
    painter.setFont(fonts.name)
    text = "Open a recording to see its streams here." if nothing_open else "This recording holds no frames."
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def paint_guide(
    painter: QPainter,
    axis: TimeAxis,
    layout: TimelineLayout,
    guide: Guide,
    times: TimeFormat,
    tokens: Tokens,
    fonts: TimelineFonts,
) -> None:
    """A dashed line to the frame that an edge snaps to, and which one that is."""
    x = centre_x(axis, guide.time_ns)
    if not NAMES_PX <= x <= layout.width_px:
        return
    painter.setPen(QPen(tokens.accent, 1.5, Qt.PenStyle.DashLine))
    painter.drawLine(QPointF(x, layout.lanes_rect.top()), QPointF(x, layout.height_px))
    text = times.text(guide.time_ns, decimals_for(axis, times))
    if guide.frame is not None:
        text = f"{text}  {index_text(guide.frame)}"
    width = fonts.index_width(len(text)) + 12
    left = x + 6 if x + 6 + width <= layout.width_px else x - 6 - width
    top = max(layout.lanes_rect.top(), min(guide.y + 12, layout.height_px - _GUIDE_PX - 2))
    plate = QRectF(left, top, width, _GUIDE_PX)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tokens.accent)
    painter.drawRoundedRect(plate, 3, 3)
    painter.setPen(tokens.on_accent)
    painter.setFont(fonts.index)
    painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)


def paint_insertion(painter: QPainter, layout: TimelineLayout, edge: int, tokens: Tokens) -> None:
    """Where a dragged lane would go."""
    y = layout.lane_top(edge)
    if layout.lanes_rect.top() <= y <= layout.lanes_rect.bottom() + 1:
        painter.fillRect(QRectF(4, y - 1, layout.width_px - 8, 2), tokens.accent)
