"""A plain reader and a plain writer: they know only the source text's format, nothing of hfviewer.

Transcribed from the idea in sources/hyperframe_container.txt with the corrections of formats/hyperframe.md:
the header up to byte 52 and 32-byte entries. Deliberately without any import of the package: whatever
both sides agree on, they agree on through the bytes.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"HFRM"


@dataclass(frozen=True)
class PlainFrame:
    stream_id: int
    flags: int
    sequence: int
    timestamp_ns: int
    payload: bytes


class PlainReader:
    """Reads with a loop, as the source does."""

    def __init__(self, path: Path) -> None:
        fd = os.open(path, os.O_RDONLY)
        try:
            header = os.pread(fd, 512, 0)
            if header[:4] != MAGIC:
                raise ValueError("not a hyperframe file")
            (flags,) = struct.unpack("<I", header[8:12])
            if not flags & 0x80000000:
                raise ValueError("file is not finalized")
            self.start_ns, self.window_ns = struct.unpack("<QQ", header[12:28])
            self.frame_count, self.stream_count = struct.unpack("<II", header[28:36])
            index_offset, index_size = struct.unpack("<QQ", header[36:52])
            index = os.pread(fd, index_size, index_offset)
            self.frames: list[PlainFrame] = []
            for at in range(0, len(index), 32):
                stream_id, entry_flags, sequence, stamp, offset, size, _ = struct.unpack(
                    "<HHIQQII", index[at : at + 32]
                )
                payload = os.pread(fd, size, offset)
                self.frames.append(PlainFrame(stream_id, entry_flags, sequence, stamp, payload))
        finally:
            os.close(fd)

    def stream(self, stream_id: int) -> list[PlainFrame]:
        frames = [frame for frame in self.frames if frame.stream_id == stream_id]
        return sorted(frames, key=lambda frame: (frame.timestamp_ns, frame.sequence))


class PlainWriter:
    """Writes as the source does, its header packed so that its own reader can read it.

    Args:
        path: of the file.
        header_order: ``<`` or ``>``.
        index_order: ``<`` or ``>``.
    """

    def __init__(
        self,
        path: Path,
        window_ns: int = 100_000_000,
        *,
        header_order: str = "<",
        index_order: str = "<",
    ) -> None:
        self._path = path
        self._window_ns = window_ns
        self._header_order = header_order
        self._index_order = index_order
        self._data = bytearray(512)
        self._records: list[tuple[int, int, int, int, int, int]] = []
        self._counts: dict[int, int] = {}

    def append(self, stream_id: int, timestamp_ns: int, payload: bytes, flags: int = 0) -> None:
        self._data += bytes(-len(self._data) % 64)
        sequence = self._counts.get(stream_id, 0)
        self._counts[stream_id] = sequence + 1
        self._records.append((stream_id, flags, sequence, timestamp_ns, len(self._data), len(payload)))
        self._data += payload

    def finalize(self) -> None:
        self._data += bytes(-len(self._data) % 64)
        index_offset = len(self._data)
        # In order of arrival: the source's writer does not sort.
        for record in self._records:
            self._data += struct.pack(self._index_order + "HHIQQII", *record, 0)
        flags = 0x80000001 if self._header_order == "<" else 0x80000000
        header = struct.pack(
            self._header_order + "4sHHIQQIIQQ",
            MAGIC,
            1,
            512,
            flags,
            0,
            self._window_ns,
            len(self._records),
            len(self._counts),
            index_offset,
            32 * len(self._records),
        )
        self._data[: len(header)] = header
        self._path.write_bytes(self._data)
