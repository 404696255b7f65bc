"""Pictures of clouds, drawn on the CPU: for software GL, remote desktops and pictures without a screen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
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


def cpu_picture(
    look: CloudLook, xyz: NDArray[np.float32], colours: NDArray[np.uint32]
) -> tuple[QImage, Splat]:
    """A cloud with grid, metres and axes, not greyed out; and where each point fell.

    Args:
        look: camera, size and grid.
        xyz: float32 N×3, metres.
        colours: uint32[N], ``0xAARRGGBB``.
    """
    picture = backdrop(look)
    drawn = splat(xyz, colours, look.matrix, *look.device, size_px=look.point_device_px)
    width, height = look.device
    layer = QImage(drawn.pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    with painting(picture) as painter:
        painter.drawImage(QRectF(0, 0, *look.size), layer)
        draw_above(painter, look)
    return picture, drawn
