"""The revisions that a file still holds."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from hfviewer.core.errors import HfviewerError
from hfviewer.core.stream import StreamKind
from hfviewer.readers.hyperframe.index import load_index
from hfviewer.readers.hyperframe.layout import ENTRY, ENTRY_SIZE, Header
from hfviewer.readers.hyperframe.metadata import parse_metadata, stream_descriptions
from hfviewer.readers.hyperframe.reader import opened_file
from hfviewer.readers.hyperframe.state import read_state, walk_revisions
from hfviewer.readers.hyperframe.storage import Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One state that a file was in.

    Args:
        revision: its number, from 1.
        frame_count: of all streams.
        annotation_count: frames of annotation streams.
        footer_offset: where its footer lies; 0 where a plain writer wrote none.
    """

    revision: int
    frame_count: int
    annotation_count: int
    footer_offset: int


def history(path: str | os.PathLike[str]) -> list[Revision]:
    """Every revision that the chain of footers reaches, newest first.

    Raises:
        DamagedRecordingError: there is no state that can be trusted.
    """
    with opened_file(path) as storage:
        newest = read_state(storage).header
        return [
            Revision(
                revision=header.revision,
                frame_count=header.frame_count,
                annotation_count=_count_annotations(storage, header),
                footer_offset=header.footer_offset,
            )
            for header in walk_revisions(storage, newest)
        ]


def _count_annotations(storage: Storage, header: Header) -> int:
    """Frames of annotation streams; only their own part of the index is read where the metadata tells it."""
    if not header.meta_offset:
        return 0
    document, _ = parse_metadata(storage.read(header.meta_offset, header.meta_size))
    described, _ = stream_descriptions(document)
    wanted = [i for i, d in described.items() if d.kind is StreamKind.ANNOTATION]
    if not wanted:
        return 0
    counts = [_told_count(storage, header, i, document["streams"].get(str(i))) for i in wanted]
    told = [count for count in counts if count is not None]
    if len(told) == len(counts):
        return sum(told)
    try:
        tables = load_index(storage, header, storage.size()).tables
    except HfviewerError:
        return 0
    return sum(len(tables[i].timestamps_ns) for i in wanted if i in tables)


def _told_count(storage: Storage, header: Header, stream_id: int, described: object) -> int | None:
    """The number of frames in ``entries``, if the index agrees."""
    entries = described.get("entries") if isinstance(described, dict) else None
    match entries:
        case [int(first), int(count)] if 0 <= first <= header.frame_count - count <= header.frame_count:
            at = header.index_offset + first * ENTRY_SIZE
            part = np.frombuffer(storage.read(at, count * ENTRY_SIZE), ENTRY)
            return count if bool((part["stream_id"] == stream_id).all()) else None
    return None
