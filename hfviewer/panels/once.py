"""What is worked out once for a recording, on whichever thread asks first."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Once(Generic[_T]):
    """Keeps what a function gave the first time; others who ask meanwhile wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tried = False
        self._value: _T | None = None

    @property
    def known(self) -> _T | None:
        """None until somebody asked, and where it cannot be had. Never waits."""
        return self._value

    @property
    def tried(self) -> bool:
        """True once it is known, or known not to be had."""
        return self._tried

    def get(self, make: Callable[[], _T | None]) -> _T | None:
        """The value; slow the first time, so not for the GUI thread."""
        with self._lock:
            if not self._tried:
                self._value = make()
                self._tried = True
            return self._value
