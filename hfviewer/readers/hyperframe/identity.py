"""What tells one recording from another, and how the file with its annotations is called. Quick to import."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hfviewer.core.recording import Recording
from hfviewer.core.stream import StreamKind

SUFFIX = ".annotations.hfr"


def companion_name(path: Path) -> str:
    """The name of the file beside a recording; a folder's is not that of what was converted from it."""
    if path.is_dir():
        return f"{path.name}.session{SUFFIX}"
    name = path.name.removesuffix(".tmp")
    return name.removesuffix(".hfr") + SUFFIX


def is_companion(path: Path) -> bool:
    """Whether a file holds annotations of another one, by its name."""
    return path.name.endswith(SUFFIX)


def identity_of(recording: Recording) -> dict[str, Any]:
    """What tells a recording from others of its name: size, index, and when its frames begin and end."""
    # Imported here: codecs are heavy, and a window must be on screen before anything needs them.
    from hfviewer.readers.hyperframe.reader import HyperframeRecording

    path = Path(recording.description.path)
    tables = [
        stream.timestamps_ns
        for stream in recording.streams.values()
        if stream.description.kind is not StreamKind.ANNOTATION and len(stream)
    ]
    identity: dict[str, Any] = {
        "name": path.name,
        "size": path.stat().st_size if path.is_file() else None,
        "frame_count": sum(map(len, tables)),
        "first_ns": min((int(table[0]) for table in tables), default=None),
        "last_ns": max((int(table[-1]) for table in tables), default=None),
    }
    if isinstance(recording, HyperframeRecording):
        identity["index_crc32"] = recording.header.index_crc32
        identity["revision"] = recording.header.revision
    return identity


def belongs_to(found: object, identity: Mapping[str, Any]) -> bool:
    """Whether annotations were made for this recording: its frames are the same, whatever was added since."""
    if not isinstance(found, dict):
        return False
    return all(found.get(key) == identity[key] for key in ("frame_count", "first_ns", "last_ns"))
