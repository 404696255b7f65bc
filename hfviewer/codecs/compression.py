"""Payload compression: each payload is one LZ4 or zstd frame, bounded before anything is allocated."""

from __future__ import annotations

import threading
from collections.abc import Callable

import lz4.frame
import zstandard

from hfviewer.core.errors import FrameError, UsageError

MAX_FRAME_BYTES = 1 << 30
LZ4_MAGIC = b"\x04\x22\x4d\x18"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
COMPRESSIONS = ("none", "lz4", "zstd")

_CHUNK_BYTES = 1 << 20
_ZSTD_LEVEL = 3
_LZ4_MOST_RATIO = 255  # no byte of an LZ4 block stands for more
# Two threads on one zstandard object corrupt each other's data, so each thread has its own.
_local = threading.local()

Buffer = bytes | bytearray | memoryview


def compression_of(payload: Buffer) -> str:
    """Which compression a payload starts like: ``lz4``, ``zstd`` or ``none``."""
    head = bytes(payload[:4])
    return {LZ4_MAGIC: "lz4", ZSTD_MAGIC: "zstd"}.get(head, "none")


def compress(payload: Buffer, compression: str) -> bytes:
    """One frame with its content size written in it.

    Raises:
        UsageError: unknown compression.
    """
    if compression == "lz4":
        return bytes(lz4.frame.compress(payload, store_size=True))
    if compression == "zstd":
        compressor = getattr(_local, "compressor", None)
        if compressor is None:
            compressor = _local.compressor = zstandard.ZstdCompressor(level=_ZSTD_LEVEL)
        packed: bytes = compressor.compress(payload)
        return packed
    raise UsageError(f"Unknown compression {compression!r}.", remedy=f"Known: {', '.join(COMPRESSIONS)}.")


def decompress(payload: Buffer, compression: str, *, limit_bytes: int = MAX_FRAME_BYTES) -> bytes:
    """Undo `compress`.

    Args:
        payload: one complete LZ4 or zstd frame; what follows it is ignored.
        compression: ``lz4`` or ``zstd``.
        limit_bytes: more than this is refused, whatever the frame claims about itself.

    Raises:
        FrameError: broken, cut off, or larger than the limit.
    """
    try:
        if compression == "lz4":
            return _decompress_lz4(payload, limit_bytes)
        if compression == "zstd":
            return _decompress_zstd(payload, limit_bytes)
    except (RuntimeError, EOFError, ValueError, MemoryError, zstandard.ZstdError) as error:
        raise FrameError(f"The {compression} data is broken ({error}).") from error
    raise FrameError(f"The payload is compressed in an unknown way ({compression!r}).")


def _decompress_lz4(payload: Buffer, limit_bytes: int) -> bytes:
    claimed = int(lz4.frame.get_frame_info(payload)["content_size"])
    _check_size(claimed, limit_bytes)
    if claimed and len(payload) * _LZ4_MOST_RATIO <= limit_bytes:
        return bytes(lz4.frame.decompress(payload))
    # The quick way above goes on growing where a frame holds more than it claims; this one stops.
    decompressor = lz4.frame.LZ4FrameDecompressor()
    if claimed:
        whole = bytes(decompressor.decompress(payload, max_length=claimed))
        if not decompressor.eof:
            raise EOFError("not the size that it claims")
        return whole

    def more(first: bool) -> bytes:
        if decompressor.eof:
            return b""  # asked once more, it would begin another frame
        return bytes(decompressor.decompress(payload if first else b"", max_length=_CHUNK_BYTES))

    data = _gather(more, limit_bytes)
    if not decompressor.eof:
        raise EOFError("cut off before its end")
    return data


def _decompress_zstd(payload: Buffer, limit_bytes: int) -> bytes:
    decompressor = getattr(_local, "decompressor", None)
    if decompressor is None:
        decompressor = _local.decompressor = zstandard.ZstdDecompressor()
    claimed = zstandard.frame_content_size(payload)
    if claimed >= 0:
        _check_size(claimed, limit_bytes)
        data: bytes = decompressor.decompress(payload, max_output_size=max(1, claimed))
        return data
    with decompressor.stream_reader(payload, read_across_frames=False) as reader:
        return _gather(lambda _first: reader.read(_CHUNK_BYTES), limit_bytes)


def _gather(more: Callable[[bool], bytes], limit_bytes: int) -> bytes:
    """Collect chunks until an empty one, never more than the limit."""
    chunks: list[bytes] = []
    total = 0
    while chunk := more(not chunks):
        total += len(chunk)
        _check_size(total, limit_bytes)
        chunks.append(chunk)
    return b"".join(chunks)


def _check_size(size: int, limit_bytes: int) -> None:
    if size > limit_bytes:
        raise FrameError(f"It would unpack to more than {limit_bytes >> 20} MiB, which no frame may.")
