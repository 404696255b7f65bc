from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

import hfviewer
from hfviewer.app.bindings import BINDINGS
from hfviewer.app.keys_page import KeysPage
from hfviewer.app.main_window import MainWindow
from hfviewer.app.settings import SettingsStore
from hfviewer.app.waiting import missing_panels
from hfviewer.panels.base import StreamPanel
from tests.recordings import write_small

MakeWindow = Callable[[], MainWindow]
# The others of these groups are the window's own.
OURS = [b.action for b in BINDINGS if b.group in ("View", "Help")]


@pytest.fixture
def empty(make_window: MakeWindow) -> MainWindow:
    return make_window()


@pytest.fixture
def window(qtbot: QtBot, make_window: MakeWindow, tmp_path: Path) -> MainWindow:
    made = make_window()
    made.open_path(str(write_small(tmp_path / "small.hfr", frames=5)))
    qtbot.waitUntil(lambda: made.workspace.recording is not None, timeout=10_000)
    qtbot.waitUntil(lambda: not missing_panels(made), timeout=10_000)
    return made


def do(window: MainWindow, action: str) -> None:
    window.actions_by_name[action].trigger()


def length_ns(window: MainWindow) -> int:
    """Of the span that the timeline shows."""
    view = window.timeline.view
    assert view is not None
    return view.duration_ns


@pytest.mark.parametrize("action", OURS)
def test_every_key_does_something_sensible_while_nothing_is_open(empty: MainWindow, action: str) -> None:
    do(empty, action)
    assert list(empty.area.panels) == []
    assert empty.workspace.recording is None


def test_zooming_in_and_out_and_fitting_change_what_the_timeline_shows(window: MainWindow) -> None:
    whole_ns = length_ns(window)
    do(window, "zoom_in")
    zoomed_ns = length_ns(window)
    assert zoomed_ns < whole_ns
    do(window, "zoom_in")
    assert length_ns(window) < zoomed_ns
    do(window, "zoom_out")
    assert length_ns(window) == pytest.approx(zoomed_ns, rel=0.02)
    do(window, "fit_timeline")
    assert length_ns(window) == whole_ns


def test_the_panel_in_focus_is_the_one_that_floats_and_closes(qtbot: QtBot, window: MainWindow) -> None:
    window.workspace.focus("depth")
    dock = window.area.findChild(QDockWidget, "panel/depth")
    assert dock is not None
    do(window, "float_panel")
    assert dock.isFloating()
    do(window, "float_panel")
    assert not dock.isFloating()
    do(window, "close_panel")
    assert not window.area.is_open("depth")
    assert window.area.is_open("cam")


def test_maximising_takes_the_panel_in_focus_and_puts_it_back(window: MainWindow) -> None:
    window.workspace.focus("lidar")
    do(window, "maximise_panel")
    assert [panel.stream_name for panel in window.area.visible_panels] == ["lidar"]
    do(window, "maximise_panel")
    assert len(window.area.visible_panels) == 6


def test_resetting_the_view_asks_the_panel_in_focus_alone(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    reset: list[str] = []
    for panel in window.area.panels:
        monkeypatch.setattr(panel, "reset_view", lambda panel=panel: reset.append(panel.stream_name))
    window.workspace.focus("depth")
    do(window, "reset_view")
    assert reset == ["depth"]


def test_the_layout_is_reset_to_that_of_a_recording_just_opened(window: MainWindow) -> None:
    before: list[StreamPanel] = list(window.area.panels)
    window.area.close_panel("cam")
    do(window, "reset_layout")
    assert window.area.is_open("cam")
    assert [panel.stream_name for panel in window.area.panels] == [panel.stream_name for panel in before]


def test_the_theme_changes_at_once_and_is_remembered(window: MainWindow, tmp_path: Path) -> None:
    assert window.theme.dark
    do(window, "toggle_theme")
    assert not window.theme.dark
    window.close()  # waits until everything is written
    assert SettingsStore(tmp_path / "settings").values.theme == "light"


def test_full_screen_and_statistics_come_and_go(window: MainWindow) -> None:
    for shown in (True, False):
        do(window, "toggle_full_screen")
        do(window, "toggle_statistics")
        assert bool(window.windowState() & Qt.WindowState.WindowFullScreen) is shown
        assert window.statistics_card.isVisible() is shown


def test_the_keys_are_one_page_however_often_they_are_asked_for(empty: MainWindow) -> None:
    for _ in range(2):
        do(empty, "show_keys")
        (page,) = empty.findChildren(KeysPage)
        assert page.isVisible()
        page.close()


def test_about_names_the_version_without_blocking(empty: MainWindow) -> None:
    do(empty, "show_about")
    (box,) = empty.findChildren(QMessageBox)
    assert hfviewer.__version__ in box.text()
    box.close()


def test_the_panel_in_focus_is_opened_again_and_its_picture_copied(qtbot: QtBot, window: MainWindow) -> None:
    window.workspace.focus("depth")
    panel = window.area.panel("depth")
    assert panel is not None
    do(window, "copy_panel_picture")
    clipboard = QGuiApplication.clipboard()
    assert clipboard is not None
    seen = panel.picture_seen()
    assert seen is not None
    assert clipboard.image().size() == seen.size()
    do(window, "another_panel")
    assert [key.number for key in window.area.keys(only_open=True) if key.stream == "depth"] == [1, 2]


def test_saving_a_panels_picture_asks_where_to(window: MainWindow) -> None:
    window.workspace.focus("depth")
    do(window, "save_panel_picture")
    dialog = next(dialog for dialog in window.findChildren(QFileDialog) if dialog.isVisible())
    assert dialog.defaultSuffix() == "png"
    dialog.close()
