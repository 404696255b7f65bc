"""A folder of sessions of v1.0, each a folder of its own, as a collection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from hfviewer.core.collection import EpisodeRow
from hfviewer.core.errors import UsageError
from hfviewer.core.json_number import as_number, as_whole
from hfviewer.core.recording import Recording
from hfviewer.readers.episodes.clock import wall_to_ns
from hfviewer.readers.episodes.session import SessionRecording
from hfviewer.readers.episodes.session_files import (
    episode_number,
    find_session,
    session_metadata,
    sessions_in,
)
from hfviewer.readers.listing import ListedCollection


class SessionCollection(ListedCollection):
    """Sessions of a task before v1.1, each a folder of its own.

    Args:
        path: of the task.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.refresh()

    def refresh(self) -> bool:
        before = self._rows
        folders = sessions_in(self._path)
        stated = [episode_number(session_metadata(folder)) for folder in folders]
        unique = None not in stated and len(set(stated)) == len(stated)
        rows = []
        for place, (folder, number) in enumerate(zip(folders, stated, strict=True), 1):
            row = _row(folder, number if unique and number is not None else place)
            rows.append(replace(row, task=self.task))
        self._rows = tuple(rows)
        return self._rows != before

    def open_key(self, key: str) -> Recording:
        if not any(row.key == key for row in self._rows):
            raise UsageError(f"There is no session {key!r}.", path=self._path)
        return SessionRecording(self._path / key)

    def files_of(self, key: str) -> Sequence[Path]:
        found = find_session(self._path / key)
        return [*found.tables.values(), *(path for paths in found.videos.values() for path in paths)]


def _row(folder: Path, number: int) -> EpisodeRow:
    metadata = session_metadata(folder)
    files = find_session(folder)
    start_s = as_number(metadata.get("created_at"))
    start_ns = None if start_s is None else int(wall_to_ns(np.array([start_s]))[0]) or None
    return EpisodeRow(
        key=folder.name,
        number=number,
        id=folder.name,
        name=folder.name,
        frame_count=as_whole(metadata.get("total_frames")),
        start_ns=start_ns,
        streams=(*sorted({*files.videos, *files.depth_pictures}), *sorted(files.tables)),
        ok=bool(metadata),
        problem="" if metadata else "Its metadata.json is damaged.",
    )
