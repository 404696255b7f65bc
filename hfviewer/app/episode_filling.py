"""Look into the episodes of a collection in the background, for what its listing does not tell."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Qt, Signal

from hfviewer.app.background import Background
from hfviewer.app.episode_opening import open_now
from hfviewer.core.collection import EpisodeCollection, EpisodeRow
from hfviewer.core.recording import Recording

_FIRST_WALL_NS = 946_684_800_000_000_000  # the year 2000: clocks that count from anything else lie before it
_TOGETHER_S = 0.1  # so long is news gathered: a thousand repaints would cost more than the reading


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """News of some rows.

    Args:
        run: that found it out.
        rows: the row as it was listed, and with what was found.
        done: how many rows have been looked into by now.
        whole: of so many.
    """

    run: int
    rows: tuple[tuple[EpisodeRow, EpisodeRow], ...]
    done: int
    whole: int


class EpisodeFiller(QObject):
    """Lists a collection anew and opens, one after the other, the episodes whose rows leave something open.

    What was found is kept by the row as listed: a row that changes is looked into again.
    """

    listed = Signal(object)  # list[EpisodeRow]: the collection was listed anew, and differs
    filled = Signal(object)  # Filled, of the newest run only
    _listed_there = Signal(object)
    _filled_there = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._threads = Background("episode-rows")
        self._run = 0
        self._listing = False
        self._listing_s = 0.0
        self._known: dict[EpisodeRow, EpisodeRow] = {}
        self._stop = threading.Event()
        queued = Qt.ConnectionType.QueuedConnection
        self._listed_there.connect(self._on_listed, queued)
        self._filled_there.connect(self._on_filled, queued)

    @property
    def listing_s(self) -> float:
        """How long listing took the last time."""
        return self._listing_s

    def with_known(self, rows: Sequence[EpisodeRow]) -> list[EpisodeRow]:
        """The rows with what was found out of them earlier."""
        return [self._known.get(row, row) for row in rows]

    def learn(self, row: EpisodeRow, told: EpisodeRow) -> None:
        """Keep what was found out of a row elsewhere."""
        self._known[row] = told

    def start(self, collection: EpisodeCollection) -> None:
        """Look into the rows that leave something open; returns at once."""
        self._run += 1
        rows = [row for row in collection.episodes if row not in self._known and wants_look(row)]
        self._stop.set()
        self._stop = threading.Event()
        if rows:
            self._threads.start(self._fill, self._run, self._stop, collection, rows)

    def refresh(self, collection: EpisodeCollection) -> None:
        """List the collection anew, in the background; `listed` says so where it has changed."""
        if not self._listing:
            self._listing = True
            self._threads.start(self._list, self._run, collection)

    def cancel(self) -> None:
        """Forget the collection."""
        self._run += 1
        self._stop.set()
        self._known = {}

    def close(self, *, timeout_s: float) -> None:
        """Stop, and wait so long for the episode that is being looked into."""
        self.cancel()
        self._threads.join(timeout_s)

    # -- on a thread -----------------------------------------------------------------------------------------

    def _list(self, run: int, collection: EpisodeCollection) -> None:
        began_s = time.monotonic()
        try:
            changed = collection.refresh()
        except Exception:  # noqa: BLE001 - a folder that is gone for a moment keeps its rows
            changed = False
        with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
            self._listed_there.emit((run, collection if changed else None, time.monotonic() - began_s))

    def _fill(
        self, run: int, stop: threading.Event, collection: EpisodeCollection, rows: list[EpisodeRow]
    ) -> None:
        news: list[tuple[EpisodeRow, EpisodeRow]] = []
        told_at = time.monotonic()
        for done, row in enumerate(rows, start=1):
            if stop.is_set():
                break
            news.append((row, looked_into(collection, row)))
            if time.monotonic() - told_at >= _TOGETHER_S or done == len(rows):
                filled = Filled(run, tuple(news), done, len(rows))
                news, told_at = [], time.monotonic()
                with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
                    self._filled_there.emit(filled)

    # -- on the GUI thread -----------------------------------------------------------------------------------

    def _on_listed(self, told: tuple[int, EpisodeCollection | None, float]) -> None:
        self._listing = False
        run, collection, self._listing_s = told
        if run == self._run and collection is not None:
            self.listed.emit(self.with_known(collection.episodes))

    def _on_filled(self, filled: Filled) -> None:
        if filled.run == self._run:
            self._known.update(filled.rows)
            self.filled.emit(filled)


def wants_look(row: EpisodeRow) -> bool:
    """Whether opening the episode would tell more than its row does."""
    return row.ok and (row.duration_s is None or not row.streams)


def looked_into(collection: EpisodeCollection, row: EpisodeRow) -> EpisodeRow:
    """The row with what opening the episode tells; an episode that does not open has a problem."""
    found = open_now(collection, row.key)
    if not isinstance(found, Recording):
        return replace(row, ok=False, problem=f"{found.problem} {found.remedy}".strip())
    with found:
        return told_by(row, found)


def told_by(row: EpisodeRow, recording: Recording) -> EpisodeRow:
    """The row with what an opened recording tells and the listing did not."""
    description = recording.description
    span, streams = description.span, tuple(recording.streams)
    labelled = row.labelled if row.labelled is not None else description.annotation_count > 0
    filled = replace(row, streams=row.streams or streams, labelled=labelled)
    if span is None:
        return filled
    counts = [stream.description.frame_count for stream in recording.streams.values()]
    wall_ns = span.start_ns if span.start_ns >= _FIRST_WALL_NS else None
    return replace(
        filled,
        duration_s=span.duration_ns / 1e9 if row.duration_s is None else row.duration_s,
        start_ns=wall_ns if row.start_ns is None else row.start_ns,
        frame_count=max(counts, default=0) if row.frame_count is None else row.frame_count,
    )
