"""What showing a scan takes, done ahead on a loader thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from hfviewer.core.frame import Frame, PointFrame
from hfviewer.core.geometry import CameraModel
from hfviewer.panels.cloud_colour import (
    PICTURE,
    Shading,
    flat_shading,
    point_table,
    reach_and_ground,
    robust_range,
)
from hfviewer.panels.cloud_cpu import cpu_picture
from hfviewer.panels.cloud_gather import Gathering, ShownCloud, gather, values_of
from hfviewer.panels.cloud_look import CloudLook
from hfviewer.panels.cloud_motion import Motion, PathStore
from hfviewer.panels.cloud_picture import picture_colours
from hfviewer.panels.cloud_splat import Projection
from hfviewer.panels.depth_colour import ColourMap
from hfviewer.panels.tokens import Tokens
from hfviewer.playback.source import FrameSource


@dataclass(frozen=True, slots=True)
class Colouring:
    """How points get their colours; two that are equal give a cloud the same ones.

    Args:
        colour_by: ``height``, ``range``, a field's name, ``flat``, or `PICTURE` and a camera's name.
        limits: range of the colours; None: found anew for every scan.
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

    @property
    def camera(self) -> str:
        """Stream whose pictures colour the points; empty for none."""
        return self.colour_by.removeprefix(PICTURE) if self.colour_by.startswith(PICTURE) else ""

    def fitted(self, values: NDArray[np.float32] | None) -> Colouring:
        """The same with limits, those of the values where it had none."""
        if self.limits is not None or values is None or not len(values):
            return self
        return replace(self, limits=robust_range(values))

    def shading(self, values: NDArray[np.float32] | None, own: NDArray[np.uint32] | None = None) -> Shading:
        """Colours of points with these values, or with colours of their own; neither: all alike."""
        off = self.tokens.off.rgba()
        if own is not None:
            return Shading(None, (0.0, 1.0), self.table, off, own)
        if values is None:
            return flat_shading(self.tokens.t2.rgba())
        return Shading(values, self.limits or (0.0, 1.0), self.table, off)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Recipe:
    """All that a cloud's picture depends on besides the scan under the playhead.

    Args:
        gathering: which points.
        colouring: in which colours.
        look: from where; None: no picture is wanted, a GPU makes it.
        source: of other frames; None: there are none.
        motion: how the sensor moved, where that is known.
        camera: that colours the points, and float64 4×4 camera_from_sensor; None: none does.
        path: the sensor's way through the world, where it is to be drawn.
        as_points: makes a scan of a stored frame; None: they are scans.
        last: what was prepared before: of the same scan, only what is another now is done again.
    """

    gathering: Gathering
    colouring: Colouring
    look: CloudLook | None
    source: FrameSource | None = None
    motion: Motion | None = None
    camera: tuple[CameraModel, NDArray[np.float64]] | None = None
    path: PathStore | None = None
    as_points: Callable[[Frame], Frame] | None = None
    last: PreparedCloud | None = None

    def same_points(self, other: Recipe) -> bool:
        """True where another recipe takes the same points with a scan."""
        return self.gathering == other.gathering and self.motion is other.motion

    def same_colours(self, other: Recipe) -> bool:
        """True where another recipe colours the same points by the same."""
        mine, theirs = self.colouring, other.colouring
        return self.same_points(other) and mine.colour_by == theirs.colour_by and mine.tokens is theirs.tokens


@dataclass(frozen=True, slots=True, eq=False)
class PreparedCloud:
    """A cloud ready to be shown.

    Args:
        frame: that it is of.
        recipe: that it was made by.
        shown: its points.
        values: float32[N] that they are coloured by; None: all alike, or each in a colour of its own.
        own: uint32[N], these colours.
        colouring: that of the recipe, with the limits that were found.
        size: reach and ground, see `reach_and_ground`.
        path: float64 m×3, the sensor's way as seen from where it is; empty where it is not known.
        ready: its picture, and what it looks like.
    """

    frame: PointFrame
    recipe: Recipe
    shown: ShownCloud
    values: NDArray[np.float32] | None
    own: NDArray[np.uint32] | None
    colouring: Colouring
    size: tuple[float, float]
    path: NDArray[np.float64]
    ready: tuple[CloudLook, QImage, Projection] | None


def prepare_cloud(frame: Frame, recipe: Recipe) -> PreparedCloud | None:
    """Do ahead, on any thread but that of the GUI, what showing a scan takes."""
    if not isinstance(frame, PointFrame) or frame.xyz.ndim != 2 or frame.xyz.shape[1] != 3:
        return None
    last, asked, values, own = recipe.last, recipe.colouring, None, None
    if last is not None and (last.frame.stream, last.frame.index) != (frame.stream, frame.index):
        last = None
    if last is not None and recipe.same_points(last.recipe):
        shown = last.shown
    else:
        shown = gather(
            frame, recipe.gathering, recipe.source, motion=recipe.motion, as_points=recipe.as_points
        )
    if last is not None and recipe.same_colours(last.recipe):
        values, own = last.values, last.own
    elif not asked.camera:
        values = values_of(shown, asked.colour_by)
    elif recipe.source is not None and recipe.camera is not None:
        own = picture_colours(shown, recipe.source, asked.camera, *recipe.camera, asked.tokens.off.rgba())
    colouring = asked.fitted(values)
    path = np.empty((0, 3)) if recipe.path is None else recipe.path.seen_at(frame.timestamp_ns)
    ready = None
    if recipe.look is not None:
        colours = colouring.shading(values, own).colours(len(shown.xyz))
        ready = (recipe.look, *cpu_picture(recipe.look, shown.xyz, colours))
    size = reach_and_ground(shown.xyz) if recipe.look is None else (recipe.look.reach_m, recipe.look.ground_m)
    kept = replace(recipe, last=None)  # or nothing that was ever prepared would go
    return PreparedCloud(frame, kept, shown, values, own, colouring, size, path, ready)
