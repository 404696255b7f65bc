from __future__ import annotations

import numpy as np
import pytest

from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.count_grid import SHORT, CountGrid
from hfviewer.panels.timeline.density import frames_per_column
from tests.panels.fakes import START_NS

FRAMES, PERIOD_NS = 300_000, 1_000_000
SPAN = TimeWindow(START_NS, START_NS + FRAMES * PERIOD_NS)


def table() -> np.ndarray:
    """Jittery, with a hole of a tenth of the recording."""
    rng = np.random.default_rng(3)
    stamps_ns = START_NS + PERIOD_NS * np.arange(FRAMES, dtype=np.int64) + rng.integers(0, 300_000, FRAMES)
    return np.delete(stamps_ns, slice(FRAMES // 2, FRAMES // 2 + FRAMES // 10))


@pytest.mark.parametrize("share", [1.0, 0.7, 0.4])
def test_counts_of_wide_columns_are_off_by_next_to_nothing(share: float) -> None:
    stamps_ns = table()
    grid = CountGrid.of(stamps_ns, SPAN)
    assert grid is not None
    stop_ns = START_NS + int(SPAN.duration_ns * share)
    edges_ns = TimeAxis.fitting(SPAN, 1000).showing(START_NS, stop_ns).edges_ns()
    quick, exact = grid.counts(edges_ns), frames_per_column(stamps_ns, edges_ns)
    assert quick is not None
    away_from_edges = np.abs(quick - exact)
    # Where the hole begins and ends lies inside a bin; the hole's own mark is drawn there.
    assert np.sort(away_from_edges)[-3] <= 2
    assert abs(int(quick.sum()) - int(exact.sum())) <= 2
    assert ((quick == 0) == (exact == 0)).mean() > 0.998


def test_zoomed_in_beyond_the_recording_and_in_short_streams_the_table_is_asked() -> None:
    stamps_ns = table()
    grid = CountGrid.of(stamps_ns, SPAN)
    assert grid is not None
    axis = TimeAxis.fitting(SPAN, 1000)
    near = axis.showing(START_NS, START_NS + SPAN.duration_ns // 20).edges_ns()
    beyond = axis.showing(START_NS - SPAN.duration_ns // 30, SPAN.stop_ns).edges_ns()
    assert grid.counts(near) is None
    assert grid.counts(beyond) is None
    for edges_ns in (near, beyond):
        exact = frames_per_column(stamps_ns, edges_ns)
        assert frames_per_column(stamps_ns, edges_ns, None, grid).tolist() == exact.tolist()
    assert CountGrid.of(stamps_ns[: SHORT - 1], SPAN) is None
    sparse = CountGrid.of(stamps_ns[::5], SPAN)
    assert sparse is not None
    fine = axis.resized(4000).edges_ns()
    assert sparse.counts(fine) is None  # 13 frames a column: one more would show


def test_the_ends_of_int64_are_left_to_the_table() -> None:
    late = 2**63 - 1 - np.arange(2 * SHORT, dtype=np.int64)[::-1]
    assert CountGrid.of(late, TimeWindow(int(late[0]), 2**63)) is None
    early = -(2**63) + np.arange(2 * SHORT, dtype=np.int64)
    assert CountGrid.of(early, TimeWindow(int(early[0]), int(early[-1]) + 1)) is None
