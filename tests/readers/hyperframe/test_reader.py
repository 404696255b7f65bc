from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hfviewer.core.errors import DamagedRecordingError, FrameError, HfviewerError, NotARecordingError
from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from hfviewer.readers.base import Match
from hfviewer.readers.hyperframe.layout import ENTRY_SIZE, Header, align, crc32, pack_header, parse_header
from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from hfviewer.readers.registry import open_recording
from tests.readers.conformance import ReaderConformance
from tests.readers.hyperframe.recordings import IMU, content_of, write_small

Entry = tuple[int, int, int, int, int, int, int]


class TestConformance(ReaderConformance):
    format = "hyperframe"

    def make(self, folder: Path) -> Path:
        path = folder / "recording.hfr"
        write_small(path, frames=24)
        return path

    def damage(self, path: Path) -> None:
        path.write_bytes(path.read_bytes()[:1000])


def build(path: Path, entries: list[Entry], payloads: bytes = b"", metadata: bytes | None = None) -> None:
    """A file with any entries and any metadata, its checksums right.

    Args:
        path: of the file.
        entries: stream_id, flags, sequence, timestamp_ns, offset, size, crc32; as they are, not sorted.
        payloads: what lies from byte 512 on.
        metadata: JSON text; None: none at all.
    """
    body = bytearray(512) + payloads
    body += bytes(-len(body) % 64)
    meta_offset = len(body) if metadata is not None else 0
    body += metadata or b""
    body += bytes(-len(body) % 64)
    index = b"".join(struct.pack("<HHIqQII", *e) for e in entries)
    index_offset = len(body)
    body += index
    body += bytes(-len(body) % 64)
    header = Header(
        frame_count=len(entries),
        stream_count=1,
        index_offset=index_offset,
        index_size=len(index),
        index_crc32=crc32(index),
        meta_offset=meta_offset,
        meta_size=len(metadata or b""),
        meta_crc32=crc32(metadata or b""),
        footer_offset=align(len(body)),
    )
    block = pack_header(header)
    body[:512] = block
    path.write_bytes(bytes(body) + block)


def explore(path: Path) -> list[str]:
    """Open and read everything that can be; returns the lines of all errors and findings."""
    lines: list[str] = []
    with open_recording(path) as recording:
        lines += [finding.message for finding in recording.description.findings]
        lines += [finding.message for finding in recording.check_index()]
        assert len(recording.windows) >= 0
        for window in recording.windows[:3]:
            recording.announce(window)
        for stream in recording.streams.values():
            assert stream.description.frame_count == len(stream)
            for i in range(min(len(stream), 50)):
                try:
                    stream.read(i)
                except FrameError as error:
                    lines.append(error.line())
            if stream.description.kind.is_dense:
                try:
                    stream.samples(-(2**63), 2**63 - 1)
                except FrameError as error:
                    lines.append(error.line())
    assert not any("\n" in line for line in lines)
    return lines


SAMPLE = struct.pack("<2f", 1.5, -2.5)


def _entry(stamp: int = 5, offset: int = 512, size: int = 8, **fields: int) -> Entry:
    return (
        fields.get("stream_id", 0),
        fields.get("flags", 1),
        fields.get("sequence", 0),
        stamp,
        offset,
        size,
        fields.get("crc", crc32(SAMPLE)),
    )


IMU_METADATA = {
    "streams": {
        "0": {
            "name": "imu",
            "kind": "imu",
            "encoding": "f32",
            "channels": [{"name": "x"}, {"name": "y"}],
        }
    }
}


