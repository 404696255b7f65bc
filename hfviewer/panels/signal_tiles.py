"""Curves and gaps as pictures side by side, so that a view which follows the playhead paints little anew.

Time lies on a grid of whole device pixels; the view is cut out of it. A view that moves on a little finds all
but a narrow strip of its pictures ready. Measured for a move of the playhead, two plots of three curves each,
720 px wide: 8 ms when all of it was painted anew; so, 0.7 ms at 100 Hz and 2 ms at 1 kHz.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF
from shiboken6 import VoidPtr

from hfviewer.core import timing
from hfviewer.core.time_text import NS_PER_S
from hfviewer.core.window import TimeWindow
from hfviewer.panels.drawing import hatch_brush, painting
from hfviewer.panels.signal_data import SignalChannel
from hfviewer.panels.tokens import Tokens, with_alpha
from hfviewer.quality.gaps import Gaps

TILE_PX = 96  # a multiple of the hatch's spacing, or stripes would break where tiles meet
_HATCH_PX = 6
_PAD_PX = 6  # beside a tile, what is painted reaches into it: dots, thick lines, gaps of the least width
_DOT_PX = 4.0
_DOTS_BELOW = 0.2  # samples per pixel up to which each gets a dot
_FINE_LINE_POINTS = 500  # Qt needs long for thick lines with many corners
_MOST_GAPS = 400
_FAR_PX = 30_000.0
_FARTHER_PX = 1e6


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """A line to draw.

    Args:
        channel: its samples.
        colour: of the line.
        gaps: that break the line; None: those of the plot.
        foreign: True for a channel of another stream, whose samples come at a rate of their own.
    """

    channel: SignalChannel
    colour: QColor
    gaps: Gaps | None = None
    foreign: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TileScale:
    """How time lies on device pixels.

    Args:
        anchor_ns: time at pixel 0.
        span_ns: time that ``width_px`` pixels show, > 0.
        width_px: ≥ 1.
    """

    anchor_ns: int
    span_ns: int
    width_px: int

    def pixel_at(self, time_ns: int) -> int:
        """The edge between pixels that is nearest to a time."""
        return (2 * (time_ns - self.anchor_ns) * self.width_px + self.span_ns) // (2 * self.span_ns)

    def time_at(self, pixel: int) -> int:
        """Where a pixel begins, rounded down."""
        return self.anchor_ns + pixel * self.span_ns // self.width_px


@dataclass(frozen=True, slots=True, kw_only=True)
class TileLook:
    """All that the tiles of some series depend on: while it is the same, they can be used again.

    Args:
        scale: along time.
        height_px: device pixels.
        ratio: device pixels per device-independent one.
        low: value at the lower edge.
        high: value at the upper edge; above ``low``.
        tokens: colours of gaps.
    """

    scale: TileScale
    height_px: int
    ratio: float
    low: float
    high: float
    tokens: Tokens

    @property
    def tile_px(self) -> int:
        """Width of a tile in device pixels."""
        return max(1, round(TILE_PX * self.ratio))

    @property
    def px_per_ns(self) -> float:
        """Device-independent pixels."""
        return self.scale.width_px / self.scale.span_ns / self.ratio

    def rows(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where values lie below the upper edge, in device-independent pixels."""
        height = self.height_px / self.ratio - 1
        share = (values - self.low) / (self.high - self.low)
        return np.clip(height - share * height, -_FAR_PX, _FAR_PX)


class _Tile(NamedTuple):
    """A tile's place in the strip that it was painted with.

    Args:
        strip: of neighbouring tiles.
        offset: device pixels into it.
        is_coarse: painted in a hurry.
    """

    strip: QImage
    offset: int
    is_coarse: bool


