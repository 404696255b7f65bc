"""The world of the demonstration recording: a straight street that a car drives along.

The vehicle frame ("base") lies on the ground below the sensors: x forward, y left, z up, metres. The street
is the same all along, so driving on moves only its texture and the boxes (parked cars, a car ahead, a
cyclist). Everything is a formula of time; nothing is random but the texture, whose seed is fixed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

WALL_Y_M = 9.0
WALL_HEIGHT_M = 6.0
PIXELS_PER_METRE = 16
TEXTURE_LENGTH_PX = 2048  # a power of two: the street repeats every 128 m
SKY_COLOUR = (228, 196, 160)

_GROUND, _LEFT_WALL, _RIGHT_WALL, _SKY = range(4)
_GROUND_PX = round(2 * WALL_Y_M * PIXELS_PER_METRE)
_WALL_PX = round(WALL_HEIGHT_M * PIXELS_PER_METRE)
_ACROSS_PX = _GROUND_PX + _WALL_PX + 1

_PARKED_STEP_M = 12.8  # ten to the street's period, so that it looks the same when it repeats
_PARKED_COLOURS = ((70, 60, 50), (160, 150, 140), (120, 50, 30), (50, 90, 50), (40, 40, 110))
_SEED = 20240301


@dataclass(frozen=True)
class Box:
    """An axis-parallel box in the base frame.

    Args:
        low: x, y, z of its lower corner, metres.
        high: of its upper corner.
        colour: B, G, R of its back; other faces are shaded.
        intensity: what a lidar gets back from it, 0 to 1.
    """

    low: tuple[float, float, float]
    high: tuple[float, float, float]
    colour: tuple[int, int, int]
    intensity: float


def travelled_m(time_s: float) -> float:
    """How far the car has driven: 8 m/s, a little faster and slower."""
    return 8.0 * time_s + 2.0 * (1.0 - math.cos(0.9 * time_s)) / 0.9


def speed_m_s(time_s: float) -> float:
    """Derivative of `travelled_m`."""
    return 8.0 + 2.0 * math.sin(0.9 * time_s)


def acceleration_m_s2(time_s: float) -> float:
    """Derivative of `speed_m_s`."""
    return 1.8 * math.cos(0.9 * time_s)


def boxes_at(time_s: float) -> list[Box]:
    """Everything that stands or drives on the street, farthest first."""
    driven_m = travelled_m(time_s)
    boxes = [_car(14.0 + 4.0 * math.sin(0.7 * time_s), 0.6 * math.sin(0.5 * time_s), (40, 40, 210), 0.9)]
    cyclist_x = -15.0 + (3.0 * time_s) % 60.0
    boxes.append(
        Box((cyclist_x, 3.1, 0.1), (cyclist_x + 1.7, 3.7, 1.8), (40, 200, 230), intensity=0.7),
    )
    first = math.floor((driven_m - 30.0) / _PARKED_STEP_M)
    for number in range(first, first + 10):
        x = number * _PARKED_STEP_M - driven_m
        colour = _PARKED_COLOURS[number % len(_PARKED_COLOURS)]
        boxes.append(_car(x, -6.6, colour, 0.5))
        if number % 2:
            boxes.append(_car(x + 5.0, 6.6, colour[::-1], 0.5))
    return sorted(boxes, key=lambda box: -box.low[0])


def _car(x: float, y: float, colour: tuple[int, int, int], intensity: float) -> Box:
    return Box((x, y - 0.9, 0.25), (x + 4.2, y + 0.9, 1.65), colour, intensity)


@dataclass(frozen=True, eq=False)
class StreetHits:
    """Where rays from one point meet the empty street; the same at all times.

    Args:
        distance: float64[n], in lengths of the ray; infinite in the sky.
        along_px: int64[n], row of `texture`, while nothing is driven yet.
        across_px: int64[n], column of `texture`.
    """

    distance: NDArray[np.float64]
    along_px: NDArray[np.int64]
    across_px: NDArray[np.int64]


def hit_street(origin: NDArray[np.float64], rays: NDArray[np.float64]) -> StreetHits:
    """Meet rays with ground and walls.

    Args:
        origin: float64[3], base frame.
        rays: float64 n×3, any length.
    """
    distance = np.full(len(rays), np.inf)
    surface = np.full(len(rays), _SKY, np.int64)
    planes = ((_GROUND, 2, 0.0), (_LEFT_WALL, 1, WALL_Y_M), (_RIGHT_WALL, 1, -WALL_Y_M))
    with np.errstate(divide="ignore", invalid="ignore"):
        for kind, axis, place in planes:
            reach = (place - origin[axis]) / rays[:, axis]
            height = origin[2] + reach * rays[:, 2]
            nearer = (reach > 0) & (reach < distance)
            if axis == 1:
                nearer &= height <= WALL_HEIGHT_M
            distance[nearer] = reach[nearer]
            surface[nearer] = kind
    safe = np.where(np.isfinite(distance), distance, 0.0)
    x, y, z = (origin + safe[:, None] * rays).T
    along = np.floor(x * PIXELS_PER_METRE).astype(np.int64)
    across_m = np.where(surface == _GROUND, y + WALL_Y_M, z)
    limit = np.where(surface == _GROUND, 2 * WALL_Y_M, WALL_HEIGHT_M) * PIXELS_PER_METRE - 1
    across = np.clip(across_m * PIXELS_PER_METRE, 0, limit).astype(np.int64)
    across += np.array([0, _GROUND_PX, _GROUND_PX, _GROUND_PX + _WALL_PX])[surface]
    return StreetHits(distance, along, across)


def colours_at(hits: StreetHits, time_s: float) -> NDArray[np.uint8]:
    """What the rays of `hit_street` see, uint8 n×3 (B, G, R), without boxes and haze."""
    shift = round(travelled_m(time_s) * PIXELS_PER_METRE)
    along = (hits.along_px + shift) & (TEXTURE_LENGTH_PX - 1)
    return texture().reshape(-1, 3).take(along * _ACROSS_PX + hits.across_px, axis=0)


def hit_boxes(
    origin: NDArray[np.float64], rays: NDArray[np.float64], boxes: list[Box]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Meet rays with boxes, by slabs (Kay and Kajiya 1986).

    Returns:
        float64[n] distance in lengths of the ray, infinite for a miss; int64[n] number of the box, -1.
    """
    nearest = np.full(len(rays), np.inf)
    owner = np.full(len(rays), -1, np.int64)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = np.ascontiguousarray((1.0 / rays).T)
        for number, box in enumerate(boxes):
            enter: NDArray[np.float64] | float = -np.inf
            leave: NDArray[np.float64] | float = np.inf
            for axis in range(3):
                one = (box.low[axis] - origin[axis]) * inverse[axis]
                two = (box.high[axis] - origin[axis]) * inverse[axis]
                enter = np.maximum(enter, np.minimum(one, two))
                leave = np.minimum(leave, np.maximum(one, two))
            hit = (enter > 0) & (enter <= leave) & (enter < nearest)
            nearest = np.where(hit, enter, nearest)
            owner[hit] = number
    return nearest, owner


