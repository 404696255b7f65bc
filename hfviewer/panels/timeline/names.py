"""Paints the column of names: icon, name, number of the frame under the playhead, worst finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from hfviewer.core import timing
from hfviewer.core.finding import Finding, Severity
from hfviewer.panels.drawing import one_line
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


def paint_names(
    painter: QPainter,
    layout: TimelineLayout,
    lanes: Sequence[Lane],
    playhead_ns: int,
    *,
    focused: str | None,
    severities: Mapping[str, Severity],
    windows: str,
    findings: str,
    tokens: Tokens,
    fonts: TimelineFonts,
) -> None:
    """The column, as high as the widget.

    Args:
        painter: of the widget.
        layout: of the widget.
        lanes: all of them.
        playhead_ns: whose frames the numbers name.
        focused: name of the stream in focus.
        severities: the worst finding of each stream that has one.
        windows: what the ruler's row says.
        findings: what the row of findings says.
        tokens: of the theme.
        fonts: of the timeline.
    """
    painter.fillRect(0, 0, NAMES_PX, layout.height_px, tokens.bg1)
    painter.setFont(fonts.quiet)
    painter.setPen(tokens.t3)
    middle_left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    painter.drawText(QRect(_ICON_LEFT_PX, 0, NAMES_PX, OVERVIEW_PX), middle_left, "Overview")
    painter.drawText(QRect(_ICON_LEFT_PX, OVERVIEW_PX, NAMES_PX, RULER_PX), middle_left, windows)
    painter.drawText(QRect(_ICON_LEFT_PX, OVERVIEW_PX + RULER_PX, NAMES_PX, STRIP_PX), middle_left, findings)
    painter.save()
    painter.setClipRect(QRect(0, layout.lanes_rect.top(), NAMES_PX, layout.lanes_rect.height()))
    for index in layout.visible_lanes():
        lane = lanes[index]
        row = QRect(0, layout.lane_top(index), NAMES_PX, layout.lane_px)
        if lane.name == focused:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.accent_ground)
            painter.drawRoundedRect(QRectF(row.adjusted(4, 0, -4, -1)), 4, 4)
            painter.fillRect(QRectF(4, row.top() + 3, 2, row.height() - 7), tokens.accent)
        _paint_icon(painter, row, _ICON_LEFT_PX, 16, kind_icon(lane.kind), kind_colour(tokens, lane.kind))
        painter.setFont(fonts.name)
        painter.setPen(tokens.t1)
        name = fonts.elided(one_line(lane.name), name_width(lane, fonts))
        painter.drawText(row.adjusted(_NAME_LEFT_PX, 0, 0, 0), middle_left, name)
        number = timing.index_at(lane.timestamps_ns, playhead_ns)
        painter.setFont(fonts.index)
        painter.setPen(tokens.t3)
        painter.drawText(
            QRect(0, row.top(), _NUMBER_RIGHT_PX, row.height()),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
            "–" if number is None else str(number + 1),
        )
        severity = severities.get(lane.name)
        if severity is not None:
            colour = severity_colour(tokens, severity)
            _paint_icon(painter, row, _SEVERITY_LEFT_PX, _SEVERITY_PX, severity.value, colour)
    painter.restore()


def _paint_icon(painter: QPainter, row: QRect, left: int, size: int, name: str, colour: QColor) -> None:
    painter.drawPixmap(left, row.top() + (row.height() - size) // 2, icon_pixmap(name, colour, size))
