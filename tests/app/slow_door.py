"""Recordings whose opening can be held up, so that what must not happen afterwards can be proven."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.recording import Recording
from hfviewer.readers import registry


class SlowDoor:
    """Opens every recording at once, apart from one: that waits until it is let through.

    Args:
        monkeypatch: puts it in the place of `open_path`.
        path: of the recording to hold up.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
        self._monkeypatch, self._path = monkeypatch, str(path)
        self._open = registry.open_path
        self._gate = threading.Event()
        self.reached = threading.Event()  # somebody waits for the recording
        self.closed = False  # it was opened and closed again
        monkeypatch.setattr(registry, "open_path", self._open_path)

    def let_through(self) -> None:
        """Open the recording for whoever waits for it."""
        self._gate.set()

    def _open_path(self, path: str, revision: int | None = None) -> Recording | EpisodeCollection:
        if path != self._path:
            return self._open(path, revision)
        self.reached.set()
        assert self._gate.wait(10)
        recording = self._open(path, revision)
        close = recording.close

        def noticed() -> None:
            close()
            self.closed = True

        self._monkeypatch.setattr(recording, "close", noticed)
        return recording
