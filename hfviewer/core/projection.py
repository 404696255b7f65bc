"""Between points and the pixels of a picture as it was taken, lens distortion included; and between sensors.

`geometry.project` knows the pinhole alone. Here are the two lens models that recordings come with, both ways:

- ``plumb_bob``: Brown's radial and tangential terms in OpenCV's order (k1 k2 p1 p2 [k3 [k4 k5 k6 [s1 s2 s3
  s4]]]), OpenCV manual, "Camera Calibration and 3D Reconstruction".
- ``equidistant``: Kannala and Brandt's fisheye with four terms (PAMI 2006), as in OpenCV's ``fisheye``.

A camera with a ``projection`` is rectified: its pictures have no distortion left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.depth import DepthScale
from hfviewer.core.geometry import (
    Calibration,
    CameraModel,
    back_project,
    project,
    transform_points,
)

FISHEYE = "equidistant"
_LARGEST = 1e9  # of a camera's matrix, pixels
_MOST_TERMS = 12  # tilted sensors (terms 13 and 14) are not modelled
_NEWTON_STEPS = 12
_STEP = 1e-6
_CLOSE = 1e-9
_LARGEST_TANGENT = 6.0  # 80 degrees off the axis


def is_distorted(camera: CameraModel) -> bool:
    """True where pictures of the camera bend straight lines."""
    return camera.projection is None and any(value != 0.0 for value in camera.distortion)


def is_usable(camera: CameraModel) -> bool:
    """False for placeholders: no focal length, a distortion nobody can follow, numbers that are none."""
    if camera.projection is None and len(camera.distortion) > _MOST_TERMS and any(camera.distortion[12:]):
        return False
    if not np.isfinite(camera.distortion).all():
        return False
    matrix = camera.k if camera.projection is None else camera.projection[:, :3]
    if not (
        np.abs(matrix) <= _LARGEST
    ).all():  # no lens of anybody; it would overflow what is worked out with it
        return False
    return bool(min(abs(np.linalg.det(matrix)), abs(np.linalg.det(matrix[:2, :2]))) > 1e-9)


def fitted_to(camera: CameraModel, size: tuple[int, int]) -> CameraModel | None:
    """The same camera for pictures stored larger or smaller than its calibration says.

    Args:
        camera: as calibrated.
        size: (width, height) of the pictures.

    Returns:
        None where the picture has another shape, so that nobody can say which part of it is meant.
    """
    if size == (camera.width, camera.height):
        return camera
    across, down = size[0] / camera.width, size[1] / camera.height
    if min(size) < 1 or abs(across / down - 1) > 0.01:
        return None
    # Pixel centres lie at whole numbers: the outer edge, at -0.5, is what stays in place.
    scale = np.array([[across, 0, (across - 1) / 2], [0, down, (down - 1) / 2], [0, 0, 1.0]])
    return replace(
        camera,
        width=size[0],
        height=size[1],
        k=scale @ camera.k,
        projection=None if camera.projection is None else scale @ camera.projection,
    )


def straightened(camera: CameraModel) -> CameraModel:
    """The camera of a picture whose lens distortion was taken out."""
    return replace(camera, distortion=(), distortion_model="")


def distort(camera: CameraModel, ideal: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the lens puts rays: N×2 tangents (x/z, y/z) of the rays to those that the sensor gets."""
    if not is_distorted(camera):
        return ideal
    x, y = ideal[:, 0], ideal[:, 1]
    d = np.zeros(_MOST_TERMS)
    given = camera.distortion[:_MOST_TERMS]
    d[: len(given)] = given
    with np.errstate(all="ignore"):
        r2 = x * x + y * y
        if camera.distortion_model == FISHEYE:
            r = np.sqrt(r2)
            theta = np.arctan(r)
            t2 = theta * theta
            bent = theta * (1 + t2 * (d[0] + t2 * (d[1] + t2 * (d[2] + t2 * d[3]))))
            scale = np.where(r > 1e-12, bent / np.where(r > 1e-12, r, 1.0), 1.0)
            return np.stack([x * scale, y * scale], axis=1)
        above = 1 + r2 * (d[0] + r2 * (d[1] + r2 * d[4]))
        below = 1 + r2 * (d[5] + r2 * (d[6] + r2 * d[7]))
        radial = above / below
        bent_x = x * radial + 2 * d[2] * x * y + d[3] * (r2 + 2 * x * x) + r2 * (d[8] + r2 * d[9])
        bent_y = y * radial + d[2] * (r2 + 2 * y * y) + 2 * d[3] * x * y + r2 * (d[10] + r2 * d[11])
    return np.stack([bent_x, bent_y], axis=1)


