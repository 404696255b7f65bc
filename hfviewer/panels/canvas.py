"""The widget that shows a picture: zoom about the pointer, pan, fit, and a read-out of the pixel under it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from hfviewer.panels.drawing import draw_stale, hatch_brush, painting
from hfviewer.panels.placement import Placement, Sight
from hfviewer.panels.theme import Theme
from hfviewer.panels.view2d import View2D

# (left, top, right, bottom) in stored pixels and the size in device pixels that they are wanted at.
Render = Callable[[tuple[int, int, int, int], tuple[int, int]], QImage]
PaintOver = Callable[[QPainter], None]
_WHEEL_STEP = 1.25


class PictureCanvas(QWidget):
    """Shows what a `Render` makes of the visible part of a picture.

    Coordinates of the picture are pixels of the full picture; a reduced decode has fewer pixels for the same
    coordinates.

    Args:
        theme: colours.
        parent: the panel.
    """

    hovered = Signal(object)  # (column, row) of the full picture, or None outside
    view_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._render: Render | None = None
        self._paint_over: PaintOver | None = None
        self._stored, self._full = (0, 0), (0, 0)
        self._view: View2D | None = None  # None: fitted
        self._stale = False
        self._drag_from: QPointF | None = None
        self._cursor: tuple[int, int] | None = None
        self._cache_key: Placement | None = None
        self._ready: tuple[Placement, QImage] | None = None
        self._cache = QImage()
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self.update)

    @property
    def full_size(self) -> tuple[int, int]:
        """Width and height of the full picture; (0, 0) without one."""
        return self._full

    @property
    def cursor_pixel(self) -> tuple[int, int] | None:
        """Column and row under the pointer; None outside the picture."""
        return self._cursor

    @property
    def view(self) -> View2D:
        """Where the picture lies now."""
        return self._view or View2D.fit(self._full, (self.width(), self.height()))

    @property
    def is_fitted(self) -> bool:
        return self._view is None

    def set_paint_over(self, paint_over: PaintOver) -> None:
        """Called at the end of every paint, for cards and marks."""
        self._paint_over = paint_over

    @property
    def sight(self) -> Sight:
        """How it looks at pictures now."""
        return Sight(self._view, (self.width(), self.height()), self.devicePixelRatioF())

    def show_picture(
        self,
        render: Render,
        stored: tuple[int, int],
        full: tuple[int, int],
        ready: tuple[Placement, QImage] | None = None,
    ) -> None:
        """Show another picture; zoom and pan stay.

        Args:
            render: draws a part of it.
            stored: (width, height) of the pixels at hand.
            full: (width, height) of the full picture, larger where the pixels are a reduced decode.
            ready: what ``render`` would give for one placement, made on another thread; used while it fits.
        """
        if self._view is not None and self._full != full and self._full != (0, 0):
            self._view = None
        self._render, self._stored, self._full = render, stored, full
        self._cache_key, self._ready = None, ready
        self._update_cursor()
        self.update()

    def clear(self) -> None:
        """Show nothing."""
        self._render, self._stored, self._full = None, (0, 0), (0, 0)
        self._cache_key = self._ready = None
        self._set_cursor(None)
        self.update()

    def invalidate(self) -> None:
        """Draw the same picture anew: colours or levels have changed."""
        self._cache_key = self._ready = None
        self.update()

    def set_stale(self, stale: bool) -> None:
        """Grey the picture out, or not."""
        if stale != self._stale:
            self._stale = stale
            self.update()

    def fit(self) -> None:
        """The whole picture again, following the widget's size."""
        self._set_view(None)

    def show_actual_size(self) -> None:
        """One picture pixel per device pixel, about the middle of what shows."""
        factor = 1 / (self.view.scale * self.devicePixelRatioF())
        self._set_view(self.view.zoomed(factor, self.width() / 2, self.height() / 2))

    def zoom(self, factor: float, x: float, y: float) -> None:
        """Zoom about a point of the widget."""
        self._set_view(self.view.zoomed(factor, x, y))

    # -- Qt --------------------------------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        if steps and self._render is not None:
            self.zoom(_WHEEL_STEP**steps, event.position().x(), event.position().y())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._drag_from = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag_from is not None and self._render is not None:
            moved = event.position() - self._drag_from
            if not self.is_fitted or moved.manhattanLength() > 4:
                self._drag_from = event.position()
                self._set_view(self.view.panned(moved.x(), moved.y()))
        self._update_cursor(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag_from = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.fit()

    def leaveEvent(self, event: QEvent) -> None:
        self._set_cursor(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.view_changed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            painter.fillRect(self.rect(), self._theme.tokens.picture)
            self._paint_picture(painter)
            if self._paint_over is not None:
                self._paint_over(painter)

    # -- inside ----------------------------------------------------------------------------------------------

    def _set_view(self, view: View2D | None) -> None:
        if view is not None:
            view = view.kept_in(self._full, (self.width(), self.height()))
        self._view = view
        self._update_cursor()
        self.view_changed.emit()
        self.update()

    def _paint_picture(self, painter: QPainter) -> None:
        if self._render is None:
            return
        place = self.sight.place(self._full, self._stored)
        if place is None:
            return
        if self._ready is not None and self._ready[0] == place:
            self._cache_key, self._cache = self._ready
        if place != self._cache_key:
            self._cache = self._render(place.part, place.size)
            self._cache_key = place
        target = QRectF(*place.target)
        if self._cache.hasAlphaChannel():
            # Transparent pixels are "no data": a dark hatch, never a colour of the map.
            painter.fillRect(target, self._theme.on_picture.bg0)
            painter.fillRect(
                target,
                hatch_brush(
                    self._theme.on_picture.line2, spacing=8, width=1.0, ratio=self.devicePixelRatioF()
                ),
            )
        if self._stale:
            draw_stale(painter, target, self._cache, QRectF(self._cache.rect()))
        else:
            painter.drawImage(target, self._cache, QRectF(self._cache.rect()))

    def _update_cursor(self, position: QPointF | None = None) -> None:
        if position is None:
            if self._cursor is None:
                return
            position = QPointF(self.mapFromGlobal(self.cursor().pos()))
        u, v = self.view.to_picture(position.x(), position.y())
        inside = self._render is not None and 0 <= u < self._full[0] and 0 <= v < self._full[1]
        self._set_cursor((int(u), int(v)) if inside else None)

    def _set_cursor(self, pixel: tuple[int, int] | None) -> None:
        if pixel is not None or self._cursor is not None:
            self._cursor = pixel
            self.hovered.emit(pixel)
            self.update()
