"""What a lane must never hide: lost frames, doubled timestamps, frames out of order.

Found once per stream from its tables alone, in pieces small enough to do between two events of the window;
the view then only bisects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.window import TimeWindow

PIECE = 200_000  # frames looked at in one go: a few milliseconds
MAX_JUMP = 2**31  # a counter that leaps farther was reset or is damaged: no evidence of loss
_NEIGHBOURS = 16  # how far away a frame that only arrived late may stand


@dataclass(frozen=True, eq=False)
class LaneMarks:
    """Marks of one stream, each table sorted by time.

    Args:
        gap_starts_ns: int64[g], timestamp of the last frame before each gap.
        gap_ends_ns: int64[g], timestamp of the first frame after it.
        gap_lost: int64[g], frames lost in it, at least 1.
        gap_by_sequence: bool[g]; True where the sequence numbers say so, False where only the interval does.
        doubled_ns: int64[d], timestamps that several frames share.
        doubled_counts: int64[d], how many share it, at least 2.
        reversed_ns: int64[r], timestamps of frames that come later in time but earlier by sequence.
    """

    gap_starts_ns: NDArray[np.int64]
    gap_ends_ns: NDArray[np.int64]
    gap_lost: NDArray[np.int64]
    gap_by_sequence: NDArray[np.bool_]
    doubled_ns: NDArray[np.int64]
    doubled_counts: NDArray[np.int64]
    reversed_ns: NDArray[np.int64]

    @classmethod
    def none(cls) -> LaneMarks:
        """A stream without any."""
        empty = np.empty(0, np.int64)
        return cls(empty, empty, empty, np.empty(0, np.bool_), empty, empty, empty)

    @classmethod
    def joined(cls, pieces: Sequence[LaneMarks]) -> LaneMarks:
        """The marks of consecutive pieces of one stream."""
        if not pieces:
            return cls.none()
        doubled_ns = np.concatenate([p.doubled_ns for p in pieces])
        counts = np.concatenate([p.doubled_counts for p in pieces])
        # A stamp shared across the border of two pieces was counted once in each.
        first = np.flatnonzero(np.diff(doubled_ns, prepend=doubled_ns[:1] - 1))
        if len(first):
            merged = np.add.reduceat(counts, first)
            merged -= np.diff(first, append=len(counts)) - 1
            doubled_ns, counts = doubled_ns[first], merged
        return cls(
            np.concatenate([p.gap_starts_ns for p in pieces]),
            np.concatenate([p.gap_ends_ns for p in pieces]),
            np.concatenate([p.gap_lost for p in pieces]),
            np.concatenate([p.gap_by_sequence for p in pieces]),
            doubled_ns,
            counts,
            np.concatenate([p.reversed_ns for p in pieces]),
        )

    @property
    def is_empty(self) -> bool:
        return not (len(self.gap_lost) or len(self.doubled_ns) or len(self.reversed_ns))

    @cached_property
    def lost_before(self) -> NDArray[np.int64]:
        """int64[g + 1]: frames lost in all gaps before each gap; the last entry is the sum."""
        return _running(self.gap_lost)

    @cached_property
    def severe_before(self) -> NDArray[np.int64]:
        """int64[g + 1]: how many gaps before each one are errors: several frames, or known by sequence."""
        return _running((self.gap_by_sequence | (self.gap_lost >= 2)).astype(np.int64))

    def gap_at(self, time_ns: int) -> int | None:
        """Index of the gap that a time lies strictly inside of."""
        index = int(self.gap_starts_ns.searchsorted(time_ns, side="left")) - 1
        return index if index >= 0 and time_ns < self.gap_ends_ns[index] else None


def find_marks(
    timestamps_ns: NDArray[np.int64],
    sequence: NDArray[np.int64],
    *,
    period_ns: int | None,
    span: TimeWindow,
) -> Iterator[LaneMarks]:
    """Look through a stream, piece by piece; `LaneMarks.joined` makes one of them.

    Args:
        timestamps_ns: int64[n], non-decreasing.
        sequence: int64[n], the sensor's counter or the order of arrival.
        period_ns: typical interval of a regular stream; None where frames arrive irregularly, whose intervals
            then say nothing.
        span: of the recording. Intervals that reach beyond it come from a broken stamp and are left out.
    """
    for first in range(0, len(timestamps_ns) - 1, PIECE):
        yield _marks_of(timestamps_ns, sequence, first, period_ns=period_ns, span=span)


def _marks_of(
    timestamps_ns: NDArray[np.int64],
    sequence: NDArray[np.int64],
    first: int,
    *,
    period_ns: int | None,
    span: TimeWindow,
) -> LaneMarks:
    here_ns = timestamps_ns[first : first + PIECE + 1]
    starts_ns, ends_ns = here_ns[:-1], here_ns[1:]
    # Unsigned: the difference of any two int64 fits, even between a stamp of 1677 and one of 2262.
    intervals = (ends_ns - starts_ns).view(np.uint64)
    jumps = np.diff(sequence[first : first + PIECE + 1])

    late = np.zeros(len(intervals), np.bool_)
    if period_ns is not None and period_ns > 0:
        late = intervals > np.uint64(period_ns + period_ns // 2)
    leaps = (jumps > 1) & (jumps <= MAX_JUMP)
    at = np.flatnonzero(late | leaps)
    at = at[(starts_ns[at] >= span.start_ns) & (ends_ns[at] < span.stop_ns)]

    by_sequence = np.zeros(len(at), np.int64)
    leaping = np.flatnonzero(leaps[at])
    by_sequence[leaping] = _missing_numbers(sequence, first + at[leaping])
    lost = by_sequence.copy()
    by_interval = np.flatnonzero((by_sequence == 0) & late[at])
    if period_ns is not None and len(by_interval):
        whole, rest = np.divmod(intervals[at[by_interval]], np.uint64(period_ns))
        rounded = whole + (rest * np.uint64(2) >= np.uint64(period_ns))
        lost[by_interval] = np.minimum(rounded, np.uint64(2**62)).astype(np.int64) - 1
    kept = lost > 0
    at, lost, by_sequence = at[kept], lost[kept], by_sequence[kept]

    doubled_ns, counts = np.unique(starts_ns[intervals == 0], return_counts=True)
    behind = np.flatnonzero((jumps < 0) & (jumps >= -_NEIGHBOURS))
    return LaneMarks(
        starts_ns[at], ends_ns[at], lost, by_sequence > 0, doubled_ns, counts + 1, ends_ns[behind]
    )


def _missing_numbers(sequence: NDArray[np.int64], at: NDArray[np.intp]) -> NDArray[np.int64]:
    """How many numbers between ``sequence[at]`` and the next one no frame nearby carries.

    A frame that merely arrived late leaves a leap behind as well, but its number is found a few frames on.
    """
    low, high = sequence[at], sequence[at + 1]
    missing: NDArray[np.int64] = high - low - 1
    for offset in range(-_NEIGHBOURS, _NEIGHBOURS + 2):
        near = sequence[np.clip(at + offset, 0, len(sequence) - 1)]
        missing -= (near > low) & (near < high)
    return np.maximum(missing, np.int64(0))


def _running(values: NDArray[np.int64]) -> NDArray[np.int64]:
    total = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=total[1:])
    return total
