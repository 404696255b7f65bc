"""A lane: one stream's tables and marks, ready to be drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.recording import Recording, Stream
from hfviewer.core.stream import StreamKind
from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline.count_grid import CountGrid
from hfviewer.panels.timeline.density import coarse_table
from hfviewer.panels.timeline.marks import LaneMarks, find_marks
from hfviewer.quality.stream_timing import StreamTiming

_KEYFRAME = np.uint16(1)  # bit 0 of a frame's flags


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """One stream on the timeline.

    Args:
        name: of the stream.
        kind: gives icon and colour.
        timestamps_ns: int64[n].
        period_ns: typical interval; None with fewer than two different stamps.
        regular: False where frames arrive irregularly, so that a long interval means nothing.
        marks: empty until the stream was looked through.
        coarse_ns: `density.coarse_table`, from then on.
        grid: for views of most of a long stream, from then on.
    """

    name: str
    kind: StreamKind
    timestamps_ns: NDArray[np.int64]
    period_ns: int | None
    regular: bool
    marks: LaneMarks
    coarse_ns: NDArray[np.int64] | None = None
    grid: CountGrid | None = None

    @classmethod
    def of(cls, stream: Stream) -> Lane:
        """The lane of a stream, not yet looked through."""
        description = stream.description
        period_ns = description.period_ns or timing.period_ns(stream.timestamps_ns)
        regular = description.rate_hz is not None and period_ns is not None
        return cls(
            description.name, description.kind, stream.timestamps_ns, period_ns, regular, LaneMarks.none()
        )

    @property
    def shares_stamps(self) -> bool:
        """True where several rows of one message share a stamp as a rule, as those of a radar do."""
        return self.marks.shares_stamps(len(self.timestamps_ns))

    def px_per_frame(self, ns_per_px: float) -> float:
        """Typical distance of two frames on screen; infinite for a stream of one frame."""
        return float("inf") if self.period_ns is None else self.period_ns / ns_per_px

    def hold_at(self, playhead_ns: int) -> TimeWindow | None:
        """How long the frame under the playhead is on screen.

        None where there is none, and where the next one is missing: that time belongs to the gap.
        Gaps are known once the lane was looked through.
        """
        index = timing.index_at(self.timestamps_ns, playhead_ns)
        if index is None:
            return None
        start_ns = int(self.timestamps_ns[index])
        if index + 1 < len(self.timestamps_ns):
            stop_ns = int(self.timestamps_ns[index + 1])
        elif self.period_ns is not None:
            stop_ns = start_ns + self.period_ns
        else:
            return None
        return None if self.marks.gaps.follow(index) else TimeWindow(start_ns, stop_ns)


def lanes_of(recording: Recording) -> list[Lane]:
    """A lane for every stream that was recorded, in its order; annotations have tracks of their own."""
    streams = recording.streams.values()
    return [Lane.of(stream) for stream in streams if stream.description.kind is not StreamKind.ANNOTATION]


def keyframes(stream: Stream) -> NDArray[np.bool_] | None:
    """bool[n]: frames that decoding may start at; None where every frame is one, or none is known to be."""
    keys = (stream.flags & _KEYFRAME) != 0
    return keys if keys.any() and not keys.all() else None


def look_through(
    lanes: Sequence[Lane], recording: Recording, span: TimeWindow
) -> Iterator[tuple[int, Lane] | None]:
    """Find the marks of all lanes in steps of a few milliseconds.

    Yields:
        None while a lane is under way; its index and the lane with its marks when it is done.
    """
    for index, lane in enumerate(lanes):
        pieces = []
        stream = recording.streams[lane.name]
        for piece in find_marks(StreamTiming.of(stream, span), keyframes(stream)):
            pieces.append(piece)
            yield None
        table_ns = lane.timestamps_ns
        yield (
            index,
            replace(
                lane,
                marks=LaneMarks.joined(pieces),
                coarse_ns=coarse_table(table_ns),
                grid=CountGrid.of(table_ns, span),
            ),
        )
