"""Files that appear whole: whoever reads one finds all of it, or what lay there before."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path: Path, *, lasting: bool = False) -> Iterator[Path]:
    """Where to write what shall take the place of a file; it does so in one step when the block ends.

    Whatever fails, what lay there stays and nothing of the attempt is left. The name begins with a dot and
    ends in ``.tmp``, so that no reader takes it for a recording.

    Args:
        path: the file to replace, there or not yet; its folder exists.
        lasting: True: also wait for the disk, so that a full one shows now and a power cut undoes nothing.

    Raises:
        OSError: the system refuses.
    """
    with _beside(path) as beside:
        yield beside
        if lasting:
            _sync(beside)
        beside.replace(path)
        if lasting:
            sync_folder(path.parent)


@contextmanager
def creating(path: Path) -> Iterator[Path]:
    """The same for a file that must not be there yet, neither now nor when the block ends.

    Raises:
        FileExistsError: something lies there; it stays as it is.
        OSError: the system refuses.
    """
    if os.path.lexists(path):
        raise _taken(path)
    with _beside(path) as beside:
        yield beside
        give_name(beside, path)


def give_name(temporary: Path, path: Path) -> None:
    """Rename a finished file in one step, but never over another one.

    Raises:
        FileExistsError: something lies there; the temporary file stays.
        OSError: the system refuses.
    """
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without links: the moment between looking and renaming remains.
        if os.path.lexists(path):
            raise _taken(path) from None
        temporary.rename(path)
    else:
        temporary.unlink()


def replace_file(path: Path, data: bytes, *, make_folder: bool = False, lasting: bool = False) -> None:
    """Put ``data`` in place of a file, as `replacing` does.

    Args:
        path: the file to replace, there or not yet.
        data: all of the new one.
        make_folder: True: the folder need not exist yet.
        lasting: True: also wait for the disk.

    Raises:
        OSError: the system refuses.
    """
    if make_folder:
        path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path, lasting=lasting) as beside:
        beside.write_bytes(data)


def sync_folder(path: Path) -> None:
    """Make a rename in a folder last, where the system can."""
    with suppress(OSError):
        _sync(path)


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A name beside a file, gone when the block ends."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    beside.unlink(missing_ok=True)  # of a killed process that had our number; never written through
    try:
        yield beside
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _taken(path: Path) -> FileExistsError:
    return FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fspath(path))


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
