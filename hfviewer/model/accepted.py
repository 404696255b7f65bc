"""Which findings of the open recording were accepted, and why."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from hfviewer.core.finding import Finding
from hfviewer.core.recording import Recording
from hfviewer.model.accepted_file import Accepted, AcceptedFile, Key, identity, key_of


class AcceptedFindings(QObject):
    """Acceptance of findings, kept on disk; every file is touched by one thread of its own.

    Args:
        folder: where the files lie.
        author: who accepts findings here.
    """

    changed = Signal()
    failed = Signal(str)  # one sentence: something could not be kept
    _loaded = Signal(int, object)

    def __init__(self, folder: Path, parent: QObject | None = None, *, author: str = "") -> None:
        super().__init__(parent)
        self._folder, self._author = folder, author
        self._number = 0
        self._file: AcceptedFile | None = None
        self._known: dict[Key, Accepted] = {}
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="accepted")
        self._loaded.connect(self._on_loaded, Qt.ConnectionType.QueuedConnection)

    def set_recording(self, recording: Recording | None) -> None:
        """Another recording; what was accepted in it turns up a moment later."""
        self._number += 1
        self._known = {}
        self._file = None
        if recording is not None:
            path = recording.description.path
            self._file = file = AcceptedFile(self._folder, identity(recording), path)
            number = self._number

            def load() -> None:
                known = file.read()
                with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
                    self._loaded.emit(number, known)

            self._worker.submit(load)
        self.changed.emit()

    def of(self, finding: Finding) -> Accepted | None:
        """Who accepted a finding and why; None where nobody did."""
        return self._known.get(key_of(finding))

    def accept(self, findings: Sequence[Finding], note: str) -> None:
        """Accept findings with a note; one that is accepted already gets the new note."""
        now_ns, author = time.time_ns(), self._author
        made = []
        for finding in findings:
            code, stream, start_ns, end_ns = key_of(finding)
            made.append(
                Accepted(
                    code=code,
                    stream=stream,
                    start_ns=start_ns,
                    end_ns=end_ns,
                    note=note,
                    author=author,
                    created_ns=now_ns,
                )
            )
        self._known.update({one.key: one for one in made})
        self._keep(lambda file: file.add(*made))

    def take_back(self, findings: Sequence[Finding]) -> None:
        """Accept them no longer."""
        keys = [key_of(finding) for finding in findings]
        for key in keys:
            self._known.pop(key, None)
        self._keep(lambda file: file.remove(*keys))

    def close(self) -> None:
        """Wait until everything is written. May be called again; accepting afterwards is too late."""
        self._worker.shutdown(wait=True)

    def _keep(self, work: Callable[[AcceptedFile], None]) -> None:
        file = self._file
        if file is not None:
            self._worker.submit(self._write, file, work)
        self.changed.emit()

    def _write(self, file: AcceptedFile, work: Callable[[AcceptedFile], None]) -> None:
        try:
            work(file)
        except OSError as error:
            with contextlib.suppress(RuntimeError):
                self.failed.emit(f"What was accepted cannot be kept in {file.file}: {error.strerror}.")

    def _on_loaded(self, number: int, known: dict[Key, Accepted]) -> None:
        if number == self._number and known:
            self._known = {**known, **self._known}
            self.changed.emit()
