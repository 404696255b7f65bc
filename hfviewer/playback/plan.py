"""What to load, as pure functions: frames under the playhead, and frames worth reading ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.window import TimeWindow

# Time that is worth having ready, at normal speed; behind, enough for a few steps back.
AHEAD_NS = 600_000_000
BEHIND_NS = 150_000_000
MOST_FRAMES_AHEAD = 24


@dataclass(frozen=True, slots=True)
class Wanted:
    """A frame that should be ready.

    Args:
        stream: name.
        index: in its table.
        distance_ns: how far its timestamp is from the playhead.
    """

    stream: str
    index: int
    distance_ns: int


def frames_around(
    tables_ns: Mapping[str, NDArray[np.int64]], playhead_ns: int, speed: float, *, playing: bool
) -> Sequence[Wanted]:
    """Frames to read ahead, most wanted first: ahead in the direction of travel, then behind.

    Args:
        tables_ns: timestamps of each visible stream.
        playhead_ns: recording clock.
        speed: signed; a faster playhead looks farther.
        playing: False while paused: then both directions count alike, a step may go either way.
    """
    reach_ns = round(AHEAD_NS * max(1.0, min(8.0, abs(speed)))) if playing else BEHIND_NS * 2
    ahead_ns, behind_ns = (reach_ns, BEHIND_NS) if speed > 0 else (BEHIND_NS, reach_ns)
    if not playing:
        ahead_ns = behind_ns = reach_ns
    wanted: list[Wanted] = []
    for name, table in tables_ns.items():
        under = timing.index_at(table, playhead_ns)
        span = TimeWindow(playhead_ns - behind_ns, playhead_ns + ahead_ns + 1)
        indices = timing.indices_in(table, span)
        # Where frames are rarer than the reach, the neighbours still count: a step goes there.
        first = min(indices.start, max(0, (under or 0) - 1))
        stop = max(indices.stop, min(len(table), (under or 0) + 2))
        here = under or 0
        # However many frames share the reach, no more of them than this are looked at.
        first, stop = max(first, here - MOST_FRAMES_AHEAD), min(stop, here + MOST_FRAMES_AHEAD + 1)
        near = sorted(range(first, stop), key=lambda i: abs(i - here))[:MOST_FRAMES_AHEAD]
        for index in near:
            if index != under:
                offset_ns = int(table[index]) - playhead_ns
                forward = (offset_ns > 0) == (speed > 0)
                weight = 1 if forward or not playing else 3
                wanted.append(Wanted(name, index, abs(offset_ns) * weight))
    return sorted(wanted, key=lambda w: w.distance_ns)
