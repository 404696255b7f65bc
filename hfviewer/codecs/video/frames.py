"""A decoded picture as a frame of its stream: an image, or depth."""

from __future__ import annotations

import av
import numpy as np

from hfviewer.codecs.decode import FrameIds
from hfviewer.codecs.video.colour import UNTAGGED, Matrix, grey_codes, to_pixels
from hfviewer.core.depth import DepthScale
from hfviewer.core.frame import DepthFrame, ImageFrame, freeze
from hfviewer.core.stream import StreamDescription

LOSSY_INVALID_MM = 110.0
"""Lossy video makes codes 1 to 95 out of pixels without a measurement (formats/pooled.md, "Depth")."""

LOSSY_LOG12 = DepthScale(log12=True, invalid_below_mm=LOSSY_INVALID_MM)
"""The recorder's depth video: 12-bit logarithmic codes in lossy HEVC."""


def depth_of_description(description: StreamDescription) -> DepthScale:
    """What codes of depth in HEVC mean: counts where a unit is declared, else the recorder's logarithm."""
    unit_mm = description.depth_unit_mm
    if unit_mm is None or not 0 < unit_mm < float("inf"):
        return LOSSY_LOG12
    return DepthScale(unit_mm=unit_mm, invalid_codes=description.depth_invalid)


def frame_of(
    picture: av.VideoFrame, ids: FrameIds, *, depth: DepthScale | None, untagged: Matrix = UNTAGGED
) -> ImageFrame | DepthFrame:
    """A frame.

    Args:
        picture: as decoded.
        ids: what the frame knows about itself.
        depth: what the codes mean; None for images.
        untagged: the colour matrix where the stream names none.

    Raises:
        FrameError: a picture of colours where depth is expected, or one that cannot be converted.
    """
    if depth is None:
        return ImageFrame(**ids, pixels=to_pixels(picture, untagged=untagged))
    codes = grey_codes(picture).astype(np.uint16, copy=False)
    return DepthFrame(**ids, stored=freeze(codes), scale=depth)
