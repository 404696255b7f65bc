"""Whatever numbers a table holds: the episode opens, in order, or one line says why not."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from hfviewer.core.errors import HfviewerError
from hfviewer.readers.registry import open_path, open_recording
from tests.readers.episodes.tasks import Task, key_columns

FRAMES = 8
WHOLE = arrays.arrays(np.int64, FRAMES, elements=st.integers(-(2**63), 2**63 - 1))
SMALL = arrays.arrays(np.int64, FRAMES, elements=st.integers(-2, 9))
SINGLE = arrays.arrays(np.float64, FRAMES, elements=st.floats(allow_nan=True, allow_infinity=True))
COLUMNS = st.fixed_dictionaries(
    {},
    optional={
        "hardware_ns": st.one_of(WHOLE, SMALL),
        "raw_hw_ns": st.one_of(WHOLE, SMALL),
        "depth_ns": WHOLE,
        "host_ns": WHOLE,
        "frame_index": st.one_of(SMALL, WHOLE),
        "wall_time": SINGLE,
        "timestamp": SINGLE,
        "rgb_gap": SMALL,
        "rgb_dup": SMALL,
        "ts_src": SMALL,
        "observation.x_force_ns": WHOLE,
    },
)


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    made = Task(tmp_path_factory.mktemp("fuzz") / "t", info={"cameras": {"a_rgb": {}, "b_rgb": {}}})
    videos = {"a_rgb": f"h264:{FRAMES // 2}", "b_rgb": f"h264:{FRAMES // 2}", "a_depth": "depth12:3"}
    made.add(1, frames=FRAMES, videos=videos)
    return made


def write(task: Task, changed: dict[str, Any]) -> Path:
    columns = key_columns(1, FRAMES)
    columns["observation.x_force"] = pa.array([[1.0, 2.0, 3.0]] * FRAMES, pa.list_(pa.float32(), 3))
    columns |= {name: pa.array(values) for name, values in changed.items()}
    return task.write_table("data/chunk-000/episode-000.parquet", pa.table(columns))


@given(COLUMNS)
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_numbers_in_the_rows_open_in_order(task: Task, changed: dict[str, Any]) -> None:
    write(task, changed)
    with open_recording(task.root, episode=1) as recording:
        _ = recording.description, len(recording.windows)
        for stream in recording.streams.values():
            assert (np.diff(stream.timestamps_ns.astype(object)) >= 0).all()
            assert stream.description.frame_count == len(stream)


@given(st.data())
@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_damaged_bytes_anywhere_in_a_table_are_told(task: Task, data: st.DataObject) -> None:
    path = write(task, {})
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.sampled_from([len(content), len(content) // 2]))])
    _ = open_path(task.root)
    with open_recording(task.root, episode=1) as recording:
        for stream in recording.streams.values():
            if not len(stream):
                continue
            with contextlib.suppress(HfviewerError):
                stream.read(0)
