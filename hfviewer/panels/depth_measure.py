"""Numbers and surfaces out of a depth picture: boxes, profiles, histograms, holes. No Qt in here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.depth import DepthScale
from hfviewer.core.frame import DepthFrame

HISTOGRAM_BINS = 60
_HISTOGRAM_SAMPLES = 60_000
_SURVEY_SAMPLES = 40_000  # of each picture
_NO_BIN = HISTOGRAM_BINS
# Holes are filled where both sides are the same surface: no wider than this, and no further apart.
_HOLE_PX = 12
_SAME_MM, _SAME_SHARE = 15.0, 0.02


@dataclass(frozen=True, slots=True)
class BoxStatistics:
    """What was measured inside a box, millimetres; NaN where nothing was.

    Args:
        pixels: inside the box.
        valid: of them, with a measurement.
    """

    pixels: int
    valid: int
    least: float
    most: float
    median: float
    mean: float
    deviation: float


def box_statistics(frame: DepthFrame, left: int, top: int, right: int, bottom: int) -> BoxStatistics:
    """Of the pixels with ``left <= column < right`` and ``top <= row < bottom``."""
    codes = frame.stored[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    depths = np.take(frame.scale.exact_mm_table, codes)
    depths = depths[~np.isnan(depths)]
    if depths.size == 0:
        nan = float("nan")
        return BoxStatistics(codes.size, 0, nan, nan, nan, nan, nan)
    return BoxStatistics(
        codes.size,
        depths.size,
        float(depths.min()),
        float(depths.max()),
        float(np.median(depths)),
        float(depths.mean()),
        float(depths.std()),
    )


def line_profile(
    frame: DepthFrame, start: tuple[float, float], stop: tuple[float, float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Depth along a straight line, one sample for each pixel of its length.

    Args:
        frame: the picture.
        start: column and row, in pixels that cover i … i+1.
        stop: the same.

    Returns:
        float64 n: pixels from the start; float64 n: millimetres, NaN where there is no measurement.
    """
    length = float(np.hypot(stop[0] - start[0], stop[1] - start[1]))
    count = max(2, round(length) + 1)
    along = np.linspace(0.0, 1.0, count)
    height, width = frame.stored.shape
    columns = np.clip(start[0] + along * (stop[0] - start[0]), 0, width - 1).astype(np.intp)
    rows = np.clip(start[1] + along * (stop[1] - start[1]), 0, height - 1).astype(np.intp)
    return along * length, np.take(frame.scale.exact_mm_table, frame.stored[rows, columns])


def bin_table(positions: NDArray[np.float64]) -> NDArray[np.uint8]:
    """uint8[65536]: which bin of a histogram each code falls into; `HISTOGRAM_BINS` for none.

    Args:
        positions: of each code, 0 to 1; NaN where invalid.
    """
    known = ~np.isnan(positions)
    bins = np.full(len(positions), _NO_BIN, np.uint8)
    bins[known] = np.minimum(positions[known] * HISTOGRAM_BINS, HISTOGRAM_BINS - 1).astype(np.uint8)
    return bins


def histogram(stored: NDArray[np.uint16], bins: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Share of the pixels in each bin, float64[`HISTOGRAM_BINS`]; at most 60 000 pixels are looked at."""
    flat = stored.reshape(-1)
    sample = flat[:: max(1, flat.size // _HISTOGRAM_SAMPLES)]
    counts = np.bincount(np.take(bins, sample), minlength=HISTOGRAM_BINS + 1)[:HISTOGRAM_BINS]
    return counts / max(1, sample.size)


@dataclass(frozen=True, slots=True)
class DepthSurvey:
    """How far a whole recording sees, millimetres.

    Args:
        low_mm: percentile 1.
        high_mm: percentile 99.
        nearest_mm: percentile 0.1.
        farthest_mm: percentile 99.9.
    """

    low_mm: float
    high_mm: float
    nearest_mm: float
    farthest_mm: float


def survey_sample(frame: DepthFrame) -> NDArray[np.float32]:
    """Depths of one picture that stand for all of it, millimetres."""
    flat = frame.stored.reshape(-1)
    depths = np.take(frame.scale.exact_mm_table, flat[:: max(1, flat.size // _SURVEY_SAMPLES)])
    return depths[~np.isnan(depths)].astype(np.float32)


def join_survey(samples: Sequence[NDArray[np.float32]]) -> DepthSurvey | None:
    """What samples from all over a recording say; None where nothing was measured."""
    depths = np.concatenate([*samples, np.empty(0, np.float32)])
    if not depths.size:
        return None
    nearest, low, high, farthest = (float(v) for v in np.percentile(depths, [0.1, 1, 99, 99.9]))
    return DepthSurvey(low, max(high, low + 1.0), nearest, max(farthest, nearest + 1.0))


def fill_holes(stored: NDArray[np.uint16], scale: DepthScale) -> tuple[NDArray[np.uint16], NDArray[np.bool_]]:
    """Codes with small holes closed, for the eye only.

    A hole is closed along its row or column, where what was measured on both sides is one surface: holes
    along the edges of objects stay open, and no depth is made up between two objects.

    Args:
        stored: uint16 H×W.
        scale: of the codes.

    Returns:
        uint16 H×W, each closed pixel with the code of its nearer neighbour; bool H×W: which were closed.
    """
    filled, closed = _close_along_rows(stored, scale)
    turned, more = _close_along_rows(np.ascontiguousarray(filled.T), scale)
    return np.ascontiguousarray(turned.T), closed | more.T


def _close_along_rows(
    stored: NDArray[np.uint16], scale: DepthScale
) -> tuple[NDArray[np.uint16], NDArray[np.bool_]]:
    height, width = stored.shape
    valid = np.take(scale.valid_table, stored)
    places = np.arange(width, dtype=np.int32)
    before = np.maximum.accumulate(np.where(valid, places, -1), axis=1)
    after = np.minimum.accumulate(np.where(valid, places, width)[:, ::-1], axis=1)[:, ::-1]
    rows, columns = np.nonzero(~valid & (before >= 0) & (after < width) & (after - before <= _HOLE_PX + 1))
    left, right = before[rows, columns], after[rows, columns]
    left_codes, right_codes = stored[rows, left], stored[rows, right]
    left_mm, right_mm = scale.exact_mm_table[left_codes], scale.exact_mm_table[right_codes]
    apart = np.abs(left_mm - right_mm)
    same = apart <= np.maximum(_SAME_MM, _SAME_SHARE * np.minimum(left_mm, right_mm))
    nearer = np.where(columns - left <= right - columns, left_codes, right_codes)
    filled, closed = stored.copy(), np.zeros((height, width), np.bool_)
    filled[rows[same], columns[same]] = nearer[same]
    closed[rows[same], columns[same]] = True
    return filled, closed
