"""Open task directories of pooled episodes."""

from __future__ import annotations

from pathlib import Path

from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import UsageError
from hfviewer.core.recording import Recording
from hfviewer.readers.base import Match
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.info import stated_format
from hfviewer.readers.episodes.session_files import has_sessions, is_session


class EpisodesReader:
    """Opens a task directory as a collection of its episodes, and a session of v1.0 as a recording."""

    name = "episodes"

    def sniff(self, path: Path, head: bytes) -> Match:
        if head or not path.is_dir():
            return Match.NO
        known = (path / layout.INFO).is_file() or is_session(path) or has_sessions(path)
        return Match.BY_CONTENT if known else Match.NO

    def open(self, path: Path, *, revision: int | None = None) -> Recording | EpisodeCollection:
        if revision is not None:
            raise UsageError("Episodes have no revisions.", remedy="Leave out --revision.", path=path)
        # Imported here: every opening asks this reader, and few paths are tasks.
        from hfviewer.readers.episodes.collection import TaskCollection
        from hfviewer.readers.episodes.session import SessionRecording
        from hfviewer.readers.episodes.session_collection import SessionCollection

        if stated_format(path):
            return TaskCollection(path)
        # A task without a format is one of v1.0 if it holds sessions (contract, section 1).
        if is_session(path):
            return SessionRecording(path)
        return SessionCollection(path) if has_sessions(path) else TaskCollection(path)
