"""What lies in a folder that somebody could open: files and folders that some reader knows."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

MOST_LOOKS = 20_000
"""So many entries are looked at; a folder of sensor files may hold millions."""
_DEPTH = 3
_DIGITS = re.compile("([0-9]+)")
_MOST_DIGITS = 4000
_COMPANION = ".annotations.hfr"  # belongs to the recording beside it

Recognise = Callable[[Path], bool]


def recordings_in(folder: Path, recognise: Recognise, *, most_looks: int = MOST_LOOKS) -> Iterator[Path]:
    """Paths that a reader knows, in natural order, at most `_DEPTH` folders down.

    Names that begin with a dot or an underscore are passed over (working files, trash), and so is what lies
    inside a folder that is a recording or a collection itself. A loop of links is walked once.

    Args:
        folder: to look into.
        recognise: whether a reader knows a path; quick.
        most_looks: files and folders to look at.
    """
    waiting = [(folder, 0)]
    seen: set[tuple[int, int]] = set()
    looks = 0
    while waiting:
        here, depth = waiting.pop(0)
        for entry in _entries(here, seen):
            looks += 1
            if looks > most_looks:
                return
            path = Path(entry.path)
            if recognise(path):
                yield path
            elif depth + 1 < _DEPTH and _is_folder(entry):
                waiting.append((path, depth + 1))


def natural(text: str) -> list[tuple[int, int, str]]:
    """Sorting key by which ``take 9`` comes before ``take 10``."""
    parts = _DIGITS.split(text)  # words and numbers in turn, a word first
    return [(0, int(p[:_MOST_DIGITS]), p) if i % 2 else (1, 0, p) for i, p in enumerate(parts) if p]


def _entries(folder: Path, seen: set[tuple[int, int]]) -> list[os.DirEntry[str]]:
    try:
        status = folder.stat()
        if (status.st_dev, status.st_ino) in seen:
            return []
        seen.add((status.st_dev, status.st_ino))
        with os.scandir(folder) as entries:
            usable = [e for e in entries if not e.name.startswith((".", "_"))]
    except OSError:
        return []
    return sorted((e for e in usable if not e.name.endswith(_COMPANION)), key=lambda e: natural(e.name))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
