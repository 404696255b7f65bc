"""Open hyperframe files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hfviewer.core import timing
from hfviewer.core.annotation_json import schema_from_json
from hfviewer.core.errors import DamagedRecordingError, FrameError, HfviewerError, NotARecordingError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.recording import Recording, RecordingDescription
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.core.window import TimeWindow, WindowGrid
from hfviewer.readers.base import Match
from hfviewer.readers.hyperframe import recorder_notes
from hfviewer.readers.hyperframe.index import Index, load_index
from hfviewer.readers.hyperframe.layout import (
    MAGIC,
    MAX_PAYLOAD_BYTES,
    RECOVER_REMEDY,
    Header,
    crc32,
)
from hfviewer.readers.hyperframe.metadata import (
    parse_calibration,
    parse_metadata,
    stream_descriptions,
    stream_names,
    track_of,
)
from hfviewer.readers.hyperframe.sniff import guess_stream
from hfviewer.readers.hyperframe.state import FileState, index_is_whole, read_state
from hfviewer.readers.hyperframe.storage import Storage
from hfviewer.readers.hyperframe.stream import HyperframeStream
from hfviewer.readers.probe import read_head

SUFFIXES = (".hfr", ".hfr.tmp")

_DEFAULT_WINDOW_NS = 100_000_000
_DAY_NS = 86_400_000_000_000
_GUESS_PAYLOADS = 3
_GUESS_MOST_BYTES = 64 << 20


class HyperframeReader:
    """Opens hyperframe files."""

    name = "hyperframe"

    def sniff(self, path: Path, head: bytes) -> Match:
        # A frame table shares the letters, but has its 32-bit version where our header size lies.
        if head[:4] == MAGIC and head[6:8] != b"\0\0":
            return Match.BY_CONTENT
        # An empty file of that name is one that lost everything: its error names the repair.
        if head[:4] == MAGIC or (path.name.endswith(SUFFIXES) and (head or path.is_file())):
            return Match.BY_NAME
        return Match.NO

    def open(self, path: Path, *, revision: int | None = None) -> HyperframeRecording:
        storage = Storage(path)
        try:
            recording = HyperframeRecording(storage, read_state(storage, revision=revision))
            if revision is not None and revision != read_state(storage).header.revision:
                recording.pinned_revision = revision
            return recording
        except BaseException:
            storage.close()
            raise


def is_hyperframe(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a hyperframe file, sound or not.

    Raises:
        NotARecordingError: there is none, or it cannot be read.
    """
    return HyperframeReader().sniff(Path(path), read_head(Path(path))) != Match.NO


@contextmanager
def opened_file(path: str | os.PathLike[str]) -> Iterator[Storage]:
    """A hyperframe file, sound or not, for work on its bytes; errors that name no path come to name this one.

    Raises:
        NotARecordingError: there is none, it cannot be read, or it is something else.
    """
    path = Path(path)
    if not is_hyperframe(path):
        raise NotARecordingError(
            "This is not a hyperframe file.", remedy="Only those have checksums and revisions.", path=path
        )
    storage = Storage(path)
    try:
        yield storage
    except HfviewerError as error:
        if error.path is None:
            error.path = str(path)
        raise
    finally:
        storage.close()


