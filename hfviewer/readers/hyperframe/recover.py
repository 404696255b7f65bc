"""Build a new recording from a damaged or unfinished file. The damaged file is never changed.

Frames come from the journal beside it, else from an index that can be trusted entry by entry, else from
looking for payloads. A frame counts only if its payload is all there and its checksum is right.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.compression import compression_of
from hfviewer.core.errors import DamagedRecordingError, HfviewerError, NotARecordingError
from hfviewer.core.stream import StreamDescription
from hfviewer.readers.hyperframe.builder import Cancelled, FileBuilder, Progress, not_cancelled
from hfviewer.readers.hyperframe.evidence import Witness, collect, trusted_order
from hfviewer.readers.hyperframe.index import outside_file
from hfviewer.readers.hyperframe.layout import (
    ENTRY,
    ENTRY_COMPRESSED,
    ENTRY_KEYFRAME,
    HEADER_SIZE,
    MAX_PAYLOAD_BYTES,
    Header,
    crc32,
)
from hfviewer.readers.hyperframe.measure import MAGICS, CutOffError, measure
from hfviewer.readers.hyperframe.metadata import stream_descriptions, stream_names
from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.hyperframe.salvage import (
    Plan,
    corrected,
    make_plan,
    missing_frames,
    share_of_time_lost,
)
from hfviewer.readers.hyperframe.scan import Signature, scan
from hfviewer.readers.hyperframe.scanned import STEP_NS, ScannedStream, assign_streams
from hfviewer.readers.hyperframe.storage import Storage
from hfviewer.readers.hyperframe.verify import verify

_NO_ENTRIES = np.empty(0, ENTRY)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveredStream:
    """What became of one stream.

    Args:
        name: in the new file.
        frames_recovered: in the new file.
        frames_lost: None where it cannot be known.
        share_of_time_lost: of the stream's own span, 0 to 1; None where it cannot be known.
    """

    name: str
    frames_recovered: int
    frames_lost: int | None
    share_of_time_lost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoverReport:
    """What was recovered.

    Args:
        output: the new file.
        output_ok: it was opened again, holds what is said here, and every checksum in it is right.
        method: ``journal``, ``footer`` (an index in the file) or ``scan``.
        streams: what became of each.
        frames_missing: listed once, not in the new file; None where it cannot be known.
    """

    output: str
    output_ok: bool
    method: str
    streams: tuple[RecoveredStream, ...]
    frames_missing: int | None

    @property
    def is_complete(self) -> bool:
        """Whether everything is there, for sure."""
        lost = [stream.frames_lost for stream in self.streams]
        return self.output_ok and self.frames_missing == 0 and all(count == 0 for count in lost)


def recover(
    damaged: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> RecoverReport:
    """Make a new recording of what is left.

    Args:
        damaged: the file; a journal beside it is used.
        output: of the new file; must not exist.
        progress: told as bytes of the damaged file are worked through.
        cancelled: asked between payloads; nothing is left behind then.

    Raises:
        NotARecordingError: there is no such file.
        DamagedRecordingError: there is nothing in it that could be recovered; no output is left.
        WriteError: the target exists or cannot be written.
        CancelledError: stopped.
    """
    path, target = Path(damaged), Path(output)
    if path.is_dir():
        raise NotARecordingError("This is a folder.", remedy="Name the damaged file in it.", path=path)
    if not path.is_file():
        raise NotARecordingError("There is no such file.", path=path)
    storage = Storage(path)
    try:
        with FileBuilder(target) as builder:
            plan = make_plan(collect(storage, path))
            fetch = _Fetch(storage, plan, builder, progress, cancelled)
            fetch.run()
            if not fetch.frame_count:
                raise DamagedRecordingError(
                    "There is nothing in it that could be recovered.",
                    remedy="Look for another copy of it.",
                    path=path,
                )
            fetch.finish()
    finally:
        storage.close()
    streams = _report(plan, fetch)
    missing = None
    if plan.frame_count is not None and fetch.method != "scan" and not fetch.only_older:
        missing = max(0, plan.frame_count - len(fetch.copied))
    return RecoverReport(
        output=str(target),
        output_ok=_is_good(target, streams),
        method=fetch.method,
        streams=streams,
        frames_missing=missing,
    )


class _Fetch:
    """Copies payloads from the damaged file into the new one."""

    def __init__(
        self,
        storage: Storage,
        plan: Plan,
        builder: FileBuilder,
        progress: Progress | None,
        cancelled: Cancelled | None,
    ) -> None:
        self._storage = storage
        self._size = storage.size()
        self._plan = plan
        self._builder = builder
        self._progress = progress
        self._cancelled = cancelled
        self.described: dict[int, StreamDescription] = stream_descriptions(plan.metadata)[0]
        self.copied = _NO_ENTRIES  # as in the damaged file
        self.entries = _NO_ENTRIES  # as in the new one
        self.scanned: dict[Signature, ScannedStream] = {}
        self.scanned_entries = _NO_ENTRIES
        self.method = "scan"
        self._seen_in_newest: set[int] = set()

    @property
    def only_older(self) -> set[int]:
        """Streams of which nothing came from the newest revision: they may have been replaced since."""
        return set(np.unique(self.copied["stream_id"]).tolist()) - self._seen_in_newest

    @property
    def frame_count(self) -> int:
        """Frames in the new file."""
        return len(self.entries) + len(self.scanned_entries)

    @property
    def stamps_by_stream(self) -> dict[int, NDArray[np.int64]]:
        """Timestamps in the new file."""
        entries = np.concatenate([self.entries, self.scanned_entries])
        return {
            i: entries["timestamp_ns"][entries["stream_id"] == i]
            for i in np.unique(entries["stream_id"]).tolist()
        }

    def run(self) -> None:
        """Fetch what can be had."""
        plan = self._plan
        if plan.primary is not None:
            listed = plan.primary.entries
            if not plan.primary.is_trusted:
                listed = corrected(listed, plan.fillers)
                if plan.primary.is_complete:
                    listed = listed[trusted_order(listed)]
            self._copy(listed, plan.primary)
            for filler in plan.fillers:
                self._copy(missing_frames(plan, filler, self.copied), filler)
        if len(self.copied):
            self.method = "footer" if plan.primary is not None and plan.primary.header else "journal"
        if not len(self.copied) or (plan.newest is not None and not plan.newest.is_complete):
            self._scan()

    def finish(self) -> None:
        """Write what follows the payloads."""
        plan = self._plan
        known = (plan.newest, plan.primary, *plan.fillers)
        header = next((w.header for w in known if w is not None and w.header is not None), Header())
        told = plan.metadata.get("window_ns")  # where the journal keeps it
        if plan.newest is None and isinstance(told, int) and 0 < told < 2**63:
            header = replace(header, window_ns=told)
        entries = np.concatenate([self.entries, self.scanned_entries])
        header = replace(
            header,
            start_ns=header.start_ns or int(entries["timestamp_ns"].min()),
            window_ns=header.window_ns or Header().window_ns,
        )
        self._builder.finish(
            header=header,
            entries=entries,
            base={key: value for key, value in plan.metadata.items() if key != "window_ns"},
            descriptions={stream.stream_id: stream.description for stream in self.scanned.values()},
        )

    def _copy(self, listed: NDArray[np.void], witness: Witness) -> None:
        """Copy payloads in the order of their place.

        Args:
            listed: entries of the damaged file.
            witness: whose they are.
        """
        listed = listed[~outside_file(listed, self._size)]
        listed = listed[np.argsort(listed["offset"], kind="stable")]
        fresh = listed.copy()
        good = np.zeros(len(listed), np.bool_)
        total = int(listed["size"].sum(dtype=np.int64))
        done = 0
        for row, entry in enumerate(listed):
            not_cancelled(self._cancelled)
            size, expected = int(entry["size"]), int(entry["crc32"])
            done += size
            data = self._read(int(entry["offset"]), size)
            if data is None or not _is_whole(data, expected):
                continue
            good[row] = True
            fresh["offset"][row] = self._builder.add(data)
            fresh["crc32"][row] = crc32(data)
            if not witness.is_trusted:
                fresh["flags"][row] = self._flags(entry, data)
            if self._progress is not None:
                self._progress(done, total)
        if self._plan.newest in (None, witness):
            self._seen_in_newest |= set(np.unique(listed["stream_id"][good]).tolist())
        self.copied = np.concatenate([self.copied, listed[good]])
        self.entries = np.concatenate([self.entries, fresh[good]])

    def _read(self, offset: int, size: int) -> bytearray | None:
        if size > MAX_PAYLOAD_BYTES:
            return None
        try:
            return self._storage.read(offset, size)
        except HfviewerError:
            return None

    def _flags(self, entry: np.void, data: bytearray) -> int:
        """Flags of an entry that may be damaged: the payload shows whether it is compressed."""
        flags = int(entry["flags"]) & ~ENTRY_COMPRESSED
        description = self.described.get(int(entry["stream_id"]))
        packed = compression_of(data)
        if description is not None and packed == description.compression != "none":
            flags |= ENTRY_COMPRESSED
        return flags

    def _scan(self) -> None:
        """Look for payloads where nothing is known to lie."""
        found: list[tuple[Signature, int, int, int]] = []
        for payload in scan(self._storage, self._unknown_spans(), self._cancelled):
            offset = self._builder.add(payload.data)
            found.append((payload.signature, offset, len(payload.data), crc32(payload.data)))
            if self._progress is not None:
                self._progress(payload.offset, self._size)
        taken = set(np.unique(self.copied["stream_id"]).tolist())
        self.scanned = assign_streams([*dict.fromkeys(f[0] for f in found)], self.described, taken)
        sequences: Counter[int] = Counter()
        self.scanned_entries = np.zeros(len(found), ENTRY)
        for row, (signature, offset, size, checksum) in enumerate(found):
            stream_id = self.scanned[signature].stream_id
            packed = 0 if signature.compression == "none" else ENTRY_COMPRESSED
            self.scanned_entries[row] = (
                stream_id,
                ENTRY_KEYFRAME | packed,
                sequences[stream_id],
                row * STEP_NS,
                offset,
                size,
                checksum,
            )
            sequences[stream_id] += 1

    def _unknown_spans(self) -> list[tuple[int, int]]:
        """Where no payload lies that was recovered already."""
        order = np.argsort(self.copied["offset"], kind="stable")
        starts = self.copied["offset"][order].tolist()
        stops = (self.copied["offset"] + self.copied["size"])[order].tolist()
        spans: list[tuple[int, int]] = []
        at = HEADER_SIZE
        for start, stop in zip([*starts, self._size], [*stops, self._size], strict=True):
            if start > at:
                spans.append((at, start))
            at = max(at, stop)
        return spans


def _is_whole(data: bytearray, expected_crc: int) -> bool:
    """Whether a payload is what was written; where no CRC was recorded, whether it ends where it should."""
    if expected_crc:
        return crc32(data) == expected_crc
    if not data.startswith(MAGICS):
        return True
    try:
        return measure(data) is not None
    except CutOffError:
        return False


def _report(plan: Plan, fetch: _Fetch) -> tuple[RecoveredStream, ...]:
    stamps_ns = fetch.stamps_by_stream
    scanned = {stream.stream_id: stream.description for stream in fetch.scanned.values()}
    everything = plan.frame_count is not None and len(fetch.copied) >= plan.frame_count
    listed = plan.listed
    streams: list[RecoveredStream] = []
    for stream_id, name in stream_names({**fetch.described, **scanned}, stamps_ns).items():
        recovered_ns = stamps_ns.get(stream_id, np.empty(0, np.int64))
        lost: int | None = 0 if everything else None
        if stream_id in plan.expected and not everything:
            lost = max(0, plan.expected[stream_id] - len(recovered_ns))
        if stream_id in scanned or stream_id in fetch.only_older:
            lost = None
        share = None
        if lost is not None:
            expected_ns = None
            if listed is not None:
                expected_ns = np.sort(listed["timestamp_ns"][listed["stream_id"] == stream_id])
            share = share_of_time_lost(expected_ns, recovered_ns, lost)
        streams.append(
            RecoveredStream(
                name=name,
                frames_recovered=len(recovered_ns),
                frames_lost=lost,
                share_of_time_lost=share,
            )
        )
    return tuple(streams)


def _is_good(path: Path, streams: tuple[RecoveredStream, ...]) -> bool:
    """Whether the new file opens, holds what the report says, and has no wrong checksum."""
    try:
        with HyperframeReader().open(path) as recording:
            counts = {name: len(stream) for name, stream in recording.streams.items()}
        return counts == {stream.name: stream.frames_recovered for stream in streams} and verify(path).ok
    except HfviewerError:
        return False
