"""Windows of a recording that hold no frame of a stream."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.finding import Finding
from hfviewer.core.finding_codes import severity_of
from hfviewer.core.window import WindowGrid
from hfviewer.quality.gap import Gaps
from hfviewer.quality.stream_timing import StreamTiming


@dataclass(frozen=True, slots=True)
class EmptyWindows:
    """Of one stream, between its own first and last frame.

    Args:
        count: how many.
        first: index of the first.
        last: index of the last.
        lost: how many of them lie in a gap, so that frames are missing there.
    """

    count: int
    first: int
    last: int
    lost: int


def empty_windows(
    grid: WindowGrid,
    seen: StreamTiming,
    gaps: Gaps,
    intervals: list[tuple[NDArray[np.intp] | None, NDArray[np.int64]]],
) -> EmptyWindows | None:
    """Windows without a frame of a regular stream; None where there are none, or the stream is irregular.

    A window can only be empty inside an interval as long as it is, so no others are looked at.
    """
    span = seen.gaps.span
    if not seen.regular or len(grid) == 0 or span is None:
        return None
    count = lost = 0
    first = last = -1
    for part, lengths_ns in intervals:
        at = np.flatnonzero(lengths_ns >= grid.window_ns)
        before = at if part is None else part[at]
        after = at + 1 if part is None else part[at + 1]
        start_ns, end_ns = seen.timestamps_ns[before], seen.timestamps_ns[after]
        inside = (start_ns >= span.start_ns) & (end_ns < span.stop_ns)
        low, high = _window_of(grid, start_ns[inside]), _window_of(grid, end_ns[inside])
        empty = high - low - 1
        hit = np.flatnonzero(empty > 0)
        if len(hit) == 0:
            continue
        count += int(empty[hit].sum())
        lost += int(empty[hit][np.isin(before[inside][hit], gaps.before)].sum())
        own = int(low[hit].min()) + 1
        first = own if first < 0 else min(first, own)
        last = max(last, int(high[hit].max()) - 1)
    return EmptyWindows(count, first, last, lost) if count else None


def empty_window_findings(
    name: str, grid: WindowGrid, seen: StreamTiming, empty: EmptyWindows | None
) -> list[Finding]:
    """``empty_window``: windows without a frame of a stream that should have one in each.

    Evidence: the recording's window grid. Only where a window is at least 1.5 periods long, so that none
    could be empty by its phase alone. Info where the frames only came late, warning where they are lost.
    """
    period_ns = seen.gaps.period_ns
    if empty is None or period_ns is None or 2 * grid.window_ns < 3 * period_ns:
        return []
    share = (
        f"{empty.count} of {len(grid)} windows are" if empty.count != 1 else f"1 of {len(grid)} windows is"
    )
    return [
        Finding(
            code="empty_window",
            severity=severity_of("empty_window", milder=empty.lost == 0),
            stream=name,
            start_ns=grid[empty.first].start_ns,
            end_ns=grid[empty.last].stop_ns - 1,
            message=f"{share} empty.",
            evidence=f"windows of {grid.window_ns / 1e6:g} ms, period {period_ns / 1e6:.3f} ms",
        )
    ]


def _window_of(grid: WindowGrid, times_ns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Index of the window that holds each time: ``B_k < t <= B_(k+1)``."""
    # Unsigned: the difference of any two int64 fits.
    since_ns = np.maximum((times_ns - np.int64(grid.start_ns)).view(np.uint64), np.uint64(1))
    windows = (since_ns - np.uint64(1)) // np.uint64(grid.window_ns)
    inside: NDArray[np.int64] = np.minimum(windows, np.uint64(len(grid) - 1)).astype(np.int64)
    return inside
