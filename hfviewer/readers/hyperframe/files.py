"""New files that never take the place of another, and the errors of writing."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from hfviewer.core.errors import WriteError
from hfviewer.core.whole_file import give_name, sync_folder


def create(temporary: Path) -> int:
    """A new file to write to; never one that somebody else is writing or that waits for recovery.

    Raises:
        WriteError: it exists, or the folder cannot be written.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
    try:
        return os.open(temporary, flags, 0o644)
    except FileExistsError as error:
        raise unfinished(temporary) from error
    except OSError as error:
        raise cannot_write(temporary, error) from error


def publish(temporary: Path, path: Path) -> None:
    """Give a finished file its name, in one step, and make that last.

    Raises:
        WriteError: something lies there already; the temporary file stays.
        OSError: the system refuses.
    """
    taken = WriteError("It exists already.", remedy=f"Rename {temporary.name}, which is complete.", path=path)
    try:
        give_name(temporary, path)
    except FileExistsError as error:
        raise taken from error
    sync_folder(path.parent)


def write_all(fd: int, data: bytes | bytearray | memoryview) -> None:
    """Write everything, however many calls the system needs."""
    view = memoryview(data).cast("B")
    while view:
        view = view[os.write(fd, view) :]


def unfinished(path: Path) -> WriteError:
    """What lies where we want to write, and what to do about it."""
    return WriteError(
        "An unfinished recording lies there.",
        remedy="Run `hfviewer recover` on it, or remove it and its journal.",
        path=path,
    )


def cannot_write(path: Path, error: OSError) -> WriteError:
    """The system's refusal as one line."""
    remedy = "Free some space and try again." if error.errno == errno.ENOSPC else ""
    return WriteError(f"It cannot be written ({error.strerror}).", remedy=remedy, path=path)
