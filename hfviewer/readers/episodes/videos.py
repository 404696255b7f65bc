"""The videos of an episode: which are there, which open, and which rows their frames belong to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.video.probe import VideoFile, VideoTrack
from hfviewer.core.errors import HfviewerError
from hfviewer.core.finding import Finding
from hfviewer.core.recording import RecorderEvidence
from hfviewer.core.stream import Clock, StreamDescription, StreamKind
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.evidence import evidence_of, unreadable
from hfviewer.readers.episodes.info import TaskInfo
from hfviewer.readers.episodes.parquet import numbers
from hfviewer.readers.episodes.timeline import SlotTimes, Timeline
from hfviewer.readers.episodes.video import EpisodeVideoStream, probe_track
from hfviewer.readers.video.stream import VideoStream, depth_scale_of


@dataclass(frozen=True, slots=True, eq=False)
class OpenVideo:
    """A video that opened."""

    key: str
    path: Path
    file: VideoFile
    track: VideoTrack

    @property
    def is_depth(self) -> bool:
        """By pixel format, never by name: a numbered depth slot does not end in ``_depth``."""
        return depth_scale_of(self.track) is not None

    @property
    def frame_count(self) -> int:
        return self.track.table.frame_count


@dataclass(slots=True, eq=False)
class Videos:
    """All videos of an episode.

    Args:
        opened: by slot.
        broken: slots whose video cannot be opened.
        findings: why not.
    """

    opened: dict[str, OpenVideo] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def rgb_keys(self, info: TaskInfo) -> list[str]:
        """Slots that have rows of their own, in the order of writing; broken ones included."""
        keys = [key for key, video in self.opened.items() if not video.is_depth]
        keys += [key for key in self.broken if key in info.cameras or not key.endswith("_depth")]
        return layout.slot_order(keys, info.cameras)

    def depth_keys(self) -> list[str]:
        """Depth slots that opened."""
        return [key for key, video in self.opened.items() if video.is_depth]


def open_videos(
    files: Mapping[str, Sequence[Path]], info: TaskInfo, root: Path, *, has_frames: bool
) -> Videos:
    """Open every video of an episode, as far as each can be.

    Args:
        files: by slot.
        info: of the task.
        root: of the task.
        has_frames: False for an episode that ended before its first frame: then no video is missed.
    """
    videos = Videos()
    for key, paths in sorted(files.items()):
        path = _choose(key, paths, info)
        name = path.relative_to(root).as_posix()
        try:
            file, track = probe_track(path)
        except HfviewerError as error:
            if has_frames:
                videos.broken.append(key)
                remedy = f" {error.remedy}" if error.remedy else ""
                videos.findings.append(unreadable(name, f"{error.problem}{remedy}", stream=key))
            continue
        except OSError as error:
            videos.broken.append(key)
            videos.findings.append(unreadable(name, f"It cannot be read ({error.strerror}).", stream=key))
            continue
        videos.opened[key] = OpenVideo(key, path, file, track)
    return videos


def missing_videos(
    videos: Videos, stated: Mapping[str, object], folder_of: Callable[[str], Path], *, has_rows: bool
) -> list[Finding]:
    """Videos that should be there: depth that the recorder says it encoded, and any picture at all.

    A slot without a folder anywhere in the chunk is a phantom: recorders list ``head_depth`` in tasks that
    never had depth (pooled.md, 3).

    Args:
        videos: that were found.
        stated: depth slots by the episode's ``video_codec``.
        folder_of: where a slot's videos lie.
        has_rows: the episode has a table with rows.
    """
    findings: list[Finding] = []
    for key in stated:
        if key in videos.opened or key in videos.broken or "/" in key or not folder_of(key).is_dir():
            continue
        findings.append(unreadable(key, "The recorder encoded depth for it, but the video is missing."))
    if has_rows and not any(not video.is_depth for video in videos.opened.values()) and not videos.broken:
        findings.append(unreadable("videos", "No colour video of this episode is there."))
    return findings


def video_streams(
    videos: Videos, info: TaskInfo, timeline: Timeline | None, *, start_ns: int | None
) -> dict[str, VideoStream]:
    """A stream for every video that opened: pictures in the order of slots, depth after its master.

    Args:
        videos: of the episode.
        info: of the task.
        timeline: when its rows were; None where there is no table.
        start_ns: of the episode, for videos without rows.
    """
    streams: dict[str, VideoStream] = {}
    rgb = videos.rgb_keys(info)
    masters = {
        key: layout.master_of(key, rgb, [list(d) for d in info.devices]) for key in videos.depth_keys()
    }
    order = [k for key in [*rgb, None] for k in (key, *(d for d, m in masters.items() if m == key))]
    for key in order:
        video = None if key is None else videos.opened.get(key)
        if video is None:
            continue
        if timeline is None or not timeline.times:
            streams[video.key] = _untimed(video, start_ns)
        elif video.is_depth:
            master = masters[video.key]
            streams[video.key] = _depth(video, timeline, master if master in timeline.times else None)
        else:
            streams[video.key] = _rgb(video, timeline)
    return streams


def _choose(key: str, paths: Sequence[Path], info: TaskInfo) -> Path:
    """Of several files of a slot, the one with the extension that the task states, else the usual one.

    What the task states is the newest episode's: it only decides where there is a choice.
    """
    wanted = [info.video_extensions.get(key), *layout.VIDEO_SUFFIXES]
    for suffix in wanted:
        for path in paths:
            if suffix is not None and path.suffix == f".{suffix}":
                return path
    return paths[0]


def _rgb(video: OpenVideo, timeline: Timeline) -> EpisodeVideoStream:
    times, rows = timeline.times[video.key], timeline.slots.rows[video.key]
    words = timeline.slots.words
    alone = timeline.slots.shared or len(timeline.slots.rows) == 1
    mixed = "" if alone else f" {words[0].upper()}{words[1:]}."
    description = StreamDescription(
        name=video.key,
        kind=StreamKind.IMAGE,
        encoding=video.track.codec,
        clock=times.clock,
        declared_rate_hz=_stated_rate(video),
        frame=video.key,
        note=f"Time: {times.words}.{mixed}",
    )
    return EpisodeVideoStream(
        video.file,
        video.track,
        description,
        rows_ns=times.rows_ns,
        numbers=timeline.frame_index[rows],
        evidence=_evidence(timeline, rows, (layout.RGB_GAP, layout.RGB_DUP)),
    )


def _depth(video: OpenVideo, timeline: Timeline, master: str | None) -> EpisodeVideoStream:
    """A depth stream: one frame for each row of its master, once the first depth frame had come.

    What is missing is missing at the head, and nothing in the files says so (pooled.md, 3).
    """
    key = next(iter(timeline.times)) if master is None else master
    times, all_rows = timeline.times[key], timeline.slots.rows[key]
    late = max(0, len(all_rows) - video.frame_count)
    rows, rows_ns = all_rows[late:], times.rows_ns[late:]
    own = _own_stamps(timeline, times, rows, rows_ns)
    head = f" It begins {late} rows later than {key}." if late else ""
    guess = "" if master is not None else f" Its camera is not there; the rows of {key} are taken."
    description = StreamDescription(
        name=video.key,
        kind=StreamKind.DEPTH,
        encoding=video.track.codec,
        clock=times.clock,
        declared_rate_hz=_stated_rate(video),
        frame=video.key,
        note=f"{_unit(video)} Time: that of the rows of {key}, {times.words}.{own}{head}{guess}",
    )
    return EpisodeVideoStream(
        video.file,
        video.track,
        description,
        rows_ns=rows_ns,
        numbers=timeline.frame_index[rows],
        evidence=_evidence(timeline, rows, (layout.DEPTH_GAP, layout.DEPTH_DUP)),
    )


def _own_stamps(
    timeline: Timeline, times: SlotTimes, rows: NDArray[np.intp], rows_ns: NDArray[np.int64]
) -> str:
    """How far a depth stream's own stamps lie from its rows; empty where it has none.

    A row's picture and depth belong together, so they share the row's time: a few µs between them would
    show the depth of the row before.
    """
    if layout.DEPTH_NS not in timeline.columns or times.device is None:
        return ""
    stamps_ns = numbers(timeline.columns[layout.DEPTH_NS], np.int64)[rows]
    known = stamps_ns != 0
    if not known.any():
        return ""
    offset_ns = int(np.median(times.device.apply(stamps_ns[known]) - rows_ns[known]))
    return f" Its own stamps ({layout.DEPTH_NS}) lie {offset_ns / 1e6:+.3f} ms from that."


def _untimed(video: OpenVideo, start_ns: int | None) -> VideoStream:
    """A video without a table: its own times, which say nothing of stalls."""
    base = video.track.table.timestamps_ns
    start = start_ns or 0
    first = int(base[0]) if len(base) else 0
    at = "the episode's start" if start_ns else "0"
    description = StreamDescription(
        name=video.key,
        kind=StreamKind.DEPTH if video.is_depth else StreamKind.IMAGE,
        encoding=video.track.codec,
        clock=Clock.NOMINAL,
        frame=video.key,
        note=f"{_unit(video)} Time: there is no table of rows, so the video's own even times are shown,"
        f" from {at} on; stalls and lost frames do not show in them.".strip(),
    )
    return VideoStream(video.file, video.track, description, timestamps_ns=base - first + start)


def _unit(video: OpenVideo) -> str:
    if not video.is_depth:
        return ""
    if video.track.pixel_format.startswith("gray12"):
        return "12-bit logarithmic codes (100 mm to 5 m); up to 110 mm counts as no measurement."
    return "Millimetres, lossless."


def _stated_rate(video: OpenVideo) -> float | None:
    """What the video claims: its constant frame rate has nothing to do with real time, but was aimed at."""
    stamps_ns = video.track.table.timestamps_ns
    if len(stamps_ns) < 2 or stamps_ns[-1] == stamps_ns[0]:
        return None
    return round((len(stamps_ns) - 1) / (float(stamps_ns[-1] - stamps_ns[0]) / 1e9), 3)


def _evidence(timeline: Timeline, rows: NDArray[np.intp], names: tuple[str, str]) -> RecorderEvidence | None:
    gap, duplicate = (timeline.columns.get(name) for name in names)
    return evidence_of(gap, duplicate, rows, names)
