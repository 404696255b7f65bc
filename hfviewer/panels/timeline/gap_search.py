"""The next gap in either direction, over all lanes that are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.lane import Lane
from hfviewer.quality.gaps import Gap

_GAP_SHARE = 3  # the view is so many times as long as what it frames
_PERIODS = 30  # or holds so many frames
_SHARE_OF_ALL = 50  # an instant of a stream without a period gets this part of the recording


@dataclass(frozen=True, slots=True)
class FoundGap:
    """A gap of a lane.

    Args:
        lane: that it lies in.
        gap: itself.
        number: its place among the lane's gaps, from 1.
    """

    lane: Lane
    gap: Gap
    number: int


def gap_beyond(lanes: Sequence[Lane], position_ns: int, row: int | None, *, forward: bool) -> FoundGap | None:
    """The nearest gap in a direction; gaps of several lanes that begin together come one after the other.

    Args:
        lanes: from top to bottom.
        position_ns: of the playhead.
        row: the lane that it stands for, in focus; None: none.
        forward: True for later ones.
    """
    best: tuple[int, int] | None = None
    found: FoundGap | None = None
    here = (position_ns, -1 if row is None else row)
    for at, lane in enumerate(lanes):
        starts_ns = lane.marks.gaps.start_ns
        # At the playhead's own time the row decides whether a gap lies before or behind.
        beyond = (position_ns, at) > here if forward else (position_ns, at) >= here
        index = int(starts_ns.searchsorted(position_ns, side="left" if beyond else "right"))
        index -= not forward
        if not 0 <= index < len(starts_ns):
            continue
        key = (int(starts_ns[index]), at)
        if best is None or (key < best) is forward:
            best, found = key, FoundGap(lane, lane.marks.gaps[index], index + 1)
    return found


def framing(axis: TimeAxis, start_ns: int, end_ns: int, period_ns: int | None) -> TimeAxis:
    """A view with a span in its middle and enough around it to see that it is one.

    Args:
        axis: of the view.
        start_ns: of the span.
        end_ns: of the span, at or after its start.
        period_ns: typical interval of its stream; None where there is none.
    """
    least_ns = axis.span.duration_ns // _SHARE_OF_ALL if period_ns is None else _PERIODS * period_ns
    duration_ns = max(_GAP_SHARE * (end_ns - start_ns), least_ns)
    first_ns = (start_ns + end_ns) // 2 - duration_ns // 2
    return axis.showing(first_ns, first_ns + duration_ns)
