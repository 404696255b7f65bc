"""A recording, or a part of it, as a plan to write it into a hyperframe file: nothing is re-encoded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.decode import ENCODINGS
from hfviewer.codecs.opencv import cv2
from hfviewer.codecs.video.arrival import arrival_of
from hfviewer.convert.label_frames import counted_anew, left_behind
from hfviewer.convert.source import Plan, PlannedStream, Problem, ProblemLog
from hfviewer.core import timing
from hfviewer.core.errors import ConversionError, FrameError
from hfviewer.core.frame import DepthFrame
from hfviewer.core.recording import Recording, Stream
from hfviewer.core.stream import Clock, StreamDescription, StreamKind
from hfviewer.core.window import TimeWindow
from hfviewer.readers.hyperframe import recorder_notes
from hfviewer.readers.hyperframe.layout import ENTRY_KEYFRAME
from hfviewer.readers.hyperframe.reader import HyperframeRecording
from hfviewer.readers.hyperframe.stream import HyperframeStream
from hfviewer.readers.video.stream import VideoStream

_VIDEO = frozenset({"h264", "hevc"})
_PRIVATE = ("ffmpeg", "annotations_path")  # paths of the recording machine and of this one


def plan_recording(
    recording: Recording,
    *,
    window: TimeWindow | None = None,
) -> Plan:
    """Plan a hyperframe file of a recording.

    Video stays the bytes it is, one access unit a frame; other codecs of depth become 16-bit PNG, which loses
    nothing. All other frames keep their payloads.

    Args:
        recording: stays open until the plan was carried out.
        window: what to take; None: everything. Of video, the frames from the key frame before come along.

    Raises:
        ConversionError: nothing of it can be written.
    """
    log = ProblemLog()
    streams: list[PlannedStream] = []
    for name, stream in recording.streams.items():
        indices = range(len(stream)) if window is None else timing.indices_in(stream.timestamps_ns, window)
        if not len(indices) and (window is not None or isinstance(stream, VideoStream)):
            continue
        try:
            streams.append(_planned(stream, indices))
        except ConversionError as error:
            log.add(name, error.problem)
    extra = _rows_stream(recording, window)
    if extra is not None and extra.description.name not in recording.streams:
        streams.append(extra)
    if not any(len(planned) for planned in streams):
        problems = log.problems()
        first = f" {problems[0].line()}." if problems else ""
        raise ConversionError(f"No frame of it can be written.{first}", path=recording.description.path)
    description = recording.description
    return Plan(
        layout=description.format,
        title=description.title,
        source=Path(description.path).name,
        streams=tuple(streams if window is None else counted_anew(streams, recording.streams)),
        calibration=description.calibration,
        notes=left_behind(recording) if window is None else (),
        problems=(*log.problems(), *_findings(recording)),
        metadata=_metadata(recording, whole=_is_whole(description.span, window)),
    )


def _planned(stream: Stream, indices: range) -> PlannedStream:
    if isinstance(stream, VideoStream):
        return _of_video_file(stream, indices)
    description = _bare(stream)
    if description.encoding not in ENCODINGS[description.kind]:
        raise ConversionError(f"Its encoding {description.encoding!r} cannot be kept in a hyperframe file.")
    keyframes: NDArray[np.bool_] | None = None
    if isinstance(stream, HyperframeStream):
        keyframes = (stream.flags & ENTRY_KEYFRAME) != 0
        if description.encoding in _VIDEO:
            places = np.empty(len(stream), np.intp)
            places[arrival_of(stream.sequence, stream.timestamps_ns).order] = np.arange(len(stream))
            indices = _decodable(places, _start_of(keyframes, indices.start), indices.stop)
    first = indices.start
    return PlannedStream(
        description=description,
        timestamps_ns=stream.timestamps_ns[first : indices.stop],
        sequence=stream.sequence[first : indices.stop],
        load=lambda i: stream.payload(first + i),
        origin=lambda i: f"frame {first + i}",
        keyframes=None if keyframes is None else keyframes[first : indices.stop],
    )


def _start_of(keyframes: NDArray[np.bool_], first: int) -> int:
    """The key frame from which decoding must start to show a frame."""
    before = np.flatnonzero(keyframes[: first + 1])
    return int(before[-1]) if len(before) else 0


def _decodable(places: NDArray[np.integer], first: int, stop: int) -> range:
    """Frames from a key frame on, with those shown later that they are decoded from.

    Args:
        places: int[n], in the order of showing: when each frame is decoded.
        first: a key frame.
        stop: one past the last frame that must show.
    """
    while True:
        needed = int(places[first:stop].max())
        reached = int(np.flatnonzero(places[first:] <= needed)[-1]) + first + 1
        if reached <= stop:
            return range(first, stop)
        stop = reached


def _of_video_file(stream: Any, indices: range) -> PlannedStream:
    """Frames of a video file; H.264 and HEVC as they are, lossless depth as PNG."""
    description = _bare(stream)
    track = stream.track
    if track.problem:
        raise ConversionError(track.problem)
    if track.codec not in _VIDEO:
        return _reencoded(stream, description, indices)
    from hfviewer.codecs.video.file_units import FileUnits

    table = track.table
    numbers = stream.frame_numbers
    packets = np.full(len(numbers), -1, np.int64)
    known = (numbers >= 0) & (numbers < table.frame_count)
    packets[known] = table.order[numbers[known]]
    first = indices.start
    if first > 0 and known[first]:
        start = int(table.frame_of[table.start_for(int(numbers[first]))])
        earlier = np.flatnonzero(numbers == start)
        first = int(earlier[0]) if len(earlier) else 0
    indices = _decodable(packets, first, indices.stop)
    units = FileUnits(stream.video.path, stream.video.container, track.number, track.codec, table)

    def load(i: int) -> bytes:
        packet = int(packets[first + i])
        if packet < 0:
            raise FrameError("No frame of the video belongs to this timestamp.")
        return units.unit(packet)

    part = slice(first, indices.stop)
    # Frames are sorted by when they are shown; `sequence` keeps the order in which they must be decoded.
    beyond = table.packet_count + np.arange(len(packets))[part]
    order = np.where(packets[part] >= 0, packets[part], beyond)
    return PlannedStream(
        description=description,
        timestamps_ns=stream.timestamps_ns[part],
        sequence=order.astype(np.int64),
        load=load,
        origin=lambda i: f"frame {first + i}",
        keyframes=np.where(packets[part] >= 0, table.is_key[np.maximum(packets[part], 0)], False),
    )


def _reencoded(stream: Stream, description: StreamDescription, indices: range) -> PlannedStream:
    """Depth in a codec that hyperframe files do not know, as 16-bit PNG: no code changes."""
    if description.kind is not StreamKind.DEPTH:
        raise ConversionError(f"Video in {description.encoding} cannot be kept without encoding it anew.")
    first = indices.start

    def load(i: int) -> bytes:
        frame = stream.read(first + i)
        assert isinstance(frame, DepthFrame)
        ok, data = cv2.imencode(".png", frame.stored, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        if not ok:
            raise FrameError("It cannot be stored as PNG.")
        return bytes(data.tobytes())

    return PlannedStream(
        description=replace(
            description,
            encoding="png16",
            depth_unit_mm=description.depth_unit_mm or 1.0,
            note=f"{description.note} Stored as 16-bit PNG, was {description.encoding}.".strip(),
        ),
        timestamps_ns=stream.timestamps_ns[first : indices.stop],
        sequence=stream.sequence[first : indices.stop],
        load=load,
        origin=lambda i: f"frame {first + i}",
    )


def _bare(stream: Stream) -> StreamDescription:
    """What is to be written of a description; matrices are mostly zeros and always packed."""
    description, extra = stream.description, dict(stream.description.extra)
    evidence = stream.recorder_evidence
    if evidence is not None:
        extra[recorder_notes.KEY] = recorder_notes.notes_of(evidence, stream.timestamps_ns)
    packed = "lz4" if description.kind is StreamKind.MATRIX else "none"
    return replace(description, compression=packed, stored_bytes=0, extra=MappingProxyType(extra))


def _rows_stream(recording: Recording, window: TimeWindow | None) -> PlannedStream | None:
    """Every key column of an episode's rows as it was stored: what streams alone do not say."""
    from hfviewer.readers.episodes.recording import EpisodeRecording

    if not isinstance(recording, EpisodeRecording) or recording.timeline is None or recording.table is None:
        return None
    wall_ns = recording.timeline.wall_ns
    columns = recording.table.row_values()
    order = np.argsort(wall_ns, kind="stable")
    if window is not None:
        order = order[(wall_ns[order] >= window.start_ns) & (wall_ns[order] < window.stop_ns)]
    if not len(order):
        return None

    def load(i: int) -> bytes:
        row = int(order[i])
        return json.dumps({name: column[row].as_py() for name, column in columns.items()}).encode()

    return PlannedStream(
        description=StreamDescription(
            name="rows",
            kind=StreamKind.TEXT,
            encoding="json",
            clock=Clock.HOST,
            note="The recorder's rows: every column of one number, as stored.",
        ),
        timestamps_ns=wall_ns[order],
        sequence=order.astype(np.int64),
        load=load,
        origin=lambda i: f"row {int(order[i])}",
    )


