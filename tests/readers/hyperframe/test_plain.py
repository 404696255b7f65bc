"""A plain reader opens our files; we open a plain writer's."""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import lz4.frame
import numpy as np
import pytest

from hfviewer.core.frame import ImageFrame, PointFrame
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.readers.hyperframe.commit import StreamChange, commit_changes, correct_description
from hfviewer.readers.hyperframe.history import history
from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.hyperframe.verify import verify
from hfviewer.readers.registry import open_recording
from tests.readers.hyperframe.recordings import (
    ANNOTATIONS,
    annotation,
    content_of,
    write_small,
    write_with_revisions,
)
from tests.readers.plain import PlainReader, PlainWriter


def _jpeg(value: int) -> bytes:
    ok, data = cv2.imencode(".jpg", np.full((48, 64, 3), value, np.uint8))
    assert ok
    return bytes(data)


def _cloud(i: int) -> bytes:
    return (np.arange(400, dtype="<f4") / 10 + i).tobytes()


def _write_plain(path: Path, header_order: str = "<", index_order: str = "<") -> dict[int, list[bytes]]:
    """Pictures, compressed clouds and IMU samples, arriving interleaved and one of them late."""
    writer = PlainWriter(path, header_order=header_order, index_order=index_order)
    payloads: dict[int, list[bytes]] = {0: [], 3: [], 9: []}
    for i in range(6):
        for stream_id, payload in ((9, struct.pack("<6f", *[i] * 6)), (0, _jpeg(40 * i)), (3, _cloud(i))):
            payloads[stream_id].append(payload)
            stored = lz4.frame.compress(payload, store_size=True) if stream_id == 3 else payload
            writer.append(stream_id, 1_000_000 * i + stream_id, stored)
    writer.append(9, 2_500_000, struct.pack("<6f", *[99] * 6))
    payloads[9].insert(3, struct.pack("<6f", *[99] * 6))
    writer.finalize()
    return payloads


@pytest.mark.parametrize(("header_order", "index_order"), [("<", "<"), (">", "<"), (">", ">")])
def test_a_plain_writers_file_opens_whatever_its_byte_order_and_its_streams_are_guessed(
    header_order: str, index_order: str, tmp_path: Path
) -> None:
    path = tmp_path / "plain.hfr"
    payloads = _write_plain(path, header_order, index_order)
    with open_recording(path) as recording:
        kinds = {name: s.description.kind for name, s in recording.streams.items()}
        assert kinds == {
            "stream 0": StreamKind.IMAGE,
            "stream 3": StreamKind.POINTS,
            "stream 9": StreamKind.IMU,
        }
        assert all(s.description.guessed for s in recording.streams.values())
        for stream_id, expected in payloads.items():
            stream = recording.streams[f"stream {stream_id}"]
            assert [stream.payload(i) for i in range(len(stream))] == expected
            assert bool((np.diff(stream.timestamps_ns) >= 0).all())
        cloud = recording.streams["stream 3"].read(2)
        assert isinstance(cloud, PointFrame)
        assert cloud.xyz.tobytes() == np.frombuffer(_cloud(2), "<f4").reshape(-1, 4)[:, :3].tobytes()
        assert recording.streams["stream 9"].sequence.tolist() == [0, 1, 2, 6, 3, 4, 5]
        codes = [finding.code for finding in recording.description.findings]
        assert codes.count("guessed_encoding") == 3
        assert recording.windows[0].start_ns == 0
    report = verify(path)
    assert report.ok
    assert report.unchecked == 19


def test_a_plain_reader_reads_our_files(tmp_path: Path) -> None:
    path = tmp_path / "ours.hfr"
    write_with_revisions(path)
    plain = PlainReader(path)
    with open_recording(path) as recording:
        assert plain.frame_count == sum(len(s) for s in recording.streams.values())
        assert plain.stream_count == len(recording.streams)
        assert plain.window_ns == recording.description.window_ns
        for stream_id, (_name, stream) in enumerate(recording.streams.items()):
            frames = plain.stream(stream_id)
            assert [f.timestamp_ns for f in frames] == stream.timestamps_ns.tolist()
            assert [f.sequence for f in frames] == stream.sequence.tolist()
            for i, frame in enumerate(frames):
                if not frame.flags & 4:
                    assert frame.payload == stream.payload(i)


def test_a_plain_file_without_frames_opens_empty(tmp_path: Path) -> None:
    path = tmp_path / "empty.hfr"
    PlainWriter(path).finalize()
    with open_recording(path) as recording:
        assert not recording.streams
        assert len(recording.windows) == 0
        assert recording.description.span is None


@pytest.mark.parametrize(("header_order", "index_order"), [("<", "<"), (">", "<"), (">", ">")])
def test_a_commit_to_a_plain_file_keeps_its_state_as_revision_1(
    header_order: str, index_order: str, tmp_path: Path
) -> None:
    path = tmp_path / "plain.hfr"
    _write_plain(path, header_order, index_order)
    before, bytes_before = content_of(path), path.read_bytes()
    assert (
        commit_changes(
            path,
            expected_revision=1,
            streams=[StreamChange(description=ANNOTATIONS, frames=[annotation(1)])],
        )
        == 2
    )
    assert path.read_bytes()[512 : len(bytes_before)] == bytes_before[512:]
    assert [r.revision for r in history(path)] == [2, 1]
    assert content_of(path, revision=1) == before
    assert {n: f for n, f in content_of(path).items() if n != ANNOTATIONS.name} == before
    assert verify(path).ok
    assert PlainReader(path).frame_count == 20


def test_a_corrected_guess_is_stored_and_its_compressed_frames_still_open(tmp_path: Path) -> None:
    path = tmp_path / "plain.hfr"
    _write_plain(path)
    before = content_of(path)
    right = StreamDescription(
        name="lidar/top",
        kind=StreamKind.POINTS,
        encoding="f32",
        compression="lz4",
        fields=("x", "y", "z", "reflectance"),
    )
    assert correct_description(path, "stream 3", right) == 2
    with HyperframeReader().open(path) as recording:
        stream = recording.streams["lidar/top"]
        assert not stream.description.guessed
        cloud = stream.read(1)
        assert isinstance(cloud, PointFrame)
        assert "reflectance" in cloud.fields
        assert [stream.payload(i) for i in range(6)] == [payload for _, _, payload in before["stream 3"]]
        assert isinstance(recording.streams["stream 0"].read(0), ImageFrame)
        assert recording.streams["stream 0"].description.guessed
    assert content_of(path, revision=1) == before


def test_our_writers_file_differs_from_a_plain_one_only_behind_byte_52(tmp_path: Path) -> None:
    path = tmp_path / "ours.hfr"
    write_small(path)
    header = path.read_bytes()[:512]
    assert header[44 + 4 : 52] == bytes(4)
    flags = int.from_bytes(header[8:12], "little")
    stripped = header[:8] + (flags & ~2).to_bytes(4, "little") + header[12:52] + bytes(460)
    data = stripped + path.read_bytes()[512:]
    path.write_bytes(data)
    with HyperframeReader().open(path) as recording:
        assert list(recording.streams) == ["stream 0", "stream 1", "stream 2"]
        assert recording.streams["stream 1"].description.compression == "lz4"
