"""The camera that looks at a point cloud: pure maths, for every renderer. z is up, as in sensor frames."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

FIELD_OF_VIEW_RAD = math.radians(50.0)
NEAR_M = 0.05
_MIN_DISTANCE_M, _MAX_DISTANCE_M = 0.05, 1e5
_MAX_ELEVATION_RAD = math.pi / 2
_BEHIND_RAD = math.pi
_ASIDE_RAD = 0.3  # a little to the side, so that x is seen as an axis and not as a point


class CloudViewpoint(StrEnum):
    """Where to look from at the press of a button."""

    TOP = "top"
    FRONT = "front"
    SIDE = "side"
    FREE = "3d"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrbitCamera:
    """A camera on a sphere around a point it looks at.

    Args:
        target_m: x, y, z of that point, metres, sensor frame.
        distance_m: from it.
        azimuth_rad: of the camera as seen from the target, from +x towards +y; π is behind the sensor.
        elevation_rad: of the camera above the horizon, −π/2 … π/2.
        parallel: True for a projection without perspective, for plans and elevations.
    """

    target_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    distance_m: float = 40.0
    azimuth_rad: float = _BEHIND_RAD
    elevation_rad: float = math.radians(28.0)
    parallel: bool = False

    def axes(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Right, up and forward of the picture: unit vectors in the sensor frame."""
        ca, sa = math.cos(self.azimuth_rad), math.sin(self.azimuth_rad)
        ce, se = math.cos(self.elevation_rad), math.sin(self.elevation_rad)
        towards_camera = np.array([ce * ca, ce * sa, se])
        right = np.array([-sa, ca, 0.0])
        up = np.array([-se * ca, -se * sa, ce])
        return right, up, -towards_camera

    def position_m(self) -> NDArray[np.float64]:
        """Where the camera is, in the sensor frame."""
        return np.array(self.target_m) - self.axes()[2] * self.distance_m

    def pixels_from_sensor(self, width: int, height: int) -> NDArray[np.float64]:
        """float64 4×4 that takes (x, y, z, 1) to (column · w, row · w, depth, w).

        Depth is metres in front of the camera; a point shows where it is above `NEAR_M`. Row 0 is on top.
        """
        right, up, forward = self.axes()
        focal = height / 2 / math.tan(FIELD_OF_VIEW_RAD / 2)
        matrix = np.zeros((4, 4))
        matrix[2, :3] = forward
        matrix[2, 3] = -float(forward @ self.position_m())
        if self.parallel:
            matrix[3, 3] = self.distance_m
        else:
            matrix[3] = matrix[2]
        target = np.array(self.target_m)
        matrix[0, :3], matrix[0, 3] = focal * right, -focal * float(right @ target)
        matrix[1, :3], matrix[1, 3] = -focal * up, focal * float(up @ target)
        matrix[0] += width / 2 * matrix[3]
        matrix[1] += height / 2 * matrix[3]
        return matrix

    def orbited(self, dx_px: float, dy_px: float) -> OrbitCamera:
        """Turned by a drag; a plan or elevation becomes a view with perspective."""
        elevation_rad = self.elevation_rad + dy_px * 0.008
        return replace(
            self,
            azimuth_rad=math.remainder(self.azimuth_rad - dx_px * 0.008, math.tau),
            elevation_rad=min(max(elevation_rad, -_MAX_ELEVATION_RAD), _MAX_ELEVATION_RAD),
            parallel=False,
        )

    def panned(self, dx_px: float, dy_px: float, height: int) -> OrbitCamera:
        """Shifted so that what lies at the target's distance follows a drag in a picture of that height."""
        metres_per_px = 2 * self.distance_m * math.tan(FIELD_OF_VIEW_RAD / 2) / max(1, height)
        right, up, _ = self.axes()
        moved = np.array(self.target_m) + (-dx_px * right + dy_px * up) * metres_per_px
        x, y, z = np.clip(moved, -1e6, 1e6).tolist()
        return replace(self, target_m=(x, y, z))

    def turning_about(self, x: float, y: float, z: float) -> OrbitCamera:
        """Moved aside: a place is in the middle now, turns go about it, and it looks as large as before."""
        place = np.array([x, y, z])
        ahead_m = float(self.axes()[2] @ (place - self.position_m()))
        near_by = self.parallel or ahead_m < _MIN_DISTANCE_M
        x, y, z = np.clip(place, -1e6, 1e6).tolist()
        distance_m = self.distance_m if near_by else min(ahead_m, _MAX_DISTANCE_M)
        return replace(self, target_m=(x, y, z), distance_m=distance_m)

    def dollied(self, factor: float) -> OrbitCamera:
        """Nearer (below 1) or farther (above 1)."""
        distance_m = min(max(self.distance_m * factor, _MIN_DISTANCE_M), _MAX_DISTANCE_M)
        return replace(self, distance_m=distance_m)


def viewpoint_camera(viewpoint: CloudViewpoint, *, reach_m: float, ground_m: float) -> OrbitCamera:
    """The camera of a viewpoint.

    Args:
        viewpoint: top looks down with +x up, front looks at the sensor from ahead, side from its right, and
            3d from behind and above along +x.
        reach_m: how far from the sensor most points lie.
        ground_m: z of the ground.
    """
    reach_m = max(reach_m, 0.1)
    middle = (0.0, 0.0, ground_m)
    far = 2.4 * reach_m
    match viewpoint:
        case CloudViewpoint.TOP:
            return OrbitCamera(
                target_m=middle, distance_m=far, elevation_rad=_MAX_ELEVATION_RAD, parallel=True
            )
        case CloudViewpoint.FRONT:
            return OrbitCamera(
                target_m=middle, distance_m=far, azimuth_rad=0.0, elevation_rad=0.0, parallel=True
            )
        case CloudViewpoint.SIDE:
            return OrbitCamera(
                target_m=middle, distance_m=far, azimuth_rad=-math.pi / 2, elevation_rad=0.0, parallel=True
            )
        case CloudViewpoint.FREE:
            target_m = (0.6 * reach_m, 0.0, ground_m)
            return OrbitCamera(
                target_m=target_m, distance_m=1.7 * reach_m, azimuth_rad=_BEHIND_RAD + _ASIDE_RAD
            )


def viewpoint_of(camera: OrbitCamera) -> CloudViewpoint:
    """The viewpoint whose direction a camera has; `FREE` for any that is no plan or elevation."""
    if not camera.parallel:
        return CloudViewpoint.FREE
    for viewpoint in (CloudViewpoint.TOP, CloudViewpoint.FRONT, CloudViewpoint.SIDE):
        known = viewpoint_camera(viewpoint, reach_m=1.0, ground_m=0.0)
        if float(known.axes()[2] @ camera.axes()[2]) > 1 - 1e-9:
            return viewpoint
    return CloudViewpoint.FREE
