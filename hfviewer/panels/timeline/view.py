"""The timeline as the main window holds it: header, canvas and scroll bar."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QHBoxLayout, QMenu, QScrollBar, QVBoxLayout, QWidget

from hfviewer.core.recording import Recording
from hfviewer.core.time_format import elapsed_text
from hfviewer.core.time_text import NS_PER_S
from hfviewer.core.window import TimeWindow
from hfviewer.model.workspace import Workspace
from hfviewer.panels.theme import Theme
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.canvas import TimelineCanvas
from hfviewer.panels.timeline.gap_search import FoundGap, framing, gap_beyond
from hfviewer.panels.timeline.header import HEADER_PX, TimelineHeader
from hfviewer.panels.timeline.hover import ThumbnailSource
from hfviewer.panels.timeline.lane_menu import fill_lane_menu
from hfviewer.panels.timeline.layout import LANE_PX

ZOOM_STEP = 1.6
_PAGE_PERCENT = 75  # the keys move the view by so much


class TimelineView(QWidget):
    """Every stream of the recording on one axis of time.

    It follows the workspace by itself; `set_recording` need not be called for that.

    Args:
        workspace: what is open, its playhead and the stream in focus.
        theme: the tokens in force.
        parent: as in Qt.
    """

    gap_wanted = Signal(int)  # 1: the next, −1: the previous
    finding_clicked = Signal(object)  # Finding

    def __init__(self, workspace: Workspace, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace, self._theme = workspace, theme
        self._canvas = TimelineCanvas(workspace, theme)
        self._scroll = QScrollBar(Qt.Orientation.Vertical)
        self._scroll.setSingleStep(LANE_PX)
        self._scroll.valueChanged.connect(self._canvas.scroll_to)
        self._header = TimelineHeader(theme)
        self._header.set_snapping(workspace.snapping)
        self._build()
        self._header.pressed.connect(self._on_pressed)
        self._header.snap_toggled.connect(workspace.set_snapping)
        self._header.show_hidden_wanted.connect(self._canvas.arrangement.show_all)
        workspace.snapping_changed.connect(self._header.set_snapping)
        self._canvas.axis_changed.connect(self._on_axis_changed)
        self._canvas.lanes_changed.connect(self._on_lanes_changed)
        self._canvas.arrangement.arranged.connect(self._on_lanes_changed)
        self._canvas.finding_clicked.connect(self.finding_clicked)
        self._canvas.lane_menu_wanted.connect(self._open_lane_menu)
        workspace.recording_changed.connect(self.set_recording)
        self.set_recording(workspace.recording)

    @property
    def canvas(self) -> TimelineCanvas:
        return self._canvas

    @property
    def header(self) -> TimelineHeader:
        return self._header

    @property
    def view(self) -> TimeWindow | None:
        """The span of time that is shown."""
        return None if self._canvas.axis is None else self._canvas.axis.view

    def set_recording(self, recording: Recording | None) -> None:
        """Show the streams of a recording, all of it in view; None empties the timeline."""
        self._canvas.set_recording(recording)
        self._header.set_open(self._canvas.axis is not None)
        self._on_lanes_changed()

    def set_thumbnails(self, source: ThumbnailSource | None) -> None:
        """Where the hover card's small pictures come from: (stream, index) → picture, None if not at hand."""
        self._canvas.set_thumbnails(source)

    def zoom(self, factor: float) -> None:
        """Zoom about the playhead, or about the middle while that is out of view.

        Args:
            factor: above 1 zooms in.
        """
        axis = self._canvas.axis
        if axis is None:
            return
        position_ns = self._workspace.playhead.position_ns
        if position_ns in axis.view:
            self._canvas.set_axis(axis.zoomed_about(position_ns, factor))
        else:
            self._canvas.set_axis(axis.zoomed(axis.width_px // 2, factor))

    def fit(self) -> None:
        """Show all of the recording."""
        if self._canvas.axis is not None:
            self._canvas.set_axis(self._canvas.axis.fitted())

    def turn_page(self, pages: int) -> None:
        """Move the view by most of its length, without the playhead."""
        axis = self._canvas.axis
        if axis is not None:
            moved_ns = pages * axis.view.duration_ns * _PAGE_PERCENT // 100
            self._canvas.set_axis(axis.starting_at(axis.view.start_ns + moved_ns))

    def show_time(self, time_ns: int) -> None:
        """Bring a time into view, without changing the zoom.

        From just beyond an edge the view moves on by a page; from farther away the time comes to the middle.
        """
        axis = self._canvas.axis
        if axis is None or time_ns in axis.view:
            return
        self._canvas.set_axis(axis.bringing(time_ns, _landing_percent(axis, time_ns)))

    def frame(self, start_ns: int, end_ns: int, stream: str | None) -> None:
        """Show a span in the middle of the view, with some frames of its stream around it."""
        lane = self._canvas.arrangement.lane(stream)
        if self._canvas.axis is not None:
            period_ns = None if lane is None else lane.period_ns
            self._canvas.set_axis(framing(self._canvas.axis, start_ns, max(start_ns, end_ns), period_ns))

    def gap_beyond(self, direction: int) -> FoundGap | None:
        """The nearest gap of the lanes shown, later than the playhead or earlier."""
        row = self._canvas.arrangement.row_of(self._workspace.focused)
        position_ns = self._workspace.playhead.position_ns
        return gap_beyond(self._canvas.lanes, position_ns, row, forward=direction > 0)

    def sizeHint(self) -> QSize:
        return self._canvas.sizeHint() + QSize(0, HEADER_PX)

    def _build(self) -> None:
        body = QHBoxLayout()
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self._canvas, 1)
        body.addWidget(self._scroll)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addLayout(body, 1)

    def _on_pressed(self, name: str) -> None:
        playhead = self._workspace.playhead
        match name:
            case "in":
                playhead.set_range(playhead.position_ns, playhead.out_ns)
            case "out":
                playhead.set_range(playhead.in_ns, playhead.position_ns)
            case "gap-previous" | "gap-next":
                self.gap_wanted.emit(1 if name == "gap-next" else -1)
            case "lanes":
                self._open_lane_menu(self._workspace.focused, QCursor.pos())
            case "fit":
                self.fit()
            case _:
                self.zoom(ZOOM_STEP if name == "plus" else 1 / ZOOM_STEP)

    def _open_lane_menu(self, name: str | None, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_lane_menu(menu, self._canvas, name)
        menu.popup(place)

    def _on_axis_changed(self) -> None:
        axis = self._canvas.axis
        self._header.set_span_text("" if axis is None else span_text(axis))

    def _on_lanes_changed(self) -> None:
        parts = self._canvas.parts
        blocked = self._scroll.blockSignals(True)
        self._scroll.setRange(0, parts.max_scroll_px)
        self._scroll.setPageStep(max(1, parts.lanes_rect.height()))
        self._scroll.setValue(parts.scroll_px)
        self._scroll.blockSignals(blocked)
        self._scroll.setVisible(parts.max_scroll_px > 0)
        lanes = self._canvas.arrangement
        self._header.set_hidden_lanes(len(lanes.hidden), empty=lanes.hides_only_empty)


def span_text(axis: TimeAxis) -> str:
    """``8.20 s of 65.51 s``: how much is shown of how much there is."""
    return f"{_length_text(axis.view.duration_ns)} of {_length_text(axis.span.duration_ns)}"


def _length_text(duration_ns: int) -> str:
    if duration_ns >= 600 * NS_PER_S:
        return elapsed_text(duration_ns, decimals=0, clock=True)
    if duration_ns >= NS_PER_S - 5_000:  # rounds to 1.00 s
        return f"{duration_ns / 1e9:.2f} s"
    if duration_ns >= 1_000_000:
        return f"{duration_ns / 1e6:.2f} ms"
    return f"{duration_ns / 1e3:.2f} µs"


def _landing_percent(axis: TimeAxis, time_ns: int) -> int:
    duration_ns = axis.view.duration_ns
    if 0 <= time_ns - axis.view.stop_ns < duration_ns:
        return 10
    return 90 if 0 < axis.view.start_ns - time_ns < duration_ns else 50
