from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from hfviewer.core.annotation import AnnotationSet, Schema, Track
from hfviewer.core.errors import ChangedOnDiskError, UsageError
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.readers.annotation_store import change, save
from hfviewer.readers.annotations import annotation_store
from hfviewer.readers.hyperframe.annotation_store import InFileStore
from hfviewer.readers.hyperframe.annotations import encode_annotation, read_annotations
from hfviewer.readers.hyperframe.commit import ChangeMode, StreamChange, commit_changes
from hfviewer.readers.hyperframe.history import history
from hfviewer.readers.hyperframe.layout import parse_header
from hfviewer.readers.hyperframe.payload import NewFrame
from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.hyperframe.verify import verify
from hfviewer.readers.registry import open_recording
from tests.labels import SCHEMA, label, states
from tests.readers.plain import PlainReader, PlainWriter
from tests.recordings import START_NS, write_small

A = label("a" * 32, 0.1, 0.5, author="A", stream="cam", first_frame=1, last_frame=5)
B = label("b" * 32, 0.7, track="events", label="bump", attributes={"force": 3}, note="晴")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_small(tmp_path / "small.hfr", frames=12)


def put(path: Path, state: AnnotationSet) -> AnnotationSet:
    return change(InFileStore(path), lambda _: state).annotations


def test_annotations_come_back_as_they_were_written(path: Path) -> None:
    state = AnnotationSet(SCHEMA, [A, B])
    assert put(path, state) == state
    with open_recording(path) as recording:
        stream = recording.streams["annotations/drive"]
        assert stream.description.kind is StreamKind.ANNOTATION
        assert stream.timestamps_ns.tolist() == [A.start_ns]
        assert recording.description.annotation_count == 2
        assert recording.description.annotation_tracks == 2
    assert verify(path).ok


@given(states())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_state_comes_back_whole_and_the_one_before_stays_in_the_history(
    path: Path, state: AnnotationSet
) -> None:
    before = InFileStore(path).load()
    after = InFileStore(path).commit(before, state)
    assert after.annotations == state
    assert InFileStore(path, before.version).load().annotations == before.annotations
    assert history(path)[0].annotation_count == len(state)


def test_a_reader_that_knows_only_the_source_text_sees_the_annotations(path: Path) -> None:
    before = PlainReader(path)
    put(path, AnnotationSet(SCHEMA, [A, B]))
    plain = PlainReader(path)
    assert plain.frame_count == before.frame_count + 2
    assert plain.stream_count == before.stream_count + 2
    new = [f for f in plain.frames if f not in before.frames]
    assert sorted(json.loads(frame.payload)["id"] for frame in new) == [A.id, B.id]
    assert [f for f in plain.frames if f in before.frames] == before.frames


def test_a_plain_writers_file_takes_annotations_too(tmp_path: Path) -> None:
    path = tmp_path / "plain.hfr"
    plain = PlainWriter(path)
    for i in range(20):
        plain.append(i % 2, START_NS + 1000 * i, b'{"i": %d}' % i)
    plain.finalize()
    payloads = [frame.payload for frame in PlainReader(path).frames]
    put(path, AnnotationSet(SCHEMA, [A]))
    put(path, AnnotationSet(SCHEMA, [A, B]))
    assert InFileStore(path).load().annotations == AnnotationSet(SCHEMA, [A, B])
    assert sorted(f.payload for f in PlainReader(path).frames if f.stream_id < 2) == sorted(payloads)


def test_a_commit_writes_only_what_changed(path: Path) -> None:
    many = [label(f"{i:032d}", i / 1000, i / 1000 + 1, note="x" * 400) for i in range(500)]
    put(path, AnnotationSet(SCHEMA, many))
    size, digest = path.stat().st_size, _digest(path, path.stat().st_size)
    put(path, AnnotationSet(SCHEMA, [*many[1:], B]))
    with open_recording(path) as recording:
        frame_count = sum(len(s) for s in recording.streams.values())
    grown = path.stat().st_size - size
    assert grown < 32 * frame_count + 8000  # the index and the metadata, and one payload
    assert _digest(path, size) == digest
    assert len(InFileStore(path).load().annotations) == 500


def test_the_bytes_before_the_old_end_stay_but_for_the_header(path: Path) -> None:
    size = path.stat().st_size
    digest = _digest(path, size)
    put(path, AnnotationSet(SCHEMA, [A]))
    put(path, AnnotationSet(SCHEMA, []))
    assert _digest(path, size) == digest
    with path.open("rb") as file:
        assert parse_header(file.read(512)).revision == 3


def test_an_edited_track_keeps_its_stream_even_when_it_is_empty(path: Path) -> None:
    put(path, AnnotationSet(SCHEMA, [A]))
    with open_recording(path) as recording:
        assert list(recording.streams)[-1] == "annotations/drive"
    put(path, AnnotationSet(SCHEMA, []))
    put(path, AnnotationSet(SCHEMA, [replace(A, note="again")]))
    with open_recording(path) as recording:
        names = [n for n, s in recording.streams.items() if s.description.kind is StreamKind.ANNOTATION]
        assert names == ["annotations/drive"]
        assert recording.streams["annotations/drive"].description.extra["track"] == "drive"


def test_labels_as_of_an_earlier_revision_are_shown(path: Path) -> None:
    put(path, AnnotationSet(SCHEMA, [A]))
    put(path, AnnotationSet(SCHEMA, [replace(A, label="run")]))
    with open_recording(path) as recording:
        old = annotation_store(recording, revision=2).load().annotations
        new = annotation_store(recording).load().annotations
    assert (old.by_id[A.id].label, new.by_id[A.id].label) == ("walk", "run")


