"""The rows of the stream list: what they hold and how they are painted."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from hfviewer.core.recording import Recording
from hfviewer.core.stream import Clock, StreamDescription
from hfviewer.panels.drawing import one_line
from hfviewer.panels.stream_badges import row_badges
from hfviewer.panels.theme import Theme, icon_pixmap, kind_colour, kind_icon, number_font, ui_font
from hfviewer.panels.tips import plain_tip

Index = QModelIndex | QPersistentModelIndex
ROW_PX = 26
RATE_PX = 50
EYE_PX = 28
NAME_LEFT_PX = 35
ICON_LEFT_PX = 12
_BADGE_PAD_PX = 5
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


@dataclass(frozen=True, slots=True)
class StreamRow:
    """A stream, and whether its panel is shown."""

    description: StreamDescription
    shown: bool = True


def rate_text(rate_hz: float | None) -> str:
    """Four figures; a dash where frames arrive irregularly."""
    if rate_hz is None:
        return "–"
    if rate_hz < 99.95:
        return f"{rate_hz:.2f}"
    return f"{rate_hz:.1f}" if rate_hz < 9999.5 else f"{rate_hz:.0f}"


_CLOCKS = {
    Clock.HARDWARE: "the sensor's own, at capture",
    Clock.HOST: "the recording computer's, on arrival: later than the capture, and unevenly so",
    Clock.NOMINAL: "none existed: stamps were made from a stated rate",
    None: "not known",
}


def tooltip(description: StreamDescription) -> str:
    """Everything known about a stream, a fact per line."""
    lines = [
        one_line(description.name),
        f"Kind: {description.kind}{' (guessed from the data)' if description.guessed else ''}",
        f"Encoding: {one_line(description.encoding) or 'not stated'}",
        f"Compression: {description.compression}",
        f"Clock: {_CLOCKS[description.clock]}",
    ]
    if description.rate_hz is None and description.frame_count > 1:
        lines.append("Frames arrive irregularly")
    if description.declared_rate_hz is not None:
        lines.append(f"Declared rate: {rate_text(description.declared_rate_hz)} Hz")
    if description.note:
        lines.append(description.note)
    return "\n".join(lines)


class StreamTable(QAbstractListModel):
    """A row per stream, in the recording's order."""

    shown_changed = Signal(str, bool)  # by the user

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[StreamRow] = []

    def set_recording(self, recording: Recording | None) -> None:
        """Show the streams of a recording, all of them visible."""
        self.beginResetModel()
        streams = {} if recording is None else recording.streams
        self._rows = [StreamRow(stream.description) for stream in streams.values()]
        self.endResetModel()

    def row(self, index: Index) -> StreamRow:
        return self._rows[index.row()]

    def index_of(self, name: str | None) -> QModelIndex:
        """Where a stream stands; an invalid index where it does not."""
        for number, row in enumerate(self._rows):
            if row.description.name == name:
                return self.index(number)
        return QModelIndex()

    def set_shown(self, name: str, shown: bool) -> None:
        """Open or close a stream's eye, without saying that the user did."""
        index = self.index_of(name)
        if index.isValid() and self._rows[index.row()].shown != shown:
            self._rows[index.row()] = replace(self._rows[index.row()], shown=shown)
            self.dataChanged.emit(index, index)

    def toggle(self, index: Index) -> None:
        """The user clicked the eye."""
        row = self.row(index)
        self.set_shown(row.description.name, not row.shown)
        self.shown_changed.emit(row.description.name, not row.shown)

    def most_digits(self) -> int:
        """Of the longest number of frames."""
        return max((len(str(row.description.frame_count)) for row in self._rows), default=1)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.row(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(row.description.name)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(tooltip(row.description))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = (
                one_line(row.description.name),
                *row_badges(row.description),
                "" if row.shown else "hidden",
            )
            return ", ".join(word for word in words if word)
        return None


class StreamDelegate(QStyledItemDelegate):
    """Paints a row: icon, name, badges, rate, frames, eye."""

    def __init__(self, theme: Theme, table: StreamTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._table = table
        self._font = ui_font(13)
        self._bold = ui_font(13, 600)
        self._badge_font = ui_font(11)
        self._number_font = number_font(12)

    def frames_px(self) -> int:
        """Width of the column of frame counts."""
        digits = max(len("Frames"), self._table.most_digits())
        return QFontMetrics(self._number_font).horizontalAdvance("0" * digits) + 10

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens, row = self._theme.tokens, self._table.row(index)
        rect = option.rect
        state = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.accent_ground if selected else tokens.bg3)
            painter.drawRoundedRect(QRectF(rect.adjusted(4, 0, -4, 0)), 4, 4)
        if selected:
            painter.fillRect(QRectF(rect.left() + 4, rect.top() + 4, 2, rect.height() - 8), tokens.accent)
        description = row.description
        colour = kind_colour(tokens, description.kind)
        self._icon(painter, rect, ICON_LEFT_PX, kind_icon(description.kind), colour)
        frames_px = self.frames_px()
        right = rect.right() - EYE_PX
        painter.setFont(self._number_font)
        painter.setPen(tokens.t2)
        painter.drawText(
            QRect(right - frames_px, rect.top(), frames_px, rect.height()),
            _RIGHT,
            str(description.frame_count),
        )
        right -= frames_px
        painter.drawText(
            QRect(right - RATE_PX, rect.top(), RATE_PX, rect.height()), _RIGHT, rate_text(description.rate_hz)
        )
        right -= RATE_PX - 8
        font = self._bold if selected else self._font
        whole_name = one_line(description.name)
        name_px = QFontMetrics(font).horizontalAdvance(whole_name) + 10
        right = self._paint_badges(painter, rect, right, row_badges(description), name_px)
        painter.setFont(font)
        painter.setPen(tokens.t1 if row.shown else tokens.t3)
        room = QRect(
            rect.left() + NAME_LEFT_PX, rect.top(), right - rect.left() - NAME_LEFT_PX - 4, rect.height()
        )
        name = painter.fontMetrics().elidedText(
            whole_name, Qt.TextElideMode.ElideMiddle, max(0, room.width())
        )
        painter.drawText(room, _LEFT, name)
        eye, eye_colour = ("eye", tokens.t2) if row.shown else ("eye-off", tokens.t3)
        self._icon(painter, rect, rect.width() - EYE_PX + 4, eye, eye_colour)
        painter.restore()

    def _paint_badges(
        self, painter: QPainter, rect: QRect, right: int, words: tuple[str, ...], name_px: int
    ) -> int:
        """Paint badges from the right, by their first letter where the word would cut the name short.

        Returns:
            Where the first of them begins.
        """
        tokens = self._theme.tokens
        painter.setFont(self._badge_font)
        metrics = painter.fontMetrics()
        for word in reversed(words):
            shown = word
            width = metrics.horizontalAdvance(shown) + 2 * _BADGE_PAD_PX
            if right - width - rect.left() - NAME_LEFT_PX < name_px:
                shown = "?" if word == "guessed" else word[:1].upper()
                width = metrics.horizontalAdvance(shown) + 2 * _BADGE_PAD_PX
                if word != "guessed" and right - width - rect.left() - NAME_LEFT_PX < name_px:
                    continue  # the tooltip and the panel's header say it too
            badge = QRect(right - width, rect.top() + 5, width, rect.height() - 10)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.warning_ground if word == "guessed" else tokens.bg3)
            painter.drawRoundedRect(QRectF(badge), 4, 4)
            painter.setPen(tokens.warning if word == "guessed" else tokens.t2)
            painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, shown)
            right -= width + 4
        return right

    def _icon(self, painter: QPainter, rect: QRect, left: int, name: str, colour: QColor) -> None:
        painter.drawPixmap(
            rect.left() + left, rect.top() + (rect.height() - 16) // 2, icon_pixmap(name, colour, 16)
        )
