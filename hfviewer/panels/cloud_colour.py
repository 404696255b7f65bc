"""What the colour of a point stands for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.frame import PointFrame

HEIGHT, RANGE, FLAT = "height", "range", "flat"
_RANGE_SHARES = (1.0, 99.0)
_RANGE_SAMPLES = 200_000


@dataclass(frozen=True, eq=False)
class FiniteCloud:
    """The points of a frame that have a place.

    Args:
        xyz: float32 N×3, metres, all finite.
        kept: intp[N], which points of the frame these are.
        dropped: how many had a coordinate that is not finite.
    """

    xyz: NDArray[np.float32]
    kept: NDArray[np.intp]
    dropped: int


def finite_cloud(frame: PointFrame) -> FiniteCloud:
    """Drop and count the points whose place is not finite."""
    finite = np.isfinite(frame.xyz)
    if finite.all():
        return FiniteCloud(np.ascontiguousarray(frame.xyz, np.float32), np.arange(len(frame.xyz)), 0)
    kept = np.flatnonzero(finite[:, 0] & finite[:, 1] & finite[:, 2])
    dropped = len(frame.xyz) - len(kept)
    return FiniteCloud(np.ascontiguousarray(frame.xyz[kept], np.float32), kept, dropped)


def colour_choices(frame: PointFrame) -> list[str]:
    """What a frame's points can be coloured by: height, range, its own fields, or nothing."""
    fields = [name for name in frame.fields if name not in ("x", "y", "z", HEIGHT, RANGE, FLAT)]
    return [HEIGHT, RANGE, *fields, FLAT]


def scalar_of(frame: PointFrame, cloud: FiniteCloud, name: str) -> NDArray[np.float32] | None:
    """float32[N] for the finite points; None for ``flat`` or a field the frame has not got."""
    if name == HEIGHT:
        return cloud.xyz[:, 2]
    if name == RANGE:
        with np.errstate(over="ignore"):
            return np.asarray(np.sqrt(np.einsum("ij,ij->i", cloud.xyz, cloud.xyz)), np.float32)
    values = frame.fields.get(name)
    if values is None or len(values) != len(frame.xyz):
        return None
    return values if cloud.dropped == 0 else values[cloud.kept]


def robust_range(values: NDArray[np.float32]) -> tuple[float, float]:
    """Percentiles 1 and 99 of the finite values, the second above the first; (0, 1) where there are none."""
    sample = values[:: max(1, len(values) // _RANGE_SAMPLES)]
    sample = sample[np.isfinite(sample)]
    if len(sample) == 0:
        return (0.0, 1.0)
    low, high = (float(v) for v in np.percentile(sample.astype(np.float64), _RANGE_SHARES))
    return (low, high if high > low else low + 1.0)


def shade(
    values: NDArray[np.float32], limits: tuple[float, float], table: NDArray[np.uint32], missing: int
) -> NDArray[np.uint32]:
    """Colours of values.

    Args:
        values: float32[N].
        limits: shown in the first and in the last colour.
        table: uint32[256].
        missing: ``0xAARRGGBB`` for values that are not numbers.
    """
    low, high = limits
    with np.errstate(invalid="ignore", over="ignore"):
        share = (values - np.float32(low)) * np.float32(255 / max(high - low, 1e-9))
    unknown = np.isnan(share)
    steps = np.clip(np.where(unknown, 0, share), 0, 255).astype(np.uint8)
    colours = np.take(table, steps)
    if unknown.any():
        colours[unknown] = np.uint32(missing)
    return colours


@dataclass(frozen=True, eq=False)
class Shading:
    """How the points of a cloud are coloured.

    Args:
        values: float32[N], one for each point; None gives all of them the first colour of the table.
        limits: values shown in the first and in the last colour.
        table: uint32[256], ``0xAARRGGBB``.
        missing: ``0xAARRGGBB`` for values that are not numbers.
    """

    values: NDArray[np.float32] | None
    limits: tuple[float, float]
    table: NDArray[np.uint32]
    missing: int

    def colours(self, count: int) -> NDArray[np.uint32]:
        """uint32[count], ``0xAARRGGBB``, of so many points."""
        if self.values is None:
            return np.full(count, self.table[0], np.uint32)
        return shade(self.values, self.limits, self.table, self.missing)


def flat_shading(colour: int) -> Shading:
    """All points in one colour, ``0xAARRGGBB``."""
    return Shading(None, (0.0, 1.0), np.full(256, colour, np.uint32), colour)


def reach_and_ground(xyz: NDArray[np.float32]) -> tuple[float, float]:
    """How far most points lie from the sensor in the plane, and the height of the ground; metres.

    Ground is the lower twentieth of the heights; (20, 0) for an empty cloud.
    """
    sample = xyz[:: max(1, len(xyz) // _RANGE_SAMPLES)].astype(np.float64)
    if len(sample) == 0:
        return (20.0, 0.0)
    reach = float(np.percentile(np.hypot(sample[:, 0], sample[:, 1]), 90))
    ground = float(np.percentile(sample[:, 2], 5))
    return (min(max(reach, 0.1), 1e4), min(max(ground, -1e4), 1e4))
