"""The journal of labels: every edit on the disk before it counts as done, until a commit holds it.

One line an entry, ``CRC32 JSON``; the first says whose it is. It is held by an exclusive lock for as long as
its owner lives: a journal that nobody holds was left by a process that died, and whoever opens the recording
next carries on from it.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import getpass
import json
import os
import socket
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hfviewer.core.errors import HfviewerError, LockedError, UnsupportedError, WriteError
from hfviewer.readers.annotations import is_writable

SUFFIX = ".labels.journal"
FORMAT = "hfviewer labels journal"
VERSION = 1
_MOST_BYTES = 1 << 30
_ATTEMPTS = 20
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who has a journal open.

    Args:
        user: login name.
        host: name of the machine.
        pid: of the process there.
        since_ns: wall time.
    """

    user: str = ""
    host: str = ""
    pid: int = 0
    since_ns: int = 0

    def text(self) -> str:
        """For a person: ``anna on lab-3``."""
        if not self.user and not self.host:
            return "somebody else"
        here = self.host == socket.gethostname()
        return f"{self.user or 'somebody'} {f'here (process {self.pid})' if here else f'on {self.host}'}"


class Journal:
    """An open journal, held by this process alone. Not for use from several threads at once.

    Args:
        path: of the file; made where there is none.
        identity: of the recording, written into a new journal.

    Raises:
        LockedError: somebody else holds it; its attribute ``holder`` says who.
        UnsupportedError: a later version wrote it.
        WriteError: it cannot be made.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self.path = path
        self._fd = _open_and_hold(path)
        try:
            lines, size = _read_lines(self._fd, path)
            self.identity: Mapping[str, Any] = {}
            self.entries: list[dict[str, Any]] = lines[1:]
            if lines:
                self._check_header(lines[0])
                known = lines[0].get("identity")
                self.identity = known if isinstance(known, dict) else {}
            else:
                self.identity = identity
            # A torn last line is the one edit that was never acknowledged.
            os.ftruncate(self._fd, size)
            self._header = _line(
                {
                    "journal": FORMAT,
                    "version": VERSION,
                    "identity": dict(self.identity),
                    "user": _user(),
                    "host": socket.gethostname(),
                    "pid": os.getpid(),
                    "since_ns": time.time_ns(),
                }
            )
            self._size = size
            if lines:
                self._take_over(self.entries)
            else:
                self._write(self._header)
        except OSError as error:
            self.close()
            raise _cannot(path, error) from error
        except BaseException:
            self.close()
            raise

    def append(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Add entries and wait until the disk has them; where that fails, nothing of them stays.

        Raises:
            WriteError: the disk is full or gone; the journal is as it was.
        """
        try:
            self._write(b"".join(_line(entry) for entry in entries))
        except OSError as error:
            raise _cannot(self.path, error) from error

    def clear(self) -> None:
        """Forget all entries: a commit holds them, and was read back.

        Raises:
            WriteError: the disk is gone; the entries stay, and do no harm.
        """
        try:
            os.ftruncate(self._fd, 0)
            self._size = 0
            self._write(self._header)
        except OSError as error:
            raise _cannot(self.path, error) from error

    def discard(self) -> None:
        """Clear it and take the file away, while it is still ours."""
        if self._fd >= 0:
            self.path.unlink(missing_ok=True)
            self.close()

    def close(self) -> None:
        """Let go of it; the file stays. May be called again."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            os.lseek(self._fd, self._size, os.SEEK_SET)
            while view:
                view = view[os.write(self._fd, view) :]
            os.fsync(self._fd)
        except OSError:
            os.ftruncate(self._fd, self._size)  # half a line would hide all that follow it
            raise
        self._size += len(data)

    def _take_over(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Put our name on a journal that somebody left, so that others are told the right one.

        A new file takes its place, whole and held by us from the first moment. Where there is no room for it,
        the old one goes on as it is.
        """
        fresh = self.path.with_name(self.path.name + ".new")
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0)
        old_fd, old_size = self._fd, self._size
        try:
            self._fd = os.open(fresh, flags, 0o644)
        except OSError:
            return
        try:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._size = 0
            self._write(self._header + b"".join(_line(entry) for entry in entries))
            fresh.replace(self.path)
        except OSError:
            os.close(self._fd)
            self._fd, self._size = old_fd, old_size
            fresh.unlink(missing_ok=True)
            return
        os.close(old_fd)

    def _check_header(self, header: Mapping[str, Any]) -> None:
        if header.get("journal") != FORMAT:
            raise UnsupportedError(
                "This is no journal of labels.",
                remedy="Move it away to label this recording.",
                path=self.path,
            )
        if header.get("version") != VERSION:
            raise UnsupportedError(
                "A later version of hfviewer wrote this journal.", remedy="Update hfviewer.", path=self.path
            )


