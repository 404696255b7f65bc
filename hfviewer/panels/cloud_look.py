"""How a cloud is looked at: everything that a picture of it depends on besides its points."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter

from hfviewer.panels.cloud_camera import OrbitCamera
from hfviewer.panels.cloud_scene import draw_gizmo, draw_ground, draw_ring_labels, ring_step_m
from hfviewer.panels.drawing import STALE_OPACITY
from hfviewer.panels.theme import Tokens

_GIZMO_PX = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudLook:
    """A camera, a picture's size and the grid in it; two that are equal give the same picture of a cloud.

    Args:
        camera: looks from there.
        size: width and height in device-independent pixels, ≥ 1.
        ratio: device pixels per device-independent one.
        point_px: edge of a point in device-independent pixels.
        reach_m: how far most points lie from the sensor; sets the grid's spacing.
        ground_m: z of the grid.
        ground: colour where nothing is.
        tokens: the other colours.
        grid: False for bare ground without metres.
        stale: True for a picture that is not the current one: grey, and nearly gone.
    """

    camera: OrbitCamera
    size: tuple[int, int]
    ratio: float
    point_px: int
    reach_m: float
    ground_m: float
    ground: QColor
    tokens: Tokens
    grid: bool = True
    stale: bool = False

    @property
    def device(self) -> tuple[int, int]:
        """Width and height in device pixels."""
        return (max(1, round(self.size[0] * self.ratio)), max(1, round(self.size[1] * self.ratio)))

    @property
    def point_device_px(self) -> int:
        """Edge of a point in device pixels; no larger than the picture."""
        return min(max(1, round(self.point_px * self.ratio)), *self.device)

    @property
    def matrix(self) -> NDArray[np.float64]:
        """float64 4×4 to device pixels, see `OrbitCamera.pixels_from_sensor`."""
        return self.camera.pixels_from_sensor(*self.device)


def draw_below(painter: QPainter, look: CloudLook) -> None:
    """What the points cover: the grid. The painter counts in device-independent pixels."""
    if not look.grid:
        return
    matrix = look.camera.pixels_from_sensor(*look.size)
    draw_ground(painter, matrix, look.size, ring_step_m(look.reach_m), look.ground_m, look.tokens)


def faded(look: CloudLook) -> CloudLook:
    """The look with what covers the points in the colours it has in a stale picture."""

    def fade(colour: QColor) -> QColor:
        linear = (
            0.2126 * colour.redF() ** 2.2 + 0.7152 * colour.greenF() ** 2.2 + 0.0722 * colour.blueF() ** 2.2
        )
        grey = 255 * linear ** (1 / 2.2) * STALE_OPACITY
        ground = (look.ground.red(), look.ground.green(), look.ground.blue())
        return QColor(*(round(part * (1 - STALE_OPACITY) + grey) for part in ground))

    tokens = look.tokens
    x, y, z = (fade(axis) for axis in tokens.axis)
    dim = replace(tokens, t1=fade(tokens.t1), picture=fade(tokens.picture), axis=(x, y, z))
    return replace(look, tokens=dim)


def draw_above(painter: QPainter, look: CloudLook) -> None:
    """What covers the points: metres along +x, and the axes."""
    matrix, (width, height) = look.camera.pixels_from_sensor(*look.size), look.size
    if look.grid:
        draw_ring_labels(painter, matrix, look.size, ring_step_m(look.reach_m), look.ground_m, look.tokens)
    if width > 180 and height > 140:
        corner = QPointF(width - _GIZMO_PX - 22, height - _GIZMO_PX - 10)
        draw_gizmo(painter, look.camera, corner, _GIZMO_PX, look.tokens)
