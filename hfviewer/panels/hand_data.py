"""Hands of 21 points: which point is what, and how they hang together. No Qt in here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import FrameError
from hfviewer.core.frame import Frame, SampleFrame

POINTS = 21
_VALUES = 3 * POINTS
_FARTHEST_M = 1e4
_UPRIGHT, _STEEPEST_RAD = 0.7, math.radians(85)
FINGERS = ("thumb", "index", "middle", "ring", "little")
_PARTS = ("root", "2nd joint", "3rd joint", "tip")


@dataclass(frozen=True, slots=True)
class HandOrder:
    """In which order the points of a hand come; 0 is the wrist.

    Args:
        name: for a person.
        fingers: of thumb to little finger, the numbers of its points from root to tip.
    """

    name: str
    fingers: tuple[tuple[int, int, int, int], ...]

    @property
    def bones(self) -> tuple[tuple[int, int], ...]:
        """Pairs of points to be joined, finger after finger, each from the wrist outwards."""
        return tuple(pair for finger in self.fingers for pair in pairwise((0, *finger)))

    def point_name(self, point: int) -> str:
        """``index, tip``."""
        for finger, points in zip(FINGERS, self.fingers, strict=True):
            if point in points:
                return f"{finger}, {_PARTS[points.index(point)]}"
        return "wrist"


ORDERS = (
    # Wrist, then index, middle, little, ring and thumb with three joints each; the five tips come last.
    HandOrder("MANO", ((13, 14, 15, 16), (1, 2, 3, 17), (4, 5, 6, 18), (10, 11, 12, 19), (7, 8, 9, 20))),
    HandOrder(
        "MANO, thumb tip last",
        ((13, 14, 15, 20), (1, 2, 3, 16), (4, 5, 6, 17), (10, 11, 12, 19), (7, 8, 9, 18)),
    ),
    # Thumb to little finger, each from root to tip.
    HandOrder(
        "finger by finger",
        ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16), (17, 18, 19, 20)),
    ),
)


def hands_of(frame: Frame) -> list[NDArray[np.float64]]:
    """float64 21×3 metres of every hand in a frame; one of only zeros, or that is no number, is none.

    Raises:
        FrameError: these are no hands.
    """
    if not isinstance(frame, SampleFrame) or frame.values.ndim != 2 or not len(frame.values):
        raise FrameError("This is not a hand.")
    row = frame.values[-1]
    if not len(row) or len(row) % _VALUES:
        raise FrameError(f"This is not a hand: it takes {POINTS} points x, y, z.")
    hands = np.asarray(row, np.float64).reshape(-1, POINTS, 3)
    with np.errstate(invalid="ignore"):
        return [hand for hand in hands if 0 < np.abs(hand).max() < _FARTHEST_M]


def order_of(hand: NDArray[np.float64]) -> HandOrder:
    """The order that makes the shortest bones: files do not say in which one they are."""
    return min(ORDERS, key=lambda order: bones_length_m(hand, order))


def bones_length_m(hand: NDArray[np.float64], order: HandOrder) -> float:
    """All bones together."""
    firsts, seconds = (np.array(side) for side in zip(*order.bones, strict=True))
    return float(np.linalg.norm(hand[firsts] - hand[seconds], axis=1).sum())


def palm_normal(hand: NDArray[np.float64], order: HandOrder) -> NDArray[np.float64]:
    """Unit vector out of the palm's plane; z where the palm has none."""
    index, little = hand[order.fingers[1][0]] - hand[0], hand[order.fingers[4][0]] - hand[0]
    normal = np.cross(index, little)
    length = float(np.linalg.norm(normal))
    return normal / length if length > 1e-12 else np.array([0.0, 0.0, 1.0])


def palm_view(hand: NDArray[np.float64], order: HandOrder) -> tuple[float, float]:
    """Azimuth and elevation, radians, from which a palm is seen flat and, where possible, fingers up."""
    x, y, z = palm_normal(hand, order).tolist()
    if z < 0:
        x, y, z = -x, -y, -z  # from above rather than from below
    if z < _UPRIGHT:
        return math.atan2(y, x), math.asin(z)
    # It lies flat: what is up on screen is what points away from the camera.
    ahead = hand[order.fingers[2][-1]] - hand[0]
    return math.atan2(-float(ahead[1]), -float(ahead[0])), min(math.asin(min(z, 1.0)), _STEEPEST_RAD)


def measures_of(hand: NDArray[np.float64], order: HandOrder) -> str:
    """Wrist to middle tip, and thumb tip to index tip, in centimetres."""
    tips = [hand[finger[-1]] for finger in order.fingers]
    reach = float(np.linalg.norm(tips[2] - hand[0]))
    pinch = float(np.linalg.norm(tips[0] - tips[1]))
    return f"wrist to middle tip {100 * reach:4.1f} cm · thumb to index {100 * pinch:4.1f} cm"
