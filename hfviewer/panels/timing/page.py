"""The page of a stream's timing: figures, interval histogram, jitter and sync error over time."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from hfviewer.core.errors import HfviewerError
from hfviewer.core.recording import Recording
from hfviewer.core.window import TimeWindow
from hfviewer.model.workspace import Workspace
from hfviewer.panels.drawing import one_line
from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.panels.timing.figures import TimingFigures, figures_of
from hfviewer.panels.timing.plots import HistogramPlot, SeriesPlot

_BAR_PX = 40


class TimingPage(QWidget):
    """Shows the stream in focus against a reference; worked out on a thread of its own while it is visible.

    Args:
        workspace: what is open, its playhead and the stream in focus.
        theme: the tokens in force.
        parent: as in Qt.
    """

    worked_out = Signal(object)  # TimingFigures: they are shown now
    _arrived = Signal(int, object)

    def __init__(self, workspace: Workspace, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace, self._theme = workspace, theme
        self._reference: str | None = None  # as the user chose; None: as the checks do
        self._linked: TimeWindow | None = None
        self._zoomed: TimeWindow | None = None  # what the user zoomed to; None: the whole recording
        self._figures: TimingFigures | None = None
        self._number = 0
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="timing")
        self._stream = self._menu_button("Stream; the one in focus", self._fill_streams)
        self._against = self._menu_button("Stream to compare it with", self._fill_references)
        self._link = self._button("Show the part that the timeline shows, or the whole recording")
        self._link.setText("As the timeline")
        self._link.setCheckable(True)
        self._link.toggled.connect(self._on_link_toggled)
        self._text = QLabel()
        self._text.setFont(number_font(12))
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setContentsMargins(16, 10, 16, 10)
        self._histogram = HistogramPlot(theme)
        self._jitter = SeriesPlot("Jitter, ms", theme)
        self._jitter.set_note("interval less the typical one, at its end")
        self._sync = SeriesPlot("Sync error, ms", theme)
        self._build()
        self._arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)
        for plot in (self._jitter, self._sync):
            plot.clicked.connect(workspace.playhead.jump_to)
            plot.zoomed.connect(self._on_zoomed)
            workspace.playhead.moved.connect(plot.set_playhead)
        workspace.recording_changed.connect(self._on_recording_changed)
        workspace.focus_changed.connect(self.refresh)
        workspace.time_display.changed.connect(self._show_view)
        theme.changed.connect(self._restyle)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._restyle()

    @property
    def figures(self) -> TimingFigures | None:
        """What is shown."""
        return self._figures

    @property
    def text(self) -> str:
        """The figures as they read."""
        return self._text.text()

    @property
    def jitter(self) -> SeriesPlot:
        return self._jitter

    @property
    def sync(self) -> SeriesPlot:
        return self._sync

    @property
    def histogram(self) -> HistogramPlot:
        return self._histogram

    def set_linked_view(self, view: TimeWindow | None) -> None:
        """What the timeline shows."""
        self._linked = view
        if self._link.isChecked():
            self._show_view()

    def choose_reference(self, stream: str | None) -> None:
        """Compare with another stream; None: as the checks do."""
        self._reference = stream
        self.refresh()

    def refresh(self) -> None:
        """Work out the figures of the stream in focus, unless nobody looks."""
        recording, stream = self._workspace.recording, self._workspace.focused
        self._number += 1
        if recording is None or stream is None:
            self._show(None)
        elif self.isVisible():
            self._worker.submit(self._work, self._number, recording, stream, self._reference)

    def close_worker(self) -> None:
        """Let no more be worked out."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def showEvent(self, event: object) -> None:
        self.refresh()

    def _work(self, number: int, recording: Recording, stream: str, reference: str | None) -> None:
        if number != self._number:
            return
        try:
            figures = figures_of(recording, stream, None if reference == stream else reference)
        except (HfviewerError, OSError, KeyError, ValueError):
            return  # closed meanwhile
        with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
            self._arrived.emit(number, figures)

    def _on_arrived(self, number: int, figures: TimingFigures) -> None:
        if number == self._number:
            self._show(figures)
            self.worked_out.emit(figures)

    def _on_recording_changed(self, _recording: object) -> None:
        self._reference = self._zoomed = None
        self._show(None)

    def _on_link_toggled(self) -> None:
        self._zoomed = None
        self._show_view()

    def _on_zoomed(self, view: TimeWindow) -> None:
        """Both curves show the same time; it is no longer that of the timeline."""
        self._link.setChecked(False)
        self._zoomed = view
        self._show_view()

    def _show(self, figures: TimingFigures | None) -> None:
        self._figures = figures
        if figures is None:
            self._stream.setText(one_line(self._workspace.focused or "No stream"))
            self._against.setText("–")
            self._text.setText("")
            self._histogram.set_histogram(None, None)
            for plot in (self._jitter, self._sync):
                plot.set_series(None, empty="")
        else:
            for drawn in (self._histogram, self._jitter, self._sync):
                drawn.set_kind(figures.kind)
            self._stream.setText(one_line(figures.stream))
            self._text.setText(figures_text(figures))
            self._histogram.set_histogram(figures.histogram, figures.period_ns)
            self._jitter.set_series(figures.jitter, empty="Fewer than two frames")
            self._show_reference(figures)
        self._show_view()

    def _show_reference(self, figures: TimingFigures) -> None:
        if figures.reference is None:
            self._against.setText("–")
            self._sync.set_note("")
            self._sync.set_series(None, empty="No other stream to compare with")
            return
        name = one_line(figures.reference)
        self._against.setText(name)
        self._sync.set_note(f"to the nearest frame of {name}; above 0 where that is later")
        self._sync.set_series(figures.sync, empty="They never run at the same time")

    def _show_view(self) -> None:
        span = self._workspace.playhead.span
        wanted = self._linked if self._link.isChecked() else self._zoomed
        view = span if wanted is None else wanted
        for plot in (self._jitter, self._sync):
            plot.set_view(span, view, self._workspace.time_display.format)
            plot.set_playhead(self._workspace.playhead.position_ns)

    def _build(self) -> None:
        bar = QWidget()
        bar.setObjectName("timingBar")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        bar.setFixedHeight(_BAR_PX)
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(8)
        against = QLabel("against")
        for widget in (self._stream, against, self._against):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self._link)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self._text)
        for plot in (self._histogram, self._jitter, self._sync):
            column.addWidget(plot, 1)

    def _button(self, tip: str) -> QToolButton:
        button = QToolButton()
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setFont(ui_font(13, 600))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setFixedHeight(28)
        return button

    def _menu_button(self, tip: str, fill: Callable[[QMenu], None]) -> QToolButton:
        button = self._button(tip)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        menu.aboutToShow.connect(lambda: fill(menu))
        button.setMenu(menu)
        return button

    def _fill_streams(self, menu: QMenu) -> None:
        self._fill(menu, self._workspace.focused, self._workspace.focus)

    def _fill_references(self, menu: QMenu) -> None:
        shown = None if self._figures is None else self._figures.reference
        self._fill(menu, shown, self.choose_reference)

    def _fill(self, menu: QMenu, chosen: str | None, choose: Callable[[str], None]) -> None:
        menu.clear()
        recording = self._workspace.recording
        for name in () if recording is None else recording.streams:
            action = menu.addAction(one_line(name).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(name == chosen)
            action.triggered.connect(lambda _checked=False, name=name: choose(name))

    def _restyle(self) -> None:
        tokens = self._theme.tokens
        ground, bar, line = tokens.bg1.name(), tokens.bg2.name(), tokens.line.name()
        lit, accent = tokens.accent_ground.name(), tokens.accent.name()
        self.setStyleSheet(
            f"TimingPage {{ background: {ground}; }}"
            f"#timingBar {{ background: {bar}; border-bottom: 1px solid {line}; }}"
            f"QLabel {{ color: {tokens.t2.name()}; background: transparent; }}"
            f"QToolButton {{ background: {tokens.bg3.name()}; border: none; padding: 0 10px; }}"
            f"QToolButton:hover {{ background: {tokens.bg4.name()}; }}"
            f"QToolButton:checked {{ background: {lit}; color: {accent}; }}"
        )


def figures_text(figures: TimingFigures) -> str:
    """The figures in lines of columns."""
    rate = "–" if figures.rate_hz is None else f"{figures.rate_hz:.3f} Hz"
    if figures.declared_hz:
        rate += f" (declared {figures.declared_hz:g} Hz)"
    period = "–" if figures.period_ns is None else f"{figures.period_ns / 1e6:.3f} ms"
    jitter = "–" if figures.jitter_ms is None else f"{figures.jitter_ms:.3f} ms rms"
    counts = f"frames {figures.frames}   lost {figures.lost}"
    lines = [f"{counts}   rate {rate}   period {period}   jitter {jitter}"]
    for title, spread in (("intervals", figures.intervals), ("sync error", figures.distance)):
        if spread is not None:
            parts = (("median", spread.p50), ("p95", spread.p95), ("p99", spread.p99), ("max", spread.max))
            values = "   ".join(f"{name} {value / 1e6:.3f} ms" for name, value in parts)
            lines.append(f"{title:<10}  {values}")
    return "\n".join(lines)
