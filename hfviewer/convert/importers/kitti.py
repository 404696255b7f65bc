"""A KITTI raw drive: ``image_0x``, ``velodyne_points``, ``oxts``, each with ``data`` and ``timestamps.txt``.

Line N (from 0) of ``timestamps.txt`` belongs to file N. File numbers become `sequence`, so a missing file
stays visible as a lost frame. The lidar's stamp is the middle of its scan (the moment it faces forward, when
the cameras fire); where a scan starts and ends goes into a signal stream of its own,
``velodyne_points/scan``: unlike a list in the metadata it stays right when a recording is cut, and any panel
or export can show it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hfviewer.codecs.points import planar_from_interleaved
from hfviewer.convert.files import names_in, numbered_files, read_bytes, read_lines, read_xz, reason
from hfviewer.convert.importers.kitti_calibration import (
    IMU_FRAME,
    LIDAR_FRAME,
    camera_frame,
    read_calibration,
)
from hfviewer.convert.importers.kitti_oxts import OXTS_CHANNELS, load_oxts
from hfviewer.convert.pictures import load_picture, picture_encoding
from hfviewer.convert.source import Plan, PlannedStream, ProblemLog
from hfviewer.convert.tables import Table, rows_stream
from hfviewer.convert.times import nominal_ns, ns_from_date_time
from hfviewer.core.errors import ConversionError, FrameError
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.readers.base import Match

LIDAR = "velodyne_points"
OXTS = "oxts"
_IMAGE = re.compile(r"image_\d\d", re.ASCII)
_PICTURES = re.compile(r"(?P<number>\d{1,10})\.(png|jpe?g)", re.ASCII | re.IGNORECASE)
_CLOUDS = re.compile(r"(?P<number>\d{1,10})\.bin(\.xz)?", re.ASCII)
_RECORDS = re.compile(r"(?P<number>\d{1,10})\.txt", re.ASCII)
_NOMINAL_HZ = 10
_ZONE_NOTE = "timestamps.txt names no time zone; taken as UTC."
_NOMINAL_NOTE = f"There is no timestamps.txt: times are made from file numbers at {_NOMINAL_HZ} Hz."


@dataclass(frozen=True)
class _Sensor:
    """Files of one sensor that have a time, by number, and whether that time is a nominal one."""

    name: str
    files: Mapping[int, Path]
    stamps_ns: Mapping[int, int]
    nominal: bool


class KittiImporter:
    """KITTI raw drives, synced or extracted."""

    name = "kitti"
    layout = "KITTI raw drive (image_0x, velodyne_points, oxts with data and timestamps.txt)"

    def sniff(self, path: Path) -> Match:
        for name in _sensor_names(path):
            if (path / name / "timestamps.txt").is_file() or (path / name / "data").is_dir():
                return Match.BY_CONTENT
        return Match.NO

    def plan(self, path: Path) -> Plan:
        log = ProblemLog()
        sensors = [_list_sensor(path, name, log) for name in _sensor_names(path)]
        sensors = _start_nominal_clocks([sensor for sensor in sensors if sensor.files or sensor.stamps_ns])
        streams: list[PlannedStream] = []
        for sensor in sensors:
            if not sensor.files:
                streams.append(_stamps_only(sensor))
                continue
            streams.append(_planned(path, sensor))
            if sensor.name == LIDAR and not sensor.nominal:
                streams.extend(_scan_spans(path, sensor, log))
        if not streams:
            raise ConversionError(
                "It holds neither data nor timestamps that can be read.",
                remedy="Copy its data folders (image_0x/data …) and timestamps.txt files as well.",
                path=path,
            )
        pictures = [sensor.name for sensor in sensors if sensor.files and _IMAGE.fullmatch(sensor.name)]
        calibration = read_calibration(path, pictures, log)
        notes = [_ZONE_NOTE]
        if calibration is None:
            notes.append("No calibration files (calib_cam_to_cam.txt …) lie in the drive or beside it.")
        return Plan(
            layout=self.name,
            title=path.name,
            source=f"KITTI raw: {path.name}",
            streams=tuple(streams),
            calibration=calibration,
            notes=tuple(notes),
            problems=log.problems(),
        )


def _sensor_names(path: Path) -> list[str]:
    return [name for name in names_in(path) if _IMAGE.fullmatch(name) or name in (LIDAR, OXTS)]


def _list_sensor(drive: Path, name: str, log: ProblemLog) -> _Sensor:
    """Match files and timestamps of one sensor; whatever lacks its partner is told."""
    pattern = {LIDAR: _CLOUDS, OXTS: _RECORDS}.get(name, _PICTURES)
    files = numbered_files(drive / name / "data", pattern)
    others = [f"{name}/data/{other}" for other in names_in(drive / name / "data")]
    for other in others:
        if not pattern.fullmatch(Path(other).name) and not Path(other).name.startswith("."):
            log.add(name, "not a file of the expected kind, left out", other)
    stamps = _read_stamps(drive / name / "timestamps.txt", name, log)
    if stamps is None:
        if files:
            log.add(name, "there is no timestamps.txt; a nominal clock is used", f"{name}/timestamps.txt")
        return _Sensor(name, files, {}, nominal=True)
    if not files:
        log.add(name, "none of its files are there; only its timestamps are kept", f"{name}/data")
        return _Sensor(
            name, {}, {n: stamp for n, stamp in enumerate(stamps) if stamp is not None}, nominal=False
        )
    suffix = _suffix(files, name)
    for number, stamp_ns in enumerate(stamps):
        if number not in files:
            log.add(name, "missing, though timestamps.txt has its time", f"{name}/data/{number:010}{suffix}")
        elif stamp_ns is None:
            log.add(
                name, "left out, as its line in timestamps.txt cannot be read", _origin(drive, files[number])
            )
    for number in files:
        if number >= len(stamps):
            log.add(name, "left out, as timestamps.txt has no line for it", _origin(drive, files[number]))
    timed = {n: stamp for n, stamp in enumerate(stamps) if stamp is not None and n in files}
    return _Sensor(name, {n: files[n] for n in timed}, timed, nominal=False)


def _suffix(files: Mapping[int, Path], name: str) -> str:
    for path in files.values():
        return path.name[path.name.index(".") :]
    return {LIDAR: ".bin", OXTS: ".txt"}.get(name, ".png")


def _read_stamps(path: Path, name: str, log: ProblemLog) -> list[int | None] | None:
    """Nanoseconds of each line, None where a line cannot be read; None where there is no file."""
    if not path.exists():
        return None
    try:
        lines = read_lines(path)
    except (FrameError, OSError) as error:
        log.add(name, reason(error), f"{name}/{path.name}")
        return []
    stamps: list[int | None] = []
    for line in lines:
        try:
            stamps.append(ns_from_date_time(line))
        except ValueError:
            stamps.append(None)
    return stamps


def _start_nominal_clocks(sensors: list[_Sensor]) -> list[_Sensor]:
    """Let clocks that had to be made up start with the first real stamp, at the first file number of all."""
    real = [stamp for sensor in sensors for stamp in sensor.stamps_ns.values()]
    start_ns = min(real, default=0)
    first = min((number for sensor in sensors for number in sensor.files), default=0)

    def timed(sensor: _Sensor) -> _Sensor:
        if not sensor.nominal:
            return sensor
        steps = np.array(list(sensor.files), np.int64) - first
        stamps = start_ns + nominal_ns(steps, _NOMINAL_HZ)
        return _Sensor(sensor.name, sensor.files, dict(zip(sensor.files, stamps.tolist(), strict=True)), True)

    return [timed(sensor) for sensor in sensors]


def _planned(drive: Path, sensor: _Sensor) -> PlannedStream:
    numbers = list(sensor.files)
    paths = [sensor.files[number] for number in numbers]
    load = {LIDAR: load_cloud, OXTS: load_oxts}.get(sensor.name, load_picture)
    return PlannedStream(
        description=_describe(sensor, paths[0]),
        timestamps_ns=np.array([sensor.stamps_ns[number] for number in numbers], np.int64),
        sequence=np.array(numbers, np.int64),
        load=_loader(load, paths),
        origin=lambda index: _origin(drive, paths[index]),
    )


def _stamps_only(sensor: _Sensor) -> PlannedStream:
    """Frames without data, so that timing can be checked where the pictures were left out."""
    numbers = list(sensor.stamps_ns)
    return PlannedStream(
        description=StreamDescription(
            name=sensor.name,
            kind=StreamKind.UNKNOWN,
            encoding="bytes",
            clock=Clock.HOST,
            note=f"Timestamps only: the source holds none of its data, so every frame is empty. {_ZONE_NOTE}",
        ),
        timestamps_ns=np.array(list(sensor.stamps_ns.values()), np.int64),
        sequence=np.array(numbers, np.int64),
        load=lambda index: b"",
        origin=lambda index: f"{sensor.name}/timestamps.txt line {numbers[index] + 1}",
    )


def _loader(load: Callable[[Path], bytes], paths: list[Path]) -> Callable[[int], bytes]:
    return lambda index: load(paths[index])


def _describe(sensor: _Sensor, first: Path) -> StreamDescription:
    clock = Clock.NOMINAL if sensor.nominal else Clock.HOST
    clock_note = _NOMINAL_NOTE if sensor.nominal else _ZONE_NOTE
    rate_hz = float(_NOMINAL_HZ) if sensor.nominal else None
    if sensor.name == LIDAR:
        return StreamDescription(
            name=LIDAR,
            kind=StreamKind.POINTS,
            encoding="f32_planar",
            fields=("x", "y", "z", "intensity"),
            clock=clock,
            declared_rate_hz=rate_hz,
            frame=LIDAR_FRAME,
            note="Metres; x forward, y left, z up; intensity is the source's reflectance (0 to 0.99). Values"
            " are the source's bit for bit, reordered from point after point to field after field. Stamps are"
            f" the middle of each scan. {clock_note}",
        )
    if sensor.name == OXTS:
        return StreamDescription(
            name=OXTS,
            kind=StreamKind.IMU,
            encoding="f64",
            channels=OXTS_CHANNELS,
            clock=clock,
            declared_rate_hz=rate_hz,
            frame=IMU_FRAME,
            note=f"GPS/IMU unit; axes x forward, y left, z up; units as in its dataformat.txt. {clock_note}",
        )
    return StreamDescription(
        name=sensor.name,
        kind=StreamKind.IMAGE,
        encoding=picture_encoding(first),
        clock=clock,
        declared_rate_hz=rate_hz,
        frame=camera_frame(first.parents[2], sensor.name),
        note=f"Picture files, stored as the bytes they are. {clock_note}",
    )


def _scan_spans(drive: Path, lidar: _Sensor, log: ProblemLog) -> list[PlannedStream]:
    """Start and end of every scan against its stamp, where the source has them; none where it has not."""
    stem = drive / LIDAR
    starts = _read_stamps(stem / "timestamps_start.txt", LIDAR, log)
    ends = _read_stamps(stem / "timestamps_end.txt", LIDAR, log)
    if starts is None or ends is None:
        return []
    numbers: list[int] = []
    offsets: list[tuple[int, int]] = []
    for number, middle_ns in lidar.stamps_ns.items():
        start_ns = starts[number] if number < len(starts) else None
        end_ns = ends[number] if number < len(ends) else None
        if start_ns is None or end_ns is None:
            log.add(LIDAR, "start or end of the scan cannot be read", _origin(drive, lidar.files[number]))
            continue
        numbers.append(number)
        offsets.append((start_ns - middle_ns, end_ns - middle_ns))
    if not numbers:
        return []
    table = Table(
        np.array([lidar.stamps_ns[number] for number in numbers], np.int64),
        np.array(numbers, np.int64),
        np.array(offsets, np.float64),
    )
    description = StreamDescription(
        name=f"{LIDAR}/scan",
        kind=StreamKind.SIGNAL,
        encoding="f64",
        channels=(Channel("start_offset", "ns"), Channel("end_offset", "ns")),
        clock=Clock.HOST,
        note="Start and end of each scan, in ns from its own stamp (timestamps_start.txt and _end.txt).",
    )
    return [rows_stream(description, table, f"{LIDAR}/timestamps_start.txt")]


def load_cloud(path: Path) -> bytes:
    """A ``.bin`` or ``.bin.xz`` scan, field after field.

    Raises:
        FrameError: broken, empty, or not a whole number of points.
        OSError: it cannot be read.
    """
    data = read_xz(path) if path.suffix == ".xz" else read_bytes(path)
    if not data:
        raise FrameError("It holds no points.")
    return planar_from_interleaved(data, 4)


def _origin(drive: Path, path: Path) -> str:
    return path.relative_to(drive).as_posix()
