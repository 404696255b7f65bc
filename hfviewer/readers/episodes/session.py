"""A session of v1.0 as a recording."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.errors import DamagedRecordingError, HfviewerError
from hfviewer.core.finding import Finding
from hfviewer.core.json_number import as_number, as_whole
from hfviewer.core.recording import Recording, RecordingDescription, Stream
from hfviewer.core.stream import Clock, StreamDescription, StreamKind
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.clock import wall_to_ns
from hfviewer.readers.episodes.closing import close_all
from hfviewer.readers.episodes.depth_files import DepthFileStream
from hfviewer.readers.episodes.evidence import drop_findings, told, unreadable
from hfviewer.readers.episodes.imu import imu_stream, read_stamps
from hfviewer.readers.episodes.info import TaskInfo, parse_info, read_json
from hfviewer.readers.episodes.meta_row import MetaRow
from hfviewer.readers.episodes.observations import observation_streams
from hfviewer.readers.episodes.parquet import numbers
from hfviewer.readers.episodes.session_files import (
    TIMESTAMPS,
    SessionFiles,
    find_session,
)
from hfviewer.readers.episodes.slots import NO_CAMERA, Slots, split_rows
from hfviewer.readers.episodes.source import Source
from hfviewer.readers.episodes.table import EpisodeTable
from hfviewer.readers.episodes.timeline import Timeline, all_times, wall_of
from hfviewer.readers.episodes.videos import open_videos, video_streams
from hfviewer.readers.video.stream import VideoStream

FORMAT = "episodes"
_WINDOW_NS = 100_000_000
_MOST_ROWS = 5_000_000
_ROW_TYPES = {
    layout.FRAME_INDEX: pa.int64(),
    layout.TIMESTAMP: pa.float64(),
    layout.WALL_TIME: pa.float64(),
    layout.HARDWARE_NS: pa.int64(),
}


class SessionRecording(Recording):
    """One session, opened as far as it can be.

    Args:
        root: its folder.

    Raises:
        DamagedRecordingError: nothing of it can be opened.
    """

    def __init__(self, root: Path) -> None:
        self._files = find_session(root)
        self._info = _info_of(self._files)
        self._findings: list[Finding] = []
        self._tables: list[EpisodeTable] = []
        streams: dict[str, Stream] = {}
        try:
            self._assemble(streams)
        except BaseException:
            self._close(streams)
            raise
        self._streams = MappingProxyType(streams)
        drops = self._files.metadata.get("drop_stats")
        self._findings += drop_findings(
            MetaRow(drop_stats=drops if isinstance(drops, dict) else {}), list(streams)
        )
        if not streams:
            first = self._findings[0].message if self._findings else ""
            problem = f"Nothing of this session can be opened. {first}".strip()
            raise DamagedRecordingError(problem, remedy="Copy it again.", path=root)

    @cached_property
    def description(self) -> RecordingDescription:
        return RecordingDescription(
            path=str(self._files.root),
            format=FORMAT,
            title=self._files.root.name,
            span=timing.robust_span([s.timestamps_ns for s in self._streams.values() if len(s)]),
            window_ns=_WINDOW_NS,
            findings=tuple(self._findings),
            metadata=MappingProxyType({"session": dict(self._files.metadata)}),
        )

    @property
    def streams(self) -> Mapping[str, Stream]:
        return self._streams

    def close(self) -> None:
        self._close(self._streams)

    def _close(self, streams: Mapping[str, Stream]) -> None:
        close_all(streams.values(), self._tables)

    def _assemble(self, streams: dict[str, Stream]) -> None:
        root = self._files.root
        videos = open_videos(self._files.videos, self._info, root, has_frames=True)
        self._findings += videos.findings
        start_s = as_number(self._files.metadata.get("created_at"))
        tables = self._open_tables()
        imu_table = next((t for t in tables if layout.IMU_STAMPS in t.column_names), None)
        imu = None
        if imu_table is not None:
            with told(self._findings, self._relative(imu_table.path), stream="imu"):
                imu = read_stamps(imu_table)
        timeline = self._timeline(videos.rgb_keys(self._info), videos.opened, start_s, imu)
        start_ns = None if start_s is None else int(wall_to_ns(np.array([start_s]))[0])
        streams.update(video_streams(videos, self._info, timeline, start_ns=start_ns))
        for stream in streams.values():
            if isinstance(stream, VideoStream):
                self._findings += stream.findings
        for slot, paths in self._files.depth_pictures.items():
            depth = self._depth_files(slot, paths, timeline)
            if depth is not None:
                streams[slot] = depth
        if timeline is None:
            return
        for table in tables:
            own = _timeline_of(table, timeline)
            if imu is not None and table is imu_table:
                streams["imu"] = imu_stream(table, *imu, own)
            others, findings = observation_streams(
                Source(table=table, timeline=own, info=self._info, meta=MetaRow())
            )
            self._findings += findings
            for other in others:
                streams.setdefault(other.description.name, other)

    def _open_tables(self) -> list[EpisodeTable]:
        for path in self._files.tables.values():
            with told(self._findings, self._relative(path)):
                table = EpisodeTable(path, None)
                self._findings += table.findings
                self._tables.append(table)
        return self._tables

    def _timeline(
        self,
        keys: list[str],
        opened: Mapping[str, Any],
        start_s: float | None,
        imu: tuple[NDArray[np.int64], NDArray[np.int64]] | None,
    ) -> Timeline | None:
        """When the rows of ``timestamps.json`` were; None where it is missing or void."""
        columns = self._rows()
        wall_ns = None if columns is None else wall_of(columns, start_s)
        if columns is None or wall_ns is None:
            return None
        frame_index = numbers(columns[layout.FRAME_INDEX], np.int64)
        slots = split_rows(
            frame_index,
            keys or [NO_CAMERA],
            frame_counts={key: video.frame_count for key, video in opened.items()},
            hardware_ns=numbers(columns[layout.HARDWARE_NS], np.int64),
            wall_ns=wall_ns,
            imu_counts=None,
        )
        times = all_times(
            slots, wall_ns, columns, app_version=(1, 0), samples_ns=None if imu is None else imu[0]
        )
        return Timeline(wall_ns=wall_ns, slots=slots, times=times, frame_index=frame_index, columns=columns)

    def _rows(self) -> dict[str, pa.Array] | None:
        try:
            document = read_json(self._files.root / TIMESTAMPS)
        except HfviewerError as error:
            self._findings.append(unreadable(TIMESTAMPS, error.problem))
            return None
        except OSError:
            self._findings.append(
                unreadable(TIMESTAMPS, "The file is missing; times of the videos are even.")
            )
            return None
        rows = document.get("timestamps") if isinstance(document, dict) else None
        if not isinstance(rows, list) or not rows or len(rows) > _MOST_ROWS:
            self._findings.append(unreadable(TIMESTAMPS, "It holds no rows."))
            return None
        try:
            values = {name: [row.get(name) or 0 for row in rows] for name in _ROW_TYPES}
            return {name: pa.array(values[name], kind) for name, kind in _ROW_TYPES.items()}
        except (pa.ArrowException, AttributeError, TypeError, ValueError, OverflowError):
            self._findings.append(unreadable(TIMESTAMPS, "Its rows are damaged."))
            return None

    def _depth_files(self, slot: str, paths: list[Path], timeline: Timeline | None) -> DepthFileStream | None:
        raw = paths[0].suffix == ".bin"
        camera = self._info.cameras.get(slot)
        sizes = camera if isinstance(camera, dict) else {}
        width, height = (_pixels(sizes.get(side)) for side in ("width", "height"))
        if raw and (width is None or height is None):
            self._findings.append(unreadable(f"depth/{slot}", "Nothing says how wide its raw pictures are."))
            return None
        stamps_ns, words, clock = _depth_times(len(paths), timeline)
        description = StreamDescription(
            name=slot,
            kind=StreamKind.DEPTH,
            encoding="raw" if raw else "png16",
            clock=clock,
            width=width if raw else None,
            height=height if raw else None,
            pixel_format="mono16" if raw else "",
            depth_unit_mm=1.0,
            note=f"Millimetres, one file a frame. {words}",
        )
        return DepthFileStream(description, stamps_ns, paths)

    def _relative(self, path: Path) -> str:
        return path.relative_to(self._files.root).as_posix()


def _timeline_of(table: EpisodeTable, timeline: Timeline) -> Timeline:
    """Times of a sensor's own rows: those of the frames that they name."""
    count = table.row_count
    indices = table.rows.get(layout.FRAME_INDEX)
    frames = np.arange(count) if indices is None else numbers(indices, np.int64)
    known, first = np.unique(timeline.frame_index, return_index=True)
    place = np.clip(known.searchsorted(frames), 0, len(known) - 1)
    everything = np.arange(count)
    return Timeline(
        wall_ns=timeline.wall_ns[first[place]],
        slots=Slots({}, everything, True, True, "rows of a sensor of its own"),
        times=timeline.times,
        frame_index=frames,
        columns=table.rows,
    )


