from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hfviewer.app.thumbnails import HEIGHT_PX, WIDTH_PX, thumbnail
from hfviewer.core.depth import DepthScale
from hfviewer.core.frame import DepthFrame, Frame, ImageFrame
from tests.app.test_main_window import MakeWindow, open_in
from tests.recordings import write_small


def image(pixels: np.ndarray) -> ImageFrame:
    return ImageFrame(stream="cam", index=0, timestamp_ns=0, sequence=0, pixels=pixels)


@pytest.mark.parametrize("size", [(1080, 1920), (1, 1), (3000, 40), (121, 217)])
def test_a_thumbnail_fits_the_card_and_keeps_its_shape(qapp: QApplication, size: tuple[int, int]) -> None:
    pixels = np.zeros((*size, 3), np.uint8)
    pixels[:, :, 2] = 200  # red
    small = thumbnail(image(pixels))
    assert small is not None
    assert 0 < small.width() <= WIDTH_PX
    assert 0 < small.height() <= HEIGHT_PX
    assert small.pixelColor(0, 0).red() == 200
    assert small.pixelColor(0, 0).blue() == 0


def test_grey_of_sixteen_bits_spans_black_to_white(qapp: QApplication) -> None:
    pixels = np.tile(np.linspace(1000, 3000, 200).astype(np.uint16), (100, 1))
    small = thumbnail(image(pixels))
    assert small is not None
    assert small.pixelColor(0, 0).red() < 5
    assert small.pixelColor(small.width() - 1, 0).red() > 250


def test_depth_is_coloured_and_no_measurement_is_clear(qapp: QApplication) -> None:
    codes = np.full((100, 100), 1000, np.uint16)
    codes[:, 50:], codes[:20] = 4000, 0
    frame = DepthFrame(stream="depth", index=0, timestamp_ns=0, sequence=0, stored=codes, scale=DepthScale())
    small = thumbnail(frame)
    assert small is not None
    near, far, none = small.pixelColor(10, 50), small.pixelColor(90, 50), small.pixelColor(10, 5)
    assert near.blue() > near.red()
    assert far.red() > far.blue()
    assert none.alpha() == 0
    assert thumbnail(Frame(stream="imu", index=0, timestamp_ns=0, sequence=0)) is None


def test_only_frames_in_memory_have_one(qtbot: QtBot, make_window: MakeWindow, tmp_path: Path) -> None:
    window = make_window()
    open_in(qtbot, window, write_small(tmp_path / "small.hfr", frames=300))
    shown = window.area.panel("cam")
    assert shown is not None
    assert shown.shown_index is not None
    assert window.player.cached_frame("cam", shown.shown_index) is not None
    assert window.player.cached_frame("cam", 299) is None
