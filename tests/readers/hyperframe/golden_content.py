"""What the golden recordings of tests/data hold, worked out from the numbers that they were made of."""

from __future__ import annotations

import json
import math
import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.geometry import Calibration, CameraModel, Transform
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind

START_NS = 1_700_000_000_123_456_789
STEP_NS = 100_000_000
KEYFRAME, HARDWARE = 1, 2  # flags of an entry; 4, compressed, is up to the writer


@dataclass(frozen=True, kw_only=True)
class GoldenFrame:
    """A frame and what must be read of it.

    Args:
        timestamp_ns: recording clock.
        sequence: the sensor's counter.
        payload: as the encoding lays it out, not compressed.
        content: the decoded frame, ready for JSON.
        flags: keyframe and hardware clock.
    """

    timestamp_ns: int
    sequence: int
    payload: bytes
    content: dict[str, Any]
    flags: int = KEYFRAME | HARDWARE


@dataclass(frozen=True)
class GoldenStream:
    """A stream as it was written, frames in the order of arrival."""

    description: StreamDescription
    frames: Sequence[GoldenFrame]


def plain_values(array: NDArray[Any]) -> list[Any]:
    """The array as JSON has it; what is not finite as a word, so that it can be compared."""
    values = array.tolist()

    def spell(value: Any) -> Any:
        if isinstance(value, list):
            return [spell(part) for part in value]
        return value if not isinstance(value, float) or math.isfinite(value) else repr(value)

    return [spell(value) for value in values]


