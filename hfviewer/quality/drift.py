"""Clocks that run apart: rates fitted to parts per million and held against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import numpy as np

from hfviewer.core.finding import Finding
from hfviewer.core.finding_codes import severity_of
from hfviewer.quality.gap import Gaps
from hfviewer.quality.profile import Limits
from hfviewer.quality.stream_timing import StreamTiming

_LEAST_FRAMES, _LEAST_NS = 100, 10_000_000_000
_BLOCKS, _PER_BLOCK = 8, 2048
_SURE = 5.0
_NEAR_NOMINAL, _NEAR_TELEVISION = 1e-3, 3e-4
_AGREE = 0.5  # of the limit: so closely must the others agree with each other
_STEP_NS = 1_000_000  # accumulated in the end; less is of no account
_FEW_DOUBLED = 0.1  # beyond that, several rows share one stamp as a rule
_ROUND_HZ = (0.1, 0.2, 0.5, 2.5, 7.5, 12.5, *range(1, 2001))
_TELEVISION_HZ = tuple(n / 1.001 for n in (24, 30, 60, 120))


@dataclass(frozen=True, slots=True)
class _Pace:
    """A stream's rate against a nominal one.

    Args:
        off: relative; 1e-6 is one part per million. Positive: its clock counts too much time for a frame.
        error: one standard error of ``off``.
        length_ns: from the first frame to the last.
    """

    off: float
    error: float
    length_ns: int


def drifting(
    timings: Mapping[str, StreamTiming], gaps: Mapping[str, Gaps], limits: Limits, reference: str | None
) -> list[Finding]:
    """``clock_drift``: a stream's clock runs at another speed than those of the other streams.

    Evidence: the time a frame takes by a straight line through all stamps over the frames' numbers (lost ones
    counted), relative to a round rate within 0.1 %, or to that of streams of the same rate.
    It must differ by the profile's limit from what the other streams agree upon, by a millisecond in the end,
    and by five times its own uncertainty. Of two streams, the one farther from its nominal rate drifts. Needs
    ten seconds and a hundred frames; streams whose clock was set are left out.
    """
    fits = {name: fit for name, seen in timings.items() if (fit := _fit(seen, gaps[name])) is not None}
    paces = _against_nominal(timings, fits)
    if len(paces) < 2:
        return []
    found = []
    for name, pace in paces.items():
        rest = [other.off for key, other in paces.items() if key != name]
        agreed = median(rest)
        limit = limits.drift_ppm * 1e-6
        if len(rest) == 1 and abs(rest[0]) > abs(pace.off):
            continue
        close = sum(abs(off - agreed) <= _AGREE * limit for off in rest)
        ppm = (pace.off - agreed) * 1e6
        apart_ns = abs(pace.off - agreed) * pace.length_ns
        if (
            abs(ppm) >= limits.drift_ppm
            and 2 * close > len(rest)
            and apart_ns >= _STEP_NS
            and abs(pace.off - agreed) >= _SURE * pace.error
        ):
            seen = timings[name]
            others = reference if reference in paces and reference != name else "the other streams"
            found.append(
                Finding(
                    code="clock_drift",
                    severity=severity_of("clock_drift"),
                    stream=name,
                    start_ns=int(seen.timestamps_ns[0]),
                    end_ns=int(seen.timestamps_ns[-1]),
                    first_frame=0,
                    last_frame=len(seen.timestamps_ns) - 1,
                    message=f"Its clock drifts by {ppm:+.0f} ppm against {others}:"
                    f" {apart_ns / 1e6:.1f} ms over {pace.length_ns / 1e9:.1f} s.",
                    evidence=f"fitted rate, ± {pace.error * 1e6:.1f} ppm",
                )
            )
    return found


def _fit(seen: StreamTiming, gaps: Gaps) -> tuple[float, float, int] | None:
    """Period in ns, its standard error, and the length of the stream; None where it is too short or torn.

    The error is taken from how much eight blocks of the stream differ, so that jitter that adds up counts.
    """
    table_ns = seen.timestamps_ns
    count = len(table_ns)
    if seen.gaps.period_ns is None or seen.clock is not None or count < _LEAST_FRAMES:
        return None
    length_ns = int(table_ns[-1]) - int(table_ns[0])
    span = seen.gaps.span
    if length_ns < _LEAST_NS or (span is not None and length_ns > span.duration_ns):
        return None
    if seen.disorder().repeats > _FEW_DOUBLED * count:
        return None
    numbers = np.arange(count, dtype=np.float64)
    slopes = []
    edges = np.linspace(0, count, _BLOCKS + 1).astype(np.intp)
    for first, stop in pairwise(edges):
        at = np.arange(first, stop, max(1, (stop - first) // _PER_BLOCK))
        slopes.append(_slope(numbers[at] + _lost_before(gaps, at), table_ns[at] - table_ns[first]))
    at = np.arange(0, count, max(1, count // (2 * _PER_BLOCK)))
    period = _slope(numbers[at] + _lost_before(gaps, at), table_ns[at] - table_ns[0])
    return period, float(np.std(slopes, ddof=1)) / _BLOCKS**0.5, length_ns


def _lost_before(gaps: Gaps, at: np.ndarray) -> np.ndarray:
    return gaps.lost_before[gaps.before.searchsorted(at)].astype(np.float64)


def _slope(x: np.ndarray, y: np.ndarray) -> float:
    x, y = x - x.mean(), y.astype(np.float64)
    return float((x * (y - y.mean())).sum() / (x * x).sum())


def _against_nominal(
    timings: Mapping[str, StreamTiming], fits: Mapping[str, tuple[float, float, int]]
) -> dict[str, _Pace]:
    """Each stream's pace against a round rate close to it; else against those of about the same rate."""
    paces: dict[str, _Pace] = {}
    for name, (period, error, length_ns) in fits.items():
        rate_hz = 1e9 / period
        nominal = _nearest(_TELEVISION_HZ, rate_hz)
        if abs(rate_hz / nominal - 1) > _NEAR_TELEVISION:
            nominal = _nearest(_ROUND_HZ, rate_hz)
        if abs(rate_hz / nominal - 1) > _NEAR_NOMINAL:
            same = [1e9 / other[0] for other in fits.values() if abs(period / other[0] - 1) <= _NEAR_NOMINAL]
            if len(same) < 2:
                continue
            nominal = median(same)
        paces[name] = _Pace(period * nominal / 1e9 - 1, error / period, length_ns)
    return paces


def _nearest(rates_hz: Sequence[float], rate_hz: float) -> float:
    return min(rates_hz, key=lambda hz: abs(rate_hz / hz - 1))
