"""Open task directories of pooled episodes."""

from __future__ import annotations

from pathlib import Path

from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import UsageError
from hfviewer.core.recording import Recording
from hfviewer.readers.base import Match
from hfviewer.readers.episodes import layout


class EpisodesReader:
    """Opens a task directory as a collection of its episodes."""

    name = "episodes"

    def sniff(self, path: Path, head: bytes) -> Match:
        if head or not (path / layout.INFO).is_file():
            return Match.NO
        return Match.BY_CONTENT

    def open(self, path: Path, *, revision: int | None = None) -> Recording | EpisodeCollection:
        if revision is not None:
            raise UsageError("Episodes have no revisions.", remedy="Leave out --revision.", path=path)
        # Imported here: every opening asks this reader, and few paths are tasks.
        from hfviewer.readers.episodes.collection import TaskCollection

        return TaskCollection(path)
