"""Cameras of an episode, as its recorder calibrated them; placeholders are no calibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from hfviewer.core.geometry import Calibration, CameraModel, Transform
from hfviewer.core.json_number import as_number

_LARGEST_PX = 1 << 16
_PARTS = (
    ("left_camera", ("stereo_left", "head_left_rgb")),
    ("right_camera", ("stereo_right", "head_right_rgb")),
)


def read_calibration(document: Mapping[str, Any], streams: Sequence[str]) -> Calibration:
    """Cameras by stream.

    ``left_camera`` and ``right_camera`` are those of a stereo pair only where there is one: of a D435 they
    are its infra-red cameras, of which no video is kept; ``depth_camera`` is what its depth is seen through.

    Args:
        document: calibrations by name, as stored.
        streams: names of the episode's videos.
    """
    cameras: dict[str, CameraModel] = {}
    transforms: list[Transform] = []
    for part in document.values():
        if not isinstance(part, dict):
            continue
        size = part.get("resolution")
        for name, targets in _PARTS:
            target = next((key for key in targets if key in streams), None)
            camera = None if target is None else _camera(part.get(name), size, target)
            if target is not None and camera is not None:
                cameras.setdefault(target, camera)
        depth = next((key for key in streams if "depth" in key and key != "stereo_depth"), None)
        camera = None if depth is None else _camera(part.get("depth_camera"), size, depth)
        if depth is not None and camera is not None:
            cameras.setdefault(depth, camera)
        baseline = _length(part.get("baseline"))
        if {"stereo_left", "stereo_right"} <= set(cameras) and baseline is not None and not transforms:
            matrix = np.eye(4)
            matrix[0, 3] = baseline
            transforms.append(Transform("stereo_left", "stereo_right", matrix))
    return Calibration(MappingProxyType(cameras), tuple(transforms))


def _camera(value: object, size: object, stream: str) -> CameraModel | None:
    """A camera, or None where what is stored is a placeholder (intrinsics of zeros) or nonsense."""
    if not isinstance(value, dict):
        return None
    intrinsic, distortion = _floats(value.get("intrinsic"), 4), _floats(value.get("distortion"), None)
    sizes = _floats(size, 2)
    if intrinsic is None or sizes is None or intrinsic[0] <= 0 or intrinsic[1] <= 0:
        return None
    if not all(0 < side <= _LARGEST_PX for side in sizes):
        return None
    fx, fy, cx, cy = intrinsic
    return CameraModel(
        width=int(sizes[0]),
        height=int(sizes[1]),
        k=np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]]),
        distortion=tuple(distortion or ()) if any(distortion or ()) else (),
        frame=stream,
    )


def _floats(value: object, count: int | None) -> list[float] | None:
    if not isinstance(value, list) or len(value) > 64 or (count is not None and len(value) != count):
        return None
    numbers = [number for part in value if (number := as_number(part)) is not None]
    return numbers if len(numbers) == len(value) else None


def _length(value: object) -> float | None:
    number = as_number(value)
    return number if number is not None and 0 < number < 10 else None