def journal_path(recording: Path, state_folder: Path, fingerprint: str) -> Path:
    """Where the journal of a recording lies: beside it, or in the user's state folder.

    Args:
        recording: the file that labels are committed to, or would be.
        state_folder: of the user.
        fingerprint: tells recordings of one name apart.
    """
    name = recording.name + SUFFIX
    # The folder of an episode's labels is made with the first of them.
    if is_writable(next((p for p in recording.parents if p.exists()), recording.parent)):
        return recording.parent / name
    return state_folder / "journals" / f"{fingerprint}-{name}"


def read_journal(path: Path) -> tuple[Mapping[str, Any], list[dict[str, Any]]]:
    """Identity and entries of a journal, whoever holds it; nothing where there is none that can be read."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return {}, []
    try:
        lines = _read_lines(fd, path)[0]
    except (OSError, HfviewerError):
        return {}, []
    finally:
        os.close(fd)
    if not lines or lines[0].get("journal") != FORMAT or lines[0].get("version") != VERSION:
        return {}, []
    identity = lines[0].get("identity")
    return (identity if isinstance(identity, dict) else {}), lines[1:]


def holder_of(path: Path) -> Holder | None:
    """Who holds a journal now; None where nobody does, or there is none."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _holder(fd)
    except OSError:
        return None
    finally:
        os.close(fd)
    return None


def _open_and_hold(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
    for _ in range(_ATTEMPTS):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            fd = os.open(path, flags, 0o644)
        except OSError as error:
            raise _cannot(path, error) from error
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = _holder(fd)
            os.close(fd)
            raise HeldError(path, holder) from error
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                os.close(fd)
                raise _cannot(path, error) from error
        if _is_named(fd, path):
            return fd
        os.close(fd)  # its owner took it away between our opening and our holding it
    raise WriteError("It is opened and closed by others again and again.", remedy="Try again.", path=path)


class HeldError(LockedError):
    """Somebody else is labelling this recording.

    Args:
        path: of the journal.
        holder: who it is.
    """

    def __init__(self, path: Path, holder: Holder) -> None:
        self.holder = holder
        super().__init__(
            f"{holder.text()} is labelling it now.".replace("somebody", "Somebody", 1),
            remedy="It opens for reading.",
            path=path,
        )


def _is_named(fd: int, path: Path) -> bool:
    try:
        named, held = os.stat(path), os.fstat(fd)
    except OSError:
        return False
    return (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino)


def _holder(fd: int) -> Holder:
    """From the first line; of one that cannot be read, nobody in particular."""
    try:
        line = os.pread(fd, 1 << 16, 0).partition(b"\n")[0]
        value = _parse(line) or {}
        return Holder(
            user=str(value.get("user", "")),
            host=str(value.get("host", "")),
            pid=int(value.get("pid", 0)),
            since_ns=int(value.get("since_ns", 0)),
        )
    except (OSError, ValueError, TypeError):
        return Holder()


def _read_lines(fd: int, path: Path) -> tuple[list[dict[str, Any]], int]:
    """All whole lines up to the first that is damaged, and the bytes they take."""
    size = os.fstat(fd).st_size
    if size > _MOST_BYTES:
        raise UnsupportedError("This journal is too large to be one.", remedy="Move it away.", path=path)
    data = bytearray()
    while len(data) < size and (part := os.pread(fd, size - len(data), len(data))):
        data += part
    lines: list[dict[str, Any]] = []
    used = 0
    for line in bytes(data).split(b"\n")[:-1]:
        value = _parse(line)
        if value is None:
            break
        lines.append(value)
        used += len(line) + 1
    return lines, used


def _line(value: Mapping[str, Any]) -> bytes:
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise WriteError(f"This edit cannot be written as JSON ({error}).") from error
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _parse(line: bytes) -> dict[str, Any] | None:
    checksum, _, text = line.partition(b" ")
    try:
        if int(checksum, 16) != zlib.crc32(text):
            return None
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""


def _cannot(path: Path, error: OSError) -> HfviewerError:
    remedy = "Free some space and try again." if error.errno == errno.ENOSPC else ""
    return WriteError(f"The journal cannot be written ({error.strerror}).", remedy=remedy, path=path)
