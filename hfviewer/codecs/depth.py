"""Depth pictures: payload bytes to stored integer codes."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.compression import Buffer
from hfviewer.codecs.image import decode_picture, decode_raw_picture
from hfviewer.core.depth import DepthScale
from hfviewer.core.errors import FrameError
from hfviewer.core.stream import StreamDescription


def depth_scale(description: StreamDescription) -> DepthScale:
    """How this stream's codes become millimetres; a missing or impossible unit counts as 1 mm."""
    unit_mm = description.depth_unit_mm
    return DepthScale(
        unit_mm=unit_mm if unit_mm is not None and 0 < unit_mm < float("inf") else 1.0,
        log12=description.encoding == "log12",
        invalid_codes=description.depth_invalid,
    )


def decode_depth(payload: Buffer, description: StreamDescription) -> NDArray[np.uint16]:
    """Stored codes, uint16 H×W, untouched.

    Raises:
        FrameError: it cannot be decoded, or is not one value a pixel.
    """
    if description.encoding == "png16":
        pixels, _ = decode_picture(payload)
        if pixels.ndim != 2:
            raise FrameError("It is a colour picture, not a depth picture.")
        return pixels.astype(np.uint16, copy=False)
    return cast(
        "NDArray[np.uint16]",
        decode_raw_picture(
            payload, width=description.width, height=description.height, pixel_format="mono16"
        ),
    )
