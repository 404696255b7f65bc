"""What the application remembers between sessions: one JSON file, written whole, never trusted."""

from __future__ import annotations

import getpass
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import msgspec
import platformdirs

from hfviewer.app.kept_file import KeptFile
from hfviewer.app.lane_store import LaneStore
from hfviewer.app.layouts import LayoutStore

MOST_RECENT = 12
_MOST_BYTES = 1 << 20


class Settings(msgspec.Struct):
    """What is remembered. Fields of a wrong type in the file fall back to these defaults, all of them."""

    recent: list[str] = []
    theme: Literal["dark", "light"] = "dark"
    folder: str = ""
    author: str = ""  # of labels; empty: the login name
    reaction_ms: int = -200  # added to the start of a label whose key is held while playing
    labels_pause_s: float = 3.0  # after the last edit labels are committed; 0: on Ctrl+S and on closing only
    labels_folder: str = ""  # for labels of recordings that cannot be written; empty: beside them
    time_mode: Literal["elapsed", "utc", "local", "ns"] = "elapsed"
    snapping: bool = True
    same_time: bool = False  # the next episode opens at the same elapsed time


class SettingsStore:
    """Settings and the file they live in.

    Args:
        folder: where the file lies; None: the user's configuration folder.
    """

    def __init__(self, folder: Path | None = None) -> None:
        base = Path(platformdirs.user_config_dir("hfviewer")) if folder is None else folder
        state = Path(platformdirs.user_state_dir("hfviewer")) if folder is None else folder / "state"
        self.state_folder = state  # what the application keeps for the user beside settings
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="settings")
        self._file = KeptFile(base / "settings.json", Settings, _MOST_BYTES, self._writer.submit)
        self.values = self._load()
        self.lanes = LaneStore(base / "lanes.json", self._writer.submit)
        self.layouts = LayoutStore(base / "layouts.json", self._writer.submit)

    @property
    def author(self) -> str:
        """Who the labels are by: as set, else the login name."""
        if self.values.author:
            return self.values.author
        try:
            return getpass.getuser()
        except (OSError, KeyError):
            return ""

    def _load(self) -> Settings:
        values = self._file.load() or Settings()
        values.recent = [path for path in values.recent if path.isprintable() and path][:MOST_RECENT]
        return values

    def remember_recording(self, path: str) -> None:
        """Put a recording on top of the recent list."""
        path = os.path.abspath(path)
        self.values.recent = [path, *(p for p in self.values.recent if p != path)][:MOST_RECENT]
        self.values.folder = os.path.dirname(path)
        self.save()

    def forget_recording(self, path: str) -> None:
        """Take a recording that is gone off the recent list."""
        self.values.recent = [p for p in self.values.recent if p != path]
        self.save()

    def save(self) -> None:
        """Have the file written, in the background; what is remembered now is what it will hold."""
        self._file.save(self.values, indented=True)

    def close(self) -> None:
        """Wait until everything is written. May be called again; saving afterwards is too late."""
        self._writer.shutdown(wait=True)
