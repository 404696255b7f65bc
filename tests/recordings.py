"""Tiny recordings for tests, made with the public writer."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.readers.hyperframe.writer import HyperframeWriter

START_NS = 1_700_000_000_000_000_000
CAMERA_PERIOD_NS = 100_000_000
IMU_PERIOD_NS = 10_000_000


def picture(index: int) -> np.ndarray:
    """A small colour picture, another for each index; B, G, R."""
    pixels = np.zeros((24, 32, 3), np.uint8)
    pixels[:, :, 0] = 10 * index % 256
    pixels[:, index % 32, 1] = 255
    return pixels


def depth_codes(index: int) -> np.ndarray:
    """Depth in millimetres with a hole."""
    codes = np.full((20, 30), 1000 + index, np.uint16)
    codes[5:8, 5:8] = 0
    return codes


def cloud(index: int) -> np.ndarray:
    """Float32 N×4: x, y, z, intensity."""
    rng = np.random.default_rng(index)
    return rng.uniform(-10, 10, (500, 4)).astype(np.float32)


def imu_row(index: int) -> np.ndarray:
    return np.array([0.1 * index, -1.0, 9.8, 0.01, 0.02, 0.03])


def write_small(path: Path, *, frames: int = 20, lost: frozenset[int] = frozenset()) -> Path:
    """A camera (PNG), depth, lidar, IMU, pose and text; `lost` camera frames leave a jump in the sequence."""
    axes = ("x", "y", "z")
    with HyperframeWriter(path, CAMERA_PERIOD_NS, title="small") as writer:
        writer.add_stream(
            StreamDescription(name="cam", kind=StreamKind.IMAGE, encoding="png", clock=Clock.HARDWARE)
        )
        writer.add_stream(
            StreamDescription(name="depth", kind=StreamKind.DEPTH, encoding="png16", depth_unit_mm=1.0)
        )
        writer.add_stream(
            StreamDescription(
                name="lidar",
                kind=StreamKind.POINTS,
                encoding="f32_planar",
                compression="lz4",
                fields=(*axes, "intensity"),
            )
        )
        writer.add_stream(
            StreamDescription(
                name="imu",
                kind=StreamKind.IMU,
                encoding="f64",
                channels=(
                    *(Channel(f"accel_{a}", "m/s^2") for a in axes),
                    *(Channel(f"gyro_{a}", "rad/s") for a in axes),
                ),
            )
        )
        writer.add_stream(StreamDescription(name="pose", kind=StreamKind.POSE, encoding="matrix44_f32"))
        writer.add_stream(StreamDescription(name="notes", kind=StreamKind.TEXT, encoding="json"))
        for index in range(frames):
            at_ns = START_NS + index * CAMERA_PERIOD_NS
            if index not in lost:
                writer.append("cam", at_ns, _png(picture(index)), sequence=index)
            writer.append("depth", at_ns + 5_000_000, _png(depth_codes(index)))
            writer.append("lidar", at_ns + 20_000_000, np.ascontiguousarray(cloud(index).T).tobytes())
            for sample in range(10):
                number = 10 * index + sample
                writer.append("imu", START_NS + number * IMU_PERIOD_NS, imu_row(number).tobytes())
            writer.append("pose", at_ns, np.eye(4, dtype="<f4").tobytes())
        writer.append("notes", START_NS, '{"weather": "晴"}'.encode())
    return path


def _png(pixels: np.ndarray) -> bytes:
    ok, data = cv2.imencode(".png", pixels)
    assert ok
    return data.tobytes()
