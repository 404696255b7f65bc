"""Figures of the channels below a signal panel's plots: at the cursors, and over the visible span."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from hfviewer.core.signal_maths import SpanStatistics
from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.panels.tips import plain_tip

MOST_ROWS = 12
_ROW_PX = 18
_HEAD_PX = 22
_CELL_CHARACTERS = 11
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class TableRow:
    """One channel.

    Args:
        name: of the channel.
        unit: of its values.
        colour: of its curve.
        cells: one text for each heading.
    """

    name: str
    unit: str
    colour: QColor
    cells: tuple[str, ...]


class SignalTable(QWidget):
    """A heading and a row for each channel; digits keep their places. It takes no mouse and no keys."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._titles: tuple[str, ...] = ()
        self._left_out = 0
        self._heads: tuple[str, ...] = ()
        self._rows: tuple[TableRow, ...] = ()
        self.hide()
        theme.changed.connect(self.update)

    @property
    def title(self) -> str:
        """What the figures are of, all lines of it."""
        return "\n".join(self._titles)

    @property
    def heads(self) -> tuple[str, ...]:
        return self._heads

    @property
    def rows(self) -> tuple[TableRow, ...]:
        return self._rows

    def show_rows(
        self, titles: tuple[str, ...], heads: tuple[str, ...], rows: tuple[TableRow, ...], *, room_px: int
    ) -> None:
        """Show this, or hide where there is no heading.

        Args:
            titles: what the figures are of, a line each.
            heads: of the columns.
            rows: those that have no room are not shown, but told in the tooltip.
            room_px: height that there is at most.
        """
        head_px = _HEAD_PX * len(titles) + _ROW_PX + 6
        fitting = min(MOST_ROWS, max(0, room_px - head_px) // _ROW_PX)
        left_out = max(0, len(rows) - fitting)
        wanted = bool(heads) and fitting > 0
        content = (titles, heads, rows, left_out)
        if wanted:
            self.setFixedHeight(head_px + _ROW_PX * (len(rows) - left_out))
        if wanted == self.isHidden():
            self.setVisible(wanted)
        if content != (self._titles, self._heads, self._rows, self._left_out):
            self._titles, self._heads, self._rows, self._left_out = content
            self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            lines = [*self._titles, "\t".join(("", *self._heads))]
            lines += ["\t".join((f"{row.name} {row.unit}".strip(), *row.cells)) for row in self._rows]
            QToolTip.showText(event.globalPos(), plain_tip("\n".join(lines)), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        with painting(self, smooth=True) as painter:
            painter.fillRect(self.rect(), tokens.bg1)
            painter.setPen(QPen(tokens.line, 1))
            painter.drawLine(QPointF(0, 0.5), QPointF(self.width(), 0.5))
            painter.setFont(ui_font(12, 600))
            painter.setPen(tokens.t2)
            room = self.width() - 20
            for number, title in enumerate(self._titles):
                if number == len(self._titles) - 1 and self._left_out:
                    title += f" · {self._left_out} channels more have no room"
                title = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, room)
                painter.drawText(QRectF(10, 3 + number * _HEAD_PX, room + 2, _HEAD_PX - 3), _LEFT, title)
            self._paint_rows(painter, _HEAD_PX * len(self._titles))

    def _paint_rows(self, painter: QPainter, above: int) -> None:
        tokens, digits = self._theme.tokens, number_font(12)
        cell = QFontMetrics(digits).horizontalAdvance("0" * _CELL_CHARACTERS) + 6
        metrics = QFontMetrics(ui_font(12))
        shown = self._rows[: len(self._rows) - self._left_out]
        widest = max((metrics.horizontalAdvance(row.name) for row in shown), default=0) + 40
        least = min(max(80, widest), self.width() * 2 // 5)
        fitting = min(len(self._heads), max(0, (self.width() - 10 - least) // cell))  # the rest is left out
        names = max(least, self.width() - 10 - cell * fitting)
        painter.setFont(ui_font(11))
        painter.setPen(tokens.t3)
        for column, head in enumerate(self._heads[:fitting]):
            painter.drawText(QRectF(names + column * cell, above, cell - 6, _ROW_PX), _RIGHT, head)
        for number, row in enumerate(shown):
            top = above + _ROW_PX * (number + 1)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(row.colour)
            painter.drawRoundedRect(QRectF(10, top + _ROW_PX / 2 - 2, 12, 4), 2, 2)
            name_font = ui_font(12)
            painter.setFont(name_font)
            painter.setPen(tokens.t1)
            name = f"{row.name}  {row.unit}".rstrip()
            if metrics.horizontalAdvance(name) > names - 36:
                name = metrics.elidedText(row.name, Qt.TextElideMode.ElideMiddle, names - 36)
            painter.drawText(QRectF(28, top, names - 32, _ROW_PX), _LEFT, name)
            painter.setFont(digits)
            for column, text in enumerate(row.cells[:fitting]):
                painter.drawText(QRectF(names + column * cell, top, cell - 6, _ROW_PX), _RIGHT, text)


def figure_text(value: float | None) -> str:
    """A figure with up to six digits, never wider than a cell."""
    if value is None or value != value:
        return "–"
    size = abs(value)
    if size != 0 and not 1e-4 <= size < 1e7:
        return f"{value:.3e}".replace("-", "−")
    decimals = 6 if size < 1 else 5 if size < 10 else 4 if size < 1000 else 2
    return f"{value:.{decimals}f}".replace("-", "−")


def statistics_cells(found: SpanStatistics | None) -> tuple[str, ...]:
    """Cells below `STATISTICS_HEADS`."""
    if found is None:
        return ("…",) * len(STATISTICS_HEADS)
    figures = (found.mean, found.std, found.low, found.high, found.rms)
    return tuple(figure_text(figure) for figure in figures)


STATISTICS_HEADS = ("mean", "std", "min", "max", "rms")
