"""When the demonstration's sensors take their frames, and which of those the recording has not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

START_NS = 1_709_274_730_000_000_000  # 2024-03-01 06:32:10 UTC
LEFT, RIGHT, DEPTH, LIDAR, IMU, GPS = "camera/left", "camera/right", "depth", "lidar", "imu", "gps"
LOST_PICTURES = 3
LOST_SAMPLES = 40
RATES_HZ = {LEFT: 30, RIGHT: 30, DEPTH: 30, LIDAR: 10, IMU: 200, GPS: 1}
# Each sensor runs on its own: what it lags behind the full tick, and how far its stamps scatter.
_PHASES_NS = {LEFT: 4_000_000, RIGHT: 4_210_000, DEPTH: 11_300_000, LIDAR: 0, IMU: 700_000, GPS: 61_000_000}
_JITTER_NS = {LEFT: 150_000, RIGHT: 150_000, DEPTH: 400_000, LIDAR: 80_000, IMU: 60_000, GPS: 3_000_000}


@dataclass(frozen=True, eq=False)
class Timetable:
    """Frames of one stream that the recording has.

    Args:
        timestamps_ns: int64[n], as recorded.
        sequence: int64[n], the sensor's own numbers, from 0.
        taken_ns: int64[n], when they really were taken; the stamp, but where a stamp is wrong.
    """

    timestamps_ns: NDArray[np.int64]
    sequence: NDArray[np.int64]
    taken_ns: NDArray[np.int64]


def timetables(seconds: float) -> tuple[dict[str, Timetable], list[dict[str, Any]]]:
    """Timetables of all streams, and the faults in them (see `make_demo`)."""
    tables = {name: _regular(name, seconds) for name in RATES_HZ}
    faults: list[dict[str, Any]] = []
    for name, share, lost in ((LEFT, 0.3, LOST_PICTURES), (IMU, 0.7, LOST_SAMPLES)):
        at = int(share * len(tables[name].sequence))
        tables[name] = _without(tables[name], at, lost)
        faults.append(_fault("missing_frames", name, tables[name], at, missing=lost))
    at = int(0.55 * len(tables[RIGHT].sequence))
    stamps_ns = tables[RIGHT].timestamps_ns.copy()
    stamps_ns[at] = stamps_ns[at - 1]
    tables[RIGHT] = replace(tables[RIGHT], timestamps_ns=stamps_ns)
    faults.append(_fault("duplicate_timestamp", RIGHT, tables[RIGHT], at, missing=0))
    return tables, faults


def _regular(name: str, seconds: float) -> Timetable:
    rate_hz = RATES_HZ[name]
    count = int(seconds * rate_hz)
    numbers = np.arange(count, dtype=np.int64)
    noise = np.random.default_rng(list(name.encode())).standard_normal(count)
    jitter_ns = np.rint(np.clip(noise, -3, 3) * _JITTER_NS[name]).astype(np.int64)
    jitter_ns[0] = abs(jitter_ns[0])
    stamps_ns = START_NS + _PHASES_NS[name] + numbers * 1_000_000_000 // rate_hz + jitter_ns
    return Timetable(stamps_ns, numbers, stamps_ns)


def _without(table: Timetable, at: int, count: int) -> Timetable:
    kept = np.ones(len(table.sequence), bool)
    kept[at : at + count] = False
    return Timetable(table.timestamps_ns[kept], table.sequence[kept], table.taken_ns[kept])


def _fault(code: str, stream: str, table: Timetable, at: int, *, missing: int) -> dict[str, Any]:
    """A fault between frame ``at - 1`` and frame ``at``."""
    return {
        "code": code,
        "stream": stream,
        "start_ns": int(table.timestamps_ns[at - 1]),
        "end_ns": int(table.timestamps_ns[at]),
        "first_frame": at - 1,
        "last_frame": at,
        "missing": missing,
    }
