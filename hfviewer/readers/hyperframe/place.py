"""Where a commit may write: behind everything that a header or footer points to."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hfviewer.readers.hyperframe.assemble import write_padded
from hfviewer.readers.hyperframe.index import index_bytes, outside_file
from hfviewer.readers.hyperframe.layout import (
    ALIGNMENT,
    HEADER_SIZE,
    Header,
    align,
    crc32,
    pack_header,
)
from hfviewer.readers.hyperframe.state import FOOTER_HEAD, read_footer
from hfviewer.readers.hyperframe.storage import Storage

_CHUNK_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class CurrentEnd:
    """The end of the current state.

    Args:
        header: of that state.
        offset: the first byte behind it.
        has_footer: False where a plain writer wrote none, or none can be where the header says.
    """

    header: Header
    offset: int
    has_footer: bool


def find_end(storage: Storage, header: Header, entries: NDArray[np.void], *, keep_tail: bool) -> CurrentEnd:
    """Where the current state ends; what lies behind it was left by an interrupted commit.

    Args:
        storage: of the file.
        header: of the current state.
        entries: of the current state.
        keep_tail: True where it is not sure that what lies behind is dead.
    """
    size = storage.size()
    regions_end = max(HEADER_SIZE, header.index_offset + header.index_size)
    if header.meta_offset:
        regions_end = max(regions_end, header.meta_offset + header.meta_size)
    inside = ~outside_file(entries, size)
    ends = entries["offset"][inside] + entries["size"][inside]
    payloads_end = int(ends.max()) if len(ends) else 0
    footer_offset = header.footer_offset
    has_footer = (
        header.extended and footer_offset % ALIGNMENT == 0 and regions_end <= footer_offset <= align(size)
    )
    end = max(footer_offset + HEADER_SIZE if has_footer else regions_end, payloads_end)
    if keep_tail or (not has_footer and not _looks_interrupted(storage, end)):
        end = max(end, size)
    return CurrentEnd(header, end, has_footer)


def write_footer_copy(storage: Storage, end: CurrentEnd, entries: NDArray[np.void]) -> tuple[Header, int]:
    """Make sure that the current state has a footer, so that it stays in the history.

    Args:
        storage: of the file, writable.
        end: of the current state.
        entries: of the current state, sorted.

    Returns:
        What that footer says, and where the new state may begin.
    """
    header = end.header
    if end.has_footer:
        if read_footer(storage, header.footer_offset) != header:
            # Cut off or damaged; what must lie there is known: a copy of the header.
            write_padded(storage.fd, header.footer_offset, storage.read(0, HEADER_SIZE))
        return header, end.offset
    at = end.offset
    checksum = 0
    if header.big_endian:
        # A footer says little-endian, so the index that it names must be.
        data = index_bytes(entries)
        at = write_padded(storage.fd, at, data)
        header = replace(header, index_offset=at, big_endian=False)
        checksum = crc32(data)
        at += len(data)
    else:
        stop = header.index_offset + header.index_size
        for part_at in range(header.index_offset, stop, _CHUNK_BYTES):
            checksum = crc32(storage.read(part_at, min(_CHUNK_BYTES, stop - part_at)), checksum)
    footer_offset = align(at)
    header = replace(header, extended=True, index_crc32=checksum, footer_offset=footer_offset)
    write_padded(storage.fd, at, pack_header(header))
    return header, footer_offset + HEADER_SIZE


def _looks_interrupted(storage: Storage, end: int) -> bool:
    """Whether what follows the end of a plain file is what a commit writes first: padding, then a footer."""
    tail = storage.read_at_most(end, align(end) - end + HEADER_SIZE)
    padding, rest = tail[: align(end) - end], tail[align(end) - end :]
    return not any(padding) and (not any(rest) or rest[: len(FOOTER_HEAD)] == FOOTER_HEAD[: len(rest)])
