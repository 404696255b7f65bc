from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from hfviewer.app.docks import WIDE_PX
from hfviewer.app.main_window import MainWindow
from hfviewer.core.finding import Finding
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from tests.app.test_main_window import MakeWindow, open_in, press
from tests.recordings import CAMERA_PERIOD_NS, START_NS, _png, picture, write_small

ALT, CTRL, SHIFT = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


@pytest.fixture
def window(qtbot: QtBot, make_window: MakeWindow, tmp_path: Path) -> MainWindow:
    """A recording whose camera lost frames 7 and 8, checked."""
    made = make_window()
    open_in(qtbot, made, write_small(tmp_path / "small.hfr", lost=frozenset({7, 8})))
    qtbot.waitUntil(lambda: made.workspace.checked, timeout=10_000)
    made.timeline.canvas.finish_scan()
    return made


def lost(window: MainWindow) -> Finding:
    return next(f for f in window.workspace.findings if f.code == "missing_frames")


def test_f8_goes_to_the_finding_and_frames_it(window: MainWindow) -> None:
    window.workspace.focus("imu")
    for _ in window.workspace.findings:
        press(window, Qt.Key.Key_F8)
        if window.findings.chosen == lost(window):
            break
    finding = lost(window)
    assert window.findings.chosen == finding
    assert window.workspace.playhead.position_ns == finding.start_ns == START_NS + 6 * CAMERA_PERIOD_NS
    assert window.workspace.focused == "cam"
    axis = window.timeline.canvas.axis
    assert axis is not None
    assert finding.start_ns in axis.view
    assert finding.end_ns is not None
    assert finding.end_ns in axis.view
    press(window, Qt.Key.Key_F8, SHIFT)
    assert window.findings.chosen != finding or len(window.workspace.findings) == 1


def test_alt_and_page_keys_go_from_gap_to_gap(window: MainWindow) -> None:
    press(window, Qt.Key.Key_PageDown, ALT)
    assert window.workspace.playhead.position_ns == START_NS + 6 * CAMERA_PERIOD_NS
    press(window, Qt.Key.Key_PageDown, ALT)
    assert window.workspace.playhead.position_ns == START_NS + 6 * CAMERA_PERIOD_NS
    window.workspace.playhead.jump_to(START_NS + 15 * CAMERA_PERIOD_NS)
    press(window, Qt.Key.Key_PageUp, ALT)
    assert window.workspace.playhead.position_ns == START_NS + 6 * CAMERA_PERIOD_NS


def test_a_finding_is_accepted_and_labelled_by_keys_alone(qtbot: QtBot, window: MainWindow) -> None:
    window.findings.choose(lost(window))
    with qtbot.waitSignal(window.findings.label_wanted, timeout=1000) as wanted:
        press(window, Qt.Key.Key_T)
    assert wanted.args == [lost(window)]
    press(window, Qt.Key.Key_A)
    QTest.keyClicks(window.findings.note_field, "known, jlk 12")  # J, L and K would play elsewhere
    QTest.keyClick(window.findings.note_field, Qt.Key.Key_Return)
    found = window.accepted.of(lost(window))
    assert found is not None
    assert found.note == "known, jlk 12"
    assert not window.workspace.playhead.playing
    press(window, Qt.Key.Key_Space)
    assert window.workspace.playhead.playing


def test_the_list_is_copied_as_text(window: MainWindow) -> None:
    press(window, Qt.Key.Key_C, CTRL, SHIFT)
    text = QGuiApplication.clipboard().text()
    assert "2 frames lost" in text
    assert text.splitlines()[0].endswith("small.hfr")


def test_after_any_click_the_keys_still_drive_the_playhead(qtbot: QtBot, window: MainWindow) -> None:
    playhead = window.workspace.playhead
    buttons = [
        button
        for part in (window.timeline, window.findings)
        for button in part.findChildren(QToolButton)
        if button.isVisible() and button.isEnabled() and button.menu() is None
    ]
    assert len(buttons) >= 10
    for button in buttons:
        if button is window.timeline.header.button("lanes"):
            continue  # a menu is open then
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        playhead.jump_to(START_NS + 3 * CAMERA_PERIOD_NS)
        window.workspace.focus("cam")
        press(window, Qt.Key.Key_Right)
        assert playhead.position_ns == START_NS + 4 * CAMERA_PERIOD_NS, button.toolTip()
    view = window.findings.view
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(50, 20))
    QTest.mouseClick(window.timeline.canvas, Qt.MouseButton.LeftButton, pos=QPoint(600, 90))
    press(window, Qt.Key.Key_Space)
    assert playhead.playing
    press(window, Qt.Key.Key_Space)
    assert not playhead.playing


