"""The units that an H.264 or HEVC packet is made of (ITU-T H.264, annex B; ISO/IEC 14496-15, 4.3.2)."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator

_START_CODE = re.compile(b"\0\0\1", re.DOTALL)
_MOST_UNITS = 64  # looked at in a packet: parameter sets, messages, slices
_MOST_HEAD_BYTES = 4096  # of each: any parameter set, the head of any slice


def length_size(codec: str, extradata: bytes | None) -> int:
    """How many bytes tell the length of each unit; 0 where units follow start codes.

    Args:
        codec: ``h264`` or ``hevc``.
        extradata: of the container: avcC (ISO/IEC 14496-15, 5.3.3.1) or hvcC (8.3.3.1); None or a byte stream
            where units follow start codes.
    """
    at, shortest = (4, 7) if codec == "h264" else (21, 23)
    if extradata is None or len(extradata) < shortest or extradata[0] != 1:
        return 0
    return (extradata[at] & 3) + 1


def units_of(data: memoryview, length_bytes: int) -> Iterator[memoryview]:
    """The units of a packet, each from its own first byte on, cut after a few kilobytes.

    Args:
        data: the packet.
        length_bytes: see `length_size`.
    """
    return _by_length(data, length_bytes) if length_bytes else _by_start_code(data)


def parameter_sets(codec: str, extradata: bytes | None) -> Iterator[memoryview]:
    """The parameter sets that a container keeps apart from the packets."""
    if extradata is None:
        return
    data = memoryview(extradata)
    if not length_size(codec, extradata):
        yield from _by_start_code(data)
    elif codec == "h264":
        yield from _avcc(data)
    else:
        yield from _hvcc(data)


def _by_length(data: memoryview, length_bytes: int) -> Iterator[memoryview]:
    at = 0
    for _ in range(_MOST_UNITS):
        start = at + length_bytes
        if start >= len(data):
            return
        stop = start + int.from_bytes(data[at:start], "big")
        if stop > start:
            yield data[start : min(stop, start + _MOST_HEAD_BYTES)]
        at = stop


def _by_start_code(data: memoryview) -> Iterator[memoryview]:
    start = -1
    for found, _ in zip(_START_CODE.finditer(data), range(_MOST_UNITS), strict=False):
        if 0 <= start < found.start():
            yield data[start : min(found.start(), start + _MOST_HEAD_BYTES)]
        start = found.end()
    if 0 <= start < len(data):
        yield data[start : start + _MOST_HEAD_BYTES]


def _avcc(data: memoryview) -> Iterator[memoryview]:
    at = yield from _sized(data, 6, data[5] & 31)
    if at < len(data):
        yield from _sized(data, at + 1, data[at])


def _hvcc(data: memoryview) -> Iterator[memoryview]:
    at = 23
    for _ in range(data[22]):
        if at + 3 > len(data):
            return
        at = yield from _sized(data, at + 3, int.from_bytes(data[at + 1 : at + 3], "big"))


def _sized(data: memoryview, at: int, count: int) -> Generator[memoryview, None, int]:
    """Units that follow their size in two bytes; returns where they end."""
    for _ in range(count):
        if at + 2 > len(data):
            return len(data)
        stop = at + 2 + int.from_bytes(data[at : at + 2], "big")
        unit = data[at + 2 : stop]
        if len(unit):
            yield unit
        at = stop
    return at