def _depth_times(count: int, timeline: Timeline | None) -> tuple[NDArray[np.int64], str, Clock]:
    """Times of numbered depth files: row by row where there are as many, else spread and said to be so."""
    if timeline is not None and timeline.times:
        key, times = next(iter(timeline.times.items()))
        rows_ns = np.sort(times.rows_ns)
        if len(rows_ns) == count:
            return rows_ns, f"Time: that of the rows of {key}.", times.clock
        spread = np.linspace(0, int(rows_ns[-1] - rows_ns[0]), count).astype(np.int64) + rows_ns[0]
        words = (
            f"Time: {count} files and {len(rows_ns)} rows, for only new frames were kept. Which belongs to"
            " which row is not stored: they are spread evenly and cannot be aligned with pictures."
        )
        return spread, words, Clock.NOMINAL
    steps = np.arange(count, dtype=np.int64) * 33_333_333
    return steps, "Time: nothing says when they were taken; 30 a second are assumed.", Clock.NOMINAL


def _pixels(value: object) -> int | None:
    number = as_whole(value)
    return number if number is not None and 0 < number < 1 << 16 else None


def _info_of(files: SessionFiles) -> TaskInfo:
    """The session's metadata in the form of a task's."""
    cameras = files.metadata.get("cameras")
    document = {
        "task_name": files.root.name,
        "cameras": cameras if isinstance(cameras, dict) else {},
        "fps": files.metadata.get("fps"),
    }
    return parse_info(document, files.root)
