"""What a damaged file still says about its frames: journal, header, footers. Nothing here is changed."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import DamagedRecordingError, HfviewerError, UnfinishedRecordingError
from hfviewer.readers.hyperframe.index import needs_swap, outside_file
from hfviewer.readers.hyperframe.journal import SUFFIX, journal_path, read_journal
from hfviewer.readers.hyperframe.layout import (
    ENTRY,
    ENTRY_SIZE,
    HEADER_SIZE,
    MAX_METADATA_BYTES,
    Header,
    check_regions,
    crc32,
    parse_header,
    swap_entries,
)
from hfviewer.readers.hyperframe.metadata import parse_metadata
from hfviewer.readers.hyperframe.state import (
    footer_offsets,
    index_is_whole,
    read_footer_block,
)
from hfviewer.readers.hyperframe.storage import Storage


@dataclass(frozen=True, eq=False, kw_only=True)
class Witness:
    """One place that lists frames.

    Args:
        entries: what can be read of the list, unchecked.
        header: that points to it; None for a journal.
        is_complete: nothing is cut off it.
        is_trusted: its checksum is right, so what it says of a frame is what was written.
        metadata: None where it is gone or damaged.
    """

    entries: NDArray[np.void]
    header: Header | None
    is_complete: bool
    is_trusted: bool
    metadata: dict[str, Any] | None

    @property
    def counts(self) -> dict[int, int] | None:
        """Frames by stream_id where this witness knows; None where it does not."""
        if self.is_complete and self.is_trusted:
            ids, counts = np.unique(self.entries["stream_id"], return_counts=True)
            return dict(zip(ids.tolist(), counts.tolist(), strict=True))
        return None


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """Everything that was found, the best first.

    Args:
        journal: beside the file, with at least one payload inside the file.
        indexes: the newest revision first; the first one may be cut off.
        is_unfinished: the writer never wrote the header.
    """

    journal: Witness | None = None
    indexes: list[Witness] = field(default_factory=list)
    is_unfinished: bool = False


def collect(storage: Storage, path: Path) -> Evidence:
    """Look everywhere.

    Args:
        storage: of the damaged file.
        path: of it; journals are looked for beside it.
    """
    size = storage.size()
    block = storage.read_at_most(0, HEADER_SIZE)
    header: Header | None = None
    is_unfinished = not any(block)
    try:
        header = parse_header(block)
    except HfviewerError as error:
        is_unfinished = is_unfinished or isinstance(error, UnfinishedRecordingError)
    headers = [] if header is None else [header]
    if header is None or not _is_sound(storage, header):
        found = (read_footer_block(storage, offset) for offset in footer_offsets(storage, 0, size))
        footers = [footer for footer in found if footer is not None]
        newest = header.revision if header is not None else None
        # A valid header is the commit: footers beyond it were never committed.
        headers += [f for f in footers if newest is None or f.revision < newest or f == header]
    indexes = [_index_witness(storage, candidate, size) for candidate in dict.fromkeys(headers)]
    return Evidence(journal=_journal_witness(path, size), indexes=indexes, is_unfinished=is_unfinished)


def trusted_order(entries: NDArray[np.void]) -> NDArray[np.intp]:
    """Rows of the longest part of a damaged index that is still in order; the others' fields cannot be right.

    Args:
        entries: in the order of the file.
    """
    keys = list(zip(entries["stream_id"].tolist(), entries["timestamp_ns"].tolist(), strict=True))
    tails: list[tuple[int, int]] = []
    tail_rows: list[int] = []
    before: list[int] = []
    for row, key in enumerate(keys):
        at = bisect_right(tails, key)
        before.append(tail_rows[at - 1] if at else -1)
        tails[at : at + 1] = [key]
        tail_rows[at : at + 1] = [row]
    rows: list[int] = []
    row = tail_rows[-1] if tail_rows else -1
    while row >= 0:
        rows.append(row)
        row = before[row]
    return np.array(rows[::-1], np.intp)


def _is_sound(storage: Storage, header: Header) -> bool:
    """Whether index and metadata of the newest revision are whole: then no footer knows more."""
    try:
        check_regions(header, storage.size())
    except DamagedRecordingError:
        return False
    if not header.extended:
        return True
    if not index_is_whole(storage, header):
        return False
    if not header.meta_offset:
        return True
    return _metadata(storage, header) is not None


def _index_witness(storage: Storage, header: Header, size: int) -> Witness:
    start = header.index_offset
    wanted = header.frame_count
    there = 0
    if HEADER_SIZE <= start <= size and header.index_size == wanted * ENTRY_SIZE:
        there = min(wanted, (size - start) // ENTRY_SIZE)
    entries = np.frombuffer(storage.read(start, there * ENTRY_SIZE), ENTRY)
    if len(entries) and needs_swap(entries, header, size):
        entries = swap_entries(entries)
    is_complete = there == wanted
    is_trusted = is_complete and (not header.extended or index_is_whole(storage, header))
    return Witness(
        entries=entries,
        header=header,
        is_complete=is_complete,
        is_trusted=is_trusted,
        metadata=_metadata(storage, header),
    )


def _metadata(storage: Storage, header: Header) -> dict[str, Any] | None:
    if not header.meta_offset or header.meta_size > MAX_METADATA_BYTES:
        return None
    if header.meta_offset + header.meta_size > storage.size():
        return None
    data = storage.read(header.meta_offset, header.meta_size)
    document, findings = parse_metadata(data)
    return None if findings or crc32(data) != header.meta_crc32 else document


def _journal_witness(path: Path, size: int) -> Witness | None:
    for candidate in (
        journal_path(path),
        path.with_name(path.name + ".tmp" + SUFFIX),
    ):
        try:
            journal = read_journal(candidate)
        except (HfviewerError, OSError):
            continue
        if (~outside_file(journal.entries, size)).any():
            return Witness(
                entries=journal.entries,
                header=None,
                is_complete=True,
                is_trusted=True,
                metadata=journal.metadata,
            )
    return None
