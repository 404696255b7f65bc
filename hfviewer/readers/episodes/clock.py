"""One clock for an episode: wall time where that is the time of capture, else device time anchored to it.

Everything here is arithmetic on arrays of int64 ns; 0 is "unknown" in every device column (pooled.md, 5).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

_WRAP = 1 << 32
_HALF = 1 << 31
_STEP_NS = 100_000_000
"""Two clocks that part by so much from one row to the next were set, or one stood still."""
_BLOCK_NS = 10_000_000_000
_DRIFT_NS = 2_000_000
_CAPTURE_VERSION = (1, 3, 17)
_FARTHEST_NS = 1 << 61
"""73 years, so that time since 1970 fits too: device stamps beyond are nonsense, and sums of others fit."""
_FARTHEST_S = 4e9
_SPREAD_S = 5e-6  # float32 keeps the relative time to a few µs in the first minute, less later


def wall_to_ns(seconds: NDArray[np.float64]) -> NDArray[np.int64]:
    """Unix seconds as ns; whole seconds apart, so that no more is lost than the file lost. Nonsense is 0."""
    sane = np.isfinite(seconds) & (np.abs(seconds) < _FARTHEST_S)
    safe = np.where(sane, seconds, 0.0)
    whole = np.floor(safe)
    stamps: NDArray[np.int64] = whole.astype(np.int64) * 1_000_000_000
    stamps += np.rint((safe - whole) * 1e9).astype(np.int64)
    return stamps


def unwrap_32(stamps_ns: NDArray[np.int64]) -> tuple[NDArray[np.int64], bool]:
    """Device stamps whole again where an early recorder cut them to signed 32 bit.

    The recorder's own test: all within ±2³¹, and any negative or more than 2³¹ apart. Otherwise nothing is
    undone: a true hole of 4.68 s would shrink to 0.385 s. Zeros are unknown and stay.

    Returns:
        The stamps, and whether they had been cut.
    """
    known = stamps_ns != 0
    values = stamps_ns[known]
    if not len(values) or int(np.abs(values).max()) > _HALF:
        return stamps_ns, False
    low, high = int(values.min()), int(values.max())
    if low >= 0 and high - low <= _HALF:
        return stamps_ns, False
    steps = (np.diff(values) + _HALF) % _WRAP - _HALF
    whole = stamps_ns.copy()
    whole[known] = values[0] + np.concatenate([np.zeros(1, np.int64), np.cumsum(steps)])
    return whole, True


def sane(stamps_ns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Device stamps with those beyond any clock as unknown (0)."""
    return np.where((stamps_ns > -_FARTHEST_NS) & (stamps_ns < _FARTHEST_NS), stamps_ns, 0)


def is_capture_time(
    wall_ns: NDArray[np.int64],
    timestamp_s: NDArray[np.float64],
    app_version: tuple[int, ...],
    *,
    has_raw: bool,
) -> bool:
    """Whether wall time is when a frame was taken, not when its row was written (contract 7.3, v1.3.17).

    Args:
        wall_ns: of one slot's rows.
        timestamp_s: relative time of the same rows, from float32.
        app_version: as ``info.json`` says; that is the newest episode's, so it alone proves nothing.
        has_raw: the table has the column of raw stamps, which came with v1.3.11.
    """
    if not has_raw or (app_version and app_version < _CAPTURE_VERSION) or not len(wall_ns):
        return False
    relative_ns = wall_to_ns(timestamp_s)
    offsets = wall_ns - relative_ns
    spread_s = (int(offsets.max()) - int(offsets.min())) / 1e9
    resolution_s = float(np.spacing(np.float32(np.abs(timestamp_s).max())))
    return spread_s <= max(_SPREAD_S, 2 * resolution_s) and bool((np.diff(wall_ns) > 0).all())


