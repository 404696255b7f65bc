"""A EuRoC sequence (``mav0``): cameras, IMUs, positions and ground truth, each a folder with ``data.csv``.

Times are integer nanoseconds in ``data.csv``; `sequence` is the row, so a picture that is listed but missing
stays visible as a lost frame. Burri et al., "The EuRoC micro aerial vehicle datasets", IJRR 2016.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from hfviewer.convert.files import names_in
from hfviewer.convert.importers.euroc_calibration import BODY_FRAME, read_calibration
from hfviewer.convert.pictures import picture_encoding, picture_loader
from hfviewer.convert.source import Plan, PlannedStream, ProblemLog
from hfviewer.convert.tables import Table, parse_table, read_table_lines, rows_stream
from hfviewer.convert.times import ns_from_decimal
from hfviewer.core.errors import ConversionError
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.readers.base import Match

_CAMERA = re.compile(r"cam\d+", re.ASCII)
_IMU = re.compile(r"imu\d+", re.ASCII)
_POSITION = re.compile(r"leica\d+", re.ASCII)
_POSE = re.compile(r"(vicon|mocap)\d+|state_groundtruth_estimate\d+", re.ASCII)
_PICTURE = (".png", ".jpg", ".jpeg")
_IMU_CHANNELS = (
    *(Channel(f"gyro_{axis}", "rad/s") for axis in "xyz"),
    *(Channel(f"accel_{axis}", "m/s^2") for axis in "xyz"),
)
_STATE_CHANNELS = tuple(
    Channel(f"{name}_{axis}", unit)
    for name, unit in (("velocity", "m/s"), ("gyro_bias", "rad/s"), ("accel_bias", "m/s^2"))
    for axis in "xyz"
)


class EurocImporter:
    """EuRoC and everything that is laid out like it (TUM-VI …)."""

    name = "euroc"
    layout = "EuRoC sequence (mav0 with cam0/data.csv, imu0/data.csv …)"

    def sniff(self, path: Path) -> Match:
        for name in names_in(path):
            if (_CAMERA.fullmatch(name) or _IMU.fullmatch(name)) and (path / name / "data.csv").is_file():
                return Match.BY_CONTENT
        return Match.NO

    def plan(self, path: Path) -> Plan:
        log = ProblemLog()
        streams: list[PlannedStream] = []
        for name in names_in(path):
            if not (path / name / "data.csv").is_file():
                continue
            if _CAMERA.fullmatch(name):
                streams.extend(_pictures(path, name, log))
            elif _IMU.fullmatch(name):
                streams.extend(_imu(path, name, log))
            elif _POSITION.fullmatch(name):
                streams.extend(_positions(path, name, log))
            elif _POSE.fullmatch(name):
                streams.extend(_poses(path, name, log))
        if not streams:
            raise ConversionError("None of the files that its tables list are there.", path=path)
        names = [stream.description.name for stream in streams]
        title = path.parent.name if path.name == "mav0" else path.name
        return Plan(
            layout=self.name,
            title=title,
            source=f"EuRoC: {title}",
            streams=tuple(streams),
            calibration=read_calibration(path, names, log),
            problems=log.problems(),
        )


def _lines(root: Path, name: str, log: ProblemLog) -> list[tuple[int, str]]:
    return read_table_lines(root / name / "data.csv", name, f"{name}/data.csv", log) or []


def _pictures(root: Path, name: str, log: ProblemLog) -> list[PlannedStream]:
    present = {file for file in names_in(root / name / "data") if file.lower().endswith(_PICTURE)}
    stamps: list[int] = []
    rows: list[int] = []
    files: list[str] = []
    listed: set[str] = set()
    for row, (number, line) in enumerate(_lines(root, name, log)):
        time, _, file = (part.strip() for part in line.partition(","))
        listed.add(file)
        try:
            stamp_ns = ns_from_decimal(time, 0)
        except ValueError:
            log.add(name, "cannot be read", f"{name}/data.csv line {number}")
            continue
        if file not in present:
            log.add(name, "missing, though data.csv lists it", f"{name}/data/{file}")
            continue
        stamps.append(stamp_ns)
        rows.append(row)
        files.append(file)
    for file in sorted(present - listed):
        log.add(name, "left out, as data.csv does not list it", f"{name}/data/{file}")
    if not files:
        return []
    description = StreamDescription(
        name=name,
        kind=StreamKind.IMAGE,
        encoding=picture_encoding(Path(files[0])),
        clock=Clock.HARDWARE,
        frame=name,
        note="Picture files, stored as the bytes they are.",
    )
    stream = PlannedStream(
        description=description,
        timestamps_ns=np.array(stamps, np.int64),
        sequence=np.array(rows, np.int64),
        load=picture_loader([root / name / "data" / file for file in files]),
        origin=lambda index: f"{name}/data/{files[index]}",
    )
    return [stream]


def _table(root: Path, name: str, columns: int, log: ProblemLog) -> Table:
    return parse_table(
        _lines(root, name, log),
        delimiter=",",
        columns=columns,
        values=range(1, columns),
        time_exponent=0,
        on_bad=lambda number: log.add(name, "cannot be read", f"{name}/data.csv line {number}"),
    )


def _imu(root: Path, name: str, log: ProblemLog) -> list[PlannedStream]:
    table = _table(root, name, 7, log)
    description = StreamDescription(
        name=name,
        kind=StreamKind.IMU,
        encoding="f64",
        channels=_IMU_CHANNELS,
        clock=Clock.HARDWARE,
        frame=name,
        note="Values as they are, in the sensor's own axes; T_BS of sensor.yaml is in the calibration.",
    )
    return [rows_stream(description, table, f"{name}/data.csv")] if len(table.rows) else []


def _positions(root: Path, name: str, log: ProblemLog) -> list[PlannedStream]:
    table = _table(root, name, 4, log)
    description = StreamDescription(
        name=name,
        kind=StreamKind.SIGNAL,
        encoding="f64",
        channels=tuple(Channel(axis, "m") for axis in "xyz"),
        clock=Clock.HARDWARE,
        note="Position of the tracked prism in the tracker's own frame.",
    )
    return [rows_stream(description, table, f"{name}/data.csv")] if len(table.rows) else []


def _poses(root: Path, name: str, log: ProblemLog) -> list[PlannedStream]:
    """Position and quaternion, and what else ground truth has: velocity and the IMU's biases."""
    lines = _lines(root, name, log)
    columns = 17 if name.startswith("state") and lines and lines[0][1].count(",") >= 16 else 8
    table = _table(root, name, columns, log)
    if not len(table.rows):
        return []
    poses = Table(table.timestamps_ns, table.rows, table.values[:, [0, 1, 2, 4, 5, 6, 3]])
    description = StreamDescription(
        name=name,
        kind=StreamKind.POSE,
        encoding="xyz_qxyzw_f64",
        clock=Clock.HARDWARE,
        frame=BODY_FRAME if name.startswith("state") else name,
        note="world_from_sensor, metres; quaternion reordered from the source's w x y z.",
    )
    streams = [rows_stream(description, poses, f"{name}/data.csv")]
    if columns == 17:
        states = Table(table.timestamps_ns, table.rows, table.values[:, 7:])
        description = StreamDescription(
            name=f"{name}/state",
            kind=StreamKind.SIGNAL,
            encoding="f64",
            channels=_STATE_CHANNELS,
            clock=Clock.HARDWARE,
            note="Velocity in the world and biases of the IMU, from the same rows as the poses.",
        )
        streams.append(rows_stream(description, states, f"{name}/data.csv"))
    return streams
