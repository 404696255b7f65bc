"""Decoded frames, bounded in bytes. Errors are kept too, so that a broken frame is reported once."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from hfviewer.core.errors import HfviewerError
from hfviewer.core.frame import Frame

Key = tuple[int, str, int]  # epoch of the recording, stream, index

_ERROR_BYTES = 512
_MOST_BYTES = 4 << 30


def default_budget_bytes() -> int:
    """A quarter of the machine's memory, at most 4 GiB."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 1 << 30
    return min(_MOST_BYTES, total // 4)


@dataclass(frozen=True, slots=True)
class CacheStatistics:
    """How the cache does. Sizes in bytes."""

    used_bytes: int
    budget_bytes: int
    hits: int
    misses: int
    evictions: int


class FrameCache:
    """Least recently used frames go first; one larger than the budget is not kept. Safe from any thread.

    Args:
        budget_bytes: of everything that is cached; None: `default_budget_bytes`.
        outside_bytes: what others keep under the same budget; decoders of videos keep frames of their own.
    """

    def __init__(
        self, budget_bytes: int | None = None, *, outside_bytes: Callable[[], int] = lambda: 0
    ) -> None:
        self._budget_bytes = default_budget_bytes() if budget_bytes is None else budget_bytes
        self._outside_bytes = outside_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, tuple[Frame | HfviewerError, int]] = OrderedDict()
        self._used_bytes = 0
        self._hits = self._misses = self._evictions = 0

    def get(self, key: Key, *, count: bool = True) -> Frame | HfviewerError | None:
        """What is kept under a key, or None. Hits and misses are counted unless ``count`` is False."""
        with self._lock:
            entry = self._kept.get(key)
            if entry is None:
                self._misses += count
                return None
            self._hits += count
            self._kept.move_to_end(key)
            return entry[0]

    def __contains__(self, key: Key) -> bool:
        with self._lock:
            return key in self._kept

    def put(self, key: Key, value: Frame | HfviewerError) -> None:
        """Keep a frame or the error that stands for it."""
        size = value.memory_bytes if isinstance(value, Frame) else _ERROR_BYTES
        with self._lock:
            old = self._kept.pop(key, None)
            if old is not None:
                self._used_bytes -= old[1]
            if size > self._budget_bytes:
                return
            self._kept[key] = (value, size)
            self._used_bytes += size
            room_bytes = self._budget_bytes - self._outside_bytes()
            while self._kept and self._used_bytes > room_bytes:
                _, (_, freed_bytes) = self._kept.popitem(last=False)
                self._used_bytes -= freed_bytes
                self._evictions += 1

    def clear(self) -> None:
        """Forget everything: another recording was opened."""
        with self._lock:
            self._kept.clear()
            self._used_bytes = 0

    def statistics(self) -> CacheStatistics:
        with self._lock:
            used_bytes = self._used_bytes + self._outside_bytes()
            return CacheStatistics(used_bytes, self._budget_bytes, self._hits, self._misses, self._evictions)
