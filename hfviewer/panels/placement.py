"""Which part of a picture shows where: everything that drawing it depends on besides its pixels."""

from __future__ import annotations

from dataclasses import dataclass

from hfviewer.panels.view2d import View2D

Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Placement:
    """A part of a picture and its place in the widget; two that are equal give the same drawing.

    Args:
        part: left, top, right, bottom in stored pixels, half-open.
        size: width and height in device pixels that the part is wanted at; its own where it is enlarged.
        target: left, top, width, height in the widget.
    """

    part: tuple[int, int, int, int]
    size: Size
    target: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Sight:
    """How a widget looks at pictures: what a thread needs to draw for it.

    Args:
        view: zoom and pan; None: fitted.
        widget: width and height of the widget.
        ratio: device pixels per widget pixel.
    """

    view: View2D | None
    widget: Size
    ratio: float

    @property
    def device_size(self) -> Size:
        """Width and height of the widget in device pixels."""
        return (max(1, round(self.widget[0] * self.ratio)), max(1, round(self.widget[1] * self.ratio)))

    def place(self, full: Size, stored: Size) -> Placement | None:
        """Where a picture lies; None where nothing of it shows.

        Args:
            full: width and height of the full picture.
            stored: of the pixels at hand, fewer where they are a reduced decode.
        """
        if 0 in full or 0 in stored:
            return None
        view = self.view or View2D.fit(full, self.widget)
        # Work in stored pixels from here on; a reduced decode is the same view at another scale.
        across, down = full[0] / stored[0], full[1] / stored[1]
        shown = view.visible(full, self.widget)
        if shown is None:
            return None
        left, top = int(shown[0] / across), int(shown[1] / down)
        right = min(stored[0], -int(-shown[2] // across))
        bottom = min(stored[1], -int(-shown[3] // down))
        if left >= right or top >= bottom:
            return None
        x0, y0 = view.to_widget(left * across, top * down)
        x1, y1 = view.to_widget(right * across, bottom * down)
        size = (right - left, bottom - top)
        if (x1 - x0) * self.ratio < size[0]:
            # Shrunk to whole device pixels, so that Qt need not scale a second time.
            x0, y0, x1, y1 = (round(v * self.ratio) / self.ratio for v in (x0, y0, x1, y1))
            size = (max(1, round((x1 - x0) * self.ratio)), max(1, round((y1 - y0) * self.ratio)))
        # A picture of 8000×1 is thinner than a device pixel, and still there.
        across, down = max(x1 - x0, 1 / self.ratio), max(y1 - y0, 1 / self.ratio)
        return Placement((left, top, right, bottom), size, (x0, y0, across, down))
