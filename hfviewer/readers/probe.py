"""A first look at a path: does it exist, may we read it, how does it begin."""

from __future__ import annotations

from pathlib import Path

from hfviewer.core.errors import NotARecordingError

HEAD_BYTES = 4096


def read_head(path: Path) -> bytes:
    """The first bytes of a file; empty for a folder.

    Raises:
        NotARecordingError: it does not exist, or cannot be read.
    """
    try:
        if path.is_dir():
            return b""
        if not path.exists():
            unfinished = path.with_name(path.name + ".tmp")
            remedy = (
                f"An unfinished recording lies beside it: `hfviewer recover` {unfinished.name}."
                if unfinished.is_file()
                else ""
            )
            raise NotARecordingError("There is no such file or folder.", remedy=remedy, path=path)
        if not path.is_file():
            raise NotARecordingError("It is neither a file nor a folder.", path=path)
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except PermissionError as error:
        raise NotARecordingError(
            "You may not read it.", remedy="Ask its owner for permission to read.", path=path
        ) from error
    except OSError as error:
        raise NotARecordingError(f"It cannot be read ({error.strerror}).", path=path) from error


def nothing_here(path: Path, head: bytes) -> NotARecordingError:
    """Why a path is not a recording, when no reader knows it.

    Args:
        path: exists.
        head: what `read_head` gave.
    """
    if path.is_dir():
        return NotARecordingError(
            "This folder is not a recording that hfviewer can open.",
            remedy="Folders of sensor files (KITTI, RGB-D, EuRoC …) are converted first: hfviewer convert.",
            path=path,
        )
    if not head:
        return NotARecordingError("The file is empty (0 bytes).", remedy="Copy it again.", path=path)
    return NotARecordingError(
        "This is not a recording: no reader knows its first bytes.",
        remedy="hfviewer opens hyperframe files (.hfr), videos, and folders of episodes.",
        path=path,
    )