class CurveTiles:
    """The pictures of some series, made when they are first seen and kept while they are near the view."""

    def __init__(self) -> None:
        self._series: list[Series] = []
        self._gaps: Gaps | None = None
        self._anchor_ns = 0
        self._period_ns: int | None = None
        self._periods_ns: list[int | None] = []  # of each series
        self._look: TileLook | None = None
        self._tiles: dict[int, _Tile] = {}
        self._is_coarse = False
        self._painted = 0

    @property
    def painted(self) -> int:
        """How many tiles were painted so far; drawing one that is at hand does not count."""
        return self._painted

    @property
    def is_coarse(self) -> bool:
        """True where the last drawing holds hurried tiles: draw again, without hurry, once there is time."""
        return self._is_coarse

    def set_series(self, series: list[Series], gaps: Gaps | None, timestamps_ns: NDArray[np.int64]) -> None:
        """Draw these lines from now on.

        Args:
            series: in drawing order.
            gaps: hatched; None for none.
            timestamps_ns: int64[n] of all the series.
        """
        self._series, self._gaps = series, gaps
        self._anchor_ns = int(timestamps_ns[0]) if len(timestamps_ns) else 0
        self._period_ns = timing.period_ns(timestamps_ns)
        self._periods_ns = [
            timing.period_ns(line.channel.timestamps_ns) if line.foreign else self._period_ns
            for line in series
        ]
        self._tiles.clear()

    def draw(
        self,
        painter: QPainter,
        rect: QRect,
        window: TimeWindow,
        *,
        low: float,
        high: float,
        ratio: float,
        tokens: Tokens,
        hurry: bool = False,
    ) -> None:
        """Draw what a window shows, at most half a device pixel beside its place.

        Args:
            painter: of the plot.
            rect: in it, device-independent pixels; not empty.
            window: over the width of the rectangle.
            low: value at the lower edge.
            high: value at the upper edge; above ``low``.
            ratio: device pixels per device-independent one.
            tokens: colours of gaps.
            hurry: where most of it must be painted anew, make do with thin lines, at a tenth of the cost.
        """
        self._is_coarse = False
        width_px = max(1, round(rect.width() * ratio))
        scale = TileScale(anchor_ns=self._anchor_ns, span_ns=window.duration_ns, width_px=width_px)
        height_px = max(1, round(rect.height() * ratio))
        look = TileLook(scale=scale, height_px=height_px, ratio=ratio, low=low, high=high, tokens=tokens)
        if look != self._look:
            self._look = look
            self._tiles.clear()
        if not self._series and self._gaps is None:
            return
        tile_px, left = look.tile_px, scale.pixel_at(window.start_ns)
        shown = range(left // tile_px, -(-(left + width_px) // tile_px))
        self._provide(shown, look, hurry=hurry)
        for tile in shown:
            image, offset, is_coarse = self._tiles[tile]
            self._is_coarse |= is_coarse
            target = QRectF(
                rect.left() + (tile * tile_px - left) / ratio, rect.top(), tile_px / ratio, height_px / ratio
            )
            painter.drawImage(target, image, QRectF(offset, 0, tile_px, height_px))

    def _provide(self, shown: range, look: TileLook, *, hurry: bool) -> None:
        """Paint the tiles that are missing, neighbours in one go; let those go that are far away."""
        missing = [tile for tile in shown if tile not in self._tiles]
        coarse = hurry and 2 * len(missing) > len(shown)
        if not hurry:
            missing = [tile for tile in shown if tile not in self._tiles or self._tiles[tile].is_coarse]
        while missing:
            count = next((i for i in range(1, len(missing)) if missing[i] != missing[0] + i), len(missing))
            strip = self._paint(missing[0], count, look, coarse=coarse)
            for place in range(count):
                self._tiles[missing[place]] = _Tile(strip, place * look.tile_px, coarse)
            self._painted += count
            del missing[:count]
        far = [tile for tile in self._tiles if not -len(shown) <= tile - shown.start < 2 * len(shown)]
        for tile in far:
            del self._tiles[tile]

    def _paint(self, first: int, count: int, look: TileLook, *, coarse: bool) -> QImage:
        scale, pad_px = look.scale, round(_PAD_PX * look.ratio)
        left, width_px = first * look.tile_px, count * look.tile_px
        image = QImage(width_px, look.height_px, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(look.ratio)
        image.fill(Qt.GlobalColor.transparent)
        window = TimeWindow(scale.time_at(left - pad_px), scale.time_at(left + width_px + pad_px))
        if window.duration_ns == 0:
            return image
        origin_ns = scale.time_at(left)
        with painting(image) as painter:
            for series, period_ns in zip(self._series, self._periods_ns, strict=True):
                columns = width_px + 2 * pad_px
                self._paint_curve(painter, series, period_ns, window, columns, origin_ns, look, coarse=coarse)
            self._paint_gaps(painter, window, origin_ns, look)
        return image

    def _paint_curve(
        self,
        painter: QPainter,
        series: Series,
        period_ns: int | None,
        window: TimeWindow,
        columns: int,
        origin_ns: int,
        look: TileLook,
        *,
        coarse: bool,
    ) -> None:
        seconds, values, are_samples = series.channel.curve(
            window, columns, origin_ns, self._gaps if series.gaps is None else series.gaps
        )
        x = np.clip(seconds * (NS_PER_S * look.px_per_ns), -_FARTHER_PX, _FARTHER_PX)
        y = look.rows(values)
        # By the usual distance of samples, not by what is here: neighbouring tiles must look alike.
        px_per_sample = period_ns * look.px_per_ns if period_ns else float("inf")
        view_px = look.scale.width_px / look.ratio
        fine = not coarse and are_samples and view_px <= _FINE_LINE_POINTS * px_per_sample
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, fine)
        painter.setPen(QPen(series.colour, 1.6 if fine else 1.0))
        whole = ~(np.isnan(x) | np.isnan(y))
        broken = np.flatnonzero(~whole)
        for first, stop in zip(np.append(0, broken + 1), np.append(broken, len(x)), strict=True):
            if stop - first == 1:
                painter.drawPoint(QPointF(float(x[first]), float(y[first])))
            elif stop > first:
                painter.drawPolyline(polygon(x[first:stop], y[first:stop]))
        if not coarse and are_samples and _DOTS_BELOW * px_per_sample > 1:
            painter.setPen(QPen(series.colour, _DOT_PX, c=Qt.PenCapStyle.RoundCap))
            painter.drawPoints(polygon(x[whole], y[whole]))

    def _paint_gaps(self, painter: QPainter, window: TimeWindow, origin_ns: int, look: TileLook) -> None:
        if self._gaps is None:
            return
        starts, stops, _ = shown_gaps(self._gaps, window)
        if not starts:
            return
        ground = with_alpha(look.tokens.warning_ground, 0.6)
        stripes = with_alpha(look.tokens.warning, 0.75)
        hatch = hatch_brush(stripes, spacing=_HATCH_PX, width=1.2, ratio=look.ratio)
        width, height = painter.device().width() / look.ratio, painter.device().height() / look.ratio
        for start_ns, stop_ns in zip(starts, stops, strict=True):
            x0 = max((start_ns - origin_ns) * look.px_per_ns, -_PAD_PX)
            x1 = max(min((stop_ns - origin_ns) * look.px_per_ns, width + _PAD_PX), x0 + 3)  # never too narrow
            band = QRectF(x0, 0, x1 - x0, height)
            painter.fillRect(band, ground)
            painter.fillRect(band, hatch)


def shown_gaps(gaps: Gaps, window: TimeWindow) -> tuple[list[int], list[int], list[int]]:
    """Starts and stops in ns, and samples lost, of the gaps in a window.

    Of too many the longest: all of them would be one solid block.
    """
    part = gaps.within(window)
    starts, stops, lost = gaps.start_ns[part], gaps.end_ns[part], gaps.lost[part]
    if len(starts) > _MOST_GAPS:
        longest = np.sort(np.argsort(starts - stops, kind="stable")[:_MOST_GAPS])
        starts, stops, lost = starts[longest], stops[longest], lost[longest]
    return starts.tolist(), stops.tolist(), lost.tolist()


def polygon(x: NDArray[np.float64], y: NDArray[np.float64]) -> QPolygonF:
    """Points for Qt, filled in one go instead of one by one."""
    polygon = QPolygonF()
    if len(x) == 0:
        return polygon
    polygon.resize(len(x))
    # The stubs know VoidPtr only as made from a number, and not that it is a buffer.
    pointer = VoidPtr(polygon.data(), len(x) * 16, True)  # type: ignore[call-arg,arg-type]
    memory = np.frombuffer(pointer, np.float64).reshape(-1, 2)  # type: ignore[call-overload]
    memory[:, 0], memory[:, 1] = x, y
    return polygon
