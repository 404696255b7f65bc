"""Which points a cloud shows: those of one scan or of the last few, no more than can be drawn in time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import HfviewerError
from hfviewer.core.frame import Frame, PointFrame
from hfviewer.core.geometry import invert_rigid
from hfviewer.panels.cloud_colour import HEIGHT, RANGE, FiniteCloud, finite_cloud, scalar_of
from hfviewer.panels.cloud_motion import Motion
from hfviewer.panels.cloud_splat import MATMUL_POINTS
from hfviewer.playback.source import FrameSource

MOST_POINTS = 2_000_000  # that are shown unless more are asked for
MOST_ASKED = 20_000_000  # to draw them takes 32 bytes each for a moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathering:
    """What to take.

    Args:
        scans: the last so many, the one under the playhead among them; ≥ 1.
        pose: stream that says how the sensor moved between them; empty: they are laid over one another.
        most: points at most; ≥ 1.
    """

    scans: int = 1
    pose: str = ""
    most: int = MOST_POINTS


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What is shown of one scan.

    Args:
        frame: the scan.
        cloud: its points, in its own sensor frame.
        moved: float32 N×3: the same in the frame of the newest scan.
        start: where they begin among all points shown.
    """

    frame: PointFrame
    cloud: FiniteCloud
    moved: NDArray[np.float32]
    start: int


@dataclass(frozen=True, slots=True, eq=False)
class ShownCloud:
    """The points that are shown.

    Args:
        xyz: float32 N×3, metres, finite, in the sensor frame of the newest scan.
        parts: the scans they are of, the newest first.
        missing: how many scans that were asked for could not be had.
        unmoved: True where several scans lie over one another as if the sensor had stood still.
        assumed: True where they were moved by poses that are only assumed to be the sensor's own.
    """

    xyz: NDArray[np.float32]
    parts: tuple[Part, ...]
    missing: int = 0
    unmoved: bool = False
    assumed: bool = False

    @property
    def usable(self) -> int:
        """How many points of these scans have a place; more than are shown where they are too many."""
        return sum(part.cloud.usable for part in self.parts)

    @property
    def not_finite(self) -> int:
        return sum(part.cloud.not_finite for part in self.parts)

    @property
    def too_far(self) -> int:
        return sum(part.cloud.too_far for part in self.parts)

    def part_of(self, index: int) -> tuple[Part, int, int]:
        """Whose a point is: the part, the point's place in it, and its place in the frame as recorded."""
        part = next(part for part in reversed(self.parts) if part.start <= index)
        within = index - part.start
        return part, within, int(part.cloud.kept[within])


def values_of(shown: ShownCloud, name: str) -> NDArray[np.float32] | None:
    """float32[N] to colour by; None for ``flat`` or a field that no scan has. NaN where only some have it."""
    values = []
    for part in shown.parts:
        # Heights and distances of older scans are those from where the sensor is now.
        here = replace(part.cloud, xyz=part.moved) if name in (HEIGHT, RANGE) else part.cloud
        values.append(scalar_of(part.frame, here, name))
    if all(found is None for found in values):
        return None
    if len(values) == 1:
        return values[0]
    return np.concatenate(
        [
            np.full(len(part.moved), np.nan, np.float32) if found is None else found
            for part, found in zip(shown.parts, values, strict=True)
        ]
    )


def gather(
    frame: PointFrame,
    gathering: Gathering,
    source: FrameSource | None = None,
    *,
    motion: Motion | None = None,
    as_points: Callable[[Frame], Frame] | None = None,
) -> ShownCloud:
    """The points to show with a scan; reads the scans before it, so not on the GUI thread.

    Args:
        frame: under the playhead.
        gathering: what to take.
        source: of the scans before it; None: there are none.
        motion: of the sensor; None: it stood still.
        as_points: makes a scan of a stored frame; None: they are scans.
    """
    earlier: list[PointFrame] = []
    wanted = min(gathering.scans - 1, frame.index) if source is not None else 0
    for index in range(frame.index - 1, frame.index - 1 - wanted, -1):
        assert source is not None
        try:
            stored = source.frame(frame.stream, index)
            found = stored if as_points is None else as_points(stored)
        except HfviewerError:
            continue  # told as missing: the scan itself says why when the playhead is on it
        if isinstance(found, PointFrame) and found.xyz.ndim == 2 and found.xyz.shape[1] == 3:
            earlier.append(found)
    return gathered([frame, *earlier], most=gathering.most, motion=motion, missing=wanted - len(earlier))


def gathered(
    frames: Sequence[PointFrame], *, most: int, motion: Motion | None = None, missing: int = 0
) -> ShownCloud:
    """Points of several scans in the frame of the first.

    Args:
        frames: the newest first; ≥ 1.
        most: points at most.
        motion: of the sensor; None: it stood still.
        missing: scans that could not be had.
    """
    now = motion.sensor_at(frames[0].timestamp_ns) if motion is not None and len(frames) > 1 else None
    parts: list[Part] = []
    start, unmoved = 0, len(frames) > 1 and now is None
    for number, frame in enumerate(frames):
        moved_by = None
        if number and motion is not None and now is not None:
            then = motion.sensor_at(frame.timestamp_ns)
            if then is None:
                missing += 1
                continue
            moved_by = invert_rigid(now) @ then
        cloud = finite_cloud(frame, max(1, most // len(frames)))
        moved = cloud.xyz
        if moved_by is not None:
            moved = _moved(moved_by.astype(np.float32), cloud.xyz)
        parts.append(Part(frame, cloud, moved, start))
        start += len(moved)
    xyz = parts[0].moved if len(parts) == 1 else np.concatenate([part.moved for part in parts])
    assumed = now is not None and motion is not None and motion.is_assumed
    return ShownCloud(xyz, tuple(parts), missing, unmoved, assumed)


def _moved(matrix: NDArray[np.float32], xyz: NDArray[np.float32]) -> NDArray[np.float32]:
    """Points under a 4×4 transform, float32, in pieces that `MATMUL_POINTS` speaks of."""
    moved = np.empty_like(xyz)
    turn, place = np.ascontiguousarray(matrix[:3, :3].T), matrix[:3, 3]
    for start in range(0, len(xyz), MATMUL_POINTS):
        part = slice(start, start + MATMUL_POINTS)
        np.matmul(xyz[part], turn, out=moved[part])
        moved[part] += place
    return moved
