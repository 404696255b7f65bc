"""The index of a hyperframe file: read once, checked in vectors, cut into streams.

Resident cost: the 32 bytes of each entry and its timestamp once more as a contiguous table to search in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import DamagedRecordingError
from hfviewer.readers.hyperframe.layout import (
    ENTRY,
    ENTRY_SIZE,
    HEADER_SIZE,
    RECOVER_REMEDY,
    Header,
    swap_entries,
)
from hfviewer.readers.hyperframe.storage import Storage

# 512 KiB of entries stay in the second-level cache between reading and checking them.
_CHUNK_ENTRIES = 16384
_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


@dataclass(frozen=True, eq=False)
class StreamTable:
    """The entries of one stream.

    Args:
        stream_id: in the file.
        entries: structured `layout.ENTRY`[n], sorted by (timestamp_ns, sequence).
        timestamps_ns: int64[n], contiguous, read-only.
        bad_count: entries whose payload does not lie inside the file.
    """

    stream_id: int
    entries: NDArray[np.void]
    timestamps_ns: NDArray[np.int64]
    bad_count: int


@dataclass(frozen=True, eq=False)
class Index:
    """All streams of a file.

    Args:
        entries: every entry, sorted by (stream_id, timestamp_ns, sequence).
        tables: by stream_id, ascending.
        was_sorted: False where a plain writer left it in another order.
    """

    entries: NDArray[np.void]
    tables: dict[int, StreamTable]
    was_sorted: bool


def load_index(storage: Storage, header: Header, file_size: int) -> Index:
    """Read and check the index that a header points to.

    Args:
        storage: of the file.
        header: whose regions were checked against ``file_size``.
        file_size: bytes.

    Raises:
        DamagedRecordingError: it cannot be read.
    """
    count = header.frame_count
    try:
        entries = np.empty(count, ENTRY)
        stamps_ns = np.empty(count, np.int64)
    except MemoryError as error:
        raise DamagedRecordingError(
            f"Its index of {count} frames does not fit into memory.", remedy=RECOVER_REMEDY
        ) from error
    raw = entries.view(np.uint8).data if count else memoryview(b"")
    sample_bytes = min(count, _CHUNK_ENTRIES) * ENTRY_SIZE if header.big_endian else 0
    sample = np.frombuffer(storage.read(header.index_offset, sample_bytes), ENTRY)
    swap = needs_swap(sample, header, file_size)
    cuts: list[int] = []
    bad_at: list[NDArray[np.intp]] = []
    is_sorted = True
    last_id = -1
    for start in range(0, count, _CHUNK_ENTRIES):
        stop = min(count, start + _CHUNK_ENTRIES)
        storage.read_into(
            raw[start * ENTRY_SIZE : stop * ENTRY_SIZE], header.index_offset + start * ENTRY_SIZE
        )
        chunk = entries[start:stop]
        if swap:
            chunk[:] = swap_entries(chunk)
        stamps_ns[start:stop] = chunk["timestamp_ns"]
        ids = np.ascontiguousarray(chunk["stream_id"])
        if not _surely_inside(chunk, file_size):
            bad_at.append(np.flatnonzero(outside_file(chunk, file_size)) + start)
        new = np.flatnonzero(ids[1:] != ids[:-1]) + 1
        if ids[0] != last_id:
            cuts.append(start)
        cuts.extend((new + start).tolist())
        if is_sorted:
            first = max(0, start - 1)
            is_sorted = _chunk_is_sorted(entries[first:stop], stamps_ns[first:stop])
        last_id = int(ids[-1])
    # A stream that comes back later is out of order even where every single step went up.
    cut_ids = entries["stream_id"][cuts] if cuts else np.empty(0, np.uint16)
    if not is_sorted or not bool((cut_ids[1:] > cut_ids[:-1]).all()):
        is_sorted = False
        entries, stamps_ns = sort_entries(entries)
        ids = np.ascontiguousarray(entries["stream_id"])
        cuts = [0, *(np.flatnonzero(ids[1:] != ids[:-1]) + 1).tolist()]
        bad_at = [np.flatnonzero(outside_file(entries, file_size))]
    return Index(entries, _cut(entries, stamps_ns, cuts, bad_at), is_sorted)


def _surely_inside(entries: NDArray[np.void], file_size: int) -> bool:
    """Whether the extremes alone show that every payload lies inside; cheaper than looking at each."""
    offsets = entries["offset"]
    return int(offsets.min()) >= HEADER_SIZE and int(offsets.max()) + int(entries["size"].max()) <= file_size


def join_entries(parts: Iterable[NDArray[np.void]]) -> NDArray[np.void]:
    """Contiguous pieces of an index one behind the other; as bytes, which is twenty times as quick."""
    return np.concatenate([np.empty(0, np.uint8), *(part.view(np.uint8) for part in parts)]).view(ENTRY)


def replace_streams(
    entries: NDArray[np.void], dropped: Collection[int], new: NDArray[np.void]
) -> NDArray[np.void]:
    """An index without some streams and with new ones, in order, without sorting it all again.

    Args:
        entries: sorted.
        dropped: stream_ids to leave out.
        new: of streams that are dropped or had no entries; any order.
    """
    fresh, _ = sort_entries(new)
    ids, fresh_ids = (np.ascontiguousarray(part["stream_id"]) for part in (entries, fresh))
    parts: list[NDArray[np.void]] = []
    at = 0
    for stream_id in sorted({*dropped, *np.unique(fresh_ids).tolist()}):
        first, stop = (int(ids.searchsorted(stream_id, side)) for side in _SIDES)
        parts += [entries[at:first], fresh[fresh_ids == stream_id]]
        at = stop
    return join_entries([*parts, entries[at:]])


def index_bytes(entries: NDArray[np.void]) -> memoryview:
    """Entries as they are stored."""
    return np.ascontiguousarray(entries).view(np.uint8).data if len(entries) else memoryview(b"")


def outside_file(entries: NDArray[np.void], file_size: int) -> NDArray[np.bool_]:
    """Which entries' payloads do not lie between the header and the end of the file."""
    offsets, sizes = entries["offset"], entries["size"].astype(np.uint64)
    limit = np.uint64(file_size)
    # Written so that an offset near 2^64 cannot wrap around into the file.
    return (offsets > limit) | (sizes > limit - offsets) | ((offsets < np.uint64(HEADER_SIZE)) & (sizes > 0))


