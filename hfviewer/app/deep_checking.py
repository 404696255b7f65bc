"""Decode every frame of the open recording in the background, with progress, until done or stopped."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from hfviewer.app.background import Background
from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import CancelledError, HfviewerError
from hfviewer.core.recording import Recording

if TYPE_CHECKING:
    from hfviewer.quality.job import Job

_TELL_S = 0.1  # so often at most is progress told


class DeepChecker(QObject):
    """One deep check at a time; another recording, or the user, stops it."""

    progressed = Signal(int, int)  # frames done, of how many
    finished = Signal(object, object)  # Recording, RecordingCheck
    stopped = Signal()
    failed = Signal(object)  # HfviewerError
    _told = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._threads = Background("deep-check")
        self._run = 0
        self._stop = threading.Event()
        self._busy = False
        self._told.connect(self._on_told, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """True while frames are being decoded."""
        return self._busy

    def start(self, job: Job, recording: Recording) -> None:
        """Check a recording; whatever was under way is given up."""
        self.stop()
        self._run += 1
        self._stop, self._busy = threading.Event(), True
        self._threads.start(self._work, self._run, self._stop, job, recording)

    def stop(self) -> None:
        """Give up."""
        self._stop.set()
        if self._busy:
            self._busy = False
            self._run += 1
            self.stopped.emit()

    def close(self, *, timeout_s: float) -> None:
        """Give up, and wait so long for the frame that is being decoded."""
        self.stop()
        self._threads.join(timeout_s)

    def _work(self, run: int, stop: threading.Event, job: Job, recording: Recording) -> None:
        # Imported here: decoders are heavy, and this is rarely asked for.
        from hfviewer.quality.check import check_recording
        from hfviewer.quality.deep import deep_check

        told_at = 0.0

        def progress(done: int, whole: int) -> None:
            nonlocal told_at
            if time.monotonic() - told_at >= _TELL_S or done == whole:
                told_at = time.monotonic()
                self._tell(run, (done, whole))

        try:
            fast = check_recording(recording, threads=1)
            # Never on this process: what decodes would take the window its turns.
            jobs = max(2, (os.cpu_count() or 2) - 1)
            check = deep_check(job, recording, fast, jobs=jobs, progress=progress, cancelled=stop.is_set)
            self._tell(run, (recording, check))
        except CancelledError:
            return
        except HfviewerError as error:
            self._tell(run, error)
        except OSError as error:
            self._tell(run, HfviewerError(f"The deep check fails ({error.strerror}).", path=job.name))

    def _tell(self, run: int, news: object) -> None:
        with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
            self._told.emit(run, news)

    def _on_told(self, run: int, news: object) -> None:
        if run != self._run:
            return
        if isinstance(news, tuple) and isinstance(news[0], int):
            self.progressed.emit(*news)
            return
        self._busy = False
        if isinstance(news, tuple):
            self.finished.emit(*news)
        else:
            self.failed.emit(news)


def job_of(recording: Recording, collection: EpisodeCollection | None, episode: str | None) -> Job:
    """Where the open recording lies, for other processes to open it."""
    from hfviewer.quality.job import Job

    if collection is not None and episode is not None:
        return Job(path=collection.path, key=episode)
    description = recording.description
    return Job(path=description.path, revision=description.revision)
