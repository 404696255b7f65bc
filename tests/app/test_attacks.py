"""What clumsy and hostile users did to the window, and must not succeed with again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent
from pytestqt.qtbot import QtBot

from hfviewer.app.banner import breakable
from hfviewer.app.dock_places import LEAST_PANEL_PX
from hfviewer.app.docks import LEFT_PX
from hfviewer.app.main_window import MainWindow
from hfviewer.app.panel_dock import PanelDock
from hfviewer.app.waiting import missing_panels
from hfviewer.cli.main import main
from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from hfviewer.playback.result import FrameResult
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from tests.app.slow_door import SlowDoor
from tests.recordings import START_NS, write_small

MakeWindow = Callable[[], MainWindow]


def open_in(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    before = window.workspace.recording
    window.open_path(str(path))
    qtbot.waitUntil(lambda: window.workspace.recording not in (None, before), timeout=10_000)
    qtbot.waitUntil(lambda: not missing_panels(window), timeout=10_000)


def centre_px(window: MainWindow) -> int:
    """Width of what lies between the docks."""
    centre = window.centralWidget()
    assert centre is not None
    return centre.width()


def fills_the_width(window: MainWindow) -> bool:
    """Whether the layout has caught up: stream list and panels share the window's width, less their gap."""
    used_px = window.streams.width() + centre_px(window)
    return window.width() - 20 <= used_px <= window.width()


def write_many(path: Path, count: int) -> Path:
    with HyperframeWriter(path) as writer:
        for number in range(count):
            name = f"signal {number}"
            channels = (Channel("v", "V"),)
            writer.add_stream(
                StreamDescription(name=name, kind=StreamKind.SIGNAL, encoding="f64", channels=channels)
            )
            for sample in range(3):
                writer.append(name, START_NS + sample * 1_000_000, np.array([1.0]).tobytes())
    return path


