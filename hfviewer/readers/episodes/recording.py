"""One episode as a recording."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from hfviewer.core import timing
from hfviewer.core.errors import DamagedRecordingError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.geometry import Calibration
from hfviewer.core.recording import Recording, RecordingDescription, Stream
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.calibration import read_calibration
from hfviewer.readers.episodes.clock import wall_to_ns
from hfviewer.readers.episodes.closing import close_all
from hfviewer.readers.episodes.evidence import drop_findings, told, unreadable
from hfviewer.readers.episodes.files import EpisodeFiles
from hfviewer.readers.episodes.imu import imu_stream, read_stamps
from hfviewer.readers.episodes.info import TaskInfo
from hfviewer.readers.episodes.keypoints import keypoint_streams, mirror_of
from hfviewer.readers.episodes.meta_row import MetaRow, read_meta_row
from hfviewer.readers.episodes.observations import observation_streams
from hfviewer.readers.episodes.parquet import numbers
from hfviewer.readers.episodes.slots import NO_CAMERA, split_rows
from hfviewer.readers.episodes.source import Source
from hfviewer.readers.episodes.table import EpisodeTable
from hfviewer.readers.episodes.timeline import Timeline, all_times, wall_of
from hfviewer.readers.episodes.videos import Videos, missing_videos, open_videos, video_streams
from hfviewer.readers.video.stream import VideoStream

FORMAT = "episodes"
_WINDOW_NS = 100_000_000


class EpisodeRecording(Recording):
    """One episode of a task, opened as far as it can be; what cannot is a finding.

    Args:
        root: folder of the task.
        info: of the task.
        files: of the episode.

    Raises:
        DamagedRecordingError: nothing of it can be opened.
    """

    def __init__(self, root: Path, info: TaskInfo, files: EpisodeFiles) -> None:
        self.task_path = root
        self.number = files.number
        self._info = info
        self._chunk, self._file = layout.place_of(files.number, info.chunks_size)
        self._findings: list[Finding] = list(info.findings)
        self._meta = self._read_meta(files)
        has_frames = self._meta.length != 0
        self._videos = open_videos(files.videos, info, root, has_frames=has_frames)
        self._table = self._open_table(files, has_frames)
        self._timeline: Timeline | None = None
        streams: dict[str, Stream] = {}
        try:
            self._assemble(streams)
        except BaseException:
            self._close(streams)
            raise
        self._streams = MappingProxyType(streams)
        self._findings += self._videos.findings
        for stream in streams.values():
            if isinstance(stream, VideoStream):
                self._findings += stream.findings
        self._findings += drop_findings(self._meta, list(streams))
        if not streams and has_frames:
            problem = next((f.message for f in self._findings if f.severity is Severity.ERROR), "")
            raise DamagedRecordingError(
                f"Nothing of episode {self.number} can be opened. {problem}".strip(),
                remedy="Copy the task again.",
                path=root,
            )

    @cached_property
    def description(self) -> RecordingDescription:
        return RecordingDescription(
            path=str(self.task_path),
            format=FORMAT,
            title=self.name,
            span=timing.robust_span([s.timestamps_ns for s in self._streams.values() if len(s)]),
            window_ns=_WINDOW_NS,
            finalized=True,
            calibration=self._calibration,
            findings=tuple(self._findings),
            metadata=MappingProxyType(self._metadata()),
        )

    @property
    def name(self) -> str:
        """As the recorder's own windows call it."""
        return layout.display_name(self._info.task_name, self._file)

    @property
    def annotations_path(self) -> Path:
        """Where annotations of this episode are kept, beside what the recorder wrote."""
        return self.task_path / layout.PathTemplate(layout.ANNOTATIONS_PATH).path(c=self._chunk, f=self._file)

    @property
    def streams(self) -> Mapping[str, Stream]:
        return self._streams

    @property
    def timeline(self) -> Timeline | None:
        """When its rows were; None where there is no table."""
        return self._timeline

    @property
    def table(self) -> EpisodeTable | None:
        """Its table; None where there is none."""
        return self._table

    def close(self) -> None:
        self._close(self._streams)

    def _close(self, streams: Mapping[str, Stream]) -> None:
        close_all(streams.values(), [] if self._table is None else [self._table])

    def _assemble(self, streams: dict[str, Stream]) -> None:
        created_at = self._meta.created_at
        start_ns = None if created_at is None else int(wall_to_ns(np.array([created_at]))[0])
        imu = None
        if self._table is not None:
            with told(self._findings, self._relative(self._table.path), stream="imu"):
                imu = read_stamps(self._table)
            self._timeline = self._make_timeline(self._table, self._videos, imu)
            self._findings += missing_videos(
                self._videos, self._stated_depth(), self._video_folder, has_rows=self._table.row_count > 0
            )
        streams.update(video_streams(self._videos, self._info, self._timeline, start_ns=start_ns))
        if self._table is not None and self._timeline is not None:
            self._findings += self._timeline.findings()
            if imu is not None:
                stamps_ns, counts = imu
                stream = imu_stream(self._table, stamps_ns, counts, self._timeline)
                streams[stream.description.name] = stream
            source = Source(table=self._table, timeline=self._timeline, info=self._info, meta=self._meta)
            others, findings = observation_streams(source)
            self._findings += findings
            for other in others:
                streams.setdefault(other.description.name, other)
            self._add_keypoints(streams)

    def _add_keypoints(self, streams: dict[str, Stream]) -> None:
        """What was worked out of its first camera afterwards, where that lies beside the recordings."""
        assert self._timeline is not None
        folder = mirror_of(self.task_path, self.number)
        camera = next((key for key in self._timeline.times if key in self._videos.opened), None)
        if folder is None or camera is None:
            return
        others, findings = keypoint_streams(folder, camera, self._timeline.times[camera])
        self._findings += findings
        for other in others:
            streams.setdefault(other.description.name, other)

    def _make_timeline(self, table: EpisodeTable, videos: Videos, imu: Any) -> Timeline | None:
        wall_ns = wall_of(table.rows, self._meta.created_at)
        if wall_ns is None:
            self._findings.append(
                unreadable(table.path.name, "It has no column that says when its rows were.")
            )
            return None
        count = table.row_count
        zeros = np.zeros(count, np.int64)
        keys = videos.rgb_keys(self._info)
        indices = table.rows.get(layout.FRAME_INDEX)
        frame_index = np.arange(count) if indices is None else numbers(indices, np.int64)
        hardware = table.rows.get(layout.HARDWARE_NS)
        slots = split_rows(
            frame_index,
            keys or [NO_CAMERA],
            frame_counts={key: v.frame_count for key, v in videos.opened.items()},
            hardware_ns=zeros if hardware is None else numbers(hardware, np.int64),
            wall_ns=wall_ns,
            imu_counts=None if imu is None else imu[1],
        )
        if not slots.certain:
            self._findings.append(_uncertain(slots.words))
        times = all_times(
            slots,
            wall_ns,
            table.rows,
            app_version=self._info.app_version,
            samples_ns=None if imu is None else imu[0],
        )
        return Timeline(
            wall_ns=wall_ns,
            slots=slots,
            times=times,
            frame_index=frame_index,
            columns=table.rows,
        )

    def _stated_depth(self) -> Mapping[str, object]:
        depth = self._meta.video_codec.get("depth")
        return depth if isinstance(depth, dict) else {}

    def _video_folder(self, key: str) -> Path:
        path = self._info.video_path.path(c=self._chunk, f=self._file, image_key=key, ext="mp4")
        return (self.task_path / path).parent

    def _read_meta(self, files: EpisodeFiles) -> MetaRow:
        if files.meta is None:
            self._findings.append(
                Finding(
                    code="damaged_metadata",
                    severity=Severity.WARNING,
                    message="There is no row about this episode in meta/episodes; its length is not checked.",
                    evidence="listing the task",
                )
            )
            return MetaRow()
        with told(self._findings, self._relative(files.meta)):
            return read_meta_row(files.meta, self.number)
        return MetaRow()

    def _open_table(self, files: EpisodeFiles, has_frames: bool) -> EpisodeTable | None:
        if files.data is None:
            if has_frames:
                name = self._info.data_path.path(c=self._chunk, f=self._file)
                self._findings.append(unreadable(name, "The file is missing; times of its videos are even."))
            return None
        with told(self._findings, self._relative(files.data)):
            table = EpisodeTable(files.data, self.number)
            self._findings += table.findings
            return table
        return None

    def _relative(self, path: Path) -> str:
        return path.relative_to(self.task_path).as_posix()

    @cached_property
    def _calibration(self) -> Calibration:
        cameras = self._meta.calibration or self._info.calibration
        return read_calibration(cameras, [k for k, s in self._streams.items() if isinstance(s, VideoStream)])

    def _metadata(self) -> dict[str, Any]:
        return {
            "task": dict(self._info.document),
            "episode": {
                "number": self.number,
                "chunk": self._chunk,
                "file": self._file,
                "annotations_path": str(self.annotations_path),
                "drop_stats": dict(self._meta.drop_stats),
                "video_codec": dict(self._meta.video_codec),
                "calibration": dict(self._meta.calibration),
                "force_matrix_specs": dict(self._meta.force_specs),
            },
        }


def _uncertain(words: str) -> Finding:
    return Finding(
        code="uncertain_rows",
        severity=Severity.WARNING,
        message=words[0].upper() + words[1:] + ".",
        evidence=layout.FRAME_INDEX,
    )
