"""Cards over a depth picture: the probe, what a box holds, a profile along a line, how much is missing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPixmap, QPixmapCache, QPolygonF

from hfviewer.panels.depth_colour import DepthProbe
from hfviewer.panels.depth_measure import BoxStatistics
from hfviewer.panels.drawing import CARD_MARGIN, corner_rect, draw_card, hatch_brush, painting
from hfviewer.panels.theme import Theme, number_font, ui_font

_PROBE_SIZE = (212, 108)
_BOX_SIZE = (248, 130)
_PROFILE_HEIGHT = 116
_ROW_PX = 22
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


def metres_text(millimetres: float | None) -> str:
    """``1.234 m``, or that there is none."""
    return "no data" if millimetres is None or np.isnan(millimetres) else f"{millimetres / 1000:.3f} m"


def probe_line(found: DepthProbe) -> str:
    """A probe in one line."""
    exact = "no data" if found.millimetres is None else f"{found.millimetres:.1f} mm"
    return f"{found.column}, {found.row}   {exact}   code {found.code}"


def paint_no_data(painter: QPainter, area: QRect, invalid: float, theme: Theme, ratio: float) -> None:
    """What the hatch means, and how much of the picture it covers."""
    card = _no_data_card(f"no data  {invalid * 100:.1f} %", theme, ratio)
    width = round(card.width() / ratio)
    if area.width() >= width + 2 * CARD_MARGIN and area.height() >= 60:
        corner = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft
        painter.drawPixmap(corner_rect(area, corner, width, 24).topLeft(), card)


def _no_data_card(text: str, theme: Theme, ratio: float) -> QPixmap:
    """The card of `paint_no_data`, kept: it is painted with every frame, and texts come back."""
    key = f"no-data-card/{theme.dark}/{ratio}/{text}"
    ground, font = QPixmap(), ui_font(12, 600)
    if QPixmapCache.find(key, ground):
        return ground
    width = QFontMetrics(font).horizontalAdvance("no data  100.0 %") + 46
    ground = QPixmap(round(width * ratio), round(24 * ratio))
    ground.setDevicePixelRatio(ratio)
    ground.fill(Qt.GlobalColor.transparent)
    swatch = QRectF(8, 5, 16, 14)
    with painting(ground) as painter:
        draw_card(painter, QRectF(0, 0, width, 24), theme.tokens)
        painter.fillRect(swatch, theme.on_picture.bg0)
        painter.fillRect(swatch, hatch_brush(theme.on_picture.off, spacing=6, width=1.0, ratio=ratio))
        painter.setFont(font)
        painter.setPen(theme.tokens.t1)
        painter.drawText(QRectF(32, 0, width - 32, 24), _LEFT, text)
    QPixmapCache.insert(key, ground)
    return ground


def paint_probe(painter: QPainter, area: QRect, at: QPointF, found: DepthProbe, theme: Theme) -> None:
    """The card beside a probed pixel; left out where the panel is too small."""
    width, height = _PROBE_SIZE
    if area.width() < width + 40 or area.height() < height + 40:
        return
    exact = "–" if found.millimetres is None else f"{found.millimetres:.0f}"
    rows = (
        ("pixel", f"{found.column}, {found.row}"),
        ("code / mm", f"{found.code} / {exact}"),
        ("valid 5×5", f"{found.valid} / {found.neighbours}"),
    )
    card = _beside(area, at, width, height)
    _paint_card(painter, card, metres_text(found.millimetres), rows, theme)


def paint_box(painter: QPainter, area: QRect, box: QRectF, found: BoxStatistics, theme: Theme) -> None:
    """A dragged box and what was measured inside it."""
    painter.save()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((theme.on_picture.bg0, 3.0), (theme.on_picture.playhead, 1.0)):
        painter.setPen(QPen(colour, width))
        painter.drawRect(box)
    painter.restore()
    width, height = _BOX_SIZE
    if area.width() < width + 40 or area.height() < height + 40:
        return
    share = found.valid / max(1, found.pixels)
    rows = (
        ("min – max", f"{metres_text(found.least)} – {metres_text(found.most)}" if found.valid else "–"),
        ("mean", metres_text(found.mean)),
        ("deviation", f"{found.deviation:.1f} mm" if found.valid else "–"),
        ("valid", f"{found.valid} / {found.pixels}  {share * 100:.0f} %"),
    )
    card = corner_rect(area, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, width, height)
    _paint_card(painter, card, f"{metres_text(found.median)} median", rows, theme)


def paint_profile(
    painter: QPainter,
    area: QRect,
    along_px: NDArray[np.float64],
    millimetres: NDArray[np.float64],
    length_text: str,
    theme: Theme,
) -> None:
    """Depth along a dragged line, from its start on the left; broken where there is no measurement."""
    width = min(380, area.width() - 2 * CARD_MARGIN - 120)
    if width < 160 or area.height() < _PROFILE_HEIGHT + 60:
        return
    tokens = theme.tokens
    corner = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft
    card = corner_rect(area.adjusted(0, 0, 0, -30), corner, width, _PROFILE_HEIGHT)
    draw_card(painter, card, tokens)
    known = millimetres[~np.isnan(millimetres)]
    painter.setFont(ui_font(12, 600))
    painter.setPen(tokens.t1)
    painter.drawText(card.adjusted(12, 6, -10, -_PROFILE_HEIGHT + 26), _LEFT, f"Profile · {length_text}")
    if not known.size:
        painter.drawText(card, Qt.AlignmentFlag.AlignCenter, "no data along the line")
        return
    low, high = float(known.min()), float(known.max())
    plot = card.adjusted(66, 32, -12, -12)
    painter.setFont(number_font(11))
    painter.setPen(tokens.t2)
    for value, y in ((high, plot.top()), (low, plot.bottom())):
        painter.drawText(QRectF(card.left() + 4, y - 8, 56, 16), _RIGHT, f"{value / 1000:.3f}")
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(tokens.line2, 1))
    painter.drawRect(plot)
    painter.setPen(QPen(tokens.depth, 1.6))
    across = plot.left() + along_px / max(float(along_px[-1]), 1e-9) * plot.width()
    down = plot.bottom() - (millimetres - low) / max(high - low, 1.0) * plot.height()
    missing = np.isnan(millimetres)
    for run in np.split(np.arange(len(across)), np.flatnonzero(np.diff(missing.astype(np.int8))) + 1):
        if not np.isnan(millimetres[run[0]]):
            painter.drawPolyline(QPolygonF([QPointF(float(across[i]), float(down[i])) for i in run]))
    painter.restore()


def _beside(area: QRect, at: QPointF, width: int, height: int) -> QRectF:
    """A rectangle near a place that does not cover it and stays in the area."""
    x, y = at.x(), at.y()
    left = x + 24 if x + 24 + width < area.right() - CARD_MARGIN else x - 24 - width
    top = y + 18 if y + 18 + height < area.bottom() - CARD_MARGIN else y - 18 - height
    left = min(max(left, CARD_MARGIN), area.right() - CARD_MARGIN - width)
    top = min(max(top, CARD_MARGIN), area.bottom() - CARD_MARGIN - height)
    return QRectF(left, top, width, height)


def _paint_card(
    painter: QPainter, card: QRectF, title: str, rows: tuple[tuple[str, str], ...], theme: Theme
) -> None:
    tokens = theme.tokens
    draw_card(painter, card, tokens)
    painter.setFont(number_font(16, 700))
    painter.setPen(tokens.t1)
    inner = card.adjusted(12, 8, -10, 0)
    painter.drawText(inner, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, title)
    row = QRectF(inner.left(), inner.top() + 30, inner.width(), 20)
    for label, value in rows:
        painter.setFont(ui_font(12))
        painter.setPen(tokens.t2)
        painter.drawText(row, _LEFT, label)
        painter.setFont(number_font(12))
        painter.setPen(tokens.t1)
        painter.drawText(row, _RIGHT, value)
        row.translate(0, _ROW_PX)
