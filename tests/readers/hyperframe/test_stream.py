from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import lz4.frame
import numpy as np
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hfviewer.codecs.compression import MAX_FRAME_BYTES
from hfviewer.codecs.samples import decode_samples, encode_batch
from hfviewer.core.errors import FrameError
from hfviewer.core.frame import (
    AnnotationFrame,
    DepthFrame,
    Frame,
    ImageFrame,
    PointFrame,
    PoseFrame,
    RawFrame,
    SampleFrame,
    TextFrame,
)
from hfviewer.core.geometry import matrix_from_pose
from hfviewer.core.stream import Channel, StreamDescription, StreamKind
from hfviewer.readers.hyperframe.layout import ENTRY_COMPRESSED, ENTRY_HARDWARE_CLOCK, ENTRY_KEYFRAME
from hfviewer.readers.hyperframe.reader import HyperframeReader
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from hfviewer.readers.registry import open_recording
from tests.readers.hyperframe.recordings import IMU, START_NS
from tests.readers.hyperframe.test_reader import build

W, H = 20, 12


@dataclass(frozen=True)
class Case:
    """An encoding: a description, payloads, and what a decoded frame must be."""

    description: StreamDescription
    make: Callable[[int], bytes]
    check: Callable[[Frame, int], None]


def _describe(kind: StreamKind, encoding: str, **fields: Any) -> StreamDescription:
    return StreamDescription(name=f"{kind}/{encoding}", kind=kind, encoding=encoding, **fields)


def _pixels(i: int, shape: tuple[int, ...], dtype: str) -> NDArray[Any]:
    top = 256 if dtype == "u1" else 65536
    return np.random.default_rng(i).integers(0, top, shape, dtype=np.uint16).astype(dtype)


def _png(array: NDArray[Any]) -> bytes:
    ok, data = cv2.imencode(".png", array)
    assert ok
    return bytes(data)


def _jpeg(i: int) -> bytes:
    ok, data = cv2.imencode(".jpg", _pixels(i, (H, W, 3), "u1"))
    assert ok
    return bytes(data)


def _image(expected: Callable[[int], NDArray[Any]]) -> Callable[[Frame, int], None]:
    def check(frame: Frame, i: int) -> None:
        assert isinstance(frame, ImageFrame)
        np.testing.assert_array_equal(frame.pixels, expected(i))

    return check


def _depth(expected: Callable[[int], NDArray[Any]]) -> Callable[[Frame, int], None]:
    def check(frame: Frame, i: int) -> None:
        assert isinstance(frame, DepthFrame)
        assert frame.stored.dtype == np.uint16
        np.testing.assert_array_equal(frame.stored, expected(i))

    return check


FIELDS = ("x", "y", "z", "intensity", "ring")


def _points(i: int) -> NDArray[np.float32]:
    cloud = np.random.default_rng(i).normal(size=(30, 5)).astype(np.float32)
    cloud[3, 1] = np.nan
    return cloud


def _check_points(frame: Frame, i: int) -> None:
    assert isinstance(frame, PointFrame)
    np.testing.assert_array_equal(frame.xyz, _points(i)[:, :3])
    assert tuple(frame.fields) == FIELDS
    for column, field in enumerate(FIELDS):
        np.testing.assert_array_equal(frame.fields[field], _points(i)[:, column])


CHANNELS = tuple(Channel(name, "m/s²") for name in ("ax", "ay", "az"))


def _values(i: int, dtype: str) -> NDArray[Any]:
    return np.random.default_rng(i).normal(size=(4, 3)).astype(dtype)


def _stamps(i: int) -> NDArray[np.int64]:
    return START_NS + 10_000 * i + np.arange(4, dtype=np.int64)


def _single(dtype: str) -> Callable[[Frame, int], None]:
    def check(frame: Frame, i: int) -> None:
        assert isinstance(frame, SampleFrame)
        assert frame.timestamps_ns.tolist() == [frame.timestamp_ns]
        np.testing.assert_array_equal(frame.values, _values(i, dtype)[:1].astype(np.float64))

    return check


