"""A collection in memory, for what only lists and opens."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from hfviewer.core.collection import EpisodeCollection, EpisodeRow
from hfviewer.core.errors import DamagedRecordingError, UsageError
from hfviewer.core.recording import Recording


def episode(number: int, **more: object) -> EpisodeRow:
    """A row as a listing that tells nearly everything gives it."""
    facts: dict[str, object] = {
        "key": str(number),
        "number": number,
        "id": f"episode-{number - 1:03d}",
        "name": f"bench_ep{number - 1:06d}",
        "task": "bench",
        "duration_s": 1.0 + number,
        "frame_count": 30 * number,
        "streams": ("cam", "imu"),
        **more,
    }
    return EpisodeRow(**facts)  # type: ignore[arg-type]


class ListedCollection(EpisodeCollection):
    """Opens whatever was put in under a key; an error is raised, a gate is waited for.

    Args:
        rows: to list.
        recordings: what each key opens as.
    """

    def __init__(
        self, rows: Sequence[EpisodeRow], recordings: dict[str, Recording | Exception] | None = None
    ) -> None:
        self.rows = list(rows)
        self.recordings = {} if recordings is None else recordings
        self.gates: dict[str, threading.Event] = {}
        self.opened: list[str] = []
        self.next_rows: list[EpisodeRow] | None = None
        self.closed = False

    @property
    def path(self) -> str:
        return "/tasks/bench"

    @property
    def task(self) -> str:
        return "bench"

    @property
    def episodes(self) -> Sequence[EpisodeRow]:
        return self.rows

    def refresh(self) -> bool:
        rows, self.next_rows = self.next_rows, None
        changed = rows is not None and rows != self.rows
        self.rows = self.rows if rows is None else rows
        return changed

    def open_key(self, key: str) -> Recording:
        self.opened.append(key)
        if key in self.gates:
            assert self.gates[key].wait(10)
        if not any(row.key == key for row in self.rows):
            raise UsageError(f"There is no episode {key}.")
        found = self.recordings.get(key, DamagedRecordingError("Its video has no moov box."))
        if isinstance(found, Exception):
            raise found
        return found

    def close(self) -> None:
        self.closed = True
