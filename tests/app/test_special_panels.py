from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from hfviewer.app.main_window import MainWindow
from hfviewer.app.waiting import missing_panels
from hfviewer.panels.force_matrix import ForceMatrixPanel
from hfviewer.panels.hand import HandPanel
from hfviewer.panels.signals import SignalsPanel
from hfviewer.panels.state_panel import StatePanel
from hfviewer.panels.touch import TouchPanel
from hfviewer.panels.trajectory import TrajectoryPanel
from tests.recordings import START_NS
from tests.special_recording import PERIOD_NS, write_special

PANELS = {
    "right_glove": TouchPanel,
    "gripper_left_force_matrix": ForceMatrixPanel,
    "right_hand_pose": HandPanel,
    "slam_trajectory": TrajectoryPanel,
    "status/glove": StatePanel,
}


@pytest.fixture
def window(qtbot: QtBot, make_window: Callable[[], MainWindow], tmp_path: Path) -> MainWindow:
    made = make_window()
    made.open_path(str(write_special(tmp_path / "a.hfr", frames=30)))
    qtbot.waitUntil(lambda: made.workspace.recording is not None, timeout=10_000)
    return made


def only(qtbot: QtBot, window: MainWindow, stream: str) -> object:
    """Open the panel of one stream, and close all others."""
    recording = window.workspace.recording
    assert recording is not None
    window.area.open_panel(stream)
    for name in recording.streams:
        if name != stream:
            window.area.close_panel(name)
    qtbot.waitUntil(lambda: not missing_panels(window), timeout=10_000)
    return window.area.panel(stream)


@pytest.mark.parametrize("stream", PANELS)
def test_a_stream_is_shown_by_the_panel_made_for_what_it_stands_for(
    qtbot: QtBot, window: MainWindow, stream: str
) -> None:
    panel = only(qtbot, window, stream)
    assert isinstance(panel, PANELS[stream])
    assert panel.shown_index is not None
    assert panel.plate is None
    panel.grab()


@pytest.mark.parametrize("stream", PANELS)
def test_after_a_click_on_any_control_space_and_arrows_drive_the_transport(
    qtbot: QtBot, window: MainWindow, stream: str
) -> None:
    panel = only(qtbot, window, stream)
    assert isinstance(panel, PANELS[stream])
    window.workspace.focus(stream)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    menu = panel.header.menu_button
    controls = [b for b in panel.findChildren(QAbstractButton) if b.isVisible() and b is not menu]
    playhead = window.workspace.playhead
    for control in controls:
        assert control.toolTip(), control.text()
        QTest.mouseClick(control, Qt.MouseButton.LeftButton)
        for key in (Qt.Key.Key_Space, Qt.Key.Key_Space):
            playing = playhead.playing
            QTest.keyClick(window.focusWidget() or window, key)
            assert playhead.playing is not playing
        playhead.jump_to(START_NS)
        QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Right)
        assert playhead.position_ns > START_NS


def test_a_change_of_state_is_a_place_to_jump_to(qtbot: QtBot, window: MainWindow) -> None:
    panel = only(qtbot, window, "status/glove")
    assert isinstance(panel, StatePanel)
    qtbot.waitUntil(lambda: len(panel.canvas.rows()) == 2)
    QTest.mouseClick(panel.canvas, Qt.MouseButton.LeftButton, pos=panel.canvas.rows()[1][1].center())
    assert window.workspace.playhead.position_ns == START_NS + 20 * PERIOD_NS
    window.actions_by_name["jump_back"].trigger()
    assert window.workspace.playhead.position_ns < START_NS + 20 * PERIOD_NS


def test_the_same_stream_opens_as_curves_beside(qtbot: QtBot, window: MainWindow) -> None:
    panel = only(qtbot, window, "slam_trajectory")
    assert isinstance(panel, TrajectoryPanel)
    panel.command_requested.emit("curves")
    kinds = [type(shown) for shown in window.area.visible_panels]
    assert TrajectoryPanel in kinds
    assert SignalsPanel in kinds
    qtbot.waitUntil(lambda: not missing_panels(window), timeout=10_000)


def test_what_takes_the_whole_recording_is_worked_out_in_the_background(
    qtbot: QtBot, window: MainWindow
) -> None:
    glove = only(qtbot, window, "right_glove")
    assert isinstance(glove, TouchPanel)
    assert glove.overview is not None
    trajectory = only(qtbot, window, "slam_trajectory")
    assert isinstance(trajectory, TrajectoryPanel)
    assert trajectory.path is not None
    matrix = only(qtbot, window, "gripper_left_force_matrix")
    assert isinstance(matrix, ForceMatrixPanel)
    recorded = matrix.recorded
    assert recorded is not None
    assert recorded.stream == "gripper_left_force"
    first = matrix.limits
    qtbot.waitUntil(lambda: matrix.limits != first, timeout=5_000)  # of the recording, not of the first frame
