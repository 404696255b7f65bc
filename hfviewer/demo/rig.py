"""The sensors of the demonstration recording: where they sit, and pictures, depth and scans of its street."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.opencv import cv2
from hfviewer.core.geometry import Calibration, CameraModel, Transform
from hfviewer.demo import scene
from hfviewer.demo.scene import Box, StreetHits

LIDAR_HEIGHT_M = 1.9
LIDAR_REACH_M = 80.0
DEPTH_REACH_MM = 20_000
_RINGS, _AZIMUTHS = 32, 720
_NEAR_M = 0.2
_HAZE_M = 90.0
_FACE_SHADE = (1.0, 0.72, 0.9)  # back and front, sides, top
_BASE_FROM_CAMERA = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])


@dataclass(frozen=True)
class Camera:
    """A camera that looks straight ahead, without distortion.

    Args:
        name: of its coordinate frame.
        width: pixels.
        height: pixels.
        focal_px: focal length, pixels.
        position_m: in the base frame.
    """

    name: str
    width: int
    height: int
    focal_px: float
    position_m: tuple[float, float, float]

    @property
    def model(self) -> CameraModel:
        centre = [(self.width - 1) / 2, (self.height - 1) / 2]
        k = np.array([[self.focal_px, 0, centre[0]], [0, self.focal_px, centre[1]], [0, 0, 1.0]])
        return CameraModel(self.width, self.height, k, frame=self.name)

    @property
    def mounting(self) -> Transform:
        """base_from_camera."""
        matrix = np.eye(4)
        matrix[:3, :3] = _BASE_FROM_CAMERA
        matrix[:3, 3] = self.position_m
        return Transform("base", self.name, matrix)

    @cached_property
    def rays(self) -> NDArray[np.float64]:
        """float64 (height·width)×3 in the base frame, each one metre long along the camera's axis."""
        u, v = np.meshgrid(np.arange(self.width), np.arange(self.height))
        x = (u.ravel() - (self.width - 1) / 2) / self.focal_px
        y = (v.ravel() - (self.height - 1) / 2) / self.focal_px
        return np.stack([np.ones_like(x), -x, -y], axis=1)

    @cached_property
    def street(self) -> StreetHits:
        return scene.hit_street(np.array(self.position_m), self.rays)

    @cached_property
    def haze(self) -> NDArray[np.uint16]:
        """uint16 (height·width)×1: how much of the sky's colour lies before the street, of 256."""
        share = np.clip(self.street.distance / _HAZE_M, 0, 1)
        return (share * 256).astype(np.uint16)[:, None]

    @cached_property
    def sky_through_haze(self) -> NDArray[np.uint16]:
        return self.haze * np.array(scene.SKY_COLOUR, np.uint16)

    def faces(self, boxes: list[Box]) -> list[tuple[int, NDArray[np.int32], Box]]:
        """What it sees of boxes, in their order: axis of the face, its outline in 1/16 pixel, the box."""
        seen: list[tuple[int, NDArray[np.int32], Box]] = []
        for box in boxes:
            if box.high[0] - self.position_m[0] <= _NEAR_M:
                continue
            for axis in range(3):
                outline = self._outline(box, axis)
                if outline is not None:
                    seen.append((axis, outline, box))
        return seen

    def _outline(self, box: Box, axis: int) -> NDArray[np.int32] | None:
        here = self.position_m[axis]
        if box.low[axis] <= here <= box.high[axis]:
            return None
        place = box.low[axis] if here < box.low[axis] else box.high[axis]
        one, two = (other for other in range(3) if other != axis)
        corners = np.empty((4, 3))
        corners[:, axis] = place
        corners[:, one] = [box.low[one], box.high[one], box.high[one], box.low[one]]
        corners[:, two] = [box.low[two], box.low[two], box.high[two], box.high[two]]
        ahead = _clip_near(corners - np.array(self.position_m))
        if len(ahead) < 3:
            return None
        u = (self.width - 1) / 2 - self.focal_px * ahead[:, 1] / ahead[:, 0]
        v = (self.height - 1) / 2 - self.focal_px * ahead[:, 2] / ahead[:, 0]
        points = np.clip(np.stack([u, v], axis=1), -4000, 4000)
        return np.rint(points * 16).astype(np.int32)


