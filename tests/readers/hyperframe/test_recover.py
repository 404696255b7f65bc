from __future__ import annotations

import os
import random
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from hfviewer.core.errors import CancelledError, DamagedRecordingError, NotARecordingError, WriteError
from hfviewer.core.frame import ImageFrame
from hfviewer.core.stream import Clock, StreamDescription, StreamKind
from hfviewer.readers.hyperframe.commit import ChangeMode, StreamChange, commit_changes
from hfviewer.readers.hyperframe.journal import journal_path
from hfviewer.readers.hyperframe.layout import HEADER_SIZE, crc32, pack_header, parse_header
from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.hyperframe.recover import RecoverReport, recover
from hfviewer.readers.hyperframe.verify import verify
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from tests.readers.hyperframe.recordings import (
    ANNOTATIONS,
    CLOUD,
    IMU,
    START_NS,
    annotation,
    cloud,
    content_of,
    write_small,
    write_with_revisions,
)
from tests.readers.plain import PlainWriter

CAMERA = StreamDescription(
    name="camera/front", kind=StreamKind.IMAGE, encoding="jpeg", clock=Clock.HARDWARE, declared_rate_hz=30.0
)
DEPTH = StreamDescription(name="depth", kind=StreamKind.DEPTH, encoding="png16", depth_unit_mm=1.0)


def jpeg(i: int, width: int = 64) -> bytes:
    pixels = np.random.default_rng(i).integers(0, 255, (48, width, 3), np.uint8)
    ok, data = cv2.imencode(".jpg", pixels)
    assert ok
    return bytes(data)


def png16(i: int) -> bytes:
    ok, data = cv2.imencode(".png", np.random.default_rng(i).integers(0, 9000, (24, 32), np.uint16))
    assert ok
    return bytes(data)


def write_sensors(path: Path, frames: int = 10) -> None:
    with HyperframeWriter(path) as writer:
        for description in (IMU, CAMERA, CLOUD, DEPTH):
            writer.add_stream(description)
        for i in range(frames):
            stamp = START_NS + 100_000_000 * i
            writer.append("imu", stamp, np.array([i, i], "<f4").tobytes())
            writer.append("camera/front", stamp + 1, jpeg(i))
            writer.append("lidar", stamp + 2, cloud(i))
            writer.append("depth", stamp + 3, png16(i))


def by_name(report: RecoverReport) -> dict[str, tuple[int, int | None]]:
    return {s.name: (s.frames_recovered, s.frames_lost) for s in report.streams}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "recording.hfr"
    write_sensors(path)
    return path


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "recovered.hfr"


def cut(path: Path, size: int) -> None:
    with path.open("r+b") as file:
        file.truncate(size)


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def header_of(path: Path) -> tuple[int, int, int]:
    header = parse_header(path.read_bytes()[:HEADER_SIZE])
    return header.meta_offset, header.index_offset, header.footer_offset


def test_a_sound_file_is_recovered_completely(path: Path, output: Path) -> None:
    before = path.read_bytes()
    report = recover(path, output)
    assert report.is_complete
    assert report.method == "footer"
    assert by_name(report) == dict.fromkeys(("imu", "camera/front", "lidar", "depth"), (10, 0))
    assert content_of(output) == content_of(path)
    assert path.read_bytes() == before
    with HyperframeReader().open(path) as a, HyperframeReader().open(output) as b:
        assert a.metadata == b.metadata
        assert a.header.start_ns == b.header.start_ns


def test_a_damaged_payload_is_left_out_and_counted_with_its_share_of_time(path: Path, output: Path) -> None:
    with HyperframeReader().open(path) as recording:
        for i in (3, 4):
            flip(path, int(recording.streams["lidar"].entries["offset"][i]) + 20)
    report = recover(path, output)
    assert not report.is_complete
    assert report.output_ok
    assert report.frames_missing == 2
    assert by_name(report)["lidar"] == (8, 2)
    (lidar,) = (s for s in report.streams if s.name == "lidar")
    assert lidar.share_of_time_lost == pytest.approx(0.2)
    assert {s.share_of_time_lost for s in report.streams if s.name != "lidar"} == {0.0}
    assert len(content_of(output)["lidar"]) == 8


