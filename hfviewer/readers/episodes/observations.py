"""Every other column of an episode's table as a stream: gloves, hands, grippers, trajectories, states.

A recorder writes one row a tick whether or not a sensor had anything new: an empty list, a row of zeros or
a stamp of 0 means "no new sample" and makes no frame. Rows of several cameras written in one tick carry the
same snapshot; it is taken once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hfviewer.core.errors import DamagedRecordingError
from hfviewer.core.finding import Finding
from hfviewer.core.recording import Stream
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.columns import ColumnStream, TextStream
from hfviewer.readers.episodes.evidence import told
from hfviewer.readers.episodes.force import LENGTH, SIDE, ForceStream, scale_of
from hfviewer.readers.episodes.gloves import CELLS, CHANNELS, is_left, unfold_left
from hfviewer.readers.episodes.parquet import numbers, rows_of
from hfviewer.readers.episodes.source import POPPED, Source, first_of_tick, host_slot
from hfviewer.readers.episodes.spool import RowSpool
from hfviewer.readers.episodes.timeline import samples_map
from hfviewer.readers.episodes.trajectory import single_poses, trajectory

_NEWTON = tuple(Channel(name, "mN") for name in ("fx", "fy", "fz"))
_STATE = (Channel("opening", "%"), Channel("gripped", ""), Channel("fz", "mN"))
_SCAN_BYTES = 512 << 20


@dataclass(frozen=True, slots=True)
class _Shape:
    """What a column of a fixed number of values is."""

    role: str
    channels: tuple[Channel, ...]
    note: str = ""


def observation_streams(source: Source) -> tuple[list[Stream], list[Finding]]:
    """Streams of all columns but those of rows, videos and the IMU, in the order of the table.

    Returns:
        The streams, and a finding for each column that cannot be read.
    """
    streams: list[Stream] = []
    findings: list[Finding] = []
    names = source.table.column_names
    for name in names:
        if not _is_observation(name, names):
            continue
        with told(findings, source.table.path.name, stream=layout.stream_name(name)):
            streams += _streams_of(source, name)
    return streams, findings


def _is_observation(name: str, names: Sequence[str]) -> bool:
    if name in (*layout.ROW_COLUMNS, layout.TASK_INDEX, layout.IMU, layout.IMU_STAMPS):
        return False
    return not (name.endswith("_ns") and name.removesuffix("_ns") in names)


def _streams_of(source: Source, name: str) -> list[Stream]:
    kind = source.table.type_of(name)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return [_states(source, name)]
    if not _is_list(kind):
        return (
            [_numbers(source, name, _Shape("", (Channel(layout.stream_name(name)),)))]
            if _is_number(kind)
            else []
        )
    if name.endswith("slam_trajectory"):
        return trajectory(source, name)
    if name.endswith("force_matrix"):
        return [_forces(source, name)]
    shape = _shape_of(source, name, kind)
    if shape is None:
        return []
    return [single_poses(source, name)] if shape.role == "trajectory" else [_numbers(source, name, shape)]


def _shape_of(source: Source, name: str, kind: pa.DataType) -> _Shape | None:
    """What a list column holds; None for lists of lists and of texts that nobody knows."""
    if not _is_number(kind.value_type):
        return None
    width = kind.list_size if pa.types.is_fixed_size_list(kind) else None
    if width is None:
        width = rows_of(source.table.column(name)).shape[1]
    if name.endswith("slam_pose") and width == 7:
        return _Shape("trajectory", ())
    if name.endswith("hand_pose") and width == 63:
        return _Shape("hand_pose", _points(21), "21 points, wrist first (MANO order); zeros mean none.")
    if name.endswith("_imu_quat") and width == 64:
        return _Shape("glove_quaternions", _quaternions(16))
    if name.endswith("_imu_valid") and width == 16:
        return _Shape("glove_valid", tuple(Channel(f"valid {i}") for i in range(16)))
    if name.endswith("gripper_state") and width == 3:
        return _Shape("gripper_state", _STATE)
    if name.endswith("_force") and width == 3:
        return _Shape("force", _NEWTON)
    if width == CELLS:
        left = is_left(name)
        folded = "A left glove, unfolded into the right hand's layout." if left else "Right hand's layout."
        return _Shape("touch_map", CHANNELS, f"16×16 cells, raw counts. {folded}")
    role = "action" if name == layout.ACTION else ""
    return _Shape(role, tuple(Channel(f"{layout.stream_name(name)} {i}") for i in range(width)))


def _numbers(source: Source, name: str, shape: _Shape) -> ColumnStream:
    """A column with one sample of fixed size a row."""
    table, width = source.table, len(shape.channels)
    column = table.column(name)
    values = _matrix(column, width)
    # Zeros are what the recorder fills up with. A column that we do not know may mean them, and so may
    # actions once there are any: so far they are a placeholder.
    present = _any(values)
    if shape.role == "" or (shape.role == "action" and present.any()):
        present[:] = True
    rows, stamps_ns, words, clock = _times(source, name, present)
    unfold = shape.role == "touch_map" and is_left(name)
    is_double = values.dtype.itemsize == 8

    def load() -> NDArray[np.floating]:
        picked = _matrix(table.column(name), width)[rows]
        return unfold_left(picked) if unfold else picked

    description = StreamDescription(
        name=layout.stream_name(name),
        kind=StreamKind.SIGNAL,
        encoding="f64" if is_double else "f32",
        clock=clock,
        channels=shape.channels,
        role=shape.role,
        note=" ".join(part for part in (shape.note, words) if part),
    )
    size = values.dtype.itemsize * width * len(rows)
    return ColumnStream(description, stamps_ns, load, path=str(table.path), rows=rows, stored_bytes=size)


def _forces(source: Source, name: str) -> ForceStream:
    """Force matrices; their rows are told by their stamps, so that none has to be read for it."""
    table = source.table
    kind = table.type_of(name)
    if not (pa.types.is_int16(kind.value_type) or pa.types.is_floating(kind.value_type)):
        raise DamagedRecordingError(f"{name} holds neither 16-bit integers nor floats.")
    spool = RowSpool(table, name, LENGTH)
    stamp_name = f"{name}_ns"
    if stamp_name in table.column_names:
        present = numbers(table.column(stamp_name), np.int64) != 0
    else:
        present = np.zeros(table.row_count, bool)
        present[_rows_with_forces(source, name, spool)] = True
    rows, stamps_ns, words, clock = _times(source, name, present)
    is_raw = bool(pa.types.is_floating(kind.value_type))
    scale, scaled = scale_of(name, source.meta.force_specs, source.info.features, is_raw=is_raw)
    description = StreamDescription(
        name=layout.stream_name(name),
        kind=StreamKind.MATRIX,
        encoding="f32",
        clock=clock,
        width=SIDE,
        height=SIDE,
        channels=_NEWTON,
        role="force_matrix",
        note=f"Scale: {scaled}. {words}",
        extra=MappingProxyType({"scale": scale, "stored_as": "float32" if is_raw else "int16 differences"}),
        stored_bytes=len(rows) * LENGTH * spool.dtype.itemsize,
    )
    return ForceStream(description, stamps_ns, rows, spool, scale, path=str(table.path))


def _rows_with_forces(source: Source, name: str, spool: RowSpool) -> NDArray[np.intp]:
    """Rows that hold a matrix where no stamps say so (before v1.3.3).

    All are read once, unless that would take minutes: then those with a force beside them are taken.
    """
    force = name.removesuffix("_matrix")
    if source.table.claimed_bytes(name) > _SCAN_BYTES and force in source.table.column_names:
        return np.flatnonzero(_any(_matrix(source.table.column(force), 3)))
    return spool.filled_rows()


def _states(source: Source, name: str) -> TextStream:
    """A device's state: one frame whenever it changes, and one at the start."""
    column = source.table.column(name)
    codes = column.dictionary_encode()
    indices = codes.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    words = [str(value)[:1000] if value is not None else None for value in codes.dictionary.to_pylist()]
    changes = np.flatnonzero(np.diff(indices, prepend=-2) != 0)
    description = StreamDescription(
        name=layout.stream_name(name),
        kind=StreamKind.TEXT,
        encoding="json",
        clock=Clock.HOST,
        role="status" if name.startswith(layout.STATUS) else "",
        note=f"One frame whenever it changes. Time: {layout.WALL_TIME} of its row.",
    )
    values = [None if indices[row] < 0 else words[indices[row]] for row in changes]
    return TextStream(
        description,
        source.timeline.wall_ns[changes],
        values,
        path=str(source.table.path),
        rows=changes,
    )