def sort_entries(entries: NDArray[np.void]) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """Entries in the order (stream_id, timestamp_ns, sequence), stably, and their timestamps."""
    order = np.lexsort((entries["sequence"], entries["timestamp_ns"], entries["stream_id"]))
    ordered = entries[order]
    return ordered, np.ascontiguousarray(ordered["timestamp_ns"])


def _chunk_is_sorted(entries: NDArray[np.void], stamps_ns: NDArray[np.int64]) -> bool:
    """Whether stamps never fall inside a stream, and sequences never fall where stamps are equal.

    Args:
        entries: of the chunk and the last one before it.
        stamps_ns: theirs.
    """
    steps_down = stamps_ns[1:] <= stamps_ns[:-1]
    if not steps_down.any():
        return True
    at = np.flatnonzero(steps_down) + 1
    same_stream = entries["stream_id"][at] == entries["stream_id"][at - 1]
    at = at[same_stream]
    falls = stamps_ns[at] < stamps_ns[at - 1]
    sequences = entries["sequence"]
    equal = at[~falls]
    return not bool(falls.any()) and not bool((sequences[equal] < sequences[equal - 1]).any())


def _cut(
    entries: NDArray[np.void],
    stamps_ns: NDArray[np.int64],
    cuts: list[int],
    bad_at: list[NDArray[np.intp]],
) -> dict[int, StreamTable]:
    stamps_ns.flags.writeable = False
    entries.flags.writeable = False
    bad = np.concatenate(bad_at) if bad_at else np.empty(0, np.intp)
    tables: dict[int, StreamTable] = {}
    if not len(entries):
        return tables
    for start, stop in zip(cuts, [*cuts[1:], len(entries)], strict=True):
        part = entries[start:stop]
        stream_id = int(part["stream_id"][0])
        bad_count = int(np.searchsorted(bad, stop) - np.searchsorted(bad, start))
        tables[stream_id] = StreamTable(stream_id, part, stamps_ns[start:stop], bad_count)
    return tables


def needs_swap(entries: NDArray[np.void], header: Header, file_size: int) -> bool:
    """Whether entries of a big-endian writer make sense only after swapping their bytes."""
    if not header.big_endian:
        return False
    as_is = int(outside_file(entries, file_size).sum())
    return int(outside_file(swap_entries(entries), file_size).sum()) < as_is
