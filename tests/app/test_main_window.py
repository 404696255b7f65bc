from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from hfviewer.app.main_window import MainWindow
from hfviewer.app.waiting import missing_panels
from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from tests.app.slow_door import SlowDoor
from tests.recordings import CAMERA_PERIOD_NS, START_NS, write_small

LIDAR_STARTS_NS = 20_000_000  # the last stream of the small recording to have a frame
MakeWindow = Callable[[], MainWindow]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write_small(tmp_path / "录像.hfr", lost=frozenset({7, 8}))


def open_in(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    window.open_path(str(path))
    qtbot.waitUntil(lambda: window.workspace.recording is not None, timeout=10_000)
    qtbot.waitUntil(lambda: not missing_panels(window), timeout=10_000)


def press(window: MainWindow, key: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
    modifier = Qt.KeyboardModifier.NoModifier
    for one in modifiers:
        modifier |= one
    window.activateWindow()
    QTest.keyClick(window, key, modifier)


def test_the_window_stands_before_anything_is_open(make_window: MakeWindow) -> None:
    window = make_window()
    assert window.isVisible()
    assert window.workspace.recording is None
    assert window.welcome.isVisible()


def test_every_stream_of_a_recording_gets_its_frame(
    qtbot: QtBot, make_window: MakeWindow, small: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    names = {panel.stream_name for panel in window.area.visible_panels}
    assert names == {"cam", "depth", "lidar", "imu", "pose", "notes"}
    window.workspace.playhead.jump_to(START_NS + 10 * CAMERA_PERIOD_NS + 25_000_000)
    qtbot.waitUntil(lambda: not missing_panels(window), timeout=10_000)
    shown = {panel.stream_name: panel.shown_index for panel in window.area.visible_panels}
    assert shown["cam"] == 8  # two frames before it are lost
    assert shown["depth"] == 10
    assert shown["lidar"] == 10


def test_a_recording_opens_where_every_panel_has_a_frame(
    qtbot: QtBot, make_window: MakeWindow, small: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    assert window.workspace.playhead.position_ns == START_NS + LIDAR_STARTS_NS
    assert all(panel.shown_index is not None for panel in window.area.visible_panels)


def test_arrow_keys_step_by_the_focused_stream(qtbot: QtBot, make_window: MakeWindow, small: Path) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    assert window.workspace.focused == "cam"
    for _ in range(7):
        press(window, Qt.Key.Key_Right)
    assert window.workspace.playhead.position_ns == START_NS + 9 * CAMERA_PERIOD_NS
    window.workspace.focus("depth")
    press(window, Qt.Key.Key_Left)
    assert window.workspace.playhead.position_ns == START_NS + 7 * CAMERA_PERIOD_NS + 5_000_000


def test_space_plays_and_pauses(qtbot: QtBot, make_window: MakeWindow, small: Path) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    press(window, Qt.Key.Key_Space)
    assert window.workspace.playhead.playing
    qtbot.waitUntil(lambda: window.workspace.playhead.position_ns > START_NS, timeout=5_000)
    press(window, Qt.Key.Key_K)
    assert not window.workspace.playhead.playing


def test_keys_type_into_the_go_to_line_instead_of_acting(
    qtbot: QtBot, make_window: MakeWindow, small: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    press(window, Qt.Key.Key_G)
    edit = window.go_to_line.findChild(QLineEdit)
    assert edit is not None
    QTest.keyClicks(edit, "#12")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert window.workspace.playhead.position_ns == START_NS + 14 * CAMERA_PERIOD_NS
    assert not window.go_to_line.isVisible()
    press(window, Qt.Key.Key_Backspace, Qt.KeyboardModifier.ShiftModifier)
    assert window.workspace.playhead.position_ns == START_NS + LIDAR_STARTS_NS


def test_a_wrong_time_keeps_the_line_open_and_says_why(
    qtbot: QtBot, make_window: MakeWindow, small: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    before = window.workspace.playhead.position_ns
    window.going_to.go_to()
    window.go_to_line.entered.emit("tomorrow")
    assert window.workspace.playhead.position_ns == before
    assert window.go_to_line.isVisible()


def test_what_cannot_be_opened_is_said_in_the_window_and_what_is_open_stays(
    qtbot: QtBot, make_window: MakeWindow, small: Path, tmp_path: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    text = tmp_path / "notes.txt"
    text.write_text("not a recording")
    with qtbot.waitSignal(window.failed, timeout=5_000):
        window.open_path(str(text))
    assert window.banner.isVisible()
    assert str(text) in window.banner.text
    assert window.workspace.recording is not None
    assert window.area.visible_panels


def test_a_dropped_file_opens(qtbot: QtBot, make_window: MakeWindow, small: Path) -> None:
    window = make_window()
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(small))])
    event = QDropEvent(
        QPointF(50, 50),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)
    qtbot.waitUntil(lambda: window.workspace.recording is not None, timeout=10_000)


def test_the_newest_wish_wins_when_two_are_opened_at_once(
    qtbot: QtBot,
    make_window: MakeWindow,
    small: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = write_small(tmp_path / "other.hfr", frames=3)
    window = make_window()
    door = SlowDoor(monkeypatch, small)
    window.open_path(str(small))
    assert door.reached.wait(10)
    window.open_path(str(other))
    qtbot.waitUntil(lambda: window.workspace.recording is not None, timeout=10_000)
    door.let_through()
    qtbot.waitUntil(lambda: door.closed, timeout=10_000)
    assert window.workspace.recording is not None
    assert window.workspace.recording.description.path == str(other)


def test_a_closed_panel_asks_for_nothing_and_comes_back(
    qtbot: QtBot, make_window: MakeWindow, small: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    window.area.close_panel("cam")
    qtbot.waitUntil(lambda: not window.area.is_open("cam"), timeout=2_000)
    before = window.player.stream_statistics()
    window.workspace.focus("depth")
    window.workspace.playhead.jump_to(START_NS + 5 * CAMERA_PERIOD_NS + 30_000_000)
    qtbot.waitUntil(lambda: not missing_panels(window), timeout=5_000)
    after = window.player.stream_statistics()
    assert after["cam"].requested == before["cam"].requested
    assert after["depth"].requested > before["depth"].requested
    window.area.open_panel("cam")
    qtbot.waitUntil(
        lambda: window.area.panel("cam") in window.area.visible_panels and not missing_panels(window),
        timeout=5_000,
    )


def test_maximising_hides_the_others_and_gives_them_back(
    qtbot: QtBot, make_window: MakeWindow, small: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    everything = {panel.stream_name for panel in window.area.visible_panels}
    press(window, Qt.Key.Key_F)
    assert {panel.stream_name for panel in window.area.visible_panels} == {"cam"}
    press(window, Qt.Key.Key_F)
    assert {panel.stream_name for panel in window.area.visible_panels} == everything


def test_in_out_and_loop_follow_their_keys(qtbot: QtBot, make_window: MakeWindow, small: Path) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    playhead = window.workspace.playhead
    playhead.jump_to(START_NS + 300_000_000)
    press(window, Qt.Key.Key_I)
    playhead.jump_to(START_NS + 600_000_000)
    press(window, Qt.Key.Key_O)
    assert (playhead.in_ns, playhead.out_ns) == (START_NS + 300_000_000, START_NS + 600_000_000)
    press(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert playhead.loop
    press(window, Qt.Key.Key_X)
    assert (playhead.in_ns, playhead.out_ns) == (None, None)


def test_odd_streams_open_beside_sound_ones(qtbot: QtBot, make_window: MakeWindow, tmp_path: Path) -> None:
    path = tmp_path / "odd.hfr"
    with HyperframeWriter(path) as writer:
        fields = ("x", "y", "z")
        writer.add_stream(
            StreamDescription(name="nan", kind=StreamKind.POINTS, encoding="f32", fields=fields)
        )
        writer.add_stream(StreamDescription(name="empty", kind=StreamKind.IMAGE, encoding="jpeg"))
        writer.add_stream(StreamDescription(name="hollow", kind=StreamKind.IMAGE, encoding="jpeg"))
        writer.add_stream(
            StreamDescription(
                name="one", kind=StreamKind.SIGNAL, encoding="f64", channels=(Channel("v", "V"),)
            )
        )
        writer.append("nan", START_NS, np.full((50, 3), np.nan, "<f4").tobytes())
        writer.append("nan", START_NS + 100, b"")
        writer.append("hollow", START_NS, b"")
        writer.append("one", START_NS, np.array([np.nan]).tobytes())
    window = make_window()
    open_in(qtbot, window, path)
    window.area.open_panel("empty")
    for position_ns in (START_NS, START_NS + 100, START_NS):
        window.workspace.playhead.jump_to(position_ns)
        qtbot.waitUntil(lambda: not missing_panels(window), timeout=5_000)
    hollow = window.area.panel("hollow")
    assert hollow is not None
    assert hollow.plate is not None
    assert not window.grab().isNull()


def test_reset_layout_brings_every_panel_back(qtbot: QtBot, make_window: MakeWindow, small: Path) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    before = {panel.stream_name for panel in window.area.visible_panels}
    window.area.close_panel("cam")
    window.area.toggle_floating("depth")
    window.actions_by_name["reset_layout"].trigger()
    qtbot.waitUntil(lambda: not missing_panels(window), timeout=5_000)
    assert {panel.stream_name for panel in window.area.visible_panels} == before


def test_another_recording_replaces_the_panels_of_the_first(
    qtbot: QtBot, make_window: MakeWindow, small: Path, tmp_path: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    other = write_small(tmp_path / "other.hfr", frames=3)
    window.open_path(str(other))
    qtbot.waitUntil(lambda: "other" in window.windowTitle(), timeout=5_000)
    qtbot.waitUntil(lambda: len(window.area.visible_panels) == 6, timeout=5_000)
    qtbot.waitUntil(lambda: not missing_panels(window), timeout=5_000)
    assert all(panel.description.frame_count != 20 for panel in window.area.visible_panels)


def test_closing_the_recording_shows_how_to_open_one(
    qtbot: QtBot, make_window: MakeWindow, small: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    window.close_recording()
    assert window.welcome.isVisible()
    assert not window.area.panels
    press(window, Qt.Key.Key_Right)  # nothing to step through, and nothing breaks
    press(window, Qt.Key.Key_Space)
    assert not window.workspace.playhead.playing


def test_pressing_a_panel_gives_it_the_focus(qtbot: QtBot, make_window: MakeWindow, small: Path) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    panel = window.area.panel("depth")
    assert panel is not None
    QTest.mouseClick(panel, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(1, 40))
    assert window.workspace.focused == "depth"


def test_the_statistics_tell_of_every_stream_that_was_asked_for(
    qtbot: QtBot, make_window: MakeWindow, small: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    press(window, Qt.Key.Key_F12)
    assert window.statistics_card.isVisible()
    assert {"cam", "depth", "lidar"} <= {
        line.split()[0] for line in window.statistics_card.text.splitlines() if line
    }
    press(window, Qt.Key.Key_F12)
    assert not window.statistics_card.isVisible()


def test_a_signals_panel_that_comes_back_shows_the_playhead_of_now(
    qtbot: QtBot, make_window: MakeWindow, small: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    imu = window.area.panel("imu")
    assert imu is not None
    window.actions_by_name["maximise_panel"].trigger()
    window.workspace.playhead.jump_to(START_NS + 1_000_000_000)
    window.actions_by_name["maximise_panel"].trigger()
    qtbot.waitUntil(lambda: imu in window.area.visible_panels, timeout=5_000)
    assert imu.wanted_index == 100


def test_panels_closed_before_maximising_are_not_called_open(
    qtbot: QtBot, make_window: MakeWindow, small: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, small)
    window.area.close_panel("depth")
    window.actions_by_name["maximise_panel"].trigger()
    assert not window.area.is_open("depth")
    assert window.area.is_open("lidar")
