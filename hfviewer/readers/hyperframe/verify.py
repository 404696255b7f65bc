"""Check every byte that means something: headers, footers, indexes, metadata, payloads, of every revision."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.decode import ENCODINGS, UNDECODED
from hfviewer.core.errors import FrameError, HfviewerError
from hfviewer.core.stream import StreamDescription
from hfviewer.readers.hyperframe.builder import Cancelled, Progress, not_cancelled
from hfviewer.readers.hyperframe.index import outside_file
from hfviewer.readers.hyperframe.layout import (
    HEADER_SIZE,
    MAX_PAYLOAD_BYTES,
    crc32,
)
from hfviewer.readers.hyperframe.reader import HyperframeRecording, opened_file
from hfviewer.readers.hyperframe.state import FileState, index_is_whole, read_footer, read_state
from hfviewer.readers.hyperframe.storage import Storage
from hfviewer.readers.hyperframe.stream import HyperframeStream

_CHUNK_BYTES = 4 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class BadPart:
    """Something that is not as it was written.

    Args:
        stream: its name; None for a part of the file that belongs to no stream.
        index: of the frame in its stream; None for other parts.
        offset: byte in the file; None where there is no single file.
        problem: what is wrong with it.
    """

    stream: str | None
    index: int | None
    offset: int | None
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """What was found.

    Args:
        frames_checked: all frames of the newest revision, and those of others that have other payloads.
        bad: what is damaged.
        unchecked: frames without a recorded CRC: for them it was only tried whether they decode.
        revisions: how many were looked at.
    """

    frames_checked: int
    bad: tuple[BadPart, ...]
    unchecked: int
    revisions: int

    @property
    def ok(self) -> bool:
        return not self.bad


def verify(
    path: str | os.PathLike[str],
    *,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> VerifyReport:
    """Read everything and compare it with its checksums.

    Args:
        path: of a finished file.
        progress: told as payload bytes are read.
        cancelled: asked between payloads.

    Raises:
        DamagedRecordingError: there is no state at all that can be opened; `hfviewer recover` is named.
        CancelledError: stopped.
    """
    with opened_file(path) as storage:
        return _Verification(storage, progress, cancelled).run()


class _Verification:
    """One run over one file."""

    def __init__(self, storage: Storage, progress: Progress | None, cancelled: Cancelled | None) -> None:
        self._storage = storage
        self._size = storage.size()
        self._progress = progress
        self._cancelled = cancelled
        self._bad: list[BadPart] = []
        self._checked = 0
        self._unchecked = 0
        self._done_bytes = 0
        self._total_bytes = 0
        self._seen_offsets = np.empty(0, np.uint64)
        self._seen_rest = np.empty(0, np.uint64)
        self._buffer = memoryview(bytearray(_CHUNK_BYTES))

    def run(self) -> VerifyReport:
        state = read_state(self._storage)
        header = state.header
        self._check_header(state)
        revisions = 0
        while True:
            revisions += 1
            self._check_revision(FileState(header))
            if header.previous_footer_offset == 0:
                break
            earlier = read_footer(self._storage, header.previous_footer_offset)
            if earlier is None or header.previous_footer_offset >= header.footer_offset:
                self._report(
                    header.previous_footer_offset,
                    f"the footer of the revision before {header.revision} is damaged",
                )
                break
            header = earlier
        bad = tuple(self._bad)
        return VerifyReport(
            frames_checked=self._checked, bad=bad, unchecked=self._unchecked, revisions=revisions
        )

    def _check_header(self, state: FileState) -> None:
        """The header, and its copy at the end of the newest revision."""
        if state.header_is_torn or state.is_cut:
            self._report(0, state.findings[0].message)
            return
        header = state.header
        if not header.extended:
            return
        block = self._storage.read(0, HEADER_SIZE)
        if self._storage.read_at_most(header.footer_offset, HEADER_SIZE) != bytes(block):
            self._report(header.footer_offset, "the footer is not a copy of the header")

    def _check_revision(self, state: FileState) -> None:
        header = state.header
        try:
            recording = HyperframeRecording(self._storage, state)
        except HfviewerError as error:
            self._report(header.index_offset, error.problem)
            return
        if header.extended and not index_is_whole(self._storage, header):
            self._report(
                header.index_offset, f"the index of revision {header.revision} is damaged (checksum)"
            )
        if not recording.metadata_is_whole:
            self._report(
                header.meta_offset, f"the metadata of revision {header.revision} is damaged (checksum)"
            )
        pending = {name: self._new_rows(stream) for name, stream in recording.streams.items() if len(stream)}
        self._total_bytes += sum(
            int(recording.streams[name].entries["size"][rows].sum(dtype=np.int64))
            for name, rows in pending.items()
        )
        for name, rows in pending.items():
            self._check_payloads(name, recording.streams[name], rows)
        for name in pending:
            self._remember(recording.streams[name].entries)

    def _new_rows(self, stream: HyperframeStream) -> NDArray[np.intp]:
        """Frames whose payload no later revision has: in the order of their offsets."""
        entries = stream.entries
        offsets, rest = entries["offset"], _rest(entries)
        order: NDArray[np.intp] = np.argsort(offsets, kind="stable")
        if not len(self._seen_offsets):
            return order
        at = np.minimum(self._seen_offsets.searchsorted(offsets), len(self._seen_offsets) - 1)
        known = (self._seen_offsets[at] == offsets) & (self._seen_rest[at] == rest)
        return np.asarray(order[~known[order]], np.intp)

    def _remember(self, entries: NDArray[np.void]) -> None:
        offsets = np.concatenate([self._seen_offsets, entries["offset"]])
        rest = np.concatenate([self._seen_rest, _rest(entries)])
        order = np.lexsort((rest, offsets))
        offsets, rest = offsets[order], rest[order]
        new = np.ones(len(offsets), np.bool_)
        new[1:] = (offsets[1:] != offsets[:-1]) | (rest[1:] != rest[:-1])
        self._seen_offsets, self._seen_rest = offsets[new], rest[new]

    def _check_payloads(self, name: str, stream: HyperframeStream, rows: NDArray[np.intp]) -> None:
        entries = stream.entries
        outside = outside_file(entries, self._size)
        last: tuple[int, int] | None = None
        last_crc = 0
        for row in rows.tolist():
            not_cancelled(self._cancelled)
            self._checked += 1
            offset, size, expected = (int(entries[part][row]) for part in ("offset", "size", "crc32"))
            if outside[row]:
                self._report(offset, f"its {size} bytes do not lie inside the file", name, row)
                continue
            if size > MAX_PAYLOAD_BYTES:
                self._report(offset, f"it claims {size} bytes, more than any frame may have", name, row)
                continue
            if expected == 0:
                if size:
                    self._unchecked += 1
                    self._try_to_decode(name, stream, row)
            else:
                if last != (offset, size):
                    last, last_crc = (offset, size), self._payload_crc(offset, size)
                if last_crc != expected:
                    self._report(offset, "its bytes are damaged (checksum)", name, row)
            self._done_bytes += size
            if self._progress is not None:
                self._progress(self._done_bytes, self._total_bytes)

    def _payload_crc(self, offset: int, size: int) -> int:
        checksum = 0
        for at in range(offset, offset + size, _CHUNK_BYTES):
            part = self._buffer[: min(_CHUNK_BYTES, offset + size - at)]
            self._storage.read_into(part, at)
            checksum = crc32(part, checksum)
        return checksum

    def _try_to_decode(self, name: str, stream: HyperframeStream, row: int) -> None:
        if not _can_tell(stream.description):
            return
        try:
            stream.read(row)
        except FrameError as error:
            self._report(int(stream.entries["offset"][row]), error.problem, name, row)

    def _report(self, offset: int, problem: str, stream: str | None = None, index: int | None = None) -> None:
        self._bad.append(BadPart(stream=stream, index=index, offset=offset, problem=problem))


def _can_tell(description: StreamDescription) -> bool:
    """Whether a payload that does not decode must be damaged: not so where a guess may be wrong."""
    if description.guessed:
        return description.encoding in ("jpeg", "png", "png16")
    return description.encoding in ENCODINGS[description.kind] and description.encoding not in UNDECODED


def _rest(entries: NDArray[np.void]) -> NDArray[np.uint64]:
    """Size and CRC in one number."""
    rest: NDArray[np.uint64] = entries["size"].astype(np.uint64)
    rest <<= np.uint64(32)
    rest |= entries["crc32"]
    return rest
