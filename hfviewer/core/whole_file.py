"""Files that are replaced whole: whoever reads one finds the old or the new one, never half of either."""

from __future__ import annotations

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
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    beside.unlink(missing_ok=True)  # of a killed process that had our number; never written through
    try:
        yield beside
        if lasting:
            _sync(beside)
        beside.replace(path)
        if lasting:
            with suppress(OSError):  # folders cannot be opened everywhere; the file itself is safe
                _sync(path.parent)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


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


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