def test_a_file_cut_inside_its_index_keeps_the_frames_that_are_listed_and_finds_others_by_looking(
    path: Path, output: Path
) -> None:
    _, index_offset, _ = header_of(path)
    whole = content_of(path)
    cut(path, index_offset + 15 * 32 + 5)  # imu, and half of the camera
    report = recover(path, output)
    assert report.method == "footer"
    assert report.frames_missing == 25
    frames = content_of(output)
    assert frames["imu"] == whole["imu"]
    assert frames["camera/front"] == whole["camera/front"][:5]
    # What no entry tells the time of is there all the same, but not under the name that promises a time.
    assert frames["lidar"] == frames["depth"] == []
    for name in ("lidar", "depth"):
        found = [payload for _, _, payload in frames[f"recovered/{name}"]]
        assert found == [payload for _, _, payload in whole[name]]
    extra = frames["recovered/jpeg 64x48"]
    assert [payload for _, _, payload in extra] == [payload for _, _, payload in whole["camera/front"][5:]]
    assert by_name(report) == {
        "imu": (10, 0),
        "camera/front": (5, 5),
        "lidar": (0, 10),
        "depth": (0, 10),
        "recovered/jpeg 64x48": (5, None),
        "recovered/lidar": (10, None),
        "recovered/depth": (10, None),
    }


def test_a_file_cut_before_its_index_is_searched_for_payloads(path: Path, output: Path) -> None:
    meta_offset, _, _ = header_of(path)
    whole = content_of(path)
    cut(path, meta_offset)
    report = recover(path, output)
    assert (report.method, report.frames_missing, report.is_complete) == ("scan", None, False)
    assert {s.frames_lost for s in report.streams} == {s.share_of_time_lost for s in report.streams} == {None}
    frames = content_of(output)
    assert set(frames) == {"recovered/jpeg 64x48", "recovered/lz4 points f32", "recovered/png16 32x24"}
    for name, stream in (
        ("jpeg 64x48", "camera/front"),
        ("lz4 points f32", "lidar"),
        ("png16 32x24", "depth"),
    ):
        found = frames[f"recovered/{name}"]
        assert [payload for _, _, payload in found] == [payload for _, _, payload in whole[stream]]
        assert [sequence for _, sequence, _ in found] == list(range(10))
    with HyperframeReader().open(output) as recording:
        for recovered in recording.streams.values():
            assert recovered.description.clock is Clock.NOMINAL
            assert "timestamps are lost" in recovered.description.note
        first = recording.streams["recovered/jpeg 64x48"].read(0)
        assert isinstance(first, ImageFrame)


def test_pictures_of_two_sizes_become_two_streams(tmp_path: Path, output: Path) -> None:
    path = tmp_path / "plain.hfr"
    plain = PlainWriter(path)
    for i in range(4):
        plain.append(0, i, jpeg(i, 64))
        plain.append(1, i, jpeg(i, 80))
    plain.finalize()
    data = bytearray(path.read_bytes())
    data[:HEADER_SIZE] = bytes(HEADER_SIZE)
    path.write_bytes(data)
    report = recover(path, output)
    assert by_name(report) == {"recovered/jpeg 64x48": (4, None), "recovered/jpeg 80x48": (4, None)}


def test_a_picture_inside_another_payload_is_not_taken_for_a_frame(tmp_path: Path, output: Path) -> None:
    thumbnail = jpeg(1, 16)
    # An application segment that holds a whole small picture, on a boundary where one is looked for.
    filler = bytes(60 - 2)
    segment = b"\xff\xe5" + (2 + len(filler) + len(thumbnail)).to_bytes(2, "big") + filler + thumbnail
    outer = jpeg(2, 64)
    payload = outer[:2] + segment + outer[2:]
    assert payload.find(thumbnail) % 64 == 0
    path = tmp_path / "plain.hfr"
    plain = PlainWriter(path)
    plain.append(0, 1, payload)
    plain.append(0, 2, payload)
    plain.finalize()
    cut(path, 512 + 2 * len(payload) + 64)
    report = recover(path, output)
    assert by_name(report) == {"recovered/jpeg 64x48": (2, None)}


def test_half_a_payload_at_the_end_is_not_recovered(path: Path, output: Path) -> None:
    whole = content_of(path)
    with HyperframeReader().open(path) as recording:
        last = recording.streams["camera/front"].entries[9]
    cut(path, int(last["offset"]) + int(last["size"]) - 1)
    recover(path, output)
    found = [payload for _, _, payload in content_of(output)["recovered/jpeg 64x48"]]
    assert found == [payload for _, _, payload in whole["camera/front"][:9]]


def test_a_torn_header_costs_nothing(path: Path, output: Path) -> None:
    flip(path, 40)
    report = recover(path, output)
    assert report.is_complete
    assert content_of(output) == content_of(path)