def undistort(camera: CameraModel, bent: NDArray[np.float64]) -> NDArray[np.float64]:
    """The inverse of `distort`, by Newton's method; NaN where no ray leads there."""
    if not is_distorted(camera):
        return bent
    ideal = bent.copy()
    if camera.distortion_model == FISHEYE:
        # Of 90 degrees and more there is no tangent: start from the angle that the radius would be.
        r = np.hypot(bent[:, 0], bent[:, 1])
        with np.errstate(all="ignore"):
            grown = np.tan(np.minimum(r, 1.4)) / np.where(r > 1e-12, r, 1.0)
        ideal = bent * np.where(r > 1e-12, grown, 1.0)[:, None]
    with np.errstate(all="ignore"):
        for _ in range(_NEWTON_STEPS):
            here = distort(camera, ideal)
            gap = bent - here
            if np.nanmax(np.abs(gap), initial=0.0) < _CLOSE:
                break
            across = (distort(camera, ideal + np.array([_STEP, 0.0])) - here) / _STEP
            down = (distort(camera, ideal + np.array([0.0, _STEP])) - here) / _STEP
            determinant = across[:, 0] * down[:, 1] - down[:, 0] * across[:, 1]
            ideal[:, 0] += (gap[:, 0] * down[:, 1] - down[:, 0] * gap[:, 1]) / determinant
            ideal[:, 1] += (across[:, 0] * gap[:, 1] - gap[:, 0] * across[:, 1]) / determinant
        found = np.abs(distort(camera, ideal) - bent).max(axis=1) < 1e-6
        found &= np.hypot(ideal[:, 0], ideal[:, 1]) <= reach_of_lens(camera) + 1e-9
    ideal[~found] = np.nan
    return ideal


def reach_of_lens(camera: CameraModel) -> float:
    """The largest tangent up to which the lens model still leads outwards.

    Beyond the bend of a fitted polynomial, rays far outside the picture fold back into it: points that nobody
    could see would be drawn.
    """
    return _reach(camera.distortion, camera.distortion_model) if is_distorted(camera) else np.inf


@lru_cache(maxsize=64)
def _reach(distortion: tuple[float, ...], model: str) -> float:
    tangents = np.linspace(0.0, _LARGEST_TANGENT, 2400)
    lens = CameraModel(1, 1, np.eye(3), distortion=distortion, distortion_model=model)
    reach = _LARGEST_TANGENT
    for x, y in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)):
        bent = distort(lens, tangents[:, None] * [x, y])
        outwards = np.diff(bent @ [x, y]) > 0
        if not outwards.all():
            reach = min(reach, float(tangents[int(np.argmin(outwards))]))
    return reach


