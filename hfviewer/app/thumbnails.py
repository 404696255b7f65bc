"""Small pictures for the timeline's hover card, of frames that are in memory already."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from hfviewer.core.frame import DepthFrame, Frame, ImageFrame
from hfviewer.playback.player import Player

WIDTH_PX, HEIGHT_PX = 216, 120
_SHARES = (1.0, 99.0)


class Thumbnails:
    """Asked on the GUI thread: it reads nothing, waits for nothing, and keeps only the last picture.

    Args:
        player: whose cache holds the frames.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._frame: Frame | None = None
        self._picture: QImage | None = None

    def __call__(self, stream: str, index: int) -> QImage | None:
        """The picture of a frame; None where it is not in memory or has no picture."""
        frame = self._player.cached_frame(stream, index)
        if frame is None:
            return None
        if frame is not self._frame:
            self._frame, self._picture = frame, thumbnail(frame)
        return self._picture


def thumbnail(frame: Frame) -> QImage | None:
    """A small picture: every so many pixels of a camera's, colours of its own range of a depth's."""
    # Imported here: they load OpenCV, and the window must be on screen before anything needs it.
    from hfviewer.codecs.levels import grey_levels, to_eight_bit
    from hfviewer.panels.depth_colour import DepthColours

    if isinstance(frame, ImageFrame) and frame.pixels.size:
        small = _thinned(frame.pixels)
        pixels = np.ascontiguousarray(to_eight_bit(small, grey_levels(small)))
        height, width = pixels.shape[:2]
        kind = QImage.Format.Format_Grayscale8 if pixels.ndim == 2 else QImage.Format.Format_BGR888
        # Copied: the image does not keep the pixels alive.
        return QImage(pixels.data, width, height, pixels.strides[0], kind).copy()
    if isinstance(frame, DepthFrame) and frame.stored.size:
        codes = _thinned(frame.stored)
        measured = frame.scale.exact_mm_table[codes]
        measured = measured[np.isfinite(measured)]
        if measured.size == 0:
            return None
        low, high = np.percentile(measured, _SHARES)
        colours = DepthColours(low_mm=float(low), high_mm=float(max(high, low + 1))).table(frame.scale)
        pixels = np.ascontiguousarray(colours[codes])
        height, width = pixels.shape
        return QImage(pixels.data, width, height, pixels.strides[0], QImage.Format.Format_ARGB32).copy()
    return None


def _thinned(pixels: NDArray[np.uint8] | NDArray[np.uint16]) -> NDArray[np.uint8] | NDArray[np.uint16]:
    height, width = pixels.shape[:2]
    step = max(1, -(-height // HEIGHT_PX), -(-width // WIDTH_PX))
    return pixels[::step, ::step]
