"""Snapping: a time near a frame means that frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.panels.timeline.axis import TimeAxis

SNAP_PX = 8  # how far a frame pulls


def snapped(
    timestamps_ns: NDArray[np.int64], axis: TimeAxis, column: int, free_ns: int
) -> tuple[int, int | None]:
    """The frame that pointing at a column means.

    Args:
        timestamps_ns: int64[n] of the focused stream.
        axis: of the view.
        column: under the pointer.
        free_ns: the time there without snapping.

    Returns:
        A timestamp and the index of its frame; ``free_ns`` and None where no frame is near, as in a gap.
    """
    middle_ns = (axis.time_at(column) + axis.time_at(column + 1)) // 2
    index = timing.index_nearest(timestamps_ns, middle_ns)
    if index is None:
        return free_ns, None
    stamp_ns = int(timestamps_ns[index])
    if abs(axis.column_at(stamp_ns) - column) > SNAP_PX:
        return free_ns, None
    return stamp_ns, index
