"""The line above a signal plot: its quantity, and each channel with its value at the playhead."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from hfviewer.panels.drawing import painting
from hfviewer.panels.signal_data import VALUE_CHARACTERS
from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.panels.tips import plain_tip

_HEIGHT = 24
_SPACING = 12  # between channels
_MORE_WIDTH = 26
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


@dataclass(frozen=True, slots=True, eq=False)
class LegendEntry:
    """One channel.

    Args:
        column: of the values.
        name: of the channel.
        colour: of its curve.
        shown: False where the user switched it off.
    """

    column: int
    name: str
    colour: QColor
    shown: bool


class SignalTitle(QWidget):
    """Title on the left, channels on the right; a click on one switches it on or off, a drag takes it along.

    All but the values is kept as a picture: they change with every move of the playhead.
    """

    toggled = Signal(int)  # column
    drag_wanted = Signal(int)  # column
    pressed = Signal()

    def __init__(self, title: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._title, self._theme = title, theme
        self._entries: list[LegendEntry] = []
        self._more = 0
        self._values: list[str] = []
        self._hits: list[QRectF] = []  # of the entries that have room, where their name and value are
        self._value_px = 0
        self._picture: QPixmap | None = None
        self._pressed: tuple[QPointF, int] | None = None  # where, and on which column, until it is a drag
        self.setFixedHeight(_HEIGHT)
        theme.changed.connect(self._redraw)

    @property
    def title(self) -> str:
        return self._title

    @property
    def entries(self) -> list[LegendEntry]:
        return self._entries

    @property
    def values(self) -> list[str]:
        """Of the entries, as written."""
        return self._values

    def show_entries(self, entries: list[LegendEntry], *, more: int = 0) -> None:
        """Name these channels, and say how many more there are."""
        self._entries, self._more = entries, more
        self._redraw()

    def show_values(self, values: list[str]) -> None:
        """Write a value, always `VALUE_CHARACTERS` wide, behind each name."""
        if values == self._values:
            return
        self._values = values
        if self._picture is None:
            self.update()
        else:
            for hit in self._hits:
                self.update(self._value_rect(hit).toAlignedRect())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._redraw()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            for rect, entry in zip(self._hits, self._entries, strict=False):
                if rect.contains(event.position()):
                    self._pressed = (event.position(), entry.column)
        self.pressed.emit()  # not ignored: whoever ignores a press hears nothing of the release

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        place, column = self._pressed
        if (event.position() - place).manhattanLength() >= QApplication.startDragDistance():
            self._pressed = None
            self.drag_wanted.emit(column)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is not None:
            self.toggled.emit(pressed[1])

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            pairs = zip(self._entries, self._values, strict=False)
            lines = [self._title, *(f"{entry.name} {value.strip()}" for entry, value in pairs)]
            lines.append("Click a name to switch it on or off; drag it onto another plot to show it there.")
            QToolTip.showText(event.globalPos(), plain_tip("\n".join(lines)), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._picture is None:
            self._picture = self._make_picture()
        tokens = self._theme.tokens
        with painting(self) as painter:
            painter.drawPixmap(0, 0, self._picture)
            painter.setFont(number_font(12))
            for hit, entry, value in zip(self._hits, self._entries, self._values, strict=False):
                painter.setPen(tokens.t1 if entry.shown else tokens.t3)
                text = value if entry.shown else "off".rjust(VALUE_CHARACTERS)
                painter.drawText(self._value_rect(hit), _LEFT, text)

    # -- inside ----------------------------------------------------------------------------------------------

    def _redraw(self) -> None:
        self._picture = None
        self.update()

    def _value_rect(self, hit: QRectF) -> QRectF:
        return QRectF(hit.right() - self._value_px, 0, self._value_px + 2, _HEIGHT)

    def _make_picture(self) -> QPixmap:
        """Title, marks and names; where the values go is worked out on the way."""
        tokens, ratio = self._theme.tokens, self.devicePixelRatioF()
        picture = QPixmap(max(1, round(self.width() * ratio)), max(1, round(_HEIGHT * ratio)))
        picture.setDevicePixelRatio(ratio)
        picture.fill(tokens.bg1)
        title_font = ui_font(12, 500)
        metrics = QFontMetrics(title_font)
        title_width = min(metrics.horizontalAdvance(self._title), max(60, self.width() // 2))
        kept = self._place(self.width() - 10 - title_width - 14 - 8)
        with painting(picture) as painter:
            painter.setFont(title_font)
            painter.setPen(tokens.t2)
            shown = metrics.elidedText(self._title, Qt.TextElideMode.ElideRight, title_width + 2)
            painter.drawText(QRectF(10, 0, title_width + 4, _HEIGHT), _LEFT, shown)
            more = len(self._entries) + self._more - kept
            if more:
                painter.setPen(tokens.t3)
                painter.drawText(QRectF(self.width() - 8 - 22, 0, 24, _HEIGHT), _LEFT, f"+{more}")
            painter.setFont(ui_font(12, 600))
            for hit, entry in zip(self._hits, self._entries, strict=False):
                self._paint_name(painter, hit, entry)
        return picture

    def _place(self, room: int) -> int:
        """Find where each entry goes, from the right; gives how many have room."""
        names = QFontMetrics(ui_font(12, 600))
        self._value_px = QFontMetrics(number_font(12)).horizontalAdvance("0" * VALUE_CHARACTERS)
        widths = [18 + names.horizontalAdvance(entry.name) + 2 + self._value_px for entry in self._entries]
        total, kept = len(widths) + self._more, 0
        while kept < len(widths) and sum(widths[: kept + 1]) + _SPACING * kept <= room - (
            _MORE_WIDTH if kept + 1 < total else 0
        ):
            kept += 1
        left = float(self.width() - 8 - sum(widths[:kept]) - _SPACING * max(0, kept - 1))
        if kept < total:
            left -= _MORE_WIDTH
        self._hits = []
        for width in widths[:kept]:
            self._hits.append(QRectF(left, 0, width, _HEIGHT))
            left += width + _SPACING
        return kept

    def _paint_name(self, painter: QPainter, hit: QRectF, entry: LegendEntry) -> None:
        colour = entry.colour if entry.shown else self._theme.tokens.t3
        painter.setPen(Qt.PenStyle.NoPen if entry.shown else QPen(colour, 1))
        painter.setBrush(colour if entry.shown else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(hit.left(), _HEIGHT / 2 - 2, 12, 4), 2, 2)
        painter.setPen(colour)
        painter.drawText(QRectF(hit.left() + 16, 0, hit.width(), _HEIGHT), _LEFT, entry.name)
