"""What follows the payloads: metadata, index, footer, and the header that makes them count."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hfviewer
from hfviewer.core.errors import WriteError
from hfviewer.core.stream import StreamDescription
from hfviewer.readers.hyperframe.files import write_all
from hfviewer.readers.hyperframe.index import index_bytes, sort_entries
from hfviewer.readers.hyperframe.layout import (
    MAX_METADATA_BYTES,
    Header,
    align,
    crc32,
    pack_header,
)
from hfviewer.readers.hyperframe.metadata import (
    FORMAT,
    description_to_json,
    encode_metadata,
    parse_stream_id,
)

_OURS = frozenset({"format", "writer", "streams"})
WRITER = f"hfviewer {hfviewer.__version__}"


def build_metadata(
    base: Mapping[str, Any],
    entries: NDArray[np.void],
    *,
    descriptions: Mapping[int, StreamDescription] = MappingProxyType({}),
    removed: Collection[int] = (),
) -> dict[str, Any]:
    """The metadata of a state.

    Args:
        base: what was there before; every key of it that is not ours to set is kept, in streams too.
        entries: sorted, of the new state.
        descriptions: of new and changed streams, by stream_id.
        removed: stream_ids that are gone.
    """
    before = base.get("streams")
    kept = before if isinstance(before, dict) else {}
    streams: dict[str, Any] = {k: v for k, v in kept.items() if parse_stream_id(k) not in removed}
    for stream_id, description in descriptions.items():
        streams[str(stream_id)] = description_to_json(description, (0, 0))
    ids = np.ascontiguousarray(entries["stream_id"])
    for key, value in streams.items():
        number = parse_stream_id(key)
        if number is not None and isinstance(value, dict):
            first = int(np.searchsorted(ids, number, side="left"))
            stop = int(np.searchsorted(ids, number, side="right"))
            streams[key] = {**value, "entries": [first, stop - first]}
    return (
        {"format": FORMAT, "writer": WRITER}
        | {k: v for k, v in base.items() if k not in _OURS}
        | {"streams": streams}
    )


def write_tail(
    fd: int, at: int, *, metadata: Mapping[str, Any], entries: NDArray[np.void], header: Header
) -> Header:
    """Write metadata, index and footer from an offset on; nothing points to them yet.

    Args:
        fd: of the file, open for writing.
        at: where the payloads end.
        metadata: of the new state.
        entries: of the new state, sorted by (stream_id, timestamp_ns, sequence).
        header: start, window, counts, revision and previous footer of the new state.

    Returns:
        The header to commit with `write_header`.

    Raises:
        WriteError: the metadata is larger than a reader may believe.
    """
    text = encode_metadata(metadata)
    if len(text) > MAX_METADATA_BYTES:
        raise WriteError(
            f"The metadata would have {len(text)} bytes; at most {MAX_METADATA_BYTES} are allowed."
        )
    index = index_bytes(entries)
    meta_offset = align(at)
    index_offset = align(meta_offset + len(text))
    footer_offset = align(index_offset + len(index))
    complete = replace(
        header,
        frame_count=len(entries),
        meta_offset=meta_offset,
        meta_size=len(text),
        meta_crc32=crc32(text),
        index_offset=index_offset,
        index_size=len(index),
        index_crc32=crc32(index),
        footer_offset=footer_offset,
        finalized=True,
    )
    write_padded(fd, at, text)
    write_padded(fd, meta_offset + len(text), index)
    write_padded(fd, index_offset + len(index), pack_header(complete))
    return complete


def write_header(fd: int, header: Header) -> None:
    """The commit: one write of 512 bytes at offset 0, between two fsyncs."""
    os.fsync(fd)
    block = pack_header(header)
    if os.pwrite(fd, block, 0) != len(block):
        raise WriteError("The header could not be written in one piece.")
    os.fsync(fd)


def write_padded(fd: int, at: int, data: bytes | bytearray | memoryview) -> int:
    """Write zeros up to the next 64-byte boundary, then the data; returns the data's offset."""
    offset = align(at)
    os.lseek(fd, at, os.SEEK_SET)
    if offset > at:
        write_all(fd, bytes(offset - at))
    write_all(fd, data)
    return offset


def sorted_entries(packed: bytes | bytearray, dtype: np.dtype[Any]) -> NDArray[np.void]:
    """Packed entries as an array in index order."""
    entries, _ = sort_entries(np.frombuffer(bytes(packed), dtype))
    return entries
