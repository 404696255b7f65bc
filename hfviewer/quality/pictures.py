"""Pictures made small and grey, to be compared; and whether one jumps as if frames were missing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.opencv import cv2
from hfviewer.core.frame import DepthFrame, Frame, ImageFrame

Grey = NDArray[np.float32]

_WIDTH, _HEIGHT = 160, 120
_DEPTH_MM_PER_LEVEL = 32.0  # 8 m over the 255 levels of grey
REACH = 15  # frames on either side of a gap that the boundary is compared with
_MOST_LAG = 12
_LEAST_PAIRS = 4
_STILL = 0.6  # levels: by so much must pictures change over the gap's length to tell anything
_STILL_FACTOR = 1.3
_JUMP, _FLOW = 0.6, 0.35
_SPREAD, _CLOSE = 3.0, 2.0
_EQUAL, _APART = 0.1, 1.5


def small_grey(frame: Frame) -> Grey | None:
    """At most 160×120, 0 to 255; a picture's brightness, or distance in depth. None of other frames."""
    if isinstance(frame, ImageFrame):
        pixels: NDArray[Any] = frame.pixels
        scale = 255.0 / 65535.0 if pixels.dtype == np.uint16 else 1.0
    elif isinstance(frame, DepthFrame):
        pixels, scale = frame.millimetres, 1.0 / _DEPTH_MM_PER_LEVEL
    else:
        return None
    height, width = pixels.shape[:2]
    if not height or not width:
        return None
    size = (min(_WIDTH, width), min(_HEIGHT, height))
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA) if size != (width, height) else pixels
    if small.ndim == 3:
        small = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    grey: Grey = np.minimum(small.astype(np.float32) * np.float32(scale), np.float32(255))
    return grey


def difference(one: Grey, other: Grey) -> float:
    """Mean absolute difference in levels of grey; infinite where the pictures differ in size."""
    return float(np.abs(one - other).mean()) if one.shape == other.shape else float("inf")


class Jump(StrEnum):
    """What the pictures on either side of a gap say."""

    LOST = "lost"  # they differ as pictures do that lie that many frames apart
    FLOWS = "flows"  # they differ as neighbours do: nothing is missing
    UNKNOWN = "unknown"  # too little moves, or something in between


@dataclass(frozen=True, slots=True)
class JumpTest:
    """How the pictures on either side of a gap compare with those around it.

    Args:
        verdict: see `Jump`.
        boundary: difference over the gap, in levels of grey.
        neighbours: median difference of neighbours around it.
        apart: median difference of pictures as far apart as the gap claims.
    """

    verdict: Jump
    boundary: float
    neighbours: float
    apart: float

    @property
    def text(self) -> str:
        """For a finding's evidence."""
        numbers = f"{self.boundary:.1f} levels; neighbours {self.neighbours:.1f}"
        return {
            Jump.LOST: f"the picture jumps ({numbers})",
            Jump.FLOWS: f"the picture flows on ({numbers})",
            Jump.UNKNOWN: f"the picture does not tell ({numbers})",
        }[self.verdict]


def jump_test(before: list[Grey], after: list[Grey], lost: int) -> JumpTest:
    """Tell lost frames from late stamps by what the pictures show.

    How much pictures k frames apart differ is measured on both sides of the gap, for neighbours and for the
    distance that the gap claims (at most 12, beyond which pictures hardly differ more). Where those two can
    be told apart at all, the difference over the gap lies near the one or the other. So two lost frames show
    as well as twenty, as long as something moves.

    Args:
        before: up to `REACH` + 1 pictures up to the gap, in order of time.
        after: the same behind it.
        lost: frames that the gap claims.
    """
    boundary = difference(before[-1], after[0]) if before and after else float("inf")
    near = _differences(before, after, 1)
    lag = min(lost + 1, _MOST_LAG)
    far = _differences(before, after, lag)
    if len(near) < _LEAST_PAIRS or len(far) < _LEAST_PAIRS or not np.isfinite(boundary):
        return JumpTest(Jump.UNKNOWN, boundary, float("nan"), float("nan"))
    neighbours, apart = float(np.median(near)), float(np.median(far))
    if apart < max(neighbours * _STILL_FACTOR, neighbours + _STILL):
        return JumpTest(Jump.UNKNOWN, boundary, neighbours, apart)
    spread = 1.4826 * float(np.median(np.abs(near - neighbours)))
    place = (boundary - neighbours) / (apart - neighbours)
    verdict = Jump.UNKNOWN
    if place >= _JUMP and boundary > neighbours + _SPREAD * spread:
        verdict = Jump.LOST
    elif (
        place <= _FLOW
        and boundary <= neighbours + max(_CLOSE * spread, _EQUAL * neighbours)
        and apart >= _APART * neighbours + _SPREAD * spread
    ):
        # Calling a loss none takes more than calling it one.
        verdict = Jump.FLOWS
    return JumpTest(verdict, boundary, neighbours, apart)


def _differences(before: list[Grey], after: list[Grey], lag: int) -> NDArray[np.float64]:
    """Of all pictures so many frames apart on one side of the gap."""
    found = [
        difference(one, other)
        for side in (before, after)
        for one, other in zip(side[:-lag], side[lag:], strict=True)
    ]
    return np.array([value for value in found if value > 0], np.float64)
