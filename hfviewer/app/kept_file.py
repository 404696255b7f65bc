"""A JSON file of what the application remembers: read once, written whole in the background, not trusted."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from hfviewer.core.whole_file import replace_file

_Value = TypeVar("_Value")


class KeptFile(Generic[_Value]):
    """A value and the file it lives in.

    Args:
        path: of the file.
        kind: what the file must hold.
        most_bytes: a larger one is not read.
        submit: carries out the writing, in the background, one call after the other.
    """

    def __init__(
        self,
        path: Path,
        kind: type[_Value],
        most_bytes: int,
        submit: Callable[[Callable[[], None]], object],
    ) -> None:
        self._path, self._kind, self._most_bytes, self._submit = path, kind, most_bytes, submit

    def load(self) -> _Value | None:
        """What is in the file; None where there is none, or none that can be understood."""
        try:
            if self._path.stat().st_size > self._most_bytes:
                return None
            return msgspec.json.decode(self._path.read_bytes(), type=self._kind)
        except (OSError, ValueError, RecursionError):  # msgspec's and Unicode's errors are ValueErrors
            return None

    def save(self, value: _Value, *, indented: bool = False) -> None:
        """Have the file written; what the value is now is what it will hold.

        Args:
            value: to be remembered.
            indented: laid out for people who edit it.
        """
        data = msgspec.json.encode(value)
        whole = msgspec.json.format(data) if indented else data
        with contextlib.suppress(RuntimeError):  # the application is closing, and has written already
            self._submit(lambda: self._write(whole))

    def _write(self, data: bytes) -> None:
        # A folder that cannot be written costs only the memory.
        with contextlib.suppress(OSError):
            replace_file(self._path, data, make_folder=True)
