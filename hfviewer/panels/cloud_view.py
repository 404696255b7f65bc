"""The widget that shows points through an `OrbitCamera`, drawn by whichever renderer suits the machine."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from hfviewer.panels.camera_mouse import CameraMouse, wheeled
from hfviewer.panels.cloud_camera import CloudViewpoint, OrbitCamera, viewpoint_camera
from hfviewer.panels.cloud_choice import CloudRenderer, choose_renderer
from hfviewer.panels.cloud_colour import Shading, flat_shading
from hfviewer.panels.cloud_cpu import cpu_picture
from hfviewer.panels.cloud_lines import SceneLines, draw_lines
from hfviewer.panels.cloud_look import CloudLook, draw_above, faded
from hfviewer.panels.cloud_overlay import CanvasOverlay
from hfviewer.panels.cloud_scene import ring_step_m
from hfviewer.panels.cloud_splat import Projection, project
from hfviewer.panels.drawing import CARD_MARGIN, STALE_OPACITY, draw_stale, draw_text_card, painting
from hfviewer.panels.theme import Theme, ui_font

if TYPE_CHECKING:
    from hfviewer.panels.cloud_gl import GlCloud

_log = logging.getLogger(__name__)
# More points than this are thinned, on the CPU, until the view has been still for a moment.
MOVING_POINTS = 200_000
# And more than this are never drawn whole by the CPU here: a picture made on another thread is asked for.
WHOLE_POINTS = 400_000
_MOST_ASKS = 3  # in vain: then it is drawn here after all
_SETTLE_MS = 150
_PICK_PX = 5
_NOTICE_TOP = 60  # below the cards of the panel


class CloudView(QWidget):
    """Orbit with the left button, pan with the right or middle one (or Shift), zoom with the wheel.

    A click picks a point, with Ctrl the second of two; a double click makes a point the one to turn about.
    """

    hovered = Signal(object)  # index into the points shown, or None
    picked = Signal(object, bool)  # the same, of a click; True: as the second of two places
    unpicked = Signal()  # the last click was the first half of a double click
    camera_moved = Signal()
    picture_wanted = Signal()  # of all points, as `look_to_prepare` says; until then some of them show
    _gl_failed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._xyz = np.empty((0, 3), np.float32)
        self._shading = flat_shading(0)
        self._has_points = False
        self._reach_m, self._ground_m, self._learnt = 20.0, 0.0, False
        self._viewpoint = CloudViewpoint.FREE
        self._camera = viewpoint_camera(self._viewpoint, reach_m=self._reach_m, ground_m=self._ground_m)
        self._point_px, self._grid = 2, True
        self._kept_camera: OrbitCamera | None = None
        self._stale = False
        self._picture: QImage | None = None
        self._projection: Projection | None = None
        self._stride = self._projected_stride = 1
        self._mouse = CameraMouse()
        self._lines: tuple[SceneLines, ...] = ()
        self._corner: QWidget | None = None
        self._paint_over: Callable[[QPainter], None] | None = None
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self._on_settled)
        self._moving = False
        self._asks_left = _MOST_ASKS
        self._renderer: CloudRenderer | None = None  # not chosen yet
        self._gl: GlCloud | None = None
        self._overlay: CanvasOverlay | None = None
        self._notice = ""
        # Queued: it is told while the canvas is painted, and then goes.
        self._gl_failed.connect(self._on_gl_failed, Qt.ConnectionType.QueuedConnection)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self._redraw)

    @property
    def camera(self) -> OrbitCamera:
        return self._camera

    @property
    def point_px(self) -> int:
        return self._point_px

    @property
    def renderer(self) -> CloudRenderer | None:
        """What draws the points; None until the view is first shown."""
        return self._renderer

    @property
    def notice(self) -> str:
        """Why it is not the renderer that was to be expected; empty where it is."""
        return self._notice

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
    def has_grid(self) -> bool:
        return self._grid

    def set_grid(self, grid: bool) -> None:
        """Show rings and squares on the ground, or not."""
        self._grid = grid
        self._redraw()

    def points(self) -> NDArray[np.float32]:
        """float32 N×3: what is shown."""
        return self._xyz

    def update_over(self) -> None:
        """What lies over the points is another now."""
        (self if self._overlay is None else self._overlay).update()

    @property
    def ring_step_m(self) -> float:
        """Distance between the rings of the ground."""
        return ring_step_m(self._reach_m)

    @property
    def matrix(self) -> NDArray[np.float64]:
        """float64 4×4 to device-independent pixels, see `OrbitCamera.pixels_from_sensor`."""
        return self._camera.pixels_from_sensor(max(1, self.width()), max(1, self.height()))

    def set_lines(self, lines: tuple[SceneLines, ...]) -> None:
        """Draw these lines over the points, whether there are points or not."""
        self._lines = lines
        self.update_over()

    @property
    def knows_size(self) -> bool:
        """True once `learn_size` was called."""
        return self._learnt

    def learn_size(self, reach_m: float, ground_m: float) -> None:
        """Fit camera and grid to the first cloud that has points; later ones must not move the view."""
        self._learnt = True
        self._reach_m, self._ground_m = reach_m, ground_m
        kept, self._kept_camera = self._kept_camera, None
        self.look_from(self._viewpoint)
        if kept is not None:
            self.set_camera(kept)

    def keep_camera(self, camera: OrbitCamera) -> None:
        """Look from there, also once the first cloud with points has come."""
        self._kept_camera = None if self._learnt else camera
        self.set_camera(camera)

    def show_points(
        self,
        xyz: NDArray[np.float32],
        shading: Shading,
        ready: tuple[CloudLook, QImage, Projection] | None = None,
    ) -> None:
        """Show other points, or the same ones in other colours.

        Args:
            xyz: float32 N×3, metres, finite.
            shading: with a value for each point, or none.
            ready: what `cpu_picture` gives for one look, made on another thread; used where we look so.
        """
        self._xyz, self._shading, self._has_points = xyz, shading, True
        fits = ready is not None and self._gl is None and ready[0] == replace(self._look(), stale=False)
        if not fits:
            self._mark_moving()
        self._redraw()
        if ready is not None and fits:
            _, self._picture, self._projection = ready
            self._stride, self._moving, self._asks_left = 1, False, _MOST_ASKS
            self._settle.stop()

    def look_to_prepare(self) -> CloudLook | None:
        """What a picture made on another thread must look like; None where none is wanted."""
        return replace(self._look(), stale=False) if self._gl is None and self._learnt else None

    def clear(self) -> None:
        """Show no cloud."""
        self._xyz, self._shading = np.empty((0, 3), np.float32), flat_shading(0)
        self._has_points = False
        self._redraw()

    def set_stale(self, stale: bool) -> None:
        """Grey the picture out, or not."""
        if stale != self._stale:
            self._stale = stale
            if self._gl is None:
                self.update()
            else:
                self._redraw()

    def set_point_px(self, size: int) -> None:
        """Edge of a point in device-independent pixels."""
        self._point_px = max(1, min(8, size))
        self._redraw()

    def set_camera(self, camera: OrbitCamera) -> None:
        """Look from there."""
        self._camera, self._asks_left = camera, _MOST_ASKS
        self._redraw()
        self.camera_moved.emit()

    def look_from(self, viewpoint: CloudViewpoint) -> None:
        """Look from one of the four viewpoints, at the size of the first cloud."""
        self._viewpoint = viewpoint
        self.set_camera(viewpoint_camera(viewpoint, reach_m=self._reach_m, ground_m=self._ground_m))

    # -- Qt --------------------------------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._move_camera(wheeled(event, self._camera))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._mouse.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._mouse.is_held:
            self._move_camera(self._mouse.moved(event, self._camera, self.height()))
        else:
            self._hover(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place = self._mouse.release()
        if place is not None:
            second = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self.picked.emit(self._point_at(place), second)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.unpicked.emit()
        found = self._point_at(event.position())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self.set_camera(self._camera.turning_about(*self._xyz[found].tolist()))

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None)

    def showEvent(self, event: QShowEvent) -> None:
        if self._renderer is None:
            self._choose_renderer()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_corner()
        self._redraw()
        if self._gl is not None and self._overlay is not None:
            self._gl.widget.setGeometry(self.rect())
            self._overlay.setGeometry(self.rect())

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            if not self._has_points or self._stale or self._gl is not None:  # else the picture covers all
                painter.fillRect(self.rect(), self._theme.tokens.picture)
            if self._gl is None:  # else canvas and overlay cover all
                self._paint_on_cpu(painter)
                self._paint_cards(painter)

    # -- inside ----------------------------------------------------------------------------------------------

    def _redraw(self) -> None:
        self._picture = self._projection = None
        if len(self._xyz) > WHOLE_POINTS and self._asks_left:
            self._mark_moving()
        self.update()
        if self._gl is None or self._overlay is None:
            return
        if self._has_points:
            self._gl.show_points(self._xyz, self._shading, self._look())
        else:
            self._gl.clear(self._look())
        self._overlay.update()

    def _look(self) -> CloudLook:
        return CloudLook(
            camera=self._camera,
            size=(max(1, self.width()), max(1, self.height())),
            ratio=self.devicePixelRatioF(),
            point_px=self._point_px,
            reach_m=self._reach_m,
            ground_m=self._ground_m,
            ground=self._theme.tokens.picture,
            tokens=self._theme.on_picture,
            grid=self._grid,
            stale=self._stale,
        )

    def _choose_renderer(self) -> None:
        self._renderer, self._notice = choose_renderer()
        if self._renderer is not CloudRenderer.GL:
            return
        try:
            # Not before it is needed: loading vispy takes long.
            from hfviewer.panels.cloud_gl import GlCloud

            self._gl = GlCloud(self, self._gl_failed.emit)
        except Exception as error:  # noqa: BLE001  a driver may say anything
            _log.exception("vispy gives no canvas.")
            self._on_gl_failed(str(error))
            return
        self._overlay = CanvasOverlay(self._paint_overlay, self)
        for widget in (self._overlay, self._gl.widget):
            widget.setGeometry(self.rect())
            widget.lower()
            widget.show()
        self._redraw()

    def _on_gl_failed(self, problem: str) -> None:
        """Go on with the CPU; a GPU that failed once is not asked again by this panel."""
        _log.warning("Points are drawn without OpenGL from here on: %s", problem)
        self._renderer, self._notice = CloudRenderer.CPU, "OpenGL failed"
        if self._gl is not None:
            self._gl.close()
        if self._overlay is not None:
            self._overlay.hide()
            self._overlay.deleteLater()
        self._gl = self._overlay = None
        self._redraw()

    def _move_camera(self, camera: OrbitCamera | None) -> None:
        """The mouse moves it; None: not yet."""
        if camera is not None:
            self._mark_moving()
            self.set_camera(camera)

    def _mark_moving(self) -> None:
        if self._gl is None and len(self._xyz) > MOVING_POINTS:
            self._moving = True
            self._settle.start()

    def _on_settled(self) -> None:
        if self._gl is None and len(self._xyz) > WHOLE_POINTS and self._asks_left:
            self._asks_left -= 1
            self.picture_wanted.emit()
            return
        self._moving = False
        self._redraw()

    def _place_corner(self) -> None:
        if self._corner is not None:
            self._corner.move(self.width() - self._corner.width() - CARD_MARGIN, CARD_MARGIN)
            self._corner.setVisible(
                self.width() > self._corner.width() + 2 * CARD_MARGIN and self.height() > 80
            )

    def _paint_on_cpu(self, painter: QPainter) -> None:
        if not self._has_points:
            return
        if self._picture is None:
            stride = self._stride = -(-len(self._xyz) // MOVING_POINTS) if self._moving else 1
            colours = self._shading.colours(len(self._xyz))
            self._picture, self._projection = cpu_picture(
                self._look(), self._xyz[::stride], colours[::stride]
            )
        target = QRectF(self.rect())
        if self._stale:
            draw_stale(painter, target, self._picture, QRectF(self._picture.rect()))
        else:
            painter.drawImage(target, self._picture)

    def _paint_lines(self, painter: QPainter) -> None:
        if self._lines:
            size = (max(1, self.width()), max(1, self.height()))
            opacity = STALE_OPACITY if self._stale else 1.0
            draw_lines(painter, self._lines, self.matrix, size, self._theme.on_picture, opacity=opacity)

    def _paint_overlay(self, painter: QPainter) -> None:
        if self._gl is not None:
            self._gl.check()
        if self._has_points:
            look = self._look()
            draw_above(painter, faded(look) if self._stale else look)
        self._paint_cards(painter)

    def _paint_cards(self, painter: QPainter) -> None:
        self._paint_lines(painter)
        if self._paint_over is not None:
            self._paint_over(painter)
        if self._notice:
            draw_text_card(
                painter,
                self.rect().adjusted(0, _NOTICE_TOP, 0, 0),
                Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft,
                self.tr("{problem} · drawn on the CPU").format(problem=self._notice),
                ui_font(12, 600),
                self._theme.tokens,
            )

    def _hover(self, position: QPointF) -> None:
        self.hovered.emit(self._point_at(position, hovering=True))

    def _point_at(self, position: QPointF, *, hovering: bool = False) -> int | None:
        """Index of the point that is seen there."""
        if not self._has_points or (self._gl is None and self._projection is None):
            return None
        look = self._look()
        wanted = -(-len(self._xyz) // MOVING_POINTS) if hovering and self._gl is not None else self._stride
        if self._projection is None or (self._gl is not None and wanted != self._projected_stride):
            # Only with a GPU: of a large cloud, a pointer that moves over it meets some of the points.
            self._projected_stride = wanted
            self._projection = project(
                self._xyz[::wanted], look.matrix, *look.device, size_px=look.point_device_px
            )
        stride = self._stride if self._gl is None else self._projected_stride
        found = self._projection.nearest_at(
            math.floor(position.x() * look.ratio),
            math.floor(position.y() * look.ratio),
            round(_PICK_PX * look.ratio),
            size_px=look.point_device_px,
        )
        return None if found is None else found * stride
