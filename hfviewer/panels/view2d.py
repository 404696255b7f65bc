"""Where a picture lies in a widget: zoom and pan as plain maths."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

MIN_SCALE = 1 / 64
MAX_SCALE = 64.0


@dataclass(frozen=True, slots=True, kw_only=True)
class View2D:
    """A picture scaled and shifted.

    ``widget = picture * scale + offset``, where pixel (i, j) of the picture covers ``i … i+1``, ``j … j+1``.

    Args:
        scale: widget pixels per picture pixel.
        left: widget x of the picture's left edge.
        top: widget y of the picture's top edge.
    """

    scale: float
    left: float
    top: float

    @classmethod
    def fit(cls, picture: tuple[int, int], widget: tuple[int, int]) -> View2D:
        """The whole picture, as large as it goes, in the middle. Sizes are (width, height)."""
        width, height = max(1, picture[0]), max(1, picture[1])
        scale = max(min(widget[0] / width, widget[1] / height), 1e-6)
        return cls(scale=scale, left=(widget[0] - width * scale) / 2, top=(widget[1] - height * scale) / 2)

    def zoomed(self, factor: float, x: float, y: float) -> View2D:
        """Larger or smaller, with the picture point under widget point (x, y) staying there."""
        scale = min(MAX_SCALE, max(min(MIN_SCALE, self.scale), self.scale * factor))
        real = scale / self.scale
        return View2D(scale=scale, left=x - (x - self.left) * real, top=y - (y - self.top) * real)

    def panned(self, dx: float, dy: float) -> View2D:
        return replace(self, left=self.left + dx, top=self.top + dy)

    def kept_in(self, picture: tuple[int, int], widget: tuple[int, int]) -> View2D:
        """Shifted so that some of the picture stays in the middle half of the widget."""
        left = _clamp(self.left, widget[0] / 4 - picture[0] * self.scale, widget[0] * 3 / 4)
        top = _clamp(self.top, widget[1] / 4 - picture[1] * self.scale, widget[1] * 3 / 4)
        return replace(self, left=left, top=top)

    def to_picture(self, x: float, y: float) -> tuple[float, float]:
        return ((x - self.left) / self.scale, (y - self.top) / self.scale)

    def to_widget(self, u: float, v: float) -> tuple[float, float]:
        return (u * self.scale + self.left, v * self.scale + self.top)

    def visible(self, picture: tuple[int, int], widget: tuple[int, int]) -> tuple[int, int, int, int] | None:
        """Picture pixels that show: left, top, right, bottom (half-open), or None where none do."""
        u0, v0 = self.to_picture(0, 0)
        u1, v1 = self.to_picture(widget[0], widget[1])
        left, top = max(0, math.floor(u0)), max(0, math.floor(v0))
        right, bottom = min(picture[0], math.ceil(u1)), min(picture[1], math.ceil(v1))
        return (left, top, right, bottom) if left < right and top < bottom else None


def _clamp(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)
