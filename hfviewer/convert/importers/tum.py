"""An RGB-D sequence as TUM lays it out: ``rgb.txt``, ``depth.txt``, ``groundtruth.txt``.

Each list names a time in decimal seconds and a file, or values. `sequence` is the place in the list, so a
file that is listed but missing stays visible as a lost frame.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import numpy as np

from hfviewer.convert.importers.seven_scenes import CAMERA_FRAME
from hfviewer.convert.pictures import picture_encoding, picture_loader
from hfviewer.convert.source import Plan, PlannedStream, ProblemLog
from hfviewer.convert.tables import parse_table, read_table_lines, rows_stream
from hfviewer.convert.times import ns_from_decimal
from hfviewer.core.errors import ConversionError
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.readers.base import Match

DEPTH_UNIT_MM = 0.2  # 5000 counts a metre
_LISTS = {"color": "rgb.txt", "depth": "depth.txt"}


class TumImporter:
    """TUM RGB-D sequences."""

    name = "tum"
    layout = "RGB-D sequence as TUM has it (rgb.txt, depth.txt, groundtruth.txt)"

    def sniff(self, path: Path) -> Match:
        found = any(
            (path / name).is_file() and (path / name).with_suffix("").is_dir() for name in _LISTS.values()
        )
        return Match.BY_CONTENT if found else Match.NO

    def plan(self, path: Path) -> Plan:
        log = ProblemLog()
        streams = [
            *(_pictures(path, stream, file, log) for stream, file in _LISTS.items()),
            _poses(path, log),
            _accelerometer(path, log),
        ]
        planned = tuple(stream for stream in streams if stream is not None and len(stream))
        if not planned:
            raise ConversionError("None of the files that its lists name are there.", path=path)
        return Plan(
            layout=self.name,
            title=path.name,
            source=f"TUM RGB-D: {path.name}",
            streams=planned,
            notes=("The source has no intrinsics in its folder; the recording has no calibration.",),
            problems=log.problems(),
        )


def _lines(path: Path, stream: str, log: ProblemLog) -> list[tuple[int, str]]:
    return (read_table_lines(path, stream, path.name, log) or []) if path.is_file() else []


def _pictures(folder: Path, stream: str, file: str, log: ProblemLog) -> PlannedStream | None:
    stamps: list[int] = []
    rows: list[int] = []
    names: list[str] = []
    for row, (number, line) in enumerate(_lines(folder / file, stream, log)):
        time, name = [*line.strip().split(None, 1), ""][:2]
        try:
            stamp_ns = ns_from_decimal(time)
        except ValueError:
            log.add(stream, "cannot be read", f"{file} line {number}")
            continue
        if not _is_inside(name):
            log.add(stream, "does not name a file of this folder", f"{file} line {number}")
        elif not (folder / name).is_file():
            log.add(stream, f"missing, though {file} lists it", name)
        else:
            stamps.append(stamp_ns)
            rows.append(row)
            names.append(name)
    if not names:
        return None
    depth = stream == "depth"
    description = StreamDescription(
        name=stream,
        kind=StreamKind.DEPTH if depth else StreamKind.IMAGE,
        encoding="png16" if depth else picture_encoding(Path(names[0])),
        clock=Clock.HOST,
        frame=CAMERA_FRAME,
        depth_unit_mm=DEPTH_UNIT_MM if depth else None,
        note="16-bit PNG files, stored as the bytes they are: 5000 counts a metre, 0 invalid."
        if depth
        else "Picture files, stored as the bytes they are.",
    )
    return PlannedStream(
        description=description,
        timestamps_ns=np.array(stamps, np.int64),
        sequence=np.array(rows, np.int64),
        load=picture_loader([folder / name for name in names], depth=depth),
        origin=lambda index: names[index],
    )


def _is_inside(name: str) -> bool:
    """A list may name files of its own folder, nothing else."""
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts and "\0" not in name


def _poses(folder: Path, log: ProblemLog) -> PlannedStream | None:
    file = "groundtruth.txt"
    table = parse_table(
        _lines(folder / file, "pose", log),
        delimiter=None,
        columns=8,
        values=range(1, 8),
        on_bad=lambda number: log.add("pose", "cannot be read", f"{file} line {number}"),
    )
    description = StreamDescription(
        name="pose",
        kind=StreamKind.POSE,
        encoding="xyz_qxyzw_f64",
        clock=Clock.HOST,
        frame=CAMERA_FRAME,
        note="Ground truth of the motion capture system: world_from_camera, metres, quaternion x y z w.",
    )
    return rows_stream(description, table, file) if len(table.rows) else None


def _accelerometer(folder: Path, log: ProblemLog) -> PlannedStream | None:
    file, name = "accelerometer.txt", "accelerometer"
    table = parse_table(
        _lines(folder / file, name, log),
        delimiter=None,
        columns=4,
        values=(1, 2, 3),
        on_bad=lambda number: log.add(name, "cannot be read", f"{file} line {number}"),
    )
    description = StreamDescription(
        name=name,
        kind=StreamKind.IMU,
        encoding="f64",
        channels=tuple(Channel(f"accel_{axis}", "m/s^2") for axis in "xyz"),
        clock=Clock.HOST,
        note="Accelerometer of the camera, in the source's own axes.",
    )
    return rows_stream(description, table, file) if len(table.rows) else None
