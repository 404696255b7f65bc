"""Bounded reading of source files: sizes are checked before anything is allocated."""

from __future__ import annotations

import lzma
import os
import re
import stat
from pathlib import Path

from hfviewer.core.errors import FrameError, WriteError

MAX_FILE_BYTES = 1 << 30
MAX_TEXT_BYTES = 256 << 20
_CHUNK_BYTES = 4 << 20


def read_bytes(path: Path, *, limit_bytes: int = MAX_FILE_BYTES) -> bytes:
    """All bytes of an ordinary file.

    Raises:
        FrameError: it is empty, too large, or not an ordinary file.
        OSError: it cannot be read.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise FrameError("It is not an ordinary file.")
    if status.st_size > limit_bytes:
        raise FrameError(f"It is larger than {limit_bytes >> 20} MiB.")
    with path.open("rb") as file:
        data = file.read(limit_bytes + 1)
    if len(data) > limit_bytes:
        raise FrameError(f"It is larger than {limit_bytes >> 20} MiB.")
    if not data:
        raise FrameError("It is empty (0 bytes).")
    return data


def read_xz(path: Path, *, limit_bytes: int = MAX_FILE_BYTES) -> bytes:
    """The content of an .xz file, unpacked to at most ``limit_bytes``, whatever it claims.

    Raises:
        FrameError: broken, cut off, or larger than the limit.
        OSError: it cannot be read.
    """
    packed = read_bytes(path, limit_bytes=limit_bytes)
    chunks: list[bytes] = []
    total = 0
    try:
        while packed:
            decompressor = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=limit_bytes)
            chunk = decompressor.decompress(packed, max_length=_CHUNK_BYTES)
            while True:
                total += len(chunk)
                if total > limit_bytes:
                    raise FrameError(f"It would unpack to more than {limit_bytes >> 20} MiB.")
                chunks.append(chunk)
                if decompressor.eof:
                    break
                if not chunk and decompressor.needs_input:
                    raise FrameError("The xz data is cut off.")
                chunk = decompressor.decompress(b"", max_length=_CHUNK_BYTES)
            packed = decompressor.unused_data.lstrip(b"\0")
    except (lzma.LZMAError, MemoryError) as error:
        raise FrameError(f"The xz data is broken ({error}).") from error
    return b"".join(chunks)


def read_lines(path: Path, *, limit_bytes: int = MAX_TEXT_BYTES) -> list[str]:
    """Lines of a text file; bytes that are not UTF-8 become replacement characters. Empty for an empty file.

    Raises:
        FrameError: too large or not an ordinary file.
        OSError: it cannot be read.
    """
    if stat.S_ISREG(path.stat().st_mode) and path.stat().st_size == 0:
        return []
    text = read_bytes(path, limit_bytes=limit_bytes).decode("utf-8-sig", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")


def names_in(folder: Path) -> list[str]:
    """Names in a folder, sorted; empty where it is none or cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def numbered_files(folder: Path, pattern: re.Pattern[str]) -> dict[int, Path]:
    """Files whose whole name matches, by the number in the pattern's group ``number``; sorted by number.

    Of two files with one number, the one whose name sorts first.
    """
    found: dict[int, Path] = {}
    for name in names_in(folder):
        match = pattern.fullmatch(name)
        if match is not None:
            found.setdefault(int(match["number"]), folder / name)
    return dict(sorted(found.items()))


def reason(error: FrameError | OSError) -> str:
    """What an error says, without a path."""
    if isinstance(error, FrameError):
        return error.problem
    return f"It cannot be read ({error.strerror or error})."


def exists_already(path: Path) -> WriteError:
    """That something lies where we would write: it is never overwritten."""
    return WriteError("It exists already.", remedy="Choose another name, or remove it first.", path=path)
