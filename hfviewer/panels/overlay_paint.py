"""Draws an overlay where its picture lies in the widget, and keeps the drawing while nothing changes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QPen

from hfviewer.panels.depth_colour import ColourMap, colour_table
from hfviewer.panels.drawing import draw_text_card, one_line
from hfviewer.panels.legend import draw_flat_legend
from hfviewer.panels.overlay import KeypointOverlay, Overlay, PointOverlay, splat
from hfviewer.panels.theme import Theme, ui_font

ToWidget = Callable[[NDArray[np.floating]], NDArray[np.float64]]
_RANGE_SHARES = (1.0, 99.0)
_LEGEND_AREA_PX = 74  # its card lies below the one with the name


class OverlayPainter:
    """One panel's overlay.

    Args:
        theme: colours.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.overlay: Overlay | None = None
        self.trouble = ""
        self.point_px = 3
        self.limits: tuple[float, float] | None = None
        self._key: object = None
        self._picture = QImage()

    def show(self, overlay: Overlay | None, trouble: str = "") -> None:
        """Another overlay; its colours keep their range."""
        self.overlay, self.trouble = overlay, trouble
        if isinstance(overlay, PointOverlay) and self.limits is None:
            self.fit_limits()

    def fit_limits(self) -> None:
        """Take the range of colours from what shows now: percentiles 1 and 99 of the distances."""
        if isinstance(self.overlay, PointOverlay) and len(self.overlay.depth_m):
            low, high = (float(v) for v in np.percentile(self.overlay.depth_m, _RANGE_SHARES))
            self.limits = (low, high if high > low else low + 1.0)

    def paint(self, painter: QPainter, to_widget: ToWidget, size: tuple[int, int], view: object) -> None:
        """Draw it.

        Args:
            painter: of the widget.
            to_widget: places in the widget of N×2 pixels.
            size: of the widget.
            view: changes whenever ``to_widget`` does.
        """
        if isinstance(self.overlay, KeypointOverlay):
            self._paint_keypoints(painter, self.overlay, to_widget)
        elif isinstance(self.overlay, PointOverlay) and self.limits is not None:
            ratio = painter.device().devicePixelRatioF()
            key = (id(self.overlay), view, size, ratio, self.point_px, self.limits)
            if key != self._key:
                self._picture = self._splatted(self.overlay, to_widget, size, ratio)
                self._key = key
            painter.drawImage(QPointF(0, 0), self._picture)

    def _splatted(
        self, overlay: PointOverlay, to_widget: ToWidget, size: tuple[int, int], ratio: float
    ) -> QImage:
        assert self.limits is not None
        width, height = max(1, round(size[0] * ratio)), max(1, round(size[1] * ratio))
        places = to_widget(overlay.pixels) * ratio
        point_px = max(1, round(self.point_px * ratio))
        table = colour_table(ColourMap.TURBO)
        pixels = splat(places, overlay.depth_m, self.limits, table, (width, height), point_px)
        picture = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32)
        picture.setDevicePixelRatio(ratio)
        return picture

    def _paint_keypoints(self, painter: QPainter, overlay: KeypointOverlay, to_widget: ToWidget) -> None:
        places = to_widget(overlay.pixels)
        tokens = self._theme.on_picture
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for colour, width in ((tokens.bg0, 4.0), (tokens.signal, 2.0)):
            painter.setPen(QPen(colour, width))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for a, b in overlay.bones:
                painter.drawLine(QPointF(*places[a].tolist()), QPointF(*places[b].tolist()))
            for left, top, right, bottom in overlay.boxes.tolist():
                corners = to_widget(np.array([[left, top], [right, bottom]]))
                painter.drawRect(QRectF(QPointF(*corners[0].tolist()), QPointF(*corners[1].tolist())))
        painter.setPen(QPen(tokens.bg0, 1.0))
        painter.setBrush(tokens.signal)
        for x, y in places[np.isfinite(places).all(axis=1)].tolist():
            painter.drawEllipse(QPointF(x, y), self.point_px + 0.5, self.point_px + 0.5)
        painter.restore()

    def paint_cards(self, painter: QPainter, area: QRect, period_ns: int | None) -> None:
        """Whose points these are, how far off in time, and what their colours mean."""
        tokens, corner = self._theme.tokens, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
        text = self.text(period_ns)
        if not text:
            return
        font = ui_font(12, 600)
        if QFontMetrics(font).horizontalAdvance(text) > area.width() - 60:
            text = text.split(" · ")[0]
        draw_text_card(painter, area, corner, text, font, tokens)
        if isinstance(self.overlay, PointOverlay) and self.limits is not None and area.height() > 160:
            low, high = self.limits
            below = QRect(area.left(), area.top(), area.width(), _LEGEND_AREA_PX)
            table = colour_table(ColourMap.TURBO)
            draw_flat_legend(painter, below, table, "distance", f"{low:.1f}", f"{high:.1f} m", tokens)

    def text(self, period_ns: int | None) -> str:
        """One line about the overlay; a triangle where it is farther off in time than a period."""
        if self.overlay is None:
            return one_line(self.trouble)
        offset_ns = self.overlay.offset_ns
        sign = "▲ " if period_ns is not None and abs(offset_ns) > period_ns else ""
        when = (
            "at the same time"
            if offset_ns == 0
            else f"{abs(offset_ns) / 1e6:.1f} ms " + ("later" if offset_ns > 0 else "earlier")
        )
        parts = [f"{sign}{one_line(self.overlay.stream)} {when}"]
        if isinstance(self.overlay, PointOverlay):
            parts.append(
                f"{len(self.overlay.pixels):,} of {self.overlay.total:,} points".replace(",", "\u202f")
            )
        return " · ".join(parts)
