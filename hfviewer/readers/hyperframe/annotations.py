"""Annotation streams of a hyperframe file: one per track, one JSON payload per annotation.

A commit writes only what changed: payloads of annotations that stay are not written again, and frames of an
annotation stream that are no annotations (another program's, or damaged) stay where they are.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from hfviewer.core.annotation import MAX_TIME_NS, Annotation, AnnotationSet, same
from hfviewer.core.annotation_json import (
    annotation_from_json,
    annotation_to_json,
    schema_from_json,
    schema_to_json,
)
from hfviewer.core.errors import FrameError, WriteError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.core.window import TimeWindow
from hfviewer.readers.hyperframe.commit import ChangeMode, StreamChange, commit_changes
from hfviewer.readers.hyperframe.layout import ENTRY_COMPRESSED, crc32
from hfviewer.readers.hyperframe.metadata import ANNOTATION_PREFIX, TRACK_KEY, track_of, unique_name
from hfviewer.readers.hyperframe.payload import MAX_SEQUENCE, NewFrame
from hfviewer.readers.hyperframe.reader import HyperframeRecording
from hfviewer.readers.hyperframe.stream import HyperframeStream
from hfviewer.readers.hyperframe.window_read import plan_window, read_window

METADATA_KEY = "annotations"

_MOST_FINDINGS = 20
_ANNOTATION = msgspec.json.Decoder(Annotation)
_ENCODER = msgspec.json.Encoder()
_NO_EXTRA = b',"extra":{}}\n'  # the last field of every annotation, and no key of a payload


@dataclass(frozen=True, eq=False)
class TrackStream:
    """A stream that holds a track.

    Args:
        name: of the stream.
        track: that it holds.
        description: as the file has it.
        frame_count: frames of it, annotations or not.
        next_sequence: of the next frame.
    """

    name: str
    track: str
    description: StreamDescription
    frame_count: int
    next_sequence: int


@dataclass(frozen=True, eq=False)
class AnnotationFrames:
    """The annotations of one revision of a file, and where they lie.

    Args:
        annotations: all that could be read.
        rows: for each stream the indices of its frames that are annotations, and their ids.
        streams: that hold them.
        revision: of the file.
        taken: names of all its streams.
        findings: what could not be read.
    """

    annotations: AnnotationSet
    rows: Mapping[str, tuple[Sequence[int], Sequence[str]]]
    streams: Sequence[TrackStream]
    revision: int
    taken: frozenset[str]
    findings: Sequence[Finding]


def read_annotations(recording: HyperframeRecording) -> AnnotationFrames:
    """The annotations of an open recording; what cannot be read becomes a finding and stays in the file."""
    metadata = recording.metadata.get(METADATA_KEY)
    schema, problems = schema_from_json(metadata)
    findings = [_finding(problem) for problem in problems]
    found: dict[str, Annotation] = {}
    rows: dict[str, tuple[Sequence[int], Sequence[str]]] = {}
    streams: list[TrackStream] = []
    for name, stream in recording.streams.items():
        if stream.description.kind is not StreamKind.ANNOTATION:
            continue
        next_sequence = int(stream.sequence.max(initial=-1)) + 1
        track = track_of(stream.description)
        streams.append(TrackStream(name, track, stream.declared, len(stream), next_sequence))
        indices, read = _read_stream(recording, stream, findings)
        ids = [annotation.id for annotation in read]
        fresh = dict(zip(ids, read, strict=True))
        if len(fresh) < len(ids) or not found.keys().isdisjoint(fresh):
            indices, ids, fresh = _first_of_each(indices, read, found, findings)
        rows[name] = (indices, ids)
        found |= fresh
    return AnnotationFrames(
        AnnotationSet.of(schema, found),
        rows,
        streams,
        recording.header.revision,
        frozenset(recording.streams),
        findings[:_MOST_FINDINGS],
    )


def commit_annotations(
    path: str | os.PathLike[str],
    before: AnnotationFrames,
    wanted: AnnotationSet,
    metadata: Mapping[str, Any] | None = None,
) -> int:
    """Write the difference between two states as a new revision.

    Args:
        path: of the file.
        before: what it holds.
        wanted: what it shall hold.
        metadata: further top-level keys to set.

    Returns:
        The new revision.

    Raises:
        HfviewerError: as `commit_changes`.
    """
    changed = {a.id for a in wanted if not same(a, before.annotations.get(a.id))}
    leaving = changed | {a.id for a in before.annotations if a.id not in wanted}
    gone: dict[str, set[int]] = {}
    for name, (indices, ids) in before.rows.items():
        of_stream = {index for index, i in zip(indices, ids, strict=True) if i in leaving}
        if of_stream:
            gone[name] = of_stream
    fresh: dict[str, list[Annotation]] = {}
    for annotation_id in changed:
        annotation = wanted.by_id[annotation_id]
        fresh.setdefault(annotation.track, []).append(annotation)
    for group in fresh.values():
        group.sort(key=lambda a: a.order)
    changes = _changes(before, gone, fresh)
    extra = {**(metadata or {}), METADATA_KEY: schema_to_json(wanted.schema)}
    return commit_changes(path, expected_revision=before.revision, streams=changes, metadata=extra)


def _changes(
    before: AnnotationFrames, gone: Mapping[str, set[int]], fresh: Mapping[str, Sequence[Annotation]]
) -> list[StreamChange]:
    by_name = {stream.name: stream for stream in before.streams}
    of_track = {stream.track: stream.name for stream in reversed(before.streams)}
    taken = set(before.taken)
    added: dict[str, list[Annotation]] = {}
    for track, group in fresh.items():
        name = of_track.get(track) or unique_name(ANNOTATION_PREFIX + track, taken)
        taken.add(name)
        by_name.setdefault(name, TrackStream(name, track, describe(name, track), 0, 0))
        added[name] = list(group)
    changes: list[StreamChange] = []
    for name in sorted({*gone, *added}):
        stream = by_name[name]
        leaving = gone.get(name, set())
        frames = [
            NewFrame(
                timestamp_ns=annotation.start_ns,
                payload=encode_annotation(annotation),
                sequence=min(stream.next_sequence + number, MAX_SEQUENCE),
            )
            for number, annotation in enumerate(added.get(name, ()))
        ]
        changes.append(
            StreamChange(
                description=stream.description,
                frames=frames,
                mode=ChangeMode.REPLACE if stream in before.streams else ChangeMode.ADD,
                kept=[index for index in range(stream.frame_count) if index not in leaving],
            )
        )
    return changes


def describe(name: str, track: str) -> StreamDescription:
    """What a track's stream is."""
    return StreamDescription(name=name, kind=StreamKind.ANNOTATION, encoding="json", extra={TRACK_KEY: track})