def test_flips_in_the_index_are_mended_from_an_earlier_revision(path: Path, output: Path) -> None:
    whole = content_of(path)
    commit_changes(
        path, expected_revision=1, streams=[StreamChange(description=ANNOTATIONS, frames=[annotation(1)])]
    )
    _, index_offset, _ = header_of(path)
    for row in (0, 13, 27):
        flip(path, index_offset + 32 * row + 8)  # a timestamp, by one nanosecond: still in order
    report = recover(path, output)
    assert report.output_ok
    frames = content_of(output)
    assert len(frames.pop(ANNOTATIONS.name)) == 1
    assert frames == whole


def test_an_entry_out_of_order_in_a_damaged_index_is_not_believed(path: Path, output: Path) -> None:
    _, index_offset, _ = header_of(path)
    whole = content_of(path)
    flip(path, index_offset + 32 * 3 + 8 + 6)  # imu, frame 3: days away
    report = recover(path, output)
    assert by_name(report)["imu"] == (9, 1)
    assert content_of(output)["imu"] == [*whole["imu"][:3], *whole["imu"][4:]]


@pytest.mark.parametrize("index_is_damaged", [False, True])
def test_frames_of_a_replaced_track_do_not_come_back_from_the_dead(
    index_is_damaged: bool, tmp_path: Path, output: Path
) -> None:
    path = tmp_path / "recording.hfr"
    write_with_revisions(path)
    with HyperframeReader().open(path) as recording:
        flip(path, int(recording.streams[ANNOTATIONS.name].entries["offset"][0]))
        if index_is_damaged:  # then earlier revisions are asked for help
            flip(path, recording.header.index_offset + 4)
    report = recover(path, output)
    assert by_name(report)[ANNOTATIONS.name] == (1, 1)
    (frame,) = content_of(output)[ANNOTATIONS.name]
    assert b'"id": 2' in frame[2]


def test_an_older_revision_is_never_taken_for_the_one_that_is_lost(path: Path, output: Path) -> None:
    for i, mode in ((1, ChangeMode.ADD), (2, ChangeMode.REPLACE)):
        change = StreamChange(description=ANNOTATIONS, frames=[annotation(i)], mode=mode)
        commit_changes(path, expected_revision=i, streams=[change])
    # As many frames as there should be, but one of them is not the one that was saved last.
    cut(path, header_of(path)[1])
    report = recover(path, output)
    assert sum(map(len, content_of(output).values())) >= 41
    assert not report.is_complete
    assert report.frames_missing is None
    assert by_name(report)[ANNOTATIONS.name] == (1, None)


def test_a_removed_stream_does_not_come_back(path: Path, output: Path) -> None:
    commit_changes(
        path, expected_revision=1, streams=[StreamChange(description=DEPTH, mode=ChangeMode.REMOVE)]
    )
    _, index_offset, _ = header_of(path)
    flip(path, index_offset + 33)
    assert "depth" not in by_name(recover(path, output))


def test_an_uncommitted_revision_behind_a_sound_header_is_not_taken(path: Path, output: Path) -> None:
    before = path.read_bytes()
    commit_changes(
        path, expected_revision=1, streams=[StreamChange(description=ANNOTATIONS, frames=[annotation(1)])]
    )
    path.write_bytes(before[:HEADER_SIZE] + path.read_bytes()[HEADER_SIZE:])
    flip(path, header_of(path)[1] + 33)
    assert ANNOTATIONS.name not in by_name(recover(path, output))


def _unfinished(folder: Path, frames: int = 6) -> Path:
    writer = HyperframeWriter(folder / "a.hfr", window_ns=20_000_000)
    writer.add_stream(IMU)
    writer.add_stream(CLOUD)
    for i in range(frames):
        writer.append("imu", START_NS + 10 * i, np.array([i, i], "<f4").tobytes(), 100 + i)
        writer.append("lidar", START_NS + 10 * i + 1, cloud(i))
    writer.close()
    return writer.temporary


def test_a_journal_brings_back_everything_with_its_times(tmp_path: Path) -> None:
    temporary = _unfinished(tmp_path)
    report = recover(temporary, tmp_path / "a.hfr")
    assert report.is_complete
    assert report.method == "journal"
    frames = content_of(tmp_path / "a.hfr")
    assert [(stamp, sequence) for stamp, sequence, _ in frames["imu"]] == [
        (START_NS + 10 * i, 100 + i) for i in range(6)
    ]
    assert temporary.exists()
    assert journal_path(temporary).exists()


def test_frames_that_the_journal_lists_and_the_file_lacks_are_counted_as_lost(tmp_path: Path) -> None:
    temporary = _unfinished(tmp_path)
    cut(temporary, temporary.stat().st_size - 10)
    with journal_path(temporary).open("ab") as file:
        file.write(b"half an entry")
    report = recover(temporary, tmp_path / "a.hfr")
    assert by_name(report) == {"imu": (6, 0), "lidar": (5, 1)}
    assert report.frames_missing == 1
    assert not report.is_complete


