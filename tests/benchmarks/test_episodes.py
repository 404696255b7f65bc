"""Pooled episodes: reading columns and listing tasks, as ratios to bare PyArrow in the same run.

Run by name: ``pytest tests/benchmarks/test_episodes.py --benchmark-only``. Nothing is asserted of the
figures, the machine may be busy. Aims: IMU columns to arrays at most 1.5 times the bare read; a force matrix
its own row, not the column; a list of 1000 episodes about four times what opening their small files costs.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.recording import Recording
from hfviewer.readers.episodes.imu import imu_stream, read_stamps
from hfviewer.readers.episodes.recording import EpisodeRecording
from hfviewer.readers.episodes.table import EpisodeTable
from hfviewer.readers.registry import open_path, open_recording
from tests.readers.episodes.tasks import Task, lists, meta_row

_T = TypeVar("_T")
ROWS = 18_000
SAMPLES = 600_000


@pytest.fixture(scope="module")
def long_task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    """Ten minutes of rows at 30 a second with an IMU at 1 kHz; the video is short, for it is not read."""
    task = Task(tmp_path_factory.mktemp("long") / "task")
    offsets = pa.array(np.linspace(0, SAMPLES, ROWS + 1).astype(np.int32))
    stamps = 4_000_000_000_000 + np.arange(SAMPLES) * 1_000_000
    values = np.random.default_rng(0).normal(size=SAMPLES * 6).astype(np.float32)
    inner = pa.FixedSizeListArray.from_arrays(pa.array(values), 6)
    columns = {
        "imu_ts_ns": pa.ListArray.from_arrays(offsets, pa.array(stamps)),
        "observation.imu": pa.ListArray.from_arrays(offsets, inner),
    }
    task.add(1, frames=ROWS, videos={"stereo_left": "h264:12"}, columns=columns)
    return task


def best_of(work: Callable[[], _T], other: Callable[[], object], rounds: int = 7) -> tuple[float, float]:
    """The shortest time of each, taken in turn so that whatever else runs hits both."""
    best, best_other = float("inf"), float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        other()
        middle = time.perf_counter()
        work()
        best_other = min(best_other, middle - start)
        best = min(best, time.perf_counter() - middle)
    return best, best_other


def bare_imu(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """What a few lines of PyArrow do (one thread, as ours)."""
    with pq.ParquetFile(path, pre_buffer=False) as file:
        table = file.read(columns=["imu_ts_ns", "observation.imu"], use_threads=False).combine_chunks()
    stamps = table["imu_ts_ns"].chunk(0).flatten().to_numpy()
    values = table["observation.imu"].chunk(0).flatten().flatten().to_numpy().reshape(-1, 6)
    return stamps, values


def test_imu_columns_to_arrays(long_task: Task, benchmark: BenchmarkFixture) -> None:
    path = long_task.path("data")

    with open_recording(long_task.root, episode=1) as recording:
        assert isinstance(recording, EpisodeRecording)
        timeline = recording.timeline
    assert timeline is not None

    def ours() -> None:
        """The stamps on the recording clock, and all values."""
        table = EpisodeTable(path, 1)
        stamps_ns, counts = read_stamps(table) or (np.empty(0, np.int64), np.empty(0, np.int64))
        stream = imu_stream(table, stamps_ns, counts, timeline)
        assert stream.values().shape == (SAMPLES, 6)
        table.close()

    benchmark.pedantic(ours, rounds=3)  # type: ignore[no-untyped-call]
    seconds, bare = best_of(ours, lambda: bare_imu(path))
    benchmark.extra_info["ratio"] = seconds / bare


def test_opening_ten_minutes(long_task: Task, benchmark: BenchmarkFixture) -> None:
    def opened() -> Recording:
        with open_recording(long_task.root, episode=1) as recording:
            return recording

    benchmark.pedantic(opened, rounds=3)  # type: ignore[no-untyped-call]
    seconds, bare = best_of(opened, lambda: bare_imu(long_task.path("data")))
    benchmark.extra_info["ratio_to_imu_read"] = seconds / bare


def test_a_thousand_episodes_are_listed(tmp_path: Path, benchmark: BenchmarkFixture) -> None:
    task = Task(tmp_path / "many")
    task.add(1, videos={"cam_rgb": "h264"})
    for number in range(2, 1001):
        for part, key, suffix in (("data", "", "parquet"), ("videos", "cam_rgb", "mp4")):
            target = task.path(part, number, key, suffix)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(task.path(part, 1, key, suffix), target)
        row = pa.table({name: [value] for name, value in meta_row(number, 12).items()})
        task.write_table(task.path("meta/episodes", number).relative_to(task.root).as_posix(), row)

    def bare() -> None:
        """Opening the two small files of each."""
        for number in range(1, 1001):
            for part in ("data", "meta/episodes"):
                pq.ParquetFile(task.path(part, number)).close()

    def ours() -> None:
        opened = open_path(task.root)
        assert isinstance(opened, EpisodeCollection)
        assert len(opened.episodes) == 1000

    benchmark.pedantic(ours, rounds=2)  # type: ignore[no-untyped-call]
    seconds, without = best_of(ours, bare, rounds=3)
    benchmark.extra_info["ratio"] = seconds / without


def test_one_force_matrix_costs_its_own_row(tmp_path: Path, benchmark: BenchmarkFixture) -> None:
    task = Task(tmp_path / "force")
    name = "observation.gripper_left_force_matrix"
    rng = np.random.default_rng(0)
    rows = [np.zeros(187_500, np.int16) for _ in range(60)]
    for row in rows:
        row[90_000:100_000] = rng.integers(-500, 500, 10_000)
    stamps = 88_000_000_000_000 + np.arange(60) * 33_333_333
    task.add(1, frames=60, videos={}, columns={name: lists(rows, pa.int16()), f"{name}_ns": stamps})
    with open_recording(task.root, episode=1) as recording:
        stream = recording.streams["gripper_left_force_matrix"]
        stream.read(59)  # on the way there all are kept, packed
        benchmark(lambda: stream.read(30))
        one, whole = best_of(
            lambda: stream.read(30), lambda: pq.read_table(task.path("data"), columns=[name])
        )
        benchmark.extra_info["share_of_reading_all"] = one / whole
