"""The intervals of a stream: their spread, frames that came late, and the rate against the declared one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.finding import Finding
from hfviewer.core.finding_codes import severity_of
from hfviewer.core.stream import StreamDescription
from hfviewer.core.text import counted
from hfviewer.quality.gap import Gaps
from hfviewer.quality.profile import Limits
from hfviewer.quality.stream_timing import StreamTiming


@dataclass(frozen=True, slots=True)
class Quantiles:
    """Median, 95th and 99th percentile and the largest, in ns."""

    p50: int
    p95: int
    p99: int
    max: int

    @classmethod
    def of(cls, values_ns: NDArray[np.int64]) -> Quantiles | None:
        """Of non-negative values; None of none. A percentile is one of the values, the nearest rank."""
        count = len(values_ns)
        if count == 0:
            return None
        ranks = [min(count - 1, -(-count * share // 100) - 1) for share in (50, 95, 99)]
        ordered = np.partition(values_ns, [*ranks, count - 1])
        return cls(*(int(ordered[rank]) for rank in (*ranks, count - 1)))


def intervals_of(seen: StreamTiming) -> list[tuple[NDArray[np.intp] | None, NDArray[np.int64]]]:
    """Intervals between neighbouring frames, where no clock was set between them.

    Returns:
        One entry for each part of the stream: the indices of its frames (None: all), and int64[n - 1].
        Stamps too far from each other for int64 are at most 2⁶³ − 1 apart.
    """
    if seen.clock is None:
        return [(None, _differences(seen.timestamps_ns))]
    return [(part, _differences(seen.timestamps_ns[part])) for part in seen.clock.parts]


def measured_rate_hz(seen: StreamTiming) -> float | None:
    """Frames a second from the stream's own first to its own last frame, clock steps taken out."""
    parts = [seen.timestamps_ns] if seen.clock is None else [seen.timestamps_ns[p] for p in seen.clock.parts]
    length_ns = sum(int(part[-1]) - int(part[0]) for part in parts if len(part))
    steps = sum(max(0, len(part) - 1) for part in parts)
    return steps * 1e9 / length_ns if length_ns > 0 else None


def irregular_rate(
    description: StreamDescription,
    seen: StreamTiming,
    gaps: Gaps,
    intervals: list[tuple[NDArray[np.intp] | None, NDArray[np.int64]]],
    limits: Limits,
) -> list[Finding]:
    """``irregular_rate``: the typical interval is not the declared one; or frames came late, none is missing.

    Evidence: the median of the intervals against ``declared_rate_hz`` (warning beyond the profile's
    tolerance); intervals of more than 1.4 periods in which no frame is missing (info). A stream whose frames
    arrive irregularly by nature is not accused.
    """
    period_ns, name = seen.gaps.period_ns, description.name
    if period_ns is None:
        return []
    found = []
    declared_hz = description.declared_rate_hz
    if declared_hz and declared_hz > 0:
        off = 1e9 / period_ns / declared_hz - 1
        if abs(off) * 100 > limits.rate_tolerance_percent:
            found.append(
                Finding(
                    code="irregular_rate",
                    severity=severity_of("irregular_rate"),
                    stream=name,
                    message=f"{1e9 / period_ns:.3f} Hz instead of the declared {declared_hz:g} Hz.",
                    evidence=f"median interval {period_ns / 1e6:.3f} ms",
                )
            )
    late = _late_intervals(seen, gaps, intervals)
    if len(late):
        table_ns = seen.timestamps_ns
        longest = int(np.max(late[:, 2]))
        spell = counted(len(late), "interval")
        found.append(
            Finding(
                code="irregular_rate",
                severity=severity_of("irregular_rate", milder=True),
                stream=name,
                start_ns=int(table_ns[late[0, 0]]),
                end_ns=int(table_ns[late[-1, 1]]),
                first_frame=int(late[0, 0]),
                last_frame=int(late[-1, 1]),
                message=f"{spell} of up to {longest / 1e6:.1f} ms; the frames came late, none is missing.",
                evidence=f"period {period_ns / 1e6:.3f} ms; the frames behind make up for it",
            )
        )
    return found


def _late_intervals(
    seen: StreamTiming,
    gaps: Gaps,
    intervals: list[tuple[NDArray[np.intp] | None, NDArray[np.int64]]],
) -> NDArray[np.int64]:
    """int64[k, 3]: frame before, frame after and length of every long interval that is no gap."""
    rows = []
    # A little less than what may be a loss.
    late_ns = min((seen.gaps.long_ns or 0) * 14 // 15, 2**63 - 1)
    for part, lengths_ns in intervals:
        at = np.flatnonzero(lengths_ns > late_ns)
        before = at if part is None else part[at]
        after = at + 1 if part is None else part[at + 1]
        rows.append(np.column_stack([before, after, lengths_ns[at]]).astype(np.int64))
    long = np.concatenate(rows) if rows else np.empty((0, 3), np.int64)
    long = long[~np.isin(long[:, 0], gaps.before)]
    starts, ends = seen.timestamps_ns[long[:, 0]], seen.timestamps_ns[long[:, 1]]
    if seen.gaps.span is not None:
        inside = (starts >= seen.gaps.span.start_ns) & (ends < seen.gaps.span.stop_ns)
        long, starts, ends = long[inside], starts[inside], ends[inside]
    if seen.clock is not None and len(seen.clock.strays):
        # Beside a frame with a bad stamp the interval is long because that frame is not in its place.
        expected = np.sort(seen.clock.expected_ns)
        long = long[expected.searchsorted(starts) == expected.searchsorted(ends)]
    return long[np.argsort(long[:, 0], kind="stable")]


def _differences(timestamps_ns: NDArray[np.int64]) -> NDArray[np.int64]:
    lengths = np.diff(timestamps_ns)
    if len(lengths) and int(lengths.min()) < 0:  # beyond int64
        lengths = np.where(lengths < 0, np.iinfo(np.int64).max, lengths)
    return lengths
