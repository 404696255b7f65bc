"""Writing a file that a panel was asked for: the question where to, and the work on a thread of its own."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from hfviewer.core.errors import HfviewerError, WriteError
from hfviewer.core.whole_file import replacing

Write = Callable[[Path], str]
"""Writes the file and says in one line what is in it; runs on a thread of its own."""

_log = logging.getLogger(__name__)


class Saver(QObject):
    """Asks for a name and writes there; a file that exists is only replaced by a whole one.

    Args:
        parent: the panel.
    """

    saved = Signal(str)  # one line
    failed = Signal(object)  # HfviewerError

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._widget = parent

    def ask(self, title: str, suggested: str, what: str, write: Write) -> None:
        """Open a dialog; returns at once.

        Args:
            title: of the dialog.
            suggested: name of the file, with its suffix.
            what: kind of file, e.g. ``Point clouds``.
            write: what is written; takes a name that nothing has yet.
        """
        suffix = Path(suggested).suffix.removeprefix(".")
        dialog = QFileDialog(self._widget, title)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([f"{what} (*.{suffix})"])
        dialog.setDefaultSuffix(suffix)
        dialog.selectFile(suggested)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda path: self.start(Path(path), write))
        dialog.open()

    def start(self, path: Path, write: Write) -> threading.Thread:
        """Write in the background; the thread, for whoever must wait for it."""
        thread = threading.Thread(target=self._run, args=(path, write), name="saving")
        thread.start()
        return thread

    def _run(self, path: Path, write: Write) -> None:
        try:
            text = write_whole(path, write)
        except HfviewerError as error:
            self._tell(self.failed, error)
        except Exception as error:  # noqa: BLE001 - whatever it is, the person who asked must hear of it
            _log.exception("writing %s", path)
            problem = f"It cannot be written ({type(error).__name__}: {error})."
            self._tell(self.failed, WriteError(problem, path=path))
        else:
            self._tell(self.saved, f"{path.name}: {text}")

    @staticmethod
    def _tell(signal: object, what: object) -> None:
        with contextlib.suppress(RuntimeError):  # the panel was closed meanwhile
            signal.emit(what)  # type: ignore[attr-defined]


def write_whole(path: Path, write: Write) -> str:
    """Write beside a file, then put the new one in its place: no crash leaves half of one there.

    Raises:
        WriteError: it cannot be written there.
    """
    try:
        with replacing(path) as beside:
            return write(beside)
    except OSError as error:
        problem = f"It cannot be written there ({error.strerror or error})."
        remedy = "Choose a folder that you may write to, with enough room."
        raise WriteError(problem, remedy=remedy, path=path) from error


def file_name(*parts: str) -> str:
    """Parts joined to a name that any file system takes: ``velodyne_points_000012.ply``."""
    kept = "_".join("".join(c if c.isalnum() or c in "-." else "_" for c in part) for part in parts)
    return kept.strip("._")[:120] or "file"
