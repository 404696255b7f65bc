"""What a lane must never hide: lost frames, doubled timestamps, frames out of order.

Found once per stream from its tables alone, in pieces small enough to do between two events of the window;
the view then only bisects. What counts as a gap or as disorder is decided in `hfviewer.quality`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hfviewer.quality.gap import Gaps
from hfviewer.quality.order import Disorder
from hfviewer.quality.stream_timing import StreamTiming

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


def find_marks(seen: StreamTiming) -> Iterator[LaneMarks]:
    """Look through a stream, piece by piece; `LaneMarks.joined` makes one of them."""
    for first in range(0, len(seen.timestamps_ns) - 1, PIECE):
        among = range(first, first + PIECE)
        yield LaneMarks(seen.gaps.among(among), seen.disorder(among))
