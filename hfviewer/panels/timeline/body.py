"""Paints ruler and lanes: all that does not move with the playhead, painted once for a view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from hfviewer.core.stream import StreamKind
from hfviewer.core.time_format import TimeFormat
from hfviewer.core.window import WindowGrid
from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import Tokens, kind_colour
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.density import (
    MarkRuns,
    columns_with,
    doubled_runs,
    frames_per_column,
    fullness,
    gap_runs,
    held,
    reversed_runs,
)
from hfviewer.panels.timeline.fonts import TimelineFonts
from hfviewer.panels.timeline.labels import LaneRuns, paint_lane_labels
from hfviewer.panels.timeline.lane import Lane
from hfviewer.panels.timeline.layout import TimelineLayout
from hfviewer.panels.timeline.raster import TICKS_FROM_PX, Ground, LaneColours, Rgb, draw_lane, tick_strength
from hfviewer.panels.timeline.ruler import Ruler
from hfviewer.panels.timeline.scale import paint_range, paint_ruler, ruler_of
from hfviewer.panels.timeline.strip import StripMarks, paint_strip

WINDOW_MIN_PX = 16  # windows narrower than this have no grid lines


@dataclass(frozen=True, slots=True)
class BodyKey:
    """All that the picture depends on: two equal keys give the same picture.

    Args:
        axis: over device-independent columns.
        layout: of the widget.
        ratio: device pixels per device-independent pixel.
        in_ns: start of the in/out range.
        out_ns: its end.
        dark: which theme.
        times: how times read.
        findings: counts up with every change of the findings.
        generation: counts up with every change of a lane.
    """

    axis: TimeAxis
    layout: TimelineLayout
    ratio: float
    in_ns: int | None
    out_ns: int | None
    dark: bool
    times: TimeFormat
    findings: int
    generation: int


def window_borders(grid: WindowGrid, axis: TimeAxis) -> range | None:
    """Borders of the windows in view, in ns; None where they are too close to be drawn."""
    if grid.window_count == 0 or grid.window_ns * axis.width_px < WINDOW_MIN_PX * axis.view.duration_ns:
        return None
    first = max(0, -(-(axis.view.start_ns - grid.start_ns) // grid.window_ns))
    last = min(grid.window_count, (axis.view.stop_ns - 1 - grid.start_ns) // grid.window_ns)
    return range(
        grid.start_ns + first * grid.window_ns,
        grid.start_ns + max(first, last + 1) * grid.window_ns,
        grid.window_ns,
    )


def windows_text(grid: WindowGrid, axis: TimeAxis) -> str:
    """What the ruler's row is called: how long the windows are, where their borders are drawn."""
    return "Time" if window_borders(grid, axis) is None else f"Windows {grid.window_ns / 1e6:g} ms"


