"""The demonstration recording: a drive down a made-up street, with faults whose truth is known."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hfviewer.codecs.opencv import cv2
from hfviewer.codecs.points import planar_from_interleaved
from hfviewer.core.errors import CancelledError, UsageError
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.demo import scene
from hfviewer.demo.rig import (
    CAMERAS,
    DEPTH_CAMERA,
    Camera,
    Lidar,
    burn_in,
    calibration,
    render_depth,
    render_picture,
)
from hfviewer.demo.timetable import (
    DEPTH,
    GPS,
    IMU,
    LEFT,
    LIDAR,
    RATES_HZ,
    RIGHT,
    START_NS,
    Timetable,
    timetables,
)
from hfviewer.readers.hyperframe.writer import HyperframeWriter

WINDOW_NS = 100_000_000
_JPEG_QUALITY = 85
_SHORTEST_S, _LONGEST_S = 2.0, 3600.0
_METRES_PER_DEGREE = 111_320.0
_HOME_DEG = (31.2304, 121.4737)
_GRAVITY_M_S2 = 9.81

Payload = Callable[[float, int], bytes]
"""Payload of a frame, from seconds since the start and the sensor's own number."""


def make_demo(
    path: str | os.PathLike[str],
    seconds: float = 8.0,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> dict[str, Any]:
    """Write the demonstration recording.

    Two cameras, a depth camera, a lidar, an IMU and a GPS, all of one street and one drive, calibrated. Built
    in: lost pictures of the left camera, one picture of the right camera that bears the stamp of the one
    before, lost samples of the IMU. The same call always gives the same frames.

    Args:
        path: of the recording; must not exist.
        seconds: length, 2 to 3600.
        progress: told how many frames of how many are done.
        cancelled: asked between frames; True stops, and leaves nothing behind.

    Returns:
        What is in it, ready for JSON: ``streams`` (``name``, ``frame_count``, ``rate_hz``) and ``faults``
        (``code``, ``stream``, ``start_ns``, ``end_ns``: the last frame before and the first after a gap, or
        the doubled stamp twice; ``missing``: frames lost; ``first_frame``, ``last_frame``: their indices).

    Raises:
        UsageError: an impossible length.
        WriteError: it exists or cannot be written.
        CancelledError: `cancelled` said so.
    """
    if not _SHORTEST_S <= seconds <= _LONGEST_S:
        raise UsageError(f"The demonstration is {_SHORTEST_S:g} to {_LONGEST_S:g} seconds long.")
    tables, faults = timetables(seconds)
    writer = HyperframeWriter(
        Path(path),
        WINDOW_NS,
        title="Demonstration",
        source="hfviewer demo: synthetic, with known faults",
        calibration=calibration({LEFT: CAMERAS[0], RIGHT: CAMERAS[1], DEPTH: DEPTH_CAMERA}),
    )
    try:
        for name in tables:
            writer.add_stream(describe(name))
        _write_frames(writer, tables, progress, cancelled)
        writer.finalize()
    except BaseException:
        writer.discard()
        raise
    return {
        "streams": [
            {"name": name, "frame_count": len(table.sequence), "rate_hz": RATES_HZ[name]}
            for name, table in tables.items()
        ],
        "faults": faults,
    }


def describe(name: str) -> StreamDescription:
    """What a stream of the demonstration is."""
    rate_hz = float(RATES_HZ[name])
    if name in (LEFT, RIGHT):
        return StreamDescription(
            name=name,
            kind=StreamKind.IMAGE,
            encoding="jpeg",
            clock=Clock.HARDWARE,
            declared_rate_hz=rate_hz,
            frame=CAMERAS[name == RIGHT].name,
        )
    if name == DEPTH:
        return StreamDescription(
            name=name,
            kind=StreamKind.DEPTH,
            encoding="png16",
            clock=Clock.HARDWARE,
            declared_rate_hz=rate_hz,
            frame=DEPTH_CAMERA.name,
            depth_unit_mm=1.0,
            note="0 where nothing was measured: beyond 20 m, along edges, in single pixels.",
        )
    if name == LIDAR:
        return StreamDescription(
            name=name,
            kind=StreamKind.POINTS,
            encoding="f32_planar",
            clock=Clock.HARDWARE,
            declared_rate_hz=rate_hz,
            frame="lidar",
            fields=("x", "y", "z", "intensity"),
            note="Metres; x forward, y left, z up.",
        )
    if name == IMU:
        axes = (("accel", "m/s^2"), ("gyro", "rad/s"))
        return StreamDescription(
            name=name,
            kind=StreamKind.IMU,
            encoding="f64",
            clock=Clock.HARDWARE,
            declared_rate_hz=rate_hz,
            frame="imu",
            channels=tuple(Channel(f"{kind}_{axis}", unit) for kind, unit in axes for axis in "xyz"),
            note="x forward, y left, z up.",
        )
    units = {"latitude": "deg", "longitude": "deg", "altitude": "m", "speed": "m/s"}
    return StreamDescription(
        name=name,
        kind=StreamKind.SIGNAL,
        encoding="f64",
        clock=Clock.HOST,
        declared_rate_hz=rate_hz,
        channels=tuple(Channel(channel, unit) for channel, unit in units.items()),
    )


def _write_frames(
    writer: HyperframeWriter,
    tables: dict[str, Timetable],
    progress: Callable[[int, int], None] | None,
    cancelled: Callable[[], bool] | None,
) -> None:
    """Write all streams in the order in which their frames were taken."""
    lidar = Lidar()
    payloads: dict[str, Payload] = {
        LEFT: lambda time_s, number: _picture(CAMERAS[0], LEFT, time_s, number),
        RIGHT: lambda time_s, number: _picture(CAMERAS[1], RIGHT, time_s, number),
        DEPTH: lambda time_s, number: _encode(
            ".png", render_depth(time_s, number), cv2.IMWRITE_PNG_COMPRESSION, 1
        ),
        LIDAR: lambda time_s, number: planar_from_interleaved(lidar.scan(time_s).tobytes(), 4),
        IMU: imu_sample,
        GPS: gps_sample,
    }
    frames = sorted(
        (taken_ns, name, index)
        for name, table in tables.items()
        for index, taken_ns in enumerate(table.taken_ns.tolist())
    )
    for done, (taken_ns, name, index) in enumerate(frames):
        if cancelled is not None and cancelled():
            raise CancelledError("Cancelled; nothing was written.", path=writer.path)
        if progress is not None:
            progress(done, len(frames))
        number = int(tables[name].sequence[index])
        payload = payloads[name]((taken_ns - START_NS) / 1e9, number)
        writer.append(name, int(tables[name].timestamps_ns[index]), payload, number)
    if progress is not None:
        progress(len(frames), len(frames))


def _picture(camera: Camera, stream: str, time_s: float, number: int) -> bytes:
    picture = render_picture(camera, time_s)
    burn_in(picture, f"{stream}  #{number:04}  {time_s:.3f} s")
    return _encode(".jpg", picture, cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY)


def _encode(suffix: str, pixels: np.typing.NDArray[Any], option: int, value: int) -> bytes:
    done, data = cv2.imencode(suffix, pixels, [option, value])
    if not done:
        raise RuntimeError(f"OpenCV cannot write {suffix}")
    return bytes(data.tobytes())


def imu_sample(time_s: float, number: int) -> bytes:
    """Six float64: what the drive accelerates by, gravity, the engine's shaking and a little noise."""
    noise = np.random.default_rng(number).standard_normal(6)
    shaking = 0.12 * math.sin(2 * math.pi * 23.0 * time_s)
    accel = np.array([scene.acceleration_m_s2(time_s), 0.0, _GRAVITY_M_S2 + shaking]) + 0.03 * noise[:3]
    gyro = 0.002 * noise[3:] + np.array([0.0, 0.01 * math.sin(2.1 * time_s), 0.0])
    return np.concatenate([accel, gyro]).astype("<f8").tobytes()


def gps_sample(time_s: float, number: int) -> bytes:
    """Latitude, longitude (deg), altitude (m), speed (m/s) on a way due east."""
    noise = np.random.default_rng(1_000_000 + number).standard_normal(3)
    latitude, longitude = _HOME_DEG
    east_m = scene.travelled_m(time_s) + 0.4 * noise[0]
    longitude += east_m / (_METRES_PER_DEGREE * math.cos(math.radians(latitude)))
    latitude += 0.4 * noise[1] / _METRES_PER_DEGREE
    return np.array([latitude, longitude, 4.0 + 0.6 * noise[2], scene.speed_m_s(time_s)], "<f8").tobytes()
