"""Raw mosaics to colour, for pictures that people look at. The mosaic itself stays what a frame holds."""

from __future__ import annotations

from typing import cast

import numpy as np

from hfviewer.codecs.image import Pixels
from hfviewer.codecs.opencv import cv2

_CODES = {
    "rggb": cv2.COLOR_BayerRGGB2BGR,
    "bggr": cv2.COLOR_BayerBGGR2BGR,
    "gbrg": cv2.COLOR_BayerGBRG2BGR,
    "grbg": cv2.COLOR_BayerGRBG2BGR,
}


def bayer_pattern(pixel_format: str) -> str:
    """``rggb`` of ``bayer_rggb8``; empty where the format is not a Bayer mosaic."""
    pattern = pixel_format.removeprefix("bayer_")[:4]
    return pattern if pixel_format.startswith("bayer_") and pattern in _CODES else ""


def demosaic(mosaic: Pixels, pixel_format: str) -> Pixels:
    """Colours of a Bayer sensor's raw mosaic, by bilinear interpolation.

    Args:
        mosaic: uint8 or uint16, H×W.
        pixel_format: ``bayer_{rggb,bggr,gbrg,grbg}{8,16}``; the letters are the top left 2×2 pixels in rows.

    Returns:
        H×W×3 (B, G, R) of the same dtype; a mosaic too small to interpolate, or another format, comes back as
        it is.
    """
    pattern = bayer_pattern(pixel_format)
    if not pattern or mosaic.ndim != 2 or min(mosaic.shape) < 3:
        return mosaic
    return cast("Pixels", cv2.cvtColor(np.ascontiguousarray(mosaic), _CODES[pattern]))
