"""Guess what a stream without metadata holds, from its first payloads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hfviewer.codecs.compression import compression_of, decompress
from hfviewer.codecs.picture_header import read_picture_header
from hfviewer.codecs.points import DEFAULT_FIELDS
from hfviewer.core.errors import FrameError
from hfviewer.core.stream import Channel, StreamDescription, StreamKind

_IMU_SIZES = {24: "f32", 28: "f32"}
_MAX_COORDINATE_M = 10_000.0
_MOST_BYTES = 64 << 20  # a guess must not cost a gigabyte


def guess_stream(name: str, payloads: Sequence[bytes | bytearray]) -> StreamDescription:
    """Describe a stream by its first payloads; the description says that it is guessed.

    Args:
        name: of the stream.
        payloads: stored bytes of its first frames, possibly compressed.
    """
    compressions = {compression_of(payload) for payload in payloads if payload}
    compression = compressions.pop() if len(compressions) == 1 else "none"
    plain: list[bytes | bytearray] = [payload for payload in payloads if payload]
    if compression != "none":
        try:
            plain = [decompress(payload, compression, limit_bytes=_MOST_BYTES) for payload in plain]
        except FrameError:
            compression = "none"
    kind, encoding = _guess_kind(plain)
    channels: tuple[Channel, ...] = ()
    if kind is StreamKind.IMU and plain:
        count = len(plain[0]) // 4
        channels = tuple(Channel(f"value {i}") for i in range(count))
    return StreamDescription(
        name=name,
        kind=kind,
        encoding=encoding,
        compression=compression,
        fields=DEFAULT_FIELDS if kind is StreamKind.POINTS else (),
        channels=channels,
        guessed=True,
        note="The file does not say what this stream holds; guessed from its first payloads.",
    )


def _guess_kind(payloads: Sequence[bytes | bytearray]) -> tuple[StreamKind, str]:
    if not payloads:
        return StreamKind.UNKNOWN, "bytes"
    try:
        headers = [read_picture_header(payload) for payload in payloads]
    except FrameError:
        pass
    else:
        first = headers[0]
        if all(header.encoding == first.encoding for header in headers):
            if first.encoding == "png" and first.bits == 16 and first.channels == 1:
                return StreamKind.DEPTH, "png16"
            return StreamKind.IMAGE, first.encoding
    sizes = {len(payload) for payload in payloads}
    if len(sizes) == 1 and (size := next(iter(sizes))) in _IMU_SIZES:
        return StreamKind.IMU, _IMU_SIZES[size]
    if all(_looks_like_points(payload) for payload in payloads):
        return StreamKind.POINTS, "f32"
    if all(payload[:1] in (b"{", b"[") for payload in payloads):
        return StreamKind.TEXT, "json"
    return StreamKind.UNKNOWN, "bytes"


def _looks_like_points(payload: bytes | bytearray) -> bool:
    """A multiple of 16 bytes whose float32 are nearly all finite and of a size that metres can have."""
    if not payload or len(payload) % 16:
        return False
    values = np.frombuffer(payload, "<f4", min(len(payload) // 4, 4096))
    with np.errstate(invalid="ignore"):
        plausible = np.isfinite(values) & (np.abs(values) < _MAX_COORDINATE_M)
        tiny = (np.abs(values) < 1e-20) & (values != 0)
    return bool(plausible.mean() >= 0.9 and tiny.mean() < 0.1)
