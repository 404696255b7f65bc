"""Open recordings off the GUI thread; the newest wish wins."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal

from hfviewer.core.errors import DamagedRecordingError, HfviewerError
from hfviewer.core.finding import Finding
from hfviewer.core.recording import Recording
from hfviewer.quality.findings import timing_findings
from hfviewer.quality.stream_timing import look_at


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """How an opening ended.

    Args:
        number: of the wish.
        path: as asked for.
        recording: or None where ``error`` says why not.
        error: for a person.
        is_gone: nothing lies there any more.
    """

    number: int
    path: str
    recording: Recording | None
    error: HfviewerError | None
    is_gone: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """What the background checks of a recording found: of its index, then of its timestamps and counters."""

    recording: Recording
    findings: tuple[Finding, ...]


class Opener(QObject):
    """Opens one recording after the other, each on a thread of its own, and checks it afterwards."""

    opened = Signal(object)  # Opened, of the newest wish only
    checked = Signal(object)  # Checked
    _finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._number = 0
        self._busy_number = 0
        self._threads: list[threading.Thread] = []
        self._finished.connect(self._on_finished, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """True while the newest wish is being opened."""
        return self._busy_number == self._number and self._number > 0

    def open(self, path: str, revision: int | None = None, episode: int | None = None) -> None:
        """Ask for a recording; returns at once. What is still being opened is forgotten."""
        self._number += 1
        self._busy_number = self._number
        self._start(self._work, self._number, path, revision, episode)

    def cancel(self) -> None:
        """Forget what is being opened; a recording that still arrives is closed again."""
        self._number += 1
        self._busy_number = 0

    def check(self, recording: Recording) -> None:
        """Check a recording's index and timing in the background; `checked` says what was found."""
        self._start(self._check, recording)

    def release(self, recording: Recording) -> None:
        """Close a recording that nobody looks at any more, in the background: decoders may take a moment."""
        self._start(recording.close)

    def close(self, *, timeout_s: float) -> None:
        """Forget everything, and wait so long for the threads that are still at it."""
        self.cancel()
        stop_at = time.monotonic() + timeout_s
        for thread in self._threads:
            thread.join(max(0.0, stop_at - time.monotonic()))

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=work, args=arguments, name="opener", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self, number: int, path: str, revision: int | None, episode: int | None) -> None:
        # Imported here: codecs are heavy, and the window must be on screen before anything needs them.
        from hfviewer.readers.registry import open_recording

        try:
            recording = open_recording(path, revision, episode=episode)
            # Worked out here, so that the GUI thread need not: rates, spans, findings.
            _ = recording.description
            for stream in recording.streams.values():
                _ = stream.description
            look_at(recording)
            result = Opened(number, path, recording, None)
        except HfviewerError as error:
            result = Opened(number, path, None, error, is_gone=not os.path.exists(path))
        except Exception as error:  # noqa: BLE001 - a bug in a reader must end in the window, not in silence
            problem = DamagedRecordingError(
                f"It cannot be opened ({type(error).__name__}: {error}).", path=path
            )
            result = Opened(number, path, None, problem)
        with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
            self._finished.emit(result)

    def _check(self, recording: Recording) -> None:
        try:
            findings = (*recording.check_index(), *timing_findings(recording))
        except (HfviewerError, OSError):
            # Closed meanwhile, or unreadable: reading its frames will say so.
            return
        with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
            self.checked.emit(Checked(recording, findings))

    def _on_finished(self, result: Opened) -> None:
        if result.number != self._number:
            if result.recording is not None:
                result.recording.close()
            return
        self._busy_number = 0
        self.opened.emit(result)