def _batch(dtype: str) -> Callable[[Frame, int], None]:
    def check(frame: Frame, i: int) -> None:
        assert isinstance(frame, SampleFrame)
        np.testing.assert_array_equal(frame.timestamps_ns, _stamps(i))
        np.testing.assert_array_equal(frame.values, _values(i, dtype).astype(np.float64))
        assert frame.channels == CHANNELS

    return check


def _pose(i: int) -> NDArray[np.float64]:
    q = np.random.default_rng(i).normal(size=4)
    return np.concatenate([np.random.default_rng(i + 1).normal(size=3), q / np.linalg.norm(q)])


def _matrix(i: int) -> NDArray[np.float32]:
    pose = _pose(i)
    return matrix_from_pose(pose[:3], pose[3:]).astype("<f4")


def _check_pose(frame: Frame, i: int) -> None:
    assert isinstance(frame, PoseFrame)
    np.testing.assert_allclose(frame.matrix[:3, 3], _pose(i)[:3])
    np.testing.assert_allclose(frame.matrix, _matrix(i), atol=1e-6)


def _check_matrix(frame: Frame, i: int) -> None:
    assert isinstance(frame, PoseFrame)
    np.testing.assert_array_equal(frame.matrix, _matrix(i).astype(np.float64))


def _json(i: int) -> bytes:
    return json.dumps({"i": i, "text": "Grüße 你好", "list": [1, None]}).encode()


def _check_json(cls: type[TextFrame]) -> Callable[[Frame, int], None]:
    def check(frame: Frame, i: int) -> None:
        assert type(frame) is cls
        assert isinstance(frame, TextFrame)
        assert frame.value == {"i": i, "text": "Grüße 你好", "list": [1, None]}
        assert frame.text == _json(i).decode()

    return check


def _check_raw(frame: Frame, i: int) -> None:
    assert isinstance(frame, RawFrame)
    assert frame.payload == bytes([i]) * 99


def _raw_case(pixel_format: str) -> Case:
    dtype = "<u2" if pixel_format.endswith("16") else "u1"
    channels = {"rgb8": 3, "bgr8": 3, "rgba8": 4}.get(pixel_format, 0)
    shape = (H, W, channels) if channels else (H, W)

    def expected(i: int) -> NDArray[Any]:
        pixels = _pixels(i, shape, dtype)
        return {"rgb8": pixels[..., 2::-1], "rgba8": pixels[..., 2::-1]}.get(pixel_format, pixels)

    description = replace(
        _describe(StreamKind.IMAGE, "raw", width=W, height=H, pixel_format=pixel_format),
        name=f"image/raw/{pixel_format}",
    )
    return Case(description, lambda i: _pixels(i, shape, dtype).tobytes(), _image(expected))


def _sample_cases(kind: StreamKind) -> list[Case]:
    cases: list[Case] = []
    for name, dtype in (("f32", "<f4"), ("f64", "<f8")):
        single = _describe(kind, name, channels=CHANNELS)
        batch = _describe(kind, f"{name}_batch", channels=CHANNELS)
        cases.append(Case(single, partial(_single_payload, dtype), _single(dtype)))
        cases.append(Case(batch, partial(_batch_payload, batch.encoding, dtype), _batch(dtype)))
    return cases


def _single_payload(dtype: str, i: int) -> bytes:
    return bytes(_values(i, dtype)[0].tobytes())


def _batch_payload(encoding: str, dtype: str, i: int) -> bytes:
    return encode_batch(_stamps(i), _values(i, dtype).astype(np.float64), encoding=encoding)


def _decoded(data: bytes) -> NDArray[Any]:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))


