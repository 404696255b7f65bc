"""The figures and curves of a stream's timing. Pure, and worked out off the GUI thread."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.decimate import MinMaxPyramid
from hfviewer.core.recording import Recording
from hfviewer.core.stream import StreamKind
from hfviewer.quality.intervals import Quantiles, intervals_of, measured_rate_hz
from hfviewer.quality.stream_timing import StreamTiming, look_at
from hfviewer.quality.sync import choose_reference

BINS = 80
_MIDDLE = (0.5, 99.5)  # percentiles that a plot's range goes by; what lies beyond is told at its edge
_MARGIN = 0.15
_LEAST_MS = 1e-3  # a range is never narrower: a perfect clock shows as a line, not as noise
_WHOLE_UP_TO = 3.0  # a range takes in everything where that makes it at most so much wider


@dataclass(frozen=True, eq=False)
class Histogram:
    """How many intervals have which length.

    Args:
        first_ms: where the first bin begins.
        step_ms: width of a bin.
        counts: int64[b].
        shorter: intervals below the first bin.
        longer: intervals beyond the last one.
    """

    first_ms: float
    step_ms: float
    counts: NDArray[np.int64]
    shorter: int
    longer: int

    @classmethod
    def of(cls, lengths_ms: NDArray[np.float64], bins: int = BINS) -> Histogram | None:
        """Of intervals; the range holds all but the rarest of them. None of none."""
        if len(lengths_ms) == 0:
            return None
        low, high = robust_range(lengths_ms)
        low = max(0.0, low)
        step = (high - low) / bins
        counts, _ = np.histogram(lengths_ms, bins, (low, high))
        shorter = int(np.count_nonzero(lengths_ms < low))
        longer = int(np.count_nonzero(lengths_ms > high))
        return cls(low, step, counts.astype(np.int64), shorter, longer)

    @property
    def last_ms(self) -> float:
        """Where the last bin ends."""
        return self.first_ms + self.step_ms * len(self.counts)


@dataclass(frozen=True, eq=False)
class Series:
    """A curve over time.

    Args:
        times_ns: int64[n], ascending.
        values_ms: float64[n].
    """

    times_ns: NDArray[np.int64]
    values_ms: NDArray[np.float64]

    @cached_property
    def pyramid(self) -> MinMaxPyramid:
        """For drawing any part of it."""
        return MinMaxPyramid(self.values_ms)

    @cached_property
    def range_ms(self) -> tuple[float, float]:
        """Lowest and highest value of a plot that shows nearly all."""
        return robust_range(self.values_ms)

    @cached_property
    def whole_range_ms(self) -> tuple[float, float]:
        """Lowest and highest value of a plot that shows every one."""
        return _with_margin(float(self.values_ms.min()), float(self.values_ms.max()))

    def range_of(self, *, whole: bool) -> tuple[float, float]:
        """Lowest and highest value of a plot that shows every value, or nearly all."""
        return self.whole_range_ms if whole else self.range_ms

    def columns(self, edges_ns: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lowest and highest value in each column; NaN where there is none."""
        return self.pyramid.columns(self.times_ns.searchsorted(edges_ns))


@dataclass(frozen=True, eq=False, kw_only=True)
class TimingFigures:
    """All that the page shows of one stream.

    Args:
        stream: name.
        kind: of the stream.
        reference: name of the stream it is compared with; None where none serves.
        frames: how many there are.
        lost: how many are missing.
        rate_hz: from its own first to its own last frame.
        declared_hz: as the recorder says.
        period_ns: typical interval.
        intervals: their spread.
        jitter_ms: root mean square of what intervals differ from the period by, gaps left out.
        histogram: of the intervals.
        jitter: what each interval differs from the period by, at its end.
        sync: distance of each frame to the nearest of the reference; above 0 where that one is later.
        distance: spread of the distances, without their sign.
    """

    stream: str
    kind: StreamKind
    reference: str | None
    frames: int
    lost: int
    rate_hz: float | None
    declared_hz: float | None
    period_ns: int | None
    intervals: Quantiles | None
    jitter_ms: float | None
    histogram: Histogram | None
    jitter: Series | None
    sync: Series | None
    distance: Quantiles | None


