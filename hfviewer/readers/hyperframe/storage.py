"""Positioned reads from one file, shared by all threads: never a seek position, never mmap."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from hfviewer.core.errors import FrameError, NotARecordingError

_MAX_CALL_BYTES = 1 << 30  # one call gives at most 2 GiB - 4 KiB; stay well below


class Storage:
    """An open file. Closing twice is harmless; reading after that raises FrameError.

    Args:
        path: an existing file.
        writable: open for changing as well.
    """

    def __init__(self, path: Path, *, writable: bool = False) -> None:
        self.path = path
        self._fd = os.open(path, (os.O_RDWR if writable else os.O_RDONLY) | getattr(os, "O_CLOEXEC", 0))
        if not stat.S_ISREG(os.fstat(self._fd).st_mode):
            self.close()
            raise NotARecordingError("It is not a file.", path=path)

    @property
    def fd(self) -> int:
        if self._fd < 0:
            raise FrameError("The recording was closed.", path=self.path)
        return self._fd

    def size(self) -> int:
        """Bytes in the file now."""
        return os.fstat(self.fd).st_size

    def read_into(self, buffer: memoryview, offset: int) -> None:
        """Fill a writable byte buffer from an offset.

        Raises:
            FrameError: the file ends before, or cannot be read there.
        """
        size = len(buffer)
        try:
            # The usual case first: one call gives everything.
            done = os.preadv(
                self._fd, (buffer if size <= _MAX_CALL_BYTES else buffer[:_MAX_CALL_BYTES],), offset
            )
            while done < size:
                step = os.preadv(self._fd, [buffer[done : done + _MAX_CALL_BYTES]], offset + done)
                if step == 0:
                    raise FrameError(
                        f"The file ends {size - done} bytes before the end of this part (byte {offset}).",
                        path=self.path,
                    )
                done += step
        except OSError as error:
            if self._fd < 0:
                raise FrameError("The recording was closed.", path=self.path) from error
            raise FrameError(f"Byte {offset} cannot be read ({error.strerror}).", path=self.path) from error

    def read(self, offset: int, size: int) -> bytearray:
        """Read exactly ``size`` bytes; see `read_into`."""
        buffer = bytearray(size)
        if size:
            self.read_into(memoryview(buffer), offset)
        return buffer

    def read_at_most(self, offset: int, size: int) -> bytes:
        """Read up to ``size`` bytes; fewer at the end of the file."""
        return os.pread(self.fd, min(size, _MAX_CALL_BYTES), offset)

    def announce(self, offset: int, size: int) -> None:
        """Tell the system that these bytes will be wanted soon; does nothing where it cannot be told."""
        if hasattr(os, "posix_fadvise") and self._fd >= 0 and size > 0:
            os.posix_fadvise(self._fd, offset, size, os.POSIX_FADV_WILLNEED)

    def close(self) -> None:
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            os.close(fd)

    def __del__(self) -> None:
        if getattr(self, "_fd", -1) >= 0:
            self.close()
