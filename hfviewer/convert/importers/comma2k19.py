"""A comma2k19 segment: ``processed_log`` and ``global_pose``, NumPy arrays in files without an extension.

Times are seconds since the device booted. The IMU's axes in the source are forward, right, down; here they
become forward, left, up (y and z change sign), as everywhere else in hfviewer. Rows that share one stamp are
frames of their own; `sequence` is the row.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hfviewer.convert.files import names_in, reason
from hfviewer.convert.npy import read_array
from hfviewer.convert.source import Plan, PlannedStream, ProblemLog
from hfviewer.convert.tables import Table, rows_stream
from hfviewer.convert.times import ns_from_float_seconds
from hfviewer.core.errors import ConversionError, FrameError
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.readers.base import Match

_GROUPS = ("IMU", "CAN", "GNSS")
_LIVE_GNSS = "latitude:deg longitude:deg speed:m/s utc:ms altitude:m bearing:deg"
_RAW_GNSS = (
    "prn: gps_week:week time_of_week:s glonass_channel: pseudorange:m pseudorange_std:m pseudorange_rate:m/s"
    " pseudorange_rate_std:m/s column_8: column_9:"
)
_RADAR = "forward_distance:m left_distance:m relative_speed:m/s column_3: column_4: address: new_track:"
_COLUMNS = {
    "IMU/accelerometer": "accel_x:m/s^2 accel_y:m/s^2 accel_z:m/s^2",
    "IMU/gyro": "gyro_x:rad/s gyro_y:rad/s gyro_z:rad/s",
    "IMU/gyro_uncalibrated": "gyro_x:rad/s gyro_y:rad/s gyro_z:rad/s",
    "IMU/gyro_bias": "gyro_bias_x:rad/s gyro_bias_y:rad/s gyro_bias_z:rad/s",
    "IMU/magnetometer": "mag_x:µT mag_y:µT mag_z:µT",
    "IMU/magnetometer_uncalibrated": "mag_x:µT mag_y:µT mag_z:µT",
    "CAN/speed": "speed:m/s",
    "CAN/wheel_speed": "front_left:m/s front_right:m/s rear_left:m/s rear_right:m/s",
    "CAN/steering_angle": "steering_angle:deg",
    "CAN/radar": _RADAR,
    "GNSS/live_gnss_ublox": _LIVE_GNSS,
    "GNSS/live_gnss_qcom": _LIVE_GNSS,
    "GNSS/raw_gnss_ublox": _RAW_GNSS,
    "GNSS/raw_gnss_qcom": _RAW_GNSS,
}
_NOTES = {
    "IMU": "Axes turned from the source's forward, right, down to forward, left, up: y and z negated.",
    "CAN": "Values as they are.",
    "GNSS": "Values as they are.",
}
_ROW_NOTES = {
    "CAN/radar": " One frame a track; several share a stamp.",
    "GNSS/raw_gnss_ublox": " One frame a satellite; several share a stamp.",
    "GNSS/raw_gnss_qcom": " One frame a satellite; several share a stamp.",
}
# The source's description says tesla and seconds; its data are in microtesla and milliseconds. So the size of
# the values decides: below these they are what the description says.
_DOCUMENTED_UNITS = {"µT": (0.01, "T"), "ms": (1e11, "s")}
_CLOCK_NOTE = "Times are seconds since the device booted."


class Comma2k19Importer:
    """comma2k19 segments."""

    name = "comma2k19"
    layout = "comma2k19 segment (processed_log, global_pose)"

    def sniff(self, path: Path) -> Match:
        found = (path / "processed_log").is_dir() or (path / "global_pose" / "frame_times").is_file()
        return Match.BY_CONTENT if found else Match.NO

    def plan(self, path: Path) -> Plan:
        log = ProblemLog()
        notes = [_CLOCK_NOTE]
        streams: list[PlannedStream | None] = []
        root = path / "processed_log"
        for group in [*_GROUPS, *(name for name in names_in(root) if name not in _GROUPS)]:
            for name in names_in(root / group):
                folder = root / group / name
                if (folder / "value").is_file() or (folder / "t").is_file():
                    if name.startswith("raw_can") and not (folder / "value").is_file():
                        notes.append(
                            f"{group}/{name} was left out: its bytes are pickled, which is never loaded."
                        )
                    else:
                        streams.append(_log_stream(folder, f"{group}/{name}", log))
        streams.extend(_poses(path / "global_pose", log))
        if (path / "video.hevc").is_file():
            log.add("", "is not converted: video streams are beyond this version", "video.hevc")
        if (path / "preview.png").is_file():
            notes.append(
                "preview.png was left out: the video's first picture, not a frame with a time of its own."
            )
        planned = tuple(stream for stream in streams if stream is not None and len(stream))
        if not planned:
            raise ConversionError("None of its logs can be read.", path=path)
        title = f"{path.parent.name}/{path.name}" if path.name.isdigit() else path.name
        return Plan(
            layout=self.name,
            title=title,
            source=f"comma2k19: {title}",
            streams=planned,
            notes=tuple(notes),
            problems=log.problems(),
        )


def _load(path: Path, stream: str, log: ProblemLog) -> NDArray[np.float64] | None:
    """One array as float64, at least one-dimensional; None, told, where it cannot be used."""
    name = "/".join(path.parts[-3:])
    try:
        array = read_array(path)
    except (FrameError, OSError) as error:
        log.add(stream, reason(error), name)
        return None
    if array.dtype.kind not in "fiub" or array.ndim not in (1, 2):
        log.add(stream, "is not a table of numbers", name)
        return None
    return array.astype(np.float64)


def _timed(
    seconds: NDArray[np.float64], values: NDArray[np.float64], stream: str, file: str, log: ProblemLog
) -> Table | None:
    """Rows with their times; None, told, where the two do not belong together."""
    values = values if values.ndim == 2 else values[:, None]
    if seconds.ndim != 1 or len(seconds) != len(values) or not values.shape[1]:
        log.add(stream, f"has {len(seconds)} times for {len(values)} rows", file)
        return None
    stamps_ns, usable = ns_from_float_seconds(seconds)
    for row in np.flatnonzero(~usable).tolist():
        log.add(stream, "has no usable time", f"{file} row {row}")
    rows = np.flatnonzero(usable).astype(np.int64)
    return Table(stamps_ns[rows], rows, values[rows])


def _log_stream(folder: Path, name: str, log: ProblemLog) -> PlannedStream | None:
    seconds, values = _load(folder / "t", name, log), _load(folder / "value", name, log)
    if seconds is None or values is None:
        return None
    table = _timed(seconds, values, name, name, log)
    if table is None:
        return None
    group = name.split("/")[0]
    width = table.values.shape[1]
    channels = _measured_units(_channels(_COLUMNS.get(name, ""), width), table.values)
    note = _NOTES.get(group, "Values as they are.")
    if group == "IMU" and width == 3:
        table = Table(table.timestamps_ns, table.rows, table.values * np.array([1.0, -1.0, -1.0]))
    elif group == "IMU":
        note = "Values as they are."
    description = StreamDescription(
        name=name,
        kind=StreamKind.IMU if group == "IMU" else StreamKind.SIGNAL,
        encoding="f64",
        channels=channels,
        clock=Clock.HOST,
        frame="imu" if group == "IMU" else "",
        note=f"{note}{_ROW_NOTES.get(name, '')}{_unit_note(channels)} {_CLOCK_NOTE}",
    )
    return rows_stream(description, table, name)


def _channels(columns: str, width: int) -> tuple[Channel, ...]:
    known = tuple(Channel(*column.split(":")) for column in columns.split())
    return known if len(known) == width else tuple(Channel(f"column_{i}") for i in range(width))


def _measured_units(channels: tuple[Channel, ...], values: NDArray[np.float64]) -> tuple[Channel, ...]:
    """Units as the size of the values shows them, where the source's description cannot be trusted."""
    measured: list[Channel] = []
    for column, channel in enumerate(channels):
        bound, documented = _DOCUMENTED_UNITS.get(channel.unit, (0.0, ""))
        sizes = np.abs(values[:, column])
        small = bool(documented) and len(sizes) > 0 and not (sizes[np.isfinite(sizes)] >= bound).any()
        measured.append(Channel(channel.name, documented) if small else channel)
    return tuple(measured)