def test_what_another_program_wrote_is_read_kept_and_not_made_worse(path: Path) -> None:
    foreign = StreamDescription(name="marks", kind=StreamKind.ANNOTATION, encoding="json")
    payloads = [
        b'{"label": "bump", "weight": 3}',
        b"not json",
        b"[1, 2]",
        b'{"id": "x", "label": "", "n": 1}',
    ]
    frames = [NewFrame(timestamp_ns=START_NS + i, payload=p) for i, p in enumerate(payloads)]
    commit_changes(path, expected_revision=None, streams=[StreamChange(description=foreign, frames=frames)])
    stored = InFileStore(path).load()
    (found,) = stored.annotations
    assert (found.id, found.track, found.label, found.start_ns) == ("marks#0", "marks", "bump", START_NS)
    assert found.extra == {"weight": 3}
    assert len(stored.findings) == 3
    put(path, stored.annotations.changed({found.id: replace(found, note="seen"), A.id: A}))
    after = InFileStore(path).load()
    assert after.annotations.by_id["marks#0"].extra == {"weight": 3}
    with HyperframeReader().open(path) as recording:
        marks = recording.streams["marks"]
        assert {marks.payload(i) for i in range(len(marks))} > set(payloads[1:])


def test_a_track_may_have_the_name_of_a_stream(path: Path) -> None:
    camera = StreamDescription(name="annotations/drive", kind=StreamKind.TEXT, encoding="json")
    frame = NewFrame(timestamp_ns=START_NS, payload=b"{}")
    commit_changes(path, expected_revision=None, streams=[StreamChange(description=camera, frames=[frame])])
    put(path, AnnotationSet(SCHEMA, [A]))
    assert InFileStore(path).load().annotations.by_id == {A.id: A}
    with open_recording(path) as recording:
        assert recording.streams["annotations/drive"].payload(0) == b"{}"


def test_a_schema_without_labels_is_kept(path: Path) -> None:
    state = AnnotationSet(Schema(tracks=(Track(name="empty", overlap=False),), extra={"more": [1]}))
    put(path, state)
    assert InFileStore(path).load().annotations == state
    with open_recording(path) as recording:
        assert recording.description.annotation_tracks == 1


def test_somebody_elses_commit_is_noticed_and_merged(path: Path) -> None:
    store = InFileStore(path)
    before = store.commit(store.load(), AnnotationSet(SCHEMA, [A]))
    mine = before.annotations.changed({A.id: replace(A, note="mine")})
    put(path, before.annotations.changed({B.id: B}))
    with pytest.raises(ChangedOnDiskError):
        store.commit(before, mine)
    saved = save(store, before.annotations, mine)
    assert saved.stored.annotations.by_id == {A.id: replace(A, note="mine"), B.id: B}
    assert saved.conflicts == ()


def test_damaged_payloads_cost_only_themselves(path: Path) -> None:
    put(path, AnnotationSet(SCHEMA, [A, replace(A, id="c" * 32)]))
    data = bytearray(path.read_bytes())
    at = data.index(encode_annotation(A))
    data[at + 2] ^= 1
    path.write_bytes(data)
    stored = InFileStore(path).load()
    assert list(stored.annotations.by_id) == ["c" * 32]
    assert "checksum" in stored.findings[0].message


def test_an_annotation_stream_never_stretches_the_recording(path: Path) -> None:
    with open_recording(path) as recording:
        span = recording.description.span
    put(path, AnnotationSet(SCHEMA, [replace(A, start_ns=5, end_ns=START_NS * 3)]))
    with open_recording(path) as recording:
        assert recording.description.span == span
        assert not [f for f in recording.description.findings if f.stream == "annotations/drive"]


def test_many_annotations_are_read_in_one_go(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = [label(f"{i:032d}", i / 1000, i / 1000 + 1) for i in range(3000)]
    put(path, AnnotationSet(SCHEMA, many))
    with HyperframeReader().open(path) as recording:
        reads: list[int] = []
        real = recording.storage.read_into

        def read_into(buffer: memoryview, offset: int) -> None:
            reads.append(offset)
            real(buffer, offset)

        monkeypatch.setattr(recording.storage, "read_into", read_into)
        assert len(read_annotations(recording).annotations) == 3000
    assert len(reads) < 10


def test_kept_frames_must_be_frames_of_the_stream(path: Path) -> None:
    put(path, AnnotationSet(SCHEMA, [A]))
    track = StreamDescription(name="annotations/drive", kind=StreamKind.ANNOTATION, encoding="json")
    for kept in ([1], [-1]):
        with pytest.raises(UsageError, match="no such frames"):
            commit_changes(
                path,
                expected_revision=None,
                streams=[StreamChange(description=track, mode=ChangeMode.REPLACE, kept=kept)],
            )


def _digest(path: Path, size: int) -> str:
    with path.open("rb") as file:
        file.seek(512)
        return hashlib.sha256(file.read(size - 512)).hexdigest()


def test_the_index_of_an_open_recording_is_not_read_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(path, AnnotationSet(SCHEMA, [A]))
    with open_recording(path) as recording:
        fresh, stale = annotation_store(recording), annotation_store(recording)
        with monkeypatch.context() as patch:
            patch.setattr(HyperframeReader, "open", None)
            assert fresh.load().annotations.by_id == {A.id: A}
        put(path, AnnotationSet(SCHEMA, [A, B]))
        assert set(stale.load().annotations.by_id) == {A.id, B.id}
        late = annotation_store(recording)
    assert set(late.load().annotations.by_id) == {A.id, B.id}
