"""How many bytes the decoded frames of all open videos may take together; no decoder is loaded for that."""

from __future__ import annotations

import threading
import weakref
from typing import Protocol

DEFAULT_BUDGET_BYTES = 256 << 20


class Window(Protocol):
    """Some decoded frames of one video."""

    used_bytes: int

    def drop_worst(self) -> None:
        """Let go of the frame that is least likely to be asked for."""


class GopBudget:
    """How many bytes all windows together may keep.

    Args:
        limit_bytes: of all windows together.
    """

    def __init__(self, limit_bytes: int = DEFAULT_BUDGET_BYTES) -> None:
        self.limit_bytes = limit_bytes
        self.lock = threading.RLock()
        self._windows: weakref.WeakSet[Window] = weakref.WeakSet()

    @property
    def used_bytes(self) -> int:
        with self.lock:
            return sum(window.used_bytes for window in self._windows)

    def join(self, window: Window) -> None:
        """Count a window in."""
        with self.lock:
            self._windows.add(window)

    def share_bytes(self) -> int:
        """What one window may count on: an equal part for each that holds anything."""
        with self.lock:
            holding = sum(1 for window in self._windows if window.used_bytes)
            return self.limit_bytes // max(1, holding)

    def trim(self) -> None:
        """Let go of frames, the largest window's first, until all fit."""
        with self.lock:
            while self.used_bytes > self.limit_bytes:
                max(self._windows, key=lambda window: window.used_bytes).drop_worst()


SHARED_BUDGET = GopBudget()
