"""Parts of the plots of the page of timing: their head, their axes, and how the mouse works in them.

Drawn by pyqtgraph, which takes a third of a second to import: import this only when the page opens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyqtgraph as pg
from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QGraphicsItem, QGraphicsRectItem, QSizePolicy, QWidget

from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.panels.ticks import tick_texts
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.ruler import Ruler

LEFT_PX, RIGHT_PX = 68, 16
_HEAD_PX, _TOP_PX, _BOTTOM_PX = 22, 8, 22
_BEYOND_PX = RIGHT_PX - 1.0  # how far labels may stand out
_VALUE_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_VALUE_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight

pg.setConfigOptions(exitCleanup=False)  # it would walk through every object of the process


class PlotHead(QWidget):
    """Title and note on the left, what lies under the pointer on the right."""

    def __init__(self, title: str, theme: Theme) -> None:
        super().__init__()
        self._title, self._theme, self._note, self.read_out = title, theme, "", ""
        self._title_font, self._note_font, self._font = ui_font(12, 600), ui_font(12), number_font(11)
        self.setFixedHeight(_HEAD_PX)
        theme.changed.connect(self.update)

    def set_note(self, note: str) -> None:
        """One line beside the title."""
        self._note = note
        self.update()

    def tell(self, text: str) -> None:
        """What lies under the pointer."""
        if text != self.read_out:
            self.read_out = text
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens, head = self._theme.tokens, QRect(LEFT_PX, 4, self.width() - LEFT_PX - RIGHT_PX, _HEAD_PX)
        with painting(self) as painter:
            painter.fillRect(self.rect(), tokens.bg1)
            painter.setFont(self._title_font)
            painter.setPen(tokens.t1)
            painter.drawText(head, _VALUE_LEFT, self._title)
            shift = painter.fontMetrics().horizontalAdvance(self._title) + 12
            painter.setFont(self._font)
            read_px = painter.fontMetrics().horizontalAdvance(self.read_out) + 12
            painter.drawText(head, _VALUE_RIGHT, self.read_out)
            painter.setFont(self._note_font)
            painter.setPen(tokens.t3)
            room = head.adjusted(shift, 0, -read_px, 0)
            note = painter.fontMetrics().elidedText(
                self._note, Qt.TextElideMode.ElideRight, max(0, room.width())
            )
            painter.drawText(room, _VALUE_LEFT, note)


class _Axis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types: its classes are Any
    """Grid lines, and labels that may stand out beyond the ends."""

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.setStyle(maxTickLevel=0, tickLength=0, hideOverlappingLabels=False)
        self.enableAutoSIPrefix(False)
        self.setTickFont(number_font(11))

    def boundingRect(self) -> QRectF:
        rect: QRectF = super().boundingRect()
        return rect.adjusted(-_BEYOND_PX, -_BEYOND_PX, _BEYOND_PX, _BEYOND_PX)


class ValueAxis(_Axis):
    """Ticks written as elsewhere: a true minus, as many decimals as they need.

    Args:
        side: ``left`` or ``bottom``.
        signed: True to write + before positive numbers.
    """

    def __init__(self, side: str, *, signed: bool = False) -> None:
        super().__init__(side)
        self._signed = signed

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        return list(super().tickValues(low, high, size)[:1])  # the finer ones have no label

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return tick_texts([float(value) for value in values], spacing, signed=self._signed)


class ClockAxis(_Axis):
    """Ticks where the timeline has them. The plot counts seconds; these are exact.

    Args:
        ruler: gives what is shown, its ruler, and the place of a time in the plot.
    """

    def __init__(
        self, ruler: Callable[[], tuple[TimeAxis, Ruler] | None], place: Callable[[int], float]
    ) -> None:
        super().__init__("bottom")
        self._ruler, self._place = ruler, place
        self._texts: dict[float, str] = {}

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        known = self._ruler()
        if known is None:
            return []
        axis, ruler = known
        self._texts = {self._place(at_ns): ruler.label(at_ns) for at_ns in ruler.labelled(axis.view)}
        return [(ruler.step_ns / 1e9, list(self._texts))]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return [self._texts.get(value, "") for value in values]


class PlotArea(pg.PlotWidget):  # type: ignore[misc]  # as above
    """pyqtgraph's plot in the colours of the theme; it takes no focus: keys go on driving the window.

    The wheel, and a drag with the middle or right button, zoom and pan along x as in pyqtgraph. Where the
    plot `scrubs`, a press of the left one is told and goes no further. The menu is the plot's own.
    """

    pressed = Signal(object)  # QPoint
    hovered = Signal(object)  # QPoint
    left = Signal()
    menu_wanted = Signal(object)  # QPoint on the screen

    def __init__(self, theme: Theme, *, bottom: pg.AxisItem, left: pg.AxisItem, scrubs: bool) -> None:
        super().__init__(axisItems={"bottom": bottom, "left": left}, enableMenu=False)
        self._theme, self._scrubs = theme, scrubs
        self._axes = (bottom, left)
        item = self.getPlotItem()
        item.hideButtons()
        item.layout.setContentsMargins(0, _TOP_PX, RIGHT_PX, 0)
        self.box = item.getViewBox()
        self.box.setMouseEnabled(x=True, y=False)
        self.box.disableAutoRange()
        self.box.setDefaultPadding(0)
        for axis in self._axes:
            axis.setZValue(-1000)  # its grid goes below the data
        left.setWidth(LEFT_PX)
        bottom.setHeight(_BOTTOM_PX)
        self._ground = QGraphicsRectItem(item)
        self._ground.setFlag(QGraphicsItem.GraphicsItemFlag.ItemNegativeZStacksBehindParent)  # as axes do
        self._ground.setZValue(-2000)  # below the grid, which lies below the data
        self._ground.setPen(Qt.PenStyle.NoPen)
        self.box.sigResized.connect(self._lay_ground)
        self.scene().sigMouseClicked.connect(self._on_clicked)
        for widget in (self, self.viewport()):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumHeight(80)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.restyle)
        self.restyle()

    @property
    def area(self) -> QRect:
        """Where the data is drawn, within this widget."""
        rect: QRect = self.box.sceneBoundingRect().toAlignedRect()
        return rect

    def restyle(self) -> None:
        """Take the colours of the theme."""
        tokens = self._theme.tokens
        self.setBackground(tokens.bg1)
        self._ground.setBrush(tokens.bg0)
        for axis in self._axes:
            axis.setPen(pg.mkPen(None))
            axis.setTickPen(pg.mkPen(tokens.line))
            axis.setTextPen(pg.mkPen(tokens.t3))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        if self._scrubs and event.button() is Qt.MouseButton.LeftButton:
            if self.area.contains(at):
                self.pressed.emit(at)
            event.accept()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        self.hovered.emit(at)
        if not (self._scrubs and event.buttons() & Qt.MouseButton.LeftButton):
            super().mouseMoveEvent(event)
        elif self.area.contains(at):
            self.pressed.emit(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not (self._scrubs and event.button() is Qt.MouseButton.LeftButton):
            super().mouseReleaseEvent(event)

    def leaveEvent(self, event: object) -> None:
        super().leaveEvent(event)
        self.left.emit()

    def _on_clicked(self, event: object) -> None:
        if event.button() is Qt.MouseButton.RightButton:  # type: ignore[attr-defined]
            self.menu_wanted.emit(event.screenPos().toPoint())  # type: ignore[attr-defined]

    def _lay_ground(self) -> None:
        self._ground.setRect(self.box.geometry())
