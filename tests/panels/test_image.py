from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from hfviewer.core.stream import StreamKind
from hfviewer.panels.image import ImagePanel
from hfviewer.panels.standing import Standing
from hfviewer.panels.theme import Theme
from tests.panels.making import (
    START_NS,
    colour_at,
    describe,
    image,
    move_pointer,
    points,
    result,
    show,
    table,
)

STAMPS = table(10)


@pytest.fixture
def panel(qtbot: QtBot) -> ImagePanel:
    made = ImagePanel(describe(StreamKind.IMAGE, STAMPS), STAMPS, START_NS, Theme())
    made.canvas.set_grid(False)  # its lines would lie over the colours that are looked at
    show(qtbot, made, 404, 332)
    made.set_playhead(START_NS)
    return made


def test_a_bgr_picture_is_painted_in_its_own_colours(panel: ImagePanel) -> None:
    pixels = np.zeros((30, 40, 3), np.uint8)
    pixels[:, :20] = (255, 0, 0)  # blue
    pixels[:, 20:] = (0, 0, 255)  # red
    panel.show_result(result(image(pixels)))
    assert colour_at(panel.canvas, 60, 40) == (0, 0, 255)
    assert colour_at(panel.canvas, 300, 40) == (255, 0, 0)


def test_grey_levels_stay_those_of_the_first_frame(panel: ImagePanel) -> None:
    first = np.tile(np.array([1000, 3000], np.uint16), (30, 20))
    panel.show_result(result(image(first), generation=1))
    assert panel.levels == (1000, 3000)
    panel.show_result(result(image(np.full((30, 40), 2000, np.uint16)), generation=2))
    assert panel.levels == (1000, 3000)
    assert colour_at(panel.canvas, 100, 40) == (128, 128, 128)


def test_a_raw_mosaic_is_shown_in_colour(panel: ImagePanel) -> None:
    mosaic = np.zeros((30, 40), np.uint8)
    mosaic[::2, ::2] = 200
    panel.show_result(result(image(mosaic, pixel_format="bayer_rggb8")))
    red, green, blue = colour_at(panel.canvas, 200, 150)
    assert red > 150
    assert (green, blue) == (0, 0)


def test_the_read_out_gives_the_pixel_and_its_stored_value(qtbot: QtBot, panel: ImagePanel) -> None:
    pixels = np.zeros((30, 40), np.uint16)
    pixels[12, 7] = 4711
    panel.show_result(result(image(pixels)))
    with qtbot.waitSignal(panel.read_out_changed, check_params_cb=lambda words: words == "7, 12   4711"):
        move_pointer(panel.canvas, QPoint(75, 125))


def test_a_reduced_decode_is_measured_in_pixels_of_the_full_picture(qtbot: QtBot, panel: ImagePanel) -> None:
    reduced = np.zeros((30, 40), np.uint8)
    panel.show_result(result(image(reduced, full_size=(400, 300))))
    move_pointer(panel.canvas, QPoint(80, 130))
    assert panel.canvas.cursor_pixel == (80, 130)


def test_a_closer_look_asks_for_more_pixels_than_a_reduced_decode_has(
    qtbot: QtBot, panel: ImagePanel
) -> None:
    panel.show_result(result(image(np.zeros((300, 400), np.uint8), full_size=(4000, 3000))))
    assert panel.view_size() == (400, 300)
    with qtbot.waitSignal(panel.detail_wanted, timeout=1000):
        panel.canvas.zoom(5, 200, 150)
    assert panel.view_size() == (2000, 1500)


def test_reset_view_fits_the_picture(panel: ImagePanel) -> None:
    panel.show_result(result(image(np.zeros((30, 40), np.uint8))))
    panel.canvas.zoom(5, 200, 150)
    panel.reset_view()
    assert panel.canvas.is_fitted


@pytest.mark.parametrize("shape", [(1, 1), (1, 5000), (5000, 1), (2, 2, 3)])
def test_pictures_of_odd_sizes_are_painted(panel: ImagePanel, shape: tuple[int, ...]) -> None:
    panel.show_result(result(image(np.full(shape, 255, np.uint8))))
    assert panel.standing is Standing.FRESH
    assert not panel.grab().isNull()


def test_a_frame_of_another_kind_or_without_pixels_is_unreadable_not_a_crash(panel: ImagePanel) -> None:
    panel.show_result(result(points(np.zeros((3, 3), np.float32)), generation=1))
    assert panel.standing is Standing.UNREADABLE
    panel.show_result(result(image(np.zeros((0, 5), np.uint8)), generation=2))
    assert panel.plate is not None
    assert panel.plate.footer == "This is not a picture."
    panel.show_result(result(image(np.zeros((5, 5), np.uint8)), generation=3))
    assert panel.plate is None


def test_every_menu_entry_can_be_used(panel: ImagePanel) -> None:
    for action in panel.context_actions():
        action.trigger()
    panel.show_result(result(image(np.full((30, 40), 2000, np.uint16))))
    for action in panel.context_actions():
        action.trigger()
    assert not panel.grab().isNull()
