"""Depth pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QAction, QActionGroup, QFontMetrics, QImage, QPainter, QPen
from PySide6.QtWidgets import QWidget

from hfviewer.codecs.opencv import cv2
from hfviewer.core.errors import FrameError
from hfviewer.core.frame import DepthFrame, Frame
from hfviewer.core.stream import StreamDescription
from hfviewer.panels.depth_colour import (
    ColourMap,
    DepthColours,
    DepthProbe,
    colour_table,
    invalid_share,
    probe,
    robust_range_mm,
)
from hfviewer.panels.drawing import CARD_MARGIN, corner_rect, draw_card, hatch_brush
from hfviewer.panels.legend import draw_upright_legend
from hfviewer.panels.picture_panel import PicturePanel
from hfviewer.panels.placement import Placement, Sight
from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.panels.ticks import tick_step, tick_texts, tick_values
from hfviewer.playback.result import Preparer

_PROBE_SIZE = (212, 108)


class DepthPanel(PicturePanel):
    """Depth in colours of a fixed range, with the stored code of the pixel under the pointer."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._frame: DepthFrame | None = None
        self._colours: DepthColours | None = None
        self._style = (False, ColourMap.TURBO)
        self._table: NDArray[np.uint32] | None = None
        self._invalid = 0.0

    @property
    def colours(self) -> DepthColours | None:
        """Range, curve and colour map; None until a frame was drawn or a range was set."""
        return self._colours

    @property
    def probed(self) -> DepthProbe | None:
        """The pixel under the pointer."""
        pixel = self._canvas.cursor_pixel
        return None if pixel is None or self._frame is None else probe(self._frame, *pixel)

    def set_range_mm(self, low_mm: float, high_mm: float) -> None:
        """Fix the range that is coloured; what lies outside takes the end colours."""
        if not (np.isfinite(low_mm) and np.isfinite(high_mm) and low_mm < high_mm):
            return
        logarithmic, colour_map = self._style
        self._set_colours(
            DepthColours(low_mm=low_mm, high_mm=high_mm, logarithmic=logarithmic, colour_map=colour_map)
        )

    def set_logarithmic(self, logarithmic: bool) -> None:
        """Equal ratios instead of equal steps."""
        self._style = (logarithmic, self._style[1])
        if self._colours is not None:
            self._set_colours(replace(self._colours, logarithmic=logarithmic))

    def set_colour_map(self, colour_map: ColourMap) -> None:
        self._style = (self._style[0], colour_map)
        if self._colours is not None:
            self._set_colours(replace(self._colours, colour_map=colour_map))

    def context_actions(self) -> list[QAction]:
        refit = self._action(self.tr("Range from this frame"))
        refit.setEnabled(self._frame is not None)
        refit.triggered.connect(self._take_range)
        logarithmic = self._action(self.tr("Logarithmic"), checked=self._style[0])
        logarithmic.toggled.connect(self.set_logarithmic)
        maps = QActionGroup(self)
        entries = []
        for colour_map in ColourMap:
            entry = self._action(colour_map.value.capitalize(), checked=colour_map is self._style[1])
            entry.triggered.connect(lambda _=False, chosen=colour_map: self.set_colour_map(chosen))
            maps.addAction(entry)
            entries.append(entry)
        return [*self._zoom_actions(), refit, logarithmic, *entries]

    def _draw(self, frame: Frame) -> None:
        if not isinstance(frame, DepthFrame) or frame.stored.ndim != 2 or frame.stored.size == 0:
            raise FrameError("This is not a depth picture.")
        rescaled = self._frame is None or self._frame.scale != frame.scale
        self._frame = frame
        prepared = self._prepared if isinstance(self._prepared, PreparedDepth) else None
        fits = prepared is not None and prepared.frame is frame
        self._invalid = prepared.invalid if prepared is not None and fits else invalid_share(frame)
        if self._colours is None:
            self._take_range()
        elif rescaled:
            self._table = self._colours.table(frame.scale)
        ready = prepared.ready if prepared is not None and fits and prepared.table is self._table else None
        height, width = frame.stored.shape
        self._canvas.show_picture(self._render, (width, height), (width, height), ready)

    def preparer(self) -> Preparer | None:
        table, sight = self._table, self._canvas.sight
        return None if table is None else lambda frame: prepare_depth(frame, table, sight)

    def _clear(self) -> None:
        self._frame = None
        self._canvas.clear()

    def _take_range(self) -> None:
        if self._frame is not None:
            self.set_range_mm(*robust_range_mm(self._frame))

    def _set_colours(self, colours: DepthColours) -> None:
        self._colours = colours
        if self._frame is not None:
            self._table = colours.table(self._frame.scale)
        self._canvas.invalidate()

    def _render(self, part: tuple[int, int, int, int], size: tuple[int, int]) -> QImage:
        assert self._frame is not None
        assert self._table is not None
        return render_codes(self._frame.stored, self._table, part, size)

    def _read_out(self) -> str:
        found = self.probed
        return "" if found is None else _read_out(found)

    # -- cards -----------------------------------------------------------------------------------------------

    def _paint_cards(self, painter: QPainter) -> None:
        if self._frame is None or self._colours is None or self.plate is not None:
            return
        area, tokens = self._canvas.rect(), self._theme.tokens
        draw_upright_legend(
            painter,
            area,
            colour_table(self._colours.colour_map),
            self._ticks(area.height()),
            "metres",
            tokens,
        )
        self._paint_no_data(painter, area)
        found = self.probed
        if found is not None:
            self._paint_probe(painter, area, found)

    def _ticks(self, height: int) -> list[tuple[float, str]]:
        assert self._colours is not None
        low_m, high_m = self._colours.low_mm / 1000, self._colours.high_mm / 1000
        most = max(2, height // 60)
        values = tick_values(low_m, high_m, most)
        texts = tick_texts(values, tick_step(high_m - low_m, most))
        shares = self._colours.position(np.array(values) * 1000.0).tolist()
        return list(zip(shares, texts, strict=True))

    def _paint_no_data(self, painter: QPainter, area: QRect) -> None:
        tokens, font = self._theme.tokens, ui_font(12, 600)
        text = f"no data  {self._invalid * 100:.1f} %"
        width = QFontMetrics(font).horizontalAdvance("no data  100.0 %") + 46
        if area.width() < width + 2 * CARD_MARGIN or area.height() < 60:
            return
        card = corner_rect(area, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, width, 24)
        draw_card(painter, card, tokens)
        swatch = QRectF(card.left() + 8, card.top() + 5, 16, 14)
        painter.fillRect(swatch, self._theme.on_picture.bg0)
        painter.fillRect(
            swatch,
            hatch_brush(self._theme.on_picture.off, spacing=6, width=1.0, ratio=self.devicePixelRatioF()),
        )
        painter.setFont(font)
        painter.setPen(tokens.t1)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(card.adjusted(32, 0, 0, 0), flags, text)

    def _paint_probe(self, painter: QPainter, area: QRect, found: DepthProbe) -> None:
        tokens = self._theme.tokens
        x, y = self._canvas.view.to_widget(found.column + 0.5, found.row + 0.5)
        _paint_cross(painter, QPointF(x, y), self._theme)
        width, height = _PROBE_SIZE
        if area.width() < width + 40 or area.height() < height + 40:
            return
        left = x + 24 if x + 24 + width < area.right() - CARD_MARGIN else x - 24 - width
        top = y + 18 if y + 18 + height < area.bottom() - CARD_MARGIN else y - 18 - height
        left = min(max(left, CARD_MARGIN), area.right() - CARD_MARGIN - width)
        top = min(max(top, CARD_MARGIN), area.bottom() - CARD_MARGIN - height)
        card = QRectF(left, top, width, height)
        draw_card(painter, card, tokens)
        painter.setFont(number_font(16, 700))
        painter.setPen(tokens.t1)
        inner = card.adjusted(12, 8, -10, 0)
        painter.drawText(inner, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, _metres(found))
        row = QRectF(inner.left(), inner.top() + 30, inner.width(), 20)
        exact = "–" if found.millimetres is None else f"{found.millimetres:.0f}"
        for label, value in (
            ("pixel", f"{found.column}, {found.row}"),
            ("code / mm", f"{found.code} / {exact}"),
            ("valid 5×5", f"{found.valid} / {found.neighbours}"),
        ):
            painter.setFont(ui_font(12))
            painter.setPen(tokens.t2)
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, label)
            painter.setFont(number_font(12))
            painter.setPen(tokens.t1)
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, value)
            row.translate(0, 22)


