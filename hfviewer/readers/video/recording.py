"""A video file as a recording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from hfviewer.codecs.video.probe import VideoFile, probe
from hfviewer.core import timing
from hfviewer.core.errors import NotARecordingError
from hfviewer.core.recording import Recording, RecordingDescription
from hfviewer.readers.video.stream import VideoStream, describe_track

FORMAT = "video"

_WINDOW_NS = 100_000_000
_CLOCK = (
    "Times are the video's own, from the start of the file: what the recorder wrote, not when light fell."
)


def open_video(path: Path) -> VideoRecording:
    """Open a video file by itself.

    Raises:
        NotARecordingError: it holds no video.
        DamagedRecordingError: it cannot be opened, or its timestamps are impossible.
    """
    video = probe(path)
    if not video.tracks:
        raise NotARecordingError(
            "The file holds no video.",
            remedy="Its recording was stopped before the first frame, or it holds sound alone.",
            path=path,
        )
    return VideoRecording(video)


class VideoRecording(Recording):
    """One video file; every video track is a stream, on the file's own clock.

    Args:
        video: as `probe` found it.

    Raises:
        DamagedRecordingError: its timestamps are impossible.
    """

    def __init__(self, video: VideoFile) -> None:
        self._video = video
        streams: dict[str, VideoStream] = {}
        for i, track in enumerate(video.tracks):
            name = "video" if len(video.tracks) == 1 else f"video/{i}"
            base = describe_track(track, name)
            base = replace(base, note=f"{base.note} {_CLOCK}".strip())
            streams[name] = VideoStream(video, track, base)
        self._streams = MappingProxyType(streams)

    @cached_property
    def description(self) -> RecordingDescription:
        return RecordingDescription(
            path=str(self._video.path),
            format=FORMAT,
            title=self._video.path.name,
            span=timing.robust_span([stream.timestamps_ns for stream in self._streams.values()]),
            window_ns=_WINDOW_NS,
            finalized=not self._video.end_missing,
            findings=tuple(found for stream in self._streams.values() for found in stream.findings),
        )

    @property
    def streams(self) -> Mapping[str, VideoStream]:
        return self._streams

    def close(self) -> None:
        for stream in self._streams.values():
            stream.close()
