"""The bytes of a hyperframe file, version 1: formats/hyperframe.md. No other file knows them.

Nothing here opens a file.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import DamagedRecordingError, UnfinishedRecordingError, UnsupportedError

MAGIC = b"HFRM"
VERSION = 1
HEADER_SIZE = 512
ALIGNMENT = 64
MAX_METADATA_BYTES = 64 << 20
MAX_STREAM_ID = 65535
MAX_FRAME_COUNT = 2**32 - 1
MAX_PAYLOAD_BYTES = 1 << 30
MAX_REVISION = 2**32 - 1

HEADER_LITTLE_ENDIAN = 1 << 0
HEADER_EXTENDED = 1 << 1
HEADER_FINALIZED = 1 << 31

ENTRY_KEYFRAME = 1 << 0
ENTRY_HARDWARE_CLOCK = 1 << 1
ENTRY_COMPRESSED = 1 << 2

ENTRY = np.dtype(
    [
        ("stream_id", "<u2"),
        ("flags", "<u2"),
        ("sequence", "<u4"),
        ("timestamp_ns", "<i8"),
        ("offset", "<u8"),
        ("size", "<u4"),
        ("crc32", "<u4"),
    ]
)
ENTRY_STRUCT = struct.Struct("<HHIqQII")
ENTRY_SIZE = ENTRY.itemsize

RECOVER_REMEDY = "Run `hfviewer recover` to get back what is there."

# magic, version, header_size, flags, start_ns, window_ns, frame_count, stream_count, index_offset, index_size
_BASE = "4sHHIQQIIQQ"
# meta_offset, meta_size, index_crc32, meta_crc32, revision, previous_footer_offset, footer_offset
_EXTENSION = "QQIIIQQ"
_BASE_SIZE = struct.calcsize("<" + _BASE)
_CRC_AT = HEADER_SIZE - 4
_UINT64_MAX = 2**64 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """A header or a footer, which is a copy of it. Offsets and sizes in bytes.

    Args:
        extended: the fields from ``meta_offset`` on are present; False in files of a plain writer.
        big_endian: written by a big-endian machine: the index may need its bytes swapped.
    """

    start_ns: int = 0
    window_ns: int = 100_000_000
    frame_count: int = 0
    stream_count: int = 0
    index_offset: int = 0
    index_size: int = 0
    meta_offset: int = 0
    meta_size: int = 0
    index_crc32: int = 0
    meta_crc32: int = 0
    revision: int = 1
    previous_footer_offset: int = 0
    footer_offset: int = 0
    finalized: bool = True
    extended: bool = True
    big_endian: bool = False


def align(offset: int) -> int:
    """The next 64-byte boundary at or after an offset."""
    return -(-offset // ALIGNMENT) * ALIGNMENT


def crc32(data: bytes | bytearray | memoryview, start: int = 0) -> int:
    """CRC-32 as zlib computes it, of what gave ``start`` followed by ``data``."""
    return zlib.crc32(data, start)


def pack_header(header: Header) -> bytes:
    """512 bytes, little-endian, extended, with their CRC."""
    flags = HEADER_LITTLE_ENDIAN | HEADER_EXTENDED | (HEADER_FINALIZED if header.finalized else 0)
    block = struct.pack(
        "<" + _BASE + _EXTENSION,
        MAGIC,
        VERSION,
        HEADER_SIZE,
        flags,
        header.start_ns & _UINT64_MAX,
        header.window_ns,
        header.frame_count,
        header.stream_count,
        header.index_offset,
        header.index_size,
        header.meta_offset,
        header.meta_size,
        header.index_crc32,
        header.meta_crc32,
        header.revision,
        header.previous_footer_offset,
        header.footer_offset,
    ).ljust(_CRC_AT, b"\0")
    return block + struct.pack("<I", crc32(block))


def parse_header(block: bytes) -> Header:
    """Read a header or footer.

    A plain writer leaves the bytes from 52 on zero and the extension flag clear. A clear flag before bytes
    that are not zero is damage, as is every other contradiction.

    Args:
        block: 512 bytes, or what there is of them.

    Raises:
        UnfinishedRecordingError: the finalized flag is clear.
        UnsupportedError: a later version of the format.
        DamagedRecordingError: everything else that is wrong.
    """
    if not block:
        raise DamagedRecordingError(
            "It is empty (0 bytes).",
            remedy="Copy it again; if a journal lies beside it, `hfviewer recover` gets back what is there.",
        )
    if len(block) < HEADER_SIZE:
        raise DamagedRecordingError(
            f"Only {len(block)} of the {HEADER_SIZE} bytes of its header are there.", remedy=RECOVER_REMEDY
        )
    if block[:4] != MAGIC:
        raise DamagedRecordingError("Its header does not begin with HFRM.", remedy=RECOVER_REMEDY)
    swapped = struct.unpack_from(">HH", block, 4) == (VERSION, HEADER_SIZE)
    order = ">" if swapped else "<"
    _, version, header_size, flags, *values = struct.unpack_from(order + _BASE, block)
    if header_size != HEADER_SIZE:
        raise DamagedRecordingError("Its header is damaged (header size).", remedy=RECOVER_REMEDY)
    extended = bool(flags & HEADER_EXTENDED)
    if extended and struct.unpack_from(order + "I", block, _CRC_AT)[0] != crc32(block[:_CRC_AT]):
        raise DamagedRecordingError("Its header is damaged (checksum).", remedy=RECOVER_REMEDY)
    if not extended and any(block[_BASE_SIZE:]):
        raise DamagedRecordingError("Its header is damaged (flags).", remedy=RECOVER_REMEDY)
    if version != VERSION:
        if extended:
            raise UnsupportedError(
                f"It is version {version} of the format.", remedy="This hfviewer reads version 1; update it."
            )
        raise DamagedRecordingError("Its header is damaged (version).", remedy=RECOVER_REMEDY)
    if not flags & HEADER_FINALIZED:
        raise UnfinishedRecordingError("The recorder never finished this file.", remedy=RECOVER_REMEDY)
    header = Header(
        start_ns=_signed(values[0]),
        window_ns=values[1],
        frame_count=values[2],
        stream_count=values[3],
        index_offset=values[4],
        index_size=values[5],
        extended=extended,
        big_endian=swapped or not flags & HEADER_LITTLE_ENDIAN,
    )
    if not extended:
        return header
    extension = struct.unpack_from(order + _EXTENSION, block, _BASE_SIZE)
    return replace(
        header,
        meta_offset=extension[0],
        meta_size=extension[1],
        index_crc32=extension[2],
        meta_crc32=extension[3],
        revision=extension[4],
        previous_footer_offset=extension[5],
        footer_offset=extension[6],
    )


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def check_regions(header: Header, file_size: int) -> None:
    """Every region must lie inside the file and the counts must agree.

    Raises:
        DamagedRecordingError: they do not.
    """
    if header.index_size != header.frame_count * ENTRY_SIZE:
        raise DamagedRecordingError(
            f"Its header is damaged: {header.frame_count} frames cannot have an index of"
            f" {header.index_size} bytes.",
            remedy=RECOVER_REMEDY,
        )
    if header.meta_size > MAX_METADATA_BYTES:
        raise DamagedRecordingError(
            f"Its header is damaged: metadata of {header.meta_size} bytes.", remedy=RECOVER_REMEDY
        )
    regions = [("index", header.index_offset, header.index_size)]
    if header.meta_offset:
        regions.append(("metadata", header.meta_offset, header.meta_size))
    for name, offset, size in regions:
        if offset < HEADER_SIZE or offset + size > file_size:
            missing = offset + size - file_size
            problem = f"It is cut off: {missing} bytes are missing up to the end of its {name}."
            if missing <= 0 or offset < HEADER_SIZE:
                problem = f"Its header is damaged: the {name} cannot lie at byte {offset}."
            raise DamagedRecordingError(problem, remedy=RECOVER_REMEDY)


def swap_entries(entries: NDArray[np.void]) -> NDArray[np.void]:
    """Index entries of a big-endian writer as little-endian ones."""
    return entries.byteswap()
