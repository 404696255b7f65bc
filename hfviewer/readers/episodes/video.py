"""One video of an episode as a stream, by the times of its rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.video.probe import VideoFile, VideoTrack, probe
from hfviewer.core.errors import DamagedRecordingError
from hfviewer.core.frame import freeze
from hfviewer.core.recording import RecorderEvidence
from hfviewer.core.stream import StreamDescription
from hfviewer.readers.video.stream import VideoStream


class EpisodeVideoStream(VideoStream):
    """A video whose frames were timed by the rows of a table; sorted by time, whatever the rows' order.

    Args:
        video: the file.
        track: its track.
        description: of the stream.
        rows_ns: int64[n], time of the row that each frame of the video belongs to, in the order of frames.
        numbers: int64[n], the recorder's own frame numbers.
        evidence: what the recorder noted of each frame.
    """

    def __init__(
        self,
        video: VideoFile,
        track: VideoTrack,
        description: StreamDescription,
        *,
        rows_ns: NDArray[np.int64],
        numbers: NDArray[np.int64],
        evidence: RecorderEvidence | None = None,
    ) -> None:
        order = np.argsort(rows_ns, kind="stable")
        super().__init__(
            video,
            track,
            description,
            timestamps_ns=rows_ns[order],
            sequence=numbers[order],
            frame_numbers=order,
        )
        self._evidence = None if evidence is None else _reordered(evidence, order)

    @property
    def recorder_evidence(self) -> RecorderEvidence | None:
        return self._evidence


def probe_track(path: Path) -> tuple[VideoFile, VideoTrack]:
    """The track that counts: FFV1 depth where there is one beside a heat map (v1.0), else the first.

    Raises:
        DamagedRecordingError: it cannot be opened, or holds no video.
        OSError: it cannot be read.
    """
    video = probe(path)
    if not video.tracks:
        raise DamagedRecordingError(
            "It holds no video; its recording stopped before the first frame.", path=path
        )
    lossless = [track for track in video.tracks if track.codec == "ffv1"]
    return video, (lossless or list(video.tracks))[0]


def _reordered(evidence: RecorderEvidence, order: NDArray[np.intp]) -> RecorderEvidence:
    missing, repeats = evidence.missing_before, evidence.duplicate
    return RecorderEvidence(
        missing_before=None if missing is None else freeze(missing[order]),
        duplicate=None if repeats is None else freeze(repeats[order]),
        source=evidence.source,
    )
