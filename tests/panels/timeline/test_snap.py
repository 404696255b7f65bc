from __future__ import annotations

import numpy as np

from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.snap import SNAP_PX, snapped

STAMPS_NS = np.array([0, 100_000, 200_000, 700_000, 800_000], np.int64)
AXIS = TimeAxis.fitting(TimeWindow(0, 1_000_000), 1000)  # a microsecond a column


def test_near_a_frame_the_frame_is_meant() -> None:
    for column in range(100 - SNAP_PX, 100 + SNAP_PX + 1):
        assert snapped(STAMPS_NS, AXIS, column, 7) == (100_000, 1)


def test_in_a_gap_and_far_from_frames_the_pointer_is_free() -> None:
    for column in (150, 450, 100 + SNAP_PX + 1):
        assert snapped(STAMPS_NS, AXIS, column, 7) == (7, None)
    assert snapped(np.empty(0, np.int64), AXIS, 5, 7) == (7, None)


def test_where_frames_stand_closer_than_columns_it_always_snaps() -> None:
    dense = np.arange(0, 1_000_000, 100, dtype=np.int64)
    for column in (0, 333, 999):
        stamp_ns, index = snapped(dense, AXIS, column, 7)
        assert AXIS.column_at(stamp_ns) == column
        assert index is not None
        assert dense[index] == stamp_ns
