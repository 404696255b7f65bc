from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.core.errors import UsageError
from hfviewer.core.frame import Frame
from hfviewer.core.recording import Recording, RecordingDescription, Stream
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.core.window import WindowGrid


class PlainStream(Stream):
    """The least that a reader must write."""

    @property
    def description(self) -> StreamDescription:
        return StreamDescription(name="plain", kind=StreamKind.TEXT, encoding="json")

    @property
    def timestamps_ns(self) -> NDArray[np.int64]:
        return np.arange(3, dtype=np.int64)

    @property
    def sequence(self) -> NDArray[np.int64]:
        return np.arange(3, dtype=np.int64)

    @property
    def flags(self) -> NDArray[np.uint16]:
        return np.zeros(3, np.uint16)

    def read(self, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        return Frame(stream="plain", index=index, timestamp_ns=index, sequence=index)


class PlainRecording(Recording):
    def __init__(self, *names: str) -> None:
        self.closed = 0
        self._streams = {name: PlainStream() for name in names}

    @property
    def description(self) -> RecordingDescription:
        return RecordingDescription(path="/x/y.hfr", format="plain")

    @property
    def streams(self) -> Mapping[str, Stream]:
        return self._streams

    @property
    def windows(self) -> WindowGrid:
        return WindowGrid.covering(0, 2, 100)

    def close(self) -> None:
        self.closed += 1


def test_a_stream_is_found_by_name_and_a_wrong_name_lists_the_right_ones() -> None:
    recording = PlainRecording("camera", "imu")
    assert recording.stream("imu") is recording.streams["imu"]
    with pytest.raises(UsageError) as caught:
        recording.stream("lidar")
    assert str(caught.value) == "/x/y.hfr: There is no stream 'lidar'. Streams: camera, imu."


def test_a_recording_without_streams_says_so() -> None:
    with pytest.raises(UsageError, match="Streams: none"):
        PlainRecording().stream("camera")


def test_leaving_the_with_block_closes_the_recording_whatever_happened() -> None:
    recording = PlainRecording()
    with pytest.raises(ZeroDivisionError), recording:
        _ = 1 // 0
    assert recording.closed == 1


def test_a_stream_that_has_neither_payloads_nor_samples_says_so() -> None:
    stream = PlainStream()
    assert len(stream) == 3
    with pytest.raises(UsageError, match="'plain'"):
        stream.payload(0)
    with pytest.raises(UsageError, match="'plain' is not a dense signal"):
        stream.samples(0, 3)
