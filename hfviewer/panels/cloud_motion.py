"""How a sensor moved, from a stream of poses."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.errors import HfviewerError
from hfviewer.core.frame import PoseFrame
from hfviewer.core.geometry import (
    Calibration,
    invert_rigid,
    matrix_from_pose,
    quaternion_from_matrix,
    transform_points,
)
from hfviewer.core.stream import StreamKind
from hfviewer.playback.source import FrameSource

_MOST_POSES = 4_000_000  # of a path that is read whole
_PATH_POINTS = 2000
_BEYOND_PERIODS = 1.5  # past the ends and in gaps, a pose counts for so long


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Poses of a body, and how a sensor is mounted on it.

    Args:
        source: to read poses from.
        stream: name of the poses.
        body_from_sensor: float64 4×4; the identity where the poses are the sensor's own, or nothing is known.
        is_assumed: True where nothing says how the sensor is mounted: then the poses are taken as its own.
    """

    source: FrameSource
    stream: str
    body_from_sensor: NDArray[np.float64]
    is_assumed: bool = False

    @classmethod
    def of(cls, source: FrameSource, stream: str, calibration: Calibration, mounting: str) -> Motion | None:
        """The motion that a stream tells of; None where it holds no poses.

        Args:
            source: of the recording.
            stream: name of the poses.
            calibration: to find how the sensor stands to what the poses are of.
            mounting: coordinate frame of the sensor.
        """
        found = source.streams.get(stream)
        if found is None or found.description.kind is not StreamKind.POSE:
            return None
        body, between = found.description.frame, None
        if body and mounting:
            between = calibration.between(target=body, source=mounting)
        return cls(source, stream, np.eye(4) if between is None else between, between is None)

    def sensor_at(self, time_ns: int) -> NDArray[np.float64] | None:
        """float64 4×4 world_from_sensor, between two poses in proportion; None where no pose is near."""
        stamps = self.source.streams[self.stream].timestamps_ns
        before = timing.index_at(stamps, time_ns)
        after = timing.index_after(stamps, time_ns)
        period_ns = timing.period_ns(stamps) or 0
        if before is None or after is None:
            end = before if after is None else after
            if end is None or abs(int(stamps[end]) - time_ns) > _BEYOND_PERIODS * period_ns:
                return None
            matrix = self._pose(end)
        else:
            start_ns, stop_ns = int(stamps[before]), int(stamps[after])
            a, b = self._pose(before), self._pose(after)
            share = (time_ns - start_ns) / max(1, stop_ns - start_ns)
            matrix = None if a is None or b is None else between_poses(a, b, share)
        return None if matrix is None else matrix @ self.body_from_sensor

    def path(self) -> NDArray[np.float64]:
        """float64 m×3: where the sensor was in the world, over the whole stream; empty where unreadable."""
        stream = self.source.streams[self.stream]
        if not 0 < len(stream) <= _MOST_POSES:
            return np.empty((0, 3))
        try:
            _, rows = stream.samples(-(2**63), 2**63 - 1)
        except HfviewerError:
            return np.empty((0, 3))
        rows = rows[:: max(1, len(rows) // _PATH_POINTS)]
        lever = self.body_from_sensor[:3, 3]
        places = rows[:, :3].copy()
        if lever.any():
            for i, row in enumerate(rows):
                places[i] = transform_points(matrix_from_pose(row[:3], row[3:7]), lever[None])[0]
        with np.errstate(invalid="ignore"):
            return np.asarray(places[(np.abs(places) < 1e9).all(axis=1)], np.float64)

    def _pose(self, index: int) -> NDArray[np.float64] | None:
        try:
            frame = self.source.frame(self.stream, index)
        except HfviewerError:
            return None
        if not isinstance(frame, PoseFrame) or not np.isfinite(frame.matrix).all():
            return None
        return frame.matrix


def between_poses(a: NDArray[np.float64], b: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """A pose between two, 0 … 1: places in proportion, rotations along the shortest arc (slerp)."""
    from_a, to_b = quaternion_from_matrix(a), quaternion_from_matrix(b)
    dot = float(from_a @ to_b)
    if dot < 0:
        to_b, dot = -to_b, -dot
    angle = float(np.arccos(min(dot, 1.0)))
    if angle < 1e-6:
        turned = from_a + share * (to_b - from_a)
    else:
        turned = (np.sin((1 - share) * angle) * from_a + np.sin(share * angle) * to_b) / np.sin(angle)
    return matrix_from_pose(a[:3, 3] + share * (b[:3, 3] - a[:3, 3]), turned)


class PathStore:
    """The way of a sensor through the world, read once and then seen from wherever it is. For any thread.

    Args:
        motion: of the sensor.
    """

    def __init__(self, motion: Motion) -> None:
        self._motion, self._lock = motion, threading.Lock()
        self._path: NDArray[np.float64] | None = None

    @property
    def stream(self) -> str:
        """Name of the poses."""
        return self._motion.stream

    def seen_at(self, time_ns: int) -> NDArray[np.float64]:
        """float64 m×3 in the sensor's frame at a time; empty where its pose is not known then."""
        with self._lock:
            if self._path is None:
                self._path = self._motion.path()
            path = self._path
        now = self._motion.sensor_at(time_ns)
        return np.empty((0, 3)) if now is None else transform_points(invert_rigid(now), path)
