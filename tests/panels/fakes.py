"""A recording in memory, for panels that only look at tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.finding import Finding
from hfviewer.core.frame import Frame
from hfviewer.core.recording import Recording, RecordingDescription, Stream
from hfviewer.core.stream import Clock, StreamDescription, StreamKind
from hfviewer.core.window import TimeWindow, WindowGrid

START_NS = 1_317_646_594_478_000_000  # 2011-10-03T12:56:34.478Z


class FakeStream(Stream):
    """Tables only; reading a frame gives one without content."""

    def __init__(
        self,
        name: str,
        timestamps_ns: NDArray[np.int64] | Sequence[int],
        *,
        kind: StreamKind = StreamKind.IMAGE,
        sequence: NDArray[np.int64] | None = None,
        regular: bool | None = None,
        clock: Clock | None = Clock.HARDWARE,
        guessed: bool = False,
        note: str = "",
    ) -> None:
        self._timestamps_ns = np.asarray(timestamps_ns, np.int64)
        count = len(self._timestamps_ns)
        self._sequence = np.arange(count, dtype=np.int64) if sequence is None else sequence
        rate_hz = timing.rate_hz(self._timestamps_ns)
        self._description = StreamDescription(
            name=name,
            kind=kind,
            encoding="jpeg",
            clock=clock,
            guessed=guessed,
            note=note,
            frame_count=count,
            span=timing.robust_span([self._timestamps_ns]),
            rate_hz=None if regular is False else rate_hz,
            period_ns=timing.period_ns(self._timestamps_ns),
            stored_bytes=count * 1000,
        )

    @property
    def description(self) -> StreamDescription:
        return self._description

    @property
    def timestamps_ns(self) -> NDArray[np.int64]:
        return self._timestamps_ns

    @property
    def sequence(self) -> NDArray[np.int64]:
        return self._sequence

    @property
    def flags(self) -> NDArray[np.uint16]:
        return np.zeros(len(self._timestamps_ns), np.uint16)

    def read(self, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        return Frame(
            stream=self._description.name,
            index=index,
            timestamp_ns=int(self._timestamps_ns[index]),
            sequence=int(self._sequence[index]),
        )


class FakeRecording(Recording):
    """Streams that are already in memory."""

    def __init__(
        self,
        *streams: FakeStream,
        findings: Sequence[Finding] = (),
        revision: int | None = 3,
        path: str = "/recordings/city_0014.hfr",
    ) -> None:
        self._streams = {stream.description.name: stream for stream in streams}
        span = timing.robust_span([stream.timestamps_ns for stream in streams])
        self._description = RecordingDescription(
            path=path, format="hyperframe", span=span, revision=revision, findings=findings
        )

    @property
    def description(self) -> RecordingDescription:
        return self._description

    @property
    def streams(self) -> Mapping[str, Stream]:
        return self._streams

    @property
    def windows(self) -> WindowGrid:
        span = self._description.span or TimeWindow(0, 0)
        return WindowGrid.covering(span.start_ns, span.stop_ns - 1, self._description.window_ns)

    def close(self) -> None:
        return


def regular_ns(count: int, period_ns: int, start_ns: int = START_NS) -> NDArray[np.int64]:
    """int64[count]: evenly spaced stamps."""
    return start_ns + period_ns * np.arange(count, dtype=np.int64)
