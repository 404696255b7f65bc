"""Pictures of clouds, drawn on the CPU: for software GL, remote desktops and pictures without a screen."""

from __future__ import annotations

import threading
from collections import deque

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from hfviewer.panels.cloud_look import CloudLook, draw_above, draw_below
from hfviewer.panels.cloud_splat import Splat, splat
from hfviewer.panels.drawing import painting


def backdrop(look: CloudLook) -> QImage:
    """The picture before any point is in it: RGB32, ``look.device`` pixels."""
    picture = QImage(*look.device, QImage.Format.Format_RGB32)
    picture.setDevicePixelRatio(look.ratio)
    picture.fill(look.ground)
    with painting(picture) as painter:
        draw_below(painter, look)
    return picture


class _Grounds:
    """Backdrops as pixels, the last few: while a scan follows the other, they are the same."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: deque[tuple[CloudLook, NDArray[np.uint32]]] = deque(maxlen=4)

    def get(self, look: CloudLook) -> NDArray[np.uint32]:
        """uint32 H×W, ``0xFFRRGGBB``; not to be written to."""
        with self._lock:
            for kept, pixels in self._kept:
                if kept == look:
                    return pixels
        picture = backdrop(look)
        found = np.frombuffer(picture.constBits(), np.uint32).reshape(picture.height(), -1).copy()
        with self._lock:
            self._kept.append((look, found))
        return found


_grounds = _Grounds()


def cpu_picture(
    look: CloudLook, xyz: NDArray[np.float32], colours: NDArray[np.uint32]
) -> tuple[QImage, Splat]:
    """A cloud with grid, metres and axes, not greyed out; and where each point fell.

    Args:
        look: camera, size and grid.
        xyz: float32 N×3, metres.
        colours: uint32[N], ``0xAARRGGBB``; opaque.
    """
    width, height = look.device
    drawn = splat(
        xyz,
        colours,
        look.matrix,
        width,
        height,
        size_px=look.point_device_px,
        ground=_grounds.get(look),
    )
    picture = QImage(drawn.pixels.data, width, height, width * 4, QImage.Format.Format_RGB32)
    picture.setDevicePixelRatio(look.ratio)
    with painting(picture) as painter:
        draw_above(painter, look)
    return picture, drawn
