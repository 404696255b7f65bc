"""Small things that every panel paints: hatches, cards, faded pictures."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QImage, QPainter, QPen, QPixmap

from hfviewer.panels.tokens import Tokens

STALE_OPACITY = 0.32
CARD_MARGIN = 10
_RADIUS = 5.0


def hatch_brush(colour: QColor, *, spacing: int = 8, width: float = 1.5) -> QBrush:
    """Diagonal stripes on nothing: "there is no data here".

    Args:
        colour: of the stripes.
        spacing: pixels from stripe to stripe along an edge.
        width: of a stripe in pixels.
    """
    tile = QPixmap(spacing, spacing)
    tile.fill(Qt.GlobalColor.transparent)
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, width))
    for shift in (-spacing, 0, spacing):
        painter.drawLine(QPointF(shift - 1, spacing + 1), QPointF(shift + spacing + 1, -1))
    painter.end()
    return QBrush(tile)


def draw_card(painter: QPainter, rect: QRectF, tokens: Tokens) -> None:
    """Ground of a card over a picture."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tokens.card)
    painter.drawRoundedRect(rect, _RADIUS, _RADIUS)
    painter.restore()


def draw_text_card(
    painter: QPainter, area: QRect, corner: Qt.AlignmentFlag, text: str, font: QFont, tokens: Tokens
) -> QRectF:
    """A card with one line of text in a corner of an area.

    Args:
        painter: of the widget.
        area: the widget's rectangle.
        corner: e.g. ``AlignBottom | AlignRight``.
        text: shortened with an ellipsis where it does not fit.
        font: of the text.
        tokens: colours.

    Returns:
        The card's rectangle; empty where the area is too small for any text.
    """
    metrics = QFontMetrics(font)
    room = area.width() - 2 * CARD_MARGIN - 20
    height = metrics.height() + 8
    if room < 24 or area.height() < height + 2 * CARD_MARGIN:
        return QRectF()
    text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
    width = metrics.horizontalAdvance(text) + 20
    rect = corner_rect(area, corner, width, height)
    draw_card(painter, rect, tokens)
    painter.setFont(font)
    painter.setPen(tokens.t1)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
    return rect


def corner_rect(area: QRect, corner: Qt.AlignmentFlag, width: int, height: int) -> QRectF:
    """A rectangle of that size in a corner of an area, at the card margin from its edges."""
    left = (
        area.right() + 1 - CARD_MARGIN - width
        if corner & Qt.AlignmentFlag.AlignRight
        else area.left() + CARD_MARGIN
    )
    top = (
        area.bottom() + 1 - CARD_MARGIN - height
        if corner & Qt.AlignmentFlag.AlignBottom
        else area.top() + CARD_MARGIN
    )
    return QRectF(left, top, width, height)


def draw_stale(painter: QPainter, target: QRectF, image: QImage, source: QRectF) -> None:
    """A picture that is not the current one: grey, and nearly gone."""
    painter.save()
    painter.setOpacity(STALE_OPACITY)
    painter.drawImage(target, image.convertToFormat(QImage.Format.Format_Grayscale8), source)
    painter.restore()
