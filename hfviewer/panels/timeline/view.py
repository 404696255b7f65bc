"""The timeline as the main window holds it: header, canvas and scroll bar."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollBar, QToolButton, QVBoxLayout, QWidget

from hfviewer.core.recording import Recording
from hfviewer.core.time_format import elapsed_text
from hfviewer.core.time_text import NS_PER_S
from hfviewer.core.window import TimeWindow
from hfviewer.model.workspace import Workspace
from hfviewer.panels.theme import Theme, icon, number_font, ui_font
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.canvas import TimelineCanvas
from hfviewer.panels.timeline.hover import ThumbnailSource
from hfviewer.panels.timeline.layout import LANE_PX

HEADER_PX = 36
ZOOM_STEP = 1.6
_BUTTON_PX = 26


class TimelineView(QWidget):
    """Every stream of the recording on one axis of time.

    It follows the workspace by itself; `set_recording` need not be called for that.

    Args:
        workspace: what is open, its playhead and the stream in focus.
        theme: the tokens in force.
        parent: as in Qt.
    """

    def __init__(self, workspace: Workspace, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._theme = theme
        self._canvas = TimelineCanvas(workspace, theme)
        self._scroll = QScrollBar(Qt.Orientation.Vertical)
        self._scroll.setSingleStep(LANE_PX)
        self._scroll.valueChanged.connect(self._canvas.scroll_to)
        self._title = QLabel("Timeline")
        self._title.setFont(ui_font(13, 600))
        self._span_label = QLabel()
        self._span_label.setFont(number_font(12))
        self._buttons = {
            name: self._button(tip)
            for name, tip in (("minus", "Zoom out"), ("plus", "Zoom in"), ("fit", "Show all"))
        }
        self._buttons["minus"].clicked.connect(lambda: self.zoom(1 / ZOOM_STEP))
        self._buttons["plus"].clicked.connect(lambda: self.zoom(ZOOM_STEP))
        self._buttons["fit"].clicked.connect(self.fit)
        self._build()
        self._canvas.axis_changed.connect(self._on_axis_changed)
        self._canvas.lanes_changed.connect(self._on_lanes_changed)
        workspace.recording_changed.connect(self.set_recording)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.set_recording(workspace.recording)

    @property
    def canvas(self) -> TimelineCanvas:
        return self._canvas

    @property
    def view(self) -> TimeWindow | None:
        """The span of time that is shown."""
        return None if self._canvas.axis is None else self._canvas.axis.view

    def set_recording(self, recording: Recording | None) -> None:
        """Show the streams of a recording, all of it in view; None empties the timeline."""
        self._canvas.set_recording(recording)
        for button in self._buttons.values():
            button.setEnabled(self._canvas.axis is not None)
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

    def show_time(self, time_ns: int) -> None:
        """Bring a time into view, without changing the zoom.

        From just beyond an edge the view moves on by a page; from farther away the time comes to the middle.
        """
        axis = self._canvas.axis
        if axis is None or time_ns in axis.view:
            return
        self._canvas.set_axis(axis.bringing(time_ns, _landing_percent(axis, time_ns)))

    def sizeHint(self) -> QSize:
        return self._canvas.sizeHint() + QSize(0, HEADER_PX)

    def _build(self) -> None:
        header = QWidget()
        header.setObjectName("timelineHeader")
        header.setFixedHeight(HEADER_PX)
        row = QHBoxLayout(header)
        row.setContentsMargins(14, 0, 8, 0)
        row.setSpacing(4)
        row.addWidget(self._title)
        row.addStretch(1)
        row.addWidget(self._span_label)
        row.addSpacing(8)
        for button in self._buttons.values():
            row.addWidget(button)
        body = QHBoxLayout()
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self._canvas, 1)
        body.addWidget(self._scroll)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(header)
        column.addLayout(body, 1)

    def _button(self, tip: str) -> QToolButton:
        button = QToolButton()
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setAutoRaise(True)
        button.setFixedSize(_BUTTON_PX, _BUTTON_PX)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def _on_axis_changed(self) -> None:
        axis = self._canvas.axis
        self._span_label.setText("" if axis is None else span_text(axis))

    def _on_lanes_changed(self) -> None:
        parts = self._canvas.parts
        blocked = self._scroll.blockSignals(True)
        self._scroll.setRange(0, parts.max_scroll_px)
        self._scroll.setPageStep(max(1, parts.lanes_rect.height()))
        self._scroll.setValue(parts.scroll_px)
        self._scroll.blockSignals(blocked)
        self._scroll.setVisible(parts.max_scroll_px > 0)

    def _on_theme_changed(self) -> None:
        tokens = self._theme.tokens
        ground, line = tokens.bg2.name(), tokens.line.name()
        self.setStyleSheet(f"#timelineHeader {{ background: {ground}; border-bottom: 1px solid {line}; }}")
        self._title.setStyleSheet(f"color: {tokens.t1.name()};")
        self._span_label.setStyleSheet(f"color: {tokens.t3.name()};")
        for name, button in self._buttons.items():
            button.setIcon(icon(name, tokens.t2, 16, disabled=tokens.off))


def span_text(axis: TimeAxis) -> str:
    """``8.20 s of 65.51 s``: how much is shown of how much there is."""
    return f"{_length_text(axis.view.duration_ns)} of {_length_text(axis.span.duration_ns)}"


def _length_text(duration_ns: int) -> str:
    if duration_ns >= 600 * NS_PER_S:
        return elapsed_text(duration_ns, decimals=0, clock=True)
    if duration_ns >= NS_PER_S:
        return f"{duration_ns / 1e9:.2f} s"
    if duration_ns >= 1_000_000:
        return f"{duration_ns / 1e6:.2f} ms"
    return f"{duration_ns / 1e3:.2f} µs"


def _landing_percent(axis: TimeAxis, time_ns: int) -> int:
    duration_ns = axis.view.duration_ns
    if 0 <= time_ns - axis.view.stop_ns < duration_ns:
        return 10
    return 90 if 0 < axis.view.start_ns - time_ns < duration_ns else 50
