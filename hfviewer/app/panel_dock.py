"""A panel's dock: its header is what one drags it by, and an outline shows the focus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QPaintEvent, QPen, QResizeEvent
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

    Args:
        panel: to hold; its header becomes the dock's title bar.
        object_name: stable, so that a layout can be restored.
        theme: colours.
    """

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

    def set_focused(self, focused: bool) -> None:
        """Outline the dock whose stream "next frame" means."""
        self.panel.set_focused(focused)
        self._outline.setVisible(focused)
        self._outline.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._outline.setGeometry(self.rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ChildAdded:
            self._outline.raise_()
        return super().eventFilter(watched, event)
