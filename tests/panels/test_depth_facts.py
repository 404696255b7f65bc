"""What a person must be able to rely on when reading depth by its colours."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from hfviewer.core.depth import DepthScale, log12_from_millimetres
from hfviewer.core.stream import StreamKind
from hfviewer.panels.depth import DepthPanel
from hfviewer.panels.depth_colour import RECORDER_COLOURS, ColourMap, DepthColours, colour_table
from hfviewer.panels.depth_measure import DepthSurvey
from hfviewer.panels.theme import Theme
from tests.panels.making import START_NS, depth, describe, result, show, table

STAMPS = table(10)
LOG12 = DepthScale(log12=True)


@pytest.fixture
def panel(qtbot: QtBot) -> DepthPanel:
    made = DepthPanel(describe(StreamKind.DEPTH, STAMPS), STAMPS, START_NS, Theme())
    made.canvas.set_grid(False)
    show(qtbot, made, 804, 632)
    made.set_playhead(START_NS)
    return made


def colour_of(panel: DepthPanel, column: int, row: int) -> int:
    picture = panel.picture_native()
    assert picture is not None
    return picture.pixel(column, row)


def scene() -> NDArray[np.uint16]:
    """0.5 to 4.5 m, with a pixel of exactly 2 m."""
    stored = np.tile(np.linspace(500, 4500, 80).astype(np.uint16), (60, 1))
    stored[30, 40] = 2000
    return stored


def test_the_two_metre_pixel_keeps_its_colour_when_a_spike_comes(panel: DepthPanel) -> None:
    panel.show_result(result(depth(scene()), generation=1))
    before = colour_of(panel, 40, 30)
    spiked = scene()
    spiked[10:14, 10:14] = 12_000
    for generation in range(2, 5):
        panel.show_result(result(depth(spiked), generation=generation))
        assert colour_of(panel, 40, 30) == before
    assert colour_of(panel, 12, 12) == int(colour_table(ColourMap.TURBO)[255])


def test_the_range_of_the_recording_replaces_that_of_the_first_frame_but_never_a_persons(
    panel: DepthPanel,
) -> None:
    assert not panel.is_settled
    panel.show_result(result(depth(scene())))
    panel.set_survey(DepthSurvey(800, 3000, 700, 3100))
    assert panel.is_settled
    assert panel.colours is not None
    assert (panel.colours.low_mm, panel.colours.high_mm) == (800, 3000)
    panel.set_range_mm(100, 200)
    panel.set_survey(DepthSurvey(800, 3000, 700, 3100))
    assert (panel.colours.low_mm, panel.colours.high_mm) == (100, 200)
    panel.take_recording_range()
    assert (panel.colours.low_mm, panel.colours.high_mm) == (800, 3000)
    panel.set_survey(None)
    assert (panel.colours.low_mm, panel.colours.high_mm) == (800, 3000)


@pytest.mark.parametrize("logarithmic", [False, True])
def test_millimetres_and_twelve_bit_logarithms_of_one_scene_differ_by_quantisation_only(
    logarithmic: bool,
) -> None:
    millimetres = scene()
    codes = log12_from_millimetres(millimetres)
    colours = DepthColours(low_mm=500, high_mm=4500, logarithmic=logarithmic, colour_map=ColourMap.GREY)
    linear = np.take(colours.table(DepthScale()), millimetres) & 0xFF
    log = np.take(colours.table(LOG12), codes) & 0xFF
    assert np.abs(linear.astype(int) - log.astype(int)).max() <= 1
    # A code of the logarithm is 0.1 % wide: 2 mm at 4.5 m.
    assert np.abs(LOG12.exact_mm_table[codes] - millimetres).max() <= 2.2


def test_jet_is_what_the_recorder_shows_code_for_code() -> None:
    codes = np.arange(1, 4096)
    shown = RECORDER_COLOURS.table(LOG12)[codes]
    ramp = (codes * 255 // 4095).astype(np.uint8)
    bgr = cv2.applyColorMap(ramp[:, None], cv2.COLORMAP_JET)[:, 0].astype(np.uint32)
    expected = np.uint32(0xFF000000) | (bgr[:, 2] << 16) | (bgr[:, 1] << 8) | bgr[:, 0]
    np.testing.assert_array_equal(shown, expected)


def test_closed_holes_are_darker_and_still_hold_no_measurement(panel: DepthPanel) -> None:
    stored = np.full((60, 80), 2000, np.uint16)
    stored[30, 40:44] = 0
    stored[0, 0] = 4000
    panel.show_result(result(depth(stored)))
    assert colour_of(panel, 41, 30) == 0
    panel.set_closing(True)
    own, closed = colour_of(panel, 20, 30), colour_of(panel, 41, 30)
    assert closed >> 24 == 0xFF
    assert closed != own
    assert all((closed >> shift & 0xFF) <= (own >> shift & 0xFF) for shift in (0, 8, 16))
    assert panel._said_of((41.0, 30.0)) == "41, 30   no data   code 0"


def test_a_box_is_dragged_with_shift_and_a_line_with_ctrl(panel: DepthPanel) -> None:
    panel.show_result(result(depth(scene())))
    canvas, view = panel.canvas, panel.canvas.view

    def drag(modifier: Qt.KeyboardModifier) -> None:
        start, stop = (QPointF(*view.to_widget(u, v)).toPoint() for u, v in ((10, 10), (30, 20)))
        left = Qt.MouseButton.LeftButton
        QTest.mousePress(canvas, left, modifier, start)
        QTest.mouseMove(canvas, stop)
        QTest.mouseRelease(canvas, left, modifier, stop)

    drag(Qt.KeyboardModifier.ShiftModifier)
    assert panel.box_pixels() == (10, 10, 30, 20)
    assert canvas.is_fitted
    assert not panel.grab().isNull()
    drag(Qt.KeyboardModifier.ControlModifier)
    assert panel.box_pixels() is None
    assert panel.measuring
    assert not panel.grab().isNull()
    panel.clear_measurements()
    assert not panel.measuring
    drag(Qt.KeyboardModifier.NoModifier)
    assert not panel.measuring


def test_the_handles_set_near_and_far_and_a_double_click_puts_them_back(panel: DepthPanel) -> None:
    panel.show_result(result(depth(scene())))
    panel.set_survey(DepthSurvey(600, 4000, 500, 4500))
    bar = panel._scale_bar
    assert bar.isVisible()
    heard: list[tuple[float, float]] = []
    bar.range_changed.connect(lambda low, high: heard.append((low, high)))
    near, far, left = bar._y_of(600), bar._y_of(4000), Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    middle = QPointF(bar.width() / 2, (near + far) / 2).toPoint()
    QTest.mousePress(bar, left, none, QPointF(bar.width() / 2, near).toPoint())
    QTest.mouseMove(bar, middle)
    QTest.mouseRelease(bar, left, none, middle)
    assert panel.colours is not None
    assert heard
    assert 2000 < panel.colours.low_mm < 2600
    assert panel.colours.high_mm == 4000
    bar.reset_requested.emit()
    assert (panel.colours.low_mm, panel.colours.high_mm) == (600, 4000)


def test_the_look_goes_with_the_layout_and_nonsense_is_left_out(panel: DepthPanel, qtbot: QtBot) -> None:
    panel.show_result(result(depth(scene())))
    panel.set_range_mm(700, 900)
    panel.set_logarithmic(True)
    panel.set_colour_map(ColourMap.VIRIDIS)
    state = panel.view_state()
    other = DepthPanel(describe(StreamKind.DEPTH, STAMPS), STAMPS, START_NS, Theme())
    show(qtbot, other)
    other.restore_view_state(state)
    other.set_playhead(START_NS)
    other.show_result(result(depth(scene())))
    assert other.colours == panel.colours
    for odd in (
        {"map": 7, "range_mm": "far", "turn": [9, 9], "log": "yes"},
        {"range_mm": [5, 1]},
        {"range_mm": [float("nan"), 1.0]},
        {"range_mm": [1.0]},
        {},
    ):
        other.restore_view_state(dict(odd))
    assert other.colours is not None
    assert (other.colours.low_mm, other.colours.high_mm) == (700, 900)


def test_another_unit_in_the_middle_of_a_stream_keeps_colours_by_millimetres(panel: DepthPanel) -> None:
    panel.show_result(result(depth(scene()), generation=1))
    before = colour_of(panel, 40, 30)
    halved = replace(depth(scene() * 2, scale=DepthScale(unit_mm=0.5)), index=0)
    panel.show_result(result(halved, generation=2))
    assert colour_of(panel, 40, 30) == before
