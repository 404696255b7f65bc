"""Trajectories: where a SLAM on the gripper says that it was."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import DamagedRecordingError
from hfviewer.core.recording import Stream
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.clock import fit
from hfviewer.readers.episodes.columns import ColumnStream
from hfviewer.readers.episodes.parquet import flat_numbers, ragged, rows_of
from hfviewer.readers.episodes.source import POPPED, Source, first_of_tick, host_slot
from hfviewer.readers.episodes.timeline import samples_map

_POINT = 8  # t, x, y, z, qx, qy, qz, qw


def trajectory(source: Source, name: str) -> list[Stream]:
    """SLAM points, any number a row: a stream of poses, and their own time as a signal beside it."""
    table, timeline = source.table, source.timeline
    offsets, _ = ragged(table.column(name))
    lengths = np.diff(offsets)
    if (lengths % _POINT).any():
        raise DamagedRecordingError(f"{name}: a row holds no whole number of points of {_POINT} values.")
    rows = first_of_tick(timeline, lengths > 0)
    counts = lengths[rows] // _POINT
    row_of = np.repeat(rows, counts)
    # Where in the flat column each point that is kept begins.
    starts = np.repeat(offsets[:-1][rows] // _POINT, counts) + _counting(counts)

    def points() -> NDArray[np.float64]:
        _, values = ragged(table.column(name))
        rows: NDArray[np.float64] = flat_numbers(values).astype(np.float64).reshape(-1, _POINT)[starts]
        return rows

    stamps_ns, words, clock = _point_times(source, name, row_of, starts, points)
    path = str(table.path)
    poses = ColumnStream(
        pose_description(source, name, words, clock),
        stamps_ns,
        lambda: np.ascontiguousarray(points()[:, 1:]),
        path=path,
        stored_bytes=56 * len(starts),
    )
    own = StreamDescription(
        name=f"{layout.stream_name(name)}_t",
        kind=StreamKind.SIGNAL,
        encoding="f64",
        clock=clock,
        channels=(Channel("t", "s"),),
        note="Each trajectory point's own time: seconds on the camera's clock since its origin was set.",
    )
    times = ColumnStream(
        own, stamps_ns, lambda: np.ascontiguousarray(points()[:, :1]), path=path, stored_bytes=8 * len(starts)
    )
    return [poses, times]


def single_poses(source: Source, name: str) -> ColumnStream:
    """The old column of one pose a row (x, y, z, qx, qy, qz, qw); zeros mean none."""
    table, timeline = source.table, source.timeline
    present = np.asarray((rows_of(table.column(name), 7) != 0).any(axis=1), np.bool_)
    rows = first_of_tick(timeline, present)
    return ColumnStream(
        pose_description(source, name, POPPED, Clock.HOST),
        timeline.wall_ns[rows],
        lambda: rows_of(table.column(name), 7)[rows].astype(np.float64),
        path=str(table.path),
        rows=rows,
        stored_bytes=56 * len(rows),
    )


def _point_times(
    source: Source,
    name: str,
    row_of: NDArray[np.intp],
    starts: NDArray[np.intp],
    points: Callable[[], NDArray[np.float64]],
) -> tuple[NDArray[np.int64], str, Clock]:
    """When each trajectory point was: by its stamp, else by its own time fitted to its row's."""
    timeline, stamp_name = source.timeline, f"{name}_ns"
    if stamp_name in source.table.column_names:
        stamps = flat_numbers(ragged(source.table.column(stamp_name))[1]).astype(np.int64)
        if len(starts) and len(stamps) <= int(starts.max()):
            raise DamagedRecordingError(f"{stamp_name} holds fewer stamps than {name} has points.")
        picked = stamps[starts]
        known = picked != 0
        if known.any():
            mapping, words = samples_map(picked[known], row_of[known], timeline, host_slot(timeline))
            stamps_ns = timeline.wall_ns[row_of].copy()
            stamps_ns[known] = mapping.apply(picked[known])
            rest = int((~known).sum())
            unstamped = (
                f"; {rest} points without a stamp lie at their row's {layout.WALL_TIME}" if rest else ""
            )
            return stamps_ns, f"Time: {stamp_name}, {words}{unstamped}.", Clock.HOST
    own_ns = np.rint(points()[:, 0] * 1e9).astype(np.int64)
    mapping_or_none = fit(own_ns, timeline.wall_ns[row_of], np.empty(0, np.intp), late=True)
    if mapping_or_none is None:
        return timeline.wall_ns[row_of], POPPED, Clock.HOST
    words = (
        "Time: the points' own time, put on wall time by the earliest row that brought one;"
        " there are no stamps, so it is good to about 100 ms."
    )
    return mapping_or_none.apply(own_ns), words, Clock.HOST


def pose_description(source: Source, name: str, words: str, clock: Clock) -> StreamDescription:
    """A trajectory's description: in which frame, and where its axes point (contract 3.1)."""
    feature = source.info.features.get(name)
    stated = feature if isinstance(feature, dict) else {}
    frame = stated.get("frame")
    frame = frame if isinstance(frame, str) and frame else source.info.slam_frame
    axes = stated.get("frame_axes")
    if not isinstance(axes, dict) or not all(isinstance(part, str) for item in axes.items() for part in item):
        axes = dict(layout.FRAME_AXES.get(frame, {}))
    shown = ", ".join(f"{axis} {where}" for axis, where in axes.items()) or "axes not stated"
    return StreamDescription(
        name=layout.stream_name(name),
        kind=StreamKind.POSE,
        encoding="xyz_qxyzw_f64",
        clock=clock,
        frame=frame,
        role="trajectory",
        note=f"Frame {frame}: {shown}. The task states one frame for all its episodes. {words}",
        extra=MappingProxyType({"frame_axes": axes}),
    )


def _counting(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """0, 1, 2 … anew for each run of so many."""
    total = int(counts.sum())
    return np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
