"""Walk the boxes of an mp4 file without believing any length (ISO/IEC 14496-12, section 4.2)."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from hfviewer.core.errors import DamagedRecordingError

MAX_MOOV_BYTES = 512 << 20
_MOST_TOP_BOXES = 65536


@dataclass(frozen=True, slots=True)
class Box:
    """One box: its four letters and where its body lies, ``[start, stop)``."""

    kind: bytes
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class TopLevel:
    """The outermost boxes of a file, as far as they could be followed.

    Args:
        moov: where the body of the sample tables' box lies; None where there is none.
        media: True where there is media data (``mdat``).
        fragmented: True where sample tables are spread over the file (``moof``).
        damage: why the walk ended before the end of the file; empty where it did not.
    """

    moov: Box | None
    media: bool
    fragmented: bool
    damage: str


def walk(data: memoryview, start: int, stop: int) -> Iterator[Box]:
    """The boxes that lie one after another in a body.

    Raises:
        DamagedRecordingError: a box is shorter than its own head, or reaches beyond the body.
    """
    at = start
    while at + 8 <= stop:
        box = _box(bytes(data[at : min(at + 16, stop)]), at, stop)
        if box.stop > stop:
            raise DamagedRecordingError(
                f"The box {_name(box.kind)} at byte {at} is larger than what holds it."
            )
        yield box
        at = box.stop


def find(data: memoryview, parent: Box, *path: bytes) -> Box | None:
    """The first box on a path of names below a box, or None."""
    box: Box | None = parent
    for kind in path:
        if box is None:
            return None
        box = next((inner for inner in walk(data, box.start, box.stop) if inner.kind == kind), None)
    return box


def top_level(fd: int, file_size: int) -> TopLevel:
    """Follow the outermost boxes of an open file; 16 bytes are read of each."""
    moov: Box | None = None
    media = fragmented = False
    at = 0
    for _ in range(_MOST_TOP_BOXES):
        if at + 8 > file_size:
            return TopLevel(moov, media, fragmented, "" if at == file_size else "the last box is cut off")
        try:
            box = _box(os.pread(fd, 16, at), at, file_size)
        except DamagedRecordingError as error:
            return TopLevel(moov, media, fragmented, error.problem)
        if box.kind == b"moov" and moov is None and box.stop <= file_size:
            moov = box
        media = media or box.kind == b"mdat"
        fragmented = fragmented or box.kind == b"moof"
        if box.stop > file_size:
            return TopLevel(moov, media, fragmented, f"the box {_name(box.kind)} is cut off")
        at = box.stop
    return TopLevel(moov, media, fragmented, "there are too many boxes")


def _box(head: bytes, at: int, stop: int) -> Box:
    """Parse a box's head of 8 or 16 bytes; its size may reach beyond `stop`, but never backwards."""
    if len(head) < 8:
        raise DamagedRecordingError(f"The box at byte {at} is cut off.")
    size, kind = struct.unpack(">I4s", head[:8])
    head_size = 8
    if size == 1:
        if len(head) < 16:
            raise DamagedRecordingError(f"The box {_name(kind)} at byte {at} is cut off.")
        (size,) = struct.unpack(">Q", head[8:16])
        head_size = 16
    elif size == 0:  # to the end of what holds it
        size = stop - at
    if size < head_size:
        raise DamagedRecordingError(f"The box {_name(kind)} at byte {at} claims a size of {size} bytes.")
    return Box(kind, at + head_size, at + size)


def _name(kind: bytes) -> str:
    return repr(kind.decode("latin-1"))