class Body:
    """The picture of `TimelineLayout.body_rect`."""

    def __init__(
        self,
        key: BodyKey,
        lanes: Sequence[Lane],
        grid: WindowGrid,
        strip: StripMarks,
        tokens: Tokens,
        fonts: TimelineFonts,
    ) -> None:
        self.key = key
        area, ratio = key.layout.body_rect, key.ratio
        width, height = max(1, round(area.width() * ratio)), max(1, round(area.height() * ratio))
        # The image is drawn over these pixels and does not keep them alive itself.
        self._pixels = np.empty((height, width), np.uint32)
        self.image = QImage(self._pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        ruler = ruler_of(key.axis, key.times)
        runs = _draw_lanes(self._pixels, key, lanes, window_borders(grid, key.axis), ruler, tokens)
        self.image.setDevicePixelRatio(ratio)
        with painting(self.image, smooth=True) as painter:
            painter.translate(-area.topLeft())
            paint_ruler(painter, key.axis, key.layout, ruler, tokens, fonts)
            painter.fillRect(key.layout.strip_rect, tokens.bg1)
            paint_strip(painter, key.layout.strip_rect, key.axis, strip, tokens, icons=True)
            paint_range(painter, key.axis, key.layout, key.in_ns, key.out_ns, tokens, fonts)
            painter.setClipRect(key.layout.lanes_rect)
            for index, lane_runs in runs:
                paint_lane_labels(
                    painter, key.axis, key.layout, index, lanes[index], lane_runs, tokens, fonts
                )


def _draw_lanes(
    pixels: NDArray[np.uint32],
    key: BodyKey,
    lanes: Sequence[Lane],
    borders: range | None,
    ruler: Ruler,
    tokens: Tokens,
) -> list[tuple[int, LaneRuns]]:
    layout, ratio = key.layout, key.ratio
    height, width = pixels.shape
    axis = key.axis.resized(width)
    edges_ns = axis.edges_ns()
    ground = Ground(
        width,
        colour=_rgb(tokens.bg0),
        grid=_columns(axis, ruler.labelled(axis.view) if borders is None else borders),
        line=_rgb(tokens.bg2 if tokens.dark else tokens.line),
        outside=_outside(edges_ns, key.in_ns, key.out_ns),
    )
    pad = max(1, round(min(5, layout.lane_px // 8) * ratio))
    hairline = max(1, round(ratio))
    out: list[tuple[int, LaneRuns]] = []
    below = round((layout.lanes_rect.top() - layout.body_rect.top()) * ratio)
    for index in layout.visible_lanes():
        lane = lanes[index]
        top_px = layout.lane_top(index) - layout.body_rect.top()
        top, bottom = round(top_px * ratio), round((top_px + layout.lane_px) * ratio)
        rows = (
            np.empty((bottom - top, width), np.uint32) if top < 0 or bottom > height else pixels[top:bottom]
        )
        runs = LaneRuns(
            gap_runs(lane.marks, edges_ns),
            MarkRuns.none() if lane.shares_stamps else doubled_runs(lane.marks, edges_ns),
            reversed_runs(lane.marks, edges_ns),
        )
        single = lane.px_per_frame(key.axis.ns_per_px) >= TICKS_FROM_PX
        draw_lane(
            rows,
            _strength(lane, edges_ns, key.axis, ratio),
            ground,
            _colours(tokens, lane.kind),
            pad=pad,
            gaps=runs.gaps,
            doubled=runs.doubled,
            backwards=runs.backwards,
            ratio=ratio,
            late=columns_with(lane.marks.late_ns, edges_ns) if single else None,
            keys=columns_with(lane.marks.keys_ns, edges_ns) if single else None,
        )
        rows[-hairline:] = tokens.bg1.rgb()
        if rows.base is None:  # cut by the edge of the widget
            shown = slice(max(0, top), min(height, bottom))
            pixels[shown] = rows[shown.start - top : shown.stop - top]
        below = min(height, bottom)
        out.append((index, runs.scaled(ratio)))
    pixels[below:] = tokens.bg1.rgb()
    return out


def _strength(lane: Lane, edges_ns: NDArray[np.int64], axis: TimeAxis, ratio: float) -> NDArray[np.float32]:
    counts = frames_per_column(lane.timestamps_ns, edges_ns, lane.coarse_ns, lane.grid)
    px_per_frame = lane.px_per_frame(axis.ns_per_px)
    expected = 1 / (px_per_frame * ratio) if lane.regular else None
    level = fullness(counts, expected)
    if lane.regular and px_per_frame < TICKS_FROM_PX:
        level = held(level, px_per_frame * ratio)
    return tick_strength(counts, level, px_per_frame=px_per_frame, ratio=ratio)


def _columns(axis: TimeAxis, times_ns: range) -> NDArray[np.bool_]:
    marked = np.zeros(axis.width_px, np.bool_)
    for time_ns in times_ns:
        column = axis.column_at(time_ns)
        if 0 <= column < axis.width_px:
            marked[column] = True
    return marked


def _outside(edges_ns: NDArray[np.int64], in_ns: int | None, out_ns: int | None) -> NDArray[np.bool_] | None:
    if in_ns is None and out_ns is None:
        return None
    outside = np.zeros(len(edges_ns) - 1, np.bool_)
    if in_ns is not None:
        outside |= edges_ns[1:] <= in_ns
    if out_ns is not None:
        outside |= edges_ns[:-1] > out_ns
    return outside


@lru_cache(maxsize=64)
def _colours(tokens: Tokens, kind: StreamKind) -> LaneColours:
    return LaneColours(
        ticks=_rgb(kind_colour(tokens, kind)),
        error=_rgb(tokens.error),
        error_ground=_rgb(tokens.error_ground),
        warning=_rgb(tokens.warning),
        warning_ground=_rgb(tokens.warning_ground),
    )


def _rgb(colour: QColor) -> Rgb:
    return colour.red(), colour.green(), colour.blue()
