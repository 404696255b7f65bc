"""How the hyperframe reader compares with the bare system calls, as ratios within one run.

Run by name: ``pytest tests/benchmarks/test_hyperframe.py --benchmark-only``. A table follows the run. No
figure is asserted but for the resident bytes, which do not depend on the machine's mood.
"""

from __future__ import annotations

import gc
import os
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TypeVar

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from hfviewer.core import timing
from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from hfviewer.readers.hyperframe.assemble import build_metadata, write_header, write_tail
from hfviewer.readers.hyperframe.commit import ChangeMode, StreamChange, commit_changes
from hfviewer.readers.hyperframe.layout import ENTRY, HEADER_SIZE, Header, pack_header
from hfviewer.readers.hyperframe.payload import NewFrame
from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.hyperframe.window_read import plan_window, read_window
from hfviewer.readers.hyperframe.writer import HyperframeWriter

SECOND_NS = 1_000_000_000
TRACK = StreamDescription(name="annotations/bench", kind=StreamKind.ANNOTATION, encoding="json")


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    ours_ms: float
    bare_ms: float | None
    aim: str
    note: str = ""


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[list[Row]]:
    rows: list[Row] = []
    yield rows
    lines = [f"{'what':<46} {'ours':>12} {'bare':>12} {'ratio':>7}  aim"]
    for row in rows:
        bare = "" if row.bare_ms is None else f"{row.bare_ms:9.4f} ms"
        ratio = "" if row.bare_ms is None else f"{row.ours_ms / row.bare_ms:7.2f}"
        lines.append(
            f"{row.what:<46} {row.ours_ms:9.4f} ms {bare:>12} {ratio:>7}  {row.aim} {row.note}".rstrip()
        )
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")


Pair = tuple[float, float]
T = TypeVar("T")


def once(benchmark: BenchmarkFixture, work: Callable[[], T]) -> T:
    """Let pytest-benchmark count it as one of its own; the figures are ours."""
    result: T = benchmark.pedantic(work, rounds=1)  # type: ignore[no-untyped-call]  # the plugin has no types
    return result


