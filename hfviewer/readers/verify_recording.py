"""Whether all of a recording can be read, for formats without checksums of their own."""

from __future__ import annotations

from hfviewer.core.errors import HfviewerError
from hfviewer.core.finding import Severity
from hfviewer.core.recording import Recording, Stream
from hfviewer.readers.hyperframe.builder import Cancelled, Progress, not_cancelled
from hfviewer.readers.hyperframe.verify import BadPart, VerifyReport
from hfviewer.readers.video.stream import VideoStream


def verify_recording(
    recording: Recording, *, progress: Progress | None = None, cancelled: Cancelled | None = None
) -> VerifyReport:
    """Read every table and every bound; pictures are not decoded, `hfviewer check --deep` does that.

    Args:
        recording: of any format.
        progress: told how many frames of how many were looked at.
        cancelled: asked between streams.

    Raises:
        CancelledError: `cancelled` said so.
    """
    bad = [
        BadPart(stream=found.stream, index=found.first_frame, offset=None, problem=found.message)
        for found in recording.description.findings
        if found.severity is Severity.ERROR
    ]
    total = sum(len(stream) for stream in recording.streams.values())
    checked = 0
    for name, stream in recording.streams.items():
        not_cancelled(cancelled)
        if progress is not None:
            progress(checked, total)
        bad += [BadPart(stream=name, index=i, offset=None, problem=p) for i, p in _unreadable(stream)]
        checked += len(stream)
    if progress is not None:
        progress(total, total)
    return VerifyReport(frames_checked=checked, bad=tuple(bad), unchecked=checked, revisions=1)


def _unreadable(stream: Stream) -> list[tuple[int, str]]:
    """Frames whose bytes are not there, with what is wrong."""
    if isinstance(stream, VideoStream):
        table, numbers = stream.track.table, stream.frame_numbers
        return [
            (index, "Its picture is not in the video file, or not whole.")
            for index, number in enumerate(numbers.tolist())
            if not 0 <= number < table.frame_count or not table.readable[table.order[number]]
        ]
    if stream.description.kind.is_dense:
        try:
            stream.samples(-(2**63), 2**63 - 1)
        except HfviewerError as error:
            return [(0, error.problem)]
        return []
    found: list[tuple[int, str]] = []
    for index in range(len(stream)):
        try:
            stream.read(index)
        except HfviewerError as error:
            found.append((index, error.problem))
    return found
