"""Open episodes of a collection off the GUI thread, and the next one before it is asked for."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal

from hfviewer.app.background import Background
from hfviewer.app.opening import describe
from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import DamagedRecordingError, HfviewerError
from hfviewer.core.recording import Recording


@dataclass(frozen=True, slots=True, eq=False)
class EpisodeOpened:
    """How the opening of an episode ended.

    Args:
        number: of the wish; 0 for one that was opened ahead.
        collection: that it belongs to.
        key: of the episode; where several were tried, of the last.
        recording: or None where ``error`` says why not.
        error: for a person.
        failed: those that were tried before it and cannot be opened, and why.
    """

    number: int
    collection: EpisodeCollection
    key: str
    recording: Recording | None
    error: HfviewerError | None = None
    failed: tuple[tuple[str, HfviewerError], ...] = ()


class EpisodeOpener(QObject):
    """Opens one episode after the other; the newest wish wins. Keeps one more ready, opened ahead."""

    opened = Signal(object)  # EpisodeOpened, of the newest wish only
    _finished = Signal(object)
    _finished_ahead = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._threads = Background("episodes")
        self._number = 0
        self._busy = 0
        self._ahead: tuple[EpisodeCollection, str] | None = None  # is being opened ahead
        self._taken_over = 0  # the wish that waits for what is being opened ahead
        self._ready: EpisodeOpened | None = None
        queued = Qt.ConnectionType.QueuedConnection
        self._finished.connect(self._on_finished, queued)
        self._finished_ahead.connect(self._on_finished_ahead, queued)

    @property
    def busy(self) -> bool:
        """True while the newest wish is being opened."""
        return self._busy == self._number and self._number > 0

    @property
    def ready_key(self) -> str | None:
        """Key of the episode that lies ready."""
        return None if self._ready is None else self._ready.key

    def open(self, collection: EpisodeCollection, keys: Sequence[str]) -> None:
        """Ask for the first of these that can be opened; returns at once. Earlier wishes are forgotten."""
        self._number += 1
        self._busy, self._taken_over = self._number, 0
        ready = self._ready
        if ready is not None and ready.collection is collection and ready.key == keys[0]:
            self._ready = None
            self._finished.emit(EpisodeOpened(self._number, collection, ready.key, ready.recording))
        elif self._ahead == (collection, keys[0]):
            self._taken_over = self._number
        else:
            self._threads.start(self._work, self._number, collection, tuple(keys))

    def open_ahead(self, collection: EpisodeCollection, key: str | None) -> None:
        """Have this episode ready, and no other."""
        ready = self._ready
        if ready is not None and (ready.collection is not collection or ready.key != key):
            self.forget()
        if key is None or self.ready_key == key or self._ahead == (collection, key):
            return
        self._ahead = (collection, key)
        self._threads.start(self._work_ahead, collection, key)

    def forget(self) -> None:
        """Let go of what lies ready or is being opened ahead: its files have changed."""
        if self._ready is not None and self._ready.recording is not None:
            self._threads.start(self._ready.recording.close)
        self._ready = None
        if not self._taken_over:
            self._ahead = None

    def cancel(self) -> None:
        """Forget every wish; what still arrives is closed again."""
        self._number += 1
        self._busy = self._taken_over = 0
        self.forget()

    def close(self, *, timeout_s: float) -> None:
        """Forget everything, and wait so long for the threads that are still at it."""
        self.cancel()
        self._threads.join(timeout_s)

    # -- on a thread -----------------------------------------------------------------------------------------

    def _work(self, number: int, collection: EpisodeCollection, keys: Sequence[str]) -> None:
        failed: list[tuple[str, HfviewerError]] = []
        for key in keys:
            if number != self._number:
                return
            result = open_now(collection, key)
            if isinstance(result, Recording):
                self._tell(EpisodeOpened(number, collection, key, result, failed=tuple(failed)))
                return
            failed.append((key, result))
        key, error = failed.pop()
        self._tell(EpisodeOpened(number, collection, key, None, error, tuple(failed)))

    def _work_ahead(self, collection: EpisodeCollection, key: str) -> None:
        result = open_now(collection, key)
        if isinstance(result, Recording):
            outcome = EpisodeOpened(0, collection, key, result)
        else:
            outcome = EpisodeOpened(0, collection, key, None, result)
        with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
            self._finished_ahead.emit(outcome)

    def _tell(self, outcome: EpisodeOpened) -> None:
        with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
            self._finished.emit(outcome)

    # -- on the GUI thread -----------------------------------------------------------------------------------

    def _on_finished(self, outcome: EpisodeOpened) -> None:
        if outcome.number != self._number:
            self._let_go(outcome)
            return
        self._busy = 0
        self.opened.emit(outcome)

    def _on_finished_ahead(self, outcome: EpisodeOpened) -> None:
        expected, self._ahead = self._ahead, None
        if expected != (outcome.collection, outcome.key):
            self._ahead = expected
            self._let_go(outcome)
        elif self._taken_over == self._number and self._taken_over:
            self._taken_over = 0
            self._on_finished(
                EpisodeOpened(self._number, outcome.collection, outcome.key, outcome.recording, outcome.error)
            )
        elif outcome.recording is not None:
            self._ready = outcome

    def _let_go(self, outcome: EpisodeOpened) -> None:
        if outcome.recording is not None:
            self._threads.start(outcome.recording.close)


def open_now(collection: EpisodeCollection, key: str) -> Recording | HfviewerError:
    """Open an episode and work out what is known of its streams; an error is a result, too."""
    try:
        recording = collection.open_key(key)
        describe(recording)
    except HfviewerError as error:
        return error
    except OSError as error:
        return DamagedRecordingError(f"It cannot be read ({error.strerror or error}).", path=collection.path)
    except Exception as error:  # noqa: BLE001 - a bug in a reader must end in the window, not in silence
        problem = f"It cannot be opened ({type(error).__name__}: {error})."
        return DamagedRecordingError(problem, path=collection.path)
    return recording