def test_a_journal_beside_the_renamed_file_is_found(tmp_path: Path) -> None:
    temporary = _unfinished(tmp_path)
    renamed = tmp_path / "a.hfr"
    temporary.rename(renamed)
    report = recover(renamed, tmp_path / "out.hfr")
    assert (report.method, report.is_complete) == ("journal", True)


def test_a_journal_of_another_recording_is_not_believed(tmp_path: Path) -> None:
    temporary = _unfinished(tmp_path)
    data = random.Random(5).randbytes(temporary.stat().st_size - HEADER_SIZE)
    temporary.write_bytes(temporary.read_bytes()[:HEADER_SIZE] + data)
    with pytest.raises(DamagedRecordingError, match="nothing"):
        recover(temporary, tmp_path / "out.hfr")
    assert not (tmp_path / "out.hfr").exists()


def test_a_stale_journal_beside_a_finished_file_adds_nothing(path: Path, output: Path) -> None:
    commit_changes(
        path, expected_revision=1, streams=[StreamChange(description=CLOUD, mode=ChangeMode.REMOVE)]
    )
    other = path.with_name("other")
    other.mkdir()
    temporary = _unfinished(other)
    os.rename(journal_path(temporary), path.with_name("recording.hfr.tmp.journal"))
    report = recover(path, output)
    assert report.is_complete
    assert "lidar" not in by_name(report)


def test_a_writer_that_died_between_footer_and_header_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.hfr"
    write_sensors(path)
    whole = content_of(path)
    unfinished = pack_header(replace(parse_header(path.read_bytes()[:HEADER_SIZE]), finalized=False))
    temporary = tmp_path / "b.hfr.tmp"
    temporary.write_bytes(unfinished + path.read_bytes()[HEADER_SIZE:])
    report = recover(temporary, tmp_path / "b.hfr")
    assert report.is_complete
    assert content_of(tmp_path / "b.hfr") == whole


def test_a_plain_file_without_checksums_is_recovered_frame_by_frame(tmp_path: Path, output: Path) -> None:
    path = tmp_path / "plain.hfr"
    plain = PlainWriter(path)
    for i in range(6):
        plain.append(2, 10 * i, jpeg(i))
    plain.finalize()
    with HyperframeReader().open(path) as recording:
        entry = recording.streams["stream 2"].entries[4]
        broken = int(entry["offset"]) + int(entry["size"]) // 2
    data = bytearray(path.read_bytes())
    data[broken : broken + 5] = b"\xff\xc5\x00\x00\x00"
    path.write_bytes(data)
    report = recover(path, output)
    assert by_name(report) == {"stream 2": (5, 1)}
    assert verify(output).unchecked == 0


@pytest.mark.parametrize("kind", ["empty", "header only", "noise", "no frames"])
def test_where_nothing_is_left_no_file_is_made(kind: str, tmp_path: Path, output: Path) -> None:
    path = tmp_path / "nothing.hfr"
    if kind == "no frames":
        write_small(path, frames=0)
    else:
        data = {"empty": b"", "header only": b"HFRM" + bytes(508), "noise": random.Random(1).randbytes(9000)}
        path.write_bytes(data[kind])
    with pytest.raises(DamagedRecordingError) as caught:
        recover(path, output)
    assert "\n" not in caught.value.line()
    assert [p.name for p in tmp_path.iterdir()] == ["nothing.hfr"]


def test_neither_target_nor_source_is_ever_overwritten(path: Path, output: Path) -> None:
    output.write_bytes(b"precious")
    before = path.read_bytes()
    for target in (output, path):
        with pytest.raises(WriteError, match="exists"):
            recover(path, target)
    assert output.read_bytes() == b"precious"
    assert path.read_bytes() == before
    with pytest.raises(NotARecordingError):
        recover(path.with_name("gone.hfr"), path.with_name("new.hfr"))


def test_a_cancelled_recovery_leaves_nothing(path: Path, output: Path) -> None:
    with pytest.raises(CancelledError):
        recover(path, output, cancelled=lambda: True)
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_progress_is_told(path: Path, output: Path) -> None:
    steps: list[tuple[int, int]] = []
    recover(path, output, progress=lambda done, total: steps.append((done, total)))
    assert steps[-1][0] == steps[-1][1] > 0


def test_recovered_payloads_bear_the_checksum_of_their_own_bytes(path: Path, output: Path) -> None:
    recover(path, output)
    with HyperframeReader().open(output) as recording:
        for entry in recording.index.entries:
            stored = recording.storage.read(int(entry["offset"]), int(entry["size"]))
            assert crc32(stored) == int(entry["crc32"])
