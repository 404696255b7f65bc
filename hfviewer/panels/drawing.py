"""Small things that every panel paints: hatches, cards, faded pictures, and text on one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QPaintDevice,
    QPainter,
    QPen,
    QPixmap,
    QTextLayout,
    QTextOption,
    QTransform,
)

from hfviewer.panels.tokens import Tokens

STALE_OPACITY = 0.32
CARD_MARGIN = 10
_RADIUS = 5.0
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_TURNS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@contextmanager
def painting(device: QPaintDevice, *, smooth: bool = False) -> Iterator[QPainter]:
    """A painter that ends whatever happens: one left open when an error is reported ends the process.

    Args:
        device: a widget in its ``paintEvent``, or a picture.
        smooth: True to draw lines and curves antialiased.
    """
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
    try:
        yield painter
    finally:
        painter.end()


def one_line(text: str) -> str:
    """A name from a file as it can be shown in a row: a space for every break and control character.

    Signs that turn the direction of writing are left out: they would turn what stands beside the name, too.
    """
    return _TURNS.sub("", _BREAKS.sub(" ", text))


def hatch_brush(colour: QColor, *, spacing: int = 8, width: float = 1.5, ratio: float = 1.0) -> QBrush:
    """Diagonal stripes on nothing: "there is no data here".

    Args:
        colour: of the stripes.
        spacing: pixels from stripe to stripe along an edge.
        width: of a stripe in pixels.
        ratio: device pixels per pixel of what is painted on; a brush does not ask for it by itself.
    """
    edge = max(1, round(spacing * ratio))
    tile = QPixmap(edge, edge)
    tile.fill(Qt.GlobalColor.transparent)
    with painting(tile, smooth=True) as painter:
        painter.scale(edge / spacing, edge / spacing)
        painter.setPen(QPen(colour, width))
        for shift in (-spacing, 0, spacing):
            painter.drawLine(QPointF(shift - 1, spacing + 1), QPointF(shift + spacing + 1, -1))
    brush = QBrush(tile)
    brush.setTransform(QTransform.fromScale(spacing / edge, spacing / edge))
    return brush


def wrapped(text: str, font: QFont, width_px: int, most: int) -> list[str]:
    """A text in lines that fit, broken between words where that is possible.

    Args:
        text: of one paragraph.
        font: to measure with.
        width_px: room for a line.
        most: lines, ≥ 1; the last one ends with an ellipsis where the text is longer.
    """
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout = QTextLayout(text, font)
    layout.setTextOption(option)
    units = text.encode("utf-16-le", "surrogatepass")  # what Qt counts in
    lines: list[str] = []
    start = 0
    layout.beginLayout()
    while len(lines) < most and (line := layout.createLine()).isValid():
        line.setLineWidth(width_px)
        start, stop = line.textStart(), line.textStart() + line.textLength()
        lines.append(units[2 * start : 2 * stop].decode("utf-16-le", "replace").strip())
    layout.endLayout()
    rest = units[2 * start :].decode("utf-16-le", "replace").strip()
    if lines and rest != lines[-1]:
        lines[-1] = QFontMetrics(font).elidedText(rest, Qt.TextElideMode.ElideRight, width_px)
    return lines


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