@cache
def texture() -> NDArray[np.uint8]:
    """Ground, wall and sky side by side: uint8 `TEXTURE_LENGTH_PX` × across × 3 (B, G, R), read-only."""
    noise = np.random.default_rng(_SEED)
    length = TEXTURE_LENGTH_PX
    lanes, height = _GROUND_PX, _WALL_PX
    ground = np.repeat(noise.integers(66, 92, (length, lanes, 1)), 3, axis=2)
    metre = PIXELS_PER_METRE
    for y in (-1.8, 1.8):  # dashes, 4 m of every 12.8
        at = round((y + WALL_Y_M) * metre)
        dashed = (np.arange(length) % round(12.8 * metre)) < 4 * metre
        ground[dashed, at - 2 : at + 2] = 215
    pavement = round(3.4 * metre)
    for part in (slice(0, pavement // 2), slice(lanes - pavement // 2, lanes)):
        ground[:, part] = ground[:, part] // 2 + 85
        ground[:: 2 * metre, part] = 90
    wall = np.stack([noise.integers(low, low + 22, (length, height)) for low in (88, 100, 128)], axis=2)
    wall[:, ::8] = wall[:, ::8] * 3 // 4  # courses of bricks
    step = round(6.4 * metre)
    for start in range(0, length, step):
        wall[start + 2 * metre : start + 4 * metre, 2 * metre : 4 * metre] = (150, 125, 95)
        wall[start + 3 * metre - 1 : start + 3 * metre + 1, 2 * metre : 4 * metre] = 60
        wall[start : start + 4, :] = 70
    sky = np.broadcast_to(np.array(SKY_COLOUR), (length, 1, 3))
    result = np.concatenate([ground, wall, sky], axis=1).astype(np.uint8)
    result.flags.writeable = False
    return result
