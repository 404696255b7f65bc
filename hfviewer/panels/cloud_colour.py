"""What the colour of a point stands for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.frame import PointFrame
from hfviewer.panels.depth_colour import ColourMap, colour_table

HEIGHT, RANGE, FLAT = "height", "range", "flat"
PICTURE = "picture of "  # and the name of a camera's stream
FARTHEST_M = 1e6  # what claims to lie beyond is a number gone wrong, and would make the scale of the rest
LEAST_CONTRAST = 3.0  # of a point's colour against the ground it is drawn on
_RANGE_SHARES = (1.0, 99.0)
_RANGE_SAMPLES = 200_000
_CHUNK_POINTS = 1 << 18


@dataclass(frozen=True, eq=False)
class FiniteCloud:
    """The points of a frame that have a place.

    Args:
        xyz: float32 N×3, metres, all finite and none beyond `FARTHEST_M`.
        kept: intp[N], which points of the frame these are.
        not_finite: how many were dropped for a coordinate that is NaN or infinite.
        too_far: how many others were dropped for one beyond `FARTHEST_M`.
        usable: how many have a place; more than N where the cloud was thinned.
    """

    xyz: NDArray[np.float32]
    kept: NDArray[np.intp]
    not_finite: int
    too_far: int
    usable: int

    @property
    def is_whole(self) -> bool:
        """True where no point of the frame was dropped or left out."""
        return len(self.xyz) == self.usable and self.not_finite == self.too_far == 0


def finite_cloud(frame: PointFrame, most: int | None = None) -> FiniteCloud:
    """Drop and count the points whose place is not finite or absurdly far away.

    Args:
        frame: N×3 points.
        most: of so many points at most, spread evenly over the frame; None: of all of them.
    """
    xyz = frame.xyz
    near, not_finite = _near(xyz)
    usable = len(xyz) if near is None else int(np.count_nonzero(near))
    too_far = len(xyz) - usable - not_finite
    if most is not None and usable > most:
        # So many, as if no point had been dropped: then about as many as wanted have a place.
        kept = thinned(len(xyz), round(most * len(xyz) / usable))
        kept = kept if near is None else kept[near[kept]]
    elif near is None:
        return FiniteCloud(np.ascontiguousarray(xyz, np.float32), np.arange(len(xyz)), 0, 0, usable)
    else:
        kept = np.flatnonzero(near)
    return FiniteCloud(np.take(xyz, kept, axis=0).astype(np.float32), kept, not_finite, too_far, usable)


def thinned(count: int, most: int) -> NDArray[np.intp]:
    """Indices of ``most`` (≥ 1) of ``count`` points: one at random out of each of so many equal stretches.

    Every n-th would make stripes of a lidar's rings. The same numbers always give the same points.
    """
    edges = np.arange(most + 1, dtype=np.int64) * count // most
    share = np.random.default_rng(count).random(most, np.float32)
    chosen = edges[:-1] + (share * np.diff(edges)).astype(np.int64)
    return np.minimum(chosen, edges[1:] - 1).astype(np.intp)


def _near(xyz: NDArray[np.float32]) -> tuple[NDArray[np.bool_] | None, int]:
    """Which points have a place, None for all of them; and how many are not finite."""
    near: NDArray[np.bool_] | None = None
    not_finite = 0
    with np.errstate(invalid="ignore"):
        for start in range(0, len(xyz), _CHUNK_POINTS):
            part = xyz[start : start + _CHUNK_POINTS]
            inside = np.abs(part) <= FARTHEST_M  # False for NaN
            if inside.all():
                continue
            if near is None:
                near = np.ones(len(xyz), np.bool_)
            near[start : start + len(part)] = inside[:, 0] & inside[:, 1] & inside[:, 2]
            not_finite += len(part) - int(np.count_nonzero(np.isfinite(part).all(axis=1)))
    return near, not_finite


def colour_choices(frame: PointFrame) -> list[str]:
    """What a frame's points can be coloured by: height, range, its own fields, or nothing."""
    taken = ("x", "y", "z", HEIGHT, RANGE, FLAT)
    fields = [name for name in frame.fields if name not in taken and not name.startswith(PICTURE)]
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
    return values if cloud.is_whole else values[cloud.kept]


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


@lru_cache(maxsize=8)
def point_table(colour_map: ColourMap, ground: int) -> NDArray[np.uint32]:
    """A colour map for points: as much of it as can be seen on a ground, spread over all 256 entries.

    The longest run of its colours that reach `LEAST_CONTRAST`; turbo loses its near black ends.

    Args:
        colour_map: to choose from.
        ground: ``0xAARRGGBB`` that the points are drawn on.

    Returns:
        uint32[256], opaque ``0xFFRRGGBB``, low values first; read-only.
    """
    table = colour_table(colour_map)
    seen = np.concatenate([[False], contrast(table, ground) >= LEAST_CONTRAST, [False]])
    starts, stops = (np.flatnonzero(np.diff(seen.astype(np.int8)) == step) for step in (1, -1))
    if len(starts) == 0:
        return table
    longest = int(np.argmax(stops - starts))
    steps = np.rint(np.linspace(starts[longest], stops[longest] - 1, 256)).astype(np.intp)
    chosen = table[steps]
    chosen.flags.writeable = False
    return chosen


def contrast(colours: NDArray[np.uint32], ground: int) -> NDArray[np.float64]:
    """How well colours stand out from a ground, 1 to 21 (WCAG 2.1, "contrast ratio").

    Args:
        colours: uint32[n], ``0xAARRGGBB``.
        ground: the same for the ground.
    """
    each, below = _luminance(colours), _luminance(np.array([ground], np.uint32))
    return (np.maximum(each, below) + 0.05) / (np.minimum(each, below) + 0.05)


def _luminance(colours: NDArray[np.uint32]) -> NDArray[np.float64]:
    parts = np.stack([(colours >> shift) & 0xFF for shift in (16, 8, 0)]) / 255.0
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return np.asarray(np.tensordot([0.2126, 0.7152, 0.0722], linear, 1), np.float64)


@dataclass(frozen=True, eq=False)
class Shading:
    """How the points of a cloud are coloured.

    Args:
        values: float32[N], one for each point; None gives all of them the first colour of the table.
        limits: values shown in the first and in the last colour.
        table: uint32[256], ``0xAARRGGBB``.
        missing: ``0xAARRGGBB`` for values that are not numbers.
        own: uint32[N], ``0xAARRGGBB``: a colour of its own for each point, and nothing else counts; or None.
    """

    values: NDArray[np.float32] | None
    limits: tuple[float, float]
    table: NDArray[np.uint32]
    missing: int
    own: NDArray[np.uint32] | None = None

    def colours(self, count: int) -> NDArray[np.uint32]:
        """uint32[count], ``0xAARRGGBB``, of so many points."""
        if self.own is not None:
            return self.own
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
