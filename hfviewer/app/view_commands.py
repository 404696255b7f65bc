"""What the keys of the groups View and Help do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

import hfviewer
from hfviewer.app.keys_page import KeysPage
from hfviewer.app.settings import SettingsStore

if TYPE_CHECKING:
    from hfviewer.app.main_window import MainWindow


class ViewCommands:
    """One method for each action of `bindings` that changes how things are shown.

    Args:
        window: whose panels and timeline they are.
        settings: remember the theme.
    """

    def __init__(self, window: MainWindow, settings: SettingsStore) -> None:
        self._window, self._settings = window, settings
        self._keys_page: KeysPage | None = None

    def maximise_panel(self) -> None:
        if self._window.workspace.focused is not None:
            self._window.area.toggle_maximised(self._window.workspace.focused)

    def float_panel(self) -> None:
        if self._window.workspace.focused is not None:
            self._window.area.toggle_floating(self._window.workspace.focused)

    def close_panel(self) -> None:
        if self._window.workspace.focused is not None:
            self._window.area.close_active(self._window.workspace.focused)

    def reset_view(self) -> None:
        panel = self._window.area.panel(self._window.workspace.focused or "")
        if panel is not None:
            panel.reset_view()

    def another_panel(self) -> None:
        if self._window.workspace.focused is not None:
            self._window.area.open_another(self._window.workspace.focused)

    def copy_panel_picture(self) -> None:
        panel = self._window.area.panel(self._window.workspace.focused or "")
        if panel is not None:
            panel.pictures.copy()

    def save_panel_picture(self) -> None:
        panel = self._window.area.panel(self._window.workspace.focused or "")
        if panel is not None:
            panel.pictures.ask("seen", panel.picture_seen)

    def reset_layout(self) -> None:
        if self._window.workspace.recording is not None:
            self._settings.layouts.forget(self._window.workspace.recording)
        self._window.area.show_recording(self._window.workspace.recording)
        self._window.sync_panels()
        self._window.docks.fit()

    def toggle_theme(self) -> None:
        self._window.theme.set_dark(not self._window.theme.dark)
        self._settings.values.theme = "dark" if self._window.theme.dark else "light"
        self._settings.save()

    def toggle_statistics(self) -> None:
        self._window.statistics_card.toggle()

    def toggle_full_screen(self) -> None:
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)

    def show_keys(self) -> None:
        if self._keys_page is None:
            self._keys_page = KeysPage(self._window.theme, self._window)
        self._keys_page.show()
        self._keys_page.raise_()

    def show_about(self) -> None:
        box = QMessageBox(self._window)
        box.setWindowTitle("About hfviewer")
        box.setText(f"hfviewer {hfviewer.__version__}\n\nEvery stream of a sensor recording at one instant.")
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()
