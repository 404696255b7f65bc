"""The widget that shows points through an `OrbitCamera`, drawn on the CPU."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from hfviewer.panels.cloud_camera import CloudViewpoint, OrbitCamera, viewpoint_camera
from hfviewer.panels.cloud_scene import draw_gizmo, draw_ground, draw_ring_labels, ring_step_m
from hfviewer.panels.cloud_splat import Splat, splat
from hfviewer.panels.drawing import CARD_MARGIN, draw_stale
from hfviewer.panels.theme import Theme

# More points than this are thinned until the view has been still for a moment.
MOVING_POINTS = 200_000
_SETTLE_MS = 150
_PICK_PX = 5
_GIZMO_PX = 30


class CloudView(QWidget):
    """Orbit with the left button, pan with the right or middle one (or Shift), zoom with the wheel."""

    hovered = Signal(object)  # index into the points shown, or None
    camera_moved = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._xyz = np.empty((0, 3), np.float32)
        self._colours = np.empty(0, np.uint32)
        self._has_points = False
        self._reach_m, self._ground_m, self._learnt = 20.0, 0.0, False
        self._viewpoint = CloudViewpoint.FREE
        self._camera = viewpoint_camera(self._viewpoint, reach_m=self._reach_m, ground_m=self._ground_m)
        self._point_px = 2
        self._stale = False
        self._picture: QImage | None = None
        self._splat: Splat | None = None
        self._stride = 1
        self._drag_from: QPointF | None = None
        self._panning = False
        self._corner: QWidget | None = None
        self._paint_over: Callable[[QPainter], None] | None = None
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self._on_settled)
        self._moving = False
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self.update)

    @property
    def camera(self) -> OrbitCamera:
        return self._camera

    @property
    def point_px(self) -> int:
        return self._point_px

    @property
    def drawn(self) -> int:
        """How many points the picture was made of: fewer than there are while the view moves."""
        return -(-len(self._xyz) // self._stride)

    @property
    def is_moving(self) -> bool:
        """True while a large cloud is drawn thinned."""
        return self._moving

    def set_paint_over(self, paint_over: Callable[[QPainter], None]) -> None:
        """Called at the end of every paint, for cards."""
        self._paint_over = paint_over

    def set_corner(self, widget: QWidget) -> None:
        """Keep a small widget in the top right corner."""
        self._corner = widget
        self._place_corner()

    @property
    def knows_size(self) -> bool:
        """True once `learn_size` was called."""
        return self._learnt

    def learn_size(self, reach_m: float, ground_m: float) -> None:
        """Fit camera and grid to the first cloud that has points; later ones must not move the view."""
        self._learnt = True
        self._reach_m, self._ground_m = reach_m, ground_m
        self.look_from(self._viewpoint)

    def show_points(self, xyz: NDArray[np.float32], colours: NDArray[np.uint32]) -> None:
        """Show other points.

        Args:
            xyz: float32 N×3, metres, finite.
            colours: uint32[N], ``0xAARRGGBB``.
        """
        self._xyz, self._colours, self._has_points = xyz, colours, True
        self._mark_moving()
        self._redraw()

    def clear(self) -> None:
        """Show no cloud."""
        self._xyz, self._colours = np.empty((0, 3), np.float32), np.empty(0, np.uint32)
        self._has_points = False
        self._redraw()

    def set_stale(self, stale: bool) -> None:
        """Grey the picture out, or not."""
        if stale != self._stale:
            self._stale = stale
            self.update()

    def set_point_px(self, size: int) -> None:
        """Edge of a point in device-independent pixels."""
        self._point_px = max(1, min(8, size))
        self._redraw()

    def set_camera(self, camera: OrbitCamera) -> None:
        """Look from there."""
        self._camera = camera
        self._redraw()
        self.camera_moved.emit()

    def look_from(self, viewpoint: CloudViewpoint) -> None:
        """Look from one of the four viewpoints, at the size of the first cloud."""
        self._viewpoint = viewpoint
        self.set_camera(viewpoint_camera(viewpoint, reach_m=self._reach_m, ground_m=self._ground_m))

    # -- Qt --------------------------------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        if steps:
            self._mark_moving()
            self.set_camera(self._camera.dollied(0.85**steps))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        buttons = (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton)
        if event.button() in buttons:
            self._drag_from = event.position()
            shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._panning = shifted or event.button() != Qt.MouseButton.LeftButton

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag_from is None:
            self._hover(event.position())
            return
        moved = event.position() - self._drag_from
        self._drag_from = event.position()
        self._mark_moving()
        if self._panning:
            self.set_camera(self._camera.panned(moved.x(), moved.y(), self.height()))
        else:
            self.set_camera(self._camera.orbited(moved.x(), moved.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag_from = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.look_from(self._viewpoint)

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_corner()
        self._redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.tokens.picture)
        if self._has_points:
            if self._picture is None:
                self._picture = self._make_picture()
            target = QRectF(self.rect())
            if self._stale:
                draw_stale(painter, target, self._picture, QRectF(self._picture.rect()))
            else:
                painter.drawImage(target, self._picture)
        if self._paint_over is not None:
            self._paint_over(painter)
        painter.end()

    # -- inside ----------------------------------------------------------------------------------------------

    def _redraw(self) -> None:
        self._picture = None
        self.update()

    def _mark_moving(self) -> None:
        if len(self._xyz) > MOVING_POINTS:
            self._moving = True
            self._settle.start()

    def _on_settled(self) -> None:
        self._moving = False
        self._redraw()

    def _place_corner(self) -> None:
        if self._corner is not None:
            self._corner.move(self.width() - self._corner.width() - CARD_MARGIN, CARD_MARGIN)
            self._corner.setVisible(
                self.width() > self._corner.width() + 2 * CARD_MARGIN and self.height() > 80
            )

    def _make_picture(self) -> QImage:
        ratio = self.devicePixelRatioF()
        size = (max(1, self.width()), max(1, self.height()))
        device = (max(1, round(size[0] * ratio)), max(1, round(size[1] * ratio)))
        picture = QImage(*device, QImage.Format.Format_RGB32)
        picture.setDevicePixelRatio(ratio)
        picture.fill(self._theme.tokens.picture)
        tokens, step_m = self._theme.on_picture, ring_step_m(self._reach_m)
        matrix = self._camera.pixels_from_sensor(*size)
        painter = QPainter(picture)
        draw_ground(painter, matrix, size, step_m, self._ground_m, tokens)
        self._stride = -(-len(self._xyz) // MOVING_POINTS) if self._moving else 1
        self._splat = splat(
            self._xyz[:: self._stride],
            self._colours[:: self._stride],
            self._camera.pixels_from_sensor(*device),
            *device,
            size_px=min(max(1, round(self._point_px * ratio)), *device),
        )
        points = self._splat.pixels
        layer = QImage(points.data, *device, device[0] * 4, QImage.Format.Format_ARGB32_Premultiplied)
        painter.drawImage(QRectF(0, 0, *size), layer)
        draw_ring_labels(painter, matrix, size, step_m, self._ground_m, tokens)
        if size[0] > 180 and size[1] > 140:
            corner = QPointF(size[0] - _GIZMO_PX - 22, size[1] - _GIZMO_PX - 10)
            draw_gizmo(painter, self._camera, corner, _GIZMO_PX, tokens)
        painter.end()
        return picture

    def _hover(self, position: QPointF) -> None:
        if self._splat is None or not self._has_points:
            self.hovered.emit(None)
            return
        ratio = self.devicePixelRatioF()
        found = self._splat.nearest_at(
            round(position.x() * ratio), round(position.y() * ratio), round(_PICK_PX * ratio)
        )
        self.hovered.emit(None if found is None else found * self._stride)
