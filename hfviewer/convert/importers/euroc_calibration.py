"""EuRoC's ``sensor.yaml``: intrinsics, distortion, and where a sensor sits on the body."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import yaml
from numpy.typing import NDArray

from hfviewer.convert.files import read_lines, reason
from hfviewer.convert.source import ProblemLog
from hfviewer.core.errors import FrameError
from hfviewer.core.geometry import Calibration, CameraModel, Transform
from hfviewer.core.json_number import as_number

BODY_FRAME = "body"
_MAX_BYTES = 64 << 10
_DISTORTION_MODELS = {
    "radial-tangential": "plumb_bob",
    "radtan": "plumb_bob",
    "plumb_bob": "plumb_bob",
    "equidistant": "equidistant",
}


def read_calibration(root: Path, streams: Sequence[str], log: ProblemLog) -> Calibration | None:
    """Cameras and transforms of the streams that have a ``sensor.yaml``; None where none has.

    ``T_BS`` takes points of the sensor to the body: parent ``body``, child the stream's name.
    """
    cameras: dict[str, CameraModel] = {}
    transforms: list[Transform] = []
    for name in streams:
        path = root / name / "sensor.yaml"
        if not path.is_file():
            continue
        try:
            sensor = _load(path)
            matrix = _body_from_sensor(sensor)
            camera = _camera(sensor, name) if "intrinsics" in sensor else None
        except (FrameError, OSError) as error:
            log.add(name, reason(error), f"{name}/sensor.yaml")
            continue
        if matrix is not None:
            transforms.append(Transform(BODY_FRAME, name, matrix))
        if camera is not None:
            cameras[name] = camera
    return Calibration(cameras, tuple(transforms)) if cameras or transforms else None


def _load(path: Path) -> dict[object, object]:
    lines = read_lines(path, limit_bytes=_MAX_BYTES)
    # OpenCV writes %YAML:1.0, which no YAML parser takes.
    text = "\n".join(line for line in lines if not line.startswith("%YAML")).replace("\t", " ")
    try:
        document = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError) as error:
        raise FrameError("It is not valid YAML.") from error
    if not isinstance(document, dict):
        raise FrameError("It is not a YAML mapping.")
    return document


def _body_from_sensor(sensor: dict[object, object]) -> NDArray[np.float64] | None:
    value = sensor.get("T_BS")
    if value is None:
        return None
    matrix = _numbers(value.get("data") if isinstance(value, dict) else value)
    if len(matrix) != 16:
        raise FrameError("Its T_BS is not a 4 × 4 matrix.")
    return matrix.reshape(4, 4)


def _camera(sensor: dict[object, object], name: str) -> CameraModel:
    intrinsics = _numbers(sensor.get("intrinsics"))
    resolution = _numbers(sensor.get("resolution"))
    if (
        len(intrinsics) != 4
        or len(resolution) != 2
        or not ((resolution >= 1) & (resolution <= 1 << 20)).all()
    ):
        raise FrameError("Its intrinsics or resolution cannot be used.")
    fu, fv, cu, cv = intrinsics
    distortion = _numbers(sensor.get("distortion_coefficients") or [])
    model = str(sensor.get("distortion_model", ""))
    if len(distortion) and model not in _DISTORTION_MODELS:
        raise FrameError("Its distortion model is unknown.")
    return CameraModel(
        width=int(resolution[0]),
        height=int(resolution[1]),
        k=np.array([[fu, 0.0, cu], [0.0, fv, cv], [0.0, 0.0, 1.0]]),
        distortion=tuple(distortion.tolist()),
        distortion_model=_DISTORTION_MODELS.get(model, ""),
        frame=name,
    )


def _numbers(value: object) -> NDArray[np.float64]:
    """A flat list of finite numbers.

    Raises:
        FrameError: anything else.
    """
    if isinstance(value, list) and len(value) <= 64:
        numbers = [number for part in value if (number := as_number(part)) is not None]
        if len(numbers) == len(value):
            return np.array(numbers, np.float64)
    raise FrameError("A list of numbers in it cannot be used.")