def alternate(ours: Callable[[], object], bare: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Median milliseconds of both, measured in turns so that the machine's mood hits both alike."""
    times: tuple[list[int], list[int]] = ([], [])
    for _ in range(rounds):
        for kind, work in enumerate((bare, ours)):
            gc.disable()
            start_ns = time.perf_counter_ns()
            work()
            times[kind].append(time.perf_counter_ns() - start_ns)
            gc.enable()
    return median(times[1]) / 1e6, median(times[0]) / 1e6


def write_index_only(path: Path, count: int, streams: int = 6) -> Header:
    """A file with a long index and one shared payload of 4 KiB."""
    entries = np.zeros(count, ENTRY)
    per_stream = count // streams + 1
    entries["stream_id"] = np.arange(count) // per_stream
    entries["sequence"] = np.arange(count) % per_stream
    entries["timestamp_ns"] = 1_700_000_000 * SECOND_NS + (np.arange(count) % per_stream) * 1_000_000
    entries["offset"] = HEADER_SIZE
    entries["size"] = 4096
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    os.pwrite(fd, pack_header(Header()) + bytes(4096), 0)
    descriptions = {
        i: StreamDescription(
            name=f"s{i}", kind=StreamKind.SIGNAL, encoding="f32", channels=(Channel("x"), Channel("y"))
        )
        for i in range(streams)
    }
    metadata = build_metadata({}, entries, descriptions=descriptions)
    start_ns = int(entries["timestamp_ns"][0])
    header = write_tail(
        fd, HEADER_SIZE + 4096, metadata=metadata, entries=entries, header=Header(start_ns=start_ns)
    )
    write_header(fd, header)
    os.close(fd)
    return header


@pytest.mark.parametrize(("count", "rounds", "aim"), [(1_000_000, 9, "≤ 4"), (10_000_000, 3, "< 1000 ms")])
def test_opening_a_long_index(
    count: int, rounds: int, aim: str, benchmark: BenchmarkFixture, table: list[Row], tmp_path: Path
) -> None:
    path = tmp_path / "index.hfr"
    header = write_index_only(path, count)

    def ours() -> None:
        with HyperframeReader().open(path) as recording:
            assert len(recording.streams) == 6

    def bare() -> None:
        fd = os.open(path, os.O_RDONLY)
        buffer = np.empty(header.index_size, np.uint8)
        os.preadv(fd, [buffer.data], header.index_offset)
        os.close(fd)

    result = once(benchmark, lambda: alternate(ours, bare, rounds))
    table.append(Row(f"open, {count:,} entries (bare: read the index)", *result, aim))


def test_resident_bytes_of_an_entry(benchmark: BenchmarkFixture, table: list[Row], tmp_path: Path) -> None:
    path = tmp_path / "index.hfr"
    count = 1_000_000
    write_index_only(path, count)

    def measure() -> float:
        tracemalloc.start()
        before, _ = tracemalloc.get_traced_memory()
        with HyperframeReader().open(path) as recording:
            for stream in recording.streams.values():
                timing.index_at(stream.timestamps_ns, 1_700_000_100 * SECOND_NS)
                stream.read_stored_into(5, memoryview(bytearray(4096)))
            recording.description  # noqa: B018 - worked out on first use
            after, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return (after - before) / count

    resident = once(benchmark, measure)
    table.append(Row("resident bytes an entry", resident, None, "≤ 64", "(bytes, not ms)"))
    assert resident <= 64


@pytest.fixture(scope="module")
def sensors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten seconds of camera, depth (30 Hz each), lidar (10 Hz) and IMU (1 kHz)."""
    path = tmp_path_factory.mktemp("bench") / "sensors.hfr"
    rng = np.random.default_rng(1)
    kinds = [
        ("camera", 200_000, 33_333_333),
        ("depth", 600_000, 33_333_333),
        ("lidar", 1_600_000, 100_000_000),
        ("imu", 28, 1_000_000),
    ]
    blobs = {name: rng.integers(0, 255, size, np.uint8).tobytes() for name, size, _ in kinds}
    arrivals = sorted(
        (k * period, name) for name, _, period in kinds for k in range(1, 10 * SECOND_NS // period)
    )
    with HyperframeWriter(path) as writer:
        for name, _, _ in kinds:
            writer.add_stream(StreamDescription(name=name, kind=StreamKind.UNKNOWN, encoding="bytes"))
        for stamp, name in arrivals:
            writer.append(name, stamp, blobs[name])
    return path


@pytest.mark.parametrize("name", ["camera", "depth", "lidar", "imu"])
def test_reading_random_frames(
    name: str, benchmark: BenchmarkFixture, table: list[Row], sensors: Path
) -> None:
    with HyperframeReader().open(sensors) as recording:
        stream = recording.streams[name]
        buffer = memoryview(bytearray(int(stream.entries["size"].max())))
        rng = np.random.default_rng(3)
        indices = rng.permutation(np.arange(6000) % len(stream)).tolist()
        places = [(int(stream.entries["offset"][i]), int(stream.entries["size"][i])) for i in indices]
        fd = recording.storage.fd
        times: tuple[list[int], list[int]] = ([], [])

        def measure() -> Pair:
            # Another frame each time, and in turns: neither side may find the other's bytes in the processor.
            for turn, (index, (offset, size)) in enumerate(zip(indices, places, strict=True)):
                start_ns = time.perf_counter_ns()
                if turn % 2:
                    stream.read_stored_into(index, buffer)
                else:
                    os.preadv(fd, [buffer[:size]], offset)
                times[turn % 2].append(time.perf_counter_ns() - start_ns)
            return median(times[1]) / 1e6, median(times[0]) / 1e6

        result = once(benchmark, measure)
    size = len(buffer)
    table.append(Row(f"one random frame, {name} ({size:,} B), p50 (bare: preadv)", *result, "≤ 1.2"))


def test_reading_a_window_of_all_streams(
    benchmark: BenchmarkFixture, table: list[Row], sensors: Path
) -> None:
    with HyperframeReader().open(sensors) as recording:
        windows = list(recording.windows)
        storage, file_size = recording.storage, recording.storage.size()
        spans: list[tuple[int, int]] = []
        for window in windows:
            runs = plan_window(recording.streams, window, file_size).runs
            spans.append((runs[0][0], runs[-1][0] + runs[-1][2] - runs[0][0]))
        span_buffer = memoryview(bytearray(max(size for _, size in spans)))
        fd = storage.fd

        def ours() -> None:
            for window in windows:
                read_window(storage, plan_window(recording.streams, window, file_size), span_buffer)

        def bare() -> None:
            for offset, size in spans:
                os.preadv(fd, [span_buffer[:size]], offset)

        result = once(benchmark, lambda: alternate(ours, bare, 15))
    per_window = (result[0] / len(windows), result[1] / len(windows))
    table.append(Row("one 100 ms window, all streams (bare: one read)", *per_window, "≤ 1.3"))


def test_committing_one_annotation_whatever_the_size_of_the_recording(
    benchmark: BenchmarkFixture, table: list[Row], tmp_path: Path
) -> None:
    paths = {size: tmp_path / f"{size}.hfr" for size in (1_000, 1_000_000)}
    for size, path in paths.items():
        with HyperframeWriter(path) as writer:
            writer.add_stream(StreamDescription(name="s", kind=StreamKind.UNKNOWN, encoding="bytes"))
            for i in range(400):
                writer.append("s", i, bytes(size))

    def commit(path: Path) -> None:
        with HyperframeReader().open(path) as recording:
            mode = ChangeMode.REPLACE if TRACK.name in recording.streams else ChangeMode.ADD
        frames = [NewFrame(timestamp_ns=1, payload=b"{}")]
        change = StreamChange(description=TRACK, frames=frames, mode=mode)
        commit_changes(path, expected_revision=None, streams=[change])

    def large() -> None:
        commit(paths[1_000_000])

    def small() -> None:
        commit(paths[1_000])

    result = once(benchmark, lambda: alternate(large, small, 15))
    table.append(Row("commit to 400 MB (bare: the same to 400 KB)", *result, "about 1"))
