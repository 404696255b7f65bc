"""Which values the plots of a signal panel show."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from hfviewer.core.window import TimeWindow
from hfviewer.panels.signal_data import SignalChannel, value_range

_CALM_SHARE = 0.5  # a range shrinks only once what is visible fills less than this part of it


class ValueRange(Enum):
    """Where the ends of the value axes come from."""

    WHOLE = "whole"
    VISIBLE = "visible"
    LOCKED = "locked"


def visible_range(
    channels: Sequence[SignalChannel], window: TimeWindow, before: tuple[float, float]
) -> tuple[float, float]:
    """A range that what is visible fills well.

    It stays as it was while that is still so: while playing, axes that always move cannot be read.

    Args:
        channels: of the plot.
        window: that is visible.
        before: the range until now.
    """
    found = [extremes for channel in channels if (extremes := channel.extremes(window)) is not None]
    if not found:
        return before
    low, high = min(low for low, _ in found), max(high for _, high in found)
    fits = before[0] <= low and high <= before[1]
    if fits and high - low >= _CALM_SHARE * (before[1] - before[0]):
        return before
    margin = (high - low) * 0.12 or max(abs(high) * 0.05, 1e-9)
    return low - margin, high + margin


def whole_range(channels: Sequence[SignalChannel]) -> tuple[float, float]:
    """A range for all values of some channels."""
    return value_range([channel.sample() for channel in channels])


def zoomed(before: tuple[float, float], factor: float, at_share: float) -> tuple[float, float]:
    """A range zoomed about a place between its ends, 0 … 1; never to nothing, never to infinity."""
    low, high = before
    span = min(max((high - low) * factor, 1e-12 * max(1.0, abs(low), abs(high))), 1e30)
    at = low + (high - low) * at_share
    return at - span * at_share, at + span * (1 - at_share)
