"""Labels from files and into files, from the menu; nothing of it holds up the window."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QFileDialog

from hfviewer.app.background import Background
from hfviewer.convert.labels.base import LabelContext, LabelFile, context_of
from hfviewer.convert.labels.registry import format_of, plan_import, read_label_file, write_label_file
from hfviewer.core.annotation import AnnotationSet
from hfviewer.core.edits import Edit
from hfviewer.core.errors import HfviewerError, UsageError
from hfviewer.model.annotations import Annotations

if TYPE_CHECKING:
    from hfviewer.app.main_window import MainWindow

_FILTERS = [
    "Labels, complete (*.json)",
    "Table (*.csv)",
    "ELAN (*.eaf)",
    "Audacity (*.txt)",
    "WebVTT (*.vtt)",
    "LeRobot subtasks (*.lerobot.json)",
]


class LabelFiles(QObject):
    """Two methods for two actions of `bindings`.

    Args:
        window: that asks and tells.
        annotations: to bring in and out.
    """

    _read = Signal(object, object)  # LabelFile, LabelContext
    _told = Signal(str)
    _failed = Signal(object)  # HfviewerError

    def __init__(self, window: MainWindow, annotations: Annotations) -> None:
        super().__init__(window)
        self._window, self._annotations = window, annotations
        self._threads = Background("label files")
        queued = Qt.ConnectionType.QueuedConnection
        self._read.connect(self._on_read, queued)
        self._told.connect(window.status.set_message, queued)
        self._failed.connect(window.failed, queued)

    def import_labels(self) -> None:
        if self._window.workspace.recording is None:
            return
        dialog = self._dialog("Import labels")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.bring_in)
        dialog.open()

    def export_labels(self) -> None:
        if self._window.workspace.recording is None:
            return
        dialog = self._dialog("Export labels")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("json")
        dialog.fileSelected.connect(self.put_out)
        dialog.open()

    def bring_in(self, path: str) -> None:
        """Read a file of labels and add what it holds as one edit."""
        context = self._context()

        def work() -> None:
            try:
                self._tell(self._read, read_label_file(Path(path), None, context), context)
            except HfviewerError as error:
                self._tell(self._failed, error)

        self._threads.start(work)

    def put_out(self, path: str) -> None:
        """Write all labels into a file of the format that its name tells."""
        context, state = self._context(), self._annotations.state

        def work() -> None:
            try:
                data, told = format_of(Path(path), None).encode(state, context)
                write_label_file(Path(path), data)
            except HfviewerError as error:
                self._tell(self._failed, error)
                return
            self._tell(self._told, " ".join([f"{len(state)} labels in {Path(path).name}.", *told]))

        self._threads.start(work)

    def _on_read(self, file: LabelFile, context: LabelContext) -> None:
        counts = ""

        def make(state: AnnotationSet) -> Edit:
            nonlocal counts
            plan = plan_import(state, file, context, now_ns=time.time_ns())
            counts = f"{plan.added} added, {plan.updated} changed, {plan.unchanged} there already"
            if plan.edit is None:
                raise UsageError(f"{counts}.")
            return plan.edit

        if self._annotations.do(make) is not None:
            self._window.status.set_message(". ".join([counts, *file.problems[:3]]))

    def _context(self) -> LabelContext:
        recording = self._window.workspace.recording
        assert recording is not None
        tagger = self._window.tagger
        return context_of(recording, track=tagger.track, author=tagger.author)

    def _dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self._window, title)
        dialog.setNameFilters([*_FILTERS, "All files (*)"])
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return dialog

    @staticmethod
    def _tell(signal: SignalInstance, *values: object) -> None:
        with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
            signal.emit(*values)