_DEPTH: dict[str, Any] = {"depth_unit_mm": 1.0}
CASES = [
    Case(
        _describe(StreamKind.IMAGE, "jpeg"),
        _jpeg,
        _image(lambda i: _decoded(_jpeg(i))),
    ),
    Case(
        _describe(StreamKind.IMAGE, "png"),
        lambda i: _png(_pixels(i, (H, W, 3), "u1")),
        _image(lambda i: _pixels(i, (H, W, 3), "u1")),
    ),
    *map(
        _raw_case,
        ["mono8", "mono16", "rgb8", "bgr8", "rgba8"]
        + [f"bayer_{p}{b}" for p in ("rggb", "bggr", "gbrg", "grbg") for b in (8, 16)],
    ),
    Case(
        _describe(StreamKind.DEPTH, "png16", **_DEPTH),
        lambda i: _png(_pixels(i, (H, W), "u2")),
        _depth(lambda i: _pixels(i, (H, W), "u2")),
    ),
    Case(
        _describe(StreamKind.DEPTH, "raw", width=W, height=H, **_DEPTH),
        lambda i: _pixels(i, (H, W), "<u2").tobytes(),
        _depth(lambda i: _pixels(i, (H, W), "<u2")),
    ),
    Case(
        _describe(StreamKind.DEPTH, "log12", width=W, height=H, **_DEPTH),
        lambda i: (_pixels(i, (H, W), "<u2") & 4095).tobytes(),
        _depth(lambda i: _pixels(i, (H, W), "<u2") & 4095),
    ),
    Case(_describe(StreamKind.POINTS, "f32", fields=FIELDS), lambda i: _points(i).tobytes(), _check_points),
    Case(
        _describe(StreamKind.POINTS, "f32_planar", fields=FIELDS),
        lambda i: np.ascontiguousarray(_points(i).T).tobytes(),
        _check_points,
    ),
    *_sample_cases(StreamKind.IMU),
    *_sample_cases(StreamKind.SIGNAL),
    Case(_describe(StreamKind.POSE, "xyz_qxyzw_f64"), lambda i: _pose(i).tobytes(), _check_pose),
    Case(_describe(StreamKind.POSE, "matrix44_f32"), lambda i: _matrix(i).tobytes(), _check_matrix),
    Case(_describe(StreamKind.TEXT, "json"), _json, _check_json(TextFrame)),
    Case(_describe(StreamKind.ANNOTATION, "json"), _json, _check_json(AnnotationFrame)),
    Case(_describe(StreamKind.UNKNOWN, "bytes"), lambda i: bytes([i]) * 99, _check_raw),
]