def test_no_frame_of_the_recording_before_reaches_the_panels(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    window = make_window()
    first, second = write_small(tmp_path / "a.hfr"), write_small(tmp_path / "b.hfr")
    open_in(qtbot, window, first)
    board = window.player._board
    old_epoch = board.epoch
    shown: list[FrameResult] = []
    window.player.frame_ready.connect(shown.append)
    panel = window.area.panel("cam")
    assert panel is not None
    for _ in range(20):
        window.player.show_in_full("cam")  # results that are on their way while the next one opens
    open_in(qtbot, window, second)
    assert board.epoch > old_epoch
    shown.clear()
    late = FrameResult(generation=10**9, epoch=old_epoch, stream="cam", index=0, frame=None)
    window.player._on_loaded(late)
    assert shown == []


def test_a_long_error_leaves_the_window_as_wide_as_it_was(qtbot: QtBot, make_window: MakeWindow) -> None:
    window = make_window()
    width = window.width()
    window.banner.say("/" + "x" * 3000, "error")
    qtbot.waitUntil(lambda: window.banner.width() == centre_px(window), timeout=5_000)
    assert window.width() == width
    assert window.minimumSizeHint().width() <= width


def test_every_letter_of_an_error_is_still_there_after_breaking_it() -> None:
    text = "/recordings/" + "long" * 30 + ": It cannot be read."
    assert breakable(text).replace("\u200b", "") == text


def test_many_panels_never_widen_the_window(qtbot: QtBot, make_window: MakeWindow, tmp_path: Path) -> None:
    window = make_window()
    open_in(qtbot, window, write_many(tmp_path / "many.hfr", 30))
    size = window.size()
    for number in range(30):
        window.area.open_panel(f"signal {number}")
    qtbot.waitUntil(lambda: window.area.panel("signal 29") in window.area.visible_panels, timeout=5_000)
    qtbot.waitUntil(lambda: fills_the_width(window), timeout=5_000)
    assert window.size() == size
    least = min(panel.width() for panel in window.area.visible_panels)
    assert least >= LEAST_PANEL_PX[0] // 2


def test_a_small_window_gives_the_stream_list_its_room(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, write_small(tmp_path / "a.hfr"))
    for size in ((300, 200), (1280, 720)):
        window.resize(*size)
        qtbot.waitUntil(lambda: fills_the_width(window), timeout=5_000)
        assert window.streams.width() >= LEFT_PX
        assert window.timeline.height() >= 100


def test_a_drag_without_a_local_file_is_left_alone(make_window: MakeWindow) -> None:
    window = make_window()
    for urls in ([], [QUrl("https://example.org/a.hfr")]):
        mime = QMimeData()
        mime.setUrls(urls)
        event = QDragEnterEvent(
            QPoint(5, 5),
            Qt.DropAction.CopyAction,
            mime,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        event.ignore()
        window.dragEnterEvent(event)
        assert not event.isAccepted()


def test_closing_while_a_recording_opens_keeps_it_closed(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make_window()
    path = write_small(tmp_path / "a.hfr")
    door = SlowDoor(monkeypatch, path)
    window.open_path(str(path))
    assert door.reached.wait(10)
    window.close_recording()
    door.let_through()
    qtbot.waitUntil(lambda: door.closed, timeout=10_000)
    assert window.workspace.recording is None
    assert window.welcome.isVisible()


def test_the_maximised_panel_follows_the_focus(qtbot: QtBot, make_window: MakeWindow, tmp_path: Path) -> None:
    window = make_window()
    open_in(qtbot, window, write_small(tmp_path / "a.hfr"))
    window.actions_by_name["maximise_panel"].trigger()
    window.workspace.focus("depth")
    assert [panel.stream_name for panel in window.area.visible_panels] == ["depth"]
    window.actions_by_name["maximise_panel"].trigger()
    assert len(window.area.visible_panels) == 6


def test_stamps_at_the_end_of_time_load_like_any_other(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    path = tmp_path / "late.hfr"
    with HyperframeWriter(path) as writer:
        writer.add_stream(
            StreamDescription(name="s", kind=StreamKind.SIGNAL, encoding="f64", channels=(Channel("v"),))
        )
        for sample in range(5):
            writer.append("s", 2**63 - 1 - (4 - sample) * 10_000_000, np.array([1.0]).tobytes())
    window = make_window()
    open_in(qtbot, window, path)
    assert window.area.panel("s") in window.area.visible_panels


def test_an_area_without_panels_says_how_to_open_one(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, write_many(tmp_path / "one.hfr", 1))
    window.area.close_panel("signal 0")
    assert "Double-click" in window.area.empty_text
    window.area.open_panel("signal 0")
    assert window.area.empty_text == ""


def test_what_is_typed_into_go_to_survives_a_new_size(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, write_small(tmp_path / "a.hfr"))
    window.going_to.go_to()
    window.go_to_line.edit.setText("#12")
    window.resize(1400, 800)
    assert window.go_to_line.edit.text() == "#12"
    window.close_recording()
    assert not window.go_to_line.isVisible()


def test_a_picture_with_an_unreadable_panel_is_a_partial_result(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "bad.hfr"
    with HyperframeWriter(path) as writer:
        writer.add_stream(StreamDescription(name="cam", kind=StreamKind.IMAGE, encoding="jpeg"))
        writer.append("cam", START_NS, b"not a picture")
    assert main(["render", str(path), "--at", "0", "--out", str(tmp_path / "a.png")]) == 1
    empty = tmp_path / "empty.hfr"
    with HyperframeWriter(empty):
        pass
    assert main(["render", str(empty), "--at", "0", "--out", str(tmp_path / "b.png")]) == 1


def test_a_panel_left_of_the_first_screen_is_kept_up_to_date(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    window = make_window()
    open_in(qtbot, window, write_small(tmp_path / "a.hfr"))
    dock = next(dock for key, dock in window.area._docks.items() if key.stream == "depth")
    dock.setFloating(True)
    dock.move(-2000, -1500)
    dock.hide()
    dock.show()
    window.workspace.playhead.jump_to(START_NS + 1_010_000_000)
    qtbot.waitUntil(lambda: not missing_panels(window), timeout=5_000)
    assert dock.panel.shown_index == 10
    dock.setFloating(False)
    window.workspace.playhead.jump_to(START_NS + 310_000_000)
    qtbot.waitUntil(lambda: not missing_panels(window), timeout=5_000)
    assert dock.panel.shown_index == 3


def test_a_tab_that_comes_up_as_another_is_closed_asks_for_no_frames(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make_window()
    open_in(qtbot, window, write_small(tmp_path / "a.hfr"))
    area, remove = window.area, window.area.removeDockWidget

    def remove_and_show_next(dock: PanelDock) -> None:
        remove(dock)
        for other in area._docks.values():  # Qt shows one or the other of them, as tabs lie
            other.seen_changed.emit(True)

    monkeypatch.setattr(area, "removeDockWidget", remove_and_show_next)
    open_in(qtbot, window, write_small(tmp_path / "b.hfr"))
    asking = {id(view) for shared in area._views._shared.values() for view in shared.views}
    assert asking
    assert asking <= {id(panel) for panel in area.panels}
