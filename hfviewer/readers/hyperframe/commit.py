"""Append to a finished file: new streams, replaced streams, corrections. No payload of it is touched.

The three steps of formats/hyperframe.md, "Adding streams later": lock and look again; write behind the
current end; one write of the header makes it count. Until that write the old revision is whole, after it the
new one.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.compression import compression_of
from hfviewer.core.errors import DamagedRecordingError, FrameError, UsageError, WriteError
from hfviewer.core.stream import StreamDescription
from hfviewer.readers.hyperframe.assemble import build_metadata, write_header, write_tail
from hfviewer.readers.hyperframe.builder import count_streams
from hfviewer.readers.hyperframe.files import cannot_write, write_all
from hfviewer.readers.hyperframe.index import join_entries, load_index, replace_streams
from hfviewer.readers.hyperframe.layout import (
    ENTRY,
    ENTRY_COMPRESSED,
    ENTRY_STRUCT,
    MAX_FRAME_COUNT,
    MAX_REVISION,
    MAX_STREAM_ID,
    RECOVER_REMEDY,
    Header,
    align,
    crc32,
)
from hfviewer.readers.hyperframe.lock import changed_on_disk, open_locked
from hfviewer.readers.hyperframe.metadata import (
    check_description,
    parse_metadata,
    stream_descriptions,
    stream_names,
)
from hfviewer.readers.hyperframe.payload import MAX_SEQUENCE, NewFrame, encode_payload
from hfviewer.readers.hyperframe.place import CurrentEnd, find_end, write_footer_copy
from hfviewer.readers.hyperframe.state import FileState, index_is_whole, read_state
from hfviewer.readers.hyperframe.storage import Storage

_WRITE_BYTES = 4 << 20


class ChangeMode(StrEnum):
    """What happens to a stream."""

    ADD = "add"  # there is none of that name yet
    REPLACE = "replace"  # its frames give way to the new ones; it keeps its stream_id
    REMOVE = "remove"


@dataclass(frozen=True, kw_only=True)
class StreamChange:
    """A change to one stream.

    Args:
        description: of the stream as it shall be; when it is removed, only its name counts.
        frames: to store; none when it is removed.
        mode: what happens to the stream.
        kept: of a stream that is replaced: indices of its present frames that stay beside the new ones. Their
            payloads are not written again.
    """

    description: StreamDescription
    frames: Sequence[NewFrame] = field(default=())
    mode: ChangeMode = ChangeMode.ADD
    kept: Sequence[int] = field(default=())


@dataclass(frozen=True, eq=False)
class _Before:
    """What the file holds before the commit."""

    state: FileState
    entries: NDArray[np.void]
    metadata: dict[str, Any]
    described: dict[int, StreamDescription]
    ids: dict[str, int]


def commit_changes(
    path: str | os.PathLike[str],
    *,
    expected_revision: int | None,
    streams: Sequence[StreamChange],
    metadata: Mapping[str, Any] | None = None,
) -> int:
    """Make a new revision of a file. Costs the new payloads and 32 bytes a frame, whatever the file's size.

    Args:
        path: of a finished file.
        expected_revision: the one that was opened; None: whatever is there.
        streams: what changes.
        metadata: further top-level keys to set (``annotations``, ``calibration`` …); all others are kept.

    Returns:
        The number of the new revision; it is on the disk then.

    Raises:
        LockedError: somebody else is writing it.
        ChangedOnDiskError: it is not the expected revision.
        DamagedRecordingError: it is damaged or cut off, and a commit would hide that.
        WriteError: read-only, or the disk is full; the old revision stays.
        UsageError: a change that cannot be made.
    """
    with open_locked(Path(path)) as storage:
        before = _read_before(storage, expected_revision)
        plan = _plan(before, streams)
        extra = {k: v for k, v in (metadata or {}).items() if k not in ("format", "writer", "streams")}
        return _write(storage, before, plan, {**before.metadata, **extra})


def correct_description(
    path: str | os.PathLike[str],
    stream: str,
    description: StreamDescription,
    *,
    expected_revision: int | None = None,
) -> int:
    """Store what a stream really holds, where the file does not say it or says it wrongly.

    Args:
        path: of a finished file.
        stream: its present name.
        description: what it is; it is no guess any more then.
        expected_revision: see `commit_changes`.

    Returns:
        The number of the new revision.

    Raises:
        HfviewerError: as `commit_changes`.
    """
    with open_locked(Path(path)) as storage:
        before = _read_before(storage, expected_revision)
        stream_id = before.ids.get(stream)
        if stream_id is None:
            raise UsageError(f"There is no stream {stream!r}.", path=path)
        if description.name != stream and description.name in before.ids:
            raise UsageError(f"There is a stream {description.name!r} already.", path=path)
        _check_description(description, path)
        entries = before.entries.copy()
        if description.compression != "none":
            _flag_compressed(storage, entries, stream_id, description.compression)
        plan = _Plan(entries=entries, descriptions={stream_id: replace(description, guessed=False)})
        return _write(storage, before, plan, before.metadata)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Plan:
    """What to write: entries as they were, streams to drop, and payloads with their unfinished entries."""

    entries: NDArray[np.void]
    descriptions: Mapping[int, StreamDescription]
    dropped: frozenset[int] = frozenset()
    removed: frozenset[int] = frozenset()
    kept: NDArray[np.void] = field(default_factory=lambda: np.empty(0, ENTRY))  # of dropped streams
    new: Sequence[tuple[int, int, int, int, memoryview]] = ()  # stream_id, flags, sequence, ns, data


def _read_before(storage: Storage, expected_revision: int | None) -> _Before:
    state = read_state(storage)
    header = state.header
    if expected_revision is not None and header.revision != expected_revision:
        raise changed_on_disk(storage.path, expected_revision, header.revision)
    # A new index and new metadata would bear valid checksums: they must not hide damage.
    problem = ""
    if state.is_cut:
        problem = "It is cut off, so nothing can be added to it."
    elif header.extended and not index_is_whole(storage, header):
        problem = "Its index is damaged, so nothing can be added to it."
    document: dict[str, Any] = {}
    if header.meta_offset and not problem:
        data = storage.read(header.meta_offset, header.meta_size)
        document, findings = parse_metadata(data)
        if crc32(data) != header.meta_crc32 or findings:
            problem = "Its metadata is damaged, so nothing can be added to it."
    if problem:
        raise DamagedRecordingError(problem, remedy=RECOVER_REMEDY, path=storage.path)
    index = load_index(storage, header, storage.size())
    described, _ = stream_descriptions(document)
    names = stream_names(described, index.tables)
    return _Before(state, index.entries, document, described, {name: i for i, name in names.items()})


def _plan(before: _Before, changes: Sequence[StreamChange]) -> _Plan:
    ids = dict(before.ids)
    dropped: set[int] = set()
    removed: set[int] = set()
    touched: set[str] = set()
    descriptions: dict[int, StreamDescription] = {}
    kept: list[NDArray[np.void]] = []
    new: list[tuple[int, int, int, int, memoryview]] = []
    for change in changes:
        name = change.description.name
        if name in touched:
            raise UsageError(f"The stream {name!r} is changed twice.")
        touched.add(name)
        if change.mode is ChangeMode.ADD:
            if name in ids:
                raise UsageError(f"There is a stream {name!r} already.")
            ids[name] = _free_id(set(ids.values()))
        elif name not in ids:
            raise UsageError(f"There is no stream {name!r}.")
        stream_id = ids[name]
        if change.mode is not ChangeMode.ADD:
            dropped.add(stream_id)
        if change.mode is ChangeMode.REMOVE:
            removed.add(stream_id)
            continue
        _check_description(change.description)
        descriptions[stream_id] = change.description
        if len(change.kept):
            kept.append(_kept_entries(before.entries, stream_id, change))
        new.extend(_encode(change, stream_id))
    if len(before.entries) + len(new) > MAX_FRAME_COUNT:
        raise UsageError("A recording holds at most 4 294 967 295 frames.")
    return _Plan(
        entries=before.entries,
        descriptions=descriptions,
        dropped=frozenset(dropped),
        removed=frozenset(removed),
        kept=join_entries(kept),
        new=new,
    )


def _kept_entries(entries: NDArray[np.void], stream_id: int, change: StreamChange) -> NDArray[np.void]:
    of_stream = entries[np.flatnonzero(entries["stream_id"] == stream_id)]
    indices = np.asarray(change.kept, np.intp)
    if change.mode is not ChangeMode.REPLACE or not bool(((indices >= 0) & (indices < len(of_stream))).all()):
        raise UsageError(f"The stream {change.description.name!r} has no such frames to keep.")
    return of_stream[np.unique(indices)]


def _encode(change: StreamChange, stream_id: int) -> list[tuple[int, int, int, int, memoryview]]:
    encoded: list[tuple[int, int, int, int, memoryview]] = []
    sequence = 0
    for frame in change.frames:
        flags, data = encode_payload(frame, change.description)
        sequence = sequence if frame.sequence is None else frame.sequence
        encoded.append((stream_id, flags, sequence, frame.timestamp_ns, data))
        sequence = (sequence + 1) & MAX_SEQUENCE
    return encoded


def _write(storage: Storage, before: _Before, plan: _Plan, base: Mapping[str, Any]) -> int:
    """Steps 2 and 3. Nothing that any header or footer points to is overwritten."""
    fd, path, header = storage.fd, storage.path, before.state.header
    if header.revision >= MAX_REVISION:
        raise UsageError("It has too many revisions.", remedy="Run `hfviewer compact`.", path=path)
    try:
        if before.state.header_is_torn:
            # The footer stands in for it; from here on a kill must find a sound header again.
            write_header(fd, header)
        end = find_end(storage, header, before.entries, keep_tail=before.state.header_is_torn)
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        os.ftruncate(fd, end.offset)
        new_header, base_end = write_footer_copy(storage, end, before.entries)
        complete = _write_state(fd, base_end, new_header, plan, base)
    except (OSError, WriteError, FrameError) as error:
        _cut_back(fd, end)
        if isinstance(error, OSError):
            raise cannot_write(path, error) from error
        error.path = os.fspath(path)
        raise
    try:
        write_header(fd, complete)
    except OSError as error:
        raise cannot_write(path, error) from error
    return complete.revision


def _write_state(fd: int, at: int, previous: Header, plan: _Plan, base: Mapping[str, Any]) -> Header:
    """Payloads, metadata, index and footer of the new state; returns the header that will make them count."""
    packed = bytearray()
    together = bytearray()  # small payloads are written many at a time
    for stream_id, flags, sequence, timestamp_ns, data in plan.new:
        offset = align(at)
        packed += ENTRY_STRUCT.pack(stream_id, flags, sequence, timestamp_ns, offset, len(data), crc32(data))
        together += bytes(offset - at)
        together += data
        at = offset + len(data)
        if len(together) >= _WRITE_BYTES:
            _write_at(fd, at - len(together), together)
            together.clear()
    _write_at(fd, at - len(together), together)
    fresh = join_entries([plan.kept, np.frombuffer(bytes(packed), ENTRY)])
    entries = replace_streams(plan.entries, plan.dropped, fresh)
    metadata = build_metadata(base, entries, descriptions=plan.descriptions, removed=plan.removed)
    header = replace(
        previous,
        start_ns=previous.start_ns or (int(entries["timestamp_ns"].min()) if len(entries) else 0),
        stream_count=count_streams(metadata, entries),
        revision=previous.revision + 1,
        previous_footer_offset=previous.footer_offset,
        extended=True,
        big_endian=False,
    )
    complete = write_tail(fd, at, metadata=metadata, entries=entries, header=header)
    os.fsync(fd)  # so that a full disk shows now, while the old header still counts
    return complete


def _write_at(fd: int, at: int, data: bytearray) -> None:
    os.lseek(fd, at, os.SEEK_SET)
    write_all(fd, data)


def _cut_back(fd: int, end: CurrentEnd) -> None:
    try:
        os.ftruncate(fd, end.offset)
    except OSError:
        return  # The next commit does it; no header points there.


def _check_description(description: StreamDescription, path: str | os.PathLike[str] | None = None) -> None:
    problem = check_description(description)
    if problem is not None:
        raise UsageError(problem, path=path)


def _free_id(used: Collection[int]) -> int:
    """A new stream_id: behind all others, else the first that is free."""
    if not used or max(used) < MAX_STREAM_ID:
        return max(used, default=-1) + 1
    free = next((i for i in range(MAX_STREAM_ID + 1) if i not in used), None)
    if free is None:
        raise UsageError(f"A recording holds at most {MAX_STREAM_ID + 1} streams.")
    return free


def _flag_compressed(storage: Storage, entries: NDArray[np.void], stream_id: int, compression: str) -> None:
    """A plain writer sets no flag on compressed payloads: their first bytes tell."""
    size = storage.size()
    for row in np.flatnonzero(entries["stream_id"] == stream_id).tolist():
        entry = entries[row]
        if int(entry["offset"]) + int(entry["size"]) > size or entry["flags"] & ENTRY_COMPRESSED:
            continue
        head = storage.read_at_most(int(entry["offset"]), min(4, int(entry["size"])))
        if compression_of(head) == compression:
            entries["flags"][row] |= ENTRY_COMPRESSED
