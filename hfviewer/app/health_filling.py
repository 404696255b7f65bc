"""Check the episodes of a collection in the background, for the column of findings in their list."""

from __future__ import annotations

import contextlib
import threading
import time
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from hfviewer.app.background import Background
from hfviewer.app.episode_opening import open_now
from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import HfviewerError
from hfviewer.core.recording import Recording
from hfviewer.model.health_cache import HealthCache, stamp_of
from hfviewer.model.workspace import Workspace
from hfviewer.quality.check import check_recording
from hfviewer.quality.health import Health, health_of

_TOGETHER_S = 0.1  # so long is news gathered
_SAVE_S = 5.0
_REST_SHARE = 0.25  # after each episode the thread rests for so much of the time it took
_POLL_S = 0.1


class HealthFiller(QObject):
    """Fills the workspace's store of health; gives way while something plays.

    Args:
        workspace: whose collection is checked.
        folder: where what was found is kept from session to session.
    """

    progressed = Signal(int, int)  # episodes done, of how many
    _told = Signal(int, object, int, int)

    def __init__(self, workspace: Workspace, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace, self._folder = workspace, folder
        self._threads = Background("episode-health")
        self._run = 0
        self._stop, self._may_run = threading.Event(), threading.Event()
        self._may_run.set()
        self._told.connect(self._on_told, Qt.ConnectionType.QueuedConnection)
        workspace.collection_changed.connect(self.start)
        workspace.playhead.playing_changed.connect(self._on_playing_changed)

    def start(self, collection: EpisodeCollection | None) -> None:
        """Check what has not been checked, or has changed since; None stops."""
        self._run += 1
        self._stop.set()
        self._stop = threading.Event()
        if collection is not None and collection.episodes:
            self._threads.start(self._fill, self._run, self._stop, collection)

    def close(self, *, timeout_s: float) -> None:
        """Stop, and wait so long for the episode that is being checked."""
        self.start(None)
        self._may_run.set()
        self._threads.join(timeout_s)

    def _on_playing_changed(self, playing: bool) -> None:
        if playing:
            self._may_run.clear()
        else:
            self._may_run.set()

    def _fill(self, run: int, stop: threading.Event, collection: EpisodeCollection) -> None:
        cache = HealthCache(self._folder, collection.path)
        rows = [row for row in collection.episodes if row.ok]
        news: list[tuple[str, Health]] = []
        told_at = saved_at = time.monotonic()
        for done, row in enumerate(rows, start=1):
            while not self._may_run.wait(_POLL_S):
                if stop.is_set():
                    break
            if stop.is_set():
                break
            began = time.monotonic()
            stamp = stamp_of(collection.files_of(row.key))
            found = cache.get(row.key, stamp)
            if found is None:
                found = checked(collection, row.key)
                if found is not None:
                    cache.put(row.key, stamp, found)
                stop.wait((time.monotonic() - began) * _REST_SHARE)
            if found is not None:
                news.append((row.key, found))
            now = time.monotonic()
            if now - told_at >= _TOGETHER_S or done == len(rows):
                self._tell(run, news, done, len(rows))
                news, told_at = [], now
            if now - saved_at >= _SAVE_S:
                cache.save()
                saved_at = now
        cache.save()

    def _tell(self, run: int, news: list[tuple[str, Health]], done: int, whole: int) -> None:
        with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
            self._told.emit(run, news, done, whole)

    def _on_told(self, run: int, news: list[tuple[str, Health]], done: int, whole: int) -> None:
        if run != self._run:
            return
        for key, health in news:
            self._workspace.health.put(key, health)
        self.progressed.emit(done, whole)


def checked(collection: EpisodeCollection, key: str) -> Health | None:
    """The health of an episode; None where it does not open: its row says so."""
    recording = open_now(collection, key)
    if not isinstance(recording, Recording):
        return None
    with recording:
        try:
            return health_of(recording, check_recording(recording, threads=1).findings)
        except (HfviewerError, OSError):
            return None
        except Exception:  # noqa: BLE001 - one odd episode must not end the check of all
            return None
