"""Dialogs that ask for a file: to open one, to save a picture of the window."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from hfviewer.app.settings import SettingsStore
from hfviewer.core.errors import WriteError

if TYPE_CHECKING:
    from hfviewer.app.main_window import MainWindow


class FileCommands:
    """One method for each action of `bindings` that begins with a dialog. None of them holds up the window.

    Args:
        window: what they are about.
        settings: know the folder that was used last.
    """

    def __init__(self, window: MainWindow, settings: SettingsStore) -> None:
        self._window, self._settings = window, settings

    def open_file(self) -> None:
        dialog = self._dialog("Open a recording", QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(["Recordings (*.hfr *.hfr.tmp)", "All files (*)"])
        dialog.fileSelected.connect(self._window.open_path)
        dialog.open()

    def open_folder(self) -> None:
        dialog = self._dialog("Open a folder", QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._window.open_path)
        dialog.open()

    def save_picture(self) -> None:
        picture, failed = self._window.grab().toImage(), self._window.failed
        dialog = self._dialog("Save picture", QFileDialog.FileMode.AnyFile)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(["Pictures (*.png)"])
        dialog.setDefaultSuffix("png")

        def write(path: str) -> None:
            if not picture.save(path):
                problem = "The picture cannot be written there."
                remedy = "Choose a folder that you may write to, and a name that ends in .png."
                with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
                    failed.emit(WriteError(problem, remedy=remedy, path=path))

        dialog.fileSelected.connect(
            lambda path: threading.Thread(target=write, args=(path,), name="picture").start()
        )
        dialog.open()

    def _dialog(self, title: str, mode: QFileDialog.FileMode) -> QFileDialog:
        dialog = QFileDialog(self._window, title, self._settings.values.folder)
        dialog.setFileMode(mode)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return dialog
