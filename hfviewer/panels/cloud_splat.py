"""Points to pixels on the CPU: faster than software GL, and the same on every machine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.panels.cloud_camera import NEAR_M

# A scatter holds Python's lock; in pieces of a fraction of a millisecond it never holds up the GUI thread.
_SCATTER_POINTS = 8192
# OpenBLAS shares larger products out among threads of its own, which wait for each other on busy machines.
MATMUL_POINTS = 16384


@dataclass(frozen=True, eq=False)
class Projection:
    """Where the points of a cloud fall in a picture.

    Args:
        columns: int32[m], of the points that show, far ones first.
        rows: int32[m].
        indices: intp[m], which points these are.
    """

    columns: NDArray[np.int32]
    rows: NDArray[np.int32]
    indices: NDArray[np.intp]

    def nearest_at(self, column: int, row: int, reach_px: int, *, size_px: int = 1) -> int | None:
        """Index of the point that is seen at a pixel, or of the one nearest to it in the picture.

        Args:
            column: of the pixel.
            row: of the pixel.
            reach_px: no point farther off than this, across or down.
            size_px: edge of the squares; of several that cover the pixel, the foremost is seen.

        Returns:
            None where no point is that near.
        """
        left, top = column - (size_px - 1) - reach_px, row - (size_px - 1) - reach_px
        near = np.flatnonzero(
            (self.columns >= left)
            & (self.columns <= column + reach_px)
            & (self.rows >= top)
            & (self.rows <= row + reach_px)
        )
        if len(near) == 0:
            return None
        off = [
            np.maximum(np.maximum(first - at, at - (first + size_px - 1)), 0)
            for first, at in ((self.columns[near], column), (self.rows[near], row))
        ]
        distance = np.maximum(*off)
        foremost_last = np.flatnonzero(distance == distance.min())
        return int(self.indices[near[foremost_last[-1]]])


@dataclass(frozen=True, eq=False)
class Splat(Projection):
    """A drawn cloud.

    Args:
        pixels: uint32 H×W, ``0xAARRGGBB``; the ground, or 0, where no point fell.
    """

    pixels: NDArray[np.uint32]


def project(
    xyz: NDArray[np.float32],
    pixels_from_sensor: NDArray[np.float64],
    width: int,
    height: int,
    *,
    size_px: int = 2,
) -> Projection:
    """The points whose squares lie wholly inside the picture, sorted by depth.

    Args:
        xyz: float32 N×3, metres; points that are not finite do not show.
        pixels_from_sensor: float64 4×4, see `OrbitCamera.pixels_from_sensor`.
        width: ≥ 1.
        height: ≥ 1.
        size_px: edge of a square, ≥ 1.
    """
    matrix = pixels_from_sensor.astype(np.float32)
    with np.errstate(all="ignore"):
        # Each coordinate in one piece: a third of the time of N rows of four.
        projected = np.empty((4, len(xyz)), np.float32)
        for start in range(0, len(xyz), MATMUL_POINTS):
            part = slice(start, start + MATMUL_POINTS)
            projected[:, part] = matrix[:, :3] @ xyz[part].T
        x, y, depth, w = projected
        for coordinate, offset in zip((x, y, depth, w), matrix[:, 3], strict=True):
            coordinate += offset
        x /= w
        y /= w
        shows = (depth > NEAR_M) & (depth < np.float32(1e30))
        for coordinate, limit in ((x, width + 1 - size_px), (y, height + 1 - size_px)):
            shows &= coordinate >= 0
            shows &= coordinate < limit
    # np.take lets other threads run meanwhile; depth[indices] would not, and the GUI thread is one of them.
    indices = np.flatnonzero(shows)
    key = np.take(depth, indices)
    if len(indices):
        nearest, farthest = float(key.min()), float(key.max())
        key = ((key - nearest) * (65535 / (farthest - nearest + 1e-9))).astype(np.uint16)
        order = np.argsort(key, kind="stable")[::-1]  # radix sort
        indices = np.take(indices, order)
    columns, rows = np.take(x, indices), np.take(y, indices)
    return Projection(columns.astype(np.int32), rows.astype(np.int32), indices)


def splat(
    xyz: NDArray[np.float32],
    colours: NDArray[np.uint32],
    pixels_from_sensor: NDArray[np.float64],
    width: int,
    height: int,
    *,
    size_px: int = 2,
    ground: NDArray[np.uint32] | None = None,
) -> Splat:
    """Draw every point as a small square, near ones over far ones.

    Whole squares go down, sorted by depth: a pass for each corner would let far points bleed through.

    Args:
        xyz: float32 N×3, metres; points that are not finite do not show.
        colours: uint32[N], ``0xAARRGGBB``.
        pixels_from_sensor: float64 4×4, see `OrbitCamera.pixels_from_sensor`.
        width: ≥ 1.
        height: ≥ 1.
        size_px: edge of a square, ≥ 1.
        ground: uint32 H×W to draw on, which stays as it is; None: nothing.
    """
    # Whole squares only: their corners then need no clipping of their own.
    shown = project(xyz, pixels_from_sensor, width, height, size_px=size_px)
    pixels = np.zeros(height * width, np.uint32) if ground is None else ground.flatten()
    # NumPy scatters by indices of this type; it would convert any other.
    step = np.arange(size_px, dtype=np.intp)
    corners = (step[:, None] * width + step).reshape(-1)
    first = shown.rows.astype(np.intp) * width + shown.columns
    ordered = np.take(colours, shown.indices)
    for start in range(0, len(first), _SCATTER_POINTS):
        part = slice(start, start + _SCATTER_POINTS)
        places = first[part, None] + corners
        pixels[places.reshape(-1)] = np.repeat(ordered[part], size_px * size_px)
    return Splat(shown.columns, shown.rows, shown.indices, pixels.reshape(height, width))
