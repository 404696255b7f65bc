"""What can be worked out from a dense signal: statistics, new channels, and the spectrum of a stretch.

Everything takes stamps in nanoseconds, non-decreasing, and bears values that are not finite: these are "no
value".
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.time_text import NS_PER_S

_GAP_PERIODS = 1.5  # the same factor as for missing frames
_EVEN_SHARE = 0.01  # stamps that stray less than this part of a period count as evenly spaced
_LEAST_SAMPLES = 16  # of a spectrum
_SEGMENTS = 8
_LEAST_SEGMENT, _MOST_SEGMENT = 64, 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanStatistics:
    """Figures of one channel over a stretch of time.

    Args:
        count: of samples with a value.
        mean: of the values.
        std: standard deviation of the values as they are (not of a population they were drawn from).
        low: smallest value.
        high: largest value.
        rms: root of the mean square.
        rate_hz: samples per second between the first and the last stamp, those without a value too; None for
            fewer than two.
    """

    count: int
    mean: float
    std: float
    low: float
    high: float
    rms: float
    rate_hz: float | None


def statistics(timestamps_ns: NDArray[np.int64], values: NDArray[np.float64]) -> SpanStatistics:
    """Figures of one channel; NaN where no sample has a value."""
    rate_hz = None
    if len(timestamps_ns) > 1 and (span_ns := int(timestamps_ns[-1]) - int(timestamps_ns[0])) > 0:
        rate_hz = (len(timestamps_ns) - 1) * NS_PER_S / span_ns
    finite = np.isfinite(values)
    known = values if finite.all() else values[finite]
    if len(known) == 0:
        nan = float("nan")
        return SpanStatistics(count=0, mean=nan, std=nan, low=nan, high=nan, rms=nan, rate_hz=rate_hz)
    with np.errstate(over="ignore", invalid="ignore"):
        mean, std = float(known.mean()), float(known.std())
        return SpanStatistics(
            count=len(known),
            mean=mean,
            std=std,
            low=float(known.min()),
            high=float(known.max()),
            rms=float(np.hypot(mean, std)),
            rate_hz=rate_hz,
        )


def runs(timestamps_ns: NDArray[np.int64]) -> list[slice]:
    """Stretches without a gap: intervals beyond 1.5 periods part them."""
    count, period_ns = len(timestamps_ns), timing.period_ns(timestamps_ns)
    if count == 0:
        return []
    if period_ns is None or period_ns <= 0:
        return [slice(0, count)]
    cuts = np.flatnonzero(np.diff(timestamps_ns) > _GAP_PERIODS * period_ns) + 1
    edges = [0, *cuts.tolist(), count]
    return [slice(a, b) for a, b in pairwise(edges)]


def derivative(timestamps_ns: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Change per second, by central differences; one-sided at the ends and beside gaps.

    NaN where neighbours bear the same stamp, or have no value.
    """
    result = np.full(len(values), np.nan)
    with np.errstate(all="ignore"):
        for run in _cut_into_runs(timestamps_ns):
            t, v = _seconds(timestamps_ns[run]), values[run]
            if len(v) < 2:
                continue
            out = result[run]
            out[1:-1] = (v[2:] - v[:-2]) / (t[2:] - t[:-2])
            out[0] = (v[1] - v[0]) / (t[1] - t[0])
            out[-1] = (v[-1] - v[-2]) / (t[-1] - t[-2])
    result[~np.isfinite(result)] = np.nan
    return result


