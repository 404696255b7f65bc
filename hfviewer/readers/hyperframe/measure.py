"""How long a payload is that starts at a known place: from its own structure, nothing else.

Only what says where it ends can be measured: PNG and JPEG pictures, LZ4 and zstd frames. Sources: PNG
(ISO 15948) section 5, JPEG (ITU-T T.81) annex B, LZ4 frame format 1.6, zstd (RFC 8878) section 3.1.
"""

from __future__ import annotations

import re
import struct
import zlib

from hfviewer.codecs.compression import LZ4_MAGIC, ZSTD_MAGIC, Buffer
from hfviewer.codecs.picture_header import JPEG_MAGIC, PNG_MAGIC

MAGICS = (PNG_MAGIC, JPEG_MAGIC, LZ4_MAGIC, ZSTD_MAGIC)

_LZ4_BLOCK_BYTES = {4: 64 << 10, 5: 256 << 10, 6: 1 << 20, 7: 4 << 20}
_ZSTD_BLOCK_BYTES = 128 << 10
_ZSTD_DICTIONARY_BYTES = (0, 1, 2, 4)
# Inside entropy-coded data 0xFF is followed by 0 (stuffing), a restart marker, or a real marker.
_JPEG_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


class CutOffError(Exception):
    """So far it is one, but the bytes end before it does."""


def measure(data: Buffer) -> int | None:
    """Bytes of the payload that ``data`` begins with; None where it is none that can be measured.

    Raises:
        CutOffError: more bytes are needed to tell.
    """
    head = bytes(data[:8])
    view = memoryview(data)
    if head == PNG_MAGIC:
        return _measure_png(view)
    if head[:3] == JPEG_MAGIC:
        return _measure_jpeg(view)
    if head[:4] == LZ4_MAGIC:
        return _measure_lz4(view)
    if head[:4] == ZSTD_MAGIC:
        return _measure_zstd(view)
    return None


def _measure_png(data: memoryview) -> int | None:
    at = len(PNG_MAGIC)
    while True:
        length = int.from_bytes(_take(data, at, 4), "big")
        name = _take(data, at + 4, 4)
        if not name.isalpha() or length >= 1 << 31 or (at == 8 and name != b"IHDR"):
            return None
        body = _view(data, at + 4, 4 + length)
        if zlib.crc32(body) != int.from_bytes(_take(data, at + 8 + length, 4), "big"):
            return None
        at += 12 + length
        if name == b"IEND":
            return at


def _measure_jpeg(data: memoryview) -> int | None:
    at = 2
    while True:
        if _take(data, at, 1) != b"\xff":
            return None
        marker = _take(data, at + 1, 1)[0]
        if marker == 0xFF:
            at += 1
        elif marker == 0xD9:
            return at + 2
        elif marker < 0xC0 or 0xD0 <= marker <= 0xD8:
            return None
        else:
            length = int.from_bytes(_take(data, at + 2, 2), "big")
            if length < 2:
                return None
            at += 2 + length
            if marker == 0xDA:
                found = _JPEG_MARKER.search(data, at)
                if found is None:
                    raise CutOffError
                at = found.start()


def _measure_lz4(data: memoryview) -> int | None:
    flags, block_code = _take(data, 4, 2)
    largest = _LZ4_BLOCK_BYTES.get(block_code >> 4)
    if flags >> 6 != 1 or flags & 2 or block_code & 0x8F or largest is None:
        return None
    at = 7 + (8 if flags & 8 else 0) + (4 if flags & 1 else 0)
    while True:
        size = int.from_bytes(_take(data, at, 4), "little") & 0x7FFFFFFF
        at += 4
        if size == 0:
            at += 4 if flags & 4 else 0
            _view(data, 0, at)
            return at
        if size > largest:
            return None
        at += size + (4 if flags & 16 else 0)


def _measure_zstd(data: memoryview) -> int | None:
    descriptor = _take(data, 4, 1)[0]
    if descriptor & 8:
        return None
    single = bool(descriptor & 32)
    size_bytes = (1 if single else 0, 2, 4, 8)[descriptor >> 6]
    at = 5 + (0 if single else 1) + _ZSTD_DICTIONARY_BYTES[descriptor & 3] + size_bytes
    while True:
        (block,) = struct.unpack("<I", _take(data, at, 3) + b"\0")
        kind, size = (block >> 1) & 3, block >> 3
        if kind == 3 or size > _ZSTD_BLOCK_BYTES:
            return None
        at += 3 + (1 if kind == 1 else size)
        if block & 1:
            at += 4 if descriptor & 4 else 0
            _view(data, 0, at)
            return at


def _take(data: memoryview, at: int, size: int) -> bytes:
    return bytes(_view(data, at, size))


def _view(data: memoryview, at: int, size: int) -> memoryview:
    if at + size > len(data):
        raise CutOffError
    return data[at : at + size]