@pytest.mark.parametrize(
    "bad",
    [
        _entry(offset=2**64 - 1),
        _entry(offset=2**64 - 8),
        _entry(offset=2**63),
        _entry(offset=10**6),
        _entry(size=2**32 - 1),
        _entry(offset=0),
        _entry(size=0, offset=2**64 - 1),
        _entry(crc=1),
    ],
)
def test_a_bad_entry_costs_its_frame_and_nothing_else(bad: Entry, tmp_path: Path) -> None:
    path = tmp_path / "bad.hfr"
    good = [_entry(stamp=1), _entry(stamp=9, sequence=2)]
    build(path, [good[0], bad, good[1]], SAMPLE, json.dumps(IMU_METADATA).encode())
    with open_recording(path) as recording:
        stream = recording.streams["imu"]
        assert len(stream) == 3
        for i in (0, 2):
            assert stream.payload(i) == SAMPLE
        with pytest.raises(FrameError, match=r"Frame 1 of 'imu' \(sequence 0, byte"):
            stream.payload(1)
        stamps_ns, values = stream.samples(0, 10)
        assert stamps_ns.tolist() == [1, 5, 9]
        assert values[[0, 2]].tolist() == [[1.5, -2.5]] * 2
    explore(path)


@pytest.mark.parametrize("stamp", [-(2**63), 2**63 - 1, -1, 0])
def test_an_absurd_timestamp_is_shown_and_breaks_nothing(stamp: int, tmp_path: Path) -> None:
    path = tmp_path / "stamp.hfr"
    stamps = [stamp, *(1_700_000_000_000_000_000 + 10**7 * i for i in range(30))]
    entries = [_entry(stamp=s, sequence=i) for i, s in enumerate(stamps)]
    build(path, entries, SAMPLE, json.dumps(IMU_METADATA).encode())
    explore(path)
    with open_recording(path) as recording:
        assert recording.streams["imu"].timestamps_ns.tolist() == sorted(stamps)
        span = recording.description.span
        assert span is not None
        assert span.duration_ns < 10**9
        assert len(recording.windows) <= 4
        assert "clock_step" in [finding.code for finding in recording.description.findings]


def test_stream_ids_0_and_65535_and_unsorted_repeated_stamps(tmp_path: Path) -> None:
    path = tmp_path / "ids.hfr"
    entries = [
        _entry(stream_id=65535, stamp=7, sequence=1),
        _entry(stream_id=0, stamp=9, sequence=3),
        _entry(stream_id=65535, stamp=7, sequence=0),
        _entry(stream_id=0, stamp=9, sequence=2),
        _entry(stream_id=0, stamp=1, sequence=4),
    ]
    build(path, entries, SAMPLE)
    with open_recording(path) as recording:
        assert list(recording.streams) == ["stream 0", "stream 65535"]
        assert recording.streams["stream 0"].timestamps_ns.tolist() == [1, 9, 9]
        assert recording.streams["stream 0"].sequence.tolist() == [4, 2, 3]
        assert recording.streams["stream 65535"].sequence.tolist() == [0, 1]
    explore(path)


def test_an_index_in_which_a_stream_comes_back_later_is_sorted(tmp_path: Path) -> None:
    path = tmp_path / "back.hfr"
    build(path, [_entry(stream_id=s, stamp=i) for i, s in enumerate([0, 1, 0, 1])], SAMPLE)
    with open_recording(path) as recording:
        assert [len(s) for s in recording.streams.values()] == [2, 2]


def test_an_empty_payload_is_a_frame_that_cannot_be_decoded(tmp_path: Path) -> None:
    path = tmp_path / "empty.hfr"
    with HyperframeWriter(path) as writer:
        writer.add_stream(IMU)
        writer.add_stream(replace(IMU, name="silent"))
        writer.append("imu", 1, b"")
        writer.append("imu", 2, SAMPLE)
    with open_recording(path) as recording:
        assert len(recording.streams["silent"]) == 0
        assert recording.streams["silent"].description.span is None
        assert recording.streams["silent"].samples(0, 9)[1].shape == (0, 2)
        with pytest.raises(FrameError, match="empty"):
            recording.streams["imu"].read(0)
        assert recording.streams["imu"].payload(1) == SAMPLE
        _, values = recording.streams["imu"].samples(0, 9)
        assert np.isnan(values[0]).all()
        assert values[1].tolist() == [1.5, -2.5]


