"""A frame on its way into a file: what may be stored, and how."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index

from hfviewer.codecs.compression import Buffer, compress
from hfviewer.core.errors import UsageError
from hfviewer.core.stream import Clock, StreamDescription
from hfviewer.readers.hyperframe.layout import (
    ENTRY_COMPRESSED,
    ENTRY_HARDWARE_CLOCK,
    ENTRY_KEYFRAME,
    MAX_PAYLOAD_BYTES,
)

MAX_TIMESTAMP_NS = 2**63 - 1
MAX_SEQUENCE = 2**32 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFrame:
    """A frame to write.

    Args:
        timestamp_ns: on the recording clock, ``0 <= t < 2**63``.
        payload: as the stream's encoding lays it out, not compressed.
        sequence: the sensor's own frame counter; None: one more than the frame before.
        keyframe: False where decoding needs earlier frames.
        hardware_clock: whether the stamp is the sensor's own; None: what the stream's description says.
    """

    timestamp_ns: int
    payload: Buffer
    sequence: int | None = None
    keyframe: bool = True
    hardware_clock: bool | None = None


def encode_payload(frame: NewFrame, description: StreamDescription) -> tuple[int, memoryview]:
    """The flags of a frame's entry and the bytes to store, compressed where that makes them fewer.

    Raises:
        UsageError: a number out of range.
    """
    data = memoryview(frame.payload).cast("B")
    try:
        index(frame.timestamp_ns), index(frame.sequence or 0)
    except TypeError as error:
        raise UsageError(
            f"timestamp_ns ({frame.timestamp_ns!r}) and sequence ({frame.sequence!r}) must be whole numbers."
        ) from error
    if not 0 <= frame.timestamp_ns <= MAX_TIMESTAMP_NS:
        raise UsageError(f"A timestamp of {frame.timestamp_ns} ns cannot be stored.")
    if frame.sequence is not None and not 0 <= frame.sequence <= MAX_SEQUENCE:
        raise UsageError(f"A sequence of {frame.sequence} cannot be stored.")
    if len(data) > MAX_PAYLOAD_BYTES:
        raise UsageError(f"A frame of {len(data)} bytes is larger than 1 GiB.")
    hardware_clock = frame.hardware_clock
    if hardware_clock is None:
        hardware_clock = description.clock is Clock.HARDWARE
    flags = (ENTRY_KEYFRAME if frame.keyframe else 0) | (ENTRY_HARDWARE_CLOCK if hardware_clock else 0)
    if description.compression != "none":
        packed = compress(data, description.compression)
        if len(packed) < len(data):
            return flags | ENTRY_COMPRESSED, memoryview(packed)
    return flags, data
