from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from hfviewer.app import session
from hfviewer.app.main_window import MainWindow
from hfviewer.app.session import run_application
from hfviewer.app.settings import SettingsStore
from hfviewer.panels.theme import Theme
from tests.recordings import START_NS, write_small

LONG_MS = 20_000  # a session that does not end by itself fails after so long


class Session:
    """The window that a session makes, and what a test does to it once the event loop runs."""

    def __init__(self) -> None:
        self.windows: list[MainWindow] = []
        self.then: Callable[[MainWindow], object] = MainWindow.close
        self.wait_for_recording = False
        self.position_ns: int | None = None
        self.dark: bool | None = None
        self.shown = False

    def make(self, theme: Theme, settings: SettingsStore) -> MainWindow:
        window = MainWindow(theme, settings)
        self.windows.append(window)
        self.dark = theme.dark
        if self.wait_for_recording:
            window.workspace.recording_changed.connect(lambda _: QTimer.singleShot(0, self._act))
        else:
            QTimer.singleShot(0, self._act)
        return window

    def _act(self) -> None:
        (window,) = self.windows
        self.shown = window.isVisible()
        self.position_ns = window.workspace.playhead.position_ns
        self.then(window)


@pytest.fixture
def running(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    made = Session()
    monkeypatch.setattr(session, "MainWindow", made.make)
    monkeypatch.setattr(session, "SettingsStore", lambda: SettingsStore(tmp_path))
    handler = signal.getsignal(signal.SIGINT)
    watchdog = QTimer()
    watchdog.setSingleShot(True)
    watchdog.timeout.connect(lambda: qapp.exit(99))
    watchdog.start(LONG_MS)
    yield made
    watchdog.stop()
    signal.signal(signal.SIGINT, handler)
    for window in made.windows:
        window.close()
        window.deleteLater()
    qapp.setStyleSheet("")


def test_a_session_lasts_until_its_window_is_closed(running: Session) -> None:
    assert run_application(None) == 0
    assert running.shown
    assert len(running.windows) == 1


def test_the_recording_opens_where_the_command_line_says(running: Session, tmp_path: Path) -> None:
    running.wait_for_recording = True
    path = write_small(tmp_path / "small.hfr", frames=12)
    assert run_application(str(path), at="#7", revision=1) == 0
    assert running.position_ns == START_NS + 700_000_000


def test_an_interrupt_in_the_terminal_closes_the_window(running: Session) -> None:
    running.then = lambda _: os.kill(os.getpid(), signal.SIGINT)
    assert run_application(None) == 0
    assert not running.windows[0].isVisible()


@pytest.mark.parametrize(("remembered", "dark"), [('{"theme": "light"}', False), ("{}", True)])
def test_the_theme_is_the_one_of_last_time(
    running: Session, tmp_path: Path, remembered: str, dark: bool
) -> None:
    (tmp_path / "settings.json").write_text(remembered)
    assert run_application(None) == 0
    assert running.dark is dark