@dataclass(frozen=True, slots=True, eq=False)
class PreparedDepth:
    """A depth picture ready to be shown.

    Args:
        frame: that it is of.
        table: uint32[65536], that its colours were taken from.
        invalid: share of pixels without a measurement, 0 to 1.
        ready: what shows, at the size that it shows at; None where nothing does.
    """

    frame: DepthFrame
    table: NDArray[np.uint32]
    invalid: float
    ready: tuple[Placement, QImage] | None


def prepare_depth(frame: Frame, table: NDArray[np.uint32], sight: Sight) -> PreparedDepth | None:
    """Do ahead, on any thread, what showing a frame takes."""
    if not isinstance(frame, DepthFrame) or frame.stored.ndim != 2 or frame.stored.size == 0:
        return None
    height, width = frame.stored.shape
    place = sight.place((width, height), (width, height))
    ready = None if place is None else (place, render_codes(frame.stored, table, place.part, place.size))
    return PreparedDepth(frame, table, invalid_share(frame), ready)


def render_codes(
    stored: NDArray[np.uint16],
    table: NDArray[np.uint32],
    part: tuple[int, int, int, int],
    size: tuple[int, int],
) -> QImage:
    """Colours of codes picked, not averaged: a mean of two depths is a depth that nobody measured."""
    left, top, right, bottom = part
    codes = stored[top:bottom, left:right]
    if size != (right - left, bottom - top):
        picked = cv2.resize(np.ascontiguousarray(codes), size, interpolation=cv2.INTER_NEAREST_EXACT)
        codes = np.asarray(picked, np.uint16)
    pixels = np.take(table, codes)
    height, width = pixels.shape
    return QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32)


def _metres(found: DepthProbe) -> str:
    return "no data" if found.millimetres is None else f"{found.millimetres / 1000:.3f} m"


def _read_out(found: DepthProbe) -> str:
    exact = "no data" if found.millimetres is None else f"{found.millimetres:.1f} mm"
    return f"{found.column}, {found.row}   {exact}   code {found.code}"


def _paint_cross(painter: QPainter, at: QPointF, theme: Theme) -> None:
    """A ring with four hairs, light on dark, to be seen on any colour."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for colour, width in ((theme.on_picture.bg0, 4.0), (theme.on_picture.playhead, 1.5)):
        painter.setPen(QPen(colour, width))
        painter.drawEllipse(at, 8, 8)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            painter.drawLine(at + QPointF(dx * 8, dy * 8), at + QPointF(dx * 16, dy * 16))
    painter.restore()
