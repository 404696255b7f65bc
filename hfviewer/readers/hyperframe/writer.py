"""Write a hyperframe file: for recorders, converters and scripts; no Qt."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Self

import numpy as np

from hfviewer.codecs.compression import COMPRESSIONS
from hfviewer.core.errors import UsageError, WriteError
from hfviewer.core.geometry import Calibration
from hfviewer.core.stream import StreamDescription
from hfviewer.readers.hyperframe.assemble import (
    build_metadata,
    sorted_entries,
    write_header,
    write_tail,
)
from hfviewer.readers.hyperframe.files import cannot_write, create, publish, unfinished, write_all
from hfviewer.readers.hyperframe.journal import JournalWriter, journal_path
from hfviewer.readers.hyperframe.layout import (
    ENTRY,
    ENTRY_STRUCT,
    HEADER_SIZE,
    MAX_FRAME_COUNT,
    MAX_STREAM_ID,
    Header,
    align,
    crc32,
    pack_header,
)
from hfviewer.readers.hyperframe.metadata import (
    calibration_to_json,
    check_description,
)
from hfviewer.readers.hyperframe.payload import MAX_SEQUENCE, MAX_TIMESTAMP_NS, NewFrame, encode_payload


class HyperframeWriter:
    """Writes one recording.

    Frames go to ``<path>.tmp`` and a journal beside it; `finalize` makes the file appear under its name,
    whole. Used as a context manager it finalizes at the end; an exception leaves the ``.tmp`` and its
    journal, from which `hfviewer recover` makes a recording. Every frame is handed to the system before
    `append` returns, so a killed process loses none; a power cut loses what the system had not written yet.

    Not for use from several threads at once.

    Args:
        path: of the finished file; must not exist.
        window_ns: target length of a hyperframe window.
        title: of the recording.
        source: where it came from.
        calibration: cameras and transforms.
        metadata: further keys of the metadata, kept as they are.

    Raises:
        WriteError: the file or its ``.tmp`` exists, or the folder cannot be written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        window_ns: int = 100_000_000,
        *,
        title: str = "",
        source: str = "",
        calibration: Calibration | None = None,
        metadata: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        if not 0 < window_ns <= MAX_TIMESTAMP_NS:
            raise UsageError(f"window_ns must be positive, not {window_ns}.")
        self.path = Path(path)
        self.temporary = self.path.with_name(self.path.name + ".tmp")
        self._window_ns = window_ns
        self._base: dict[str, Any] = {**metadata}
        if title or source:
            self._base["recording"] = {
                **self._base.get("recording", {}),
                **({"title": title} if title else {}),
                **({"source": source} if source else {}),
            }
        self._base["streams"] = {}
        if calibration is not None:
            self._base["calibration"] = calibration_to_json(calibration)
        self._descriptions: dict[int, StreamDescription] = {}
        self._ids: dict[str, int] = {}
        self._next_sequence: list[int] = []
        self._entries = bytearray()
        self._first_ns: int | None = None
        if self.path.exists():
            raise WriteError(
                "It exists already.", remedy="Choose another name, or remove it first.", path=path
            )
        self._fd = create(self.temporary)
        self._end = HEADER_SIZE
        try:
            write_all(self._fd, pack_header(Header(window_ns=window_ns, finalized=False)))
            self._journal = JournalWriter(journal_path(self.temporary), self._journal_metadata())
        except BaseException as error:
            os.close(self._fd)
            self.temporary.unlink(missing_ok=True)
            if isinstance(error, FileExistsError):
                raise unfinished(journal_path(self.temporary)) from error
            if isinstance(error, OSError):
                raise cannot_write(self.path, error) from error
            raise

    @property
    def frame_count(self) -> int:
        """Frames appended so far."""
        return len(self._entries) // ENTRY_STRUCT.size

    def add_stream(self, description: StreamDescription) -> int:
        """Announce a stream before its first frame.

        Args:
            description: name, kind, encoding and what the encoding needs; counts and rates are worked out.

        Returns:
            Its stream_id; `append` takes it, or the name.

        Raises:
            UsageError: the name is taken, or the description lacks something.
        """
        self._check_open()
        problem = check_description(description)
        if problem is None and description.name in self._ids:
            problem = f"There is a stream {description.name!r} already."
        if problem is None and description.compression not in COMPRESSIONS:
            problem = f"Compression is one of {', '.join(COMPRESSIONS)}, not {description.compression!r}."
        stream_id = len(self._descriptions)
        if problem is None and stream_id > MAX_STREAM_ID:
            problem = f"A recording holds at most {MAX_STREAM_ID + 1} streams."
        if problem is not None:
            raise UsageError(problem, path=self.path)
        self._descriptions[stream_id] = description
        self._ids[description.name] = stream_id
        self._next_sequence.append(0)
        try:
            self._journal.replace_metadata(self._journal_metadata(), self._entries)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        return stream_id

    def append(
        self,
        stream: str | int,
        timestamp_ns: int,
        payload: bytes | bytearray | memoryview,
        sequence: int | None = None,
        *,
        keyframe: bool = True,
        hardware_clock: bool | None = None,
    ) -> None:
        """Write one frame.

        Args:
            stream: name or stream_id.
            timestamp_ns: on the recording clock, ``0 <= t < 2**63``. Frames may come in any order.
            payload: as the stream's encoding lays it out, not compressed: that is done here, if it shrinks.
            sequence: the sensor's own frame counter; None: one more than the stream's last.
            keyframe: False where decoding needs earlier frames.
            hardware_clock: whether the stamp is the sensor's own; None: what the stream's description says.

        Raises:
            UsageError: unknown stream, or a number out of range.
            WriteError: the disk is full or gone.
        """
        self._check_open()
        stream_id = self._ids.get(stream, -1) if isinstance(stream, str) else stream
        description = self._descriptions.get(stream_id)
        if description is None:
            raise UsageError(
                f"There is no stream {stream!r}.", remedy="Call add_stream first.", path=self.path
            )
        if self.frame_count >= MAX_FRAME_COUNT:
            raise UsageError("A recording holds at most 4 294 967 295 frames.", path=self.path)
        if sequence is None:
            sequence = self._next_sequence[stream_id]
        frame = NewFrame(
            timestamp_ns=timestamp_ns,
            payload=payload,
            sequence=sequence,
            keyframe=keyframe,
            hardware_clock=hardware_clock,
        )
        try:
            flags, data = encode_payload(frame, description)
        except UsageError as error:
            error.path = os.fspath(self.path)
            raise
        offset = align(self._end)
        entry = ENTRY_STRUCT.pack(stream_id, flags, sequence, timestamp_ns, offset, len(data), crc32(data))
        try:
            if offset > self._end:
                write_all(self._fd, bytes(offset - self._end))
            write_all(self._fd, data)
            self._journal.append(entry)
        except OSError as error:
            # What was written of this frame is overwritten by the next one.
            os.lseek(self._fd, self._end, os.SEEK_SET)
            raise cannot_write(self.path, error) from error
        self._end = offset + len(data)
        self._entries += entry
        self._next_sequence[stream_id] = (sequence + 1) & MAX_SEQUENCE
        if self._first_ns is None or timestamp_ns < self._first_ns:
            self._first_ns = timestamp_ns

    def finalize(self) -> Path:
        """Write metadata, index and footer, then the header, then give the file its name.

        Raises:
            WriteError: the disk is full or gone, or the name was taken meanwhile; the ``.tmp`` stays.
        """
        self._check_open()
        entries = sorted_entries(self._entries, ENTRY)
        metadata = build_metadata(self._base, entries, descriptions=self._descriptions)
        header = Header(
            start_ns=self._first_ns or 0,
            window_ns=self._window_ns,
            stream_count=len(self._descriptions),
            revision=1,
        )
        try:
            # A failed append may have left more bytes than count.
            os.ftruncate(self._fd, self._end)
            header = write_tail(self._fd, self._end, metadata=metadata, entries=entries, header=header)
            write_header(self._fd, header)
            publish(self.temporary, self.path)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        finally:
            self.close()
        journal_path(self.temporary).unlink(missing_ok=True)
        return self.path

    def close(self) -> None:
        """Stop without finishing: the ``.tmp`` and its journal stay. May be called again."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
            self._journal.close()

    def discard(self) -> None:
        """Stop and leave nothing behind."""
        self.close()
        self.temporary.unlink(missing_ok=True)
        journal_path(self.temporary).unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._fd < 0:
            return
        if error is None:
            self.finalize()
        else:
            self.close()

    def _check_open(self) -> None:
        if self._fd < 0:
            raise UsageError("The writer is finished.", path=self.path)

    def _journal_metadata(self) -> dict[str, Any]:
        empty = np.empty(0, ENTRY)
        base = {**self._base, "window_ns": self._window_ns}
        return build_metadata(base, empty, descriptions=self._descriptions)