@pytest.mark.parametrize("compression", ["none", "lz4", "zstd"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.description.name)
def test_every_encoding_comes_back_bit_for_bit(case: Case, compression: str, tmp_path: Path) -> None:
    path = tmp_path / "round.hfr"
    description = replace(case.description, compression=compression)
    with HyperframeWriter(path) as writer:
        writer.add_stream(description)
        for i in range(3):
            writer.append(description.name, START_NS + 10_000 * i, case.make(i))
    with open_recording(path) as recording:
        stream = recording.streams[description.name]
        assert stream.description.encoding == description.encoding
        for i in range(3):
            assert stream.payload(i) == case.make(i)
            case.check(stream.read(i), i)
            # Frames must not share memory that the next read takes again.
        frames = [stream.read(i) for i in range(3)]
        for i, frame in enumerate(frames):
            case.check(frame, i)


def test_flags_sequence_and_stamps_come_back(tmp_path: Path) -> None:
    path = tmp_path / "flags.hfr"
    with HyperframeWriter(path) as writer:
        writer.add_stream(replace(IMU, compression="zstd"))
        writer.append("imu", 30, bytes(8), 2**32 - 1, keyframe=False, hardware_clock=False)
        writer.append("imu", 10, bytes(8))
        writer.append(0, 20, bytes(80), 5)
    with HyperframeReader().open(path) as recording:
        stream = recording.streams["imu"]
        assert stream.timestamps_ns.tolist() == [10, 20, 30]
        assert stream.sequence.tolist() == [0, 5, 2**32 - 1]
        usual = ENTRY_KEYFRAME | ENTRY_HARDWARE_CLOCK
        assert stream.flags.tolist() == [usual, usual | ENTRY_COMPRESSED, 0]
        assert stream.entries["offset"].tolist() == [576, 640, 512]


def _write_samples(path: Path, encoding: str, compression: str, stamps: list[int], batch: int) -> None:
    description = StreamDescription(
        name="s", kind=StreamKind.SIGNAL, encoding=encoding, compression=compression, channels=CHANNELS
    )
    with HyperframeWriter(path) as writer:
        writer.add_stream(description)
        if not encoding.endswith("_batch"):
            for i, stamp in enumerate(stamps):
                writer.append("s", stamp, np.array([i, -i, 0.5], row_type(encoding)).tobytes())
            return
        for start in range(0, len(stamps), batch):
            part = np.array(stamps[start : start + batch], np.int64)
            values = np.arange(start, start + len(part))[:, None] * np.array([[1.0, -1.0, 0.25]])
            writer.append("s", int(part[0]), encode_batch(part, values, encoding=encoding))


def row_type(encoding: str) -> str:
    return "<f4" if encoding.startswith("f32") else "<f8"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(st.integers(0, 50), min_size=1, max_size=60),
    encoding=st.sampled_from(["f32", "f64", "f32_batch", "f64_batch"]),
    compression=st.sampled_from(["none", "lz4"]),
    batch=st.integers(1, 7),
    start=st.integers(-20, 2000),
    length=st.integers(0, 1500),
)
def test_samples_are_what_a_naive_loop_over_frames_gives(
    steps: list[int],
    encoding: str,
    compression: str,
    batch: int,
    start: int,
    length: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("samples") / "s.hfr"
    stamps = np.cumsum(steps).tolist()
    _write_samples(path, encoding, compression, stamps, batch)
    with open_recording(path) as recording:
        stream = recording.streams["s"]
        rows: list[tuple[int, list[float]]] = []
        for i in range(len(stream)):
            batch_ns, values = decode_samples(
                stream.payload(i),
                encoding=encoding,
                channel_count=3,
                timestamp_ns=int(stream.timestamps_ns[i]),
            )
            rows += zip(batch_ns.tolist(), values.tolist(), strict=True)
        expected = sorted((row for row in rows if start <= row[0] < start + length), key=lambda row: row[0])
        got_ns, got = stream.samples(start, start + length)
        assert got_ns.tolist() == [stamp for stamp, _ in expected]
        assert got.tolist() == [values for _, values in expected]
        assert got.shape == (len(expected), 3)


@pytest.mark.parametrize("encoding", ["xyz_qxyzw_f64", "matrix44_f32"])
@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_samples_of_poses_are_positions_and_unit_quaternions(
    encoding: str, compression: str, tmp_path: Path
) -> None:
    path = tmp_path / "pose.hfr"
    description = _describe(StreamKind.POSE, encoding, compression=compression)
    with HyperframeWriter(path) as writer:
        writer.add_stream(description)
        for i in range(9):
            payload = _pose(i) if encoding == "xyz_qxyzw_f64" else _matrix(i)
            writer.append(description.name, 100 * i, payload.tobytes())
    with open_recording(path) as recording:
        stamps_ns, values = recording.streams[description.name].samples(100, 801)
        assert stamps_ns.tolist() == [100 * i for i in range(1, 9)]
        for i, row in enumerate(values, 1):
            np.testing.assert_allclose(row[:3], _pose(i)[:3], atol=1e-6)
            assert abs(float(row[3:] @ _pose(i)[3:])) == pytest.approx(1.0, abs=1e-6)


def test_a_damaged_payload_is_one_frame_error_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.hfr"
    with HyperframeWriter(path) as writer:
        writer.add_stream(IMU)
        for i in range(3):
            writer.append("imu", i, struct.pack("<2f", i, i), 10 + i)
    data = bytearray(path.read_bytes())
    data[512 + 64] ^= 1
    path.write_bytes(data)
    with open_recording(path) as recording:
        stream = recording.streams["imu"]
        with pytest.raises(FrameError, match=r"Frame 1 of 'imu' \(sequence 11, byte 576\).*checksum"):
            stream.read(1)
        assert stream.payload(2) == struct.pack("<2f", 2, 2)


def _zstd_bomb(claimed: int | None) -> bytes:
    """Blocks of one repeated byte: 128 KiB from 4 bytes, two gigabytes in all."""
    head = b"\x28\xb5\x2f\xfd"
    if claimed is None:
        head += b"\x00" + bytes([(17 - 10) << 3])
    else:
        head += b"\xc0" + bytes([(17 - 10) << 3]) + claimed.to_bytes(8, "little")
    size, count = 128 << 10, 16384
    block = ((size << 3) | (1 << 1)).to_bytes(3, "little") + b"\0"
    last = ((size << 3) | (1 << 1) | 1).to_bytes(3, "little") + b"\0"
    return head + block * (count - 1) + last


def _lz4_bomb(claimed: int | None) -> bytes:
    """A frame whose one block of 4 MiB of zeros is repeated until two gigabytes would come out."""
    whole: bytes = lz4.frame.compress(bytes(4 << 20), block_size=lz4.frame.BLOCKSIZE_MAX4MB, store_size=False)
    size = int.from_bytes(whole[7:11], "little") & 0x7FFFFFFF
    block = whole[7 : 11 + size]
    head = whole[:7]
    if claimed is not None:
        flags = whole[4] | 8
        descriptor = bytes([flags, whole[5]]) + struct.pack("<Q", claimed)
        head = whole[:4] + descriptor + bytes([(_xxh32(descriptor) >> 8) & 255])
    return head + block * 512 + bytes(4)


def _xxh32(data: bytes) -> int:
    """xxHash-32 of fewer than 16 bytes, seed 0."""
    p1, p2, p3, p4, p5 = 2654435761, 2246822519, 3266489917, 668265263, 374761393
    mask = 0xFFFFFFFF
    h, at = (p5 + len(data)) & mask, 0
    while at + 4 <= len(data):
        h = (h + int.from_bytes(data[at : at + 4], "little") * p3) & mask
        h = (((h << 17) | (h >> 15)) & mask) * p4 & mask
        at += 4
    for byte in data[at:]:
        h = (h + byte * p5) & mask
        h = (((h << 11) | (h >> 21)) & mask) * p1 & mask
    h = ((h ^ (h >> 15)) * p2) & mask
    h = ((h ^ (h >> 13)) * p3) & mask
    return h ^ (h >> 16)


@pytest.mark.parametrize("claimed", [100, MAX_FRAME_BYTES + 1, 2**63])
@pytest.mark.parametrize("compression", ["lz4", "zstd"])
def test_a_decompression_bomb_is_refused(compression: str, claimed: int, tmp_path: Path) -> None:
    bomb = _lz4_bomb(claimed) if compression == "lz4" else _zstd_bomb(claimed)
    document = {
        "streams": {"0": {"name": "s", "kind": "text", "encoding": "json", "compression": compression}}
    }
    path = tmp_path / "bomb.hfr"
    build(path, [(0, 5, 0, 1, 512, len(bomb), 0)], bomb, json.dumps(document).encode())
    with open_recording(path) as recording, pytest.raises(FrameError):
        recording.streams["s"].read(0)


def test_the_bombs_are_what_they_seem() -> None:
    reader = zstandard.ZstdDecompressor().stream_reader(_zstd_bomb(None))
    assert len(reader.read(64 << 20)) == 64 << 20
    assert len(lz4.frame.LZ4FrameDecompressor().decompress(_lz4_bomb(None), max_length=64 << 20)) == 64 << 20
    assert lz4.frame.get_frame_info(_lz4_bomb(2**40))["content_size"] == 2**40


def test_stored_bytes_come_into_the_caller_s_buffer(tmp_path: Path) -> None:
    path = tmp_path / "stored.hfr"
    with HyperframeWriter(path) as writer:
        writer.add_stream(IMU)
        writer.append("imu", 1, struct.pack("<2f", 3, 4))
    with HyperframeReader().open(path) as recording:
        buffer = memoryview(bytearray(100))
        part = recording.streams["imu"].read_stored_into(0, buffer)
        assert bytes(part) == struct.pack("<2f", 3, 4)
        assert bytes(buffer[8:]) == bytes(92)
