"""Spans of time and the grid of hyperframe windows.

All spans are half-open, ``start_ns <= t < stop_ns``, so that neighbours tile without gap or overlap.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload


@dataclass(frozen=True, slots=True, order=True)
class TimeWindow:
    """A half-open span on the recording clock, in nanoseconds."""

    start_ns: int
    stop_ns: int

    def __post_init__(self) -> None:
        if self.stop_ns < self.start_ns:
            raise ValueError(f"a window cannot stop ({self.stop_ns}) before it starts ({self.start_ns})")

    @property
    def duration_ns(self) -> int:
        return self.stop_ns - self.start_ns

    def __contains__(self, timestamp_ns: int) -> bool:
        return self.start_ns <= timestamp_ns < self.stop_ns

    def intersection(self, other: TimeWindow) -> TimeWindow | None:
        """What both cover, or None where they do not meet."""
        start_ns = max(self.start_ns, other.start_ns)
        stop_ns = min(self.stop_ns, other.stop_ns)
        return TimeWindow(start_ns, stop_ns) if start_ns < stop_ns else None

    def clamp(self, timestamp_ns: int) -> int:
        """The nearest time inside; the start where the window is empty."""
        return max(self.start_ns, min(timestamp_ns, self.stop_ns - 1))


@dataclass(frozen=True, slots=True)
class WindowGrid(Sequence[TimeWindow]):
    """The hyperframe windows of a recording, worked out on demand.

    With ``B_k = start_ns + k * window_ns``, window k holds the frames with ``B_k < t <= B_(k+1)``; window 0
    also holds ``t = B_0`` (formats/hyperframe.md, "Windows"). In integers that is the half-open span
    ``[B_k + 1, B_(k+1) + 1)``.

    Args:
        start_ns: origin of the grid.
        window_ns: target length of a window, > 0.
        window_count: how many windows there are.
    """

    start_ns: int
    window_ns: int
    window_count: int

    @classmethod
    def covering(cls, start_ns: int, last_ns: int, window_ns: int) -> WindowGrid:
        """The grid from ``start_ns`` that just holds a frame at ``last_ns``."""
        if window_ns <= 0:
            raise ValueError("window_ns must be positive")
        span_ns = last_ns - start_ns
        if span_ns < 0:
            return cls(start_ns, window_ns, 0)
        return cls(start_ns, window_ns, max(1, -(-span_ns // window_ns)))

    def __len__(self) -> int:
        return min(self.window_count, sys.maxsize)  # `len` can say no more; a damaged header may

    def __iter__(self) -> Iterator[TimeWindow]:
        return (self._window(k) for k in range(self.window_count))

    @overload
    def __getitem__(self, index: int) -> TimeWindow: ...
    @overload
    def __getitem__(self, index: slice) -> list[TimeWindow]: ...
    def __getitem__(self, index: int | slice) -> TimeWindow | list[TimeWindow]:
        if isinstance(index, slice):
            return [self._window(k) for k in range(self.window_count)[index]]
        return self._window(range(self.window_count)[index])

    def _window(self, k: int) -> TimeWindow:
        first_ns = self.start_ns + k * self.window_ns
        return TimeWindow(first_ns if k == 0 else first_ns + 1, first_ns + self.window_ns + 1)

    def index_at(self, timestamp_ns: int) -> int | None:
        """The window that holds a time, or None outside the grid."""
        offset_ns = timestamp_ns - self.start_ns
        if offset_ns < 0 or self.window_count == 0:
            return None
        k = 0 if offset_ns == 0 else (offset_ns - 1) // self.window_ns
        return k if k < self.window_count else None
