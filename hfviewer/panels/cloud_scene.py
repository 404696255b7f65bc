"""What stands around the points: a ground grid with metres, and the axes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from hfviewer.panels.cloud_camera import NEAR_M, OrbitCamera
from hfviewer.panels.theme import Tokens, number_font, ui_font, with_alpha

_PIECES = 48
_RINGS = 5


def ring_step_m(reach_m: float) -> float:
    """A round distance, so that the first rings reach as far as most points: 1, 2 or 5 × 10ⁿ metres."""
    wanted = max(reach_m, 1e-3) / 1.2
    step = 10.0 ** np.floor(np.log10(wanted))
    for factor in (5.0, 2.0):
        if wanted >= step * factor:
            return float(step * factor)
    return float(step)


def ground_lines(step_m: float, ground_m: float) -> list[NDArray[np.float64]]:
    """Polylines of the grid: squares of one step, and rings around the sensor. Each float64 m×3, metres."""
    reach = step_m * _RINGS
    along = np.linspace(-reach, reach, _PIECES)
    level = np.full(_PIECES, ground_m)
    lines = []
    for k in range(-_RINGS, _RINGS + 1):
        across = np.full(_PIECES, k * step_m)
        lines.append(np.stack([along, across, level], axis=1))
        lines.append(np.stack([across, along, level], axis=1))
    turn = np.linspace(0, 2 * np.pi, 2 * _PIECES)
    for k in range(1, _RINGS + 1):
        ring = np.stack(
            [np.cos(turn) * k * step_m, np.sin(turn) * k * step_m, np.full(2 * _PIECES, ground_m)], axis=1
        )
        lines.append(ring)
    return lines


def project_lines(
    lines: list[NDArray[np.float64]], matrix: NDArray[np.float64], width: int, height: int
) -> list[QLineF]:
    """Straight pieces on screen, those behind the camera or far outside left out."""
    if not lines:
        return []
    starts = np.concatenate([line[:-1] for line in lines])
    ends = np.concatenate([line[1:] for line in lines])
    a = starts @ matrix[:, :3].T + matrix[:, 3]
    b = ends @ matrix[:, :3].T + matrix[:, 3]
    front = (a[:, 2] > NEAR_M) & (b[:, 2] > NEAR_M)
    a, b = a[front], b[front]
    coordinates = np.stack(
        [a[:, 0] / a[:, 3], a[:, 1] / a[:, 3], b[:, 0] / b[:, 3], b[:, 1] / b[:, 3]], axis=1
    )
    low = np.minimum(coordinates[:, :2], coordinates[:, 2:])
    high = np.maximum(coordinates[:, :2], coordinates[:, 2:])
    near = (high[:, 0] >= 0) & (low[:, 0] <= width) & (high[:, 1] >= 0) & (low[:, 1] <= height)
    near &= (np.abs(coordinates) < 1e5).all(axis=1)
    return [QLineF(*row) for row in coordinates[near].tolist()]


def draw_ground(
    painter: QPainter,
    matrix: NDArray[np.float64],
    size: tuple[int, int],
    step_m: float,
    ground_m: float,
    tokens: Tokens,
) -> None:
    """The grid; goes below the points."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(with_alpha(tokens.line2, 0.55), 1))
    painter.drawLines(project_lines(ground_lines(step_m, ground_m), matrix, *size))


def draw_ring_labels(
    painter: QPainter,
    matrix: NDArray[np.float64],
    size: tuple[int, int],
    step_m: float,
    ground_m: float,
    tokens: Tokens,
) -> None:
    """Metres along +x, over the points; labels that would overlap are left out."""
    font = ui_font(11, 500)
    metrics = QFontMetrics(font)
    painter.setFont(font)
    taken: list[QRectF] = []
    for k in range(1, _RINGS + 1):
        place = matrix @ np.array([k * step_m, 0.0, ground_m, 1.0])
        if place[2] <= NEAR_M:
            continue
        column, row = place[0] / place[3], place[1] / place[3]
        text = f"{k * step_m:g} m"
        width = metrics.horizontalAdvance(text) + 8
        rect = QRectF(column - width / 2, row - 9, width, 18)
        inside = (
            rect.top() > 40
            and rect.bottom() < size[1] - 40
            and rect.left() > 4
            and rect.right() < size[0] - 4
        )
        if not inside or any(rect.intersects(other) for other in taken):
            continue
        taken.append(rect.adjusted(-4, -6, 4, 6))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(with_alpha(tokens.picture, 0.7))
        painter.drawRoundedRect(rect, 3, 3)
        painter.setPen(tokens.t1)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def draw_gizmo(
    painter: QPainter, camera: OrbitCamera, centre: QPointF, length: float, tokens: Tokens
) -> None:
    """The three axes as the camera sees them, near ones over far ones."""
    right, up, forward = camera.axes()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(number_font(11, 700))
    order = np.argsort(-forward)  # axis i points away from the viewer as far as forward[i] is positive
    for i in order.tolist():
        tip = centre + QPointF(float(right[i]), -float(up[i])) * length
        painter.setPen(QPen(tokens.axis[i], 2))
        painter.drawLine(centre, tip)
        name = centre + QPointF(float(right[i]), -float(up[i])) * (length + 9)
        rect = QRectF(name.x() - 8, name.y() - 8, 16, 16)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, "xyz"[i])
