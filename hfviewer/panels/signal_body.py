"""The stack of signal plots, and what wheel, drag and clicks on it mean."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QEvent, QMimeData, QPointF, Qt, Signal
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDropEvent,
    QFontMetrics,
    QMouseEvent,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from hfviewer.panels.drawing import draw_card, painting
from hfviewer.panels.signal_plot import SignalPlot
from hfviewer.panels.signal_spectrum import SpectrumPlot
from hfviewer.panels.signal_table import SignalTable
from hfviewer.panels.signal_title import SignalTitle
from hfviewer.panels.theme import Theme, ui_font
from hfviewer.panels.tips import plain_tip

MIME = "application/x-hfviewer-channel"
_WHEEL_STEP = 0.8
_NOTE_HEIGHT = 24
_CURSOR_PX = 5  # a press this near to a cursor takes hold of it


class SignalBody(QWidget):
    """Titles and plots, one below the other; the wheel zooms about the pointer, a drag pans.

    With Ctrl the wheel zooms values instead of time. Shift and a click set a cursor; a cursor can be dragged.
    """

    view_moved = Signal(float, float, float)  # zoom factor, at which share of the width, pan by which share
    values_zoomed = Signal(int, float, float)  # number of the plot, factor, at which share of its height
    hovered = Signal(object)  # float share of the plots' width, or None
    cursor_wanted = Signal(float)  # a cursor was asked for at this share of the width
    cursor_dragged = Signal(str, float)  # letter of a cursor, and to which share of the width
    fit_wanted = Signal()
    resized = Signal()
    pressed = Signal()
    channel_toggled = Signal(int)
    channel_dropped = Signal(object, int)  # the body that it comes from, number of the channel there

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.plots: list[SignalPlot] = []
        self.titles: list[SignalTitle] = []
        self._drag_x: float | None = None
        self._held: str | None = None  # letter of the cursor that is dragged
        self._cursor_shares: list[tuple[str, float]] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 2)
        column.setSpacing(0)
        self._stack = QVBoxLayout()
        self._stack.setSpacing(0)
        column.addLayout(self._stack, 3)
        self.spectrum, self.table = SpectrumPlot(theme, self), SignalTable(theme, self)
        column.addWidget(self.spectrum, 2)
        column.addWidget(self.table)
        self._note = _Note(theme, self)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)

    @property
    def note(self) -> str:
        return self._note.text

    def set_titles(self, titles: list[str]) -> None:
        """Make a plot for each title, in place of those before."""
        old: list[QWidget] = [*self.plots, *self.titles]
        for widget in old:
            self._stack.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self.plots, self.titles = [], []
        for i, text in enumerate(titles):
            title = SignalTitle(text, self._theme, self)
            title.toggled.connect(self.channel_toggled)
            title.pressed.connect(self.pressed)
            title.drag_wanted.connect(self._drag_channel)
            plot = SignalPlot(self._theme, has_time_axis=i == len(titles) - 1, parent=self)
            plot.resized.connect(self._place_note)
            plot.resized.connect(self.resized)
            self._stack.addWidget(title)
            self._stack.addWidget(plot, 1)
            self.titles.append(title)
            self.plots.append(plot)
        self._note.raise_()

    def room_for_plots(self, least_px: int) -> int:
        """How many plots of at least this height, titles included, there is room for; never none."""
        return (
            max(1, self._stack.geometry().height() // least_px) if self._stack.geometry().height() else 1_000
        )

    @property
    def plots_bottom(self) -> int:
        """Where what is below the plots begins."""
        return self._stack.geometry().bottom() + 1

    def set_note(self, note: str) -> None:
        """One line in the corner, e.g. how much is loaded; nothing where it is empty."""
        self._note.say(note)

    def set_cursor_shares(self, shares: list[tuple[str, float]]) -> None:
        """Where cursors lie in the plots' width, so that they can be taken hold of."""
        self._cursor_shares = shares

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        sideways = event.angleDelta().x() / 120
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._zoom_values(event.position(), steps)
        else:
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                steps, sideways = 0.0, steps or sideways
            if steps:
                self.view_moved.emit(_WHEEL_STEP**steps, self._share_at(event.position().x()), 0.0)
            elif sideways:
                self.view_moved.emit(1.0, 0.5, -0.1 * sideways)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        left = event.button() is Qt.MouseButton.LeftButton
        if left and event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self.plots:
            self.cursor_wanted.emit(self._share_at(x))
        elif left and (held := self._cursor_at(x)) is not None:
            self._held = held
        elif event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._drag_x = x

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._held is not None:
            self.cursor_dragged.emit(self._held, self._share_at(x))
        elif self._drag_x is not None:
            share = self._share_at(self._drag_x) - self._share_at(x)
            self._drag_x = x
            if share:
                self.view_moved.emit(1.0, 0.5, share)
        else:
            near = self._cursor_at(x) is not None
            self.setCursor(Qt.CursorShape.SplitHCursor if near else Qt.CursorShape.ArrowCursor)
            self.hovered.emit(self._share_at(x) if self.plots else None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag_x = self._held = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.fit_wanted.emit()

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_note()

    def _place_note(self) -> None:
        self._note.move(12, self._stack.geometry().bottom() - _NOTE_HEIGHT - 22)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(MIME) and isinstance(event.source(), SignalBody):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        source = event.source()
        if isinstance(source, SignalBody) and source is not self:
            number = int(bytes(event.mimeData().data(MIME).data()).decode("ascii"))
            event.acceptProposedAction()
            self.channel_dropped.emit(source, number)

    def _drag_channel(self, number: int) -> None:
        drag, data = QDrag(self), QMimeData()
        data.setData(MIME, QByteArray(str(number).encode("ascii")))
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)

    def _zoom_values(self, place: QPointF, steps: float) -> None:
        for number, plot in enumerate(self.plots):
            if steps and plot.geometry().contains(place.toPoint()):
                rect = plot.plot_rect()
                share = (rect.bottom() - (place.y() - plot.y())) / max(1, rect.height())
                self.values_zoomed.emit(number, _WHEEL_STEP**steps, min(1.0, max(0.0, share)))

    def _cursor_at(self, x: float) -> str | None:
        """The cursor that is near enough to be taken hold of."""
        if not self.plots:
            return None
        width = max(1, self.plots[0].plot_rect().width())
        near = [
            (abs(share - self._share_at(x)) * width, letter)
            for letter, share in self._cursor_shares
            if 0 <= share <= 1
        ]
        distance, letter = min(near, default=(_CURSOR_PX + 1.0, ""))
        return letter if distance <= _CURSOR_PX else None

    def _share_at(self, x: float) -> float:
        """Where a pixel lies in the plots' width, 0 … 1."""
        if not self.plots:
            return 0.5
        rect = self.plots[0].plot_rect()
        left = self.plots[0].x() + rect.left()
        return float(min(1.0, max(0.0, (x - left) / max(1, rect.width()))))


class _Note(QWidget):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        theme.changed.connect(self.update)

    def say(self, text: str) -> None:
        if text != self.text:
            self.text = text
            self.setFixedSize(QFontMetrics(ui_font(12)).horizontalAdvance(text) + 20, _NOTE_HEIGHT)
            self.setVisible(bool(text))
            self.setToolTip(plain_tip(text))
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            draw_card(painter, self.rect().toRectF(), self._theme.tokens)
            painter.setFont(ui_font(12))
            painter.setPen(self._theme.tokens.t2)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text)
