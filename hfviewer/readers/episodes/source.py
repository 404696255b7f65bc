"""What streams of columns are made from, and what their times have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.info import TaskInfo
from hfviewer.readers.episodes.meta_row import MetaRow
from hfviewer.readers.episodes.table import EpisodeTable
from hfviewer.readers.episodes.timeline import Timeline

POPPED = (
    f"Time: {layout.WALL_TIME} of the row in which a new sample was noted; when it was taken is not stored."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Source:
    """What streams of columns are made from.

    Args:
        table: of the episode.
        timeline: when its rows were.
        info: of the task.
        meta: of the episode.
    """

    table: EpisodeTable
    timeline: Timeline
    info: TaskInfo
    meta: MetaRow


def first_of_tick(timeline: Timeline, present: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Of rows that one tick wrote, the first with a sample."""
    rows = np.flatnonzero(present)
    if timeline.slots.shared or len(timeline.slots.rows) <= 1:
        return rows
    _, first = np.unique(timeline.slots.ticks[rows], return_index=True)
    return rows[first]


def host_slot(timeline: Timeline) -> str | None:
    """The slot whose stamps are of the same host clock as those of forces and trajectories."""
    return next((key for key in timeline.times if key.startswith("gripper")), None)
