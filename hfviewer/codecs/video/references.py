"""Which packets hold a picture that no other picture needs: they can be left out on the way to a frame.

Only where that is certain. (FFmpeg can leave such pictures out itself, but does not say which; we must know
whether a picture that did not come was left out or is damaged.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

ReferenceTest = Callable[[memoryview], bool]
"""True for a packet that other pictures may need, or of which that cannot be told."""

_START_CODE = re.compile(b"\0\0\1", re.DOTALL)
_MOST_UNITS = 64  # before the first slice: parameter sets, messages


def reference_test(codec: str, extradata: bytes | None) -> ReferenceTest | None:
    """How to tell for a stream; None where it cannot be told.

    Args:
        codec: ``h264``, ``hevc`` …
        extradata: of the container: avcC (ISO/IEC 14496-15, 5.3.3.1) or hvcC (8.3.3.1); None or a byte stream
            where units follow start codes.
    """
    has_lengths = extradata is not None and len(extradata) > 22 and extradata[0] == 1
    if codec == "h264":
        if extradata is not None and len(extradata) > 6 and extradata[0] == 1:
            length_size = (extradata[4] & 3) + 1
            return lambda data: _h264(_units_by_length(data, length_size))
        return lambda data: _h264(_units_by_start_code(data))
    # With several temporal layers, a picture that its own layer does not need the next one may.
    if codec == "hevc" and has_lengths and extradata is not None and extradata[21] >> 3 & 7 == 1:
        length_size = (extradata[21] & 3) + 1
        return lambda data: _hevc(_units_by_length(data, length_size))
    return None


def _h264(heads: Iterator[int]) -> bool:
    """By nal_ref_idc of the first slice (ITU-T H.264, 7.4.1)."""
    slice_head = next((head for head in heads if head & 31 in (1, 2, 5)), None)
    return slice_head is None or slice_head >> 5 & 3 != 0


def _hevc(heads: Iterator[int]) -> bool:
    """By the type of the first slice: even ones below 16 are not referenced (ITU-T H.265, table 7-1)."""
    slice_head = next((head for head in heads if head >> 1 & 63 < 32), None)
    if slice_head is None:
        return True
    kind = slice_head >> 1 & 63
    return kind >= 16 or kind % 2 == 1


def _units_by_length(data: memoryview, length_size: int) -> Iterator[int]:
    """The first byte of each unit."""
    at = 0
    for _ in range(_MOST_UNITS):
        if at + length_size >= len(data):
            return
        yield data[at + length_size]
        at += length_size + int.from_bytes(data[at : at + length_size], "big")


def _units_by_start_code(data: memoryview) -> Iterator[int]:
    """The first byte of each unit."""
    for found, _ in zip(_START_CODE.finditer(data), range(_MOST_UNITS), strict=False):
        if found.end() < len(data):
            yield data[found.end()]
