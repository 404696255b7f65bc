"""A folder as a queue of work: how far it is labelled, and the next episode without labels."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from hfviewer.app.background import Background
from hfviewer.app.episode_opening import open_now
from hfviewer.app.progress_page import ProgressPage
from hfviewer.app.settings import SettingsStore
from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import HfviewerError
from hfviewer.core.label_progress import Progress, progress_of
from hfviewer.core.recording import Recording
from hfviewer.model.annotations import Annotations
from hfviewer.model.label_disk import known_labels

if TYPE_CHECKING:
    from hfviewer.app.main_window import MainWindow

_TOGETHER_S = 0.2  # so long is news gathered


@dataclass(frozen=True, slots=True, eq=False)
class _News:
    run: int
    parts: tuple[Progress, ...]
    done: int
    following: str | None = None  # the first without labels, where that was looked for
    finished: bool = False


class LabelQueue(QObject):
    """Has a method for each action that is about the labels of the whole folder.

    Args:
        window: whose folder it is.
        annotations: of the recording on screen, which count as they are.
        settings: know where labels lie.
    """

    _told = Signal(object)

    def __init__(self, window: MainWindow, annotations: Annotations, settings: SettingsStore) -> None:
        super().__init__(window)
        self._window, self._annotations = window, annotations
        self._state_folder = settings.state_folder
        self._folder = Path(settings.values.labels_folder) if settings.values.labels_folder else None
        self._threads = Background("label-queue")
        self._stop = threading.Event()
        self._run = 0
        self._searching = False
        self._from: str | None = None  # the episode that the search began at
        self._page: ProgressPage | None = None
        self._told.connect(self._on_told, Qt.ConnectionType.QueuedConnection)
        window.workspace.collection_changed.connect(lambda _: self._cancel())
        annotations.changed.connect(self._on_changed)

    # -- actions ---------------------------------------------------------------------------------------------

    def next_unlabelled(self) -> None:
        workspace = self._window.workspace
        if workspace.collection is None:
            self._say("open a folder to go from one recording to the next")
            return
        self._annotations.save()
        shown = self._window.episode_list.shown
        keys = [shown.key_at(number) for number in range(shown.rowCount())]
        self._from = here = workspace.episode
        if here in keys:
            at = keys.index(here)
            keys = [*keys[at + 1 :], *keys[:at]]
        self._say("looking for the next episode without labels")
        self._start(workspace.collection, keys, until_unlabelled=True)

    def show_label_progress(self) -> None:
        if self._page is None:
            self._page = ProgressPage(self._window.theme, self._window)
            self._page.open_requested.connect(self._window.episodes.open_key)
            self._page.finished.connect(lambda _: self._cancel())
        page, workspace = self._page, self._window.workspace
        collection = workspace.collection
        if collection is None:
            name = "" if workspace.recording is None else Path(workspace.recording.description.path).name
            page.set_recordings([("", name)] if name else [])
            page.set_parts([progress_of("", self._annotations.state)] if name else [], 1)
        else:
            rows = collection.episodes
            page.set_recordings([(row.key, row.name) for row in rows])
            page.set_current(workspace.episode)
            self._start(collection, [row.key for row in rows], until_unlabelled=False)
        page.show()
        page.raise_()
        page.activateWindow()

    def close(self, *, timeout_s: float) -> None:
        """Stop what goes on in the background."""
        self._cancel()
        self._threads.join(timeout_s)

    # -- on a thread -----------------------------------------------------------------------------------------

    def _start(self, collection: EpisodeCollection, keys: Sequence[str], *, until_unlabelled: bool) -> None:
        self._cancel()
        self._searching = until_unlabelled
        self._threads.start(self._read, self._run, self._stop, collection, tuple(keys), until_unlabelled)

    def _read(
        self,
        run: int,
        stop: threading.Event,
        collection: EpisodeCollection,
        keys: tuple[str, ...],
        until_unlabelled: bool,
    ) -> None:
        gathered: list[Progress] = []
        told_s = time.monotonic()
        following: str | None = None
        for done, key in enumerate(keys, start=1):
            if stop.is_set():
                return
            part = self._read_one(collection, key)
            if part is not None:
                gathered.append(part)
                if until_unlabelled and not part.count:
                    following = key
                    break
            if time.monotonic() - told_s >= _TOGETHER_S:
                self._tell(_News(run, tuple(gathered), done))
                gathered, told_s = [], time.monotonic()
        self._tell(_News(run, tuple(gathered), len(keys), following, finished=True))

    def _read_one(self, collection: EpisodeCollection, key: str) -> Progress | None:
        """None for one that cannot be opened: it cannot be labelled either."""
        recording = open_now(collection, key)
        if not isinstance(recording, Recording):
            return None
        with recording:
            try:
                known = known_labels(recording, self._state_folder, folder=self._folder)
            except HfviewerError:
                return None
            return progress_of(key, known.stored.annotations)

    def _tell(self, news: _News) -> None:
        with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
            self._told.emit(news)

    # -- on the GUI thread -----------------------------------------------------------------------------------

    def _on_told(self, news: _News) -> None:
        if news.run != self._run:
            return
        if self._searching:
            if news.finished:
                self._go_on(news.following)
        elif self._page is not None:
            here = self._window.workspace.episode
            own = progress_of(here or "", self._annotations.state)
            self._page.set_parts([own if p.key == here else p for p in news.parts], news.done)

    def _on_changed(self) -> None:
        if self._annotations.condition.editable:
            self._window.episodes.tell_labelled(len(self._annotations.state) > 0)

    def _go_on(self, following: str | None) -> None:
        self._searching = False
        self._say("")
        if self._window.workspace.episode != self._from:
            return  # somebody who has gone elsewhere meanwhile stays there
        if following is not None:
            self._window.episodes.open_key(following)
        else:
            self._window.banner.say("Every other episode of the list has labels.", "info")

    def _cancel(self) -> None:
        self._searching = False
        self._run += 1
        self._stop.set()
        self._stop = threading.Event()

    def _say(self, text: str) -> None:
        self._window.status.set_message(text)
