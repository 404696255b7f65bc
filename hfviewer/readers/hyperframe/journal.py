"""The journal beside a file that is being written: the metadata as one JSON line, then index entries.

It is what `hfviewer recover` goes by when the writer dies.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import DamagedRecordingError
from hfviewer.readers.hyperframe.files import write_all
from hfviewer.readers.hyperframe.layout import ENTRY, ENTRY_SIZE, MAX_METADATA_BYTES
from hfviewer.readers.hyperframe.metadata import encode_metadata, parse_metadata

SUFFIX = ".journal"


def journal_path(temporary: Path) -> Path:
    """Where the journal of a file that is being written lies."""
    return temporary.with_name(temporary.name + SUFFIX)


@dataclass(frozen=True, eq=False)
class Journal:
    """What a journal says.

    Args:
        metadata: as parsed.
        entries: structured `layout.ENTRY`[n], in order of arrival, unchecked.
        is_cut: the last entry is incomplete.
    """

    metadata: dict[str, Any]
    entries: NDArray[np.void]
    is_cut: bool


class JournalWriter:
    """Appends to a journal; every entry goes to the system at once, so that a killed writer loses none.

    Args:
        path: must not exist.
        metadata: to begin with.
    """

    def __init__(self, path: Path, metadata: dict[str, Any]) -> None:
        self._path = path
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        line = _line(metadata)
        write_all(self._fd, line)
        self._size = len(line)

    def append(self, entry: bytes) -> None:
        """Add one packed entry; where that fails, nothing of it stays."""
        try:
            write_all(self._fd, entry)
        except OSError:
            # Half an entry would shift all that follow it.
            os.ftruncate(self._fd, self._size)
            os.lseek(self._fd, self._size, os.SEEK_SET)
            raise
        self._size += len(entry)

    def replace_metadata(self, metadata: dict[str, Any], entries: bytes | bytearray) -> None:
        """Begin anew with other metadata and the entries so far, in one atomic step."""
        fresh = self._path.with_name(self._path.name + ".new")
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
        content = _line(metadata) + bytes(entries)
        try:
            write_all(fd, content)
            fresh.replace(self._path)
        except OSError:
            os.close(fd)
            fresh.unlink(missing_ok=True)
            raise
        os.close(self._fd)
        self._fd, self._size = fd, len(content)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def read_journal(path: Path) -> Journal:
    """Read a journal.

    Raises:
        DamagedRecordingError: its first line is not metadata.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        line = file.readline(MAX_METADATA_BYTES + 1)
        if not line.endswith(b"\n"):
            raise DamagedRecordingError("The journal's first line is cut off.", path=path)
        rest = file.read()
    metadata, findings = parse_metadata(line)
    if findings:
        raise DamagedRecordingError(f"The journal is damaged: {findings[0].message}", path=path)
    count = len(rest) // ENTRY_SIZE
    entries = np.frombuffer(rest, ENTRY, count).copy()
    return Journal(metadata, entries, is_cut=len(rest) != count * ENTRY_SIZE)


def _line(metadata: dict[str, Any]) -> bytes:
    return encode_metadata(metadata) + b"\n"