def _findings(recording: Recording) -> tuple[Problem, ...]:
    """What could not be opened is missing from the conversion too."""
    return tuple(
        Problem(stream=found.stream or "", message=found.message.removesuffix("."))
        for found in recording.description.findings
        if found.severity == "error"
    )


def _is_whole(span: TimeWindow | None, window: TimeWindow | None) -> bool:
    return window is None or (span is not None and window.intersection(span) == span)


def _metadata(recording: Recording, *, whole: bool) -> Mapping[str, Any]:
    """The format's own metadata, as far as JSON can say it and nothing of it is private.

    Args:
        recording: as of the plan.
        whole: False of a part, of which the recorder's counts for the whole say nothing.
    """
    value: dict[str, Any] = {}
    for key, part in recording.description.metadata.items():
        if key in ("streams", "format", "writer", "calibration", "window_ns", "recording"):
            continue
        with suppress(TypeError, ValueError, RecursionError):
            value[key] = json.loads(json.dumps(_without_private(part)))
    value.pop(recorder_notes.FINDINGS_KEY, None)
    findings = recorder_notes.findings_of(
        recorder_notes.findings_in(recording.description.metadata, recording.streams)
        if isinstance(recording, HyperframeRecording)
        else recording.description.findings
    )
    if whole and findings:
        value[recorder_notes.FINDINGS_KEY] = findings
    return value


def _without_private(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(k): _without_private(v) for k, v in value.items() if k not in _PRIVATE}
    if isinstance(value, (list, tuple)):
        return [_without_private(v) for v in value]
    return value
