"""What was worked out of an episode's pictures afterwards: hand keypoints and labels made by a program.

They lie in a mirror beside the recordings, ``keypoints_output/<task>/episode_<N>/``, row by row for frames of
the episode's first colour camera (formats/pooled.md, 12).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hfviewer.core.errors import DamagedRecordingError
from hfviewer.core.finding import Finding
from hfviewer.core.json_number import as_whole
from hfviewer.core.recording import Stream
from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.columns import ColumnStream, TextStream
from hfviewer.readers.episodes.evidence import told
from hfviewer.readers.episodes.parquet import ParquetTable, numbers, rows_of
from hfviewer.readers.episodes.timeline import SlotTimes

HANDS, POINTS = 2, 21
_2D = HANDS * (2 * POINTS + 4)
_MOST_LINES = 1_000_000
_MOST_BYTES = 64 << 20
_CHANNELS_2D = tuple(
    Channel(f"hand{h}_{name}", "px")
    for h in range(HANDS)
    for name in (*(f"p{i}_{axis}" for i in range(POINTS) for axis in "xy"), "x1", "y1", "x2", "y2")
)
_CHANNELS_3D = tuple(
    Channel(f"hand{h}_p{i}_{axis}", "m") for h in range(HANDS) for i in range(POINTS) for axis in "xyz"
)


def mirror_of(task: Path, number: int) -> Path | None:
    """The folder of an episode's keypoints; None where there is none beside the recordings."""
    name = layout.KEYPOINTS_EPISODE.format(number)
    root = task.resolve()
    for base in (root.parent, root.parent.parent, root):
        folder = base / layout.KEYPOINTS_ROOT / root.name / name
        if folder.is_dir():
            return folder
    return None


def keypoint_streams(folder: Path, camera: str, times: SlotTimes) -> tuple[list[Stream], list[Finding]]:
    """Streams of all that lies in the mirror, and a finding for each part that cannot be read.

    Args:
        folder: of the episode, as `mirror_of` finds it.
        camera: the first colour camera, whose frames the rows count.
        times: of its frames.
    """
    streams: list[Stream] = []
    findings: list[Finding] = []
    parts: tuple[tuple[str, Callable[[Path, str, NDArray[np.int64]], Stream]], ...] = (
        (layout.KEYPOINTS_2D, _keypoints_2d),
        (layout.KEYPOINTS_3D, _keypoints_3d),
        (layout.AUTO_LABELS, _auto_labels),
        (layout.AUTO_ACTIONS, _auto_actions),
    )
    for relative, make in parts:
        path = folder / relative
        if not path.is_file():
            continue
        with told(findings, f"{folder.name}/{relative}"):
            streams.append(make(path, camera, times.rows_ns))
    return streams, findings


def _keypoints_2d(path: Path, camera: str, rows_ns: NDArray[np.int64]) -> ColumnStream:
    """Pixels of both hands; a hand that was not found is NaN."""
    columns = _read(path, ["frame_index", "hand_data"])
    keep, frames = _frames(columns["frame_index"], len(rows_ns))
    values = rows_of(columns["hand_data"], _2D)[keep].astype(np.float32)
    hands = values.reshape(-1, HANDS, _2D // HANDS)
    found = (hands[:, :, -2] > 1) & (hands[:, :, -1] > 1)  # a box that reaches beyond the first pixel
    hands[~found] = np.nan
    description = StreamDescription(
        name="hand_pose_2d",
        kind=StreamKind.SIGNAL,
        encoding="f32",
        channels=_CHANNELS_2D,
        role="hand_keypoints",
        frame=camera,
        note=f"Worked out of {camera} afterwards, in its pixels; time: that of its frames. NaN: no hand.",
        extra={"image_stream": camera},
    )
    return ColumnStream(description, rows_ns[frames], lambda: values, path=str(path), rows=frames)


def _keypoints_3d(path: Path, camera: str, rows_ns: NDArray[np.int64]) -> ColumnStream:
    """Metres of both hands; a hand that was not found is NaN."""
    names = [f"hand_{h}_{part}" for h in range(HANDS) for part in ("present", "landmarks_3d")]
    columns = _read(path, ["frame_index", *names])
    keep, frames = _frames(columns["frame_index"], len(rows_ns))
    parts: list[NDArray[np.float32]] = []
    for hand in range(HANDS):
        points = rows_of(columns[f"hand_{hand}_landmarks_3d"], 3 * POINTS)[keep].astype(np.float32)
        present = columns[f"hand_{hand}_present"]
        there = np.asarray(present.fill_null(False).to_numpy(zero_copy_only=False), bool)[keep]
        points[~there] = np.nan
        parts.append(points)
    values = np.concatenate(parts, axis=1)
    description = StreamDescription(
        name="hand_pose_3d",
        kind=StreamKind.SIGNAL,
        encoding="f32",
        channels=_CHANNELS_3D,
        role="hand_keypoints_3d",
        note=f"Worked out of {camera} afterwards; time: that of its frames. NaN: no hand.",
        extra={"image_stream": camera},
    )
    return ColumnStream(description, rows_ns[frames], lambda: values, path=str(path), rows=frames)


def _auto_labels(path: Path, camera: str, rows_ns: NDArray[np.int64]) -> TextStream:
    """One JSON object a frame, with every column of the file."""
    table = ParquetTable(path)
    try:
        columns = table.read(table.column_names)
    finally:
        table.close()
    if "frame_index" not in columns:
        raise DamagedRecordingError("It has no column frame_index.", path=path)
    keep, frames = _frames(columns["frame_index"], len(rows_ns))

    def value(place: int) -> dict[str, Any]:
        row = int(keep[place])
        return {name: column[row].as_py() for name, column in columns.items()}

    description = StreamDescription(
        name="auto_labels",
        kind=StreamKind.TEXT,
        encoding="json",
        role="auto_labels",
        note=f"Made by a program out of {camera}; time: that of its frames.",
    )
    return TextStream(description, rows_ns[frames], value, path=str(path), rows=frames)


def _auto_actions(path: Path, camera: str, rows_ns: NDArray[np.int64]) -> TextStream:
    """One JSON object where an action begins; it says with which frame it ends."""
    if path.stat().st_size > _MOST_BYTES:
        raise DamagedRecordingError("It is too large.", path=path)
    found: list[dict[str, Any]] = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines()[:_MOST_LINES]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and _is_frame(value.get("start_frame"), len(rows_ns)):
            found.append(value)
    frames = np.array([value["start_frame"] for value in found], np.intp)
    description = StreamDescription(
        name="auto_actions",
        kind=StreamKind.TEXT,
        encoding="json",
        role="auto_labels",
        note=f"Actions that a program saw in {camera}, each where it begins.",
    )
    return TextStream(description, rows_ns[frames], found, path=str(path), rows=frames)


def _read(path: Path, columns: list[str]) -> dict[str, pa.Array]:
    table = ParquetTable(path)
    try:
        missing = [name for name in columns if name not in table.column_names]
        if missing:
            raise DamagedRecordingError(f"It has no column {missing[0]}.", path=path)
        return table.read(columns)
    finally:
        table.close()


def _frames(column: pa.Array, count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows of the file that belong to a frame of the camera, and which frame each belongs to."""
    frames = numbers(column, np.int64)
    keep = np.flatnonzero((frames >= 0) & (frames < count))
    return keep, frames[keep].astype(np.intp)


def _is_frame(value: object, count: int) -> bool:
    number = as_whole(value)
    return number is not None and 0 <= number < count
