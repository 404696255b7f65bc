"""What is known of the health of a collection's episodes, kept from session to session. No Qt.

One JSON file for each collection in the user's state folder. What it says of an episode counts only while the
episode's files have the size and the time of change that they had, and the same version of the checks runs.
It can be thrown away at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

import hfviewer
from hfviewer.core.finding import Severity
from hfviewer.core.whole_file import replace_file
from hfviewer.quality.health import Health

_MOST_BYTES = 64 << 20
_CHECKS = 1  # counts up with every change of the checks that makes old results wrong


class _Entry(msgspec.Struct, kw_only=True):
    stamp: str
    findings: int = 0
    frames_lost: int = 0
    lost_share: float = 0.0
    severity: Severity | None = None


class _File(msgspec.Struct, kw_only=True):
    made_by: str = ""
    collection: str = ""
    episodes: dict[str, _Entry] = {}


def stamp_of(files: Iterable[Path]) -> str:
    """Names, sizes and times of change of files, in short; empty where one cannot be seen, or of none."""
    digest, some = hashlib.sha256(), False
    for path in sorted(files):
        try:
            status = path.stat()
        except (OSError, ValueError):
            return ""
        digest.update(f"{path.name!r} {status.st_size} {status.st_mtime_ns}\n".encode(errors="surrogatepass"))
        some = True
    return digest.hexdigest()[:24] if some else ""


class HealthCache:
    """Of one collection. Slow: not for the GUI thread.

    Args:
        folder: where such files lie; made when something is written.
        collection: its path.
    """

    def __init__(self, folder: Path, collection: str) -> None:
        self._collection = os.path.abspath(collection)
        name = hashlib.sha256(os.fsencode(self._collection)).hexdigest()[:32]
        self._file = folder / f"{name}.json"
        self._made_by = f"{hfviewer.__version__}/{_CHECKS}"
        self._entries = self._load()
        self._changed = False

    def get(self, key: str, stamp: str) -> Health | None:
        """The health of an episode whose files look like that; None where it is not known."""
        found = self._entries.get(key)
        if found is None or not stamp or found.stamp != stamp:
            return None
        return Health(
            severity=found.severity,
            findings=found.findings,
            frames_lost=found.frames_lost,
            lost_share=found.lost_share,
        )

    def put(self, key: str, stamp: str, health: Health) -> None:
        """Keep it, unless its files could not be seen."""
        if stamp:
            self._entries[key] = _Entry(
                stamp=stamp,
                findings=health.findings,
                frames_lost=health.frames_lost,
                lost_share=health.lost_share,
                severity=health.severity,
            )
            self._changed = True

    def save(self) -> None:
        """Write what is new; a folder that cannot be written costs only the memory."""
        if not self._changed:
            return
        self._changed = False
        kept = _File(made_by=self._made_by, collection=self._collection, episodes=self._entries)
        with contextlib.suppress(OSError):
            replace_file(self._file, msgspec.json.encode(kept), make_folder=True)

    def _load(self) -> dict[str, _Entry]:
        try:
            if self._file.stat().st_size > _MOST_BYTES:
                return {}
            found = msgspec.json.decode(self._file.read_bytes(), type=_File)
        except (OSError, ValueError, RecursionError):
            return {}
        return found.episodes if found.made_by == self._made_by else {}
