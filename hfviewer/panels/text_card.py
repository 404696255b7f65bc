"""A card with one line of text, painted once and then copied: for what stays while frames change."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPixmap

from hfviewer.panels.drawing import draw_text_card, painting
from hfviewer.panels.tokens import Tokens


class KeptTextCard:
    """What `draw_text_card` draws, kept while nothing of it changes. For the GUI thread."""

    def __init__(self) -> None:
        self._key: object = None
        self._picture = QPixmap()
        self._rect = QRectF()

    def paint(
        self, painter: QPainter, area: QRect, corner: Qt.AlignmentFlag, text: str, font: QFont, tokens: Tokens
    ) -> QRectF:
        """As `draw_text_card`; returns the card's rectangle."""
        ratio = painter.device().devicePixelRatioF()
        key = (area.getRect(), corner, text, font.key(), tokens.dark, ratio)
        if key != self._key:
            self._key = key
            # Measured on a picture as large as the area would cost its memory: draw it twice instead.
            self._rect = draw_text_card(painter, area, corner, text, font, tokens)
            place = self._rect.toAlignedRect().adjusted(-1, -1, 1, 1)
            self._picture = QPixmap(place.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            if not self._rect.isEmpty():
                with painting(self._picture) as inner:
                    inner.translate(-QPoint(place.topLeft()))
                    draw_text_card(inner, area, corner, text, font, tokens)
            return self._rect
        if not self._rect.isEmpty():
            painter.drawPixmap(self._rect.toAlignedRect().adjusted(-1, -1, 1, 1).topLeft(), self._picture)
        return self._rect
