"""How fast this machine reads and decodes a recording, beside bare reads of the same bytes. No Qt."""

from __future__ import annotations

import os
import random
import time
from dataclasses import dataclass
from statistics import median

import numpy as np

from hfviewer.core.errors import FrameError
from hfviewer.core.recording import Recording
from hfviewer.core.stream import StreamKind
from hfviewer.readers.hyperframe.reader import HyperframeRecording
from hfviewer.readers.hyperframe.window_read import plan_window, read_window
from hfviewer.readers.registry import open_recording

_SEED = 20261130
_READS = 400
_DECODES = 15
_WINDOWS = 40
_REPEATS = 5


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and 99th percentile."""

    p50: float
    p99: float

    @classmethod
    def of(cls, values: list[float]) -> Spread:
        if not values:
            return cls(0.0, 0.0)
        return cls(float(np.percentile(values, 50)), float(np.percentile(values, 99)))


@dataclass(frozen=True, slots=True)
class ReadingBench:
    """What was measured without a window.

    Args:
        open_ms: opening, index included; median.
        index_read_ms: a bare read of the index bytes; None for formats without one.
        entries: frames in the recording.
        random_read_us: one frame, undecoded, by the reader.
        bare_read_us: the same bytes by ``os.preadv`` into a kept buffer.
        window_read_ratio: all streams of a window by the reader, over one bare read of the bytes they span.
        decode_ms: median of reading and decoding one frame, by stream.
    """

    open_ms: float
    index_read_ms: float | None
    entries: int
    random_read_us: Spread | None
    bare_read_us: Spread | None
    window_read_ratio: float | None
    decode_ms: dict[str, float]


def bench_reading(path: str) -> ReadingBench:
    """Measure a recording.

    Raises:
        HfviewerError: it cannot be opened.
    """
    open_ms: list[float] = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        open_recording(path).close()
        open_ms.append((time.perf_counter() - start) * 1e3)
    chooser = random.Random(_SEED)
    with open_recording(path) as recording:
        index_ms = random_us = bare_us = ratio = None
        if isinstance(recording, HyperframeRecording):
            index_ms = _index_read_ms(recording)
            random_us, bare_us = _random_reads(recording, chooser)
            ratio = _window_ratio(recording, chooser)
        return ReadingBench(
            open_ms=median(open_ms),
            index_read_ms=index_ms,
            entries=sum(map(len, recording.streams.values())),
            random_read_us=random_us,
            bare_read_us=bare_us,
            window_read_ratio=ratio,
            decode_ms=_decode_ms(recording, chooser),
        )


def _index_read_ms(recording: HyperframeRecording) -> float:
    size, offset = recording.header.index_size, recording.header.index_offset
    times: list[float] = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        buffer = np.empty(size, np.uint8)
        if size:
            os.preadv(recording.storage.fd, [buffer.data], offset)
        times.append((time.perf_counter() - start) * 1e3)
    return median(times)


def _random_reads(recording: HyperframeRecording, chooser: random.Random) -> tuple[Spread, Spread]:
    """Random frames of random streams, both ways in turn, so that the machine's moods meet both alike."""
    streams = [stream for stream in recording.streams.values() if len(stream)]
    if not streams:
        return Spread(0.0, 0.0), Spread(0.0, 0.0)
    buffer = memoryview(bytearray(max(int(stream.entries["size"].max()) for stream in streams)))
    ours: list[float] = []
    bare: list[float] = []
    fd = recording.storage.fd
    for turn in range(2 * _READS):
        stream = chooser.choice(streams)
        index = chooser.randrange(len(stream))
        entry = stream.entries[index]
        offset, size = int(entry["offset"]), int(entry["size"])
        if size == 0:
            continue
        # One unmeasured read brings the bytes into the page cache for both.
        os.preadv(fd, [buffer[:size]], offset)
        for mine in (turn % 2 == 0, turn % 2 == 1):
            start = time.perf_counter_ns()
            if mine:
                stream.read_stored_into(index, buffer)
            else:
                os.preadv(fd, [buffer[:size]], offset)
            (ours if mine else bare).append((time.perf_counter_ns() - start) / 1e3)
    return Spread.of(ours), Spread.of(bare)


def _window_ratio(recording: HyperframeRecording, chooser: random.Random) -> float | None:
    """Whole windows as planned reads, against one bare read of the bytes that they span."""
    windows, storage, file_size = recording.windows, recording.storage, recording.storage.size()
    ratios: list[float] = []
    ours = bare = memoryview(bytearray(1))
    for _ in range(_WINDOWS if len(windows) else 0):
        window = windows[chooser.randrange(len(windows))]
        plan = plan_window(recording.streams, window, file_size)
        if not plan.runs:
            continue
        first, stop = plan.runs[0][0], max(offset + size for offset, _, size in plan.runs)
        ours = ours if len(ours) >= plan.buffer_bytes else memoryview(bytearray(plan.buffer_bytes))
        bare = bare if len(bare) >= stop - first else memoryview(bytearray(stop - first))
        # One unmeasured read brings the bytes into the page cache for both.
        os.preadv(storage.fd, [bare[: stop - first]], first)
        start = time.perf_counter_ns()
        read_window(storage, plan_window(recording.streams, window, file_size), ours)
        middle = time.perf_counter_ns()
        os.preadv(storage.fd, [bare[: stop - first]], first)
        ratios.append((middle - start) / max(1, time.perf_counter_ns() - middle))
    return median(ratios) if ratios else None


def _decode_ms(recording: Recording, chooser: random.Random) -> dict[str, float]:
    result: dict[str, float] = {}
    for name, stream in recording.streams.items():
        if not len(stream) or stream.description.kind is StreamKind.UNKNOWN:
            continue
        times: list[float] = []
        for _ in range(_DECODES):
            index = chooser.randrange(len(stream))
            start = time.perf_counter()
            try:
                stream.read(index)
            except FrameError:
                continue
            times.append((time.perf_counter() - start) * 1e3)
        if times:
            result[name] = median(times)
    return result
