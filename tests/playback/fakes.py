"""A recording in memory whose reads can be held up at a gate."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import FrameError
from hfviewer.core.frame import Frame, ImageFrame
from hfviewer.core.recording import Recording, RecordingDescription, Stream
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.core.timing import period_ns, rate_hz
from hfviewer.core.window import TimeWindow, WindowGrid


class FakeStream(Stream):
    """Frames whose one pixel is their index; `gate` holds reads up, `broken` frames cannot be read."""

    def __init__(self, name: str, timestamps_ns: NDArray[np.int64]) -> None:
        self._name = name
        self._timestamps_ns = timestamps_ns
        self.gate = threading.Event()
        self.gate.set()
        self.started = threading.Event()
        self.broken: set[int] = set()
        self.read_indices: list[int] = []

    @property
    def description(self) -> StreamDescription:
        table = self._timestamps_ns
        return StreamDescription(
            name=self._name,
            kind=StreamKind.IMAGE,
            encoding="raw",
            frame_count=len(table),
            span=TimeWindow(int(table[0]), int(table[-1]) + 1) if len(table) else None,
            rate_hz=rate_hz(table),
            period_ns=period_ns(table),
        )

    @property
    def timestamps_ns(self) -> NDArray[np.int64]:
        return self._timestamps_ns

    @property
    def sequence(self) -> NDArray[np.int64]:
        return np.arange(len(self._timestamps_ns), dtype=np.int64)

    @property
    def flags(self) -> NDArray[np.uint16]:
        return np.zeros(len(self._timestamps_ns), np.uint16)

    def read(self, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        self.started.set()
        assert self.gate.wait(10)
        self.read_indices.append(index)
        if index in self.broken:
            raise FrameError(f"Frame {index} is broken.")
        return ImageFrame(
            stream=self._name,
            index=index,
            timestamp_ns=int(self._timestamps_ns[index]),
            sequence=index,
            pixels=np.full((1, 1), index % 256, np.uint8),
        )


class FakeRecording(Recording):
    """Streams given by hand."""

    def __init__(self, *streams: FakeStream) -> None:
        self._streams = {stream.description.name: stream for stream in streams}
        self.announced: list[TimeWindow] = []

    def announce(self, window: TimeWindow) -> None:
        self.announced.append(window)

    @property
    def description(self) -> RecordingDescription:
        spans = [s.description.span for s in self._streams.values()]
        known = [span for span in spans if span is not None]
        span = TimeWindow(min(s.start_ns for s in known), max(s.stop_ns for s in known)) if known else None
        return RecordingDescription(path="memory", format="fake", span=span)

    @property
    def streams(self) -> Mapping[str, FakeStream]:
        return self._streams

    @property
    def windows(self) -> WindowGrid:
        span = self.description.span
        return (
            WindowGrid(0, 100_000_000, 0)
            if span is None
            else WindowGrid.covering(span.start_ns, span.stop_ns - 1, 100_000_000)
        )

    def close(self) -> None:
        pass


def every(period: int, count: int, *, start_ns: int = 1_700_000_000_000_000_000) -> NDArray[np.int64]:
    """Regular timestamps."""
    return start_ns + period * np.arange(count, dtype=np.int64)
