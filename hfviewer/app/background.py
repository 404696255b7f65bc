"""Threads for work that takes a moment and that nobody waits for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Background:
    """Starts a thread for each piece of work. They are daemons: the application may end under them.

    Args:
        name: of the threads.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._threads: list[threading.Thread] = []

    def start(self, work: Callable[..., None], *arguments: object) -> None:
        """Do it in the background."""
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=work, args=arguments, name=self._name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def join(self, timeout_s: float) -> None:
        """Wait until all is done, but no longer than this in all."""
        stop_at = time.monotonic() + timeout_s
        for thread in self._threads:
            thread.join(max(0.0, stop_at - time.monotonic()))
