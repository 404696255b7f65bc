"""The window that holds the page of timing; keys go on driving the main window while it is in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from hfviewer.model.workspace import Workspace
from hfviewer.panels.own_keys import claims
from hfviewer.panels.theme import Theme
from hfviewer.panels.timeline.view import TimelineView

if TYPE_CHECKING:
    from hfviewer.panels.timing.page import TimingPage

_SIZE = QSize(920, 760)


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
        self._workspace, self._timeline, self._theme = workspace, timeline, theme
        self._page: TimingPage | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.resize(_SIZE)
        timeline.canvas.axis_changed.connect(self._follow)

    @property
    def page(self) -> TimingPage:
        """Made when it is first wanted: what draws its plots takes long to import."""
        if self._page is None:
            from hfviewer.panels.timing.page import TimingPage

            self._page = TimingPage(self._workspace, self._theme)
            self._column.addWidget(self._page)
        return self._page

    def close_worker(self) -> None:
        """Let no more be worked out."""
        if self._page is not None:
            self._page.close_worker()

    def toggle(self) -> None:
        """Show it, or hide it."""
        if self.isVisible():
            self.hide()
        else:
            self.page.set_linked_view(self._timeline.view)
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
        if self._page is not None:
            self._page.set_linked_view(self._timeline.view)
