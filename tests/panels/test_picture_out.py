from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from hfviewer.core.depth import DepthScale
from hfviewer.core.errors import WriteError
from hfviewer.core.stream import StreamKind
from hfviewer.panels.depth import DepthPanel
from hfviewer.panels.image import ImagePanel
from hfviewer.panels.orientation import Orientation
from hfviewer.panels.panel_menu import common_actions
from hfviewer.panels.picture_out import deep, with_text, write_png
from hfviewer.panels.saving import write_whole
from hfviewer.panels.theme import Theme
from tests.panels.making import NAME, START_NS, depth, describe, entries, image, result, show, table

STAMPS = table(10)


@pytest.fixture
def camera(qtbot: QtBot) -> ImagePanel:
    made = ImagePanel(describe(StreamKind.IMAGE, STAMPS), STAMPS, START_NS, Theme())
    show(qtbot, made, 404, 332)
    made.set_playhead(START_NS)
    pixels = np.random.default_rng(5).integers(0, 256, (700, 900, 3), np.uint8)
    made.show_result(result(image(pixels, index=3)))
    return made


def test_a_picture_at_its_own_resolution_has_every_pixel_and_says_what_it_is(
    camera: ImagePanel, tmp_path: Path
) -> None:
    native = camera.picture_native()
    assert native is not None
    out = tmp_path / "out.png"
    write_png(with_text(native, NAME, camera.shown_frame), out)
    assert camera.shown_frame is not None
    np.testing.assert_array_equal(cv2.imread(str(out)), camera.shown_frame.pixels)
    read = QImage(str(out))
    assert read.text("stream") == NAME
    assert read.text("frame") == "3"
    assert read.text("timestamp_ns") == "0"
    assert read.text("software") == "hfviewer"


def test_a_turned_picture_is_saved_turned(camera: ImagePanel) -> None:
    camera.set_orientation(Orientation(1))
    native = camera.picture_native()
    assert native is not None
    assert (native.width(), native.height()) == (700, 900)


def test_what_is_seen_is_as_large_as_the_panel_and_can_be_copied(camera: ImagePanel) -> None:
    seen = camera.picture_seen()
    assert seen is not None
    assert seen.size() == camera.canvas.size() * camera.devicePixelRatioF()
    camera.pictures.copy()
    clipboard = QGuiApplication.clipboard()
    assert clipboard is not None
    assert clipboard.image().size() == seen.size()


@pytest.mark.parametrize("what", ["mm", "codes"])
def test_depth_keeps_all_of_its_bits(tmp_path: Path, what: str) -> None:
    stored = np.arange(0, 60 * 81, dtype=np.uint16).reshape(60, 81) * 13
    frame = depth(stored, scale=DepthScale(unit_mm=0.25))
    out = tmp_path / "depth.png"
    assert write_png(with_text(deep(frame, what), NAME, frame), out) == "81×60"
    read = cv2.imread(str(out), cv2.IMREAD_UNCHANGED)
    assert read is not None
    assert read.dtype == np.uint16
    np.testing.assert_array_equal(read, frame.millimetres if what == "mm" else stored)
    assert QImage(str(out)).text("values") == ("millimetres" if what == "mm" else "stored codes")


def test_a_folder_that_is_not_there_is_told_and_leaves_nothing(camera: ImagePanel, tmp_path: Path) -> None:
    native = camera.picture_native()
    assert native is not None
    with pytest.raises(WriteError):
        write_whole(tmp_path / "none" / "out.png", lambda path: write_png(native, path))
    assert list(tmp_path.iterdir()) == []


def test_the_menu_offers_what_a_panel_has(qtbot: QtBot, camera: ImagePanel) -> None:
    texts = [action.text() for action in camera.pictures.actions()]
    assert texts == ["Copy as it is seen", "Save as it is seen…", "Save at its own resolution…"]
    panel = DepthPanel(describe(StreamKind.DEPTH, STAMPS), STAMPS, START_NS, Theme())
    show(qtbot, panel)
    panel.set_playhead(START_NS)
    assert len(panel.pictures.actions()) == 2
    panel.show_result(result(depth(np.full((20, 30), 900, np.uint16))))
    assert sum("16-bit" in action.text() for action in panel.pictures.actions()) == 2
    names = [action.text() for action in entries(common_actions(panel))]
    assert "Copy as it is seen" in names
