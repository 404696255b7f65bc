from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from hfviewer.core.errors import FrameError
from hfviewer.core.stream import StreamKind
from hfviewer.panels.theme import Theme
from hfviewer.panels.touch import TouchPanel, summary_of
from hfviewer.panels.touch_data import MOST_ROWS, overview_of, read_overview, touch_grid
from hfviewer.panels.touch_layout import cell_name, grid_cells, hand_cells
from tests.panels.fakes import FakeStream
from tests.panels.making import NAME, colour_at, describe, move_pointer, result, samples, show, table


class Glove(FakeStream):
    """Cell (5, 13) is touched in every tenth frame; every cell rests at its own number."""

    def __init__(self, count: int) -> None:
        super().__init__(NAME, table(count), kind=StreamKind.SIGNAL)

    def samples(self, start_ns: int, stop_ns: int) -> tuple[np.ndarray, np.ndarray]:
        stamps = self.timestamps_ns
        chosen = np.flatnonzero((stamps >= start_ns) & (stamps < stop_ns))
        rows = np.tile(np.arange(256.0), (len(chosen), 1))
        rows[chosen % 10 == 0, 5 * 16 + 13] += 700
        return stamps[chosen], rows


@pytest.fixture
def panel(qtbot: QtBot) -> TouchPanel:
    stamps = table(20)
    made = TouchPanel(describe(StreamKind.SIGNAL, stamps), stamps, int(stamps[0]), Theme())
    show(qtbot, made, 480, 400)
    made.set_playhead(int(stamps[0]))
    return made


def test_a_hand_has_195_cells_that_do_not_overlap() -> None:
    cells = hand_cells(left=False)
    assert len(cells.rows) == 195
    middles = cells.corners.mean(axis=1)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2) + 99 * np.eye(195)
    assert apart.min() > 0.5


def test_a_left_hand_is_the_mirror_of_a_right_one() -> None:
    right, left = hand_cells(left=False), hand_cells(left=True)
    mirrored = right.corners.copy()
    mirrored[..., 0] = right.size[0] - mirrored[..., 0]
    assert np.allclose(mirrored, left.corners)
    assert right.corners[right.rows == 2].mean(axis=(0, 1))[0] < right.size[0] / 2  # the thumb


def test_fingers_point_up_and_their_tips_are_on_top() -> None:
    cells = hand_cells(left=False)
    middle = cells.rows == 8
    heights = cells.corners[middle].mean(axis=1)[:, 1]
    assert np.all(np.diff(heights) < 0)  # from the heel, column 3, to the tip, column 15
    assert cell_name(8, 15) == "middle, tip"
    assert cell_name(2, 12) == "thumb, root"
    assert cell_name(15, 3) == "palm below little"


def test_the_resting_value_is_the_median_and_the_scale_fits_the_touches() -> None:
    found = read_overview(Glove(300))
    assert found is not None
    assert found.baseline[5, 13] == 93
    assert found.baseline[3, 4] == 52
    assert found.top == 1000.0


def test_of_a_long_recording_a_sample_is_enough() -> None:
    found = read_overview(Glove(3 * MOST_ROWS))
    assert found is not None
    assert (found.rows, found.whole) == (MOST_ROWS, 3 * MOST_ROWS)
    assert found.baseline[5, 13] == 93


def test_a_stream_that_cannot_be_read_has_no_overview() -> None:
    assert read_overview(FakeStream(NAME, table(3), kind=StreamKind.SIGNAL)) is None
    assert read_overview(FakeStream(NAME, [], kind=StreamKind.SIGNAL)) is None


@pytest.mark.parametrize("count", [0, 255, 512])
def test_other_numbers_of_values_are_no_touch_map(count: int) -> None:
    with pytest.raises(FrameError):
        touch_grid(samples(np.zeros(count)))


def test_what_is_shown_is_above_the_resting_value(panel: TouchPanel) -> None:
    values = np.arange(256.0)
    values[5 * 16 + 13] += 700
    panel.show_result(result(samples(values)))
    assert not panel.subtracts  # nothing is known of the recording yet
    assert panel.scale_top == 4000
    panel._overview.get(lambda: read_overview(Glove(100)))
    panel.show_result(result(samples(values), generation=2))
    shown = panel.shown_values()
    assert shown is not None
    assert shown[5, 13] == 700
    assert shown[9, 9] == 0
    panel.set_above_rest(False)
    shown = panel.shown_values()
    assert shown is not None
    assert shown[9, 9] == 153


def test_the_pointer_reads_the_cell_under_it(panel: TouchPanel) -> None:
    values = np.arange(256.0)
    panel.show_result(result(samples(values)))
    scale, left, top = panel.canvas.placed()
    cells = panel.canvas.cells
    number = int(np.flatnonzero((cells.rows == 11) & (cells.columns == 14))[0])
    x, y = cells.corners[number].mean(axis=0) * scale + (left, top)
    move_pointer(panel.canvas, QPoint(round(x), round(y)))
    assert panel.canvas.cursor_cell == (11, 14)
    assert panel.read_out().startswith("ring, 2nd from tip · row 11, column 14 · 190")
    move_pointer(panel.canvas, QPoint(1, 200))
    assert panel.read_out() == ""


def test_the_grid_shows_every_cell_where_it_is_stored(panel: TouchPanel) -> None:
    values = np.zeros(256)
    values[5 * 16 + 13] = 4000
    panel.show_result(result(samples(values)))
    panel.set_on_hand(False)
    scale, left, top = panel.canvas.placed()
    red = colour_at(panel.canvas, round(left + 13.5 * scale), round(top + 5.5 * scale))
    blue = colour_at(panel.canvas, round(left + 12.5 * scale), round(top + 6.5 * scale))
    assert red[0] > 100 > red[2]
    assert blue[0] < 100
    assert len(grid_cells().rows) == 195


def test_total_and_strongest_leave_out_what_is_below_rest() -> None:
    values = np.full((16, 16), -5, np.float32)
    values[0, 0] = 999  # no live cell
    values[8, 15], values[4, 5] = 30, 12
    found = summary_of(values)
    assert (found.total, found.most, found.where) == (42.0, 30.0, "middle, tip")


def test_a_baseline_of_holes_is_no_number_anywhere() -> None:
    rows = np.full((4, 256), np.nan)
    found = overview_of(rows, 4)
    assert np.isfinite(found.baseline).all()
    assert found.top == 100


def test_how_it_is_looked_at_is_part_of_a_layout(panel: TouchPanel) -> None:
    panel.set_on_hand(False)
    panel.set_above_rest(False)
    panel.set_top(500.0)
    state = panel.view_state()
    panel.reset_view()
    panel.restore_view_state(state)
    assert (panel.canvas.on_hand, panel.scale_top) == (False, 500.0)
    panel.restore_view_state({"top": "high", "hand": None})
    assert panel.canvas.on_hand
    assert panel.scale_top == 4000
