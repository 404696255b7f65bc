"""Points that were picked in a cloud, and the distance between two of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from hfviewer.panels.cloud_gather import ShownCloud
from hfviewer.panels.cloud_lines import LineRole, SceneLines, place_of
from hfviewer.panels.drawing import CARD_MARGIN, draw_card, one_line
from hfviewer.panels.theme import Tokens, number_font

_MARK_PX = 6.0
_MOST_FIELDS = 8
_LINE_PX = 17


@dataclass(frozen=True, slots=True)
class PickedPoint:
    """One point of a scan.

    Args:
        place_m: x, y, z in the frame of the scan under the playhead when it was picked.
        values: name and value of its other fields.
        frame_index: of the scan that it is of.
        timestamp_ns: of that scan.
        index: of the point in it, as recorded.
        own_m: x, y, z as recorded, in the sensor frame of its own scan.
    """

    place_m: tuple[float, float, float]
    values: tuple[tuple[str, float], ...]
    frame_index: int
    timestamp_ns: int
    index: int
    own_m: tuple[float, float, float]

    @property
    def range_m(self) -> float:
        return math.sqrt(sum(part * part for part in self.place_m))

    def text(self, *, number: int | None = None) -> str:
        """Everything about it on one line.

        Args:
            number: how many scans it is behind the one under the playhead; None or 0: it is of that one.
        """
        x, y, z = self.place_m
        parts = [f"x {x:.3f}  y {y:.3f}  z {z:.3f} m", f"range {self.range_m:.3f} m"]
        parts += [f"{one_line(name)} {value:g}" for name, value in self.values]
        parts.append(f"point {self.index}")
        if number:
            parts.append(f"{number} scans back" if number > 1 else "1 scan back")
        return "   ".join(parts)


def picked_point(shown: ShownCloud, index: int) -> PickedPoint | None:
    """The point that is shown at an index; None where there is none any more."""
    if not 0 <= index < len(shown.xyz):
        return None
    part, within, own = shown.part_of(index)
    x, y, z = shown.xyz[index].tolist()
    own_x, own_y, own_z = part.cloud.xyz[within].tolist()
    values = tuple(
        (name, float(values[own]))
        for name, values in part.frame.fields.items()
        if name not in ("x", "y", "z") and own < len(values)
    )
    return PickedPoint(
        (x, y, z), values, part.frame.index, part.frame.timestamp_ns, own, (own_x, own_y, own_z)
    )


@dataclass(slots=True)
class Picks:
    """At most two picked points.

    Args:
        first: from where the distance counts.
        second: to where.
    """

    first: PickedPoint | None = None
    second: PickedPoint | None = None

    @property
    def distance_m(self) -> float | None:
        """Between the two; None without both."""
        if self.first is None or self.second is None:
            return None
        return math.dist(self.first.place_m, self.second.place_m)

    def take(self, point: PickedPoint | None, *, second: bool) -> None:
        """A point was clicked, or none: then both are forgotten."""
        if point is None:
            self.clear()
        elif second and self.first is not None:
            self.second = point
        else:
            self.first, self.second = point, None

    def clear(self) -> None:
        self.first = self.second = None

    def lines(self) -> tuple[SceneLines, ...]:
        """The stretch between the two."""
        if self.first is None or self.second is None:
            return ()
        ends = np.array([self.first.place_m, self.second.place_m])
        return (SceneLines(LineRole.MEASURE, (ends,)),)

    def card_lines(self) -> list[str]:
        """What the card says, one line each."""
        if self.first is None:
            return []
        lines = []
        for letter, point in (("A", self.first), ("B", self.second)):
            if point is not None:
                x, y, z = point.place_m
                lines.append(f"{letter}  {x:+9.3f} {y:+9.3f} {z:+9.3f} m  range {point.range_m:.3f} m")
                named = [f"{one_line(name)} {value:g}" for name, value in point.values[:_MOST_FIELDS]]
                lines.append("   " + "  ".join([f"frame {point.frame_index + 1}", *named]))
        if self.second is not None and (distance_m := self.distance_m) is not None:
            dx, dy, dz = (b - a for a, b in zip(self.first.place_m, self.second.place_m, strict=True))
            lines.append(f"Δ  {dx:+9.3f} {dy:+9.3f} {dz:+9.3f} m  distance {distance_m:.3f} m")
        return [line.replace("-", "−") for line in lines]

    def paint_marks(self, painter: QPainter, matrix: NDArray[np.float64], tokens: Tokens) -> None:
        """Crosses at the places, over everything."""
        for letter, point in (("A", self.first), ("B", self.second)):
            place = None if point is None else place_of(matrix, point.place_m)
            if place is not None:
                paint_mark(painter, place, tokens, letter)

    def paint_card(self, painter: QPainter, area: QRect, tokens: Tokens) -> QRectF:
        """What is known of the points, above the legend; empty where there is nothing or no room for it."""
        lines, font = self.card_lines(), number_font(12)
        if not lines:
            return QRectF()
        metrics = QFontMetrics(font)
        width = max(metrics.horizontalAdvance(line) for line in lines) + 24
        height = _LINE_PX * len(lines) + 12
        if area.height() < height + 110 or area.width() < 160:
            return QRectF()
        width = min(width, area.width() - 2 * CARD_MARGIN)
        top = area.bottom() + 1 - CARD_MARGIN - 24 - 6 - height
        card = QRectF(area.left() + CARD_MARGIN, top, width, height)
        draw_card(painter, card, tokens)
        painter.setFont(font)
        painter.setPen(tokens.t1)
        for number, line in enumerate(lines):
            row = QRectF(card.left() + 12, card.top() + 6 + number * _LINE_PX, width - 24, _LINE_PX)
            fitting = metrics.elidedText(line, Qt.TextElideMode.ElideRight, int(row.width()) + 1)
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, fitting)
        return card


def paint_mark(painter: QPainter, place: QPointF, tokens: Tokens, letter: str = "") -> None:
    """A ring with a cross, visible on any colour."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    arm = _MARK_PX + 4
    for colour, width in ((tokens.picture, 4.0), (tokens.t1, 1.6)):
        painter.setPen(QPen(colour, width))
        painter.drawEllipse(place, _MARK_PX, _MARK_PX)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            step = QPointF(dx, dy)
            painter.drawLine(place + step * (_MARK_PX - 2), place + step * arm)
    if letter:
        rect = QRectF(place.x() + arm, place.y() - 18, 15, 15)
        draw_card(painter, rect, tokens)
        painter.setFont(number_font(12, 700))
        painter.setPen(tokens.t1)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, letter)
    painter.restore()