def png(pixels: NDArray[Any]) -> bytes:
    """A picture of 8-bit B, G, R or 16-bit grey as PNG, not packed: the same bytes everywhere."""
    height, width = pixels.shape[:2]
    colour = pixels.ndim == 3
    rows = pixels[:, :, ::-1] if colour else pixels.astype(">u2")
    data = b"".join(b"\0" + np.ascontiguousarray(row).tobytes() for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 8 if colour else 16, 2 if colour else 0, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(data, 0)), (b"IEND", b""))
    chunks = (struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def picture(number: int) -> NDArray[np.uint8]:
    return ((np.arange(4 * 6 * 3).reshape(4, 6, 3) * 3 + 40 * number) % 256).astype(np.uint8)


def codes(number: int) -> NDArray[np.uint16]:
    made = (np.arange(3 * 5).reshape(3, 5) * 700 + number).astype(np.uint16)
    made[1, 1], made[2, 2] = 0, 65535
    return made


def cloud(number: int) -> NDArray[np.float32]:
    """N×4: x, y, z, intensity; one point is nowhere."""
    made = np.tile(np.array([[1.5, -2.25, 0.125, 0.5]], np.float32), (20, 1))
    made[:, 0] += number
    made[7] = np.nan
    return made


def _pictures() -> list[GoldenFrame]:
    # Frame 2 is lost, 4 arrives before 3, and 5 bears the stamp of 4.
    arrivals = ((0, 0), (1, 1), (4, 4), (3, 3), (5, 4))
    return [
        GoldenFrame(
            timestamp_ns=START_NS + at * STEP_NS,
            sequence=number,
            payload=png(picture(number)),
            content={"pixels": plain_values(picture(number)), "pixel_format": ""},
        )
        for number, at in arrivals
    ]


def _mosaics() -> list[GoldenFrame]:
    mosaics = [np.arange(8, dtype=np.uint16).reshape(2, 4) * 8191 + number for number in range(2)]
    return [
        GoldenFrame(
            timestamp_ns=START_NS + number * STEP_NS + 11,
            sequence=number,
            payload=mosaic.astype("<u2").tobytes(),
            content={"pixels": plain_values(mosaic), "pixel_format": "bayer_rggb16"},
            flags=HARDWARE if number else HARDWARE | KEYFRAME,
        )
        for number, mosaic in enumerate(mosaics)
    ]


def _depths(
    invalid: tuple[int, ...], unit_mm: int, payload_of: Callable[[NDArray[np.uint16]], bytes], flags: int
) -> list[GoldenFrame]:
    frames = []
    for number in range(2):
        stored = codes(number)
        far = np.minimum(stored.astype(np.int64) * unit_mm, 65535)
        millimetres = np.where(np.isin(stored, invalid), 0, far)
        frames.append(
            GoldenFrame(
                timestamp_ns=START_NS + number * STEP_NS + 5,
                sequence=number,
                payload=payload_of(stored),
                content={"stored": plain_values(stored), "millimetres": plain_values(millimetres)},
                flags=flags,
            )
        )
    return frames


def _clouds() -> list[GoldenFrame]:
    names = ("x", "y", "z", "intensity")
    return [
        GoldenFrame(
            timestamp_ns=START_NS + number * STEP_NS + 20,
            sequence=10 + number,
            payload=np.ascontiguousarray(cloud(number).T).astype("<f4").tobytes(),
            content={
                "xyz": plain_values(cloud(number)[:, :3]),
                "fields": {name: plain_values(cloud(number)[:, i]) for i, name in enumerate(names)},
            },
        )
        for number in range(3)
    ]


def _imu_rows() -> list[GoldenFrame]:
    rows = [np.array([0.1 * i, -1.0 / 3, 9.80665, 1e-300, math.inf, -0.0]) for i in range(6)]
    return [
        GoldenFrame(
            timestamp_ns=START_NS + 10_000_000 * i,
            sequence=4_294_967_290 + i,
            payload=row.astype("<f8").tobytes(),
            content={"timestamps_ns": [START_NS + 10_000_000 * i], "values": plain_values(row[None])},
        )
        for i, row in enumerate(rows)
    ]


def _batches() -> list[GoldenFrame]:
    frames = []
    for number in range(2):
        stamps = START_NS + number * STEP_NS + np.array([0, 40_000_000, 80_000_000])
        values = np.array([[0.5, number], [0.25, -number], [np.nan, 3]], np.float32)
        frames.append(
            GoldenFrame(
                timestamp_ns=START_NS + number * STEP_NS,
                sequence=number,
                payload=stamps.astype("<i8").tobytes() + values.astype("<f4").tobytes(),
                content={"timestamps_ns": stamps.tolist(), "values": plain_values(values.astype(float))},
                flags=KEYFRAME,
            )
        )
    return frames


def _poses() -> list[GoldenFrame]:
    matrix = np.array([[0, -1, 0, 1.5], [1, 0, 0, -2], [0, 0, 1, 0.25], [0, 0, 0, 1]], np.float32)
    payload, content = matrix.astype("<f4").tobytes(), {"matrix": plain_values(matrix.astype(float))}
    return [GoldenFrame(timestamp_ns=START_NS, sequence=0, payload=payload, content=content)]


def _texts() -> list[GoldenFrame]:
    text = json.dumps({"天气": "晴", "note": "a long remark, " * 8, "wind": 1.5}, ensure_ascii=False)
    content = {"value": json.loads(text), "text": text}
    return [
        GoldenFrame(timestamp_ns=START_NS + 3, sequence=0, payload=text.encode(), content=content, flags=1)
    ]


def _bytes() -> list[GoldenFrame]:
    payloads = (bytes(range(256)), b"")
    return [
        GoldenFrame(
            timestamp_ns=START_NS + i, sequence=i, payload=data, content={"payload": data.hex()}, flags=1
        )
        for i, data in enumerate(payloads)
    ]


def golden_streams() -> list[GoldenStream]:
    """What revision 1 holds."""
    axes, channels = "xyz", (("accel", "m/s^2"), ("gyro", "rad/s"))
    return [
        GoldenStream(
            StreamDescription(
                name="camera/front",
                kind=StreamKind.IMAGE,
                encoding="png",
                clock=Clock.HARDWARE,
                declared_rate_hz=10.0,
                frame="camera_front",
                note="前视相机",
            ),
            _pictures(),
        ),
        GoldenStream(
            StreamDescription(
                name="camera/raw",
                kind=StreamKind.IMAGE,
                encoding="raw",
                compression="zstd",
                clock=Clock.HARDWARE,
                width=4,
                height=2,
                pixel_format="bayer_rggb16",
            ),
            _mosaics(),
        ),
        GoldenStream(
            StreamDescription(
                name="depth",
                kind=StreamKind.DEPTH,
                encoding="png16",
                clock=Clock.HOST,
                depth_unit_mm=2.0,
                depth_invalid=(0, 65535),
            ),
            _depths((0, 65535), 2, png, KEYFRAME),
        ),
        GoldenStream(
            StreamDescription(
                name="lidar",
                kind=StreamKind.POINTS,
                encoding="f32_planar",
                compression="lz4",
                clock=Clock.HARDWARE,
                fields=("x", "y", "z", "intensity"),
            ),
            _clouds(),
        ),
        GoldenStream(
            StreamDescription(
                name="imu",
                kind=StreamKind.IMU,
                encoding="f64",
                clock=Clock.HARDWARE,
                channels=tuple(Channel(f"{name}_{axis}", unit) for name, unit in channels for axis in axes),
            ),
            _imu_rows(),
        ),
        GoldenStream(
            StreamDescription(
                name="force",
                kind=StreamKind.SIGNAL,
                encoding="f32_batch",
                clock=Clock.HOST,
                channels=(Channel("left", "N"), Channel("right", "N")),
            ),
            _batches(),
        ),
        GoldenStream(
            StreamDescription(
                name="pose",
                kind=StreamKind.POSE,
                encoding="matrix44_f32",
                clock=Clock.HARDWARE,
                channels=(
                    *(Channel(axis, "m") for axis in axes),
                    *(Channel(f"q{axis}") for axis in "xyzw"),
                ),
            ),
            _poses(),
        ),
        GoldenStream(
            StreamDescription(
                name="notes", kind=StreamKind.TEXT, encoding="json", compression="zstd", clock=Clock.HOST
            ),
            _texts(),
        ),
        GoldenStream(
            StreamDescription(name="odd", kind=StreamKind.UNKNOWN, encoding="bytes", clock=Clock.HOST),
            _bytes(),
        ),
        GoldenStream(StreamDescription(name="empty", kind=StreamKind.IMAGE, encoding="jpeg"), ()),
    ]


def golden_labels() -> GoldenStream:
    """What revision 2 adds."""
    text = '{"id": "1", "label": "transport", "start_ns": 1700000000123456789, "note": "搬运"}'
    frame = GoldenFrame(
        timestamp_ns=START_NS,
        sequence=0,
        payload=text.encode(),
        content={"value": json.loads(text), "text": text},
        flags=KEYFRAME,
    )
    name = "annotations/task"
    return GoldenStream(
        StreamDescription(name=name, kind=StreamKind.ANNOTATION, encoding="json", clock=Clock.HOST), [frame]
    )


def golden_plain_frames() -> dict[int, tuple[StreamKind, list[GoldenFrame]]]:
    """Frames of the plain file by stream_id: what the streams are, nothing in the file says."""
    return {
        0: (StreamKind.IMAGE, _pictures()[:2]),
        1: (StreamKind.DEPTH, _depths((0,), 1, png, KEYFRAME)),
        2: (
            StreamKind.IMU,
            [
                GoldenFrame(
                    timestamp_ns=START_NS + 10_000_000 * i,
                    sequence=i,
                    payload=struct.pack("<6f", 0.5 * i, -0.25, 9.75, 0.125, 0.0, -1.0),
                    content={
                        "timestamps_ns": [START_NS + 10_000_000 * i],
                        "values": [[0.5 * i, -0.25, 9.75, 0.125, 0.0, -1.0]],
                    },
                )
                for i in range(5)
            ],
        ),
        7: (StreamKind.TEXT, _texts()),
    }


CALIBRATION = Calibration(
    cameras={
        "camera/front": CameraModel(
            width=6,
            height=4,
            k=np.array([[500.25, 0.0, 3.0], [0.0, 500.5, 2.0], [0.0, 0.0, 1.0]]),
            distortion=(-0.1, 0.01, 0.0, 0.0, 1e-5),
            distortion_model="plumb_bob",
            frame="camera_front",
        )
    },
    transforms=(Transform("base", "camera_front", np.eye(4)[[1, 0, 2, 3]]),),
)
METADATA = {"site": {"name": "yard", "floor": 3}, "annotations": {"tracks": [{"name": "task"}], "labels": []}}