def _streams(**changes: Any) -> dict[str, Any]:
    return {"streams": {"0": {**IMU_METADATA["streams"]["0"], **changes}}}


HOSTILE: dict[str, Any] = {
    "a number": 5,
    "a list": [],
    "null": None,
    "streams is a list": {"streams": []},
    "streams is text": {"streams": "0"},
    "a stream is null": {"streams": {"0": None}},
    "a stream is a list": {"streams": {"0": [1]}},
    "keys are no numbers": {"streams": {"x": {}, "-1": {}, "99999": {}, "٣": {}, "": {}, "1e3": {}}},
    "name is a number": _streams(name=5),
    "no name": {"streams": {"0": {"kind": "imu", "encoding": "f32"}}},
    "unknown kind": _streams(kind="smell"),
    "kind is an object": _streams(kind={}),
    "unknown encoding": _streams(encoding="f8"),
    "an encoding of another kind": _streams(encoding="jpeg"),
    "a pose encoding": _streams(encoding="xyz_qxyzw_f64"),
    "pose of unknown encoding": _streams(kind="pose", encoding="bogus_f64"),
    "pose in batches": _streams(kind="pose", encoding="f32_batch"),
    "unknown compression": _streams(compression="rot13"),
    "compression is null": _streams(compression=None),
    "no channels": _streams(channels=[]),
    "channels of numbers": _streams(channels=[1, 2]),
    "many channels": _streams(channels=[{"name": "x"}] * 5000),
    "equal channels": _streams(channels=[{"name": "x"}, {"name": "x"}]),
    "batch without channels": _streams(encoding="f64_batch", channels=[]),
    "rate is text": _streams(rate_hz="fast"),
    "rate is huge": _streams(rate_hz=1e308),
    "rate is negative": _streams(rate_hz=-1),
    "size is huge": _streams(kind="image", encoding="raw", width=10**30, height=10**30, pixel_format="rgb8"),
    "size is negative": _streams(kind="image", encoding="raw", width=-4, height=-2, pixel_format="mono8"),
    "size is zero": _streams(kind="image", encoding="raw", width=0, height=2, pixel_format="mono8"),
    "pixel format unknown": _streams(kind="image", encoding="raw", width=4, height=2, pixel_format="mono9"),
    "size is fractional": _streams(width=1.5),
    "depth unit is null": _streams(kind="depth", encoding="raw", width=2, height=2, depth_unit_mm=None),
    "depth unit is huge": _streams(kind="depth", encoding="raw", width=2, height=2, depth_unit_mm=1e308),
    "depth unit is tiny": _streams(kind="depth", encoding="raw", width=2, height=2, depth_unit_mm=1e-308),
    "depth unit is negative": _streams(kind="depth", encoding="log12", width=2, height=2, depth_unit_mm=-1),
    "invalid depth codes": _streams(
        kind="depth", encoding="raw", width=2, height=2, depth_invalid=[-1, 70000, 10**20]
    ),
    "fields repeat": _streams(kind="points", encoding="f32", fields=["x", "x", "y", "z"]),
    "no x": _streams(kind="points", encoding="f32", fields=["a", "b"]),
    "no fields": _streams(kind="points", encoding="f32", fields=[]),
    "entries are a lie": _streams(entries=[10**20, -5]),
    "a name with line breaks": _streams(name="a\nb\rc\x00d\u2028e"),
    "a name of half a surrogate": _streams(name="\ud800"),
    "a long name": _streams(name="n" * 100_000),
    "calibration is a list": {**IMU_METADATA, "calibration": [1]},
    "a camera of nonsense": {**IMU_METADATA, "calibration": {"imu": {"K": [1], "width": "x"}}},
    "a camera without numbers": {
        **IMU_METADATA,
        "calibration": {"imu": {"K": [10**400] * 9, "width": 1, "height": 1}},
    },
    "a camera of zeros": {**IMU_METADATA, "calibration": {"imu": {"K": [0] * 9, "width": 1, "height": 1}}},
    "transforms are an object": {**IMU_METADATA, "calibration": {"transforms": {}}},
    "a transform of nonsense": {
        **IMU_METADATA,
        "calibration": {"transforms": [{"parent": "a", "child": "a", "matrix": [0] * 16}, 5, None]},
    },
    "title is a list": {**IMU_METADATA, "recording": {"title": ["x"]}},
    "recording is text": {**IMU_METADATA, "recording": "x"},
    "annotations are text": {**IMU_METADATA, "annotations": "x"},
    "tracks are a number": {**IMU_METADATA, "annotations": {"tracks": 5}},
}


