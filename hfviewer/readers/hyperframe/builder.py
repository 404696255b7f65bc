"""A new file made of payloads that are stored already: for compacting and recovering."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import CancelledError, WriteError
from hfviewer.core.stream import StreamDescription
from hfviewer.readers.hyperframe.assemble import build_metadata, write_header, write_tail
from hfviewer.readers.hyperframe.files import cannot_write, create, publish, write_all
from hfviewer.readers.hyperframe.index import sort_entries
from hfviewer.readers.hyperframe.layout import HEADER_SIZE, Header, align, pack_header
from hfviewer.readers.hyperframe.metadata import parse_stream_id
from hfviewer.readers.hyperframe.storage import Storage

Progress = Callable[[int, int], None]
"""Called with bytes done and bytes in all."""
Cancelled = Callable[[], bool]
"""Asked between steps; True stops the work."""

_COPY_BYTES = 4 << 20


class FileBuilder:
    """Writes a new file under a passing name; it gets its own once it is whole.

    A context manager: whatever happens before `finish`, nothing is left behind.

    Args:
        path: of the new file.

    Raises:
        WriteError: it exists, or the folder cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if os.path.lexists(path):
            raise WriteError("It exists already.", remedy="Choose another name.", path=path)
        # Not ``.tmp``: that name may be the very file that is being recovered.
        self._temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
        self._fd = create(self._temporary)
        self._end = HEADER_SIZE
        try:
            write_all(self._fd, pack_header(Header(finalized=False)))
        except OSError as error:
            self.discard()
            raise cannot_write(path, error) from error

    def add(self, data: bytes | bytearray | memoryview) -> int:
        """Write one payload; returns its offset."""
        try:
            offset = self._pad()
            write_all(self._fd, data)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        self._end = offset + len(data)
        return offset

    def copy(self, source: Storage, offset: int, size: int, copied: Callable[[int], None]) -> int:
        """Copy a run of bytes from another file; returns the new offset.

        Args:
            source: to read from.
            offset: there.
            size: bytes.
            copied: told the number of bytes after each step; may raise to stop.
        """
        buffer = memoryview(bytearray(min(size, _COPY_BYTES)))
        try:
            target = self._pad()
            for at in range(offset, offset + size, _COPY_BYTES):
                part = buffer[: min(_COPY_BYTES, offset + size - at)]
                source.read_into(part, at)
                write_all(self._fd, part)
                copied(len(part))
        except OSError as error:
            raise cannot_write(self.path, error) from error
        self._end = target + size
        return target

    def finish(
        self,
        *,
        header: Header,
        entries: NDArray[np.void],
        base: Mapping[str, Any],
        descriptions: Mapping[int, StreamDescription],
        removed: Collection[int] = (),
    ) -> None:
        """Write what follows the payloads and give the file its name.

        Args:
            header: start and window of the new file; the rest is worked out.
            entries: with the offsets that `add` and `copy` gave; any order.
            base: metadata to keep.
            descriptions: of streams that the metadata does not describe yet, or describes otherwise.
            removed: stream_ids that the metadata must not mention any more.
        """
        ordered, _ = sort_entries(entries)
        metadata = build_metadata(base, ordered, descriptions=descriptions, removed=removed)
        header = Header(
            start_ns=header.start_ns,
            window_ns=header.window_ns,
            stream_count=count_streams(metadata, ordered),
        )
        try:
            header = write_tail(self._fd, self._end, metadata=metadata, entries=ordered, header=header)
            write_header(self._fd, header)
            publish(self._temporary, self.path)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        self._close()

    def discard(self) -> None:
        """Leave nothing behind."""
        if self._fd >= 0:
            self._close()
            self._temporary.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()

    def _close(self) -> None:
        fd, self._fd = self._fd, -1
        os.close(fd)

    def _pad(self) -> int:
        offset = align(self._end)
        if offset > self._end:
            write_all(self._fd, bytes(offset - self._end))
            self._end = offset
        return offset


def count_streams(metadata: Mapping[str, Any], entries: NDArray[np.void]) -> int:
    """How many streams there are, those without frames and those without a description included."""
    described = {parse_stream_id(key) for key in metadata["streams"]} - {None}
    return len(described | set(np.unique(entries["stream_id"]).tolist()))


def not_cancelled(cancelled: Cancelled | None) -> None:
    """Go on, or stop.

    Raises:
        CancelledError: the user stopped it.
    """
    if cancelled is not None and cancelled():
        raise CancelledError("Stopped.")
