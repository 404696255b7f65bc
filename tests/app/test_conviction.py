"""The picture on screen is that of the frame under the playhead, or the panel says that it is not."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from hfviewer.app.main_window import MainWindow
from hfviewer.app.waiting import missing_panels
from hfviewer.panels.image import ImagePanel
from tests.readers.episodes.tasks import Task
from tests.video_clips import read_number

FRAMES = {1: 90, 2: 60, 3: 24}
_WAYS = [
    "next_frame",
    "previous_frame",
    "forward_second",
    "back_second",
    "next_window",
    "go_to_start",
    "go_to_end",
    "toggle_play",
    "play_reverse",
    "play_forward",
    "jump_back",
    "double_speed",
    "next_episode",
    "previous_episode",
    "maximise_panel",
    "another_panel",
    "toggle_loop",
]


@pytest.fixture
def window(qtbot: QtBot, make_window: Callable[[], MainWindow], tmp_path: Path) -> MainWindow:
    """On a task whose pictures have their number burnt in."""
    task = Task(tmp_path / "task")
    for number, frames in FRAMES.items():
        kinds = {"d435_rgb": f"h264:{frames}", "stereo_left": f"hevc:{frames}"}
        task.add(number, frames=frames, videos=kinds)
    made = make_window()
    made.open_path(str(task.root))
    qtbot.waitUntil(lambda: made.workspace.recording is not None, timeout=20_000)
    qtbot.waitUntil(lambda: not missing_panels(made), timeout=20_000)
    return made


def number_on_screen(panel: ImagePanel) -> int | None:
    """What is burnt into the picture that the panel has drawn."""
    image = panel.picture_native()
    if image is None:
        return None
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return read_number(rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3))


def check(window: MainWindow) -> int:
    """Compare every picture that claims to be current with the playhead; how many did."""
    claimed = 0
    for panel in window.area.visible_panels:
        if isinstance(panel, ImagePanel) and panel.wanted_index is not None and panel.is_current:
            recording = window.workspace.recording
            assert recording is not None
            stamps = recording.streams[panel.stream_name].timestamps_ns
            under = int(np.searchsorted(stamps, window.workspace.playhead.position_ns, side="right")) - 1
            assert number_on_screen(panel) == panel.wanted_index == under
            claimed += 1
    return claimed


def test_a_picture_that_claims_to_be_current_is(qtbot: QtBot, window: MainWindow) -> None:
    chooser, playhead = random.Random(4), window.workspace.playhead
    under_way = settled = 0
    for number in range(120):
        if chooser.random() < 0.4:
            playhead.jump_to(chooser.randrange(playhead.span.start_ns, playhead.span.stop_ns))
        else:
            window.actions_by_name[chooser.choice(_WAYS)].trigger()
        for _ in range(chooser.randrange(3)):
            QTest.qWait(chooser.randrange(1, 12))
            under_way += check(window)
        if number % 10 == 9:
            playhead.set_playing(False)
            qtbot.waitUntil(lambda: not window.episodes.busy and not missing_panels(window), timeout=20_000)
            settled += check(window)
    assert under_way > 10
    assert settled > 10
