"""The plate over a panel that has no current picture: what is wrong, and what was last and comes next."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from hfviewer.panels.drawing import draw_card, hatch_brush, painting, wrapped
from hfviewer.panels.plate_content import PlateContent
from hfviewer.panels.theme import Theme, icon_pixmap, number_font, ui_font, with_alpha
from hfviewer.panels.tips import plain_tip

_ROW = 20
_MARGIN = 16
_TITLE_ROOM = 60  # what the facts leave to the title
_RIGHT_PX = 8
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    left: int
    font: QFont
    colour: QColor


class Plate(QWidget):
    """Lies over a panel's body, lets the mouse through, and hides while there is nothing to say.

    The body's tooltip has the whole text, whatever there is room for.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._body = theme, parent
        self._content: PlateContent | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        theme.changed.connect(self.update)

    @property
    def content(self) -> PlateContent | None:
        return self._content

    def show_content(self, content: PlateContent | None) -> None:
        """Say this, or nothing."""
        if content == self._content:
            return
        self._content = content
        self.setVisible(content is not None)
        self._body.setToolTip("" if content is None else plain_tip(content.text))
        if content is not None:
            self.setAccessibleName(content.text)
            self.raise_()
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._content is None:
            return
        with painting(self, smooth=True) as painter:
            colour, _ = self._colours()
            if self._content.hatched:
                stripes = with_alpha(colour, 0.30 if self._content.severity else 0.16)
                painter.fillRect(
                    self.rect(), hatch_brush(stripes, spacing=12, width=1.2, ratio=self.devicePixelRatioF())
                )
            facts_height = self._paint_facts(painter, self._content)
            self._paint_title(painter, self._content, self.height() - facts_height)

    def _colours(self) -> tuple[QColor, QColor]:
        tokens = self._theme.on_picture
        if self._content is not None and self._content.severity == "error":
            return tokens.error, tokens.error_ground
        return tokens.t2, tokens.bg2

    def _paint_title(self, painter: QPainter, content: PlateContent, height: int) -> None:
        colour, ground = self._colours()
        font = ui_font(15 if self.width() >= 260 else 12, 600)
        icon_room = 24 if content.severity else 0
        room = self.width() - 40 - icon_room
        if room < 20 or height < 24:
            return
        lines = wrapped(content.title, font, room, max(1, min(3, (height - 10) // _ROW)))
        width = max(QFontMetrics(font).horizontalAdvance(line) for line in lines) + 24 + icon_room
        tall = 10 + _ROW * len(lines)
        rect = QRectF((self.width() - width) / 2, (height - tall) / 2, width, tall)
        painter.setPen(QPen(colour, 1.5))
        painter.setBrush(ground)
        painter.drawRoundedRect(rect, 5, 5)
        if content.severity:
            shape = icon_pixmap(content.severity, colour, 16)
            painter.drawPixmap(QPointF(rect.left() + 11, rect.top() + 7), shape)
        painter.setFont(font)
        painter.setPen(self._theme.on_picture.t1)
        line_rect = QRectF(rect.left() + 12 + icon_room, rect.top() + 5, width, _ROW)
        for line in lines:
            painter.drawText(line_rect, _LEFT, line)
            line_rect.translate(0, _ROW)

    def _paint_facts(self, painter: QPainter, content: PlateContent) -> int:
        """Rows and footer in a card at the bottom; gives the height they took, 0 where there is no room."""
        tokens = self._theme.on_picture
        room = self.width() - 2 * _MARGIN
        most = (self.height() - _TITLE_ROOM - 14) // _ROW
        fewest = len(content.rows) + bool(content.footer)
        if fewest == 0 or most < fewest or self.width() < 150:
            return 0
        rows = self._laid_out(content, broken=True)
        if len(rows) + bool(content.footer) > most:
            rows = self._laid_out(content, broken=False)
        small = ui_font(11)
        footer = wrapped(content.footer, small, room, most - len(rows)) if content.footer else []
        height = (len(rows) + len(footer)) * _ROW + 14
        cells = [cell for row in rows for cell in row]
        cells += [_Cell(line, _MARGIN, small, tokens.t2) for line in footer]
        # No wider than it must be: in a wide panel curves and pictures beside it stay in sight.
        needed = max(cell.left + QFontMetrics(cell.font).horizontalAdvance(cell.text) for cell in cells)
        width = min(self.width(), needed + 2 * _MARGIN)
        draw_card(painter, QRectF(0, self.height() - height, width, height), tokens)
        top = self.height() - height + 7
        for row in rows:
            for cell in row:
                self._paint_cell(painter, cell, top)
            top += _ROW
        for line in footer:
            self._paint_cell(painter, _Cell(line, _MARGIN, small, tokens.t2), top)
            top += _ROW
        return height

    def _laid_out(self, content: PlateContent, *, broken: bool) -> list[list[_Cell]]:
        """Label, value and remark of every row beside each other.

        Args:
            content: to be laid out.
            broken: True to give a remark that has no room a line of its own.
        """
        tokens, words, digits = self._theme.on_picture, ui_font(12), number_font(12)
        metrics = QFontMetrics(digits)
        labels = max((QFontMetrics(words).horizontalAdvance(row[0]) for row in content.rows), default=0)
        values, remarks = (
            max((metrics.horizontalAdvance(row[column]) for row in content.rows), default=0)
            for column in (1, 2)
        )
        right = self.width() - _RIGHT_PX
        roomy = _MARGIN + labels + 24 + values + 28 + remarks <= right
        value_left = _MARGIN + labels + (24 if roomy else 12)
        remark_left = value_left + values + (28 if roomy else 14)
        lines = []
        for label, value, remark in content.rows:
            line = [
                _Cell(label, _MARGIN, words, tokens.t2),
                _Cell(value, value_left, digits, tokens.t1),
            ]
            lines.append(line)
            needed = metrics.horizontalAdvance(remark)
            if not broken or remark_left + needed <= right:
                line.append(_Cell(remark, remark_left, digits, tokens.t2))
            else:
                left = value_left if value_left + needed <= right else _MARGIN
                lines.append([_Cell(remark, left, digits, tokens.t2)])
        return lines

    def _paint_cell(self, painter: QPainter, cell: _Cell, top: float) -> None:
        room = self.width() - _RIGHT_PX - cell.left
        if room > 24:
            painter.setFont(cell.font)
            painter.setPen(cell.colour)
            text = QFontMetrics(cell.font).elidedText(cell.text, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(cell.left, top, room, _ROW), _LEFT, text)