def figures_of(recording: Recording, stream: str, reference: str | None = None) -> TimingFigures:
    """Work out a stream's timing.

    Args:
        recording: open.
        stream: name.
        reference: to compare it with; None: chosen as the checks do.
    """
    timings = look_at(recording)
    seen, description = timings[stream], recording.streams[stream].description
    if reference is None or reference not in timings:
        reference = choose_reference(recording, timings)
        if reference == stream:
            others = {name: one for name, one in timings.items() if name != stream}
            reference = choose_reference(recording, others)
    ends_ns, lengths_ns, whole = _intervals(seen)
    lengths_ms = lengths_ns / 1e6
    period_ns = seen.gaps.typical_ns
    jitter, rms = None, None
    if period_ns is not None and len(lengths_ms):
        jitter = Series(ends_ns, lengths_ms - period_ns / 1e6)
        kept = jitter.values_ms[whole]
        rms = float(np.sqrt(np.mean(kept**2))) if len(kept) else None
    sync = None if reference is None else _distances(seen, timings[reference])
    for curve in (jitter, sync):
        if curve is not None:
            _ = curve.pyramid, curve.range_ms, curve.whole_range_ms  # here, so that the GUI thread need not
    return TimingFigures(
        stream=stream,
        kind=description.kind,
        reference=reference,
        frames=len(seen.timestamps_ns),
        lost=int(seen.gaps.all().lost_before[-1]),
        rate_hz=measured_rate_hz(seen),
        declared_hz=description.declared_rate_hz,
        period_ns=period_ns,
        intervals=Quantiles.of(lengths_ns),
        jitter_ms=rms,
        histogram=Histogram.of(lengths_ms),
        jitter=jitter,
        sync=sync,
        distance=None if sync is None else Quantiles.of(np.abs(sync.values_ms * 1e6).astype(np.int64)),
    )


def robust_range(values: NDArray[np.float64]) -> tuple[float, float]:
    """A range for a plot: all of it, unless a few values would flatten the rest."""
    low, high = np.percentile(values, _MIDDLE)
    least, most = float(values.min()), float(values.max())
    width = max(high - low, _LEAST_MS)
    if most - least <= _WHOLE_UP_TO * width:
        low, high = least, most
    return _with_margin(float(low), float(high))


def _with_margin(low: float, high: float) -> tuple[float, float]:
    margin = max(_MARGIN * (high - low), _LEAST_MS)
    return low - margin, high + margin


def _intervals(seen: StreamTiming) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Where each interval ends, how long it is, and whether no frame is missing in it; in order of time."""
    before = seen.gaps.all().before
    ends, lengths, whole = [], [], []
    for part, part_ns in intervals_of(seen):
        first = np.arange(len(part_ns)) if part is None else part[:-1]
        after = first + 1 if part is None else part[1:]
        ends.append(seen.timestamps_ns[after])
        lengths.append(part_ns)
        whole.append(~np.isin(first, before))
    if not ends:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.bool_)
    ends_ns = np.concatenate(ends)
    order = np.argsort(ends_ns, kind="stable")
    return ends_ns[order], np.concatenate(lengths)[order], np.concatenate(whole)[order]


def _distances(seen: StreamTiming, other: StreamTiming) -> Series | None:
    """From each frame to the nearest one of another stream, where both run."""
    table_ns, edge_ns = other.timestamps_ns, other.gaps.typical_ns or 0
    if len(table_ns) == 0 or len(seen.timestamps_ns) == 0:
        return None
    ends = [int(table_ns[0]) - edge_ns, int(table_ns[-1]) + edge_ns + 1]
    first, stop = seen.timestamps_ns.searchsorted(ends)
    at_ns = seen.timestamps_ns[first:stop]
    if len(at_ns) == 0:
        return None
    after = np.minimum(table_ns.searchsorted(at_ns), len(table_ns) - 1)
    before = np.maximum(after - 1, 0)
    later, earlier = table_ns[after] - at_ns, table_ns[before] - at_ns
    nearest = np.where(np.abs(later) < np.abs(earlier), later, earlier)
    return Series(at_ns, nearest / 1e6)
