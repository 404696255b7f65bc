"""The stack of signal plots, and what wheel and drag on it mean."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from hfviewer.panels.drawing import draw_card, painting
from hfviewer.panels.signal_plot import SignalPlot
from hfviewer.panels.signal_title import SignalTitle
from hfviewer.panels.theme import Theme, ui_font

_WHEEL_STEP = 0.8
_NOTE_HEIGHT = 24


class SignalBody(QWidget):
    """Titles and plots, one below the other; the wheel zooms about the pointer, a drag pans."""

    view_moved = Signal(float, float, float)  # zoom factor, at which share of the width, pan by which share
    hovered = Signal(object)  # float share of the plots' width, or None
    fit_wanted = Signal()
    resized = Signal()
    channel_toggled = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.plots: list[SignalPlot] = []
        self.titles: list[SignalTitle] = []
        self._drag_x: float | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 4, 0, 2)
        self._column.setSpacing(0)
        self._note = _Note(theme, self)
        self.setMouseTracking(True)

    @property
    def note(self) -> str:
        return self._note.text

    def set_titles(self, titles: list[str]) -> None:
        """Make a plot for each title, in place of those before."""
        old: list[QWidget] = [*self.plots, *self.titles]
        for widget in old:
            self._column.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self.plots, self.titles = [], []
        for i, text in enumerate(titles):
            title = SignalTitle(text, self._theme, self)
            title.toggled.connect(self.channel_toggled)
            plot = SignalPlot(self._theme, has_time_axis=i == len(titles) - 1, parent=self)
            plot.resized.connect(self.resized)
            self._column.addWidget(title)
            self._column.addWidget(plot, 1)
            self.titles.append(title)
            self.plots.append(plot)
        self._note.raise_()

    def set_note(self, note: str) -> None:
        """One line in the corner, e.g. how much is loaded; nothing where it is empty."""
        self._note.say(note)

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        sideways = event.angleDelta().x() / 120
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            steps, sideways = 0.0, steps or sideways
        if steps:
            self.view_moved.emit(_WHEEL_STEP**steps, self._share_at(event.position().x()), 0.0)
        elif sideways:
            self.view_moved.emit(1.0, 0.5, -0.1 * sideways)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._drag_x = event.position().x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._drag_x is not None:
            share = self._share_at(self._drag_x) - self._share_at(x)
            self._drag_x = x
            if share:
                self.view_moved.emit(1.0, 0.5, share)
        else:
            self.hovered.emit(self._share_at(x) if self.plots else None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag_x = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.fit_wanted.emit()

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._note.move(12, self.height() - _NOTE_HEIGHT - 24)

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
            self.setToolTip(text)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            draw_card(painter, self.rect().toRectF(), self._theme.tokens)
            painter.setFont(ui_font(12))
            painter.setPen(self._theme.tokens.t2)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text)
