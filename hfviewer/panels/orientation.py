"""Pictures turned and mirrored for the eye; what is stored stays as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.opencv import cv2

Size = tuple[int, int]
_TURNS = (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE)


@dataclass(frozen=True, slots=True)
class Orientation:
    """How a stored picture is laid before the eye. Sizes are (width, height) of the stored picture.

    Args:
        quarter_turns: clockwise, 0 to 3.
        mirrored: left and right swapped, before turning.
    """

    quarter_turns: int = 0
    mirrored: bool = False

    def turned(self, quarters: int) -> Orientation:
        """Turned further, clockwise."""
        return Orientation((self.quarter_turns + quarters) % 4, self.mirrored)

    def flipped(self) -> Orientation:
        """Left and right swapped as it is seen now."""
        return Orientation(-self.quarter_turns % 4, not self.mirrored)

    def size(self, stored: Size) -> Size:
        """Width and height as shown."""
        return (stored[1], stored[0]) if self.quarter_turns % 2 else stored

    def apply(self, pixels: NDArray[Any]) -> NDArray[Any]:
        """The pixels as shown: the same ones where nothing is turned, else a copy in rows.

        Turned by OpenCV: a strided view of a large picture costs many times that whenever it is read.
        """
        turned = pixels
        if self.mirrored:
            turned = cv2.flip(np.ascontiguousarray(turned), 1)
        if self.quarter_turns:
            turned = cv2.rotate(np.ascontiguousarray(turned), _TURNS[self.quarter_turns - 1])
        return np.asarray(turned, pixels.dtype)

    def to_shown(self, x: float, y: float, stored: Size) -> tuple[float, float]:
        """A place in the stored picture, whose pixel (i, j) covers i … i+1 and j … j+1, as shown."""
        width, height = stored
        x = width - x if self.mirrored else x
        for _ in range(self.quarter_turns):
            x, y, width, height = height - y, x, height, width
        return x, y

    def to_stored(self, x: float, y: float, stored: Size) -> tuple[float, float]:
        """The inverse of `to_shown`."""
        width, height = self.size(stored)
        for _ in range(self.quarter_turns):
            x, y, width, height = y, width - x, height, width
        return (width - x if self.mirrored else x), y

    def many_to_shown(self, places: NDArray[np.floating], stored: Size) -> NDArray[np.float64]:
        """`to_shown` of N×2 places."""
        out = np.array(places, np.float64)
        width, height = stored
        if self.mirrored:
            out[:, 0] = width - out[:, 0]
        for _ in range(self.quarter_turns):
            out = np.stack([height - out[:, 1], out[:, 0]], axis=1)
            width, height = height, width
        return out
