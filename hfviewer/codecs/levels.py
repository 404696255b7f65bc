"""Pixels of any depth as 8 bit, for pictures that people look at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.image import Pixels

_LEVEL_SHARES = (0.5, 99.5)
_LEVEL_SAMPLES = 200_000


def grey_levels(pixels: Pixels) -> tuple[int, int]:
    """Which values to show as black and as white: all of uint8, the middle 99 % of uint16.

    Args:
        pixels: any shape; at most `_LEVEL_SAMPLES` values, evenly spread, are looked at.

    Returns:
        Two values, the second above the first.
    """
    if pixels.dtype == np.uint8 or pixels.size == 0:
        return (0, 255)
    flat = pixels.reshape(-1)
    sample = flat[:: max(1, flat.size // _LEVEL_SAMPLES)]
    low, high = np.percentile(sample, _LEVEL_SHARES)
    return (int(low), max(int(low) + 1, int(np.ceil(high))))


def to_eight_bit(pixels: Pixels, levels: tuple[int, int]) -> NDArray[np.uint8]:
    """Pixels as uint8, with ``levels`` as black and white; uint8 comes back as it is."""
    if pixels.dtype == np.uint8:
        return np.asarray(pixels, np.uint8)
    low, high = levels
    ramp = (np.arange(65536, dtype=np.float32) - low) * (255.0 / max(1, high - low))
    table = np.clip(np.rint(ramp), 0, 255).astype(np.uint8)
    return np.take(table, pixels)
