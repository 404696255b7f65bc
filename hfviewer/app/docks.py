"""The fixed docks around the panels: streams and episodes on the left, findings right, the timeline below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

from hfviewer.panels.timeline.view import TimelineView

LEFT_PX = 272
RIGHT_PX = 320
WIDE_PX = 1500  # from here on findings have a place of their own
TALL_PX = 900  # from here on streams and episodes stand one below the other
_CHROME_PX = 120  # menu, transport, status bar and the gaps between docks


class FixedDocks:
    """Puts them into the window and keeps them in proportion.

    Args:
        window: to put them into.
        streams: what is open, and what is wrong with it.
        episodes: the list of the open collection.
        labels: the labels of what is open.
        findings: what is wrong with what is open.
        timeline: time, below all.
    """

    def __init__(
        self,
        window: QMainWindow,
        streams: QWidget,
        episodes: QWidget,
        labels: QWidget,
        findings: QWidget,
        timeline: TimelineView,
    ) -> None:
        self._window = window
        self._listing = False  # a collection is open
        self._opened = False  # anything is
        self._tall = self._wide = False
        self._shows_findings = True
        self._shows_labels = False
        for corner in (Qt.Corner.BottomLeftCorner, Qt.Corner.BottomRightCorner):
            window.setCorner(corner, Qt.DockWidgetArea.BottomDockWidgetArea)
        for side in (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea):
            window.setTabPosition(side, QTabWidget.TabPosition.North)
        self._streams = self._add("Streams", streams, Qt.DockWidgetArea.LeftDockWidgetArea)
        self._episodes = self._add("Episodes", episodes, Qt.DockWidgetArea.LeftDockWidgetArea)
        self._labels = self._add("Labels", labels, Qt.DockWidgetArea.LeftDockWidgetArea)
        self._findings = self._add("Findings", findings, Qt.DockWidgetArea.LeftDockWidgetArea)
        self._time = timeline
        self._timeline = self._add("Timeline", timeline, Qt.DockWidgetArea.BottomDockWidgetArea)

    def show(self, *, recording: bool, collection: bool) -> None:
        """Show what belongs to a recording, or a collection, that is open."""
        self._listing = collection
        # Between two episodes the docks stay: nothing may jump while one steps through a folder.
        self._streams.setVisible(recording or collection)
        self._timeline.setVisible(recording or collection)
        self._episodes.setVisible(collection)
        self._opened = recording or collection
        self._findings.setVisible(self._opened and self._shows_findings)
        self._labels.setVisible(self._opened and self._shows_labels)

    def show_labels(self, shown: bool) -> None:
        """Show the labels, or hide them."""
        if shown != self._shows_labels:
            self._shows_labels = shown
            self.fit()
        if shown:
            self._labels.raise_()

    def toggle_labels(self) -> None:
        """Hide the labels, or bring them into sight."""
        in_sight = self._labels.isVisible() and not self._labels.visibleRegion().isEmpty()
        self.show_labels(not in_sight)

    def fit(self) -> None:
        """Give the timeline the height of its lanes, but not more than its share of the window."""
        self._place_findings()
        self._place_episodes()
        timeline_px = self._fit_timeline()
        self._window.resizeDocks([self._streams], [LEFT_PX], Qt.Orientation.Horizontal)
        if self._wide:
            self._window.resizeDocks([self._findings], [RIGHT_PX], Qt.Orientation.Horizontal)
        if self._wide and self._tall and self._shows_labels:
            room_px = self._window.height() - timeline_px - _CHROME_PX
            heights = [room_px * 13 // 20, room_px * 7 // 20]
            self._window.resizeDocks([self._labels, self._findings], heights, Qt.Orientation.Vertical)
        if self._tall and self._listing:
            room_px = self._window.height() - timeline_px - _CHROME_PX
            heights = [room_px * 11 // 20, room_px * 9 // 20]
            self._window.resizeDocks([self._streams, self._episodes], heights, Qt.Orientation.Vertical)

    def follow_size(self) -> None:
        """The window has another size."""
        if self._wide is not (self._window.width() >= WIDE_PX):
            self._place_findings()
        if self._tall is not (self._window.height() >= TALL_PX):
            self._place_episodes()
            self._fit_timeline()  # what was high enough for a low window is little in a high one

    def raise_episodes(self) -> None:
        """Bring the list of episodes in front of the streams, where both share the room."""
        self._episodes.raise_()

    def raise_findings(self) -> None:
        """Bring the findings into sight."""
        self._shows_findings = True
        self._shows_labels = False
        self._findings.setVisible(self._opened)
        self._findings.raise_()

    def toggle_findings(self) -> None:
        """Hide the findings, or bring them into sight."""
        in_sight = self._findings.isVisible() and not self._findings.visibleRegion().isEmpty()
        if in_sight and self._wide:
            self._shows_findings = False
            self._findings.hide()
        elif in_sight:
            self._streams.raise_()
        else:
            self.raise_findings()
            self._place_findings()

    def count_findings(self, count: int) -> None:
        """Say on the tab how many there are: where it is behind another one, they are not forgotten."""
        self._findings.setWindowTitle(f"Findings {count}" if count else "Findings")

    def _fit_timeline(self) -> int:
        """Give it the height of its lanes, or three tenths of the window; gives back how much.

        Tracks of labels come on top of that, up to an eighth: who labels must see where.
        """
        height_px = self._window.height()
        most_px = height_px * 3 // 10 + min(self._time.canvas.tracks_px, height_px // 8)
        timeline_px = min(self._time.sizeHint().height(), most_px)
        self._window.resizeDocks([self._timeline], [timeline_px], Qt.Orientation.Vertical)
        return timeline_px

    def _place_findings(self) -> None:
        """Findings on the right of a wide window, behind a tab in a narrow one."""
        self._wide = self._window.width() >= WIDE_PX
        if self._wide:
            self._window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self._labels)
            if self._window.height() >= TALL_PX:
                self._window.splitDockWidget(self._labels, self._findings, Qt.Orientation.Vertical)
            else:
                self._window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self._findings)
                self._window.tabifyDockWidget(self._labels, self._findings)
            self._window.resizeDocks([self._findings], [RIGHT_PX], Qt.Orientation.Horizontal)
        else:
            for dock in (self._labels, self._findings):
                self._window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
                self._window.tabifyDockWidget(self._streams, dock)
            self._streams.raise_()
        self._findings.setVisible(self._opened and self._shows_findings)
        self._labels.setVisible(self._opened and self._shows_labels)

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
        widget.setProperty("docked", True)  # the style sheet gives it the ground of a panel
        widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        dock.setWidget(widget)
        self._window.addDockWidget(area, dock)
        return dock