def encode_annotation(annotation: Annotation) -> bytes:
    """The payload of an annotation.

    Raises:
        WriteError: some value of it cannot be said in JSON.
    """
    try:
        return msgspec.json.encode(annotation_to_json(annotation))
    except (TypeError, ValueError, RecursionError) as error:
        raise WriteError(f"The label {annotation.label!r} cannot be written as JSON ({error}).") from error


def _read_stream(
    recording: HyperframeRecording, stream: HyperframeStream, findings: list[Finding]
) -> tuple[Sequence[int], Sequence[Annotation]]:
    """The annotations of a stream, and the indices of their frames."""
    payloads, bad = _payloads(recording, stream)
    quick = None if bad else _decode_together(payloads)
    if quick is not None:
        return range(len(quick)), quick
    name, track = stream.description.name, track_of(stream.description)
    indices: list[int] = []
    found: list[Annotation] = []
    for index, payload in enumerate(payloads):
        try:
            if index in bad:
                raise bad[index]
            value = msgspec.json.decode(payload)
            if isinstance(value, dict):
                value = _completed(value, stream, index, track)
            found.append(annotation_from_json(value))
            indices.append(index)
        except (ValueError, RecursionError, FrameError) as error:
            reason = error.problem if isinstance(error, FrameError) else str(error)
            findings.append(
                _finding(f"{name}: annotation {index} cannot be read ({reason.rstrip('.')}).", name)
            )
    return indices, found


