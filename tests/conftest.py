"""Fixtures for every test: the application's window, fresh settings, nothing left behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from hfviewer.app.main_window import MainWindow

# Other work shares the machine: a slow example is no failure, and a run must not depend on yesterday's luck.
settings.register_profile("hfviewer", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("hfviewer")


def pytest_configure() -> None:
    """Before pytest-qt makes the application."""
    from PySide6.QtCore import QCoreApplication, Qt

    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        # Qt ends the process where it finds no display: a plain `pytest` draws into memory instead.
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    # As in the application: floated GL panels must keep their context.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)


@pytest.fixture
def make_window(qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[[], MainWindow]]:
    """Main windows with fresh settings; closed at the end, their threads with them."""
    from hfviewer.app.application import apply_theme, make_application
    from hfviewer.app.main_window import MainWindow
    from hfviewer.app.settings import SettingsStore
    from hfviewer.panels.theme import Theme

    windows: list[MainWindow] = []
    application = make_application()

    def make() -> MainWindow:
        theme = Theme()
        apply_theme(application, theme)
        window = MainWindow(theme, SettingsStore(tmp_path / "settings"))
        windows.append(window)
        window.resize(1280, 720)
        window.show()
        qtbot.waitExposed(window)
        return window

    yield make
    for window in windows:
        if not window.close():
            window.close()  # the first was refused: labels are on no disk
        window.deleteLater()
    application.setStyleSheet("")