@pytest.mark.parametrize("document", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_metadata_costs_what_it_spoils_and_nothing_else(document: Any, tmp_path: Path) -> None:
    path = tmp_path / "hostile.hfr"
    build(path, [_entry(stamp=1), _entry(stamp=2, sequence=1)], SAMPLE, json.dumps(document).encode())
    explore(path)
    with open_recording(path) as recording:
        assert [len(stream) for stream in recording.streams.values()][:1] == [2]
        assert next(iter(recording.streams.values())).payload(0) == SAMPLE


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 200_000,
        b'{"streams":' * 50_000,
        b'{"streams":{"0":' + b'{"a":' * 3000 + b"1" + b"}" * 3000 + b"}}",
        b"nul",
        b"9" * 10_000,
        b'{"streams":{"0":{"name":"imu","kind":"imu","encoding":"f32","rate_hz":' + b"9" * 400 + b"}}}",
    ],
)
def test_metadata_that_is_no_json_is_one_finding(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "text.hfr"
    build(path, [_entry()], SAMPLE, text)
    explore(path)
    with open_recording(path) as recording:
        assert recording.streams["stream 0"].payload(0) == SAMPLE
        assert any("metadata" in finding.message for finding in recording.description.findings)


def test_a_careless_writers_nan_does_not_cost_the_names(tmp_path: Path) -> None:
    path = tmp_path / "nan.hfr"
    document = {**_streams(rate_hz=float("nan"), width=float("inf")), "calibration": {"k": [float("nan")]}}
    build(path, [_entry()], SAMPLE, json.dumps(document).encode())
    with open_recording(path) as recording:
        assert recording.streams["imu"].description.declared_rate_hz is None
        assert recording.streams["imu"].read(0)


def test_65536_streams_of_one_name_open_quickly_and_all_have_names(tmp_path: Path) -> None:
    path = tmp_path / "many.hfr"
    stream = {"name": "a", "kind": "text", "encoding": "json"}
    document = {"streams": {str(i): stream for i in range(65536)}}
    build(path, [_entry(stream_id=65535)], SAMPLE, json.dumps(document).encode())
    with open_recording(path) as recording:
        names = list(recording.streams)
    assert len(names) == 65536
    assert names[:3] == ["a", "a (2)", "a (3)"]


@pytest.mark.parametrize(
    "change",
    [
        {"index_offset": 2**63, "index_size": ENTRY_SIZE},
        {"index_size": 2**63},
        {"index_size": 31},
        {"frame_count": 2**32 - 1, "index_size": (2**32 - 1) * 32},
        {"index_offset": 3},
        {"meta_size": 2**40},
        {"meta_offset": 2**64 - 1},
        {"meta_offset": 5},
    ],
)
def test_a_header_that_lies_is_damage_and_no_allocation(change: dict[str, int], tmp_path: Path) -> None:
    path = tmp_path / "lie.hfr"
    build(path, [_entry()], SAMPLE, b"{}")
    data = path.read_bytes()
    header = parse_header(data[:512])
    block = pack_header(replace(header, **change))  # type: ignore[arg-type]  # all of them are int fields
    path.write_bytes(block + data[512:-512] + block)
    with pytest.raises(DamagedRecordingError, match="hfviewer recover"):
        open_recording(path)


@pytest.mark.parametrize(
    "change", [{"start_ns": -5}, {"window_ns": 0}, {"window_ns": 2**64 - 1}, {"start_ns": 2**62}]
)
def test_an_odd_window_grid_still_opens(change: dict[str, int], tmp_path: Path) -> None:
    path = tmp_path / "grid.hfr"
    build(path, [_entry(stamp=10**18)], SAMPLE, json.dumps(IMU_METADATA).encode())
    data = path.read_bytes()
    block = pack_header(replace(parse_header(data[:512]), **change))  # type: ignore[arg-type]
    path.write_bytes(block + data[512:-512] + block)
    explore(path)
    with open_recording(path) as recording:
        assert recording.windows.index_at(10**18) is not None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[:1],
        lambda data: data[:3],
        lambda data: data[:511],
        lambda data: bytes(512) + data[512:700],
        lambda data: data[:512],
    ],
)
def test_what_is_left_of_a_file_names_the_repair(spoil: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "left.hfr"
    write_small(path)
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(DamagedRecordingError, match="hfviewer recover") as caught:
        open_recording(path)
    assert "\n" not in caught.value.line()


def test_a_folder_named_like_a_recording_is_no_hyperframe_file(tmp_path: Path) -> None:
    folder = tmp_path / "folder.hfr"
    folder.mkdir()
    assert HyperframeReader().sniff(folder, b"") == Match.NO
    with pytest.raises(NotARecordingError):
        HyperframeReader().open(folder)


def test_a_torn_header_of_a_renamed_file_still_opens_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "torn.hfr"
    write_small(path)
    before = content_of(path)
    data = bytearray(path.read_bytes())
    data[:200] = bytes(200)
    path.write_bytes(data)
    assert content_of(path) == before
    with open_recording(path) as recording:
        assert [finding.code for finding in recording.description.findings] == ["truncated"]


def test_a_footer_inside_a_payload_is_not_taken_for_one_of_the_file(tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner.hfr", tmp_path / "outer.hfr"
    write_small(inner)
    with HyperframeWriter(outer) as writer:
        writer.add_stream(StreamDescription(name="files", kind=StreamKind.UNKNOWN, encoding="bytes"))
        writer.append("files", 1, inner.read_bytes())
    data = outer.read_bytes()
    outer.write_bytes(data[: parse_header(data[:512]).meta_offset])
    with pytest.raises(DamagedRecordingError, match="cut off"):
        open_recording(outer)


def test_the_index_checksum_is_checked_in_the_background(tmp_path: Path) -> None:
    path = tmp_path / "index.hfr"
    write_small(path)
    data = bytearray(path.read_bytes())
    data[parse_header(bytes(data[:512])).index_offset + 4] ^= 1
    path.write_bytes(data)
    with open_recording(path) as recording:
        assert not recording.description.findings
        assert [finding.code for finding in recording.check_index()] == ["damaged_index"]


def test_a_file_that_shrinks_while_it_is_open_gives_errors_and_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "shrinks.hfr"
    write_small(path)
    with open_recording(path) as recording:
        with path.open("r+b") as file:
            file.truncate(600)
        with pytest.raises(FrameError):
            recording.streams["lidar"].read(1)
        assert [finding.code for finding in recording.check_index()] == ["damaged_index"]


def test_a_later_version_says_so(tmp_path: Path) -> None:
    path = tmp_path / "later.hfr"
    write_small(path)
    data = bytearray(path.read_bytes())
    data[4] = 2
    data[508:512] = crc32(bytes(data[:508])).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(HfviewerError, match="version 2"):
        open_recording(path)


def test_channels_without_names_are_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "channels.hfr"
    with HyperframeWriter(path) as writer:
        writer.add_stream(replace(IMU, channels=(Channel(""), Channel(""))))
        writer.append("imu", 1, SAMPLE)
    explore(path)
