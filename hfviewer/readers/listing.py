"""What collections that keep a list of their rows have in common."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hfviewer.core.collection import EpisodeCollection, EpisodeRow


class ListedCollection(EpisodeCollection):
    """A folder with the rows of its last `refresh`, named like the folder where nothing else is stated.

    Args:
        path: of the folder.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows: tuple[EpisodeRow, ...] = ()

    @property
    def path(self) -> str:
        return str(self._path)

    @property
    def task(self) -> str:
        return self._path.resolve().name

    @property
    def episodes(self) -> Sequence[EpisodeRow]:
        return self._rows
