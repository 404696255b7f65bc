"""Whether a file is as long as its outermost header says, for formats other than mp4."""

from __future__ import annotations

import struct

_SEGMENT = b"\x18\x53\x80\x67"


def missing_end(head: bytes, file_bytes: int) -> str:
    """What says that the file ends too early; empty where nothing does.

    Args:
        head: its first bytes, 4 KiB or all of them.
        file_bytes: its size.
    """
    if head[:4] == b"RIFF" and len(head) >= 8:
        (size,) = struct.unpack_from("<I", head, 4)
        claimed = 8 + size
    else:
        claimed = _matroska_end(head)
    return f"{claimed - file_bytes} of {claimed} bytes are missing" if claimed > file_bytes else ""


def _matroska_end(head: bytes) -> int:
    """Where the segment ends (RFC 8794, section 6; RFC 9559, section 5.1); 0 where it does not say."""
    header_size, at = _size(head, 4)
    if header_size is None or head[at + header_size : at + header_size + 4] != _SEGMENT:
        return 0
    size, at = _size(head, at + header_size + 4)
    return 0 if size is None else at + size


def _size(head: bytes, at: int) -> tuple[int | None, int]:
    """A variable-length size and where it ends; None where it is unknown (all bits set) or not there."""
    if at >= len(head) or not head[at]:
        return None, at
    length = 9 - head[at].bit_length()
    digits = head[at : at + length]
    if len(digits) < length:
        return None, at
    value = int.from_bytes(digits, "big") & ((1 << 7 * length) - 1)
    return (None if value == (1 << 7 * length) - 1 else value), at + length
