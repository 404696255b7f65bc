"""Paints the overview: the whole recording in a strip, and the box that says which part is shown below."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import Tokens, kind_colour, with_alpha
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.density import frames_per_column, fullness, gap_runs, held
from hfviewer.panels.timeline.lane import Lane
from hfviewer.panels.timeline.layout import OVERVIEW_PX
from hfviewer.panels.timeline.raster import TICKS_FROM_PX
from hfviewer.panels.timeline.strip import StripMarks, paint_strip

_TOP_PX = 2
_STRIP_PX = 3  # findings, at the bottom
_ROWS_PX = OVERVIEW_PX - 2 * _TOP_PX - _STRIP_PX - 1
_TRACK_PX = 3
_MOST_TRACKS = 3  # the others have no room here


def track_lines(count: int, width_px: int, left_px: int) -> list[QRect]:
    """Where the rows below the lanes have their lines in the overview: nothing covers the findings.

    Args:
        count: how many rows there are.
        width_px: of the overview.
        left_px: where it begins.
    """
    shown = min(count, _MOST_TRACKS)
    first = OVERVIEW_PX - _TOP_PX - _STRIP_PX - 1 - shown * _TRACK_PX
    return [QRect(left_px, first + row * _TRACK_PX, width_px, _TRACK_PX) for row in range(shown)]


def paint_overview(
    axis: TimeAxis, lanes: Sequence[Lane], strip: StripMarks, tokens: Tokens, ratio: float, tracks: int = 0
) -> QImage:
    """A row per lane; where there are more lanes than rows, several share one.

    Args:
        axis: of the whole recording.
        lanes: in their order.
        strip: findings, in a line below.
        tokens: of the theme.
        ratio: device pixels per device-independent pixel.
        tracks: how many rows below the lanes want a line.
    """
    width, height = max(1, round(axis.width_px * ratio)), max(1, round(OVERVIEW_PX * ratio))
    top, room = (
        round(_TOP_PX * ratio),
        max(1, round((_ROWS_PX - min(tracks, _MOST_TRACKS) * _TRACK_PX) * ratio)),
    )
    pixels = np.empty((height, width, 3), np.float32)
    pixels[:] = _rgb(tokens.bg0)
    edges_ns = axis.resized(width).edges_ns()
    pitch = max(1, min(room // max(1, len(lanes)), round(4 * ratio)))
    thick = pitch - 1 if pitch > 2 else pitch
    rows = [top + index * pitch % max(1, room - thick + 1) for index in range(len(lanes))]
    for lane, row in zip(lanes, rows, strict=True):
        counts = frames_per_column(lane.timestamps_ns, edges_ns, lane.coarse_ns, lane.grid)
        frames = axis.ns_per_px / ratio / lane.period_ns if lane.regular and lane.period_ns else None
        level = fullness(counts, frames)
        if frames is not None and frames * TICKS_FROM_PX * ratio > 1:
            level = held(level, 1 / frames)
        strength = (0.6 * level)[:, None]
        colour = _rgb(kind_colour(tokens, lane.kind))
        band = pixels[row : row + thick]
        band[:] = np.maximum(strength, 0) * colour + (1 - strength) * band
    # Marks last: a row that lanes share must not hide them.
    for lane, row in zip(lanes, rows, strict=True):
        gaps = gap_runs(lane.marks, edges_ns)
        band = pixels[row : row + max(2, thick)]
        for severe, colour in ((False, _rgb(tokens.warning)), (True, _rgb(tokens.error))):
            band[:, gaps.where(gaps.severe == severe).covers(width)] = colour
    bgra = np.empty((height, width, 4), np.uint8)
    bgra[..., :3] = pixels[..., ::-1]
    bgra[..., 3] = 255
    image = QImage(bgra.data, width, height, 4 * width, QImage.Format.Format_RGB32).copy()
    image.setDevicePixelRatio(ratio)
    with painting(image) as painter:
        line = QRect(0, OVERVIEW_PX - _TOP_PX - _STRIP_PX, axis.width_px, _STRIP_PX)
        paint_strip(painter, line, axis, strip, tokens, icons=False)
    return image


def paint_box(painter: QPainter, rect: QRect, first: int, stop: int, tokens: Tokens) -> None:
    """The box over the part that is shown.

    Args:
        painter: of the widget.
        rect: of the overview.
        first: first column of the box.
        stop: one past its last column.
        tokens: of the theme.
    """
    left = max(0, min(first, rect.width() - 4))
    right = min(rect.width(), max(stop, left + 4))
    box = QRectF(rect.left() + left + 0.75, rect.top() + 1.75, right - left - 1.5, rect.height() - 3.5)
    painter.setBrush(with_alpha(tokens.accent, 0.16))
    painter.setPen(QPen(tokens.accent, 1.5))
    painter.drawRoundedRect(box, 3, 3)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _rgb(colour: QColor) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.array([colour.red(), colour.green(), colour.blue()], np.float32)
