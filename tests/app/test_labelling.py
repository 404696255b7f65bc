"""Labelling through the real window: keys alone, text fields, the pointer, several recordings."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from hfviewer.app.main_window import MainWindow
from hfviewer.core import edits
from hfviewer.core.annotation import AttributeDefinition
from hfviewer.model.label_condition import Safety
from hfviewer.panels.timeline.disagreement import DisagreementRow
from hfviewer.panels.timeline.tracks import LabelTrack
from hfviewer.readers.hyperframe.annotation_store import InFileStore
from tests.labels import label
from tests.model.label_driver import keeper_of
from tests.recordings import CAMERA_PERIOD_NS, START_NS, write_small

Key, Mod = Qt.Key, Qt.KeyboardModifier
FRAMES = 600  # a minute


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_small(tmp_path / "drive.hfr", frames=FRAMES)


@pytest.fixture
def window(qtbot: QtBot, make_window: Callable[[], MainWindow], path: Path) -> MainWindow:
    window = make_window()
    open_in(qtbot, window, path)
    return window


def open_in(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    window.open_path(str(path))
    qtbot.waitUntil(
        lambda: (
            window.workspace.recording is not None
            and window.workspace.recording.description.path == str(path)
            and window.annotations.condition.editable
        ),
        timeout=10_000,
    )


def press(window: MainWindow, *keys: Qt.Key, modifier: Qt.KeyboardModifier = Mod.NoModifier) -> None:
    for key in keys:
        QTest.keyClick(window, key, modifier)


def type_line(window: MainWindow, text: str) -> None:
    QTest.keyClicks(window.label_commands.line.edit, text)
    QTest.keyClick(window.label_commands.line.edit, Key.Key_Return)


def saved(qtbot: QtBot, window: MainWindow) -> None:
    press(window, Key.Key_S, modifier=Mod.ControlModifier)
    qtbot.waitUntil(lambda: window.annotations.condition.safety is Safety.SAVED, timeout=10_000)


def frames(window: MainWindow) -> list[tuple[int | None, int | None]]:
    return [(a.first_frame, a.last_frame) for a in window.annotations.state.in_order()]


def step_to(window: MainWindow, frame: int) -> None:
    """Go somewhere by the keyboard alone."""
    press(window, Key.Key_G)
    QTest.keyClicks(window.go_to_line.edit, f"#{frame}")
    QTest.keyClick(window.go_to_line.edit, Key.Key_Return)
    assert window.workspace.playhead.position_ns == START_NS + frame * CAMERA_PERIOD_NS


def test_a_minute_is_labelled_with_twenty_windows_on_three_tracks_by_keys_alone(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    for name in ("behaviour", "scene", "weather"):
        press(window, Key.Key_N, modifier=Mod.ShiftModifier)
        type_line(window, name)
    for name in ("cruise", "brake", "stop"):
        press(window, Key.Key_N)
        type_line(window, name)
    expected: list[tuple[str, str, int, int]] = []
    for number in range(20):
        press(window, Key.Key_Down, modifier=Mod.AltModifier)
        track = window.tagger.track
        first, last = number * 29, number * 29 + 11 + number % 7
        digit = 1 + number % 3
        step_to(window, first)
        if number % 2:
            press(window, Key(Key.Key_0 + digit))
            step_to(window, last)
            press(window, Key(Key.Key_0 + digit))
        else:
            press(window, Key.Key_I)
            step_to(window, last)
            press(window, Key.Key_O, Key(Key.Key_0 + digit), Key.Key_X)
        expected.append((track, ("cruise", "brake", "stop")[digit - 1], first, last))
    saved(qtbot, window)
    labels = InFileStore(path).load().annotations
    found = [(a.track, a.label, a.first_frame, a.last_frame) for a in labels.in_order()]
    assert sorted(found) == sorted(expected)
    assert {track for track, *_ in found} == {"behaviour", "scene", "weather"}
    for a in labels:
        assert a.stream == "cam"
        assert a.first_frame is not None
        assert a.start_ns == START_NS + a.first_frame * CAMERA_PERIOD_NS
    with_names = {label.name: label.hotkey for label in labels.schema.labels}
    assert with_names == {"cruise": "1", "brake": "2", "stop": "3"}


def test_holding_a_digit_while_playing_labels_until_it_is_released(qtbot: QtBot, window: MainWindow) -> None:
    playhead = window.workspace.playhead
    step_to(window, 100)
    press(window, Key.Key_Space)
    QTest.keyPress(window, Key.Key_4)
    qtbot.waitUntil(lambda: playhead.position_ns > START_NS + 105 * CAMERA_PERIOD_NS, timeout=10_000)
    assert window.tagger.ghosts["4"].held
    assert "release to end" in window.timeline.header.message
    QTest.keyRelease(window, Key.Key_4)
    press(window, Key.Key_Space)
    (label,) = window.annotations.state
    assert label.label == "label 4"
    assert label.first_frame is not None
    assert label.last_frame is not None
    assert 97 <= label.first_frame <= 99  # 200 ms earlier than the key went down
    assert label.last_frame >= 105
    assert window.tagger.ghosts == {}


def test_escape_forgets_a_label_that_is_being_made(window: MainWindow) -> None:
    press(window, Key.Key_3)
    assert list(window.tagger.ghosts) == ["3"]
    press(window, Key.Key_Escape, Key.Key_Right, Key.Key_3)
    assert list(window.tagger.ghosts) == ["3"]
    press(window, Key.Key_Return)
    assert len(window.annotations.state) == 1


def test_keys_change_what_is_selected_and_undo_takes_it_back(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    for first, last in ((10, 20), (40, 50)):
        step_to(window, first)
        press(window, Key.Key_1)
        step_to(window, last)
        press(window, Key.Key_1)
    press(window, Key.Key_Home, Key.Key_Tab)
    (label,) = window.annotations.selected
    assert (label.first_frame, label.last_frame) == (10, 20)
    assert window.workspace.playhead.position_ns == label.start_ns
    press(window, Key.Key_Right, modifier=Mod.AltModifier)
    press(window, Key.Key_Right, modifier=Mod.AltModifier | Mod.ShiftModifier)
    press(window, Key.Key_Left, modifier=Mod.AltModifier | Mod.ControlModifier)
    (label,) = window.annotations.selected
    assert (label.first_frame, label.last_frame) == (12, 20)
    step_to(window, 16)
    press(window, Key.Key_S)
    frames = [(a.first_frame, a.last_frame) for a in window.annotations.state.in_order()]
    assert frames == [(12, 15), (16, 20), (40, 50)]
    press(window, Key.Key_J, modifier=Mod.ControlModifier)
    assert [(a.first_frame, a.last_frame) for a in window.annotations.state.in_order()] == [
        (12, 20),
        (40, 50),
    ]
    step_to(window, 30)
    press(window, Key.Key_Escape, Key.Key_B)
    assert [a.first_frame for a in window.annotations.state.in_order()] == [12, 21, 40]
    press(window, Key.Key_Tab, Key.Key_Delete)
    assert len(window.annotations.state) == 2
    press(window, Key.Key_Tab, Key.Key_7)  # relabels what is selected
    assert window.annotations.selected[0].label == "label 7"
    press(window, Key.Key_Return, modifier=Mod.ControlModifier)
    assert window.annotations.selected[0].status == "done"
    undone, _ = window.annotations.depth
    for _ in range(undone):
        press(window, Key.Key_Z, modifier=Mod.ControlModifier)
    assert len(window.annotations.state) == 0
    for _ in range(undone):
        press(window, Key.Key_Z, modifier=Mod.ControlModifier | Mod.ShiftModifier)
    saved(qtbot, window)
    assert InFileStore(path).load().annotations == window.annotations.state


def test_typing_a_note_does_nothing_else(qtbot: QtBot, window: MainWindow) -> None:
    step_to(window, 10)
    press(window, Key.Key_M, Key.Key_Return)
    line = window.label_commands.line
    assert line.isVisible()
    before = window.workspace.playhead.position_ns
    depth = window.annotations.depth
    QTest.keyClicks(line.edit, "1 skips, Space bar M S U b 5")
    for key in (Key.Key_Tab, Key.Key_Delete, Key.Key_Left, Key.Key_Home, Key.Key_End):
        QTest.keyClick(line.edit, key)
    QTest.keyClick(line.edit, Key.Key_Z, Mod.ControlModifier)
    assert window.workspace.playhead.position_ns == before
    assert not window.workspace.playhead.playing
    assert window.annotations.depth == depth
    assert window.tagger.ghosts == {}
    line.edit.setText("seen at the crossing")
    QTest.keyClick(line.edit, Key.Key_Return)
    (label,) = window.annotations.state
    assert label.note == "seen at the crossing"
    assert not line.isVisible()


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard", extend=True)
def test_after_a_click_on_every_control_space_still_plays(window: MainWindow) -> None:
    bars = (window.transport, window.timeline)
    for button in [found for bar in bars for found in bar.findChildren(QAbstractButton)]:
        if button.isVisible() and button.isEnabled() and "open" not in button.toolTip().lower():
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            while (menu := QApplication.activePopupWidget()) is not None:
                menu.close()
    canvas = window.timeline.canvas
    middle = canvas.parts.lanes_rect.center()
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Mod.NoModifier, middle)
    window.workspace.playhead.set_playing(False)
    focus = window.focusWidget() or window
    QTest.keyClick(focus, Key.Key_Space)
    assert window.workspace.playhead.playing
    QTest.keyClick(focus, Key.Key_Space)


def test_the_pointer_selects_stretches_moves_and_draws(qtbot: QtBot, window: MainWindow) -> None:
    step_to(window, 100)
    press(window, Key.Key_1)
    step_to(window, 300)
    press(window, Key.Key_1)
    canvas = window.timeline.canvas
    (label,) = window.annotations.state
    row = canvas.parts.track_rect(0)

    def place(frame: int) -> QPoint:
        assert canvas.axis is not None
        column = canvas.axis.column_at(START_NS + frame * CAMERA_PERIOD_NS)
        return QPoint(row.left() + column, row.center().y())

    def drag(first: QPoint, last: QPoint) -> None:
        QTest.mousePress(canvas, Qt.MouseButton.LeftButton, Mod.NoModifier, first)
        for step in range(1, 6):
            QTest.mouseMove(canvas, first + (last - first) * step / 5)
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, Mod.NoModifier, last)

    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Mod.NoModifier, place(200))
    assert window.annotations.selected == (label,)
    drag(place(300), place(400))
    (label,) = window.annotations.state
    assert label.first_frame == 100
    assert label.last_frame is not None
    assert 398 <= label.last_frame <= 402
    assert label.end_ns == START_NS + label.last_frame * CAMERA_PERIOD_NS  # snapped to a frame
    assert window.workspace.playhead.position_ns == label.end_ns  # every panel shows the edge
    drag(place(450), place(500))
    assert len(window.annotations.state) == 2
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Mod.NoModifier, place(30))
    assert len(window.annotations.selected) == 0
    assert len(window.annotations.state) == 2


def test_undo_after_another_recording_was_opened_touches_only_that_one(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    other = path.with_name("other.hfr")
    shutil.copy(path, other)
    for frame in (10, 20, 30):
        step_to(window, frame)
        press(window, Key.Key_M)
    open_in(qtbot, window, other)
    step_to(window, 40)
    press(window, Key.Key_M)
    for _ in range(50):
        press(window, Key.Key_Z, modifier=Mod.ControlModifier)
    assert len(window.annotations.state) == 0
    open_in(qtbot, window, path)
    assert len(window.annotations.state) == 3
    assert len(InFileStore(path).load().annotations) == 3
    assert len(InFileStore(other).load().annotations) == 0


def test_copies_go_into_another_recording(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    other = path.with_name("other.hfr")
    shutil.copy(path, other)
    step_to(window, 10)
    press(window, Key.Key_2)
    step_to(window, 15)
    press(window, Key.Key_2)
    press(window, Key.Key_A, Key.Key_C, modifier=Mod.ControlModifier)
    open_in(qtbot, window, other)
    step_to(window, 100)
    press(window, Key.Key_V, modifier=Mod.ControlModifier)
    (label,) = window.annotations.state
    assert (label.first_frame, label.last_frame, label.label) == (100, 105, "label 2")


def test_a_finding_becomes_a_label(
    qtbot: QtBot, make_window: Callable[[], MainWindow], tmp_path: Path
) -> None:
    path = write_small(tmp_path / "lossy.hfr", frames=60, lost=frozenset({20, 21, 22}))
    window = make_window()
    open_in(qtbot, window, path)
    qtbot.waitUntil(
        lambda: any(f.code == "missing_frames" for f in window.workspace.findings), timeout=10_000
    )
    finding = next(f for f in window.workspace.findings if f.code == "missing_frames")
    window.findings.label_wanted.emit(finding)
    (label,) = window.annotations.state
    assert (label.label, label.track) == ("missing frames", "findings")
    assert (label.start_ns, label.end_ns) == (finding.start_ns, finding.end_ns)


def test_the_status_bar_says_how_safe_the_labels_are(qtbot: QtBot, window: MainWindow) -> None:
    said: list[str] = []
    window.annotations.condition_changed.connect(lambda condition: said.append(condition.text()))
    step_to(window, 3)
    press(window, Key.Key_M)
    qtbot.waitUntil(lambda: "labels journalled" in said, timeout=10_000)
    saved(qtbot, window)
    assert said[-1] == "labels saved · revision 2"


def test_two_authors_are_compared_one_above_the_other(window: MainWindow) -> None:
    for author, first, last in (("Anna", 10, 60), ("Ben", 12, 60), ("Ben", 100, 120)):
        window.tagger.author = author
        step_to(window, first)
        press(window, Key.Key_1)
        step_to(window, last)
        press(window, Key.Key_1)
    canvas = window.timeline.canvas
    assert len(canvas.tracks) == 1
    press(window, Key.Key_A, modifier=Mod.ControlModifier | Mod.ShiftModifier)
    ben, anna, between = canvas.tracks
    assert isinstance(ben, LabelTrack)
    assert isinstance(anna, LabelTrack)
    assert isinstance(between, DisagreementRow)
    assert (ben.name, anna.name) == ("labels · Ben", "labels · Anna")
    assert (len(ben.spans), len(anna.spans)) == (2, 1)
    assert between.text == "κ 0.79 · edges 100 ms"
    window.grab()  # they are painted
    press(window, Key.Key_Z, modifier=Mod.ControlModifier)
    assert between.text.startswith("κ 0.9")
    press(window, Key.Key_A, modifier=Mod.ControlModifier | Mod.ShiftModifier)
    assert len(canvas.tracks) == 1


def test_tracks_do_not_jump_from_episode_to_episode(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    step_to(window, 10)
    press(window, Key.Key_M)
    saved(qtbot, window)
    other = path.with_name("other.hfr")
    shutil.copy(path, other)
    heights: set[int] = set()
    window.annotations.changed.connect(lambda: heights.add(window.timeline.canvas.parts.tracks_rect.height()))
    open_in(qtbot, window, other)
    assert len(window.annotations.state) == 1
    assert len(heights) == 1


def test_edits_of_a_session_that_was_killed_are_taken_up_again(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    left = path.with_name("left.hfr")
    shutil.copy(path, left)
    keeper = keeper_of(left, left.with_name("left.hfr.labels.journal"))
    history = keeper.open().history
    keeper.record([("do", history.do(edits.add(history.state, [label("a" * 32, 1, 2)])))])
    keeper.close()  # as a kill leaves it
    open_in(qtbot, window, left)
    assert set(window.annotations.state.by_id) == {"a" * 32}
    qtbot.waitUntil(lambda: window.annotations.condition.safety is Safety.SAVED, timeout=10_000)
    assert set(InFileStore(left).load().annotations.by_id) == {"a" * 32}
    press(window, Key.Key_Z, modifier=Mod.ControlModifier)
    assert len(window.annotations.state) == 0


def test_labels_go_into_a_file_and_into_another_recording_from_the_menu(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    step_to(window, 10)
    press(window, Key.Key_2)
    step_to(window, 15)
    press(window, Key.Key_2)
    file = path.with_name("labels.csv")
    window.label_files.put_out(str(file))
    qtbot.waitUntil(file.exists, timeout=10_000)
    other = path.with_name("other.hfr")
    shutil.copy(path, other)
    open_in(qtbot, window, other)
    window.label_files.bring_in(str(file))
    qtbot.waitUntil(lambda: frames(window) == [(10, 15)], timeout=10_000)
    press(window, Key.Key_Z, modifier=Mod.ControlModifier)
    assert frames(window) == []
    assert window.actions_by_name["label_2"].text() == "Label label 2"


def test_a_label_that_is_moved_keeps_its_frames_and_lands_on_some(window: MainWindow) -> None:
    step_to(window, 100)
    press(window, Key.Key_1)
    step_to(window, 300)
    press(window, Key.Key_1)
    (before,) = window.annotations.state
    moved_ns = START_NS + 217 * CAMERA_PERIOD_NS + 30_000_000
    row = window.labels.rows["labels"]
    row.retimed.emit(before.id, edits.Edge(moved_ns), edits.Edge(moved_ns + before.end_ns - before.start_ns))
    (after,) = window.annotations.state
    assert (after.first_frame, after.last_frame) == (217, 417)
    assert after.start_ns == START_NS + 217 * CAMERA_PERIOD_NS


def test_author_and_reaction_time_are_asked_for_and_remembered(window: MainWindow) -> None:
    window.actions_by_name["set_author"].trigger()
    window.label_commands.line.edit.selectAll()
    type_line(window, "Anna")
    window.actions_by_name["set_reaction"].trigger()
    window.label_commands.line.edit.selectAll()
    type_line(window, "-350 ms")
    assert (window.tagger.author, window.tagger.reaction_ns) == ("Anna", -350_000_000)
    step_to(window, 10)
    press(window, Key.Key_M)
    assert [a.author for a in window.annotations.state] == ["Anna"]
    window.actions_by_name["set_reaction"].trigger()
    window.label_commands.line.edit.selectAll()
    type_line(window, "soon")
    assert window.tagger.reaction_ns == -350_000_000


def test_what_a_label_asks_for_is_answered_from_the_keyboard(window: MainWindow) -> None:
    step_to(window, 10)
    press(window, Key.Key_1)
    step_to(window, 20)
    press(window, Key.Key_1)
    found = window.annotations.state.schema.label("label 1")
    assert found is not None
    asking = replace(found, attributes=(AttributeDefinition(name="speed", kind="number"),))
    window.label_commands.schema_menu.change_label("label 1", asking)
    press(window, Key.Key_Q)
    assert window.label_commands.line.edit.text() == "speed="
    window.label_commands.line.edit.clear()
    type_line(window, "speed=3.5, wet=true")
    (made,) = window.annotations.state
    assert made.attributes == {"speed": 3.5, "wet": True}
    press(window, Key.Key_Q)
    window.label_commands.line.edit.clear()
    type_line(window, "wet=false")
    assert window.annotations.state.by_id[made.id].attributes == {"wet": False}