class HyperframeRecording(Recording):
    """One revision of a hyperframe file.

    Args:
        storage: of the file; closed with the recording.
        state: the revision to show.

    Raises:
        DamagedRecordingError: the index cannot be read.
    """

    def __init__(self, storage: Storage, state: FileState) -> None:
        self.pinned_revision: int | None = None  # where an earlier state was asked for
        self._storage = storage
        self._state = state
        self._file_size = storage.size()
        self._findings = list(state.findings)
        try:
            self._index = load_index(storage, state.header, self._file_size)
        except FrameError as error:
            raise DamagedRecordingError(error.problem, remedy=RECOVER_REMEDY) from error
        self._metadata_is_whole = True
        self._metadata = self._load_metadata()
        self._streams = self._make_streams()

    @property
    def header(self) -> Header:
        """What the file says of this revision."""
        return self._state.header

    @property
    def state(self) -> FileState:
        """Where that was found, and what was wrong on the way."""
        return self._state

    @property
    def metadata(self) -> dict[str, Any]:
        """As parsed; empty where there is none."""
        return self._metadata

    @property
    def metadata_is_whole(self) -> bool:
        """False where its checksum is wrong or it is not JSON."""
        return self._metadata_is_whole

    @property
    def index(self) -> Index:
        """Every entry of this revision."""
        return self._index

    @property
    def storage(self) -> Storage:
        """The open file."""
        return self._storage

    @cached_property
    def description(self) -> RecordingDescription:
        recorded = [s for s in self._streams.values() if s.description.kind is not StreamKind.ANNOTATION]
        # What people said about a recording never makes it longer.
        filled = [s for s in recorded if len(s)] or self._streams.values()
        span = timing.robust_span([stream.timestamps_ns for stream in filled])
        calibration, findings = parse_calibration(self._metadata)
        recording = self._metadata.get("recording")
        title = recording.get("title") if isinstance(recording, dict) else None
        annotations = self._metadata.get("annotations")
        schema, _ = schema_from_json(annotations)
        told = recorder_notes.findings_in(self._metadata, self._streams)
        findings = [*self._findings, *findings, *told, *self._stray_stamps(span)]
        return RecordingDescription(
            path=str(self._storage.path),
            format=HyperframeReader.name,
            title=title if isinstance(title, str) else "",
            span=span,
            window_ns=self._state.header.window_ns or _DEFAULT_WINDOW_NS,
            revision=self._state.header.revision,
            annotation_tracks=len({track.name for track in schema.tracks} | self._annotated_tracks()),
            annotation_count=sum(
                len(s) for s in self._streams.values() if s.description.kind is StreamKind.ANNOTATION
            ),
            calibration=calibration,
            findings=tuple(findings),
            metadata=MappingProxyType(self._metadata),
        )

    @property
    def streams(self) -> Mapping[str, HyperframeStream]:
        return self._streams

    @cached_property
    def windows(self) -> WindowGrid:
        span = self.description.span
        window_ns = self.description.window_ns
        if span is None:
            return WindowGrid(self._state.header.start_ns, window_ns, 0)
        start_ns = self._state.header.start_ns
        # A plain writer leaves 0; one bad first stamp must not put the grid decades away.
        if start_ns == 0 or start_ns > span.start_ns or span.start_ns - start_ns > _DAY_NS:
            start_ns = span.start_ns
        return WindowGrid.covering(start_ns, span.stop_ns - 1, window_ns)

    def announce(self, window: TimeWindow) -> None:
        for stream in self._streams.values():
            indices = timing.indices_in(stream.timestamps_ns, window)
            if not indices or len(indices) > 4096:
                continue
            part = stream.entries[indices.start : indices.stop]
            first = int(part["offset"].min())
            stop = int((part["offset"] + part["size"]).max())
            if 0 <= first < stop <= self._file_size:
                self._storage.announce(first, stop - first)

    def check_index(self) -> Sequence[Finding]:
        header = self._state.header
        try:
            if not header.extended or index_is_whole(self._storage, header):
                return ()
        except FrameError:
            pass  # The file shrank since it was opened: not whole.
        return (
            Finding(
                code="damaged_index",
                severity=Severity.ERROR,
                message="The index is damaged: frames may be missing or in the wrong place.",
                evidence="index checksum",
            ),
        )

    def close(self) -> None:
        for stream in self._streams.values():
            stream.close()
        self._storage.close()

    def _load_metadata(self) -> dict[str, Any]:
        header = self._state.header
        if not header.meta_offset:
            return {}
        data = self._storage.read(header.meta_offset, header.meta_size)
        self._metadata_is_whole = crc32(data) == header.meta_crc32
        if not self._metadata_is_whole:
            self._findings.append(
                Finding(
                    code="damaged_metadata",
                    severity=Severity.ERROR,
                    message="The metadata is damaged; names and kinds of streams may be wrong.",
                    evidence="metadata checksum",
                )
            )
        document, findings = parse_metadata(data)
        self._findings.extend(findings)
        self._metadata_is_whole = self._metadata_is_whole and not findings
        return document

    def _make_streams(self) -> Mapping[str, HyperframeStream]:
        described, findings = stream_descriptions(self._metadata)
        self._findings.extend(findings)
        streams: dict[str, HyperframeStream] = {}
        for stream_id, name in stream_names(described, self._index.tables).items():
            table = self._index.tables.get(stream_id)
            description = described.get(stream_id) or self._guess(stream_id, name)
            stream = HyperframeStream(self._storage, self._file_size, description, table)
            streams[description.name] = stream
            if table is not None and table.bad_count:
                self._findings.append(_unreadable(description.name, table.bad_count, len(stream)))
        return MappingProxyType(streams)

    def _annotated_tracks(self) -> set[str]:
        found = (s.declared for s in self._streams.values() if len(s))
        return {track_of(d) for d in found if d.kind is StreamKind.ANNOTATION}

    def _guess(self, stream_id: int, name: str) -> StreamDescription:
        entries = self._index.tables[stream_id].entries
        payloads: list[bytearray] = []
        for entry in entries[:_GUESS_PAYLOADS]:
            size, offset = int(entry["size"]), int(entry["offset"])
            if 0 < size <= min(MAX_PAYLOAD_BYTES, _GUESS_MOST_BYTES) and offset + size <= self._file_size:
                payloads.append(self._storage.read(offset, size))
        description = guess_stream(name, payloads)
        self._findings.append(
            Finding(
                code="guessed_encoding",
                severity=Severity.INFO,
                stream=name,
                message=f"{name}: the file does not say what it holds; shown as {description.kind}"
                f" ({description.encoding}), a guess.",
                evidence="first payloads",
            )
        )
        return description

    def _stray_stamps(self, span: TimeWindow | None) -> list[Finding]:
        findings: list[Finding] = []
        for name, stream in self._streams.items():
            count = len(stream)
            if span is None or not count or stream.description.kind is StreamKind.ANNOTATION:
                continue
            inside = timing.indices_in(stream.timestamps_ns, span)
            if len(inside) == count:
                continue
            first = 0 if inside.start > 0 else inside.stop
            last = count - 1 if inside.stop < count else inside.start - 1
            findings.append(
                Finding(
                    code="clock_step",
                    severity=Severity.WARNING,
                    stream=name,
                    start_ns=int(stream.timestamps_ns[first]),
                    end_ns=int(stream.timestamps_ns[last]),
                    first_frame=first,
                    last_frame=last,
                    message=f"{name}: {count - len(inside)} of {count} timestamps lie far off all others.",
                    evidence="distance from all other timestamps",
                )
            )
        return findings


def _unreadable(name: str, bad_count: int, count: int) -> Finding:
    return Finding(
        code="unreadable_frame",
        severity=Severity.ERROR,
        stream=name,
        message=f"{name}: {bad_count} of {count} frames do not lie inside the file.",
        evidence="offset and size in the index",
    )