def test_findings_stand_on_the_right_of_a_wide_window_and_behind_a_tab_in_a_narrow_one(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(WIDE_PX + 100, 950)
    qtbot.waitUntil(lambda: window.findings.mapTo(window, QPoint()).x() > window.width() // 2)
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: window.findings.mapTo(window, QPoint()).x() < 20)
    press(window, Qt.Key.Key_F, CTRL)  # asks for the filter: brings it into sight
    assert not window.findings.visibleRegion().isEmpty()
    QTest.keyClick(window.findings.filters.text_field, Qt.Key.Key_Escape)
    press(window, Qt.Key.Key_F8, CTRL)
    assert not window.streams.visibleRegion().isEmpty()


def test_the_timing_of_a_stream_opens_with_a_key(qtbot: QtBot, window: MainWindow) -> None:
    timing = window.finding_commands.timing
    press(window, Qt.Key.Key_T, CTRL)
    assert timing.isVisible()
    qtbot.waitUntil(lambda: timing.page.figures is not None, timeout=5000)
    assert "lost 2" in timing.page.text
    timing.activateWindow()
    QTest.keyClick(timing, Qt.Key.Key_Space)
    assert window.workspace.playhead.playing
    QTest.keyClick(timing, Qt.Key.Key_Space)
    assert not window.workspace.playhead.playing
    QTest.keyClick(timing, Qt.Key.Key_Escape)
    assert not timing.isVisible()


@pytest.fixture
def spoilt(tmp_path: Path) -> Path:
    path = tmp_path / "spoilt.hfr"
    with HyperframeWriter(path, CAMERA_PERIOD_NS) as writer:
        writer.add_stream(StreamDescription(name="cam", kind=StreamKind.IMAGE, encoding="png"))
        writer.add_stream(StreamDescription(name="other", kind=StreamKind.IMAGE, encoding="png"))
        for index in range(12):
            at_ns = START_NS + index * CAMERA_PERIOD_NS
            writer.append("cam", at_ns, b"no picture" if index == 5 else _png(picture(index)))
            writer.append("other", at_ns, _png(picture(index)))
    return path


def test_every_frame_is_checked_from_the_window(qtbot: QtBot, make_window: MakeWindow, spoilt: Path) -> None:
    window = make_window()
    open_in(qtbot, window, spoilt)
    qtbot.waitUntil(lambda: window.workspace.checked, timeout=10_000)
    assert "unreadable_frame" not in {f.code for f in window.workspace.findings}
    press(window, Qt.Key.Key_D, CTRL)
    assert window.findings.deep.isVisible()
    qtbot.waitUntil(lambda: "unreadable_frame" in {f.code for f in window.workspace.findings}, timeout=60_000)
    (found,) = (f for f in window.workspace.findings if f.code == "unreadable_frame")
    assert (found.stream, found.first_frame) == ("cam", 5)
    assert not window.findings.deep.isVisible()


@pytest.mark.parametrize("how", ["key", "recording"])
def test_checking_every_frame_is_stopped(
    qtbot: QtBot, make_window: MakeWindow, spoilt: Path, how: str
) -> None:
    window = make_window()
    open_in(qtbot, window, spoilt)
    qtbot.waitUntil(lambda: window.workspace.checked, timeout=10_000)
    press(window, Qt.Key.Key_D, CTRL)
    if how == "key":
        press(window, Qt.Key.Key_D, CTRL)
    else:
        window.close_recording()
    assert not window.findings.deep.isVisible()
    window.finding_commands.close()  # waits for the thread: what it had to tell is in the queue now
    QApplication.processEvents()
    assert "unreadable_frame" not in {f.code for f in window.workspace.findings}