def _first_of_each(
    indices: Sequence[int],
    read: Sequence[Annotation],
    known: Mapping[str, Annotation],
    findings: list[Finding],
) -> tuple[Sequence[int], list[str], dict[str, Annotation]]:
    """Annotations without those whose id an earlier one has."""
    fresh: dict[str, Annotation] = {}
    kept: list[int] = []
    for index, annotation in zip(indices, read, strict=True):
        if annotation.id in known or annotation.id in fresh:
            findings.append(_finding(f"Two annotations have the id {annotation.id}; the first is shown."))
            continue
        fresh[annotation.id] = annotation
        kept.append(index)
    return kept, list(fresh), fresh


def _completed(value: dict[str, Any], stream: HyperframeStream, index: int, track: str) -> dict[str, Any]:
    """An annotation of another program, which may leave out what the stream itself says."""
    stamp_ns = int(stream.timestamps_ns[index])
    value.setdefault("id", f"{stream.description.name}#{int(stream.sequence[index])}")
    value.setdefault("track", track)
    value.setdefault("label", track)
    value.setdefault("start_ns", stamp_ns)
    value.setdefault("end_ns", value["start_ns"])
    return value


def _payloads(
    recording: HyperframeRecording, stream: HyperframeStream
) -> tuple[Sequence[memoryview | bytes], dict[int, FrameError]]:
    """Every payload of a stream, and what is wrong with those that are damaged; in few reads."""
    count = len(stream)
    if count == 0:
        return [], {}
    name = stream.description.name
    stamps_ns = stream.timestamps_ns
    everything = TimeWindow(int(stamps_ns[0]), int(stamps_ns[-1]) + 1)
    bad: dict[int, FrameError] = {}
    try:
        packed = bool((stream.entries["flags"] & ENTRY_COMPRESSED).any())
        if packed or everything.stop_ns > MAX_TIME_NS:
            raise FrameError("They are read one by one.")
        storage = recording.storage
        plan = plan_window({name: stream}, everything, storage.size())
        if bool((plan.places[name] < 0).any()):
            raise FrameError("Some do not lie inside the file.")
        buffer = read_window(storage, plan).buffer
    except FrameError:
        single: list[bytes] = []
        for index in range(count):
            try:
                single.append(stream.payload(index))
            except FrameError as error:
                single.append(b"")
                bad[index] = error
        return single, bad
    places, sizes = plan.places[name], plan.sizes[name]
    stops = (places + sizes).tolist()
    payloads = [buffer[start:stop] for start, stop in zip(places.tolist(), stops, strict=True)]
    expected = stream.entries["crc32"]
    found = np.fromiter(map(crc32, payloads), np.uint32, count)
    for index in np.flatnonzero((found != expected) & (expected != 0)).tolist():
        bad[index] = FrameError("Its bytes are damaged (checksum).")
    return payloads, bad


def _decode_together(payloads: Sequence[memoryview | bytes]) -> list[Annotation] | None:
    """All annotations at once, ten times as quick as one by one; None where one is out of the ordinary.

    Ordinary is what we write ourselves: encoding it again gives the same bytes, so nothing was passed over.
    """
    text = b"\n".join(payloads)
    collecting = gc.isenabled()
    gc.disable()  # a hundred thousand new objects, none of them garbage
    try:
        found = _ANNOTATION.decode_lines(text)
        again = _ENCODER.encode_lines(found)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    finally:
        if collecting:
            gc.enable()
    if len(found) != len(payloads) or again.replace(_NO_EXTRA, b"}\n") != text + b"\n":
        return None
    if not all(
        0 <= a.start_ns <= a.end_ns <= MAX_TIME_NS
        and a.id
        and a.track
        and a.label
        and (a.first_frame is None or a.first_frame >= 0)
        and (a.last_frame is None or a.last_frame >= 0)
        for a in found
    ):
        return None
    return found


def _finding(message: str, stream: str | None = None) -> Finding:
    return Finding(code="damaged_annotation", severity=Severity.WARNING, stream=stream, message=message)