def to_picture(
    camera: CameraModel, xyz_camera: NDArray[np.floating]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Pixels, in the picture as taken, of points in the camera's frame.

    Args:
        camera: with its lens.
        xyz_camera: N×3, metres, z forward.

    Returns:
        As `geometry.project`: float64 N×2 with pixel centres at whole numbers, NaN where there is no pixel,
        and bool N: inside the picture.
    """
    if not is_distorted(camera):
        return project(camera, xyz_camera)
    points = np.asarray(xyz_camera, np.float64)
    with np.errstate(all="ignore"):
        front = points[:, 2] > 1e-6
        ideal = points[:, :2] / np.where(front, points[:, 2], np.nan)[:, None]
        seen = front & (np.hypot(ideal[:, 0], ideal[:, 1]) <= reach_of_lens(camera))
        bent = distort(camera, ideal)
        pixels = _flat(camera.k, bent)
        pixels[~seen] = np.nan
        inside = seen & (pixels >= -0.5).all(axis=1)
        inside &= (pixels[:, 0] < camera.width - 0.5) & (pixels[:, 1] < camera.height - 0.5)
    return pixels, inside


def from_picture(
    camera: CameraModel, pixels: NDArray[np.floating], depth_m: NDArray[np.floating]
) -> NDArray[np.float64]:
    """Points in the camera's frame of pixels of the picture as taken; the inverse of `to_picture`.

    Args:
        camera: with its lens.
        pixels: N×2, (u, v).
        depth_m: N, metres along z of the camera's frame.

    Returns:
        float64 N×3, metres; not finite where the lens or the intrinsics lead nowhere.
    """
    if not is_distorted(camera):
        return back_project(camera, pixels, depth_m)
    try:
        inverse = np.linalg.inv(_whole(camera.k))
    except np.linalg.LinAlgError:
        return np.full((len(pixels), 3), np.nan)
    bent = _flat(inverse, np.asarray(pixels, np.float64))
    depth = np.asarray(depth_m, np.float64)
    return np.column_stack([undistort(camera, bent) * depth[:, None], depth])


def straightening_maps(camera: CameraModel) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where each pixel of a picture without distortion, of the same intrinsics, lies in the stored one.

    Returns:
        float32 H×W columns and H×W rows, of the size that the calibration states.
    """
    v, u = np.mgrid[0 : camera.height, 0 : camera.width]
    pixels = np.stack([u.ravel(), v.ravel()], axis=1).astype(np.float64)
    ideal = _flat(np.linalg.inv(_whole(camera.k)), pixels)
    with np.errstate(all="ignore"):
        bent = distort(camera, ideal)
        bent[np.hypot(ideal[:, 0], ideal[:, 1]) > reach_of_lens(camera)] = np.nan
        stored = _flat(camera.k, bent)
        stored[~(np.abs(stored) < 1e6)] = -1e4  # nowhere
    shape = (camera.height, camera.width)
    return stored[:, 0].reshape(shape).astype(np.float32), stored[:, 1].reshape(shape).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Ray:
    """A line of sight in a coordinate frame.

    Args:
        origin_m: where it starts, metres.
        direction: of length 1.
    """

    origin_m: tuple[float, float, float]
    direction: tuple[float, float, float]

    def points(self, distances_m: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64 N×3: the points at these distances from the origin."""
        along = np.outer(distances_m, np.array(self.direction))
        return np.asarray(np.array(self.origin_m) + along, np.float64)

    def moved(self, matrix: NDArray[np.float64]) -> Ray:
        """The same line in another frame, by ``target_from_source``."""
        origin = matrix[:3, :3] @ np.array(self.origin_m) + matrix[:3, 3]
        direction = matrix[:3, :3] @ np.array(self.direction)
        direction = direction / np.linalg.norm(direction)
        return Ray(_three(origin), _three(direction))


def ray_of(camera: CameraModel, pixel: tuple[float, float]) -> Ray | None:
    """The line of sight through a pixel, in the camera's frame; None where the lens leads nowhere."""
    two = from_picture(camera, np.array([pixel, pixel], np.float64), np.array([1.0, 2.0]))
    along = two[1] - two[0]
    length = float(np.linalg.norm(along))
    if not np.isfinite(two).all() or not length:
        return None
    # A rectified camera's centre may lie off its frame's origin: follow the line back to depth 0.
    return Ray(_three(two[0] - along), _three(along / length))


def frame_of(calibration: Calibration, stream: str, declared: str = "") -> str:
    """Coordinate frame that a stream measures in: its camera's, else the one it declares, else its own."""
    camera = calibration.cameras.get(stream)
    return (camera.frame if camera is not None else "") or declared or stream


def link(calibration: Calibration, *, target: str, source: str) -> NDArray[np.float64] | None:
    """float64 4×4 ``target_from_source``; None where a frame is not named or nothing connects them."""
    return calibration.between(target=target, source=source) if target and source else None


def points_of_depth(
    camera: CameraModel, stored: NDArray[np.uint16], scale: DepthScale, *, step: int = 1
) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """The points that a depth picture measures, in the camera's frame.

    Args:
        camera: of the depth picture, with its lens.
        stored: uint16 H×W codes.
        scale: of the codes.
        step: of so many rows and columns, one is taken.

    Returns:
        float32 N×3, metres, in reading order, and intp N: which pixel each is of, ``row * W + column``.
    """
    height, width = stored.shape
    rows, columns = np.mgrid[0:height:step, 0:width:step]
    codes = stored[::step, ::step]
    valid = np.take(scale.valid_table, codes)
    u, v = columns[valid], rows[valid]
    depth_m = np.take(scale.exact_mm_table, codes[valid]) / 1000.0
    xyz = from_picture(camera, np.stack([u, v], axis=1), depth_m)
    usable = np.isfinite(xyz).all(axis=1)
    return xyz[usable].astype(np.float32), (v * width + u)[usable].astype(np.intp)


def meet_depth(
    ray: Ray,
    camera: CameraModel,
    stored: NDArray[np.uint16],
    scale: DepthScale,
    *,
    nearest_m: float = 0.1,
    farthest_m: float = 80.0,
) -> tuple[float, float, float] | None:
    """Where a line of sight from elsewhere first meets the surface that a depth picture measures.

    The line is followed in equal steps of 1/distance, which are about equal steps in the picture; where it
    passes from before the surface to behind it, that stretch is followed again in finer steps.

    Args:
        ray: in the depth camera's frame.
        camera: of the depth picture.
        stored: uint16 H×W codes.
        scale: of the codes.
        nearest_m: where to begin.
        farthest_m: where to give up.

    Returns:
        The point, metres, in the depth camera's frame; None where the line meets nothing that was measured.
    """
    low, high = nearest_m, farthest_m
    for _ in range(3):
        distances = 1.0 / np.linspace(1.0 / low, 1.0 / high, 600)
        points = ray.points(distances)
        pixels, inside = to_picture(camera, points)
        behind = np.full(len(points), np.nan)
        columns = np.rint(pixels[inside]).astype(np.intp)
        columns[:, 0] = np.clip(columns[:, 0], 0, stored.shape[1] - 1)
        columns[:, 1] = np.clip(columns[:, 1], 0, stored.shape[0] - 1)
        measured_m = scale.exact_mm_table[stored[columns[:, 1], columns[:, 0]]] / 1000.0
        behind[inside] = points[inside, 2] - measured_m
        known = np.flatnonzero(~np.isnan(behind))
        crossing = np.flatnonzero((behind[known[:-1]] <= 0) & (behind[known[1:]] > 0))
        if len(crossing) == 0:
            return None
        before, after = int(known[crossing[0]]), int(known[crossing[0] + 1])
        # A jump from one object to the one behind it is an edge that the line passes, not a place on it.
        low, high = float(distances[before]), float(distances[after])
        gap_m = float(behind[after] - behind[before])
    if gap_m > 0.05 * max(1.0, high):
        return None
    share = float(-behind[before] / gap_m) if gap_m > 0 else 0.0
    return _three(points[before] + share * (points[after] - points[before]))


def moved_point(
    matrix: NDArray[np.float64], point_m: tuple[float, float, float]
) -> tuple[float, float, float]:
    """A point in another frame, by ``target_from_source``."""
    return _three(transform_points(matrix, np.array([point_m]))[0])


def _whole(k: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64 3×3: the two rows of intrinsics that count, and 0 0 1."""
    return np.vstack([k[:2], [0.0, 0.0, 1.0]])


def _flat(matrix: NDArray[np.floating], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """The first two rows of a 3×3 matrix applied to N×2 places; by columns, see `geometry._applied`."""
    x, y = places[:, 0], places[:, 1]
    with np.errstate(over="ignore", invalid="ignore"):
        columns = [a * x + b * y + shift for a, b, shift in matrix[:2].tolist()]
    return np.stack(columns, axis=1)


def _three(values: NDArray[np.float64]) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in values)
    return (x, y, z)