def _times(
    source: Source, name: str, present: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.int64], str, Clock]:
    """Rows with a sample of their own, when each was, and how that is known."""
    timeline, stamp_name = source.timeline, f"{name}_ns"
    if stamp_name in source.table.column_names and _is_number(source.table.type_of(stamp_name)):
        stamps = numbers(source.table.column(stamp_name), np.int64)
        rows = np.flatnonzero(present & (stamps != 0))
        if len(rows):
            _, first = np.unique(stamps[rows], return_index=True)
            rows = rows[np.sort(first)]  # one sample, however many cameras' rows carry it
            mapping, words = samples_map(stamps[rows], rows, timeline, host_slot(timeline))
            return rows, mapping.apply(stamps[rows]), f"Time: {stamp_name}, {words}.", Clock.HOST
    rows = first_of_tick(timeline, present)
    return rows, timeline.wall_ns[rows], POPPED, Clock.HOST


def _matrix(column: pa.Array, width: int) -> NDArray[np.floating]:
    if not _is_list(column.type):
        return numbers(column, np.float64).reshape(-1, 1)
    values = rows_of(column, width)
    return values if values.dtype in (np.float32, np.float64) else values.astype(np.float64)


def _any(values: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Rows that are not all zeros."""
    return np.asarray((values != 0).any(axis=1), np.bool_)


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _points(count: int) -> tuple[Channel, ...]:
    return tuple(Channel(f"p{i}_{axis}", "m") for i in range(count) for axis in "xyz")


def _quaternions(count: int) -> tuple[Channel, ...]:
    return tuple(Channel(f"q{i}_{part}") for i in range(count) for part in "xyzw")
