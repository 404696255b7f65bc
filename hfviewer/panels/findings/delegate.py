"""How a row of the list of findings is painted."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from hfviewer.core.finding import Finding
from hfviewer.core.stream import StreamKind
from hfviewer.model.workspace import Workspace
from hfviewer.panels.drawing import one_line
from hfviewer.panels.findings.rows import FindingRow, Heading
from hfviewer.panels.findings.table import FindingTable, Index
from hfviewer.panels.theme import Theme, icon_pixmap, kind_colour, number_font, severity_colour, ui_font

ROW_PX = 42
HEADING_PX = 26
TEXT_LEFT_PX = 38
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class FindingDelegate(QStyledItemDelegate):
    """Paints a finding in two lines, and headings in one.

    Args:
        theme: the tokens in force.
        workspace: of what is open.
        table: the rows.
        parent: as in Qt.
    """

    def __init__(self, theme: Theme, workspace: Workspace, table: FindingTable, parent: QObject) -> None:
        super().__init__(parent)
        self._theme, self._workspace, self._table = theme, workspace, table
        self._message_font = ui_font(13, 600)
        self._stream_font = ui_font(12, 600)
        self._evidence_font = ui_font(12)
        self._heading_font = ui_font(12, 600)
        self._time_font = number_font(12)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, HEADING_PX if isinstance(self._table.row(index), Heading) else ROW_PX)

    def time_text(self, finding: Finding) -> str:
        """When it begins; empty where it has no time."""
        recording = self._workspace.recording
        if finding.start_ns is None or recording is None or recording.description.span is None:
            return ""
        return self._workspace.time_display.format.text(finding.start_ns)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = self._table.row(index)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, Heading):
            self._paint_heading(
                painter, option.rect, row, hovered=_has(option, QStyle.StateFlag.State_MouseOver)
            )
        else:
            self._paint_finding(painter, option, row)
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRect, row: Heading, *, hovered: bool) -> None:
        tokens = self._theme.tokens
        painter.fillRect(rect, tokens.bg3 if hovered else tokens.bg2)
        name = "chevron-right" if row.folded else "chevron-down"
        painter.drawPixmap(rect.left() + 14, rect.top() + 6, icon_pixmap(name, tokens.t3, 14))
        count = str(len(row.findings))
        painter.setFont(self._time_font)
        painter.setPen(tokens.t2)
        painter.drawText(rect.adjusted(0, 0, -12, 0), _RIGHT, count)
        right = rect.right() - 20 - painter.fontMetrics().horizontalAdvance(count)
        sign = icon_pixmap(row.severity.value, severity_colour(tokens, row.severity), 14)
        painter.drawPixmap(right - 14, rect.top() + 6, sign)
        room = rect.adjusted(TEXT_LEFT_PX, 0, right - 20 - rect.right(), 0)
        self._elided(painter, room, row.title, self._heading_font, tokens.t1)

    def _paint_finding(self, painter: QPainter, option: QStyleOptionViewItem, row: FindingRow) -> None:
        tokens, finding, rect = self._theme.tokens, row.finding, option.rect
        selected = _has(option, QStyle.StateFlag.State_Selected)
        if selected or _has(option, QStyle.StateFlag.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.accent_ground if selected else tokens.bg3)
            painter.drawRoundedRect(QRectF(rect.adjusted(4, 0, -4, 0)), 4, 4)
        if selected:
            painter.fillRect(QRectF(rect.left() + 4, rect.top() + 4, 2, rect.height() - 8), tokens.accent)
        # An accepted one keeps its words, with a tick instead of its shape.
        sign, colour = finding.severity.value, severity_colour(tokens, finding.severity)
        if row.accepted:
            sign, colour = "check", tokens.t3
        painter.drawPixmap(rect.left() + 14, rect.top() + 6, icon_pixmap(sign, colour, 16))
        upper = QRect(rect.left() + TEXT_LEFT_PX, rect.top() + 4, rect.width() - TEXT_LEFT_PX - 12, 18)
        time = self.time_text(finding)
        painter.setFont(self._time_font)
        painter.setPen(tokens.t2)
        painter.drawText(upper, _RIGHT, time)
        time_px = painter.fontMetrics().horizontalAdvance(time) + 8 if time else 0
        room = upper.adjusted(0, 0, -time_px, 0)
        self._elided(
            painter, room, finding.message, self._message_font, tokens.t3 if row.accepted else tokens.t1
        )
        lower = upper.translated(0, 17)
        if finding.stream is not None:
            half = QRect(lower.left(), lower.top(), lower.width() // 2, lower.height())
            colour = kind_colour(tokens, self._kind_of(finding.stream))
            used = self._elided(painter, half, finding.stream, self._stream_font, colour, middle=True)
            lower.setLeft(lower.left() + used + 8)
        words = finding.evidence or finding.code.replace("_", " ")
        if row.accepted:
            words = f"accepted: {row.note}" if row.note else "accepted"
        self._elided(painter, lower, words, self._evidence_font, tokens.t2 if selected else tokens.t3)

    @staticmethod
    def _elided(
        painter: QPainter, room: QRect, text: str, font: QFont, colour: QColor, *, middle: bool = False
    ) -> int:
        """Write as much of a text as there is room for; returns its width."""
        mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
        painter.setFont(font)
        painter.setPen(colour)
        shown = painter.fontMetrics().elidedText(one_line(text), mode, room.width())
        painter.drawText(room, _LEFT, shown)
        return painter.fontMetrics().horizontalAdvance(shown)

    def _kind_of(self, stream: str) -> StreamKind:
        recording = self._workspace.recording
        found = None if recording is None else recording.streams.get(stream)
        return StreamKind.UNKNOWN if found is None else found.description.kind


def _has(option: QStyleOptionViewItem, flag: QStyle.StateFlag) -> bool:
    return bool(option.state & flag)
