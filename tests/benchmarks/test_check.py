"""The fast checks of 12 streams of a million frames, beside the least that looking at them takes."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from hfviewer.core.stream import StreamKind
from hfviewer.quality.check import check_recording
from tests.panels.fakes import FakeRecording, FakeStream, regular_ns

FRAMES = 1_000_000
MOST = 8.0  # bare passes; beyond it something is looked at once too often


def make_recording() -> FakeRecording:
    """Streams of several rates with jitter, some with lost frames; a new one has not been looked at yet."""
    rng = np.random.default_rng(7)
    streams = []
    for number in range(12):
        period_ns = (1_000_000, 1_001_000, 5_000_000, 1_000_000)[number % 4]
        stamps_ns = regular_ns(FRAMES, period_ns) + rng.integers(0, period_ns // 20, FRAMES)
        numbers = np.arange(FRAMES)
        if number % 3 == 0:
            lost = rng.choice(FRAMES, 20, replace=False)
            stamps_ns, numbers = np.delete(stamps_ns, lost), np.delete(numbers, lost)
        streams.append(FakeStream(f"s{number}", stamps_ns, sequence=numbers, kind=StreamKind.IMU))
    return FakeRecording(*streams)


def bare_pass(recording: FakeRecording) -> None:
    """Steps of the counter, the intervals' spread and the nearest neighbours in another stream."""
    reference_ns = recording.streams["s0"].timestamps_ns
    for stream in recording.streams.values():
        np.diff(stream.sequence).max()
        np.partition(np.diff(stream.timestamps_ns), [FRAMES // 2, FRAMES * 99 // 100])
        reference_ns.searchsorted(stream.timestamps_ns)


def test_twelve_million_frames(benchmark: BenchmarkFixture) -> None:
    fresh = [make_recording() for _ in range(3)]
    bare_s = min(_seconds(bare_pass, recording) for recording in fresh)
    recordings = iter(fresh)
    result = benchmark.pedantic(  # type: ignore[no-untyped-call]
        lambda recording: check_recording(recording), setup=lambda: ((next(recordings),), {}), rounds=3
    )
    ratio = benchmark.stats["min"] / bare_s  # type: ignore[index]
    benchmark.extra_info |= {"bare_ms": round(bare_s * 1e3, 1), "ratio": round(ratio, 1)}
    assert result.streams["s0"].missing_frames == 20
    assert ratio <= MOST


def _seconds(work: Callable[[FakeRecording], None], recording: FakeRecording) -> float:
    start = time.perf_counter()
    work(recording)
    return time.perf_counter() - start
