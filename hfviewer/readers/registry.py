"""Which reader opens a path: every reader is asked, the surest match wins. No caller tests suffixes."""

from __future__ import annotations

import logging
import os
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from hfviewer.core.errors import HfviewerError, NotARecordingError, UsageError
from hfviewer.core.recording import Recording
from hfviewer.readers.base import Match, RecordingReader
from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.probe import nothing_here, read_head
from hfviewer.readers.video.reader import VideoFileReader

_log = logging.getLogger(__name__)
ENTRY_POINT_GROUP = "hfviewer.readers"


@cache
def readers() -> tuple[RecordingReader, ...]:
    """Our own readers and those of other installed packages (entry points ``hfviewer.readers``)."""
    own: list[RecordingReader] = [HyperframeReader(), VideoFileReader()]
    for point in entry_points(group=ENTRY_POINT_GROUP):
        try:
            own.append(point.load()())
        except Exception:  # noqa: BLE001 - another package's fault must not keep our recordings shut
            _log.exception("the reader %s cannot be used", point.name)
    return tuple(own)


def open_recording(path: str | os.PathLike[str], revision: int | None = None) -> Recording:
    """Open a recording; only its index is read.

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


def _sniff(reader: RecordingReader, path: Path, head: bytes) -> Match:
    try:
        return reader.sniff(path, head)
    except Exception:  # noqa: BLE001 - another package's fault must not keep our recordings shut
        _log.exception("the reader %s cannot look at %s", reader.name, path)
        return Match.NO
