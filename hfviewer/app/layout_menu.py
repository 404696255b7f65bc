"""Named layouts in the menu View: take one, keep the one of now, forget one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QMenu

from hfviewer.app.layouts import LayoutStore
from hfviewer.panels.drawing import one_line

if TYPE_CHECKING:
    from hfviewer.app.main_window import MainWindow


class LayoutMenu(QMenu):
    """Filled anew each time it opens.

    Args:
        window: whose panels are laid out.
        store: of the layouts.
    """

    def __init__(self, window: MainWindow, store: LayoutStore) -> None:
        super().__init__("Layouts", window)
        self._window, self._store = window, store
        self.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """List what there is now."""
        self.clear()
        is_open = self._window.workspace.recording is not None
        for name in self._store.names:
            action = self.addAction(one_line(name).replace("&", "&&"))
            action.setEnabled(is_open)
            action.triggered.connect(partial(self.take, name))
        if not self._store.names:
            self.addAction("None has a name yet").setEnabled(False)
        self.addSeparator()
        keep = self.addAction("Save this layout as…")
        keep.setEnabled(is_open)
        keep.triggered.connect(self.ask_name)
        delete = self.addMenu("Delete")
        delete.setEnabled(bool(self._store.names))
        for name in self._store.names:
            delete.addAction(one_line(name).replace("&", "&&")).triggered.connect(
                partial(self._store.delete, name)
            )

    def take(self, name: str, _checked: bool = False) -> None:
        """Lay the panels out as a name says; streams that are not there are left out."""
        layout, recording = self._store.named(name), self._window.workspace.recording
        if layout is not None and recording is not None:
            self._window.area.show_recording(recording, layout)
            self._window.sync_panels()

    def keep(self, name: str) -> None:
        """Give the layout of now a name."""
        recording = self._window.workspace.recording
        if recording is None:
            return
        if not self._store.give_name(name, recording, self._window.area.carried_layout()):
            self._window.banner.say("That name cannot be used, or there are too many layouts.", "warning")

    def ask_name(self) -> None:
        dialog = QInputDialog(self._window)
        dialog.setWindowTitle("Save layout")
        dialog.setLabelText("Name of the layout:")
        dialog.textValueSelected.connect(self.keep)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
