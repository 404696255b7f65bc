"""The fixed docks around the panels: streams and episodes on the left, the timeline below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

LEFT_PX = 272
TALL_PX = 900  # from here on streams and episodes stand one below the other
_CHROME_PX = 120  # menu, transport, status bar and the gaps between docks


class FixedDocks:
    """Puts them into the window and keeps them in proportion.

    Args:
        window: to put them into.
        streams: what is open, and what is wrong with it.
        episodes: the list of the open collection.
        timeline: time, below all.
    """

    def __init__(self, window: QMainWindow, streams: QWidget, episodes: QWidget, timeline: QWidget) -> None:
        self._window = window
        self._listing = False  # a collection is open
        self._tall = False
        for corner in (Qt.Corner.BottomLeftCorner, Qt.Corner.BottomRightCorner):
            window.setCorner(corner, Qt.DockWidgetArea.BottomDockWidgetArea)
        window.setTabPosition(Qt.DockWidgetArea.LeftDockWidgetArea, QTabWidget.TabPosition.North)
        self._streams = self._add("Streams", streams, Qt.DockWidgetArea.LeftDockWidgetArea)
        self._episodes = self._add("Episodes", episodes, Qt.DockWidgetArea.LeftDockWidgetArea)
        self._timeline = self._add("Timeline", timeline, Qt.DockWidgetArea.BottomDockWidgetArea)

    def show(self, *, recording: bool, collection: bool) -> None:
        """Show what belongs to a recording, or a collection, that is open."""
        self._listing = collection
        # Between two episodes the docks stay: nothing may jump while one steps through a folder.
        self._streams.setVisible(recording or collection)
        self._timeline.setVisible(recording or collection)
        self._episodes.setVisible(collection)

    def fit(self) -> None:
        """Give the timeline the height of its lanes, but never more than three tenths of the window."""
        self._place_episodes()
        whole_px, lanes_px = self._window.height(), self._timeline.widget().sizeHint().height()
        timeline_px = min(lanes_px, whole_px * 3 // 10)
        self._window.resizeDocks([self._timeline], [timeline_px], Qt.Orientation.Vertical)
        self._window.resizeDocks([self._streams], [LEFT_PX], Qt.Orientation.Horizontal)
        if self._tall and self._listing:
            room_px = whole_px - timeline_px - _CHROME_PX
            heights = [room_px * 11 // 20, room_px * 9 // 20]
            self._window.resizeDocks([self._streams, self._episodes], heights, Qt.Orientation.Vertical)

    def follow_height(self) -> None:
        """The window has another height."""
        if self._tall is not (self._window.height() >= TALL_PX):
            self._place_episodes()

    def raise_episodes(self) -> None:
        """Bring the list of episodes in front of the streams, where both share the room."""
        self._episodes.raise_()

    def _place_episodes(self) -> None:
        """Episodes below the streams in a high window, behind a tab in a low one."""
        self._tall = self._window.height() >= TALL_PX
        if self._tall:
            self._window.splitDockWidget(self._streams, self._episodes, Qt.Orientation.Vertical)
        else:
            self._window.tabifyDockWidget(self._streams, self._episodes)
        if self._listing:
            self.raise_episodes()

    def _add(self, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(f"dock/{title}")
        dock.setTitleBarWidget(QWidget(dock))
        dock.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        dock.setWidget(widget)
        self._window.addDockWidget(area, dock)
        return dock
