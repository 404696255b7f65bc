"""How a row of the episode list is painted."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from hfviewer.core.collection import EpisodeRow
from hfviewer.panels.drawing import one_line
from hfviewer.panels.episode_table import Column, EpisodeFilter, EpisodeTable, Index
from hfviewer.panels.theme import Theme, icon_pixmap, number_font, severity_colour, ui_font

ROW_PX = 26
TALL_ROW_PX = 40  # with the task below the name
EDGE_PX = 4
_ICON = 14
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class EpisodeDelegate(QStyledItemDelegate):
    """Paints one cell; the open episode is bold with a bar before it, the chosen one has a ground.

    Args:
        theme: the tokens in force.
        table: the rows.
        shown: which of them the view lists.
        parent: as in Qt.
    """

    def __init__(self, theme: Theme, table: EpisodeTable, shown: EpisodeFilter, parent: QObject) -> None:
        super().__init__(parent)
        self._theme, self._table, self._shown = theme, table, shown
        self._font, self._bold = ui_font(13), ui_font(13, 600)
        self._small = ui_font(11)
        self._numbers = number_font(12)
        self._opening: str | None = None
        self._labels_beside_names = False
        self._with_tasks = False

    def set_opening(self, key: str | None) -> None:
        """Mark the episode that is being opened."""
        self._opening = key

    def set_labels_beside_names(self, beside: bool) -> None:
        """There is no column to say whether an episode is labelled."""
        self._labels_beside_names = beside

    @property
    def with_tasks(self) -> bool:
        return self._with_tasks

    def set_with_tasks(self, with_tasks: bool) -> None:
        """Say of each episode which task it belongs to."""
        self._with_tasks = with_tasks

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(40, TALL_ROW_PX if self._with_tasks else ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens, rect = self._theme.tokens, option.rect
        row = self._table.row(self._shown.place(index.row()))
        state, column = option.state, Column(index.column())
        is_open = row.key == self._table.current
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if selected or is_open or state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, tokens.accent_ground if selected or is_open else tokens.bg3)
        if column is Column.NUMBER and is_open:
            painter.fillRect(QRectF(rect.left(), rect.top() + 4, 2, rect.height() - 8), tokens.accent)
        if selected and self._has_focus(option):
            painter.setPen(tokens.accent)
            painter.drawLine(rect.topLeft(), rect.topRight())
            painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_cell(painter, rect, row, column, bold=is_open)
        painter.restore()

    @staticmethod
    def _has_focus(option: QStyleOptionViewItem) -> bool:
        """Whether the list, not a cell of it, has the keyboard."""
        return bool(option.widget is not None and option.widget.hasFocus())

    def _paint_cell(
        self, painter: QPainter, rect: QRect, row: EpisodeRow, column: Column, *, bold: bool
    ) -> None:
        tokens = self._theme.tokens
        if column is Column.HEALTH:
            self._paint_health(painter, rect, row)
        elif column is Column.LABELS:
            if row.labelled:
                self._icon(painter, rect, "annotation", tokens.t2)
        elif column is Column.NAME:
            if row.labelled and self._labels_beside_names:
                right = QRect(rect.right() - _ICON - 2 * EDGE_PX, rect.top(), _ICON, rect.height())
                self._icon(painter, right, "annotation", tokens.t2)
                rect = rect.adjusted(0, 0, -_ICON - EDGE_PX, 0)
            self._paint_name(painter, rect, row, bold=bold)
        else:
            painter.setFont(self._numbers)
            painter.setPen(tokens.t3 if column is Column.NUMBER else tokens.t2)
            self._text(painter, rect, self._cell_text(row, column), _RIGHT)

    def _paint_name(self, painter: QPainter, rect: QRect, row: EpisodeRow, *, bold: bool) -> None:
        """The name without the task's that it begins with; the task below it where there are several."""
        tokens = self._theme.tokens
        name = QRect(rect)
        if self._with_tasks:
            name.adjust(0, 3, 0, -rect.height() // 2)
            painter.setFont(self._small)
            painter.setPen(tokens.t3)
            self._text(painter, rect.adjusted(0, rect.height() // 2 - 1, 0, -3), one_line(row.task), _LEFT)
        painter.setFont(self._bold if bold else self._font)
        painter.setPen(tokens.t1 if row.ok else tokens.t2)
        self._text(painter, name, short_name(row), _LEFT)

    def _cell_text(self, row: EpisodeRow, column: Column) -> str:
        if column is Column.LENGTH and row.key == self._opening:
            return "opening"
        place = self._table.place_of(row.key)
        return "" if place is None else str(self._table.index(place, column).data() or "")

    def _paint_health(self, painter: QPainter, rect: QRect, row: EpisodeRow) -> None:
        tokens, found = self._theme.tokens, self._table.health.of(row.key)
        if not row.ok:
            self._icon(painter, rect, "error", tokens.error)
            painter.setFont(self._numbers)
            painter.setPen(tokens.error)
            count = str(found.findings) if found is not None and found.findings else "!"
            self._text(painter, rect.adjusted(_ICON + 4, 0, 0, 0), count, _LEFT)
        elif found is not None and found.severity is None:
            self._icon(painter, rect, "fine", tokens.fine)
        elif found is not None and found.severity is not None:
            colour = severity_colour(tokens, found.severity)
            self._icon(painter, rect, found.severity.value, colour)
            painter.setFont(self._numbers)
            painter.setPen(colour)
            self._text(painter, rect.adjusted(_ICON + 4, 0, 0, 0), str(found.findings), _LEFT)

    @staticmethod
    def _text(painter: QPainter, rect: QRect, text: str, flags: Qt.AlignmentFlag) -> None:
        room = rect.adjusted(EDGE_PX, 0, -EDGE_PX, 0)
        text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, max(0, room.width()))
        painter.drawText(room, flags, text)

    @staticmethod
    def _icon(painter: QPainter, rect: QRect, name: str, colour: QColor) -> None:
        top = rect.top() + (rect.height() - _ICON) // 2
        painter.drawPixmap(rect.left() + EDGE_PX, top, icon_pixmap(name, colour, _ICON))


def short_name(row: EpisodeRow) -> str:
    """``ep000012`` of ``bench_ep000012``: what tells it from the others of its task."""
    name = one_line(row.name)
    rest = name.removeprefix(one_line(row.task)).lstrip("_- ") if row.task else name
    return rest or name
