"""Open recordings off the GUI thread; the newest wish wins."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal

from hfviewer.app.background import Background
from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import DamagedRecordingError, HfviewerError
from hfviewer.core.finding import Finding
from hfviewer.core.recording import Recording
from hfviewer.quality.check import check_recording
from hfviewer.quality.health import Health, health_of
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
        collection: a folder of many lies there; which of them to open is the next question.
        episode: the number that was asked for.
    """

    number: int
    path: str
    recording: Recording | None
    error: HfviewerError | None
    is_gone: bool = False
    collection: EpisodeCollection | None = None
    episode: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """What the background checks of a recording found.

    Args:
        recording: that was checked.
        findings: all of them, those met on opening included.
        health: the same in a few numbers.
    """

    recording: Recording
    findings: tuple[Finding, ...]
    health: Health


class Opener(QObject):
    """Opens one recording after the other, each on a thread of its own, and checks it afterwards."""

    opened = Signal(object)  # Opened, of the newest wish only
    checked = Signal(object)  # Checked
    _finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._number = 0
        self._busy_number = 0
        self._threads = Background("opener")
        self._finished.connect(self._on_finished, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """True while the newest wish is being opened."""
        return self._busy_number == self._number and self._number > 0

    def open(self, path: str, revision: int | None = None, episode: int | None = None) -> None:
        """Ask for a recording; returns at once. What is still being opened is forgotten."""
        self._number += 1
        self._busy_number = self._number
        self._threads.start(self._work, self._number, path, revision, episode)

    def cancel(self) -> None:
        """Forget what is being opened; a recording that still arrives is closed again."""
        self._number += 1
        self._busy_number = 0

    def check(self, recording: Recording) -> None:
        """Check a recording's index and timing in the background; `checked` says what was found."""
        self._threads.start(self._check, recording)

    def release(self, recording: Recording | EpisodeCollection) -> None:
        """Close a recording that nobody looks at any more, in the background: decoders may take a moment."""
        self._threads.start(recording.close)

    def close(self, *, timeout_s: float) -> None:
        """Forget everything, and wait so long for the threads that are still at it."""
        self.cancel()
        self._threads.join(timeout_s)

    def _work(self, number: int, path: str, revision: int | None, episode: int | None) -> None:
        # Imported here: codecs are heavy, and the window must be on screen before anything needs them.
        from hfviewer.readers.registry import not_a_folder, open_path

        try:
            opened = open_path(path, revision)
            if isinstance(opened, EpisodeCollection):
                result = Opened(number, path, None, None, collection=opened, episode=episode)
            elif episode is not None:
                opened.close()
                raise not_a_folder(path)
            else:
                describe(opened)
                result = Opened(number, path, opened, None)
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
            # One thread: the others are for drawing and decoding.
            findings = check_recording(recording, threads=1).findings
            health = health_of(recording, findings)
        except (HfviewerError, OSError):
            # Closed meanwhile, or unreadable: reading its frames will say so.
            return
        with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
            self.checked.emit(Checked(recording, findings, health))

    def _on_finished(self, result: Opened) -> None:
        if result.number != self._number:
            for arrived in (result.recording, result.collection):
                if arrived is not None:
                    arrived.close()
            return
        self._busy_number = 0
        self.opened.emit(result)


def describe(recording: Recording) -> None:
    """Have rates, spans and findings worked out on this thread, so that the GUI thread need not."""
    _ = recording.description
    for stream in recording.streams.values():
        _ = stream.description
    look_at(recording)
