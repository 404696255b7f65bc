"""KITTI's calibration files: cameras and transforms of a drive.

Synced drives hold rectified pictures: ``P_rect_0x`` projects from the rectified frame of camera 00, baseline
included, and there is no distortion. Extracted drives (``…_extract``) hold pictures as taken: ``K_0x``,
``D_0x`` and the camera's own frame. Geiger et al., "Vision meets Robotics: The KITTI Dataset", IJRR 2013.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hfviewer.convert.files import read_lines, reason
from hfviewer.convert.source import ProblemLog
from hfviewer.core.errors import FrameError
from hfviewer.core.geometry import Calibration, CameraModel, Transform

LIDAR_FRAME = "velodyne"
IMU_FRAME = "imu"
RECTIFIED_FRAME = "camera_rect_00"
_FILES = ("calib_cam_to_cam.txt", "calib_velo_to_cam.txt", "calib_imu_to_velo.txt")
_MAX_BYTES = 1 << 20

Values = dict[str, NDArray[np.float64]]


def is_extracted(drive: Path) -> bool:
    """True where the drive's pictures are not rectified."""
    return drive.name.endswith("_extract")


def camera_frame(drive: Path, stream: str) -> str:
    """Coordinate frame in which a camera's model projects."""
    return f"camera_{stream[-2:]}" if is_extracted(drive) else RECTIFIED_FRAME


def read_calibration(drive: Path, cameras: Sequence[str], log: ProblemLog) -> Calibration | None:
    """Read what there is, in the drive's folder or the one above; None where there is nothing.

    Args:
        drive: folder of the drive.
        cameras: names of its picture streams, ``image_00`` …
        log: told of files that are broken.
    """
    cam, velo, imu = (_read(drive, name, log) for name in _FILES)
    models: dict[str, CameraModel] = {}
    transforms: list[Transform] = []
    if cam is not None:
        for stream in cameras:
            model = _extracted(cam, drive, stream) if is_extracted(drive) else _rectified(cam, stream)
            if model is None:
                log.add(stream, "has no usable entry", _FILES[0])
            else:
                models[stream] = model
        if is_extracted(drive):
            transforms.extend(_between_cameras(cam, drive, cameras))
    rectify = None if cam is None else _matrix(cam, "R_rect_00", (3, 3))
    velo_to_cam = None if velo is None else _rigid(velo)
    if velo_to_cam is not None:
        if is_extracted(drive):
            transforms.append(Transform("camera_00", LIDAR_FRAME, velo_to_cam))
        elif rectify is not None:
            rect = np.eye(4)
            rect[:3, :3] = rectify
            transforms.append(Transform(RECTIFIED_FRAME, LIDAR_FRAME, rect @ velo_to_cam))
    imu_to_velo = None if imu is None else _rigid(imu)
    if imu_to_velo is not None:
        transforms.append(Transform(LIDAR_FRAME, IMU_FRAME, imu_to_velo))
    return Calibration(models, tuple(transforms)) if models or transforms else None


def _rectified(cam: Values, stream: str) -> CameraModel | None:
    size, projection = _size(cam, f"S_rect_{stream[-2:]}"), _matrix(cam, f"P_rect_{stream[-2:]}", (3, 4))
    if size is None or projection is None:
        return None
    return CameraModel(
        width=size[0],
        height=size[1],
        k=projection[:, :3].copy(),
        projection=projection,
        frame=RECTIFIED_FRAME,
    )


def _extracted(cam: Values, drive: Path, stream: str) -> CameraModel | None:
    number = stream[-2:]
    size, k = _size(cam, f"S_{number}"), _matrix(cam, f"K_{number}", (3, 3))
    distortion = _matrix(cam, f"D_{number}", (5,))
    if size is None or k is None or distortion is None:
        return None
    return CameraModel(
        width=size[0],
        height=size[1],
        k=k,
        distortion=tuple(distortion.tolist()),
        distortion_model="plumb_bob",
        frame=camera_frame(drive, stream),
    )


def _between_cameras(cam: Values, drive: Path, cameras: Sequence[str]) -> list[Transform]:
    """``R_0x`` and ``T_0x`` take points of camera 00 to camera 0x."""
    transforms: list[Transform] = []
    for stream in cameras:
        rotation, shift = _matrix(cam, f"R_{stream[-2:]}", (3, 3)), _matrix(cam, f"T_{stream[-2:]}", (3,))
        if stream != "image_00" and rotation is not None and shift is not None:
            transforms.append(
                Transform(camera_frame(drive, stream), "camera_00", _homogeneous(rotation, shift))
            )
    return transforms


def _read(drive: Path, name: str, log: ProblemLog) -> Values | None:
    """Lines ``key: numbers`` of a calibration file; None where there is none."""
    path = next((p for p in (drive / name, drive.parent / name) if p.is_file()), None)
    if path is None:
        return None
    values: Values = {}
    try:
        lines = read_lines(path, limit_bytes=_MAX_BYTES)
    except (FrameError, OSError) as error:
        log.add("", reason(error), name)
        return None
    for line in lines:
        key, _, numbers = line.partition(":")
        try:
            values[key.strip()] = np.array([float(number) for number in numbers.split()], np.float64)
        except ValueError:
            continue  # calib_time and other text
    return values


def _matrix(values: Values, key: str, shape: tuple[int, ...]) -> NDArray[np.float64] | None:
    value = values.get(key)
    if value is None or value.size != np.prod(shape) or not np.isfinite(value).all():
        return None
    return value.reshape(shape)


def _size(values: Values, key: str) -> tuple[int, int] | None:
    size = _matrix(values, key, (2,))
    if size is None or not ((size >= 1) & (size <= 1 << 20)).all():
        return None
    return round(float(size[0])), round(float(size[1]))


def _rigid(values: Values) -> NDArray[np.float64] | None:
    rotation, shift = _matrix(values, "R", (3, 3)), _matrix(values, "T", (3,))
    return None if rotation is None or shift is None else _homogeneous(rotation, shift)


def _homogeneous(rotation: NDArray[np.float64], shift: NDArray[np.float64]) -> NDArray[np.float64]:
    matrix = np.eye(4)
    matrix[:3, :3] = rotation
    matrix[:3, 3] = shift
    return matrix
