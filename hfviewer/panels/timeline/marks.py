"""What a lane must never hide: lost frames, doubled timestamps, frames out of order.

Found once per stream from its tables alone, in pieces small enough to do between two events of the window;
the view then only bisects. What counts as a gap or as disorder is decided in `hfviewer.quality`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.window import TimeWindow
from hfviewer.quality.gaps import GapFinder, Gaps
from hfviewer.quality.order import Disorder, find_disorder

PIECE = 200_000  # frames looked at in one go: a few milliseconds


@dataclass(frozen=True, slots=True, eq=False)
class LaneMarks:
    """Marks of one stream.

    Args:
        gaps: where frames are missing.
        disorder: doubled stamps and late frames.
    """

    gaps: Gaps
    disorder: Disorder

    @classmethod
    def none(cls) -> LaneMarks:
        """A stream without any."""
        return cls(Gaps.none(), Disorder.none())

    @classmethod
    def joined(cls, pieces: Sequence[LaneMarks]) -> LaneMarks:
        """The marks of consecutive pieces of one stream."""
        return cls(Gaps.joined([p.gaps for p in pieces]), Disorder.joined([p.disorder for p in pieces]))

    @property
    def is_empty(self) -> bool:
        return not (len(self.gaps) or len(self.disorder.doubled_ns) or len(self.disorder.late))


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
    finder = GapFinder(timestamps_ns, sequence, period_ns, span=span)
    for first in range(0, len(timestamps_ns) - 1, PIECE):
        among = range(first, first + PIECE)
        disorder = find_disorder(
            timestamps_ns, sequence, finder.typical_ns, regular=period_ns is not None, among=among
        )
        yield LaneMarks(finder.among(among), disorder)
