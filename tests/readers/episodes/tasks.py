"""Tiny tasks of pooled episodes, written as the recorder writes them."""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from tests.video_clips import Clip, library, write_clip, x264, x265

START_S = 1_790_000_000.0
START_NS = 1_790_000_000_000_000_000
PERIOD_NS = 33_333_333
RATE = 30.0

TEMPLATES = {
    "data_path": "data/chunk-{c:03d}/episode-{f:03d}.parquet",
    "video_path": "videos/chunk-{c:03d}/{image_key}/episode-{f:03d}.{ext}",
    "episodes_path": "meta/episodes/chunk-{c:03d}/episode-{f:03d}.parquet",
}
TYPES = {
    "timestamp": pa.float32(),
    "wall_time": pa.float64(),
    "rgb_dup": pa.int8(),
    "depth_dup": pa.int8(),
    "ts_src": pa.int8(),
    "rgb_gap": pa.int32(),
    "depth_gap": pa.int32(),
    "action": pa.list_(pa.float32(), 1),
    "imu_ts_ns": pa.list_(pa.int64()),
    "observation.imu": pa.list_(pa.list_(pa.float32(), 6)),
}


@functools.cache
def clip_file(clip_name: str, frames: int) -> Path:
    """A clip, made once: ``h264``, ``hevc``, ``depth12`` or ``depth16``."""
    clips = {
        "h264": lambda: x264(12, frames=frames),
        "hevc": lambda: x265("keyint=12", frames=frames),
        "depth12": lambda: x265("qp=6:range=full", frames=frames, pixel_format="gray12le"),
        "depth16": lambda: Clip(codec="ffv1", frames=frames, pixel_format="gray16le"),
    }
    folder = library() / "episodes"
    folder.mkdir(exist_ok=True)
    suffix = "mkv" if clip_name == "depth16" else "mp4"
    return write_clip(folder / f"{clip_name}_{frames}.{suffix}", clips[clip_name]())


@dataclass
class Task:
    """A task directory.

    Args:
        root: of it.
        chunks_size: episodes a chunk.
        prefix: of file names; ``file`` before v1.1.2.
        info: keys of ``info.json`` beside the usual ones.
    """

    root: Path
    chunks_size: int = 1000
    prefix: str = "episode"
    info: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        (self.root / "meta").mkdir(parents=True, exist_ok=True)
        self.write_info()
        (self.root / "meta/tasks.jsonl").write_text('{"task_index": 0, "task": "杯子"}\n', encoding="utf-8")

    def write_info(self, **changed: Any) -> None:
        self.info |= changed
        templates = {key: text.replace("episode-", f"{self.prefix}-") for key, text in TEMPLATES.items()}
        usual = {"format": "pooled_episodes_v1", "chunks_size": self.chunks_size, **templates}
        usual |= {"fps": RATE, "task_name": self.root.name, "app_version": "1.3.10", "cameras": {}}
        path = self.root / "meta/info.json"
        path.write_text(json.dumps(usual | self.info, ensure_ascii=False), encoding="utf-8")

    def place(self, number: int) -> tuple[str, str]:
        chunk, file = divmod(number - 1, self.chunks_size)
        return f"chunk-{chunk:03d}", f"{self.prefix}-{file:03d}"

    def add(
        self,
        number: int = 1,
        *,
        frames: int = 12,
        videos: Mapping[str, str] | None = None,
        columns: Mapping[str, Any] | None = None,
        meta: Mapping[str, Any] | None = None,
        rows: bool = True,
    ) -> None:
        """One episode.

        Args:
            number: N.
            frames: rows, one a tick.
            videos: by slot, a clip's name, or ``name:frames``.
            columns: instead of and beside the usual key columns: lists, arrays or Arrow arrays.
            meta: columns of its row instead of and beside the usual ones.
            rows: False: no table.
        """
        chunk, name = self.place(number)
        for key, clip in ({"cam_rgb": "h264"} if videos is None else videos).items():
            clip_name, _, count = clip.partition(":")
            source = clip_file(clip_name, int(count or frames))
            target = self.root / "videos" / chunk / key / f"{name}{source.suffix}"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        if rows:
            table = pa.table(key_columns(number, frames) | arrays(columns or {}))
            self.write_table(f"data/{chunk}/{name}.parquet", table)
        row = meta_row(number, frames) | dict(meta or {})
        self.write_table(f"meta/episodes/{chunk}/{name}.parquet", pa.table({k: [v] for k, v in row.items()}))

    def write_table(self, relative: str, table: pa.Table) -> Path:
        path = self.root / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, path, compression="zstd")
        return path

    def path(self, part: str, number: int = 1, key: str = "", suffix: str = "parquet") -> Path:
        """Where a file of an episode lies: ``data``, ``meta/episodes`` or ``videos``."""
        chunk, name = self.place(number)
        return self.root / part / chunk / key / f"{name}.{suffix}"


def key_columns(number: int, frames: int, *, start_ns: int = 4_000_000_000_000) -> dict[str, pa.Array]:
    """The seven columns that every table has, as v1.3.10 writes them: rows written 4 ms late."""
    ticks = np.arange(frames)
    hardware_ns = start_ns + ticks * PERIOD_NS
    relative_s = ticks * PERIOD_NS / 1e9 + 0.004
    return arrays(
        {
            "episode_index": np.full(frames, number),
            "frame_index": ticks,
            "timestamp": relative_s.astype(np.float32),
            "task_index": np.zeros(frames, np.int64),
            "wall_time": START_S + relative_s,
            "hardware_ns": hardware_ns,
            "action": [[0.0]] * frames,
        }
    )


def captured(frames: int, *, start_ns: int = 4_000_000_000_000) -> dict[str, pa.Array]:
    """Key columns of v1.3.17: wall time is when a frame was taken."""
    ticks = np.arange(frames)
    relative_s = (ticks * PERIOD_NS / 1e9).astype(np.float32)
    stamps = start_ns + ticks * PERIOD_NS
    return arrays(
        {
            "timestamp": relative_s,
            "wall_time": START_S + relative_s.astype(np.float64),
            "hardware_ns": stamps,
            "raw_hw_ns": stamps,
        }
    )


def arrays(columns: Mapping[str, Any]) -> dict[str, pa.Array]:
    """Columns in the types that the recorder gives them."""
    found: dict[str, pa.Array] = {}
    for name, values in columns.items():
        if isinstance(values, pa.Array):
            found[name] = values
        elif isinstance(values, np.ndarray) and values.ndim == 2:
            flat = pa.array(values.reshape(-1))
            found[name] = pa.FixedSizeListArray.from_arrays(flat, values.shape[1])
        else:
            found[name] = pa.array(values, TYPES.get(name))
    return found


def lists(rows: Sequence[NDArray[Any]], dtype: pa.DataType) -> pa.Array:
    """A list column; an empty array is a row without a sample."""
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int32)
    flat = np.concatenate([np.asarray(row) for row in rows]) if rows else np.empty(0)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat, dtype))


def meta_row(number: int, frames: int) -> dict[str, Any]:
    """A row about an episode, as v1.3.10 writes it."""
    return {
        "episode_index": number,
        "task_index": 0,
        "start_frame_index": 0,
        "end_frame_index": max(0, frames - 1),
        "length": frames,
        "created_at": START_S,
        "duration_sec": frames / RATE,
        "drop_stats": '{"imu_overflow": 0}',
        "video_codec": '{"encoder": "libx264", "ffmpeg": "/home/somebody/bin/ffmpeg"}',
        "calibration": "{}",
        "force_matrix_specs": "{}",
    }
