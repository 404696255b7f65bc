"""One stream of a hyperframe file."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.compression import compression_of, decompress
from hfviewer.codecs.decode import (
    ENCODINGS,
    VIDEO_ENCODINGS,
    FrameIds,
    decode_frame,
    keeps_payload,
)
from hfviewer.codecs.samples import POSE_CHANNELS, POSE_ROW_BYTES, decode_samples, pose_rows, row_dtype
from hfviewer.core import timing
from hfviewer.core.errors import FrameError, UsageError
from hfviewer.core.frame import Frame, freeze
from hfviewer.core.recording import RecorderEvidence, Stream
from hfviewer.core.stream import Clock, StreamDescription, StreamKind
from hfviewer.core.window import TimeWindow
from hfviewer.readers.hyperframe.gather import gather_rows
from hfviewer.readers.hyperframe.index import StreamTable, outside_file
from hfviewer.readers.hyperframe.layout import (
    ENTRY,
    ENTRY_COMPRESSED,
    ENTRY_HARDWARE_CLOCK,
    ENTRY_KEYFRAME,
    HEADER_SIZE,
    MAX_PAYLOAD_BYTES,
    crc32,
)
from hfviewer.readers.hyperframe.recorder_notes import evidence_in
from hfviewer.readers.hyperframe.storage import Storage

if TYPE_CHECKING:
    from hfviewer.codecs.video.access_units import AccessUnits


_EMPTY = StreamTable(0, np.empty(0, ENTRY), np.empty(0, np.int64), 0)
_SCRATCH_MOST_BYTES = 64 << 20  # one giant must not stay in memory for good
_scratch = threading.local()


class HyperframeStream(Stream):
    """Frames of one stream_id; safe to read from any thread.

    Args:
        storage: of the file.
        file_size: bytes, when it was opened.
        description: from the metadata, or guessed; counts and rates are filled in here.
        table: its entries; None for a stream without frames.
    """

    def __init__(
        self, storage: Storage, file_size: int, description: StreamDescription, table: StreamTable | None
    ) -> None:
        self._storage = storage
        self._file_size = file_size
        self._base = description
        self._table = table or _EMPTY
        self._offsets = self._table.entries["offset"]
        self._sizes = self._table.entries["size"]
        self._video: AccessUnits | None = None
        self._video_lock = threading.Lock()

    @cached_property
    def description(self) -> StreamDescription:
        base = self._base
        return replace(
            base.measured(self.timestamps_ns),
            clock=base.clock or self._clock_of_stamps(),
            channels=POSE_CHANNELS if base.kind is StreamKind.POSE else base.channels,
            stored_bytes=int(self._sizes.sum(dtype=np.int64)),
        )

    @property
    def declared(self) -> StreamDescription:
        """As the file says it or it was guessed, without what is worked out from its frames."""
        return self._base

    def _clock_of_stamps(self) -> Clock | None:
        """What the flags of the entries say, where the metadata says nothing."""
        if not len(self._table.entries):
            return None
        hardware = bool((self._table.entries["flags"] & ENTRY_HARDWARE_CLOCK).all())
        return Clock.HARDWARE if hardware else Clock.HOST

    @property
    def timestamps_ns(self) -> NDArray[np.int64]:
        return self._table.timestamps_ns

    @cached_property
    def sequence(self) -> NDArray[np.int64]:
        return freeze(self._table.entries["sequence"].astype(np.int64))

    @cached_property
    def flags(self) -> NDArray[np.uint16]:
        return freeze(np.ascontiguousarray(self._table.entries["flags"]))

    @cached_property
    def recorder_evidence(self) -> RecorderEvidence | None:
        """What the recorder of the format that it was converted from noted."""
        return evidence_in(self._base.extra, self.timestamps_ns)

    @property
    def entries(self) -> NDArray[np.void]:
        """Its part of the index, structured `layout.ENTRY`[n], read-only."""
        return self._table.entries

    def read(self, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        self._check_index(index)
        entry = self._table.entries[index]
        ids = FrameIds(
            stream=self._base.name,
            index=index,
            timestamp_ns=int(entry["timestamp_ns"]),
            sequence=int(entry["sequence"]),
        )
        try:
            if self._base.encoding in VIDEO_ENCODINGS:
                return self._read_video(index, ids)
            payload = self._decompressed(index, keep=keeps_payload(self._base))
            return decode_frame(self._base, payload, ids, max_size=max_size)
        except FrameError as error:
            raise self._located(index, error) from error

    def close(self) -> None:
        """Stop decoding video in the background; the file itself belongs to the recording."""
        with self._video_lock:
            if self._video is not None:
                self._video.close()

    def _read_video(self, index: int, ids: FrameIds) -> Frame:
        """A frame of access units: decoding starts at the key frame before."""
        kind, encoding = self._base.kind, self._base.encoding
        if encoding not in ENCODINGS[kind]:
            raise FrameError(f"A stream of kind {kind} in encoding {encoding!r} is unknown to this version.")
        # Imported here: most recordings hold no video, and its libraries are large.
        from hfviewer.codecs.video.access_units import AccessUnits
        from hfviewer.codecs.video.frames import depth_of_description, frame_of

        with self._video_lock:
            if self._video is None:
                self._video = AccessUnits(
                    encoding,
                    lambda unit: bytes(self._decompressed(unit, keep=False)),
                    timestamps_ns=self.timestamps_ns,
                    sequence=self.sequence,
                    is_key=(self.flags & ENTRY_KEYFRAME) != 0,
                )
            video = self._video
        depth = depth_of_description(self._base) if kind is StreamKind.DEPTH else None
        return frame_of(video.picture(index), ids, depth=depth)

    def payload(self, index: int) -> bytes:
        self._check_index(index)
        try:
            return bytes(self._decompressed(index, keep=False))
        except FrameError as error:
            raise self._located(index, error) from error

    def read_stored_into(self, index: int, buffer: memoryview) -> memoryview:
        """The stored payload in a buffer of the caller's, neither checked nor decompressed: the fastest way.

        Args:
            index: of the frame.
            buffer: writable bytes, at least as large as the payload (`entries` has its ``size``).

        Returns:
            The part of the buffer that was filled.

        Raises:
            FrameError: the payload does not lie inside the file.
        """
        size = self._sizes.item(index)
        offset = self._offsets.item(index)
        self._check_inside(offset, size)
        part = buffer if len(buffer) == size else buffer[:size]
        self._storage.read_into(part, offset)
        return part

    def samples(self, start_ns: int, stop_ns: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """See `Stream.samples`. A pose gives x, y, z (m) and its quaternion x, y, z, w.

        Rows stored one by one come in bulk reads and without a check of their CRCs; `verify` looks at those.
        """
        if not self._base.kind.is_dense:
            return super().samples(start_ns, stop_ns)
        window = TimeWindow(start_ns, max(start_ns, stop_ns))
        try:
            if self._base.encoding not in ENCODINGS[self._base.kind]:
                raise FrameError(f"Encoding {self._base.encoding!r} is unknown to this version.")
            if self._base.encoding.endswith("_batch"):
                return self._batched_samples(window)
            return self._single_samples(timing.indices_in(self.timestamps_ns, window))
        except FrameError as error:
            raise FrameError(
                f"Samples of {self._base.name!r} cannot be read: {error.problem}", path=self._storage.path
            ) from error

    def _single_samples(self, indices: range) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        description = self._base
        is_pose = description.kind is StreamKind.POSE
        width = len(POSE_CHANNELS) if is_pose else len(description.channels)
        stamps_ns = self.timestamps_ns[indices.start : indices.stop]
        if not len(indices):
            return stamps_ns, np.empty((0, width))
        part = self._table.entries[indices.start : indices.stop]
        dtype = row_dtype(description.encoding.rpartition("_")[2] if is_pose else description.encoding)
        row_bytes = POSE_ROW_BYTES.get(description.encoding, width * dtype.itemsize)
        packed = description.compression != "none" and (
            description.guessed or bool((part["flags"] & ENTRY_COMPRESSED).any())
        )
        regular = bool((part["size"] == row_bytes).all()) and not outside_file(part, self._file_size).any()
        if packed or not regular:
            return self._rows_one_by_one(indices, row_bytes, dtype, width, is_pose)
        rows = gather_rows(self._storage, part["offset"].astype(np.int64), row_bytes, self._file_size)
        raw = rows.view(dtype)
        return stamps_ns, pose_rows(raw, description.encoding) if is_pose else raw.astype(np.float64)

    def _rows_one_by_one(
        self, indices: range, row_bytes: int, dtype: np.dtype[np.floating], width: int, is_pose: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Compressed rows; a row that is damaged or of another size is NaN, so that the rest still shows."""
        columns = row_bytes // dtype.itemsize
        raw = np.full((len(indices), columns), np.nan)
        for row, index in enumerate(indices):
            try:
                payload = self._decompressed(index, keep=False)
            except FrameError:
                continue
            if len(payload) == row_bytes:
                raw[row] = np.frombuffer(payload, dtype)
        values = pose_rows(raw, self._base.encoding) if is_pose else raw
        return self.timestamps_ns[indices.start : indices.stop], values

    def _batched_samples(self, window: TimeWindow) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Batches whose frames lie in the window, and one on either side: a batch outlasts its stamp."""
        inside = timing.indices_in(self.timestamps_ns, window)
        width = len(self._base.channels)
        stamps: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
        values: list[NDArray[np.float64]] = [np.empty((0, width))]
        for index in self._with_neighbours(inside):
            try:
                batch_ns, batch = decode_samples(
                    self._decompressed(index, keep=False),
                    encoding=self._base.encoding,
                    channel_count=width,
                    timestamp_ns=int(self.timestamps_ns[index]),
                )
            except FrameError:
                continue
            wanted = (batch_ns >= window.start_ns) & (batch_ns < window.stop_ns)
            stamps.append(batch_ns[wanted])
            values.append(batch[wanted])
        all_ns = np.concatenate(stamps)
        order = np.argsort(all_ns, kind="stable")
        return all_ns[order], np.concatenate(values)[order]

    def _with_neighbours(self, inside: range) -> range:
        """Those frames and their neighbours, with all that share a neighbour's timestamp."""
        stamps_ns, first, stop = self.timestamps_ns, inside.start, inside.stop
        if first > 0:
            first = int(stamps_ns.searchsorted(stamps_ns[first - 1], side="left"))
        if stop < len(stamps_ns):
            stop = int(stamps_ns.searchsorted(stamps_ns[stop], side="right"))
        return range(first, stop)

    def _decompressed(self, index: int, *, keep: bool) -> bytes | memoryview:
        """The payload, its CRC checked.

        Args:
            index: of the frame.
            keep: False where the caller is done with it before this thread reads again.
        """
        entry = self._table.entries[index]
        size = int(entry["size"])
        if size > MAX_PAYLOAD_BYTES:
            raise FrameError(f"It claims {size} bytes, more than any frame may have.")
        self._check_inside(int(entry["offset"]), size)  # before memory is taken for it
        surely_packed = not self._base.guessed and _is_packed(memoryview(b""), entry, self._base)
        own = keep and not surely_packed
        buffer = memoryview(bytearray(size)) if own else _scratch_buffer(size)
        stored = self.read_stored_into(index, buffer)
        expected = int(entry["crc32"])
        if expected and crc32(stored) != expected:
            raise FrameError("Its bytes are damaged (checksum).")
        if _is_packed(stored, entry, self._base):
            return decompress(stored, self._base.compression)
        return stored

    def _check_inside(self, offset: int, size: int) -> None:
        if offset + size > self._file_size or (offset < HEADER_SIZE and size):
            raise FrameError(f"Its {size} bytes at byte {offset} do not lie inside the file.")

    def _check_index(self, index: int) -> None:
        if not 0 <= index < len(self):
            raise UsageError(
                f"{self._base.name!r} has no frame {index}.",
                remedy=f"Its frames are 0 to {len(self) - 1}." if len(self) else "It has no frames at all.",
                path=self._storage.path,
            )

    def _located(self, index: int, error: FrameError) -> FrameError:
        entry = self._table.entries[index]
        return FrameError(
            f"Frame {index} of {self._base.name!r} (sequence {entry['sequence']}, byte {entry['offset']}):"
            f" {error.problem}",
            remedy=error.remedy,
            path=self._storage.path,
        )


def _scratch_buffer(size: int) -> memoryview:
    """A buffer of this thread's, used again and again: fresh memory costs more than the read itself."""
    if size > _SCRATCH_MOST_BYTES:
        return memoryview(bytearray(size))
    buffer: bytearray | None = getattr(_scratch, "buffer", None)
    if buffer is None or len(buffer) < size:
        buffer = _scratch.buffer = bytearray(max(size, 1 << 16))
    return memoryview(buffer)[:size]


def _is_packed(stored: memoryview, entry: np.void, description: StreamDescription) -> bool:
    """Whether a stored payload is compressed: its flag says so; where all is guessed, its first bytes do."""
    if description.compression == "none":
        return False
    if description.guessed:
        return compression_of(stored) == description.compression
    return bool(entry["flags"] & ENTRY_COMPRESSED)
