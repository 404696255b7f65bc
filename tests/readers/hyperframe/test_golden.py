"""Recordings of an earlier day, committed as they are: they open with exactly their content for ever."""

from __future__ import annotations

import json
import shutil
import zlib
from pathlib import Path
from typing import Any

import pytest

from hfviewer.core.frame import (
    DepthFrame,
    Frame,
    ImageFrame,
    PointFrame,
    PoseFrame,
    RawFrame,
    SampleFrame,
    TextFrame,
)
from hfviewer.core.recording import Recording, Stream
from hfviewer.readers.hyperframe.history import history
from hfviewer.readers.hyperframe.recover import recover
from hfviewer.readers.hyperframe.verify import verify
from hfviewer.readers.registry import open_recording
from tests.readers.hyperframe.golden import (
    FOLDER,
    calibration_json,
    description_json,
    write_golden,
    write_golden_plain,
)
from tests.readers.hyperframe.golden_content import plain_values
from tests.readers.plain import PlainReader

COMPRESSED = 4
MOST_BYTES = 20_000
Document = dict[str, Any]


def expected(name: str) -> Document:
    document: Document = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return document


def content(frame: Frame) -> Document:
    """A decoded frame as the JSON beside the recording has it."""
    match frame:
        case ImageFrame():
            assert frame.full_size is None
            return {"pixels": plain_values(frame.pixels), "pixel_format": frame.pixel_format}
        case DepthFrame():
            return {"stored": plain_values(frame.stored), "millimetres": plain_values(frame.millimetres)}
        case PointFrame():
            fields = {name: plain_values(values) for name, values in frame.fields.items()}
            return {"xyz": plain_values(frame.xyz), "fields": fields}
        case SampleFrame():
            stamps = frame.timestamps_ns.tolist()
            return {"timestamps_ns": stamps, "values": plain_values(frame.values)}
        case PoseFrame():
            return {"matrix": plain_values(frame.matrix)}
        case TextFrame():
            return {"value": frame.value, "text": frame.text}
        case RawFrame():
            return {"payload": frame.payload.hex()}
    raise AssertionError(type(frame))


def frames(stream: Stream) -> list[Document]:
    return [
        {
            "timestamp_ns": int(stream.timestamps_ns[i]),
            "sequence": int(stream.sequence[i]),
            "flags": int(stream.flags[i]) & ~COMPRESSED,
            "payload_crc32": zlib.crc32(stream.payload(i)),
            "content": content(stream.read(i)),
        }
        for i in range(len(stream))
    ]


def content_of(recording: Recording) -> dict[str, list[Document]]:
    return {name: frames(stream) for name, stream in recording.streams.items()}


def check(path: Path) -> None:
    """Whether a recording is the golden one to the last bit of its content."""
    document = expected("golden")
    with open_recording(path) as recording:
        description = recording.description
        assert (description.title, description.window_ns) == (document["title"], document["window_ns"])
        assert (description.finalized, description.revision, list(description.findings)) == (True, 2, [])
        assert (description.annotation_tracks, description.annotation_count) == (1, 1)
        assert list(recording.check_index()) == []
        assert calibration_json(description.calibration) == document["calibration"]
        assert {key: description.metadata[key] for key in document["metadata"]} == document["metadata"]
        assert list(recording.streams) == list(document["streams"])
        for name, stream in recording.streams.items():
            told = document["streams"][name]
            assert description_json(stream.description) == told["description"], name
            assert not stream.description.guessed
            assert frames(stream) == told["frames"], name


def test_the_golden_recording_opens_with_exactly_its_content() -> None:
    check(FOLDER / "golden.hfr")


@pytest.mark.parametrize("revision", [1, 2])
def test_each_of_its_revisions_holds_what_it_held_then(revision: int) -> None:
    document = expected("golden")
    names = document["revisions"][str(revision)]
    with open_recording(FOLDER / "golden.hfr", revision=revision) as recording:
        assert content_of(recording) == {name: document["streams"][name]["frames"] for name in names}


def test_its_history_and_its_checksums_are_sound() -> None:
    report = verify(FOLDER / "golden.hfr")
    assert (report.bad, report.unchecked, report.revisions) == ((), 0, 2)
    count = sum(len(stream["frames"]) for stream in expected("golden")["streams"].values())
    assert report.frames_checked >= count
    assert [(r.revision, r.frame_count, r.annotation_count) for r in history(FOLDER / "golden.hfr")] == [
        (2, count, 1),
        (1, count - 1, 0),
    ]


def test_compressed_payloads_are_in_it_of_each_kind() -> None:
    with open_recording(FOLDER / "golden.hfr") as recording:
        packed = {
            stream.description.compression
            for stream in recording.streams.values()
            if any(int(flags) & COMPRESSED for flags in stream.flags)
        }
    assert packed == {"lz4", "zstd"}


def test_a_plain_reader_sees_the_same_stamps_and_payloads() -> None:
    document = expected("golden")
    plain = PlainReader(FOLDER / "golden.hfr")
    for stream_id, stream in enumerate(document["streams"].values()):
        read = plain.stream(stream_id)
        assert [frame.timestamp_ns for frame in read] == [f["timestamp_ns"] for f in stream["frames"]]
        assert [frame.sequence for frame in read] == [f["sequence"] for f in stream["frames"]]
        for frame, told in zip(read, stream["frames"], strict=True):
            if not frame.flags & COMPRESSED:
                assert zlib.crc32(frame.payload) == told["payload_crc32"]


def test_recovering_it_gives_every_frame_back(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.hfr"
    shutil.copyfile(FOLDER / "golden.hfr", damaged)
    with damaged.open("r+b") as file:
        file.write(bytes(512))  # its header is gone; the footers lead to the rest
    assert recover(damaged, tmp_path / "recovered.hfr").is_complete
    with open_recording(tmp_path / "recovered.hfr") as recording:
        assert content_of(recording) == {
            name: stream["frames"] for name, stream in expected("golden")["streams"].items()
        }


def test_the_writer_of_today_still_writes_the_same_recording(tmp_path: Path) -> None:
    write_golden(tmp_path / "today.hfr")
    check(tmp_path / "today.hfr")


def check_plain(path: Path) -> None:
    document = expected("golden_plain")
    with open_recording(path) as recording:
        assert recording.description.window_ns == document["window_ns"]
        assert {finding.code for finding in recording.description.findings} == {"guessed_encoding"}
        assert list(recording.streams) == list(document["streams"])
        for name, stream in recording.streams.items():
            told = document["streams"][name]
            assert stream.description.guessed
            assert (str(stream.description.kind), frames(stream)) == (told["kind"], told["frames"]), name


def test_the_golden_plain_file_opens_with_exactly_its_content() -> None:
    check_plain(FOLDER / "golden_plain.hfr")


def test_the_golden_plain_file_is_what_a_plain_writer_writes(tmp_path: Path) -> None:
    write_golden_plain(tmp_path / "today.hfr")
    assert (tmp_path / "today.hfr").read_bytes() == (FOLDER / "golden_plain.hfr").read_bytes()


def test_looking_at_the_golden_files_does_not_change_them(tmp_path: Path) -> None:
    for name in ("golden", "golden_plain"):
        path = FOLDER / f"{name}.hfr"
        before = path.read_bytes()
        with open_recording(path) as recording:
            content_of(recording)
        assert path.read_bytes() == before
        assert len(before) <= MOST_BYTES
        assert not path.with_name(f"{name}.hfr.tmp").exists()
