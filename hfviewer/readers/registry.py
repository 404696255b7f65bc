"""Which reader opens a path: every reader is asked, the surest match wins. No caller tests suffixes."""

from __future__ import annotations

import logging
import os
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import HfviewerError, NotARecordingError, UsageError
from hfviewer.core.recording import Recording
from hfviewer.readers.base import Match, RecordingReader
from hfviewer.readers.episodes.reader import EpisodesReader
from hfviewer.readers.folder.reader import FolderReader
from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.probe import nothing_here, read_head
from hfviewer.readers.video.reader import VideoFileReader

_log = logging.getLogger(__name__)
ENTRY_POINT_GROUP = "hfviewer.readers"


@cache
def readers() -> tuple[RecordingReader, ...]:
    """Our own readers and those of other installed packages (entry points ``hfviewer.readers``)."""
    own: list[RecordingReader] = [
        HyperframeReader(),
        VideoFileReader(),
        EpisodesReader(),
        FolderReader(is_recording, open_path),
    ]
    for point in entry_points(group=ENTRY_POINT_GROUP):
        try:
            own.append(point.load()())
        except Exception:  # noqa: BLE001 - another package's fault must not keep our recordings shut
            _log.exception("the reader %s cannot be used", point.name)
    return tuple(own)


def open_recording(
    path: str | os.PathLike[str], revision: int | None = None, *, episode: int | None = None
) -> Recording:
    """Open one recording; only its index is read.

    Args:
        path: a file, or a folder of a format that is one; or a folder of many, with `episode`.
        revision: an earlier state of a format that keeps them; None: the newest.
        episode: number of the one to open, in a folder of many.

    Raises:
        UsageError: a folder of many without `episode`, or the other way round; no such episode or revision.
        HfviewerError: see `open_path`.
    """
    opened = open_path(path, revision)
    if isinstance(opened, Recording):
        if episode is None:
            return opened
        opened.close()
        raise not_a_folder(path)
    with opened:
        if episode is not None:
            return opened.open(episode)
        raise choice_needed(opened)


def not_a_folder(path: str | os.PathLike[str]) -> UsageError:
    """What to say where an episode of a single recording was asked for."""
    return UsageError("This is not a folder of episodes.", remedy="Leave out --episode.", path=path)


def choice_needed(collection: EpisodeCollection) -> UsageError:
    """What to say where one recording is needed and a folder of many was named."""
    count = len(collection.episodes)
    if not count:
        return UsageError("This folder holds no episodes.", path=collection.path)
    episodes = "one episode" if count == 1 else f"{count} episodes"
    return UsageError(
        f"This is a folder of {episodes}.", remedy="Choose one with --episode.", path=collection.path
    )


def open_path(path: str | os.PathLike[str], revision: int | None = None) -> Recording | EpisodeCollection:
    """Open whatever lies there: a recording, or a folder of many; only indexes and listings are read.

    Args:
        path: a file, or a folder of a format that is one.
        revision: an earlier state of a format that keeps them; None: the newest.

    Raises:
        NotARecordingError: it does not exist, cannot be read, or no reader knows it.
        DamagedRecordingError: its bytes contradict themselves; the message names the repair.
        UsageError: there is no such revision.
    """
    path = Path(path)
    head = read_head(path)
    sniffed = [(_sniff(reader, path, head), reader) for reader in readers()]
    match, best = max(sniffed, key=lambda found: found[0], default=(Match.NO, None))
    if best is None or match == Match.NO:
        raise nothing_here(path, head)
    try:
        return best.open(path, revision=revision)
    except UsageError:
        raise
    except HfviewerError as error:
        if error.path is None:
            error.path = str(path)
        raise
    except OSError as error:
        raise NotARecordingError(f"It cannot be read ({error.strerror}).", path=path) from error


def is_recording(path: Path) -> bool:
    """Whether a path is a recording or a task: whether a reader other than that of plain folders knows it."""
    try:
        head = read_head(path)
    except NotARecordingError:
        return False
    others = (reader for reader in readers() if not isinstance(reader, FolderReader))
    return any(_sniff(reader, path, head) != Match.NO for reader in others)


def _sniff(reader: RecordingReader, path: Path, head: bytes) -> Match:
    try:
        return reader.sniff(path, head)
    except Exception:  # noqa: BLE001 - another package's fault must not keep our recordings shut
        _log.exception("the reader %s cannot look at %s", reader.name, path)
        return Match.NO
