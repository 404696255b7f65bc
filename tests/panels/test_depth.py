from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from hfviewer.core.depth import DepthScale
from hfviewer.core.stream import StreamKind
from hfviewer.panels.depth import DepthPanel
from hfviewer.panels.depth_colour import ColourMap, colour_table
from hfviewer.panels.depth_scale import DepthScaleBar
from hfviewer.panels.standing import Standing
from hfviewer.panels.theme import Theme
from tests.panels.making import (
    START_NS,
    colour_at,
    depth,
    describe,
    entries,
    image,
    move_pointer,
    result,
    show,
    table,
)

STAMPS = table(10)


@pytest.fixture
def panel(qtbot: QtBot) -> DepthPanel:
    made = DepthPanel(describe(StreamKind.DEPTH, STAMPS), STAMPS, START_NS, Theme())
    made.canvas.set_grid(False)  # its lines would lie over the colours that are looked at
    show(qtbot, made, 404, 332)
    made.set_playhead(START_NS)
    return made


def halves(near: int, far: int) -> NDArray[np.uint16]:
    stored = np.full((30, 40), near, np.uint16)
    stored[:, 20:] = far
    return stored


def rgb(value: int) -> tuple[int, int, int]:
    return value >> 16 & 0xFF, value >> 8 & 0xFF, value & 0xFF


def test_near_and_far_take_the_ends_of_the_map(panel: DepthPanel) -> None:
    panel.show_result(result(depth(halves(1000, 3000))))
    turbo = colour_table(ColourMap.TURBO)
    assert colour_at(panel.canvas, 60, 40) == rgb(int(turbo[0]))
    assert colour_at(panel.canvas, 220, 40) == rgb(int(turbo[255]))


def test_the_range_stays_that_of_the_first_frame_until_it_is_set(panel: DepthPanel) -> None:
    panel.show_result(result(depth(halves(1000, 3000)), generation=1))
    panel.show_result(result(depth(halves(500, 9000)), generation=2))
    assert panel.colours is not None
    assert (panel.colours.low_mm, panel.colours.high_mm) == (1000, 3000)
    panel.set_range_mm(500, 9000)
    assert (panel.colours.low_mm, panel.colours.high_mm) == (500, 9000)
    for low_mm, high_mm in ((5.0, 5.0), (9.0, 1.0), (float("nan"), 1.0), (0.0, float("inf"))):
        panel.set_range_mm(low_mm, high_mm)
    assert (panel.colours.low_mm, panel.colours.high_mm) == (500, 9000)


def test_a_range_set_before_the_first_frame_is_kept(panel: DepthPanel) -> None:
    panel.set_range_mm(0, 10_000)
    panel.set_colour_map(ColourMap.GREY)
    panel.show_result(result(depth(halves(5000, 5000))))
    assert colour_at(panel.canvas, 60, 40) == (128, 128, 128)


def test_no_data_is_dark_and_of_no_colour_of_the_map(panel: DepthPanel) -> None:
    panel.show_result(result(depth(halves(0, 3000))))
    picture = panel.canvas.grab().toImage()
    hatch = {picture.pixelColor(x, y).name() for x in range(40, 60) for y in range(40, 60)}
    assert len(hatch) > 1
    assert all(QColor(name).value() < 100 for name in hatch)


def test_another_scale_in_the_stream_recolours_by_millimetres(panel: DepthPanel) -> None:
    panel.set_colour_map(ColourMap.GREY)
    panel.set_range_mm(0, 1000)
    panel.show_result(result(depth(halves(500, 500)), generation=1))
    assert colour_at(panel.canvas, 60, 40) == (128, 128, 128)
    panel.show_result(result(depth(halves(500, 500), scale=DepthScale(unit_mm=2)), generation=2))
    assert colour_at(panel.canvas, 60, 40) == (255, 255, 255)


def test_hovering_probes_the_stored_code(qtbot: QtBot, panel: DepthPanel) -> None:
    stored = halves(1000, 3000)
    stored[12, 7] = 1763
    panel.show_result(result(depth(stored)))
    heard: list[str] = []
    panel.read_out_changed.connect(heard.append)
    move_pointer(panel.canvas, QPoint(75, 125))
    assert heard[-1] == "7, 12   1763.0 mm   code 1763"
    assert panel.probed is not None
    assert panel.probed.valid == 25
    assert not panel.grab().isNull()


def test_shrinking_picks_depths_and_never_mixes_them(panel: DepthPanel) -> None:
    panel.set_colour_map(ColourMap.GREY)
    panel.set_range_mm(0, 1000)
    stored = np.zeros((3000, 4000), np.uint16)
    stored[:, ::2] = 1000
    stored[:, 1::2] = 1
    panel.show_result(result(depth(stored)))
    picture = panel.canvas.grab().toImage()
    seen = {picture.pixelColor(x, 60).red() for x in range(20, 280)}
    assert seen <= {0, 255}


@pytest.mark.parametrize("shape", [(1, 1), (1, 2000), (2000, 1)])
def test_odd_sizes_are_painted(panel: DepthPanel, shape: tuple[int, int]) -> None:
    panel.show_result(result(depth(np.full(shape, 800, np.uint16))))
    assert panel.standing is Standing.FRESH
    assert not panel.grab().isNull()


def test_what_is_no_depth_is_unreadable(panel: DepthPanel) -> None:
    panel.show_result(result(image(np.zeros((4, 4), np.uint8)), generation=1))
    assert panel.standing is Standing.UNREADABLE
    panel.show_result(result(depth(np.zeros((0, 0), np.uint16)), generation=2))
    assert panel.standing is Standing.UNREADABLE


def test_every_menu_entry_can_be_used(panel: DepthPanel) -> None:
    panel.show_result(result(depth(halves(1000, 3000))))
    for action in entries(panel.context_actions()):
        action.trigger()
        assert not panel.grab().isNull()
    assert panel.colours is not None
    assert panel.colours.logarithmic
    assert panel.colours.colour_map is ColourMap.JET


def test_in_a_narrow_panel_the_range_leaves_its_histogram_out(panel: DepthPanel) -> None:
    panel.show_result(result(depth(halves(1000, 4000))))
    (bar,) = panel.canvas.findChildren(DepthScaleBar)
    panel.resize(700, 332)
    assert bar.isVisible()
    assert bar.has_histogram
    wide = bar.width()
    panel.resize(300, 332)
    assert bar.isVisible()
    assert not bar.has_histogram
    assert bar.width() < wide
    panel.resize(200, 332)
    assert not bar.isVisible()
