"""Raw mosaics to colour, for pictures that people look at. The mosaic itself stays what a frame holds."""

from __future__ import annotations

from typing import cast

from hfviewer.codecs.image import Pixels
from hfviewer.codecs.opencv import cv2

# OpenCV names a pattern by the pixel at row 1, column 1, so our rggb is its BG.
_CODES = {
    "rggb": cv2.COLOR_BayerBG2BGR,
    "bggr": cv2.COLOR_BayerRG2BGR,
    "gbrg": cv2.COLOR_BayerGR2BGR,
    "grbg": cv2.COLOR_BayerGB2BGR,
}


def is_bayer(pixel_format: str) -> bool:
    """True for ``bayer_rggb8`` and its kin."""
    return pixel_format.startswith("bayer_") and pixel_format[6:10] in _CODES


def to_bgr(pixels: Pixels, pixel_format: str) -> Pixels:
    """The picture in colour: a mosaic becomes H×W×3 (B, G, R) of the same dtype, others stay as they are."""
    if not is_bayer(pixel_format) or pixels.ndim != 2 or min(pixels.shape) < 2:
        return pixels
    return cast("Pixels", cv2.cvtColor(pixels, _CODES[pixel_format[6:10]]))