def _clip_near(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The part of a polygon farther ahead than `_NEAR_M` (Sutherland and Hodgman 1974)."""
    kept: list[NDArray[np.float64]] = []
    for index in range(len(corners)):
        here, there = corners[index], corners[(index + 1) % len(corners)]
        if here[0] >= _NEAR_M:
            kept.append(here)
        if (here[0] >= _NEAR_M) != (there[0] >= _NEAR_M):
            share = (_NEAR_M - here[0]) / (there[0] - here[0])
            kept.append(here + share * (there - here))
    return np.array(kept).reshape(-1, 3)


CAMERAS = (
    Camera("camera_left", 640, 360, 420.0, (0.3, 0.25, 1.5)),
    Camera("camera_right", 640, 360, 420.0, (0.3, -0.25, 1.5)),
)
DEPTH_CAMERA = Camera("depth_camera", 424, 240, 280.0, (0.3, 0.0, 1.5))


def calibration(streams: dict[str, Camera]) -> Calibration:
    """All cameras, by stream name, and where every sensor sits on the base."""
    lidar, imu = np.eye(4), np.eye(4)
    lidar[2, 3] = LIDAR_HEIGHT_M
    imu[2, 3] = 0.5
    mountings = [camera.mounting for camera in streams.values()]
    return Calibration(
        {name: camera.model for name, camera in streams.items()},
        (*mountings, Transform("base", "lidar", lidar), Transform("base", "imu", imu)),
    )


def render_picture(camera: Camera, time_s: float) -> NDArray[np.uint8]:
    """What a camera sees: uint8 H×W×3, B G R."""
    haze = camera.haze
    mixed = scene.colours_at(camera.street, time_s) * (256 - haze) + camera.sky_through_haze
    picture = (mixed >> 8).astype(np.uint8).reshape(camera.height, camera.width, 3)
    for axis, outline, box in camera.faces(scene.boxes_at(time_s)):
        colour = [int(part * _FACE_SHADE[axis]) for part in box.colour]
        cv2.fillConvexPoly(picture, outline, colour, cv2.LINE_AA, shift=4)
    return picture


def burn_in(picture: NDArray[np.uint8], text: str) -> None:
    """Write a line into the upper left corner."""
    cv2.rectangle(picture, (0, 0), (14 + 11 * len(text), 26), (20, 20, 20), cv2.FILLED)
    cv2.putText(picture, text, (8, 19), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (240, 240, 240), 1, cv2.LINE_AA)


def render_depth(time_s: float, number: int) -> NDArray[np.uint16]:
    """What the depth camera measures along its axis: uint16 H×W, millimetres.

    0 where it measures nothing: beyond its reach, along edges, and in single pixels that change from frame to
    frame.
    """
    camera = DEPTH_CAMERA
    size = (camera.height, camera.width)
    depth = camera.street.distance.reshape(size).copy()
    rays = camera.rays.reshape(*size, 3)
    mask = np.zeros(size, np.uint8)
    for axis, outline, box in camera.faces(scene.boxes_at(time_s)):
        here = camera.position_m[axis]
        place = box.low[axis] if here < box.low[axis] else box.high[axis]
        x, y, width, height = cv2.boundingRect(np.clip(outline // 16, -1, max(size)))
        part = (slice(max(0, y), y + height + 1), slice(max(0, x), x + width + 1))
        mask[part] = 0
        cv2.fillConvexPoly(mask, outline, 1, shift=4)
        with np.errstate(divide="ignore"):
            face = (place - here) / rays[part][..., axis]
        nearer = (mask[part] > 0) & (face > 0) & (face < depth[part])
        depth[part][nearer] = face[nearer]
        mask[part] = 0
    millimetres = np.minimum(depth * 1000, 65535)
    # An edge is a step of more than 8 % to a neighbour.
    cross = np.ones((3, 3), np.uint8)
    low, high = cv2.erode(millimetres, cross), cv2.dilate(millimetres, cross)
    holes = (millimetres > DEPTH_REACH_MM) | (high > 1.08 * low)
    holes |= np.random.default_rng(number).random(size, np.float32) < 0.01
    return np.where(holes, 0, np.rint(millimetres)).astype(np.uint16)


@dataclass(frozen=True)
class Lidar:
    """A spinning lidar that fires all its rings at once, in all directions, at its stamp."""

    @cached_property
    def rays(self) -> NDArray[np.float64]:
        """float64 n×3, one metre long."""
        azimuth = np.linspace(-math.pi, math.pi, _AZIMUTHS, endpoint=False)
        elevation = np.radians(np.linspace(-24.0, 6.0, _RINGS))
        a, e = (part.ravel() for part in np.meshgrid(azimuth, elevation))
        return np.stack([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)], axis=1)

    @cached_property
    def street(self) -> StreetHits:
        return scene.hit_street(self._origin, self.rays)

    @property
    def _origin(self) -> NDArray[np.float64]:
        return np.array([0.0, 0.0, LIDAR_HEIGHT_M])

    def scan(self, time_s: float) -> NDArray[np.float32]:
        """float32 n×4: x, y, z in the lidar's frame (axes of the base), intensity 0 to 1."""
        street = self.street
        intensity = scene.colours_at(street, time_s)[:, 1] / 255
        boxes = scene.boxes_at(time_s)
        reach, owner = scene.hit_boxes(self._origin, self.rays, boxes)
        hit = reach < street.distance
        shown = np.array([box.intensity for box in boxes])
        intensity[hit] = shown[owner[hit]]
        distance = np.where(hit, reach, street.distance)
        kept = distance < LIDAR_REACH_M
        points = self.rays[kept] * distance[kept, None]
        return np.column_stack([points, intensity[kept]]).astype(np.float32)
