"""From stored pixels to pixels a screen can show. Pure functions; nothing here knows Qt."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.bayer import bayer_pattern
from hfviewer.codecs.opencv import cv2
from hfviewer.core.frame import ImageFrame

_ENOUGH = 8  # pixels across and down that tell the mean of a block
_HUGE = 1 << 24  # values of a picture above which not all of them are looked at


def shrink(pixels: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """The same picture in fewer pixels, each about the mean of those it stands for.

    Whole blocks are averaged first, the rest of the way is interpolated: INTER_AREA alone takes ten times as
    long where the factor is no whole number (5.2 ms against 0.5 ms for 1920×1080 to 952×536).

    Args:
        pixels: H×W or H×W×3; not empty.
        width: ≥ 1, of the result.
        height: ≥ 1, of the result.
    """
    across, down = max(1, pixels.shape[1] // width), max(1, pixels.shape[0] // height)
    small: NDArray[Any] = pixels
    if min(across, down) >= 2 * _ENOUGH and pixels.size >= _HUGE:
        # Of 34 × 34 pixels, 8 × 8 tell the mean as well, and far sooner where there are 16k × 16k of them.
        step = (min(across, down) // _ENOUGH - 1) | 1  # odd: rows of a pattern of two are met alike
        some = np.ascontiguousarray(pixels[step // 2 :: step, step // 2 :: step])
        return np.asarray(cv2.resize(some, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    if across > 1 or down > 1:
        columns, rows = pixels.shape[1] // across, pixels.shape[0] // down
        whole = np.ascontiguousarray(pixels[: rows * down, : columns * across])
        small = cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA)
    if (small.shape[1], small.shape[0]) != (width, height):
        small = cv2.resize(np.ascontiguousarray(small), (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(small, np.uint8)


def to_screen(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """H×W×4 in the order that a screen wants (B, G, R, 255) of H×W×3, so that drawing converts nothing.

    Grey H×W comes back as it is.
    """
    if pixels.ndim == 2:
        return np.ascontiguousarray(pixels)
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_BGR2BGRA), np.uint8)


def value_text(frame: ImageFrame, x: int, y: int) -> str:
    """The stored value of one pixel: ``R 12 G 34 B 56``, ``1763``, or with the colour of its Bayer filter.

    Args:
        frame: the picture.
        x: column in ``frame.pixels``, inside.
        y: row, inside.
    """
    value = frame.pixels[y, x]
    if isinstance(value, np.ndarray) and value.size == 3:
        blue, green, red = (int(v) for v in value)
        return f"R {red:3d}  G {green:3d}  B {blue:3d}"
    if isinstance(value, np.ndarray):
        return " ".join(str(int(v)) for v in value)
    pattern = bayer_pattern(frame.pixel_format)
    letter = f"{pattern[(y % 2) * 2 + x % 2].upper()} " if pattern else ""
    return f"{letter}{int(value)}"
