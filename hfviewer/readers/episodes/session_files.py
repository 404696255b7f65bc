"""Where a session of v1.0 keeps what: one folder a recording, before tasks were pooled (pooled.md, 11)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hfviewer.core.errors import HfviewerError
from hfviewer.core.json_number import as_whole
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.info import read_json

METADATA = "metadata.json"
TIMESTAMPS = "timestamps.json"
FORMAT = "egodata"
_TABLES = ("chunk-0000/chunk_000000.parquet", "chunk_000000.parquet", "chunk-000/file-000.parquet")
_NUMBERED = re.compile(r"(\d{1,9})\.(png|bin)")
_MOST_FILES = 1_000_000
_AUX = "_aux"
_MOST_LOOKS = 50


@dataclass(slots=True, kw_only=True)
class SessionFiles:
    """What lies in a session.

    Args:
        root: its folder.
        metadata: its ``metadata.json``, as far as it makes sense.
        videos: by slot: colour, and depth in containers.
        depth_pictures: by slot: numbered PNG16 or raw files, in order.
        tables: by sensor.
    """

    root: Path
    metadata: Mapping[str, Any]
    videos: dict[str, list[Path]] = field(default_factory=dict)
    depth_pictures: dict[str, list[Path]] = field(default_factory=dict)
    tables: dict[str, Path] = field(default_factory=dict)


def is_session(folder: Path) -> bool:
    """Whether a folder is a session: its ``metadata.json`` says so, or is damaged and all else fits."""
    if not (folder / METADATA).is_file():
        return False
    metadata = session_metadata(folder)
    if metadata:
        return metadata.get("format") == FORMAT
    return layout.is_session_name(folder.name) and (folder / TIMESTAMPS).is_file()


def sessions_in(task: Path) -> list[Path]:
    """The sessions of a task before v1.1, by their numbers and names; empty where there are none."""
    try:
        with os.scandir(task) as entries:
            names = [e.name for e in entries if not layout.is_working_file(e.name) and e.is_dir()]
    except OSError:
        return []
    folders = [task / name for name in names if (task / name / METADATA).is_file()]
    sessions = [folder for folder in folders if is_session(folder)]
    return sorted(sessions, key=lambda folder: (episode_number(session_metadata(folder)) or 0, folder.name))


def has_sessions(task: Path) -> bool:
    """Whether a folder is a task of sessions, by a quick look at some of the folders in it."""
    looked = 0
    try:
        with os.scandir(task) as entries:
            for entry in entries:
                if layout.is_working_file(entry.name) or not entry.is_dir():
                    continue
                if is_session(task / entry.name):
                    return True
                looked += 1
                if looked >= _MOST_LOOKS:
                    return False
    except OSError:
        pass
    return False


def session_metadata(folder: Path) -> dict[str, Any]:
    """Its ``metadata.json``; empty where there is none, or where it is damaged."""
    try:
        document = read_json(folder / METADATA)
    except (HfviewerError, OSError):
        return {}
    return document if isinstance(document, dict) else {}


def episode_number(metadata: Mapping[str, Any]) -> int | None:
    """The number that a session says it has; None where it says none."""
    number = as_whole(metadata.get("episode_index"))
    return number if number is not None and number > 0 else None


def find_session(root: Path) -> SessionFiles:
    """List what lies in a session; nothing is opened but its metadata.

    Of depth, numbered pictures count before a video of the same slot: that one is a heat map of 8 bit.
    """
    found = SessionFiles(root=root, metadata=session_metadata(root))
    for slot in _names(root / "depth"):
        folder = root / "depth" / slot
        pictures = _numbered(folder)
        if pictures:
            found.depth_pictures[slot] = pictures
            continue
        containers = [folder / name for name in _names(folder) if name.endswith((".mkv", ".mp4"))]
        if containers:
            found.videos[slot] = sorted(containers, key=lambda path: path.suffix != ".mkv")
    for name in _names(root / "videos"):
        path = root / "videos" / name
        if name.endswith(".mp4"):
            found.videos.setdefault(path.stem, []).append(path)
            continue
        inside = [p for p in _below(path) if p.suffix in (".mp4", ".mkv") and _AUX not in p.stem]
        if inside and name not in found.depth_pictures and name not in found.videos:
            found.videos[name] = inside
    for sensor in _names(root / "data"):
        path = root / "data" / sensor
        candidates = [path] if sensor.endswith(".parquet") else [path / relative for relative in _TABLES]
        table = next((p for p in candidates if p.is_file()), None)
        if table is not None:
            found.tables[sensor] = table
    return found


def _below(folder: Path) -> list[Path]:
    """Files of a folder and of the folders in it."""
    found: list[Path] = []
    for name in _names(folder):
        path = folder / name
        found += [path] if path.is_file() else [path / inner for inner in _names(path)]
    return found


def _numbered(folder: Path) -> list[Path]:
    matches = [(m, folder / m[0]) for name in _names(folder) if (m := _NUMBERED.fullmatch(name))]
    kinds = {m[2] for m, _ in matches}
    wanted = "png" if "png" in kinds else "bin"
    return [path for m, path in sorted(matches, key=lambda found: int(found[0][1])) if m[2] == wanted]


def _names(folder: Path) -> list[str]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return sorted(name for name in names[:_MOST_FILES] if not layout.is_working_file(name))
