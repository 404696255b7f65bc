"""Which stored pixel of a camera's picture is meant by a place in it, and what it holds."""

from __future__ import annotations

import numpy as np

from hfviewer.core.frame import ImageFrame
from hfviewer.core.geometry import CameraModel
from hfviewer.core.projection import fitted_to, from_picture, is_distorted, straightened, to_picture
from hfviewer.panels.drawing import one_line
from hfviewer.panels.picture import value_text


def stored_size(frame: ImageFrame) -> tuple[int, int]:
    """Width and height as recorded; the pixels at hand may be fewer."""
    return frame.full_size or (frame.pixels.shape[1], frame.pixels.shape[0])


def at_hand(
    frame: ImageFrame, column: int, row: int, straight_by: CameraModel | None
) -> tuple[int, int] | None:
    """Which of the pixels at hand shows at a pixel of the full picture; None where none does.

    Args:
        frame: of the camera.
        column: of the full picture.
        row: of the full picture.
        straight_by: the camera whose distortion was taken out of the picture; None: it shows as it is.
    """
    full_width, full_height = stored_size(frame)
    own = None if straight_by is None else fitted_to(straight_by, (full_width, full_height))
    if own is not None and is_distorted(own):
        ray = from_picture(straightened(own), np.array([[column, row]]), np.array([1.0]))
        pixels, inside = to_picture(own, ray)
        if not inside[0]:
            return None
        column, row = (int(v) for v in np.rint(pixels[0]))
    height, width = frame.pixels.shape[:2]
    return min(width - 1, column * width // full_width), min(height - 1, row * height // full_height)


def beside_text(other: ImageFrame, x_share: float, y_share: float) -> str:
    """Stream, stored pixel and value in a picture that shows beside another.

    Args:
        other: of the other camera.
        x_share: 0 … 1 of its width.
        y_share: 0 … 1 of its height.
    """
    height, width = other.pixels.shape[:2]
    x, y = min(width - 1, int(x_share * width)), min(height - 1, int(y_share * height))
    full = stored_size(other)
    where = f"{x * full[0] // width}, {y * full[1] // height}"
    return f"{one_line(other.stream)} {where}   {value_text(other, x, y)}"