def _unit_note(channels: tuple[Channel, ...]) -> str:
    units = {channel.unit for channel in channels}
    if "µT" in units:
        return " Values are microtesla, though the source's description says tesla."
    return " UTC is in ms, though the source's description says s." if "ms" in units else ""


def _poses(folder: Path, log: ProblemLog) -> list[PlannedStream | None]:
    """``global_pose``: position and orientation as poses, velocities and GPS times as signals."""
    if not folder.is_dir():
        return []
    name = "global_pose"
    seconds = _load(folder / "frame_times", name, log)
    positions = _load(folder / "frame_positions", name, log)
    orientations = _load(folder / "frame_orientations", name, log)
    streams: list[PlannedStream | None] = []
    if seconds is None:
        return []
    if positions is not None and orientations is not None:
        if positions.shape != (len(seconds), 3) or orientations.shape != (len(seconds), 4):
            log.add(name, "positions and orientations do not fit the times", f"{name}/frame_positions")
        else:
            values = np.concatenate([positions, orientations[:, [1, 2, 3, 0]]], axis=1)
            table = _timed(seconds, values, name, name, log)
            description = StreamDescription(
                name=name,
                kind=StreamKind.POSE,
                encoding="xyz_qxyzw_f64",
                clock=Clock.HOST,
                frame="camera",
                note="earth_from_camera: position in metres, earth-centred and earth-fixed (ECEF); quaternion"
                " reordered from the source's w x y z; camera axes forward, right, down, as in the source."
                f" {_CLOCK_NOTE}",
            )
            streams.append(None if table is None else rows_stream(description, table, name))
    for file, columns, note in (
        ("frame_velocities", "vx:m/s vy:m/s vz:m/s", "Velocity, earth-centred and earth-fixed (ECEF)."),
        ("frame_gps_times", "gps_week:week time_of_week:s", "GPS time of each video frame."),
    ):
        stream = f"{name}/{file}"
        values_or_none = _load(folder / file, stream, log) if (folder / file).exists() else None
        if values_or_none is None:
            continue
        table = _timed(seconds, values_or_none, stream, stream, log)
        if table is not None:
            description = StreamDescription(
                name=stream,
                kind=StreamKind.SIGNAL,
                encoding="f64",
                channels=_channels(columns, table.values.shape[1]),
                clock=Clock.HOST,
                note=f"{note} {_CLOCK_NOTE}",
            )
            streams.append(rows_stream(description, table, stream))
    return streams
