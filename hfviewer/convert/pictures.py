"""Picture files, stored as the bytes they are; only looked at to see whether they are whole."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from hfviewer.codecs.picture_header import PNG_MAGIC, PictureHeader, read_picture_header
from hfviewer.convert.files import MAX_FILE_BYTES, read_bytes
from hfviewer.core.errors import FrameError

_HEADER_BYTES = 1 << 18
_JPEG_END = b"\xff\xd9"
_JPEG_TAIL_BYTES = 4096


def load_picture(path: Path, *, depth: bool = False) -> bytes:
    """A picture file's bytes.

    Args:
        path: of a JPEG or PNG file.
        depth: True where it must be a 16-bit PNG with one channel.

    Raises:
        FrameError: not such a picture, cut off, or (PNG) damaged.
        OSError: it cannot be read.
    """
    data = read_bytes(path, limit_bytes=MAX_FILE_BYTES)
    header = read_picture_header(data)
    if depth and (header.encoding, header.bits, header.channels) != ("png", 16, 1):
        raise FrameError("It is not a 16-bit PNG picture with one channel, as depth must be.")
    if header.encoding == "png":
        _check_png(data)
    elif data.rfind(_JPEG_END, max(0, len(data) - _JPEG_TAIL_BYTES)) < 0:
        raise FrameError("The JPEG picture is cut off.")
    return data


def picture_loader(paths: Sequence[Path], *, depth: bool = False) -> Callable[[int], bytes]:
    """`load_picture` of the i-th path."""
    return lambda index: load_picture(paths[index], depth=depth)


def picture_encoding(path: Path) -> str:
    """``png`` or ``jpeg``, from the name; what a picture really is, decoding looks up in its bytes."""
    return "png" if path.suffix.lower() == ".png" else "jpeg"


def first_picture_header(paths: Sequence[Path]) -> PictureHeader | None:
    """Header of the first picture that has one; None where no file of the first ten does."""
    for path in paths[:10]:
        try:
            with path.open("rb") as file:
                return read_picture_header(file.read(_HEADER_BYTES))
        except (FrameError, OSError):
            continue
    return None


def _check_png(data: bytes) -> None:
    """Walk the chunks up to the last and check their sums: a PNG says itself whether it is whole."""
    at = len(PNG_MAGIC)
    view = memoryview(data)
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        end = at + 8 + length
        if end + 4 > len(data):
            break
        (expected,) = struct.unpack_from(">I", data, end)
        if zlib.crc32(view[at + 4 : end]) != expected:
            raise FrameError("The PNG picture is damaged (checksum).")
        if data[at + 4 : at + 8] == b"IEND":
            return
        at = end + 4
    raise FrameError("The PNG picture is cut off.")
