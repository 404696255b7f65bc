"""Numbers of a grid as colours: from one end to the other, or to both sides of zero. No widgets in here."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from hfviewer.codecs.opencv import cv2

_STEPS = 256
_OPAQUE = 0xFF000000
# Red, green, blue from the most negative to the most positive: light blue, blue, near black, red, yellow.
_TWO_SIDED = (
    (0.55, 0.83, 1.0),
    (0.16, 0.42, 0.92),
    (0.09, 0.10, 0.12),
    (0.88, 0.22, 0.20),
    (1.0, 0.86, 0.45),
)


@lru_cache(maxsize=1)
def two_sided_table() -> NDArray[np.uint32]:
    """uint32[256], opaque ``0xFFRRGGBB``: dark at zero in the middle, brighter to both sides; read-only."""
    places = np.linspace(0, 1, len(_TWO_SIDED))
    ramp = np.linspace(0, 1, _STEPS)
    red, green, blue = (
        np.rint(255 * np.interp(ramp, places, [stop[i] for stop in _TWO_SIDED])).astype(np.uint32)
        for i in range(3)
    )
    table: NDArray[np.uint32] = (_OPAQUE | (red << 16) | (green << 8) | blue).astype(np.uint32)
    table.flags.writeable = False
    return table


def colours_of(
    values: NDArray[np.floating], low: float, high: float, table: NDArray[np.uint32]
) -> NDArray[np.uint32]:
    """The colour of every value; what lies outside takes the end colours, NaN none (transparent).

    Args:
        values: of any shape.
        low: has the first colour.
        high: has the last colour; above ``low``.
        table: uint32[256].
    """
    with np.errstate(invalid="ignore", over="ignore"):
        share = (np.asarray(values, np.float32) - np.float32(low)) * np.float32(
            (len(table) - 1) / max(high - low, 1e-12)
        )
    known = np.isfinite(share) | np.isinf(share)
    steps = np.rint(np.clip(np.where(known, share, 0), 0, len(table) - 1)).astype(np.intp)
    found: NDArray[np.uint32] = np.take(table, steps)
    found[~known] = 0
    return found


def heat_picture(
    values: NDArray[np.floating],
    low: float,
    high: float,
    table: NDArray[np.uint32],
    part: tuple[int, int, int, int],
    size: tuple[int, int],
) -> QImage:
    """A part of a grid at the size that it is wanted at; cells are picked, never averaged.

    Args:
        values: H×W.
        low: see `colours_of`.
        high: see `colours_of`.
        table: see `colours_of`.
        part: left, top, right, bottom in cells.
        size: width and height in pixels.
    """
    left, top, right, bottom = part
    cells = values[top:bottom, left:right]
    if size[0] * size[1] < cells.size:  # fewer are seen than there are
        cells = _picked(np.ascontiguousarray(cells, np.float32), size)
    pixels = _picked(np.ascontiguousarray(colours_of(cells, low, high, table)).view(np.float32), size)
    height, width = pixels.shape
    return QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32).copy()


def _picked(cells: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    """The cells at another size; four bytes each, whatever they stand for, are only copied."""
    if size == (cells.shape[1], cells.shape[0]):
        return cells
    return np.asarray(cv2.resize(cells, size, interpolation=cv2.INTER_NEAREST_EXACT), np.float32)


def round_top(value: float, least: float = 1.0) -> float:
    """The next 1, 2 or 5 × 10ⁿ at or above a value, for the end of a scale; at least ``least``."""
    if not math.isfinite(value) or value <= least:
        return least
    power = 10.0 ** math.floor(math.log10(value))
    return next((power * f for f in (1.0, 2.0, 5.0) if power * f >= value * (1 - 1e-9)), power * 10.0)


def signed(value: float, decimals: int = 2) -> str:
    """``+1.25`` or ``−0.03``, as wide whatever its sign."""
    return f"{value:+.{decimals}f}".replace("-", "−") if math.isfinite(value) else "–"
