"""Open folders that hold recordings."""

from __future__ import annotations

from pathlib import Path

from hfviewer.core.errors import UsageError
from hfviewer.readers.base import Match
from hfviewer.readers.folder.collection import FolderCollection, OpenPath
from hfviewer.readers.folder.walk import Recognise, recordings_in

_FEW_LOOKS = 500  # enough to tell a folder of recordings from one of sensor files


class FolderReader:
    """Opens a folder in which other readers know something.

    Args:
        recognise: whether one of the other readers knows a path.
        open_path: opens a path, as the registry does.
    """

    name = "folder"

    def __init__(self, recognise: Recognise, open_path: OpenPath) -> None:
        self._recognise = recognise
        self._open_path = open_path

    def sniff(self, path: Path, head: bytes) -> Match:
        if head or not path.is_dir():
            return Match.NO
        found = next(recordings_in(path, self._recognise, most_looks=_FEW_LOOKS), None)
        return Match.NO if found is None else Match.BY_NAME

    def open(self, path: Path, *, revision: int | None = None) -> FolderCollection:
        if revision is not None:
            raise UsageError("A folder has no revisions.", remedy="Leave out --revision.", path=path)
        return FolderCollection(path, self._recognise, self._open_path)
