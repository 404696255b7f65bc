"""Streams made of columns: numbers, poses and texts that fit into memory once they are asked for."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.decode import FrameIds
from hfviewer.codecs.samples import POSE_CHANNELS, decode_pose
from hfviewer.core import timing
from hfviewer.core.errors import FrameError, HfviewerError, UsageError
from hfviewer.core.frame import Frame, PoseFrame, SampleFrame, TextFrame, freeze
from hfviewer.core.recording import Stream
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.core.window import TimeWindow


class TimedStream(Stream):
    """What streams of columns share: a table of times, sorted, with the order of arrival kept.

    Args:
        description: counts and rates are filled in here.
        timestamps_ns: int64[n], in the order of the file.
        path: of the file, for messages.
        rows: intp[n]: the row of the table that each frame comes from; None: they are not rows.
    """

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        *,
        path: str,
        rows: NDArray[np.intp] | None = None,
    ) -> None:
        self._base = description
        self._path = path
        self._rows = rows
        numbers = np.arange(len(timestamps_ns), dtype=np.int64)
        self._order: NDArray[np.intp] | None = None
        if len(timestamps_ns) > 1 and (timestamps_ns[1:] < timestamps_ns[:-1]).any():
            self._order = np.argsort(timestamps_ns, kind="stable")
            timestamps_ns, numbers = timestamps_ns[self._order], numbers[self._order]
        self._timestamps_ns = freeze(np.ascontiguousarray(timestamps_ns, np.int64))
        self._sequence = freeze(np.ascontiguousarray(numbers, np.int64))

    @cached_property
    def description(self) -> StreamDescription:
        return self._base.measured(self._timestamps_ns)

    @property
    def timestamps_ns(self) -> NDArray[np.int64]:
        return self._timestamps_ns

    @property
    def sequence(self) -> NDArray[np.int64]:
        return self._sequence

    @property
    def rows(self) -> NDArray[np.intp] | None:
        """intp[n]: the row of the table that each frame comes from; None where frames are not rows."""
        return self._rows if self._rows is None or self._order is None else self._rows[self._order]

    @cached_property
    def flags(self) -> NDArray[np.uint16]:
        return freeze(np.zeros(len(self._timestamps_ns), np.uint16))

    def close(self) -> None:
        """Forget what is kept in memory."""

    def place(self, index: int) -> int:
        """Where in the file's order a frame lies.

        Raises:
            UsageError: no such frame.
        """
        if not 0 <= index < len(self):
            raise UsageError(
                f"{self._base.name!r} has no frame {index}.",
                remedy=f"Its frames are 0 to {len(self) - 1}." if len(self) else "It has no frames at all.",
                path=self._path,
            )
        return index if self._order is None else int(self._order[index])

    def _ids(self, index: int) -> FrameIds:
        return FrameIds(
            stream=self._base.name,
            index=index,
            timestamp_ns=int(self._timestamps_ns[index]),
            sequence=int(self._sequence[index]),
        )

    def _failed(self, index: int | None, error: HfviewerError) -> FrameError:
        what = "Samples" if index is None else f"Frame {index}"
        return FrameError(
            f"{what} of {self._base.name!r} cannot be read: {error.problem}",
            remedy=error.remedy,
            path=self._path,
        )


class ColumnStream(TimedStream):
    """Numbers: one row of C values a frame, read from the file when the first one is asked for.

    Args:
        description: of kind imu, signal or pose, with channels (a pose has its own).
        timestamps_ns: see `TimedStream`.
        load: gives all rows, n×C float32 or float64 in the order of the file. Raises HfviewerError.
        path: of the file.
        rows: see `TimedStream`.
        stored_bytes: what the values take in the file, before packing.
    """

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        load: Callable[[], NDArray[np.floating]],
        *,
        path: str,
        rows: NDArray[np.intp] | None = None,
        stored_bytes: int = 0,
    ) -> None:
        if description.kind is StreamKind.POSE:
            description = replace(description, channels=POSE_CHANNELS)
        super().__init__(replace(description, stored_bytes=stored_bytes), timestamps_ns, path=path, rows=rows)
        self._load = load
        self._lock = threading.Lock()
        self._values: NDArray[np.floating] | None = None

    def values(self) -> NDArray[np.floating]:
        """All rows, sorted by time, in the file's own type.

        Raises:
            HfviewerError: they cannot be read.
        """
        with self._lock:
            if self._values is None:
                values = self._load()
                width = len(self._base.channels)
                if values.shape != (len(self), width):
                    raise FrameError(f"It holds {values.shape} values, not {(len(self), width)}.")
                self._values = freeze(values if self._order is None else values[self._order])
            return self._values

    def read(self, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        self.place(index)
        ids = self._ids(index)
        try:
            row = self.values()[index]
        except HfviewerError as error:
            raise self._failed(index, error) from error
        if self._base.kind is StreamKind.POSE:
            return PoseFrame(**ids, matrix=freeze(decode_pose(row.astype("<f8").tobytes(), "xyz_qxyzw_f64")))
        return SampleFrame(
            **ids,
            timestamps_ns=freeze(np.array([ids["timestamp_ns"]], np.int64)),
            values=freeze(row[None].astype(np.float64)),
            channels=self._base.channels,
        )

    def samples(self, start_ns: int, stop_ns: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        inside = timing.indices_in(self._timestamps_ns, TimeWindow(start_ns, max(start_ns, stop_ns)))
        try:
            values = self.values()[inside.start : inside.stop]
        except HfviewerError as error:
            raise self._failed(None, error) from error
        return self._timestamps_ns[inside.start : inside.stop], values.astype(np.float64)

    def payload(self, index: int) -> bytes:
        """The row in the encoding of the description."""
        self.place(index)
        try:
            row = self.values()[index]
        except HfviewerError as error:
            raise self._failed(index, error) from error
        data: bytes = row.astype("<f8" if self._base.encoding.endswith("f64") else "<f4").tobytes()
        return data

    def close(self) -> None:
        with self._lock:
            self._values = None


class TextStream(TimedStream):
    """Texts: one JSON value a frame.

    Args:
        description: of kind text.
        timestamps_ns: see `TimedStream`.
        values: the values in the order of the file, or something that gives the i-th. Raises HfviewerError.
        path: of the file.
        rows: see `TimedStream`.
    """

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        values: Sequence[Any] | Callable[[int], Any],
        *,
        path: str,
        rows: NDArray[np.intp] | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, path=path, rows=rows)
        self._value_at: Callable[[int], Any] = values if callable(values) else values.__getitem__

    def read(self, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        place = self.place(index)
        try:
            value = self._value_at(place)
        except HfviewerError as error:
            raise self._failed(index, error) from error
        return TextFrame(**self._ids(index), value=value, text=json.dumps(value, ensure_ascii=False))

    def payload(self, index: int) -> bytes:
        """The value as JSON."""
        frame = self.read(index)
        assert isinstance(frame, TextFrame)
        return frame.text.encode()
