"""The widget that shows a picture: zoom about the pointer, pan, fit, and a read-out of the pixel under it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from enum import Enum

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from hfviewer.panels.drawing import draw_stale, hatch_brush, painting
from hfviewer.panels.placement import Placement, Sight
from hfviewer.panels.theme import Theme, number_font, with_alpha
from hfviewer.panels.view2d import View2D

# (left, top, right, bottom) in stored pixels and the size in device pixels that they are wanted at.
Render = Callable[[tuple[int, int, int, int], tuple[int, int]], QImage]
PaintOver = Callable[[QPainter], None]
# (column, row) of the picture as shown; the lines of text to write into that pixel.
PixelText = Callable[[int, int], tuple[str, ...]]
_WHEEL_STEP = 1.25
GRID_FROM = 8.0  # device pixels per picture pixel above which the pixels are told apart by lines
TEXT_FROM = 44.0  # widget pixels per picture pixel from which their values are written into them


class CanvasTool(Enum):
    """What a drag with a key held does instead of moving the picture."""

    BOX = "box"
    LINE = "line"


_TOOLS = {
    Qt.KeyboardModifier.ShiftModifier: CanvasTool.BOX,
    Qt.KeyboardModifier.ControlModifier: CanvasTool.LINE,
}


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
    measured = Signal(object)  # (CanvasTool, u0, v0, u1, v1): a drag with that tool, while it goes on

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
        self._pointer: QPointF | None = None  # where the mouse was seen last, while it is over the widget
        self._place: tuple[float, float] | None = None
        self._tools: frozenset[CanvasTool] = frozenset()
        self._measuring: tuple[CanvasTool, float, float] | None = None
        self._grid = True
        self._pixel_text: PixelText | None = None
        self._cache_key: Placement | None = None
        self._ready: tuple[Placement, QImage] | None = None
        self._cache = QImage()
        self._hatch_key: tuple[int, int, float] | None = None
        self._hatched = QPixmap()
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
    def cursor_place(self) -> tuple[float, float] | None:
        """The place under the pointer, in pixels of the full picture; None outside it."""
        return self._place if self._cursor is not None else None

    @property
    def grid(self) -> bool:
        """Whether lines tell pixels apart once they are large."""
        return self._grid

    def set_grid(self, grid: bool) -> None:
        self._grid = grid
        self.update()

    def set_tools(self, *tools: CanvasTool) -> None:
        """Which drags measure: Shift for a box, Ctrl for a line."""
        self._tools = frozenset(tools)

    def set_pixel_text(self, pixel_text: PixelText) -> None:
        """What to write into pixels that are large enough for it."""
        self._pixel_text = pixel_text

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
            tool = _TOOLS.get(event.modifiers())
            left = event.button() is Qt.MouseButton.LeftButton
            if tool is not None and tool in self._tools and left and self._render is not None:
                self._measuring = (tool, *self._inside(event.position()))
                return
            self._drag_from = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._measuring is not None:
            self.measured.emit((*self._measuring, *self._inside(event.position())))
        elif self._drag_from is not None and self._render is not None:
            moved = event.position() - self._drag_from
            if not self.is_fitted or moved.manhattanLength() > 4:
                self._drag_from = event.position()
                self._set_view(self.view.panned(moved.x(), moved.y()))
        self._update_cursor(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag_from = self._measuring = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.fit()

    def leaveEvent(self, event: QEvent) -> None:
        self._pointer = None
        self._set_cursor(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.view_changed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
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
        ground = self._theme.tokens.picture
        place = None if self._render is None else self.sight.place(self._full, self._stored)
        if place is None or self._render is None:
            painter.fillRect(self.rect(), ground)
            return
        if self._ready is not None and self._ready[0] == place:
            self._cache_key, self._cache = self._ready
        if place != self._cache_key:
            self._cache = self._render(place.part, place.size)
            self._cache_key = place
        target = QRectF(*place.target)
        for strip in around(QRectF(self.rect()), target):
            painter.fillRect(strip, ground)
        if self._cache.hasAlphaChannel():
            # Transparent pixels are "no data": a dark hatch, never a colour of the map.
            painter.drawPixmap(target.topLeft(), self._hatch(target))
        if self._stale:
            if not self._cache.hasAlphaChannel():
                painter.fillRect(target, ground)
            draw_stale(painter, target, self._cache, QRectF(self._cache.rect()))
        elif self._lies_on_pixels(target):
            # In device pixels: then it is one copy, where scaling by 1 takes twice as long.
            ratio = self.devicePixelRatioF()
            painter.save()
            painter.scale(1 / ratio, 1 / ratio)
            painter.drawImage(QPoint(round(target.x() * ratio), round(target.y() * ratio)), self._cache)
            painter.restore()
        else:
            painter.drawImage(target, self._cache, QRectF(self._cache.rect()))
        if self._grid and self.view.scale * self.devicePixelRatioF() > GRID_FROM:
            self._paint_grid(painter)

    def _lies_on_pixels(self, target: QRectF) -> bool:
        """True where each pixel of the drawing is one of the screen."""
        ratio = self.devicePixelRatioF()
        x, y = target.x() * ratio, target.y() * ratio
        return (
            x == round(x)
            and y == round(y)
            and abs(target.width() * ratio - self._cache.width()) < 1e-6
            and abs(target.height() * ratio - self._cache.height()) < 1e-6
        )

    def _hatch(self, target: QRectF) -> QPixmap:
        """The hatch of a whole picture, kept: filling with a brush anew takes longer than the picture."""
        ratio = self.devicePixelRatioF()
        # No larger than the widget: whoever zooms in sees no more of it.
        width = min(math.ceil(target.width() * ratio), 2 * math.ceil(self.width() * ratio))
        height = min(math.ceil(target.height() * ratio), 2 * math.ceil(self.height() * ratio))
        key = (width, height, ratio)
        if self._hatch_key != key:
            tokens = self._theme.on_picture
            self._hatch_key, self._hatched = key, QPixmap(max(1, width), max(1, height))
            self._hatched.setDevicePixelRatio(ratio)
            self._hatched.fill(tokens.bg0)
            with painting(self._hatched) as painter:
                everything = QRectF(0, 0, width / ratio, height / ratio)
                painter.fillRect(everything, hatch_brush(tokens.line2, spacing=8, width=1.0, ratio=ratio))
        return self._hatched

    def _paint_grid(self, painter: QPainter) -> None:
        """Lines between pixels, dark beside light so that they show on anything; values where they fit."""
        view = self.view
        shown = view.visible(self._full, (self.width(), self.height()))
        if shown is None:
            return
        left, top, right, bottom = shown
        x0, y0 = view.to_widget(left, top)
        x1, y1 = view.to_widget(right, bottom)
        hair = 1 / self.devicePixelRatioF()
        for shift, colour in ((0.0, self._theme.on_picture.bg0), (hair, self._theme.on_picture.t3)):
            painter.setPen(QPen(with_alpha(colour, 0.45), 0))
            lines = [
                QLineF(x + shift, y0, x + shift, y1)
                for x in (view.to_widget(u, 0)[0] for u in range(left, right + 1))
            ]
            lines += [
                QLineF(x0, y + shift, x1, y + shift)
                for y in (view.to_widget(0, v)[1] for v in range(top, bottom + 1))
            ]
            painter.drawLines(lines)
        if self._pixel_text is not None and view.scale >= TEXT_FROM:
            self._paint_values(painter, shown)

    def _paint_values(self, painter: QPainter, shown: tuple[int, int, int, int]) -> None:
        view, font = self.view, number_font(11)
        assert self._pixel_text is not None
        painter.setFont(font)
        height = QFontMetrics(font).height()
        for v in range(shown[1], shown[3]):
            for u in range(shown[0], shown[2]):
                texts = self._pixel_text(u, v)
                if height * len(texts) > view.scale:
                    return
                x, y = view.to_widget(u + 0.5, v + 0.5)
                width = max((QFontMetrics(font).horizontalAdvance(text) for text in texts), default=0) + 6
                ground = QRectF(x - width / 2, y - height * len(texts) / 2, width, height * len(texts))
                painter.fillRect(ground, self._theme.on_picture.card)
                painter.setPen(self._theme.on_picture.t1)
                for number, text in enumerate(texts):
                    row = QRectF(ground.left(), ground.top() + number * height, width, height)
                    painter.drawText(row, Qt.AlignmentFlag.AlignCenter, text)

    def _inside(self, position: QPointF) -> tuple[float, float]:
        """The place of the picture nearest to a place in the widget."""
        u, v = self.view.to_picture(position.x(), position.y())
        return min(max(u, 0.0), float(self._full[0])), min(max(v, 0.0), float(self._full[1]))

    def _update_cursor(self, position: QPointF | None = None) -> None:
        position = self._pointer if position is None else position
        if position is None:
            return
        self._pointer = position
        u, v = self._place = self.view.to_picture(position.x(), position.y())
        inside = self._render is not None and 0 <= u < self._full[0] and 0 <= v < self._full[1]
        self._set_cursor((int(u), int(v)) if inside else None)

    def _set_cursor(self, pixel: tuple[int, int] | None) -> None:
        if pixel is not None or self._cursor is not None:
            self._cursor = pixel
            self.hovered.emit(pixel)
            self.update()


def around(area: QRectF, hole: QRectF) -> Iterator[QRectF]:
    """What of an area lies outside a rectangle in it, as up to four rectangles."""
    hole = hole.intersected(area)
    if hole.isEmpty():
        yield area
        return
    for strip in (
        QRectF(area.left(), area.top(), area.width(), hole.top() - area.top()),
        QRectF(area.left(), hole.bottom(), area.width(), area.bottom() - hole.bottom()),
        QRectF(area.left(), hole.top(), hole.left() - area.left(), hole.height()),
        QRectF(hole.right(), hole.top(), area.right() - hole.right(), hole.height()),
    ):
        if not strip.isEmpty():
            yield strip
