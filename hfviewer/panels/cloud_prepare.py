"""What showing a scan takes, done ahead on a loader thread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from hfviewer.core.frame import Frame, PointFrame
from hfviewer.panels.cloud_colour import (
    FiniteCloud,
    Shading,
    finite_cloud,
    flat_shading,
    point_table,
    scalar_of,
)
from hfviewer.panels.cloud_cpu import cpu_picture
from hfviewer.panels.cloud_look import CloudLook
from hfviewer.panels.cloud_splat import Projection
from hfviewer.panels.depth_colour import ColourMap
from hfviewer.panels.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Colouring:
    """How points get their colours; two that are equal give a cloud the same ones.

    Args:
        colour_by: ``height``, ``range``, a field's name, or ``flat``.
        limits: range of the colours; None where there was no value yet.
        colour_map: of that range.
        tokens: for points without a value, and the ground they all must stand out from.
    """

    colour_by: str
    limits: tuple[float, float] | None
    colour_map: ColourMap
    tokens: Tokens

    @property
    def table(self) -> NDArray[np.uint32]:
        """uint32[256], from the lower limit to the upper."""
        return point_table(self.colour_map, self.tokens.picture.rgba())

    def shading(self, values: NDArray[np.float32] | None) -> Shading:
        """Colours of points with these values; None: all alike."""
        if values is None:
            return flat_shading(self.tokens.t2.rgba())
        limits = self.limits or (0.0, 1.0)
        return Shading(values, limits, self.table, self.tokens.off.rgba())


@dataclass(frozen=True, slots=True, eq=False)
class PreparedCloud:
    """A cloud ready to be shown.

    Args:
        frame: that it is of.
        cloud: its finite points.
        values: float32[n] that they are coloured by; None: all alike.
        colouring: that was in force.
        ready: its picture, and what it looks like.
    """

    frame: PointFrame
    cloud: FiniteCloud
    values: NDArray[np.float32] | None
    colouring: Colouring
    ready: tuple[CloudLook, QImage, Projection]

    @property
    def colour_by(self) -> str:
        return self.colouring.colour_by


def prepare_cloud(frame: Frame, look: CloudLook, colouring: Colouring) -> PreparedCloud | None:
    """Do ahead, on any thread, what showing a scan takes."""
    if not isinstance(frame, PointFrame) or frame.xyz.ndim != 2 or frame.xyz.shape[1] != 3:
        return None
    cloud = finite_cloud(frame)
    values = scalar_of(frame, cloud, colouring.colour_by)
    colours = colouring.shading(values).colours(len(cloud.xyz))
    ready = (look, *cpu_picture(look, cloud.xyz, colours))
    return PreparedCloud(frame, cloud, values, colouring, ready)
