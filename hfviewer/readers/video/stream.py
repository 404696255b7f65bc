"""A track of a video file as a stream: by its own times, or by a table of timestamps kept elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.decode import FrameIds
from hfviewer.codecs.video.budget import SHARED_BUDGET, GopBudget
from hfviewer.codecs.video.colour import UNTAGGED, Matrix
from hfviewer.codecs.video.frames import LOSSY_LOG12, frame_of
from hfviewer.codecs.video.probe import VideoFile, VideoTrack
from hfviewer.codecs.video.server import FrameServer
from hfviewer.codecs.video.source import FileSource
from hfviewer.core.depth import DepthScale
from hfviewer.core.errors import FrameError, UsageError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.frame import Frame, freeze
from hfviewer.core.recording import Stream
from hfviewer.core.stream import StreamDescription, StreamKind


def depth_scale_of(track: VideoTrack) -> DepthScale | None:
    """How the recorder writes depth in a track of this pixel format; None for pictures.

    12-bit codes are its logarithm, 16-bit codes are millimetres.
    """
    if track.pixel_format.startswith("gray12"):
        return LOSSY_LOG12
    if track.pixel_format.startswith("gray16"):
        return DepthScale()
    return None


def describe_track(track: VideoTrack, name: str) -> StreamDescription:
    """A stream description by nothing but the track itself; kind and depth unit of grey codes are guesses."""
    scale = depth_scale_of(track)
    note = ""
    if scale is not None:
        unit = "12-bit logarithm, 100 mm to 5 m" if scale.log12 else "millimetres"
        note = f"Its pixel format ({track.pixel_format}) suggests depth ({unit}); the file does not say so."
    return StreamDescription(
        name=name,
        kind=StreamKind.IMAGE if scale is None else StreamKind.DEPTH,
        encoding=track.codec,
        guessed=scale is not None,
        note=note,
    )


class VideoStream(Stream):
    """Frames of one video track, exactly. Safe to read from any thread; close it with its recording.

    Args:
        video: the file, as `probe` found it.
        track: one of its tracks.
        description: of the stream: name, kind (image or depth), clock, note …; encoding, size, counts and
            rates are filled in here.
        timestamps_ns: int64[n], sorted: when each frame of the stream was taken. None: the file's own times.
        sequence: int64[n], the recorder's counter; None: 0, 1, 2 …
        frame_numbers: intp[n]: which frame of the video belongs to each timestamp, in display order, -1 for
            none. None: the first to the first, and so on.
        depth_scale: what the codes of a depth stream mean; None: by `depth_scale_of`, else millimetres.
        untagged: the colour matrix where the file names none.
        budget: of decoded frames to keep, shared with other videos.
    """

    def __init__(
        self,
        video: VideoFile,
        track: VideoTrack,
        description: StreamDescription,
        *,
        timestamps_ns: NDArray[np.int64] | None = None,
        sequence: NDArray[np.int64] | None = None,
        frame_numbers: NDArray[np.intp] | None = None,
        depth_scale: DepthScale | None = None,
        untagged: Matrix = UNTAGGED,
        budget: GopBudget = SHARED_BUDGET,
    ) -> None:
        self._video = video
        self._track = track
        self._base = description
        self._has_rows = timestamps_ns is not None
        self._timestamps_ns = track.table.timestamps_ns if timestamps_ns is None else freeze(timestamps_ns)
        count = len(self._timestamps_ns)
        self._sequence = freeze(np.arange(count, dtype=np.int64) if sequence is None else sequence)
        self._frames = np.arange(count) if frame_numbers is None else frame_numbers
        self._scale = depth_scale or depth_scale_of(track) or DepthScale()
        self._untagged = untagged
        self._server = FrameServer(
            self._open_source,
            track.table,
            is_reference=track.is_reference,
            open_chain=track.open_chain,
            budget=budget,
        )

    @cached_property
    def description(self) -> StreamDescription:
        return replace(
            self._base.measured(self._timestamps_ns),
            encoding=self._track.codec,
            width=self._track.width or None,
            height=self._track.height or None,
            pixel_format=self._track.pixel_format,
            stored_bytes=int(self._track.table.sizes.sum()),
        )

    @property
    def timestamps_ns(self) -> NDArray[np.int64]:
        return self._timestamps_ns

    @property
    def sequence(self) -> NDArray[np.int64]:
        return self._sequence

    @cached_property
    def flags(self) -> NDArray[np.uint16]:
        """Bit 0 as in a hyperframe's index: decoding may start at this frame."""
        table = self._track.table
        keys = table.is_key[table.order]
        if len(keys) != len(self._timestamps_ns):
            keys = np.zeros(len(self._timestamps_ns), np.bool_)
        return freeze(keys.astype(np.uint16))

    @property
    def video(self) -> VideoFile:
        """The file that it comes from."""
        return self._video

    @property
    def track(self) -> VideoTrack:
        """The track that its frames are of."""
        return self._track

    @property
    def frame_numbers(self) -> NDArray[np.intp]:
        """intp[n]: which frame of the video belongs to each timestamp, -1 for none."""
        return np.asarray(self._frames, np.intp)

    @cached_property
    def findings(self) -> Sequence[Finding]:
        """What is wrong with the video as far as its tables tell; nothing is decoded for it."""
        name, table = self._base.name, self._track.table
        found: list[Finding] = []
        if self._track.problem:
            message = f"{name}: its video ({self._track.codec}) cannot be decoded. {self._track.problem}"
            found.append(_finding("unreadable_frame", Severity.ERROR, name, message, "video track"))
        unreadable = ~table.readable[table.order]
        if unreadable.any() or self._video.end_missing:
            found.append(self._truncated(unreadable))
        rows, frames = len(self._timestamps_ns), table.frame_count
        if self._has_rows and rows != frames:
            message = f"{name}: {rows} timestamps, but {frames} frames in the video."
            found.append(
                _finding("count_mismatch", Severity.ERROR, name, message, "packets of the video file")
            )
        return tuple(found)

    def read(self, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        """See `Stream.read`; decoding a smaller picture is not cheaper, so `max_size` changes nothing."""
        if not 0 <= index < len(self):
            raise UsageError(
                f"{self._base.name!r} has no frame {index}.",
                remedy=f"Its frames are 0 to {len(self) - 1}." if len(self) else "It has no frames at all.",
                path=self._video.path,
            )
        try:
            return self._read(index)
        except FrameError as error:
            raise FrameError(
                f"Frame {index} of {self._base.name!r}: {error.problem}",
                remedy=error.remedy,
                path=self._video.path,
            ) from error

    def close(self) -> None:
        """Release the file; reading afterwards is a FrameError. May be called again."""
        self._server.close()

    def _read(self, index: int) -> Frame:
        number = int(self._frames[index])
        count = self._track.table.frame_count
        if self._track.problem:
            raise FrameError(self._track.problem)
        if number < 0:
            raise FrameError("No frame of the video belongs to this timestamp.")
        if number >= count:
            raise FrameError(f"The video ends before it: it has {count} frames.")
        picture = self._server.picture(number)
        stamp_ns, sequence = int(self._timestamps_ns[index]), int(self._sequence[index])
        ids = FrameIds(stream=self._base.name, index=index, timestamp_ns=stamp_ns, sequence=sequence)
        depth = self._scale if self._base.kind is StreamKind.DEPTH else None
        return frame_of(picture, ids, depth=depth, untagged=self._untagged)

    def _open_source(self) -> FileSource:
        return FileSource(self._video.path, self._video.container, self._track.number, self._track.table)

    def _truncated(self, unreadable: NDArray[np.bool_]) -> Finding:
        name, lost = self._base.name, np.flatnonzero(unreadable)
        rows = np.flatnonzero(np.isin(self._frames, lost))
        if not len(lost):
            message = f"{name}: the file ends too early ({self._video.end_missing})."
            return _finding("truncated", Severity.ERROR, name, message, "the file's own header")
        message = (
            f"{name}: {len(lost)} of {len(unreadable)} frames are not in the file, which ends too early."
        )
        finding = _finding("truncated", Severity.ERROR, name, message, "place and size of its packets")
        if not len(rows):
            return finding
        first, last = int(rows[0]), int(rows[-1])
        return replace(
            finding,
            start_ns=int(self._timestamps_ns[first]),
            end_ns=int(self._timestamps_ns[last]),
            first_frame=first,
            last_frame=last,
        )


def _finding(code: str, severity: Severity, stream: str, message: str, evidence: str) -> Finding:
    return Finding(code=code, severity=severity, stream=stream, message=message, evidence=evidence)
