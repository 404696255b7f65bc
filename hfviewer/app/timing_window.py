"""The window that holds the page of timing; keys go on driving the main window while it is in front."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from hfviewer.model.workspace import Workspace
from hfviewer.panels.own_keys import claims
from hfviewer.panels.theme import Theme
from hfviewer.panels.timeline.view import TimelineView
from hfviewer.panels.timing.page import TimingPage


class TimingWindow(QWidget):
    """A tool window of the main window: shortcuts of that one work in it, too.

    Args:
        window: the main window.
        workspace: what is open.
        timeline: whose view the page can follow.
        theme: the tokens in force.
    """

    def __init__(
        self, window: QMainWindow, workspace: Workspace, timeline: TimelineView, theme: Theme
    ) -> None:
        super().__init__(window, Qt.WindowType.Tool)
        self.setWindowTitle("Timing")
        self.page = TimingPage(workspace, theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.page)
        self.resize(self.page.sizeHint())
        self._timeline = timeline
        timeline.canvas.axis_changed.connect(self._follow)

    def toggle(self) -> None:
        """Show it, or hide it."""
        if self.isVisible():
            self.hide()
        else:
            self._follow()
            self.show()
            self.raise_()

    def event(self, event: QEvent) -> bool:
        return claims(event, (Qt.Key.Key_Escape,)) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        parent = self.parentWidget()
        if parent is not None:
            parent.activateWindow()

    def _follow(self) -> None:
        self.page.set_linked_view(self._timeline.view)
