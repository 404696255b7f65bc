"""The plate over a panel that has no current picture: what is wrong, and what was last and comes next."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from hfviewer.panels.drawing import draw_card, hatch_brush
from hfviewer.panels.plate_content import PlateContent
from hfviewer.panels.theme import Theme, icon_pixmap, number_font, ui_font, with_alpha

_ROW = 20
_MARGIN = 16


class Plate(QWidget):
    """Lies over a panel's body, lets the mouse through, and hides while there is nothing to say."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
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
        if content is not None:
            self.setAccessibleName(content.title)
            self.raise_()
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._content is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour, _ = self._colours()
        if self._content.hatched:
            stripes = with_alpha(colour, 0.30 if self._content.severity else 0.16)
            painter.fillRect(self.rect(), hatch_brush(stripes, spacing=12, width=1.2))
        facts_height = self._paint_facts(painter)
        self._paint_title(painter, self.height() - facts_height)
        painter.end()

    def _colours(self) -> tuple[QColor, QColor]:
        tokens = self._theme.on_picture
        if self._content is not None and self._content.severity == "error":
            return tokens.error, tokens.error_ground
        return tokens.t2, tokens.bg2

    def _paint_title(self, painter: QPainter, height: int) -> None:
        assert self._content is not None
        colour, ground = self._colours()
        tokens = self._theme.on_picture
        font = ui_font(15 if self.width() >= 260 else 12, 600)
        metrics = QFontMetrics(font)
        severity = self._content.severity
        icon_room = 24 if severity else 0
        room = self.width() - 40 - icon_room
        if room < 20 or height < 24:
            return
        title = metrics.elidedText(self._content.title, Qt.TextElideMode.ElideRight, room)
        width = metrics.horizontalAdvance(title) + 24 + icon_room
        rect = QRectF((self.width() - width) / 2, (height - 30) / 2, width, 30)
        painter.setPen(QPen(colour, 1.5))
        painter.setBrush(ground)
        painter.drawRoundedRect(rect, 5, 5)
        if severity:
            painter.drawPixmap(QPointF(rect.left() + 11, rect.top() + 7), icon_pixmap(severity, colour, 16))
        painter.setFont(font)
        painter.setPen(tokens.t1)
        text_rect = rect.adjusted(12 + icon_room, 0, -12 + 4, 0)
        painter.drawText(text_rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, title)

    def _paint_facts(self, painter: QPainter) -> int:
        """Rows and footer in a card at the bottom; gives the height they took, 0 where there is no room."""
        assert self._content is not None
        tokens = self._theme.on_picture
        lines = len(self._content.rows) + (1 if self._content.footer else 0)
        height = lines * _ROW + 14
        if lines == 0 or self.height() < height + 60 or self.width() < 150:
            return 0
        card = QRectF(0, self.height() - height, self.width(), height)
        draw_card(painter, card, tokens)
        metrics, digits = QFontMetrics(ui_font(12)), QFontMetrics(number_font(12))
        labels = max((metrics.horizontalAdvance(label) for label, _, _ in self._content.rows), default=0)
        values = max((digits.horizontalAdvance(value) for _, value, _ in self._content.rows), default=0)
        top = card.top() + 7
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        for label, value, remark in self._content.rows:
            left = float(_MARGIN)
            for text, font, colour, width in (
                (label, ui_font(12), tokens.t2, labels + 24),
                (value, number_font(12), tokens.t1, values + 28),
                (remark, number_font(12), tokens.t2, self.width()),
            ):
                painter.setFont(font)
                painter.setPen(colour)
                cell = QRectF(left, top, min(float(width), card.right() - 8 - left), _ROW)
                if cell.width() > 24:
                    room = round(cell.width())
                    fitting = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room)
                    painter.drawText(cell, flags, fitting)
                left += width
            top += _ROW
        if self._content.footer:
            small = ui_font(11)
            painter.setFont(small)
            painter.setPen(tokens.t2)
            room = self.width() - 2 * _MARGIN
            footer = QFontMetrics(small).elidedText(self._content.footer, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(_MARGIN, top, room + 4, _ROW), flags, footer)
        return height
