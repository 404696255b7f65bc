"""One writer at a time: the exclusive lock of a finished file."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hfviewer.core.errors import ChangedOnDiskError, LockedError, NotARecordingError, WriteError
from hfviewer.readers.hyperframe.files import cannot_write
from hfviewer.readers.hyperframe.storage import Storage

_READ_ONLY = (errno.EACCES, errno.EPERM, errno.EROFS)


@contextmanager
def open_locked(path: Path) -> Iterator[Storage]:
    """The file, open for writing, while nobody else may commit to it. The lock ends with the process.

    Raises:
        LockedError: somebody else holds the lock.
        WriteError: the file is read-only.
        NotARecordingError: there is no such file.
        ChangedOnDiskError: another file took its name just now.
    """
    try:
        storage = Storage(path, writable=True)
    except FileNotFoundError as error:
        raise NotARecordingError("There is no such file or folder.", path=path) from error
    except OSError as error:
        if error.errno in _READ_ONLY:
            raise WriteError(
                "It is read-only.", remedy="Save beside it, or in another folder.", path=path
            ) from error
        raise cannot_write(path, error) from error
    try:
        _lock(storage)
        try:
            named = os.stat(path)
        except OSError as error:
            raise changed_on_disk(path) from error
        held = os.fstat(storage.fd)
        if (named.st_dev, named.st_ino) != (held.st_dev, held.st_ino):
            raise changed_on_disk(path)
        yield storage
    finally:
        storage.close()


def changed_on_disk(path: Path, expected: int | None = None, found: int | None = None) -> ChangedOnDiskError:
    """The file is not what was opened."""
    problem = "It changed on disk since it was opened."
    if expected is not None:
        problem = f"It changed on disk: revision {expected} was opened, revision {found} lies there now."
    return ChangedOnDiskError(problem, remedy="Open it again, then save.", path=path)


def _lock(storage: Storage) -> None:
    try:
        fcntl.flock(storage.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise LockedError(
            "Somebody else is writing to it now.", remedy="Try again in a moment.", path=storage.path
        ) from error
    except OSError as error:
        raise cannot_write(storage.path, error) from error
