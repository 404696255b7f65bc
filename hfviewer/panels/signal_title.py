"""The line above a signal plot: its quantity, and each channel with its value at the playhead."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from hfviewer.panels.signal_data import VALUE_CHARACTERS
from hfviewer.panels.theme import Theme, number_font, ui_font

_HEIGHT = 24


@dataclass(frozen=True, slots=True, eq=False)
class LegendEntry:
    """One channel.

    Args:
        column: of the values.
        name: of the channel.
        colour: of its curve.
        shown: False where the user switched it off.
        text: its value, always of the same width.
    """

    column: int
    name: str
    colour: QColor
    shown: bool
    text: str


class SignalTitle(QWidget):
    """Title on the left, channels on the right; a click on one switches it on or off."""

    toggled = Signal(int)  # column

    def __init__(self, title: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._title, self._theme = title, theme
        self._entries: list[LegendEntry] = []
        self._hits: list[tuple[QRectF, int]] = []
        self.setFixedHeight(_HEIGHT)
        self.setToolTip(title)
        theme.changed.connect(self.update)

    @property
    def entries(self) -> list[LegendEntry]:
        return self._entries

    def show_entries(self, entries: list[LegendEntry]) -> None:
        self._entries = entries
        self.setToolTip("\n".join([self._title, *(f"{e.name} {e.text.strip()}" for e in entries)]))
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _HEIGHT)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for rect, column in self._hits:
            if rect.contains(event.position()):
                self.toggled.emit(column)
        event.ignore()  # the panel wants to know of the press, too

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        painter = QPainter(self)
        painter.fillRect(self.rect(), tokens.bg1)
        title_font, name_font, value_font = ui_font(12, 500), ui_font(12, 600), number_font(12)
        title_metrics, names = QFontMetrics(title_font), QFontMetrics(name_font)
        value_width = QFontMetrics(value_font).horizontalAdvance("0" * VALUE_CHARACTERS)
        widths = [18 + names.horizontalAdvance(e.name) + 2 + value_width for e in self._entries]
        title_width = min(title_metrics.horizontalAdvance(self._title), max(60, self.width() // 2))
        room = self.width() - 10 - title_width - 14 - 8
        kept = 0
        while kept < len(widths) and sum(widths[: kept + 1]) + 12 * kept <= room - (
            26 if kept + 1 < len(widths) else 0
        ):
            kept += 1
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setFont(title_font)
        painter.setPen(tokens.t2)
        shown_title = title_metrics.elidedText(self._title, Qt.TextElideMode.ElideRight, title_width + 2)
        painter.drawText(QRectF(10, 0, title_width + 4, _HEIGHT), flags, shown_title)
        left = self.width() - 8 - sum(widths[:kept]) - 12 * max(0, kept - 1)
        if kept < len(widths):
            more = f"+{len(widths) - kept}"
            left -= 26
            painter.setPen(tokens.t3)
            painter.drawText(QRectF(self.width() - 8 - 22, 0, 24, _HEIGHT), flags, more)
        self._hits = []
        for entry, width in zip(self._entries[:kept], widths[:kept], strict=True):
            self._hits.append((QRectF(left, 0, width, _HEIGHT), entry.column))
            colour = entry.colour if entry.shown else tokens.t3
            dash = QRectF(left, _HEIGHT / 2 - 2, 12, 4)
            painter.setPen(Qt.PenStyle.NoPen if entry.shown else QPen(colour, 1))
            painter.setBrush(colour if entry.shown else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(dash, 2, 2)
            painter.setFont(name_font)
            painter.setPen(colour)
            painter.drawText(QRectF(left + 16, 0, width, _HEIGHT), flags, entry.name)
            painter.setFont(value_font)
            painter.setPen(tokens.t1 if entry.shown else tokens.t3)
            value = QRectF(left + width - value_width, 0, value_width + 2, _HEIGHT)
            painter.drawText(value, flags, entry.text if entry.shown else "off".rjust(VALUE_CHARACTERS))
            left += width + 12
        painter.end()
