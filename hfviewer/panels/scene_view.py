"""A small 3-D view for things made of a few lines and dots: hands, paths, axes. Drawn by Qt, anywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from hfviewer.panels.camera_mouse import CameraMouse, wheeled
from hfviewer.panels.cloud_camera import NEAR_M, CloudViewpoint, OrbitCamera, viewpoint_camera
from hfviewer.panels.cloud_lines import place_of
from hfviewer.panels.cloud_scene import draw_ground, project_lines, ring_step_m
from hfviewer.panels.drawing import CARD_MARGIN, STALE_OPACITY, painting
from hfviewer.panels.theme import Theme, ui_font, with_alpha

_PICK_PX = 9
_GIZMO_PX = 34
_GIZMO_ROOM = (230, 190)  # smaller views have no gizmo
_FEW_POINTS, _LEAST_STEP_PX = 200, 2.5


@dataclass(frozen=True, slots=True, eq=False)
class Strand:
    """A line through space.

    Args:
        points: float64 m×3, metres.
        colour: of the line.
        width: pixels.
        dashed: True for what is not yet, or only thought of.
    """

    points: NDArray[np.float64]
    colour: QColor
    width: float = 1.6
    dashed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Dot:
    """A place in space.

    Args:
        place_m: x, y, z.
        colour: of the dot.
        radius: pixels.
        name: written beside it; may be empty.
    """

    place_m: tuple[float, float, float]
    colour: QColor
    radius: float = 3.5
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """An axis of the numbers on screen, for the sign in the corner.

    Args:
        name: short.
        direction: unit vector in the view's own axes, z up.
        colour: of the axis.
    """

    name: str
    direction: NDArray[np.float64]
    colour: QColor


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What is shown, in axes with z up.

    Args:
        strands: the later ones on top.
        dots: over the strands, the nearer ones on top.
    """

    strands: tuple[Strand, ...] = ()
    dots: tuple[Dot, ...] = field(default_factory=tuple)


