"""What a stream is, before any of its data is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.window import TimeWindow

ROLES: Mapping[str, str] = MappingProxyType(
    {
        "touch_map": "signal, 256 channels: a 16×16 glove, row by row, in the right hand's layout",
        "glove_quaternions": "signal, 64 channels: 16 quaternions x, y, z, w of a glove; all zero: none",
        "glove_valid": "signal, 16 channels: which of a glove's quaternions count, 0 or 1",
        "hand_pose": "signal, 63 channels: 21 points x, y, z in metres, wrist first; all zero: none",
        "force_matrix": "matrix 250×250, planes fx, fy, fz in mN",
        "force": "signal: fx, fy, fz in mN",
        "gripper_state": "signal: opening in percent, gripped 0 or 1, force in mN",
        "trajectory": "pose; `frame` names its axes, ``extra['frame_axes']`` says where they point",
        "status": "text: a device's state, one frame whenever it changes",
        "action": "signal: the recorder's action column",
        "hand_keypoints": "signal, 92 channels, pixels: of each of 2 hands 21 points x, y and a box",
        "hand_keypoints_3d": "signal, 126 channels: of each of 2 hands 21 points in metres; NaN: none",
        "auto_labels": "text: what a program made of the hands, one JSON object a frame",
    }
)
"""Roles that readers give and panels know (`StreamDescription.role`), each with what it promises."""


class StreamKind(StrEnum):
    """What a stream's frames are of."""

    IMAGE = "image"
    DEPTH = "depth"
    POINTS = "points"
    IMU = "imu"
    SIGNAL = "signal"
    POSE = "pose"
    MATRIX = "matrix"
    TEXT = "text"
    ANNOTATION = "annotation"
    UNKNOWN = "unknown"

    @property
    def is_dense(self) -> bool:
        """True where frames are rows of numbers that `Stream.samples` can hand out in bulk."""
        return self in (StreamKind.IMU, StreamKind.SIGNAL, StreamKind.POSE)


class Clock(StrEnum):
    """What a stream's timestamps were taken from."""

    HARDWARE = "hardware"  # the sensor's own clock at capture
    HOST = "host"  # the recording computer's clock on arrival
    NOMINAL = "nominal"  # no stamps existed; made from a stated rate


@dataclass(frozen=True, slots=True)
class Channel:
    """One column of a dense signal."""

    name: str
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamDescription:
    """What a stream is, before any of its data is read.

    Args:
        name: unique in its recording, e.g. ``camera/left``.
        kind: what its frames are of.
        encoding: how a payload is laid out (formats/hyperframe.md, table of kinds and encodings).
        compression: ``none``, ``lz4`` or ``zstd``: applied to a payload as a whole.
        clock: what the timestamps were taken from; None where it is not known.
        declared_rate_hz: what the recorder says; the measured rate is ``rate_hz``.
        frame: coordinate frame of the sensor, a name in the calibration's transforms.
        width: of raw pictures, in pixels.
        height: of raw pictures, in pixels.
        pixel_format: of raw pictures, e.g. ``mono8``, ``bayer_rggb8``.
        depth_unit_mm: millimetres per stored count; depth only.
        depth_invalid: stored codes that mean "no measurement"; depth only.
        fields: names of a point's values in stored order; points only.
        channels: columns of a dense signal; planes of a matrix.
        role: what its numbers stand for, where a kind alone does not say how to show them: one of `ROLES`,
            or empty.
        guessed: True where kind and encoding were sniffed, not declared.
        note: where the stream came from and what was done to it, for a person.
        extra: every other key of the metadata, kept on rewrite.
        frame_count: number of frames.
        span: first to last timestamp (half-open); None for an empty stream.
        rate_hz: measured; None where frames arrive irregularly or too few.
        period_ns: typical interval, robust against gaps; None with fewer than two stamps.
        stored_bytes: payload bytes as stored.
    """

    name: str
    kind: StreamKind
    encoding: str
    compression: str = "none"
    clock: Clock | None = None
    declared_rate_hz: float | None = None
    frame: str = ""
    width: int | None = None
    height: int | None = None
    pixel_format: str = ""
    depth_unit_mm: float | None = None
    depth_invalid: tuple[int, ...] = (0,)
    fields: tuple[str, ...] = ()
    channels: tuple[Channel, ...] = ()
    role: str = ""
    guessed: bool = False
    note: str = ""
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    frame_count: int = 0
    span: TimeWindow | None = None
    rate_hz: float | None = None
    period_ns: int | None = None
    stored_bytes: int = 0

    def __post_init__(self) -> None:
        # A script may write kind="image"; everything else may rely on the enumerations.
        object.__setattr__(self, "kind", StreamKind(self.kind))
        if self.clock is not None:
            object.__setattr__(self, "clock", Clock(self.clock))

    def measured(self, timestamps_ns: NDArray[np.int64]) -> StreamDescription:
        """The same with what its table of timestamps says: how many frames, when, and at which rate.

        Args:
            timestamps_ns: int64[n], non-decreasing, recording clock.
        """
        count = len(timestamps_ns)
        return replace(
            self,
            frame_count=count,
            span=TimeWindow(int(timestamps_ns[0]), int(timestamps_ns[-1]) + 1) if count else None,
            rate_hz=timing.rate_hz(timestamps_ns),
            period_ns=timing.period_ns(timestamps_ns),
        )
