"""A panel's dock: its header is what one drags it by, and an outline shows the focus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QMoveEvent, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QWidget

from hfviewer.panels.base import StreamPanel
from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import Theme


class _Outline(QWidget):
    """Lies over the dock, lets every event through, and draws the focus."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self, smooth=True) as painter:
            painter.setPen(QPen(self._theme.tokens.accent, 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)


class PanelDock(QDockWidget):
    """Holds one stream panel.

    Qt calls a dock visible by where it lies when it is shown, and says no more when it moves: one that floats
    left of or above the first screen, or comes back from there, would stay without frames. So it looks again.

    Args:
        panel: to hold; its header becomes the dock's title bar.
        object_name: stable, so that a layout can be restored.
        theme: colours.
    """

    seen_changed = Signal(bool)  # it came into sight, or went out of it

    def __init__(
        self, panel: StreamPanel, object_name: str, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(panel.stream_name, parent)
        self.setObjectName(object_name)
        self.setAllowedAreas(Qt.DockWidgetArea.AllDockWidgetAreas)
        self.setTitleBarWidget(panel.header)
        self.setWidget(panel)
        self.panel = panel
        self._outline = _Outline(theme, self)
        self.installEventFilter(self)
        self._seen = False
        self._look = QTimer(self)
        self._look.setSingleShot(True)
        self._look.setInterval(0)  # once whatever moves docks about is done
        self._look.timeout.connect(self._look_again)
        self.visibilityChanged.connect(self._on_visibility_changed)
        self.topLevelChanged.connect(self._look.start)

    def set_focused(self, focused: bool) -> None:
        """Outline the dock whose stream "next frame" means."""
        self.panel.set_focused(focused)
        self._outline.setVisible(focused)
        self._outline.raise_()

    def _on_visibility_changed(self, visible: bool) -> None:
        self._tell(visible)
        self._look.start()

    def _look_again(self) -> None:
        if not self.window().isMinimized():
            self._tell(self.isVisible() and not self.visibleRegion().isEmpty())

    def _tell(self, seen: bool) -> None:
        if seen != self._seen:
            self._seen = seen
            self.seen_changed.emit(seen)

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._look.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._outline.setGeometry(self.rect())
        self._look.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ChildAdded:
            self._outline.raise_()
        return super().eventFilter(watched, event)