def integral(timestamps_ns: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum over time from the first sample, by trapezoids; nothing is added across gaps and missing values."""
    result = np.zeros(len(values))
    if len(values) < 2:
        return result
    with np.errstate(over="ignore", invalid="ignore"):
        widths = np.diff(timestamps_ns) / NS_PER_S
        areas = 0.5 * (values[1:] + values[:-1]) * widths
    areas[~np.isfinite(areas)] = 0.0
    for run in _cut_into_runs(timestamps_ns)[1:]:
        areas[run.start - 1] = 0.0
    np.cumsum(areas, out=result[1:])
    return result


def moving_mean(
    timestamps_ns: NDArray[np.int64], values: NDArray[np.float64], width_ns: int
) -> NDArray[np.float64]:
    """Mean of the values within half a width before and after each sample; NaN where none has a value."""
    half_ns = max(0, width_ns // 2)
    first = timestamps_ns.searchsorted(_shifted(timestamps_ns, -half_ns), side="left")
    stop = timestamps_ns.searchsorted(_shifted(timestamps_ns, half_ns), side="right")
    known = np.isfinite(values)
    clean = np.where(known, values, 0.0)
    # Sums about the mean: those of large values that hardly change would lose digits.
    centre = float(clean.sum() / max(1, np.count_nonzero(known)))
    sums = np.concatenate([[0.0], np.cumsum(np.where(known, clean - centre, 0.0))])
    counts = np.concatenate([[0], np.cumsum(known)])
    inside = counts[stop] - counts[first]
    with np.errstate(invalid="ignore", divide="ignore"):
        means = (sums[stop] - sums[first]) / inside + centre
    return np.asarray(np.where(inside > 0, means, np.nan), np.float64)


def magnitude(columns: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Length of the vector that some channels are the parts of."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(np.sqrt(sum(column * column for column in columns)), np.float64)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Spectrum:
    """How strongly a signal swings at which frequency.

    Args:
        frequencies_hz: float64[m], from 0 up to half the rate.
        density: float64[m], amplitude spectral density, the channel's unit/√Hz, one-sided; NaN without enough
            samples.
        rate_hz: that the samples have, or were brought to.
        method: one line that says how it was made.
    """

    frequencies_hz: NDArray[np.float64]
    density: NDArray[np.float64]
    rate_hz: float
    method: str

    def peak(self) -> tuple[float, float] | None:
        """Frequency and density of the strongest swing; None where there is none."""
        if len(self.density) < 3 or not np.isfinite(self.density[1:]).any() or not self.density[1:].any():
            return None
        index = 1 + int(np.nanargmax(self.density[1:]))
        return float(self.frequencies_hz[index]), float(self.density[index])


@dataclass(frozen=True, slots=True, eq=False)
class EvenStretch:
    """Part of a signal, brought to even steps.

    Args:
        first: index of its first sample.
        stop: index behind its last.
        rate_hz: of the steps.
        method: what was done to get there; empty where nothing had to be.
    """

    first: int
    stop: int
    rate_hz: float
    method: str


def even_stretch(timestamps_ns: NDArray[np.int64]) -> EvenStretch | None:
    """The longest stretch without a gap, and the even steps that its stamps come closest to.

    Returns:
        None where it holds too few samples for a spectrum, or all at one time.
    """
    parts = _cut_into_runs(timestamps_ns)
    if not parts:
        return None
    longest = max(parts, key=lambda run: run.stop - run.start)
    stamps = timestamps_ns[longest]
    span_ns = int(stamps[-1]) - int(stamps[0])
    if len(stamps) < _LEAST_SAMPLES or span_ns <= 0:
        return None
    period_ns = span_ns / (len(stamps) - 1)
    strays = np.abs((stamps - stamps[0]) - np.arange(len(stamps)) * period_ns).max() / period_ns
    said = []
    if len(parts) > 1:
        said.append(f"the longest of {len(parts)} stretches between gaps")
    if strays > _EVEN_SHARE:
        said.append(f"uneven stamps resampled to {NS_PER_S / period_ns:.6g} Hz (linear)")
    return EvenStretch(longest.start, longest.stop, NS_PER_S / period_ns, ", ".join(said))


def spectrum(
    timestamps_ns: NDArray[np.int64], values: NDArray[np.float64], stretch: EvenStretch | None
) -> Spectrum:
    """Amplitude spectral density by Welch's method (1967): Hann windows, half overlapping, without the mean.

    Few samples make one window; then it is a plain periodogram.

    Args:
        timestamps_ns: int64[n].
        values: float64[n]; samples without a value are filled in from their neighbours.
        stretch: of these stamps, see `even_stretch`; None: too few samples.
    """
    nothing = np.empty(0)
    if stretch is None:
        return Spectrum(
            frequencies_hz=nothing, density=nothing, rate_hz=0.0, method="too few samples for a spectrum"
        )
    stamps, own = timestamps_ns[stretch.first : stretch.stop], values[stretch.first : stretch.stop]
    known = np.isfinite(own)
    said = [stretch.method] if stretch.method else []
    if np.count_nonzero(known) < _LEAST_SAMPLES:
        return Spectrum(frequencies_hz=nothing, density=nothing, rate_hz=0.0, method="too few values")
    if stretch.method.endswith("(linear)") or not known.all():
        seconds = _seconds(stamps)
        even = np.linspace(seconds[0], seconds[-1], len(stamps))
        own = np.interp(even, seconds[known], own[known])
        if not known.all():
            said.append(f"{len(known) - np.count_nonzero(known)} missing values filled in")
    length = _segment_length(len(own))
    step = max(1, length // 2)
    starts = range(0, len(own) - length + 1, step)
    window = np.hanning(length + 1)[:-1]  # periodic: half-overlapping ones add up to a constant
    power = np.zeros(length // 2 + 1)
    for start in starts:
        part = own[start : start + length]
        power += np.abs(np.fft.rfft((part - part.mean()) * window)) ** 2
    power /= len(starts) * stretch.rate_hz * float((window * window).sum())
    power[1 : (length + 1) // 2] *= 2  # the negative frequencies; there is only one of 0 and of half the rate
    kind = f"Welch, {len(starts)} windows of {length}" if len(starts) > 1 else f"one window of {length}"
    said.insert(0, f"{kind} (Hann), Δf {stretch.rate_hz / length:.3g} Hz")
    return Spectrum(
        frequencies_hz=np.asarray(np.fft.rfftfreq(length, 1 / stretch.rate_hz), np.float64),
        density=np.sqrt(power),
        rate_hz=stretch.rate_hz,
        method=", ".join(said),
    )


def _segment_length(count: int) -> int:
    """A power of two so that about `_SEGMENTS` windows fit; all of it where it is short."""
    if count < 4 * _LEAST_SEGMENT:
        return count
    fitting = 2 * count // (_SEGMENTS + 1)
    return int(min(max(1 << (fitting.bit_length() - 1), _LEAST_SEGMENT), _MOST_SEGMENT))


def _cut_into_runs(timestamps_ns: NDArray[np.int64]) -> list[slice]:
    """`runs` of stamps that have a rate; of others every sample belongs to one run."""
    if len(timestamps_ns) and timing.rate_hz(timestamps_ns) is None:
        return [slice(0, len(timestamps_ns))]
    return runs(timestamps_ns)


def _seconds(timestamps_ns: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.asarray((timestamps_ns - timestamps_ns[0]) / NS_PER_S, np.float64)


def _shifted(timestamps_ns: NDArray[np.int64], by_ns: int) -> NDArray[np.int64]:
    """Stamps moved, none of them beyond the ends of int64."""
    low, high = -(2**63) + abs(by_ns), 2**63 - 1 - abs(by_ns)
    return np.clip(timestamps_ns, low, high) + by_ns