@dataclass(frozen=True, eq=False)
class ClockMap:
    """Device time to the recording clock: an offset that changes only where the device's clock was set.

    Args:
        starts_ns: int64[k], ascending, device time: from here on the k-th offset counts.
        offsets_ns: int64[k], to be added.
        knots: within the k-th part, (device times, offsets) to interpolate between where the clocks drift
            apart; None: the offset is constant, so that differences stay exact.
    """

    starts_ns: NDArray[np.int64]
    offsets_ns: NDArray[np.int64]
    knots: tuple[tuple[NDArray[np.int64], NDArray[np.int64]] | None, ...] = field(default=())

    @classmethod
    def constant(cls, offset_ns: int) -> ClockMap:
        """The same offset for ever."""
        return cls(np.zeros(1, np.int64), np.array([offset_ns], np.int64), (None,))

    def apply(self, stamps_ns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Device stamps on the recording clock; such as no clock gives are held at the farthest."""
        stamps_ns = np.clip(stamps_ns, -_FARTHEST_NS, _FARTHEST_NS)
        part = np.clip(self.starts_ns.searchsorted(stamps_ns, side="right") - 1, 0, None)
        mapped: NDArray[np.int64] = stamps_ns + self.offsets_ns[part]
        for number, knots in enumerate(self.knots):
            if knots is not None:
                inside = part == number
                at, offsets = knots
                since = (stamps_ns[inside] - at[0]).astype(np.float64)
                drift = np.interp(since, (at - at[0]).astype(float), (offsets - offsets[0]).astype(float))
                mapped[inside] = stamps_ns[inside] + offsets[0] + np.rint(drift).astype(np.int64)
        return mapped

    def words(self) -> str:
        """For a person."""
        shown = f"{int(self.offsets_ns[0])} ns added"
        if len(self.offsets_ns) > 1:
            steps = ", ".join(f"{(int(b) - int(a)) / 1e6:+.3f} ms" for a, b in _pairs(self.offsets_ns))
            shown += f"; the device's clock was set on the way, so the offset changes by {steps}"
        if any(knots is not None for knots in self.knots):
            shown += "; the drift between the clocks is followed"
        return shown


def fit(
    device_ns: NDArray[np.int64],
    reference_ns: NDArray[np.int64],
    breaks: NDArray[np.intp],
    *,
    late: bool,
) -> ClockMap | None:
    """A map from pairs of stamps of the same rows.

    Args:
        device_ns: int64[n], known stamps.
        reference_ns: int64[n], the same instants on the recording clock.
        breaks: rows (of these n) at which the device's clock was set.
        late: True where `reference_ns` was taken some time after the device's stamp, never before: then the
            smallest difference counts (the 2 % below it are taken for accidents), else the median.

    Returns:
        None where there are no pairs, or where times of different parts overlap.
    """
    if not len(device_ns):
        return None
    device_ns = np.clip(device_ns, -_FARTHEST_NS, _FARTHEST_NS)
    starts: list[int] = []
    offsets: list[int] = []
    knots: list[tuple[NDArray[np.int64], NDArray[np.int64]] | None] = []
    edges = [0, *breaks.tolist(), len(device_ns)]
    for first, stop in _pairs(np.array(edges)):
        stamps = device_ns[first:stop]
        differences = reference_ns[first:stop] - stamps
        ordered = np.sort(differences)
        typical = int(ordered[len(ordered) // 50] if late else ordered[len(ordered) // 2])
        before = int(device_ns[first - 1]) if first else None
        start = int(stamps.min())
        if before is not None and start <= int(device_ns[:first].max()):
            return None
        starts.append(start if before is None else before + (start - before) // 2)
        offsets.append(typical)
        knots.append(None if late else _knots(stamps, differences))
    return ClockMap(np.array(starts, np.int64), np.array(offsets, np.int64), tuple(knots))


def find_breaks(
    device_ns: NDArray[np.int64],
    wall_ns: NDArray[np.int64],
    *,
    wall_is_true: bool,
    samples_ns: NDArray[np.int64] | None,
) -> NDArray[np.intp]:
    """Rows at which a device's clock was set: it went back, or it leapt and the wall clock did not.

    Where wall time is only when rows were written, a leap may as well be frames lost behind a queue. Then it
    counts as a leap of the clock only if another sensor on the same clock has nothing in the hole either.

    Args:
        device_ns: int64[n], known stamps in the order of rows.
        wall_ns: int64[n], of the same rows.
        wall_is_true: wall time is the time of capture.
        samples_ns: stamps of that other sensor (IMU); None: there is none.
    """
    if len(device_ns) < 2:
        return np.empty(0, np.intp)
    steps, wall_steps = np.diff(np.clip(device_ns, -_FARTHEST_NS, _FARTHEST_NS)), np.diff(wall_ns)
    back = steps < 0
    leapt = np.abs(steps - wall_steps) > _STEP_NS
    if wall_is_true:
        return np.flatnonzero(back | leapt) + 1
    usual = int(np.median(wall_steps))
    leapt &= (steps > wall_steps) & (wall_steps < 5 * max(usual, 1) // 2)
    if samples_ns is None or not len(samples_ns):
        leapt[:] = False
    else:
        for row in np.flatnonzero(leapt):
            hole = int(steps[row])
            low, high = int(device_ns[row]) + hole // 4, int(device_ns[row + 1]) - hole // 4
            leapt[row] = not ((samples_ns > low) & (samples_ns < high)).any()
    return np.flatnonzero(back | leapt) + 1


def _knots(
    stamps: NDArray[np.int64], differences: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Medians of ten seconds each, where the clocks part by more than `_DRIFT_NS` in all."""
    blocks = (stamps - stamps[0]) // _BLOCK_NS
    edges = np.flatnonzero(np.diff(blocks)) + 1
    if not len(edges):
        return None
    at = np.array([int(np.median(part)) for part in np.split(stamps, edges)], np.int64)
    offsets = np.array([int(np.sort(p)[len(p) // 2]) for p in np.split(differences, edges)], np.int64)
    if int(offsets.max() - offsets.min()) <= _DRIFT_NS or (np.diff(at) <= 0).any():
        return None
    return at, offsets


def _pairs(values: NDArray[np.integer]) -> list[tuple[int, int]]:
    return list(zip(values[:-1].tolist(), values[1:].tolist(), strict=True))
