"""Which state of a file counts: its header, or the newest valid footer where the header is torn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hfviewer.core.errors import DamagedRecordingError, HfviewerError, UnfinishedRecordingError, UsageError
from hfviewer.core.finding import Finding, Severity
from hfviewer.readers.hyperframe.layout import (
    ALIGNMENT,
    HEADER_SIZE,
    MAGIC,
    VERSION,
    Header,
    align,
    check_regions,
    crc32,
    parse_header,
)
from hfviewer.readers.hyperframe.storage import Storage

OPENING_SEARCH_BYTES = 256 << 20

_CHUNK_BYTES = 4 << 20
FOOTER_HEAD = MAGIC + VERSION.to_bytes(2, "little") + HEADER_SIZE.to_bytes(2, "little")
_FIRST_EIGHT = int.from_bytes(FOOTER_HEAD, "little")


@dataclass(frozen=True, slots=True)
class FileState:
    """The state that a file is in.

    Args:
        header: what it says of itself, from the header or a footer.
        findings: what was wrong on the way.
        header_is_torn: the header itself must be repaired by the next commit.
        is_cut: the header is sound, but what it points to is not all there: an earlier revision is shown.
    """

    header: Header
    findings: tuple[Finding, ...] = ()
    header_is_torn: bool = False
    is_cut: bool = False


def read_state(storage: Storage, *, revision: int | None = None) -> FileState:
    """Find the state to show.

    Args:
        storage: of the file.
        revision: an earlier one; None: the newest.

    Raises:
        UnfinishedRecordingError: never finalized.
        DamagedRecordingError: neither the header nor any footer can be trusted.
        UsageError: there is no such revision.
    """
    state = _newest_state(storage)
    if revision is None or revision == state.header.revision:
        return state
    for header in walk_revisions(storage, state.header):
        if header.revision == revision:
            return FileState(header, state.findings)
    raise UsageError(
        f"There is no revision {revision}.", remedy="`hfviewer history` lists them.", path=storage.path
    )


def _newest_state(storage: Storage) -> FileState:
    size = storage.size()
    header: Header | None = None
    try:
        header = parse_header(storage.read_at_most(0, HEADER_SIZE))
        check_regions(header, size)
    except UnfinishedRecordingError:
        raise
    except DamagedRecordingError as damage:
        footer = newest_footer(storage, search_bytes=OPENING_SEARCH_BYTES)
        if footer is None:
            raise
        finding = Finding(
            code="truncated",
            severity=Severity.ERROR,
            message=f"{damage.problem} Showing revision {footer.revision}, the newest one that is whole.",
            evidence="header checksum or bounds; footer checksum",
        )
        return FileState(footer, (finding,), header_is_torn=header is None, is_cut=header is not None)
    if header.extended and not HEADER_SIZE <= header.footer_offset <= size - HEADER_SIZE:
        finding = Finding(
            code="truncated",
            severity=Severity.WARNING,
            message="The copy of the header at the end is cut off; every frame is there.",
            evidence=f"footer at byte {header.footer_offset} of {size}",
        )
        return FileState(header, (finding,))
    return FileState(header)


def newest_footer(storage: Storage, *, search_bytes: int | None) -> Header | None:
    """The newest footer that can be trusted: its own CRC, its place, its regions and its index's CRC.

    Args:
        storage: of the file.
        search_bytes: how far back from the end to look; None: everywhere.
    """
    size = storage.size()
    lowest = 0 if search_bytes is None else max(0, size - search_bytes)
    for offset in footer_offsets(storage, lowest, size):
        header = read_footer(storage, offset)
        if header is not None and index_is_whole(storage, header):
            return header
    return None


def read_footer(storage: Storage, offset: int) -> Header | None:
    """The footer at an offset, or None where there is none that can be trusted."""
    header = read_footer_block(storage, offset)
    try:
        if header is not None:
            check_regions(header, storage.size())
    except HfviewerError:
        return None
    return header


def read_footer_block(storage: Storage, offset: int) -> Header | None:
    """The same, whether what it points to is all there or not."""
    try:
        header = parse_header(storage.read_at_most(offset, HEADER_SIZE))
    except HfviewerError:
        return None
    # A copy of another hyperframe file inside a payload names another place.
    return header if header.extended and header.footer_offset == offset else None


def walk_revisions(storage: Storage, newest: Header) -> Iterator[Header]:
    """The given state and every earlier one that its chain of footers still reaches, newest first."""
    header: Header | None = newest
    while header is not None:
        yield header
        previous = header.previous_footer_offset
        if previous == 0 or previous >= header.footer_offset:
            return
        header = read_footer(storage, previous)


def index_is_whole(storage: Storage, header: Header) -> bool:
    """Whether the index has the CRC that an extended header names. Reads all of it."""
    checksum = 0
    stop = header.index_offset + header.index_size
    for at in range(header.index_offset, stop, _CHUNK_BYTES):
        chunk = storage.read(at, min(_CHUNK_BYTES, stop - at))
        checksum = crc32(chunk, checksum)
    return checksum == header.index_crc32


def footer_offsets(storage: Storage, lowest: int, size: int) -> Iterator[int]:
    """Offsets of 64-byte blocks that begin like a footer, from the end backwards."""
    stop = size // ALIGNMENT * ALIGNMENT
    while stop > lowest:
        start = max(align(lowest), stop - _CHUNK_BYTES)
        if start >= stop:
            return
        words = np.frombuffer(storage.read(start, stop - start), "<u8")[:: ALIGNMENT // 8]
        for block in np.flatnonzero(words == _FIRST_EIGHT)[::-1].tolist():
            offset = start + block * ALIGNMENT
            if offset > 0 and offset + HEADER_SIZE <= size:
                yield offset
        stop = start
