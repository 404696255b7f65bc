"""An RGB-D sequence as 7-Scenes lays it out: ``frame-NNNNNN.color.png``, ``.depth.png``, ``.pose.txt``.

No timestamps exist: times are made from file numbers at the Kinect's 30 Hz and marked nominal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hfviewer.convert.files import names_in, numbered_files, read_bytes, read_lines, reason
from hfviewer.convert.pictures import first_picture_header, load_picture, picture_encoding
from hfviewer.convert.source import Plan, PlannedStream, ProblemLog
from hfviewer.convert.times import nominal_ns
from hfviewer.core.errors import ConversionError, FrameError
from hfviewer.core.geometry import Calibration, CameraModel
from hfviewer.core.stream import Clock, StreamDescription, StreamKind
from hfviewer.readers.base import Match

RATE_HZ = 30
CAMERA_FRAME = "camera"
_NUMBER = r"frame-(?P<number>\d{1,9})"
_FILES = {
    "color": re.compile(_NUMBER + r"\.color\.(png|jpe?g)", re.ASCII | re.IGNORECASE),
    "depth": re.compile(_NUMBER + r"\.depth\.png", re.ASCII | re.IGNORECASE),
    "pose": re.compile(_NUMBER + r"\.pose\.txt", re.ASCII | re.IGNORECASE),
}
_INTRINSICS = ("camera-intrinsics.txt", "camera_intrinsics.txt", "camera.txt", "intrinsics.txt")
_MAX_TEXT_BYTES = 64 << 10
_CLOCK_NOTE = (
    f"The source has no timestamps: times are made from file numbers at {RATE_HZ} Hz, first file at 0."
)


class SevenScenesImporter:
    """7-Scenes sequences and folders of the same make."""

    name = "7scenes"
    layout = "RGB-D sequence as 7-Scenes has it (frame-000000.color.png, .depth.png, .pose.txt)"

    def sniff(self, path: Path) -> Match:
        patterns = (_FILES["color"], _FILES["depth"])
        found = any(pattern.fullmatch(name) for name in names_in(path) for pattern in patterns)
        return Match.BY_CONTENT if found else Match.NO

    def plan(self, path: Path) -> Plan:
        log = ProblemLog()
        files = {stream: numbered_files(path, pattern) for stream, pattern in _FILES.items()}
        files = {stream: found for stream, found in files.items() if found}
        numbers = sorted(set().union(*files.values()))
        if not numbers:
            raise ConversionError("It holds no frames.", path=path)
        for stream, found in files.items():
            suffix = next(iter(found.values())).name.split(".", 1)[1]
            for number in numbers:
                if number not in found:
                    log.add(
                        stream, "missing, though its frame has other files", f"frame-{number:06}.{suffix}"
                    )
        title = path.parent.name if path.name == "rgbd-frames" else path.name
        calibration = _read_calibration(path, files, log)
        notes = [_CLOCK_NOTE]
        if calibration is None:
            notes.append("No intrinsics (camera-intrinsics.txt) lie in the folder or beside it.")
        return Plan(
            layout=self.name,
            title=title,
            source=f"RGB-D frames: {title}",
            streams=tuple(_planned(stream, found, numbers[0]) for stream, found in files.items()),
            calibration=calibration,
            notes=tuple(notes),
            problems=log.problems(),
        )


def _planned(stream: str, files: dict[int, Path], first: int) -> PlannedStream:
    numbers = np.array(list(files), np.int64)
    paths = list(files.values())
    loads: dict[str, Callable[[Path], bytes]] = {
        "color": load_picture,
        "depth": lambda path: load_picture(path, depth=True),
        "pose": load_pose,
    }
    load = loads[stream]
    return PlannedStream(
        description=_describe(stream, paths[0]),
        timestamps_ns=nominal_ns(numbers - first, RATE_HZ),
        sequence=numbers,
        load=lambda index: load(paths[index]),
        origin=lambda index: paths[index].name,
    )


def _describe(stream: str, first: Path) -> StreamDescription:
    if stream == "color":
        return StreamDescription(
            name=stream,
            kind=StreamKind.IMAGE,
            encoding=picture_encoding(first),
            clock=Clock.NOMINAL,
            declared_rate_hz=float(RATE_HZ),
            frame=CAMERA_FRAME,
            note=f"Picture files, stored as the bytes they are. {_CLOCK_NOTE}",
        )
    if stream == "depth":
        return StreamDescription(
            name=stream,
            kind=StreamKind.DEPTH,
            encoding="png16",
            clock=Clock.NOMINAL,
            declared_rate_hz=float(RATE_HZ),
            frame=CAMERA_FRAME,
            depth_unit_mm=1.0,
            depth_invalid=(0, 65535),
            note="16-bit PNG files, stored as the bytes they are: millimetres, 0 and 65535 invalid."
            f" {_CLOCK_NOTE}",
        )
    return StreamDescription(
        name=stream,
        kind=StreamKind.POSE,
        encoding="matrix44_f32",
        clock=Clock.NOMINAL,
        declared_rate_hz=float(RATE_HZ),
        frame=CAMERA_FRAME,
        note="world_from_camera, metres; camera axes x right, y down, z forward. The text's up to 8 digits"
        f" are rounded to float32; no rotation is made orthogonal. {_CLOCK_NOTE}",
    )


def load_pose(path: Path) -> bytes:
    """A 4×4 matrix in text as float32, row-major.

    Raises:
        FrameError: not 16 finite numbers: 7-Scenes writes ``-1.#IND`` where tracking was lost.
        OSError: it cannot be read.
    """
    words = read_bytes(path, limit_bytes=_MAX_TEXT_BYTES).split()
    if len(words) != 16:
        raise FrameError(f"It holds {len(words)} values, not a 4 × 4 matrix.")
    try:
        values = np.array([float(word) for word in words])
    except ValueError as error:
        raise FrameError("It holds something that is not a number.") from error
    if not np.isfinite(values).all() or np.abs(values).max() > 1e30:
        raise FrameError("It holds something that is not a finite number.")
    return values.astype("<f4").tobytes()


def _read_calibration(path: Path, files: dict[str, dict[int, Path]], log: ProblemLog) -> Calibration | None:
    found = [folder / name for folder in (path, path.parent) for name in _INTRINSICS]
    file = next((candidate for candidate in found if candidate.is_file()), None)
    if file is None:
        return None
    try:
        k = parse_intrinsics(read_lines(file, limit_bytes=_MAX_TEXT_BYTES))
    except (FrameError, OSError) as error:
        log.add("", reason(error), file.name)
        return None
    cameras: dict[str, CameraModel] = {}
    for stream in ("color", "depth"):
        header = first_picture_header(list(files.get(stream, {}).values()))
        if header is not None:
            cameras[stream] = CameraModel(header.width, header.height, k, frame=CAMERA_FRAME)
    return Calibration(cameras) if cameras else None


def parse_intrinsics(lines: list[str]) -> NDArray[np.float64]:
    """3×3 matrix from its nine numbers, or from ``fx fy cx cy``; commas and brackets do not matter.

    Raises:
        FrameError: neither.
    """
    text = re.sub(r"[\[\],;]", " ", " ".join(line.partition("#")[0] for line in lines))
    try:
        values = np.array([float(word) for word in text.split()])
    except ValueError as error:
        raise FrameError("It is not a table of numbers.") from error
    if len(values) == 4:
        fx, fy, cx, cy = values
        values = np.array([fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0])
    if len(values) != 9 or not np.isfinite(values).all():
        raise FrameError("It is neither a 3 × 3 matrix nor fx fy cx cy.")
    return values.reshape(3, 3)
