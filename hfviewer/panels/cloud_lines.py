"""Lines among the points of a cloud: where cameras look, where the sensor went, and where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from hfviewer.core.geometry import CameraModel, invert_rigid, transform_points
from hfviewer.core.projection import from_picture
from hfviewer.panels.cloud_camera import NEAR_M
from hfviewer.panels.cloud_scene import project_lines
from hfviewer.panels.theme import Tokens, ui_font, with_alpha

_AXIS_SHARE, _FRUSTUM_SHARE = 0.2, 0.2  # of the distance between rings
_WIDEST_TANGENT = 1.5  # a fisheye's frustum is drawn no wider


class LineRole(Enum):
    """What lines stand for; sets their colour."""

    AXIS_X, AXIS_Y, AXIS_Z, FRUSTUM, PATH, MEASURE, RAY = range(7)


@dataclass(frozen=True, slots=True, eq=False)
class SceneLines:
    """Lines that belong together.

    Args:
        role: what they stand for.
        lines: each float64 m×3, metres, in the frame of the points.
        name: written at the first point; may be empty.
    """

    role: LineRole
    lines: tuple[NDArray[np.float64], ...]
    name: str = ""


def sensor_axes(step_m: float) -> tuple[SceneLines, ...]:
    """x, y and z of the sensor where it stands.

    Args:
        step_m: distance between the rings of the ground.
    """
    length = _AXIS_SHARE * step_m
    return tuple(
        SceneLines(role, (np.array([[0.0, 0.0, 0.0], axis]),))
        for role, axis in zip(
            (LineRole.AXIS_X, LineRole.AXIS_Y, LineRole.AXIS_Z), np.eye(3) * length, strict=True
        )
    )


def frustum(
    name: str, camera: CameraModel, camera_from_sensor: NDArray[np.float64], step_m: float
) -> SceneLines | None:
    """The pyramid that a camera sees, in the sensor's frame; None where its lens leads nowhere.

    Args:
        name: of the camera.
        camera: with its lens.
        camera_from_sensor: float64 4×4.
        step_m: distance between the rings of the ground.
    """
    depth_m = _FRUSTUM_SHARE * step_m
    right, bottom = camera.width - 0.5, camera.height - 0.5
    pixels = np.array([(-0.5, -0.5), (right, -0.5), (right, bottom), (-0.5, bottom)])
    corners = from_picture(camera, pixels, np.full(4, depth_m))
    if not np.isfinite(corners).all():
        return None
    widest = _WIDEST_TANGENT * depth_m
    corners[:, :2] = np.clip(corners[:, :2], -widest, widest)
    sensor_from_camera = invert_rigid(camera_from_sensor)
    apex = sensor_from_camera[:3, 3]
    corners = transform_points(sensor_from_camera, corners)
    edges = tuple(np.stack([apex, corner]) for corner in corners)
    return SceneLines(LineRole.FRUSTUM, (*edges, np.concatenate([corners, corners[:1]])), name)


def draw_lines(
    painter: QPainter,
    drawn: Sequence[SceneLines],
    matrix: NDArray[np.float64],
    size: tuple[int, int],
    tokens: Tokens,
    *,
    opacity: float = 1.0,
) -> None:
    """Draw lines over the points.

    Args:
        painter: counts in device-independent pixels.
        drawn: the later ones on top.
        matrix: float64 4×4, see `OrbitCamera.pixels_from_sensor`.
        size: of the picture, device-independent pixels.
        tokens: colours.
        opacity: below 1 for a picture that is not the current one.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setOpacity(opacity)
    for group in drawn:
        pieces = project_lines(list(group.lines), matrix, *size)
        if not pieces:
            continue
        pen = QPen(_colour(group.role, tokens), _WIDTHS.get(group.role, 1.2))
        if group.role is LineRole.RAY:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawLines(pieces)
        if group.name:
            _draw_name(painter, group, matrix, size, tokens)
    painter.restore()


def place_of(matrix: NDArray[np.float64], point_m: Sequence[float] | NDArray[np.float64]) -> QPointF | None:
    """Where a point shows; None behind the camera."""
    column, row, depth, w = (matrix @ np.array([*point_m, 1.0])).tolist()
    if depth <= NEAR_M or w <= 0:
        return None
    x, y = column / w, row / w
    return QPointF(x, y) if abs(x) < 1e6 and abs(y) < 1e6 else None


def _draw_name(
    painter: QPainter,
    group: SceneLines,
    matrix: NDArray[np.float64],
    size: tuple[int, int],
    tokens: Tokens,
) -> None:
    # At the middle of the far edge: at the apex the names of a rig's cameras would lie over one another.
    place = place_of(matrix, group.lines[-1][:-1].mean(axis=0))
    if place is None or not (0 <= place.x() < size[0] and 0 <= place.y() < size[1]):
        return
    font = ui_font(11, 500)
    width = QFontMetrics(font).horizontalAdvance(group.name) + 8
    rect = QRectF(place.x() - width / 2, place.y() - 8, width, 16)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(with_alpha(tokens.picture, 0.7))
    painter.drawRoundedRect(rect, 3, 3)
    painter.setFont(font)
    painter.setPen(tokens.t1)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, group.name)


_WIDTHS = {
    LineRole.AXIS_X: 2.0,
    LineRole.AXIS_Y: 2.0,
    LineRole.AXIS_Z: 2.0,
    LineRole.PATH: 2.0,
    LineRole.MEASURE: 1.6,
}


def _colour(role: LineRole, tokens: Tokens) -> QColor:
    match role:
        case LineRole.AXIS_X:
            return tokens.axis[0]
        case LineRole.AXIS_Y:
            return tokens.axis[1]
        case LineRole.AXIS_Z:
            return tokens.axis[2]
        case LineRole.FRUSTUM:
            return tokens.t2
        case LineRole.PATH:
            return tokens.series[0]
        case LineRole.MEASURE | LineRole.RAY:
            return tokens.t1
