"""Point clouds."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QFontMetrics,
    QPainter,
)
from PySide6.QtWidgets import QWidget

from hfviewer.core.errors import FrameError
from hfviewer.core.frame import Frame, PointFrame
from hfviewer.core.stream import StreamDescription
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.cloud_camera import CloudViewpoint
from hfviewer.panels.cloud_colour import (
    FLAT,
    HEIGHT,
    RANGE,
    FiniteCloud,
    colour_choices,
    finite_cloud,
    reach_and_ground,
    robust_range,
    scalar_of,
)
from hfviewer.panels.cloud_prepare import Colouring, PreparedCloud, prepare_cloud
from hfviewer.panels.cloud_view import CloudView
from hfviewer.panels.depth_colour import ColourMap
from hfviewer.panels.drawing import CARD_MARGIN, draw_text_card, one_line
from hfviewer.panels.legend import draw_flat_legend
from hfviewer.panels.segments import SegmentButtons
from hfviewer.panels.theme import Theme, ui_font
from hfviewer.playback.result import Preparer

_UNITS = {HEIGHT: "m", RANGE: "m"}
_VIEWPOINTS = (
    (CloudViewpoint.TOP, "T", "Top view"),
    (CloudViewpoint.FRONT, "F", "Front view"),
    (CloudViewpoint.SIDE, "S", "Side view"),
    (CloudViewpoint.FREE, "3D", "View from behind and above"),
)


class CloudPanel(StreamPanel):
    """A lidar's scan: orbit, pan and zoom, coloured by a field over a fixed range."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._frame: PointFrame | None = None
        self._cloud: FiniteCloud | None = None
        self._colour_by = HEIGHT
        self._values: NDArray[np.float32] | None = None  # of the cloud's points, by which they are coloured
        self._colour_map = ColourMap.TURBO
        self._limits: dict[str, tuple[float, float]] = {}
        self._view = CloudView(theme, self)
        self._view.set_paint_over(self._paint_cards)
        self._view.hovered.connect(self._on_hovered)
        self._view.camera_moved.connect(self._on_camera_moved)
        self._buttons = SegmentButtons([(text, hint) for _, text, hint in _VIEWPOINTS], theme, self._view)
        self._buttons.chosen.connect(self._on_viewpoint_chosen)
        self._buttons.set_current(len(_VIEWPOINTS) - 1)
        self._view.set_corner(self._buttons)
        self._set_body(self._view)

    @property
    def view(self) -> CloudView:
        return self._view

    @property
    def colour_by(self) -> str:
        return self._colour_by

    @property
    def limits(self) -> tuple[float, float] | None:
        """Range of the colours: fixed at the first scan that had the field."""
        return self._limits.get(self._colour_by)

    @property
    def dropped_text(self) -> str:
        """How many points of the scan have no place and do not show; empty where all have one."""
        if self._cloud is None:
            return ""
        counts = ((self._cloud.not_finite, "not finite"), (self._cloud.too_far, "out of range"))
        return " · ".join(f"{_grouped(count)} {what}" for count, what in counts if count)

    def set_colour_by(self, name: str) -> None:
        """Colour by ``height``, ``range``, a field's name, or ``flat``."""
        self._colour_by = name
        self._take_values()
        self._colour()

    def set_limits(self, low: float, high: float) -> None:
        """Fix the range of what is coloured by now."""
        if math.isfinite(low) and math.isfinite(high) and low < high:
            self._limits[self._colour_by] = (low, high)
            self._colour()

    def set_colour_map(self, colour_map: ColourMap) -> None:
        self._colour_map = colour_map
        self._colour()

    def look_from(self, viewpoint: CloudViewpoint) -> None:
        """Put the camera to one of the four viewpoints."""
        self._view.look_from(viewpoint)
        self._buttons.set_current([v for v, _, _ in _VIEWPOINTS].index(viewpoint))

    def reset_view(self) -> None:
        self.look_from(CloudViewpoint.FREE)

    def context_actions(self) -> list[QAction]:
        entries = [self._action(self.tr("Reset view"))]
        entries[0].triggered.connect(self.reset_view)
        refit = self._action(self.tr("Colour range from this scan"))
        refit.setEnabled(self._frame is not None)
        refit.triggered.connect(self._refit)
        entries.append(refit)
        by = QActionGroup(self)
        for name in [HEIGHT, RANGE, FLAT] if self._frame is None else colour_choices(self._frame):
            entry = self._action(
                self.tr("Colour by {name}").format(name=name), checked=name == self._colour_by
            )
            entry.triggered.connect(lambda _=False, chosen=name: self.set_colour_by(chosen))
            by.addAction(entry)
            entries.append(entry)
        sizes = QActionGroup(self)
        for size in (1, 2, 3, 4):
            entry = self._action(
                self.tr("Points of {size} px").format(size=size), checked=size == self._view.point_px
            )
            entry.triggered.connect(lambda _=False, chosen=size: self._view.set_point_px(chosen))
            sizes.addAction(entry)
            entries.append(entry)
        return entries

    def _draw(self, frame: Frame) -> None:
        if not isinstance(frame, PointFrame) or frame.xyz.ndim != 2 or frame.xyz.shape[1] != 3:
            raise FrameError("This is not a point cloud.")
        self._frame = frame
        prepared = self._prepared
        if isinstance(prepared, PreparedCloud) and prepared.frame is frame:
            self._cloud = prepared.cloud
            if prepared.colour_by == self._colour_by and self._view.knows_size:
                self._values = prepared.values
                self._colour(prepared)
                return
        else:
            self._cloud = finite_cloud(frame)
        if not self._view.knows_size and len(self._cloud.xyz):
            self._view.learn_size(*reach_and_ground(self._cloud.xyz))
        self._take_values()
        self._colour()

    def preparer(self) -> Preparer | None:
        look, limits = self._view.look_to_prepare(), self.limits
        if look is None or (limits is None and self._colour_by != FLAT):
            return None
        colouring = self._colouring()
        return lambda frame: prepare_cloud(frame, look, colouring)

    def _clear(self) -> None:
        self._frame = self._cloud = self._values = None
        self._view.clear()

    def _set_stale(self, stale: bool) -> None:
        self._view.set_stale(stale)

    def _refit(self) -> None:
        self._limits.pop(self._colour_by, None)
        self._colour()

    def _take_values(self) -> None:
        """Once per scan and choice: a renderer sends the same array only once."""
        if self._frame is not None and self._cloud is not None:
            self._values = scalar_of(self._frame, self._cloud, self._colour_by)

    def _colouring(self) -> Colouring:
        return Colouring(self._colour_by, self.limits, self._colour_map, self._theme.on_picture)

    def _colour(self, prepared: PreparedCloud | None = None) -> None:
        if self._cloud is None:
            return
        values = self._values
        if values is not None and self._colour_by not in self._limits and len(values):
            self._limits[self._colour_by] = robust_range(values)
        colouring = self._colouring()
        ready = prepared.ready if prepared is not None and prepared.colouring == colouring else None
        self._view.show_points(self._cloud.xyz, colouring.shading(values), ready)

    def _on_viewpoint_chosen(self, index: int) -> None:
        self.focus_requested.emit(self.stream_name)
        self.look_from(_VIEWPOINTS[index][0])

    def _on_camera_moved(self) -> None:
        free = not self._view.camera.parallel
        self._buttons.set_current(len(_VIEWPOINTS) - 1 if free else self._buttons.current)

    def _on_hovered(self, index: object) -> None:
        self.read_out_changed.emit(self._read_out(index) if isinstance(index, int) else "")

    def _read_out(self, index: int) -> str:
        if self._frame is None or self._cloud is None or index >= len(self._cloud.xyz):
            return ""
        x, y, z = self._cloud.xyz[index].tolist()
        own = int(self._cloud.kept[index])
        parts = [f"x {x:.3f}  y {y:.3f}  z {z:.3f} m", f"range {math.sqrt(x * x + y * y + z * z):.3f} m"]
        parts += [
            f"{one_line(name)} {float(values[own]):g}"
            for name, values in self._frame.fields.items()
            if name not in ("x", "y", "z") and own < len(values)
        ]
        return "   ".join([*parts, f"point {own}"])

    def _paint_cards(self, painter: QPainter) -> None:
        if self._frame is None or self._cloud is None or self.plate is not None:
            return
        tokens, area = self._theme.tokens, self._view.rect()
        beside_buttons = area.adjusted(0, 0, -self._buttons.width() - 10, 0)
        corner, font = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, ui_font(12, 600)
        count = f"{_grouped(len(self._cloud.xyz))} points"
        drawn = f" · {_grouped(self._view.drawn)} drawn" if self._view.drawn < len(self._cloud.xyz) else ""
        text = f"{count} · 1 scan{drawn}"
        if QFontMetrics(font).horizontalAdvance(text) > beside_buttons.width() - 2 * CARD_MARGIN - 20:
            text = count
        card = draw_text_card(painter, beside_buttons, corner, text, font, tokens)
        if self.dropped_text:
            below = area.adjusted(0, round(card.height()) + 6, 0, 0)
            draw_text_card(painter, below, corner, self.dropped_text, font, tokens)
        limits = self._limits.get(self._colour_by)
        if limits is not None and self._colour_by != FLAT:
            unit = _UNITS.get(self._colour_by, "")
            low, high = _number(limits[0], limits), f"{_number(limits[1], limits)} {unit}".rstrip()
            draw_flat_legend(
                painter, area, self._colouring().table, one_line(self._colour_by), low, high, tokens
            )


def _grouped(count: int) -> str:
    """Digits in groups of three, set apart by narrow spaces."""
    return f"{count:,}".replace(",", "\u202f")


def _number(value: float, limits: tuple[float, float]) -> str:
    span = limits[1] - limits[0]
    decimals = 0 if span >= 100 else 1 if span >= 2 else 2 if span >= 0.2 else 4
    return f"{value:.{decimals}f}" if abs(value) < 1e6 else f"{value:.2e}"
