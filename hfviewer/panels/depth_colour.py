"""Depth as colours: one table of 65 536 entries, rebuilt when range, curve or colour map change."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.opencv import cv2
from hfviewer.core.depth import LOG12_MAX_MM, LOG12_MIN_MM, DepthScale
from hfviewer.core.frame import DepthFrame

_RANGE_SHARES = (1.0, 99.0)
_RANGE_SAMPLES = 200_000
_FALLBACK_MM = (0.0, 5000.0)
_OPAQUE = 0xFF000000


class ColourMap(StrEnum):
    """How low to high becomes blue to red, or dark to bright."""

    TURBO = "turbo"
    VIRIDIS = "viridis"
    CIVIDIS = "cividis"
    GREY = "grey"
    JET = "jet"


_CV_MAPS = {
    ColourMap.TURBO: cv2.COLORMAP_TURBO,
    ColourMap.VIRIDIS: cv2.COLORMAP_VIRIDIS,
    ColourMap.CIVIDIS: cv2.COLORMAP_CIVIDIS,
    ColourMap.JET: cv2.COLORMAP_JET,
}


@lru_cache(maxsize=8)
def colour_table(colour_map: ColourMap) -> NDArray[np.uint32]:
    """uint32[256], opaque ``0xFFRRGGBB``, low values first; read-only."""
    ramp = np.arange(256, dtype=np.uint8)
    code = _CV_MAPS.get(colour_map)
    bgr = np.stack([ramp] * 3, axis=1) if code is None else cv2.applyColorMap(ramp[:, None], code)[:, 0]
    blue, green, red = (np.asarray(bgr[:, i], np.uint32) for i in range(3))
    table: NDArray[np.uint32] = (_OPAQUE | (red << 16) | (green << 8) | blue).astype(np.uint32)
    table.flags.writeable = False
    return table


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthColours:
    """Which colour a depth has.

    Args:
        low_mm: shown in the first colour, as everything nearer.
        high_mm: shown in the last colour, as everything farther; above ``low_mm``.
        logarithmic: True where equal ratios, not equal steps, are equally far apart.
        colour_map: from near to far.
    """

    low_mm: float
    high_mm: float
    logarithmic: bool = False
    colour_map: ColourMap = ColourMap.TURBO

    def position(self, millimetres: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where depths lie between low (0) and high (1); NaN stays NaN, what lies outside is clipped."""
        low, high = self.low_mm, self.high_mm
        with np.errstate(invalid="ignore", divide="ignore"):
            if self.logarithmic:
                low = max(low, 1.0)
                high = max(high, low * 1.001)
                share = np.log(np.maximum(millimetres, 1.0) / low) / np.log(high / low)
            else:
                share = (millimetres - low) / max(high - low, 1e-9)
        return np.asarray(np.clip(share, 0.0, 1.0), np.float64)

    def table(self, scale: DepthScale) -> NDArray[np.uint32]:
        """uint32[65536]: the colour of every stored code, 0 (transparent) where there is no measurement."""
        share = self.position(scale.exact_mm_table)
        valid = ~np.isnan(share)
        steps = np.zeros(len(share), np.uint8)
        # The recorder rounds down: code * 255 // 4095 (formats/pooled.md, section on depth).
        rounded = np.floor(share[valid] * 255 + 1e-6) if self.colour_map is ColourMap.JET else None
        steps[valid] = (np.rint(share[valid] * 255) if rounded is None else rounded).astype(np.uint8)
        table = np.take(colour_table(self.colour_map), steps)
        table[~valid] = 0
        return table


# As the recorder shows depth while it records: JET over the whole of its 12-bit logarithm.
RECORDER_COLOURS = DepthColours(
    low_mm=LOG12_MIN_MM, high_mm=LOG12_MAX_MM, logarithmic=True, colour_map=ColourMap.JET
)


def robust_range_mm(frame: DepthFrame) -> tuple[float, float]:
    """Percentiles 1 and 99 of the valid depths of a frame, in mm; a usual range where it has none.

    At most `_RANGE_SAMPLES` pixels, evenly spread, are looked at.
    """
    codes = frame.stored.reshape(-1)
    codes = codes[:: max(1, codes.size // _RANGE_SAMPLES)]
    depths = np.take(frame.scale.exact_mm_table, codes)
    depths = depths[~np.isnan(depths)]
    if depths.size == 0:
        return _FALLBACK_MM
    low, high = (float(v) for v in np.percentile(depths, _RANGE_SHARES))
    return (low, high if high > low else low + 1.0)


def invalid_share(frame: DepthFrame) -> float:
    """Share of pixels without a measurement, 0 … 1; 1 for a picture without pixels."""
    if frame.stored.size == 0:
        return 1.0
    valid = int(np.count_nonzero(np.take(frame.scale.valid_table, frame.stored)))
    return 1.0 - valid / frame.stored.size


@dataclass(frozen=True, slots=True)
class DepthProbe:
    """One pixel of a depth picture.

    Args:
        column: of the pixel.
        row: of the pixel.
        code: as stored.
        millimetres: exact, before rounding; None where there is no measurement.
        valid: measurements among its neighbours, itself included.
        neighbours: how many of the 5×5 lie inside the picture.
    """

    column: int
    row: int
    code: int
    millimetres: float | None
    valid: int
    neighbours: int


def probe(frame: DepthFrame, column: int, row: int) -> DepthProbe | None:
    """What lies at a pixel; None outside the picture."""
    height, width = frame.stored.shape
    if not (0 <= column < width and 0 <= row < height):
        return None
    code = int(frame.stored[row, column])
    exact = float(frame.scale.exact_mm_table[code])
    around = frame.stored[max(0, row - 2) : row + 3, max(0, column - 2) : column + 3]
    valid = int(np.count_nonzero(np.take(frame.scale.valid_table, around)))
    return DepthProbe(column, row, code, None if np.isnan(exact) else exact, valid, around.size)
