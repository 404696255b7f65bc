from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core import timing
from hfviewer.core.errors import FrameError
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.core.window import TimeWindow
from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.hyperframe.window_read import plan_window, read_window
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from tests.readers.hyperframe.test_reader import IMU_METADATA, SAMPLE, _entry, build


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two streams near each other, and 200 KiB of a third between each pair."""
    path = tmp_path_factory.mktemp("window") / "recording.hfr"
    with HyperframeWriter(path) as writer:
        for name in ("a", "b", "big"):
            writer.add_stream(StreamDescription(name=name, kind=StreamKind.UNKNOWN, encoding="bytes"))
        for i in range(20):
            writer.append("a", 10 * i, bytes([i]) * 100)
            writer.append("b", 10 * i + 3, bytes([100 + i]) * (i * 7))
            writer.append("big", 10 * i + 5, bytes([200 + i]) * 200_000)
    return path


@given(
    start=st.integers(-20, 220), length=st.integers(0, 220), names=st.sets(st.sampled_from(["a", "b", "big"]))
)
def test_every_payload_of_the_window_lies_where_the_plan_says(
    start: int, length: int, names: set[str], path: Path
) -> None:
    window = TimeWindow(start, start + length)
    with HyperframeReader().open(path) as recording:
        streams = {name: recording.streams[name] for name in sorted(names)}
        plan = plan_window(streams, window, recording.storage.size())
        payloads = read_window(recording.storage, plan)
        for name, stream in streams.items():
            assert plan.frames[name] == timing.indices_in(stream.timestamps_ns, window)
            for index in plan.frames[name]:
                assert bytes(payloads.payload(name, index)) == stream.payload(index)


def test_neighbours_are_read_together_and_distant_ones_are_not(path: Path) -> None:
    with HyperframeReader().open(path) as recording:
        size = recording.storage.size()
        everything = plan_window(recording.streams, TimeWindow(0, 200), size)
        assert len(everything.runs) == 1
        small = plan_window({n: recording.streams[n] for n in "ab"}, TimeWindow(0, 200), size)
        assert len(small.runs) == 20
        assert small.buffer_bytes < 20 * 500
        assert plan_window(recording.streams, TimeWindow(1, 2), size).runs == []
        assert plan_window({}, TimeWindow(0, 200), size).runs == []


def test_the_callers_buffer_is_used_again(path: Path) -> None:
    with HyperframeReader().open(path) as recording:
        plan = plan_window(recording.streams, TimeWindow(0, 50), recording.storage.size())
        buffer = memoryview(bytearray(plan.buffer_bytes + 10))
        payloads = read_window(recording.storage, plan, buffer)
        assert payloads.buffer.obj is buffer.obj
        with pytest.raises(ValueError, match="not in range"):
            payloads.payload("a", 19)


def test_a_payload_outside_the_file_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "bad.hfr"
    entries = [_entry(1), _entry(2, offset=2**64 - 64), _entry(3)]
    build(path, entries, SAMPLE, json.dumps(IMU_METADATA).encode())
    with HyperframeReader().open(path) as recording:
        plan = plan_window(recording.streams, TimeWindow(0, 9), recording.storage.size())
        payloads = read_window(recording.storage, plan)
        assert bytes(payloads.payload("imu", 0)) == bytes(payloads.payload("imu", 2)) == SAMPLE
        with pytest.raises(FrameError, match="inside the file"):
            payloads.payload("imu", 1)
        assert plan.places["imu"].dtype == np.int64
