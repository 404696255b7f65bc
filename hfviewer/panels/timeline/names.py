"""Paints the column of names: icon, name, number of the frame under the playhead, worst finding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from hfviewer.core import timing
from hfviewer.core.finding import Finding, Severity
from hfviewer.panels.drawing import one_line, painting
from hfviewer.panels.theme import Tokens, icon_pixmap, kind_colour, kind_icon, severity_colour
from hfviewer.panels.timeline.fonts import TimelineFonts
from hfviewer.panels.timeline.lane import Lane
from hfviewer.panels.timeline.layout import (
    NAMES_PX,
    OVERVIEW_PX,
    RULER_PX,
    STRIP_PX,
    TimelineLayout,
)

_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_ICON_LEFT_PX = 12
_NAME_LEFT_PX = 36
_NUMBER_RIGHT_PX = 180
_SEVERITY_LEFT_PX = 185
_SEVERITY_PX = 14


def name_width(lane: Lane, fonts: TimelineFonts) -> int:
    """Room for a lane's name: what its longest frame number leaves."""
    digits = len(str(max(1, len(lane.timestamps_ns))))
    return _NUMBER_RIGHT_PX - _NAME_LEFT_PX - fonts.index_width(digits) - 8


def lane_tip(lane: Lane, fonts: TimelineFonts) -> str:
    """A lane's name where the column cuts it short, and what can be done with it."""
    name = one_line(lane.name)
    cut = fonts.elided(name, name_width(lane, fonts)) != name
    return (f"{name}\n" if cut else "") + "Click: focus. Drag: move the lane. Right click: hide, group …"


def worst_of_each(findings: Sequence[Finding]) -> dict[str, Severity]:
    """The worst severity found in each stream that has a finding."""
    order = list(Severity)
    worst: dict[str, Severity] = {}
    for finding in findings:
        if finding.stream is not None:
            before = worst.get(finding.stream, finding.severity)
            worst[finding.stream] = min(before, finding.severity, key=order.index)
    return worst


@dataclass(frozen=True, slots=True)
class NamesKey:
    """All that the column depends on but the playhead: two equal keys give the same picture.

    Args:
        layout: of the widget.
        names: of the lanes, from top to bottom.
        focused: name of the stream in focus.
        severities: the worst finding of each stream that has one.
        windows: what the ruler's row says.
        findings: what the row of findings says.
        dark: which theme.
        ratio: device pixels per device-independent pixel.
    """

    layout: TimelineLayout
    names: tuple[str, ...]
    focused: str | None
    severities: tuple[tuple[str, Severity], ...]
    windows: str
    findings: str
    dark: bool
    ratio: float


def names_picture(key: NamesKey, lanes: Sequence[Lane], tokens: Tokens, fonts: TimelineFonts) -> QPixmap:
    """The column without the numbers of frames, as high as the widget."""
    layout, severities = key.layout, dict(key.severities)
    picture = QPixmap(ceil(NAMES_PX * key.ratio), max(1, ceil(layout.height_px * key.ratio)))
    picture.setDevicePixelRatio(key.ratio)
    picture.fill(tokens.bg1)
    with painting(picture, smooth=True) as painter:
        painter.setFont(fonts.quiet)
        painter.setPen(tokens.t3)
        for top, height, text in (
            (0, OVERVIEW_PX, "Overview"),
            (OVERVIEW_PX, RULER_PX, key.windows),
            (OVERVIEW_PX + RULER_PX, STRIP_PX, key.findings),
        ):
            painter.drawText(QRect(_ICON_LEFT_PX, top, NAMES_PX, height), _LEFT, text)
        painter.setClipRect(QRect(0, layout.lanes_rect.top(), NAMES_PX, layout.lanes_rect.height()))
        for index in layout.visible_lanes():
            lane = lanes[index]
            row = QRect(0, layout.lane_top(index), NAMES_PX, layout.lane_px)
            if lane.name == key.focused:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(tokens.accent_ground)
                painter.drawRoundedRect(QRectF(row.adjusted(4, 0, -4, -1)), 4, 4)
                painter.fillRect(QRectF(4, row.top() + 3, 2, row.height() - 7), tokens.accent)
            _paint_icon(painter, row, _ICON_LEFT_PX, 16, kind_icon(lane.kind), kind_colour(tokens, lane.kind))
            painter.setFont(fonts.name)
            painter.setPen(tokens.t1)
            name = fonts.elided(one_line(lane.name), name_width(lane, fonts))
            painter.drawText(row.adjusted(_NAME_LEFT_PX, 0, 0, 0), _LEFT, name)
            severity = severities.get(lane.name)
            if severity is not None:
                colour = severity_colour(tokens, severity)
                _paint_icon(painter, row, _SEVERITY_LEFT_PX, _SEVERITY_PX, severity.value, colour)
    return picture


def paint_numbers(
    painter: QPainter,
    layout: TimelineLayout,
    lanes: Sequence[Lane],
    playhead_ns: int,
    tokens: Tokens,
    fonts: TimelineFonts,
) -> None:
    """The numbers of the frames under the playhead, over the column."""
    painter.save()
    painter.setClipRect(QRect(0, layout.lanes_rect.top(), NAMES_PX, layout.lanes_rect.height()))
    painter.setFont(fonts.index)
    painter.setPen(tokens.t3)
    for index in layout.visible_lanes():
        number = timing.index_at(lanes[index].timestamps_ns, playhead_ns)
        room = QRect(0, layout.lane_top(index), _NUMBER_RIGHT_PX, layout.lane_px)
        painter.drawText(room, _RIGHT, "–" if number is None else str(number + 1))
    painter.restore()


def _paint_icon(painter: QPainter, row: QRect, left: int, size: int, name: str, colour: QColor) -> None:
    painter.drawPixmap(left, row.top() + (row.height() - size) // 2, icon_pixmap(name, colour, size))
