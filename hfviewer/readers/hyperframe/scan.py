"""Find payloads without an index: by their first bytes, on 64-byte boundaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hfviewer.codecs.compression import compression_of, decompress
from hfviewer.codecs.image import decode_picture
from hfviewer.codecs.picture_header import JPEG_MAGIC, read_picture_header
from hfviewer.core.errors import FrameError
from hfviewer.core.stream import StreamKind
from hfviewer.readers.hyperframe.builder import Cancelled, not_cancelled
from hfviewer.readers.hyperframe.layout import ALIGNMENT, align
from hfviewer.readers.hyperframe.measure import MAGICS, CutOffError, measure
from hfviewer.readers.hyperframe.sniff import guess_stream
from hfviewer.readers.hyperframe.storage import Storage

_CHUNK_BYTES = 4 << 20
_FIRST_LOOK_BYTES = 256 << 10
_MOST_BYTES = 256 << 20
_WORDS = np.array([int.from_bytes(m[:4], "little") for m in MAGICS if m != JPEG_MAGIC], np.uint32)
_JPEG_WORD = np.uint32(int.from_bytes(JPEG_MAGIC, "little"))
_THREE_BYTES = np.uint32(0xFFFFFF)


@dataclass(frozen=True, slots=True)
class Signature:
    """By what found payloads are told apart into streams."""

    compression: str
    kind: StreamKind
    encoding: str
    width: int = 0
    height: int = 0

    @property
    def label(self) -> str:
        """For a stream's name: ``jpeg 640x480``, ``lz4 points f32``."""
        parts = [] if self.compression == "none" else [self.compression]
        if not self.width:
            parts.append(str(self.kind))
        parts.append(self.encoding)
        if self.width:
            parts.append(f"{self.width}x{self.height}")
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class FoundPayload:
    """A payload that parses and decodes.

    Args:
        offset: in the file.
        data: stored bytes.
        signature: what it is.
    """

    offset: int
    data: bytes
    signature: Signature


def scan(
    storage: Storage, spans: Sequence[tuple[int, int]], cancelled: Cancelled | None = None
) -> Iterator[FoundPayload]:
    """Payloads in some parts of a file, ascending; what lies inside one that was found is not looked at.

    Args:
        storage: of the file.
        spans: (start, stop) offsets, ascending, apart from each other.
        cancelled: asked between steps.
    """
    for start, stop in spans:
        at = align(start)
        while at < stop:
            not_cancelled(cancelled)
            count = min(_CHUNK_BYTES, stop - at) // ALIGNMENT
            if count == 0:
                break
            words = np.frombuffer(storage.read(at, count * ALIGNMENT), "<u4")[:: ALIGNMENT // 4]
            hits = np.isin(words, _WORDS) | ((words & _THREE_BYTES) == _JPEG_WORD)
            end = at + count * ALIGNMENT
            next_free = at
            for block in np.flatnonzero(hits).tolist():
                offset = at + block * ALIGNMENT
                if offset < next_free:
                    continue
                not_cancelled(cancelled)
                found = _payload_at(storage, offset, stop)
                if found is not None:
                    yield found
                    next_free = offset + len(found.data)
            at = max(end, align(next_free))


def _payload_at(storage: Storage, offset: int, stop: int) -> FoundPayload | None:
    most = min(_MOST_BYTES, stop - offset)
    look = min(_FIRST_LOOK_BYTES, most)
    while True:
        data = bytes(storage.read(offset, look))
        try:
            size = measure(data)
        except CutOffError:
            if look == most:
                return None
            look = min(4 * look, most)
            continue
        if size is None:
            return None
        data = data[:size]
        signature = _signature(data)
        return None if signature is None else FoundPayload(offset, data, signature)


def _signature(data: bytes) -> Signature | None:
    """What a payload is; None where it does not decode."""
    compression = compression_of(data)
    try:
        plain = data if compression == "none" else decompress(data, compression, limit_bytes=_MOST_BYTES)
        guess = guess_stream("", [plain])
        if guess.encoding not in ("jpeg", "png", "png16"):
            return Signature(compression, guess.kind, guess.encoding)
        decode_picture(plain)
        header = read_picture_header(plain)
    except FrameError:
        return None
    return Signature(compression, guess.kind, guess.encoding, header.width, header.height)
