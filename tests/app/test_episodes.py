from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from hfviewer.app.docks import TALL_PX
from hfviewer.app.episodes import MOST_TRIES, first_keys
from hfviewer.app.main_window import MainWindow
from hfviewer.app.waiting import missing_panels
from hfviewer.cli.main import main
from hfviewer.core.errors import UsageError
from hfviewer.core.finding import Severity
from hfviewer.panels.standing import Standing
from hfviewer.readers.annotation_store import change
from hfviewer.readers.episodes.annotation_store import EpisodeStore
from tests.collections_in_memory import ListedCollection, episode
from tests.labels import label
from tests.readers.episodes.shared import FOLDER, needs_data
from tests.readers.episodes.tasks import Task
from tests.recordings import CAMERA_PERIOD_NS, START_NS, write_small

MakeWindow = Callable[[], MainWindow]
LABEL = label("a" * 32, 1, 2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three recordings; the second is a file that was cut short."""
    path = tmp_path / "任务"
    path.mkdir()
    for number in (1, 2, 3):
        write_small(path / f"take_{number}.hfr", lost=frozenset({7, 8}) if number == 3 else frozenset())
    broken = path / "take_2.hfr"
    broken.write_bytes(broken.read_bytes()[:100])
    return path


def open_folder(qtbot: QtBot, window: MainWindow, folder: Path, **more: int) -> None:
    window.open_path(str(folder), **more)  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: window.workspace.recording is not None, timeout=10_000)
    settle(qtbot, window)


def settle(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.episodes.busy and not missing_panels(window), timeout=10_000)


def panel_sizes(window: MainWindow) -> dict[str, tuple[int, int]]:
    return {panel.stream_name: panel.size().toTuple() for panel in window.area.visible_panels}


def press(window: MainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier) -> None:
    window.activateWindow()
    QTest.keyClick(window, key, modifier)


def page(window: MainWindow, step: int) -> None:
    key = Qt.Key.Key_PageDown if step > 0 else Qt.Key.Key_PageUp
    press(window, key, Qt.KeyboardModifier.ControlModifier)


def test_a_folder_opens_as_a_list_and_its_first_recording(
    qtbot: QtBot, make_window: MakeWindow, folder: Path
) -> None:
    window = make_window()
    open_folder(qtbot, window, folder)
    assert window.workspace.episode == "take_1.hfr"
    assert window.windowTitle() == "take_1.hfr — hfviewer"
    assert window.episode_list.isVisible()
    assert window.episode_list.shown.rowCount() == 3
    row = window.episode_list.table.row_of
    qtbot.waitUntil(lambda: (found := row("take_3.hfr")) is not None and found.duration_s is not None)
    broken = row("take_2.hfr")
    assert broken is not None
    assert not broken.ok
    assert "header" in broken.problem


def test_the_keys_go_from_one_to_the_next_and_a_broken_one_is_told_in_place(
    qtbot: QtBot, make_window: MakeWindow, folder: Path
) -> None:
    window = make_window()
    open_folder(qtbot, window, folder)
    page(window, 1)
    qtbot.waitUntil(lambda: window.workspace.episode == "take_2.hfr")
    assert window.workspace.recording is None
    assert window.episode_page.isVisible()
    assert window.episode_page.said[0] == "take_2.hfr cannot be opened"
    assert not window.banner.isVisible()
    page(window, 1)
    qtbot.waitUntil(lambda: window.workspace.recording is not None)
    assert window.workspace.episode == "take_3.hfr"
    assert not window.episode_page.isVisible()
    page(window, 1)
    assert "last episode" in window.banner.text
    assert window.workspace.episode == "take_3.hfr"
    page(window, -1)
    page(window, -1)
    qtbot.waitUntil(lambda: window.workspace.episode == "take_1.hfr")


def test_the_next_one_lies_ready(qtbot: QtBot, make_window: MakeWindow, folder: Path) -> None:
    (folder / "take_2.hfr").unlink()
    window = make_window()
    open_folder(qtbot, window, folder)
    qtbot.waitUntil(lambda: window.episodes.ready_key == "take_3.hfr")


def test_the_layout_and_the_focus_go_along(qtbot: QtBot, make_window: MakeWindow, folder: Path) -> None:
    (folder / "take_2.hfr").unlink()
    window = make_window()
    open_folder(qtbot, window, folder)
    window.area.close_panel("lidar")
    window.area.close_panel("notes")
    window.workspace.focus("depth")
    sizes = panel_sizes(window)
    page(window, 1)
    qtbot.waitUntil(lambda: window.workspace.episode == "take_3.hfr")
    settle(qtbot, window)
    assert {panel.stream_name for panel in window.area.visible_panels} == {"cam", "depth", "imu", "pose"}
    assert window.workspace.focused == "depth"
    assert panel_sizes(window) == sizes


def test_the_playhead_starts_anew_or_stays_at_the_same_elapsed_time(
    qtbot: QtBot, make_window: MakeWindow, folder: Path
) -> None:
    (folder / "take_2.hfr").unlink()
    window = make_window()
    open_folder(qtbot, window, folder)
    window.workspace.playhead.jump_to(START_NS + 5 * CAMERA_PERIOD_NS)
    window.episodes.next_episode()
    qtbot.waitUntil(lambda: window.workspace.episode == "take_3.hfr")
    assert window.workspace.playhead.position_ns == START_NS + 20_000_000
    window.actions_by_name["toggle_same_time"].trigger()
    assert window.episode_list.same_time_button.isChecked()
    window.workspace.playhead.jump_to(START_NS + 9 * CAMERA_PERIOD_NS)
    window.episodes.previous_episode()
    qtbot.waitUntil(lambda: window.workspace.episode == "take_1.hfr")
    assert window.workspace.playhead.position_ns == START_NS + 9 * CAMERA_PERIOD_NS


def test_what_the_checks_of_an_episode_found_shows_in_its_row(
    qtbot: QtBot, make_window: MakeWindow, folder: Path
) -> None:
    window = make_window()
    open_folder(qtbot, window, folder, episode=3)
    qtbot.waitUntil(lambda: window.workspace.health.of("take_3.hfr") is not None)
    health = window.workspace.health.of("take_3.hfr")
    assert health is not None
    assert health.severity is Severity.ERROR
    assert health.frames_lost == 2


def test_files_that_come_and_go_are_tolerated(qtbot: QtBot, make_window: MakeWindow, folder: Path) -> None:
    window = make_window()
    open_folder(qtbot, window, folder)
    write_small(folder / "take_4.hfr")
    (folder / "take_2.hfr").unlink()
    window.episodes.refresh_episodes()
    qtbot.waitUntil(lambda: window.episode_list.table.row_of("take_4.hfr") is not None)
    assert window.episode_list.table.row_of("take_2.hfr") is None
    (folder / "take_3.hfr").unlink()
    window.episodes.open_key("take_3.hfr")
    qtbot.waitUntil(lambda: window.workspace.episode == "take_3.hfr")
    assert window.workspace.recording is None or window.workspace.recording.streams


def test_a_single_recording_has_no_list_of_episodes(
    qtbot: QtBot, make_window: MakeWindow, folder: Path
) -> None:
    window = make_window()
    open_folder(qtbot, window, folder)
    window.open_path(str(folder / "take_3.hfr"))
    qtbot.waitUntil(lambda: window.workspace.collection is None)
    assert window.workspace.recording is not None
    assert not window.episode_list.isVisible()
    open_folder(qtbot, window, folder)
    qtbot.waitUntil(lambda: window.workspace.collection is not None)
    window.close_recording()
    assert window.workspace.collection is None
    assert window.welcome.isVisible()


def test_an_episode_that_is_not_there_is_told_and_the_list_stays(
    qtbot: QtBot, make_window: MakeWindow, folder: Path
) -> None:
    window = make_window()
    with qtbot.waitSignal(window.failed):
        window.open_path(str(folder), episode=7)
    assert "numbered 1 to 3" in window.banner.text
    assert window.episode_page.isVisible()
    assert window.episode_page.said[0] == "Choose an episode of 任务"
    press(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert window.episode_list.view.selectionModel().hasSelection()
    row = window.episode_list.table.row_of
    qtbot.waitUntil(lambda: (found := row("take_3.hfr")) is not None and found.duration_s is not None)
    QTest.keyClick(window.episode_list.view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.workspace.recording is not None)


def test_after_a_click_into_the_list_space_and_arrows_drive_the_transport(
    qtbot: QtBot, make_window: MakeWindow, folder: Path
) -> None:
    window = make_window()
    open_folder(qtbot, window, folder)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    listing = window.episode_list
    buttons = [listing.same_time_button]
    for button in buttons:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    place = listing.view.visualRect(listing.shown.index(2, 1)).center()
    QTest.mouseClick(listing.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    before_ns = window.workspace.playhead.position_ns
    QTest.keyClick(listing.view, Qt.Key.Key_Right)
    assert window.workspace.playhead.position_ns > before_ns
    QTest.keyClick(listing.view, Qt.Key.Key_Space)
    assert window.workspace.playhead.playing


def test_the_list_shares_a_low_window_and_has_its_own_place_in_a_high_one(
    qtbot: QtBot, make_window: MakeWindow, folder: Path
) -> None:
    window = make_window()
    window.resize(1280, TALL_PX)
    open_folder(qtbot, window, folder)
    assert window.streams.isVisible()
    assert window.episode_list.isVisible()
    window.resize(1280, TALL_PX - 100)
    qtbot.waitUntil(lambda: not window.streams.visibleRegion().boundingRect().height())
    assert window.episode_list.isVisible()


def test_render_takes_the_episode_that_was_asked_for(
    qtbot: QtBot, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "a.png"
    words = ["render", str(folder), "--at", "0.5", "--out", str(out), "--size", "1280x720", "--episode"]
    assert main([*words, "3"]) == 0
    assert out.stat().st_size > 0
    assert main([*words, "2"]) == 2
    assert "take_2.hfr" in capsys.readouterr().err


def test_so_many_are_tried_and_no_more() -> None:
    rows = [episode(n, ok=n % 2 == 0) for n in range(1, 101)]
    keys = first_keys(ListedCollection(rows), None)
    assert keys == [str(n) for n in range(2, 2 * MOST_TRIES + 1, 2)]
    assert first_keys(ListedCollection([episode(1, ok=False)]), None) == ["1"]
    with pytest.raises(UsageError, match="no episodes"):
        first_keys(ListedCollection([]), None)


@needs_data
def test_the_episodes_of_all_shared_tasks_show_one_after_the_other(
    qtbot: QtBot, make_window: MakeWindow
) -> None:
    window = make_window()
    open_folder(qtbot, window, FOLDER)
    seen = [window.workspace.episode]
    for _ in range(6):
        window.episodes.next_episode()
        qtbot.waitUntil(lambda: window.workspace.episode != seen[-1], timeout=20_000)
        settle(qtbot, window)
        assert window.workspace.recording is not None
        assert {panel.standing for panel in window.area.visible_panels if panel.wanted_index is not None} <= {
            Standing.FRESH,
            Standing.LATE,
        }
        seen.append(window.workspace.episode)
    assert len(set(seen)) == 7
    window.episodes.next_episode()
    assert "last episode" in window.banner.text


def test_damaged_episodes_of_a_task_are_rows_and_the_others_open(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    task = Task(tmp_path / "杯子")
    for number in (1, 2, 3, 4):
        task.add(number)
    video = task.path("videos", 2, "cam_rgb", "mp4")
    video.write_bytes(video.read_bytes()[:200])
    task.path("data", 3).write_bytes(b"PAR1 no table")
    store = EpisodeStore(tmp_path / "杯子/annotations/chunk-000/episode-003.parquet")
    change(store, lambda state: state.changed({LABEL.id: LABEL}))
    window = make_window()
    open_folder(qtbot, window, task.root)
    rows = [window.episode_list.table.row(place) for place in range(4)]
    assert [row.ok for row in rows] == [True, False, False, True]
    assert [row.labelled for row in rows] == [False, False, False, True]
    for key in ("2", "3", "4"):
        window.episodes.next_episode()
        qtbot.waitUntil(lambda wanted=key: window.workspace.episode == wanted, timeout=20_000)  # type: ignore[misc]
        qtbot.waitUntil(lambda: not window.episodes.busy)
    assert window.workspace.recording is not None
    assert "cam_rgb" in window.workspace.recording.streams


def test_an_episode_without_any_of_the_streams_shown_does_not_spoil_the_layout(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    task = Task(tmp_path / "task")
    task.add(1, videos={"a_rgb": "h264", "b_rgb": "h264"})
    task.add(2, videos={})
    task.add(3, videos={"a_rgb": "h264", "b_rgb": "h264"})
    window = make_window()
    open_folder(qtbot, window, task.root)
    before = panel_sizes(window)
    assert set(before) >= {"a_rgb", "b_rgb"}
    for key in ("2", "3"):
        window.episodes.next_episode()
        qtbot.waitUntil(lambda wanted=key: window.workspace.episode == wanted, timeout=20_000)  # type: ignore[misc]
        settle(qtbot, window)
    after = panel_sizes(window)
    assert {name: after.get(name) for name in ("a_rgb", "b_rgb")} == {
        name: before[name] for name in ("a_rgb", "b_rgb")
    }
    assert "action" not in after
