"""Colour legends: which colour means what, in numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QPen

from hfviewer.panels.drawing import CARD_MARGIN, corner_rect, draw_card
from hfviewer.panels.theme import Tokens, number_font, ui_font


def colour_bar(table: NDArray[np.uint32], *, upright: bool) -> QImage:
    """A colour table as a picture: from left to right, or upright with the last colour on top.

    Args:
        table: uint32[n], ``0xFFRRGGBB``.
        upright: one pixel wide and n high instead of n wide and one high.
    """
    pixels = np.ascontiguousarray(table[::-1] if upright else table)
    width, height = (1, len(pixels)) if upright else (len(pixels), 1)
    return QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGB32)


def draw_upright_legend(
    painter: QPainter,
    area: QRect,
    table: NDArray[np.uint32],
    ticks: list[tuple[float, str]],
    unit: str,
    tokens: Tokens,
) -> QRectF:
    """A card at the right edge with the bar, its ticks and the unit below.

    Args:
        painter: of the widget.
        area: the widget's rectangle.
        table: uint32[n], the lowest colour first.
        ticks: position from low (0) to high (1), and text.
        unit: written below the bar.
        tokens: colours.

    Returns:
        The card's rectangle; empty where the area is too small.
    """
    font, unit_font = number_font(11), ui_font(11)
    metrics = QFontMetrics(font)
    widest = max((metrics.horizontalAdvance(text) for _, text in ticks), default=0)
    width = max(12 + 10 + 10 + widest + 8, QFontMetrics(unit_font).horizontalAdvance(unit) + 16)
    height = min(area.height() - 2 * CARD_MARGIN, 300)
    if height < 90 or area.width() < width + 80:
        return QRectF()
    card = corner_rect(area, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight, width, height)
    draw_card(painter, card, tokens)
    bar = QRectF(card.left() + 12, card.top() + 10, 10, height - 10 - 28)
    painter.drawImage(bar, colour_bar(table, upright=True))
    painter.setFont(font)
    for share, text in ticks:
        y = bar.bottom() - share * bar.height()
        painter.setPen(QPen(tokens.t2, 1))
        painter.drawLine(round(bar.right()), round(y), round(bar.right()) + 5, round(y))
        painter.setPen(tokens.t1)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(QRectF(bar.right() + 9, y - 8, widest + 6, 16), flags, text)
    painter.setFont(unit_font)
    painter.setPen(tokens.t2)
    painter.drawText(QRectF(card.left(), card.bottom() - 24, width, 20), Qt.AlignmentFlag.AlignCenter, unit)
    return card


def draw_flat_legend(
    painter: QPainter,
    area: QRect,
    table: NDArray[np.uint32],
    name: str,
    low: str,
    high: str,
    tokens: Tokens,
) -> QRectF:
    """A card at the bottom left: name, lowest value, bar, highest value.

    Args:
        painter: of the widget.
        area: the widget's rectangle.
        table: uint32[n], the lowest colour first.
        name: of what is coloured.
        low: text of the lowest value.
        high: text of the highest value, with its unit.
        tokens: colours.

    Returns:
        The card's rectangle; empty where the area is too small.
    """
    name_font, font = ui_font(12), number_font(12)
    name_width = QFontMetrics(name_font).horizontalAdvance(name)
    metrics = QFontMetrics(font)
    low_width, high_width = metrics.horizontalAdvance(low), metrics.horizontalAdvance(high)
    bar_width = 86
    width = 12 + name_width + 12 + low_width + 8 + bar_width + 8 + high_width + 12
    if width > area.width() - 2 * CARD_MARGIN or area.height() < 60:
        return QRectF()
    card = corner_rect(area, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, width, 24)
    draw_card(painter, card, tokens)
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    left = card.left() + 12
    for text, which, colour, room in (
        (name, name_font, tokens.t2, name_width + 12),
        (low, font, tokens.t1, low_width + 8),
    ):
        painter.setFont(which)
        painter.setPen(colour)
        painter.drawText(QRectF(left, card.top(), room, card.height()), flags, text)
        left += room
    painter.drawImage(QRectF(left, card.top() + 8, bar_width, 8), colour_bar(table, upright=False))
    left += bar_width + 8
    painter.drawText(QRectF(left, card.top(), high_width + 4, card.height()), flags, high)
    return card
