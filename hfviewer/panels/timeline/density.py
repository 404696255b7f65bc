"""How full each pixel column of a lane is, and which columns its marks cover.

Everything costs columns × log(frames): a view of a million frames is as quick as a view of ten.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from hfviewer.panels.timeline.count_grid import CountGrid
from hfviewer.panels.timeline.marks import LaneMarks

MIN_MARK_PX = 3  # a gap mark is never narrower
_BLOCK = 64  # of the coarse table; a power of two
_FEW_RUNS = 32  # so many are quicker one by one
_NONE_EMPTY_PX = 0.5  # frames this close together leave no column empty
_LAST_NS = np.int64(2**63 - 1)
_FEW = 50_000  # so many timestamps fit into the cache as they are


@dataclass(frozen=True, slots=True, eq=False)
class MarkRuns:
    """Runs of neighbouring columns that marks of one kind cover, from left to right, never touching.

    Args:
        firsts: intp[r], first column of each run.
        stops: intp[r], one past its last column.
        counts: int64[r]: frames lost in the gaps it shows; of doubled stamps, how many frames share one; of
            frames out of order, how many.
        marks: int64[r], how many marks fell together in it.
        severe: bool[r], True where it is an error, not a warning.
    """

    firsts: NDArray[np.intp]
    stops: NDArray[np.intp]
    counts: NDArray[np.int64]
    marks: NDArray[np.int64]
    severe: NDArray[np.bool_]

    @classmethod
    def none(cls) -> MarkRuns:
        columns, numbers = np.empty(0, np.intp), np.empty(0, np.int64)
        return cls(columns, columns, numbers, numbers, np.empty(0, np.bool_))

    def __len__(self) -> int:
        return len(self.firsts)

    def covers(self, width: int) -> NDArray[np.bool_]:
        """bool[width]: the columns that any run covers."""
        if len(self) < _FEW_RUNS:
            covered = np.zeros(width, np.bool_)
            for first, stop in zip(self.firsts.tolist(), self.stops.tolist(), strict=True):
                covered[first:stop] = True
            return covered
        steps = np.zeros(width + 1, np.int8)
        steps[self.firsts] += 1
        steps[self.stops] -= 1
        return np.cumsum(steps[:-1], dtype=np.int8) > 0

    def where(self, chosen: NDArray[np.bool_]) -> MarkRuns:
        """Only the runs for which ``chosen`` is True."""
        return MarkRuns(
            self.firsts[chosen],
            self.stops[chosen],
            self.counts[chosen],
            self.marks[chosen],
            self.severe[chosen],
        )


def coarse_table(timestamps_ns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every 64th timestamp, close together in memory, so that most of a search stays in the cache."""
    return timestamps_ns[::_BLOCK].copy()


def frames_per_column(
    timestamps_ns: NDArray[np.int64],
    edges_ns: NDArray[np.int64],
    coarse_ns: NDArray[np.int64] | None = None,
    grid: CountGrid | None = None,
) -> NDArray[np.intp]:
    """Number of frames in each column.

    Args:
        timestamps_ns: int64[n], non-decreasing.
        edges_ns: int64[m + 1], as of `TimeAxis.edges_ns`.
        coarse_ns: `coarse_table` of the timestamps, for speed.
        grid: of the stream, for views of most of a long one: then a count may be off by one or two in many.

    Returns:
        intp[m].
    """
    found = None if grid is None else grid.counts(edges_ns)
    if found is not None:
        return found
    if edges_ns[-1] == _LAST_NS:
        # No int64 lies beyond the last instant of all: what is there counts as before it.
        at = timestamps_ns.searchsorted(edges_ns)
        at[edges_ns == _LAST_NS] = len(timestamps_ns)
        return np.diff(at)
    first, stop = timestamps_ns.searchsorted(edges_ns[[0, -1]]).tolist()
    if coarse_ns is None or stop - first < _FEW:
        return np.diff(timestamps_ns[first:stop].searchsorted(edges_ns))
    last = len(timestamps_ns) - 1
    block = coarse_ns.searchsorted(edges_ns)
    # timestamps_ns[low] is before its edge, timestamps_ns[low + 2 * step] is not: halved until step is 1.
    low = np.maximum(block - 1, 0) * _BLOCK
    step = _BLOCK // 2
    while step:
        middle = low + step
        low = np.where(timestamps_ns.take(np.minimum(middle, last)) < edges_ns, middle, low)
        step //= 2
    return np.diff(np.where(block > 0, np.minimum(low + 1, last + 1), 0))


def fullness(counts: NDArray[np.intp], expected: float | None) -> NDArray[np.float32]:
    """How full each column is, from 0 (no frame) over 0.25 (hardly any) to 1 (as many as there should be).

    Args:
        counts: frames per column.
        expected: frames that a column of a healthy stream holds; None for irregular streams, which are
            measured by their own fullest columns. Rounded down, or a rate that is no multiple of the column
            width would show as stripes.
    """
    if expected is None:
        filled = counts[counts > 0]
        expected = float(np.percentile(filled, 95)) if len(filled) else 1.0
    full = max(1, int(expected))
    share = np.minimum(counts / full, 1.0)
    return np.where(counts > 0, 0.25 + 0.75 * np.sqrt(share), 0.0).astype(np.float32)


