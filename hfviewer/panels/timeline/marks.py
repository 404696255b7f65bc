"""What a lane must never hide: lost frames, doubled timestamps, frames out of order.

Found once per stream from its tables alone, in pieces small enough to do between two events of the window;
the view then only bisects. What counts as a gap or as disorder is decided in `hfviewer.quality`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hfviewer.quality.gap import Gaps
from hfviewer.quality.order import Disorder
from hfviewer.quality.stream_timing import StreamTiming

LATE_TENTHS = 14  # of a period; as `quality.intervals` has it
PIECE = 200_000  # frames looked at in one go: a few milliseconds


_NONE = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class LaneMarks:
    """Marks of one stream.

    Args:
        gaps: where frames are missing.
        disorder: doubled stamps and frames that arrived in the wrong order.
        late_ns: int64[l], stamps of frames that came long after the one before, though none is missing.
        keys_ns: int64[k], stamps of the frames that decoding may start at, where not every one is.
    """

    gaps: Gaps
    disorder: Disorder
    late_ns: NDArray[np.int64] = field(default_factory=lambda: _NONE)
    keys_ns: NDArray[np.int64] = field(default_factory=lambda: _NONE)

    @classmethod
    def none(cls) -> LaneMarks:
        """A stream without any."""
        return cls(Gaps.none(), Disorder.none())

    @classmethod
    def joined(cls, pieces: Sequence[LaneMarks]) -> LaneMarks:
        """The marks of consecutive pieces of one stream."""
        return cls(
            Gaps.joined([p.gaps for p in pieces]),
            Disorder.joined([p.disorder for p in pieces]),
            np.concatenate([_NONE, *(p.late_ns for p in pieces)]),
            np.concatenate([_NONE, *(p.keys_ns for p in pieces)]),
        )

    def shares_stamps(self, frames: int) -> bool:
        """True where several rows of one message share a stamp as a rule: then that is no fault.

        Args:
            frames: of the stream.
        """
        return 0 < frames <= 3 * self.disorder.repeats

    @property
    def is_empty(self) -> bool:
        found = (self.gaps, self.disorder.doubled_ns, self.disorder.late, self.late_ns, self.keys_ns)
        return not any(len(marks) for marks in found)


def find_marks(seen: StreamTiming, keys: NDArray[np.bool_] | None = None) -> Iterator[LaneMarks]:
    """Look through a stream, piece by piece; `LaneMarks.joined` makes one of them.

    Args:
        seen: how its table is to be read.
        keys: bool[n], frames that decoding may start at; None where every frame is one.
    """
    table_ns = seen.timestamps_ns
    for first in range(0, max(1, len(table_ns) - 1), PIECE):
        among = range(first, first + PIECE)
        gaps = seen.gaps.among(among)
        here_ns = table_ns[first : first + PIECE]
        keys_ns = _NONE if keys is None else here_ns[keys[first : first + PIECE]]
        yield LaneMarks(gaps, seen.disorder(among), _late(seen, gaps, first), keys_ns)


def _late(seen: StreamTiming, gaps: Gaps, first: int) -> NDArray[np.int64]:
    """Stamps of the frames behind long intervals that are no gaps."""
    period_ns, span = seen.gaps.period_ns, seen.gaps.span
    if period_ns is None or seen.clock is not None:
        return _NONE
    here_ns = seen.timestamps_ns[first : first + PIECE + 1]
    # Unsigned: the difference of any two int64 fits.
    intervals = np.diff(here_ns).view(np.uint64)
    at = np.flatnonzero(intervals > np.uint64(period_ns * LATE_TENTHS // 10))
    at = at[~np.isin(first + at, gaps.before)]
    if span is not None:
        at = at[(here_ns[at] >= span.start_ns) & (here_ns[at + 1] < span.stop_ns)]
    return here_ns[at + 1]
