"""What a plot of a dense signal needs to draw: curves no finer than the screen, gaps, and round ranges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.decimate import MinMaxPyramid
from hfviewer.core.stream import Channel
from hfviewer.core.time_text import NS_PER_S
from hfviewer.core.window import TimeWindow
from hfviewer.panels.drawing import one_line
from hfviewer.quality.gaps import Gaps

_OUTLIER_FACTOR = 20.0
_SAMPLES = 20_000  # tell the middle 98 % of values well enough, and are looked through while the GUI waits
_LARGEST = 1e30
VALUE_CHARACTERS = 7
_FAR_NS = 2**62

_QUANTITIES = {
    "m/s²": "Acceleration",
    "g": "Acceleration",
    "rad/s": "Angular rate",
    "deg/s": "Angular rate",
    "°/s": "Angular rate",
    "rad": "Angle",
    "deg": "Angle",
    "°": "Angle",
    "m/s": "Speed",
    "km/h": "Speed",
    "m": "Position",
    "mm": "Position",
    "T": "Magnetic field",
    "µT": "Magnetic field",
    "uT": "Magnetic field",
    "N": "Force",
    "N·m": "Torque",
    "Nm": "Torque",
    "°C": "Temperature",
    "K": "Temperature",
    "Pa": "Pressure",
    "hPa": "Pressure",
    "V": "Voltage",
    "A": "Current",
    "%": "Share",
}


@dataclass(frozen=True, slots=True)
class ChannelGroup:
    """Channels drawn in one plot, as a rule those of one unit.

    Args:
        title: of the plot.
        columns: numbers of the channels: columns of the values, or beyond them those that were added.
    """

    title: str
    columns: tuple[int, ...]


def grouped_channels(channels: Mapping[int, Channel], *, apart: bool = False) -> list[ChannelGroup]:
    """Channels by unit, in the order in which the units turn up.

    Args:
        channels: by number.
        apart: one group for each channel instead.
    """
    if apart:
        return [
            ChannelGroup(
                one_line(", ".join(part for part in (c.name, plain_unit(c.unit)) if part)), (number,)
            )
            for number, c in channels.items()
        ]
    by_unit: dict[str, list[int]] = {}
    for number, channel in channels.items():
        by_unit.setdefault(plain_unit(channel.unit), []).append(number)
    groups = []
    for unit, columns in by_unit.items():
        quantity = _QUANTITIES.get(unit, "" if unit else "Values")
        title = one_line(", ".join(part for part in (quantity, unit) if part))
        groups.append(ChannelGroup(title, tuple(columns)))
    return groups


def plain_unit(unit: str) -> str:
    """A unit in one way of writing it: ``m/s^2`` is ``m/s²``."""
    return unit.strip().replace("^2", "²").replace("s2", "s²").replace("**2", "²")


class SignalChannel:
    """One channel, ready to be drawn at any zoom.

    Args:
        timestamps_ns: int64[n], non-decreasing.
        values: float64[n]; what is not finite is "no value".
    """

    def __init__(self, timestamps_ns: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        with np.errstate(invalid="ignore"):
            usable = np.abs(values) < _LARGEST
        # Nearly always all are: then the samples themselves are drawn, and not a copy of them.
        self._values = values if usable.all() else np.where(usable, values, np.nan)
        self._timestamps_ns = timestamps_ns
        self._pyramid = MinMaxPyramid(self._values)
        self._sample: NDArray[np.float64] | None = None

    @property
    def timestamps_ns(self) -> NDArray[np.int64]:
        return self._timestamps_ns

    @property
    def values(self) -> NDArray[np.float64]:
        """float64[n]; NaN is "no value"."""
        return self._values

    def within(self, window: TimeWindow) -> slice:
        """Which samples lie in a window."""
        inside = timing.indices_in(self._timestamps_ns, window)
        return slice(inside.start, inside.stop)

    def extremes(self, window: TimeWindow) -> tuple[float, float] | None:
        """Lowest and highest value in a window, or a little around it; None where it holds none."""
        inside = self.within(window)
        if inside.stop <= inside.start:
            return None
        low, high = self._pyramid.columns(np.array([inside.start, inside.stop]))
        return (float(low[0]), float(high[0])) if np.isfinite(low[0]) else None

    def curve(
        self, window: TimeWindow, columns: int, origin_ns: int, gaps: Gaps | None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], bool]:
        """Points of the curve in a window and one to either side, broken at gaps.

        Args:
            window: what the plot shows.
            columns: its width in pixels, ≥ 1.
            origin_ns: where x is 0.
            gaps: of this signal; None for none.

        Returns:
            x in seconds from the origin, y, and whether these are the samples themselves (else two points for
            each pixel column, the lowest and the highest value). A NaN breaks the line.
        """
        stamps = self._timestamps_ns
        inside = timing.indices_in(stamps, window)
        first, stop = max(0, inside.start - 1), min(len(stamps), inside.stop + 1)
        after = np.empty(0, np.intp) if gaps is None else gaps.before
        if stop - first <= 2 * columns:
            x = _seconds_from(origin_ns, stamps[first:stop])
            y = self._values[first:stop]
            breaks = after[slice(*after.searchsorted([first, stop - 1]).tolist())] - first + 1
            return _broken(x, breaks), _broken(y, breaks), True
        edges_ns = _edges_ns(window, columns)
        edges = stamps.searchsorted(edges_ns, side="left")
        low, high = self._pyramid.columns(edges)
        middle = edges_ns[:-1] + (edges_ns[1:] - edges_ns[:-1]) // 2
        filled = np.flatnonzero(edges[1:] > edges[:-1])
        x = np.repeat(_seconds_from(origin_ns, middle[filled]), 2)
        # Low, high, high, low …: neighbouring columns then join where they are closest.
        y = np.stack([low[filled], high[filled]], axis=1)
        y[1::2] = y[1::2, ::-1]
        # A gap breaks the line before the first column that holds a sample after it.
        breaks = np.unique(edges[filled].searchsorted(after + 1, side="left"))
        breaks = breaks[(breaks > 0) & (breaks < len(filled))] * 2
        return _broken(x, breaks), _broken(y.reshape(-1), breaks), False

    def value_at(self, time_ns: int) -> float | None:
        """The last value at or before a time; None before the first, or where it is not a number."""
        index = timing.index_at(self._timestamps_ns, time_ns)
        if index is None or not np.isfinite(self._values[index]):
            return None
        return float(self._values[index])

    def sample(self) -> NDArray[np.float64]:
        """At most `_SAMPLES` finite values, evenly spread, with the lowest and the highest among them."""
        if self._sample is None:
            values = self._values[:: max(1, len(self._values) // _SAMPLES)]
            low, high = self._pyramid.columns(np.array([0, len(self._values)]))
            values = np.concatenate([values, low, high])
            self._sample = values[np.isfinite(values)]
        return self._sample


def _broken(values: NDArray[np.float64], breaks: NDArray[np.intp]) -> NDArray[np.float64]:
    """Values with a NaN before each of some indices."""
    return np.insert(values, breaks, np.nan) if len(breaks) else values


def _edges_ns(window: TimeWindow, columns: int) -> NDArray[np.int64]:
    """Times of the edges between pixel columns, int64[columns + 1]; in integers, without overflow."""
    if not (window.start_ns > -_FAR_NS and window.stop_ns < _FAR_NS):
        edges = (window.start_ns + window.duration_ns * k // columns for k in range(columns + 1))
        return np.array([min(max(edge, -(2**63)), 2**63 - 1) for edge in edges], np.int64)
    whole, rest = divmod(window.duration_ns, columns)
    steps = np.arange(columns + 1, dtype=np.int64)
    return window.start_ns + whole * steps + rest * steps // columns


def _seconds_from(origin_ns: int, times_ns: NDArray[np.int64]) -> NDArray[np.float64]:
    """Seconds since an origin; what lies centuries away is cut, or the difference would overflow."""
    origin_ns = min(max(origin_ns, -(2**63)), 2**63 - 1)
    low_ns, high_ns = max(origin_ns - _FAR_NS, -(2**63)), min(origin_ns + _FAR_NS, 2**63 - 1)
    return (np.clip(times_ns, low_ns, high_ns) - origin_ns) / NS_PER_S


def value_range(samples: list[NDArray[np.float64]]) -> tuple[float, float]:
    """Lowest and highest value to show, with a margin.

    All values, unless a few lie so far out that they would flatten the rest: then the middle 98 %, doubled.
    """
    values = np.concatenate(samples) if samples else np.empty(0)
    if len(values) == 0:
        return (-1.0, 1.0)
    low, high = float(values.min()), float(values.max())
    core_low, core_high = (float(v) for v in np.percentile(values, (1, 99)))
    core = core_high - core_low
    if core > 0 and high - low > _OUTLIER_FACTOR * core:
        low, high = core_low - core / 2, core_high + core / 2
    margin = (high - low) * 0.06 or max(abs(high) * 0.05, 1e-9)
    return (low - margin, high + margin)


def decimals_for(low: float, high: float) -> int:
    """Decimals that tell four digits apart in values of this range."""
    size = max(abs(low), abs(high), 1e-9)
    return min(max(3 - math.floor(math.log10(size)), 0), 4)


def value_text(value: float | None, decimals: int = 3) -> str:
    """Always `VALUE_CHARACTERS` wide, so that nothing moves: `` −1.575``."""
    text = "–" if value is None else f"{value:+.{decimals}f}"
    if value is not None and len(text) > VALUE_CHARACTERS:
        text = f"{value:.0e}"
    return text.replace("-", "−").rjust(VALUE_CHARACTERS)
