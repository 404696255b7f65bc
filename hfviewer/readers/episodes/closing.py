"""The end of an episode or a session: what its streams and tables hold open is released."""

from __future__ import annotations

from collections.abc import Iterable

from hfviewer.core.recording import Stream
from hfviewer.readers.episodes.columns import TimedStream
from hfviewer.readers.episodes.table import EpisodeTable
from hfviewer.readers.video.stream import VideoStream


def close_all(streams: Iterable[Stream], tables: Iterable[EpisodeTable]) -> None:
    """Close videos, columns and the tables they were read from. May be called again."""
    for stream in streams:
        if isinstance(stream, (VideoStream, TimedStream)):
            stream.close()
    for table in tables:
        table.close()
