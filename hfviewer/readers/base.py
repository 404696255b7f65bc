"""What a reader is."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import Protocol

from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.recording import Recording


class Match(IntEnum):
    """How sure a reader is that something is its format; the surest opens it."""

    NO = 0
    BY_NAME = 1
    BY_CONTENT = 2


class RecordingReader(Protocol):
    """Opens one format."""

    name: str

    def sniff(self, path: Path, head: bytes) -> Match:
        """How sure we are, from the name and the first 4 KiB (empty for a folder). Quick; never raises."""

    def open(self, path: Path, *, revision: int | None = None) -> Recording | EpisodeCollection:
        """Read the index only; frames wait until ``Stream.read`` asks for them.

        A folder of many recordings opens as a collection, of which nothing is read but its listing.

        Args:
            path: an existing file or folder.
            revision: an earlier state, of formats that keep them; None: the newest.

        Raises:
            HfviewerError: with one line that says what is wrong and what to do.
        """