def held(level: NDArray[np.float32], px_per_frame: float) -> NDArray[np.float32]:
    """The same without the empty columns that fall between two frames of a regular stream.

    Where frames stand about as far apart as columns, they would look like losses at regular distances.

    Args:
        level: as of `fullness`.
        px_per_frame: typical distance of two frames, in columns; a few at most.
    """
    columns = ceil(px_per_frame) if px_per_frame > _NONE_EMPTY_PX else 0
    out = level.copy()
    for shift in range(1, min(columns, len(level) - 1) + 1):
        later = out[shift:]
        np.copyto(later, level[:-shift], where=later == 0)
    return out


def gap_runs(marks: LaneMarks, edges_ns: NDArray[np.int64]) -> MarkRuns:
    """Columns that gaps cover, widened so that none is under `MIN_MARK_PX`; what then touches is one run."""
    gaps, width = marks.gaps, len(edges_ns) - 1
    first = int(gaps.end_ns.searchsorted(edges_ns[0], side="right"))
    stop = int(gaps.start_ns.searchsorted(edges_ns[-1], side="left"))
    if first >= stop:
        return MarkRuns.none()
    if stop - first > width:  # more gaps than columns: it is quicker to ask each column
        begun = gaps.start_ns.searchsorted(edges_ns[1:], side="left")
        ended = gaps.end_ns.searchsorted(edges_ns[:-1], side="right")
        runs = runs_of(begun > ended)
        head, tail = ended[runs.origins], begun[runs.lasts]
    else:
        # Columns k with start < edges[k + 1] and end > edges[k].
        origins = edges_ns[1:].searchsorted(gaps.start_ns[first:stop], side="right")
        ends = edges_ns[:-1].searchsorted(gaps.end_ns[first:stop], side="left")
        heads = np.flatnonzero(np.concatenate([[True], origins[1:] > np.maximum.accumulate(ends)[:-1]]))
        tails = np.append(heads[1:], stop - first) - 1
        runs = widened(origins[heads], ends[tails], width)
        head = first + heads[np.searchsorted(origins[heads], runs.origins)]
        tail = first + tails[np.searchsorted(ends[tails], runs.lasts + 1)] + 1
    return MarkRuns(
        runs.firsts,
        runs.stops,
        gaps.lost_before[tail] - gaps.lost_before[head],
        (tail - head).astype(np.int64),
        gaps.severe_before[tail] > gaps.severe_before[head],
    )


def doubled_runs(marks: LaneMarks, edges_ns: NDArray[np.int64]) -> MarkRuns:
    """Columns with timestamps that several frames share; the count is the largest number that share one."""
    if len(marks.disorder.doubled_ns) == 0:
        return MarkRuns.none()
    at = marks.disorder.doubled_ns.searchsorted(edges_ns)
    runs = runs_of(np.diff(at) > 0)
    if len(runs.firsts) == 0:
        return MarkRuns.none()
    first, stop = at[runs.origins], at[runs.lasts + 1]
    pairs = np.stack([first, stop], axis=1).reshape(-1)
    counts = np.maximum.reduceat(np.append(marks.disorder.doubled_counts, 0), pairs)[::2]
    return MarkRuns(runs.firsts, runs.stops, counts, stop - first, np.zeros(len(first), np.bool_))


def reversed_runs(marks: LaneMarks, edges_ns: NDArray[np.int64]) -> MarkRuns:
    """Columns with frames that arrived out of order."""
    if len(marks.disorder.late_ns) == 0:
        return MarkRuns.none()
    at = marks.disorder.late_ns.searchsorted(edges_ns)
    runs = runs_of(np.diff(at) > 0)
    count = at[runs.lasts + 1] - at[runs.origins]
    return MarkRuns(runs.firsts, runs.stops, count, count, np.zeros(len(count), np.bool_))


def columns_with(stamps_ns: NDArray[np.int64], edges_ns: NDArray[np.int64]) -> NDArray[np.bool_] | None:
    """bool[m]: columns that hold one of some timestamps; None where none does."""
    found = np.diff(stamps_ns.searchsorted(edges_ns)) > 0 if len(stamps_ns) else None
    return found if found is not None and found.any() else None


@dataclass(frozen=True, slots=True, eq=False)
class ColumnRuns:
    """First and stop column as drawn; first and last column as covered before widening."""

    firsts: NDArray[np.intp]
    stops: NDArray[np.intp]
    origins: NDArray[np.intp]
    lasts: NDArray[np.intp]


def runs_of(covered: NDArray[np.bool_]) -> ColumnRuns:
    """Runs of covered columns, widened to `MIN_MARK_PX` and merged where they then touch."""
    framed = np.zeros(len(covered) + 2, np.bool_)
    framed[1:-1] = covered
    steps = np.flatnonzero(framed[1:] != framed[:-1])
    return widened(steps[::2], steps[1::2], len(covered))


def widened(origins: NDArray[np.intp], ends: NDArray[np.intp], width: int) -> ColumnRuns:
    """The same of runs that are known already, ascending and apart.

    Args:
        origins: first column of each.
        ends: one past its last column.
        width: columns there are.
    """
    if len(origins) == 0:
        return ColumnRuns(origins, origins, origins, origins)
    stops = np.minimum(np.maximum(ends, origins + MIN_MARK_PX), width)
    firsts = np.maximum(np.minimum(origins, stops - MIN_MARK_PX), 0)
    reach = np.maximum.accumulate(stops)
    heads = np.flatnonzero(np.concatenate([[True], firsts[1:] > reach[:-1]]))
    tails = np.append(heads[1:], len(origins)) - 1
    return ColumnRuns(firsts[heads], reach[tails], origins[heads], ends[tails] - 1)