class SceneView(QWidget):
    """Orbit with the left button, pan with the right or middle one (or Shift), zoom with the wheel.

    Args:
        theme: colours.
        parent: the panel.
    """

    hovered = Signal(object)  # number of the dot under the pointer, or None
    camera_moved = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._scene: Scene | None = None
        self._axes: tuple[Axis, ...] = ()
        self._reach_m, self._ground_m = 1.0, 0.0
        self._home = viewpoint_camera(CloudViewpoint.FREE, reach_m=1.0, ground_m=0.0)
        self._camera = self._home
        self._grid = True
        self._ground: tuple[object, QPixmap] | None = None
        self._stale = False
        self._mouse = CameraMouse()
        self._corner: QWidget | None = None
        self._paint_over: Callable[[QPainter], None] | None = None
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self.update)

    @property
    def camera(self) -> OrbitCamera:
        return self._camera

    @property
    def scene(self) -> Scene | None:
        return self._scene

    @property
    def has_grid(self) -> bool:
        return self._grid

    @property
    def matrix(self) -> NDArray[np.float64]:
        """float64 4×4 to pixels of the widget, see `OrbitCamera.pixels_from_sensor`."""
        return self._camera.pixels_from_sensor(max(1, self.width()), max(1, self.height()))

    def set_paint_over(self, paint_over: Callable[[QPainter], None]) -> None:
        """Called at the end of every paint, for cards."""
        self._paint_over = paint_over

    def set_corner(self, widget: QWidget) -> None:
        """Keep a small widget in the top right corner."""
        self._corner = widget
        self._place_corner()

    def set_axes(self, axes: Sequence[Axis]) -> None:
        """Name the axes in the corner."""
        self._axes = tuple(axes)
        self.update()

    def set_grid(self, grid: bool) -> None:
        self._grid = grid
        self.update()

    def set_home(self, camera: OrbitCamera, *, reach_m: float, ground_m: float) -> None:
        """Look from there at first, and on reset.

        Args:
            camera: to look from.
            reach_m: how far things lie apart; sets the grid's spacing.
            ground_m: z of the grid.
        """
        self._home, self._reach_m, self._ground_m = camera, reach_m, ground_m
        self.set_camera(camera)

    def go_home(self) -> None:
        self.set_camera(self._home)

    def look_from(self, viewpoint: CloudViewpoint) -> None:
        """Keep what is looked at and how near it is, and look at it from another side."""
        if viewpoint is CloudViewpoint.FREE:
            self.go_home()
            return
        side = viewpoint_camera(viewpoint, reach_m=self._reach_m, ground_m=self._ground_m)
        self.set_camera(replace(side, target_m=self._home.target_m, distance_m=self._home.distance_m))

    def set_camera(self, camera: OrbitCamera) -> None:
        self._camera = camera
        self.update()
        self.camera_moved.emit()

    def show_scene(self, scene: Scene | None) -> None:
        """Draw this; None: nothing."""
        self._scene = scene
        self.update()

    def set_stale(self, stale: bool) -> None:
        """Draw everything so that nobody takes it for current, or not."""
        if stale != self._stale:
            self._stale = stale
            self.update()

    # -- Qt --------------------------------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        camera = wheeled(event, self._camera)
        if camera is not None:
            self.set_camera(camera)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._mouse.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self._mouse.is_held:
            self.hovered.emit(self._dot_at(event.position()))
            return
        camera = self._mouse.moved(event, self._camera, self.height())
        if camera is not None:
            self.set_camera(camera)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._mouse.release()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.go_home()

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_corner()

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self, smooth=True) as painter:
            painter.fillRect(self.rect(), self._theme.tokens.picture)
            painter.save()
            if self._grid:
                self._paint_ground(painter)
            if self._scene is not None:
                if self._stale:
                    painter.setOpacity(STALE_OPACITY)
                self._paint_strands(painter, self._scene)
                self._paint_dots(painter, self._scene)
            painter.restore()
            if self.width() > _GIZMO_ROOM[0] and self.height() > _GIZMO_ROOM[1]:
                self._paint_axes(painter)
            if self._paint_over is not None:
                self._paint_over(painter)

    # -- inside ----------------------------------------------------------------------------------------------

    def _place_corner(self) -> None:
        if self._corner is not None:
            self._corner.move(self.width() - self._corner.width() - CARD_MARGIN, CARD_MARGIN)
            roomy = self.width() > self._corner.width() + 2 * CARD_MARGIN and self.height() > 80
            self._corner.setVisible(roomy)

    @property
    def _size(self) -> tuple[int, int]:
        return max(1, self.width()), max(1, self.height())

    def _paint_ground(self, painter: QPainter) -> None:
        """The grid, drawn once for as long as it is looked at from the same place."""
        ratio = self.devicePixelRatioF()
        looks = (self._camera, self._size, ratio, self._reach_m, self._ground_m)
        if self._ground is None or self._ground[0] != looks:
            layer = QPixmap(round(self.width() * ratio) or 1, round(self.height() * ratio) or 1)
            layer.setDevicePixelRatio(ratio)
            layer.fill(Qt.GlobalColor.transparent)
            with painting(layer, smooth=True) as grid:
                step_m, tokens = ring_step_m(self._reach_m), self._theme.on_picture
                draw_ground(grid, self.matrix, self._size, step_m, self._ground_m, tokens)
            self._ground = (looks, layer)
        painter.drawPixmap(0, 0, self._ground[1])

    def _colour(self, colour: QColor) -> QColor:
        """As it is in a picture that may not be the current one."""
        grey = colour.lightness()
        return QColor(grey, grey, grey) if self._stale else colour

    def _paint_strands(self, painter: QPainter, scene: Scene) -> None:
        for strand in scene.strands:
            pieces = project_lines([thinned(strand.points, self.matrix)], self.matrix, *self._size)
            if not pieces:
                continue
            pen = QPen(self._colour(strand.colour), strand.width)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            if strand.dashed:
                pen.setStyle(Qt.PenStyle.DotLine)
            painter.setPen(pen)
            painter.drawLines(pieces)

    def _paint_dots(self, painter: QPainter, scene: Scene) -> None:
        matrix, tokens = self.matrix, self._theme.on_picture
        far_first = sorted(scene.dots, key=lambda dot: -float(matrix[2] @ (*dot.place_m, 1.0)))
        font = ui_font(11, 500)
        painter.setFont(font)
        for dot in far_first:
            place = place_of(matrix, dot.place_m)
            if place is None:
                continue
            painter.setPen(QPen(tokens.bg0, 1))
            painter.setBrush(self._colour(dot.colour))
            painter.drawEllipse(place, dot.radius, dot.radius)
            if dot.name:
                width = QFontMetrics(font).horizontalAdvance(dot.name) + 8
                card = QRectF(place.x() + dot.radius + 4, place.y() - 8, width, 16)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(with_alpha(tokens.picture, 0.7))
                painter.drawRoundedRect(card, 3, 3)
                painter.setPen(tokens.t1)
                painter.drawText(card, Qt.AlignmentFlag.AlignCenter, dot.name)

    def _paint_axes(self, painter: QPainter) -> None:
        """The axes as the camera sees them, near ones over far ones, each with its name at its tip."""
        right, up, forward = self._camera.axes()
        font = ui_font(11, 600)
        metrics = QFontMetrics(font)
        widest = max((metrics.horizontalAdvance(axis.name) for axis in self._axes), default=0)
        centre = QPointF(self.width() - _GIZMO_PX - widest - 22, self.height() - _GIZMO_PX - 24)
        painter.setFont(font)
        for axis in sorted(self._axes, key=lambda a: -float(forward @ a.direction)):
            across, above = float(right @ axis.direction), -float(up @ axis.direction)
            tip = centre + QPointF(across, above) * _GIZMO_PX
            painter.setPen(QPen(axis.colour, 2))
            painter.drawLine(centre, tip)
            width = metrics.horizontalAdvance(axis.name)
            left = tip.x() + 4 if across >= -0.1 else tip.x() - 4 - width
            rect = QRectF(left, tip.y() + above * 8 - 8, width + 1, 16)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, axis.name)

    def _dot_at(self, place: QPointF) -> int | None:
        if self._scene is None:
            return None
        matrix, best, found = self.matrix, float(_PICK_PX), None
        for number, dot in enumerate(self._scene.dots):
            at = place_of(matrix, dot.place_m)
            if at is not None and (away := (at - place).manhattanLength()) <= best + dot.radius:
                best, found = away - dot.radius, number
        return found


def thinned(points: NDArray[np.float64], matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """A line without the points that nobody could tell apart on screen, ends kept.

    Args:
        points: float64 m×3.
        matrix: float64 4×4 to pixels, see `OrbitCamera.pixels_from_sensor`.
    """
    if len(points) < _FEW_POINTS:
        return points
    placed = points @ matrix[:, :3].T + matrix[:, 3]
    if placed[:, 2].min() <= NEAR_M:
        return points  # what passes the camera has no place on screen
    steps = np.abs(np.diff(placed[:, :2] / placed[:, 3:], axis=0)).max(axis=1)
    way = np.concatenate([[0.0], np.cumsum(steps)])
    kept = np.flatnonzero(np.diff(np.floor(way / _LEAST_STEP_PX), prepend=-1.0))
    return np.asarray(points[np.union1d(kept, [len(points) - 1])], np.float64)


def unit_axes(theme: Theme) -> tuple[Axis, ...]:
    """x, y and z of numbers that are shown as they are."""
    return tuple(
        Axis(name, direction, colour)
        for name, direction, colour in zip("xyz", np.eye(3), theme.on_picture.axis, strict=True)
    )
