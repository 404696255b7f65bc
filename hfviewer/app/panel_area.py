"""Where the panels of the open recording live: docks that can be split, tabbed, floated and maximised."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QByteArray, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QWidget

from hfviewer.app.arrangement import arrange, choose_streams
from hfviewer.app.panel_dock import PanelDock
from hfviewer.core.errors import HfviewerError
from hfviewer.core.recording import Recording
from hfviewer.core.time_format import TimeFormat
from hfviewer.model.workspace import Workspace
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.registry import make_panel
from hfviewer.panels.theme import Theme
from hfviewer.playback.player import Player
from hfviewer.playback.result import FrameResult
from hfviewer.playback.samples import SamplesPreparer, SamplesResult

LEAST_PANEL_PX = (300, 180)
SOON_NS = 1_000_000_000


@runtime_checkable
class TakesSamples(Protocol):
    """A panel that plots a whole signal instead of frame after frame."""

    def samples_preparer(self) -> SamplesPreparer:
        """What the thread that reads the samples may do ahead with them."""

    def set_samples(
        self, timestamps_ns: NDArray[np.int64], values: NDArray[np.float64], prepared: object
    ) -> None:
        """Everything that was read so far, and what the preparer made of it."""

    def set_progress(self, share: float) -> None:
        """How much of the signal that is, 0 to 1."""

    def set_trouble(self, error: HfviewerError | None) -> None:
        """Why the rest is missing."""


class PanelArea(QMainWindow):
    """The docks of all stream panels, and the traffic between them, the playhead and the player.

    Args:
        workspace: what is open.
        player: loads what visible panels need.
        theme: colours.
    """

    panels_changed = Signal()  # a panel was opened or closed

    def __init__(
        self, workspace: Workspace, player: Player, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setDockNestingEnabled(True)
        self._workspace, self._player, self._theme = workspace, player, theme
        self._docks: dict[str, PanelDock] = {}
        self._before_maximise: QByteArray | None = None
        self._under_maximised: set[str] = set()  # open, but hidden by the maximised one
        self._nothing = QLabel(self)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.hide()
        workspace.playhead.moved.connect(self._on_moved)
        workspace.focus_changed.connect(self._on_focus_changed)
        workspace.time_display.changed.connect(self._on_times_changed)
        player.frame_ready.connect(self._on_frame)
        player.samples_ready.connect(self._on_samples)

    @property
    def panels(self) -> Sequence[StreamPanel]:
        """Every open panel, hidden ones too."""
        return [dock.panel for dock in self._docks.values()]

    @property
    def visible_panels(self) -> Sequence[StreamPanel]:
        """The panels that can be seen."""
        return [dock.panel for dock in self._docks.values() if not dock.isHidden() and self._is_shown(dock)]

    @property
    def empty_text(self) -> str:
        """What is said where no panel is open; empty while one is."""
        return "" if self._nothing.isHidden() else self._nothing.text()

    def first_filled_ns(self) -> int:
        """The first moment at which every open panel has a frame, if that is soon; else the start."""
        recording, start_ns = self._workspace.recording, self._workspace.playhead.span.start_ns
        tables = [] if recording is None else [recording.streams[name].timestamps_ns for name in self._docks]
        firsts_ns = [int(table_ns[0]) for table_ns in tables if len(table_ns)]
        latest_ns = max(firsts_ns, default=start_ns)
        return latest_ns if latest_ns - start_ns <= SOON_NS else start_ns

    def panel(self, stream: str) -> StreamPanel | None:
        """The panel of a stream, if one is open."""
        dock = self._docks.get(stream)
        return None if dock is None else dock.panel

    def show_recording(self, recording: Recording | None) -> None:
        """Replace all panels by those of another recording."""
        self._close_all()
        if recording is None:
            self.panels_changed.emit()
            return
        descriptions = {name: stream.description for name, stream in recording.streams.items()}
        chosen = [descriptions[name] for name in choose_streams(descriptions.values())]
        rows = arrange(chosen)
        firsts: list[PanelDock] = []
        for row in rows:
            docks = [self._make_dock(recording, name) for name in row.streams]
            if firsts:
                self.splitDockWidget(firsts[-1], docks[0], Qt.Orientation.Vertical)
            else:
                self.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, docks[0])
            firsts.append(docks[0])
        # Columns only once all rows stand: a split inside a row then stays in that row.
        for row in rows:
            for left, right in zip(row.streams, row.streams[1:], strict=False):
                self.splitDockWidget(self._docks[left], self._docks[right], Qt.Orientation.Horizontal)
        for dock in self._docks.values():
            dock.show()  # of a window that is on screen already, Qt leaves new docks hidden
        self._share_out(rows_weights=[row.weight for row in rows], firsts=firsts)
        for row in rows:
            docks = [self._docks[name] for name in row.streams]
            self.resizeDocks(docks, [1000] * len(docks), Qt.Orientation.Horizontal)
        self._on_focus_changed(self._workspace.focused)
        self._say_if_empty()
        self.panels_changed.emit()

    def open_panel(self, stream: str) -> None:
        """Show a stream's panel, making it where there is none."""
        recording = self._workspace.recording
        if recording is None:
            return
        self.restore()
        dock = self._docks.get(stream)
        if dock is None:
            dock = self._make_dock(recording, stream)
            self._find_room(dock)
        dock.show()
        dock.raise_()
        self.panels_changed.emit()

    def _find_room(self, dock: PanelDock) -> None:
        """Put a new dock beside, below or, where there is no room left, behind another one."""
        docked = [
            other
            for other in self._docks.values()
            if other is not dock and not other.isHidden() and not other.isFloating() and self._is_shown(other)
        ]
        if not docked:
            self.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, dock)
            return
        roomy = max(docked, key=lambda other: other.width() * other.height())
        if roomy.width() >= 2 * LEAST_PANEL_PX[0] and roomy.width() >= roomy.height():
            self.splitDockWidget(roomy, dock, Qt.Orientation.Horizontal)
        elif roomy.height() >= 2 * LEAST_PANEL_PX[1]:
            self.splitDockWidget(roomy, dock, Qt.Orientation.Vertical)
        else:
            focused = self._docks.get(self._workspace.focused or "")
            self.tabifyDockWidget(focused if focused in docked else roomy, dock)

    def close_panel(self, stream: str) -> None:
        """Hide a stream's panel: it costs nothing any more."""
        dock = self._docks.get(stream)
        if dock is not None:
            self.restore()
            dock.hide()
            self.panels_changed.emit()

    def is_open(self, stream: str) -> bool:
        """True where a panel of the stream is open, even if a maximised one covers it."""
        dock = self._docks.get(stream)
        return dock is not None and (not dock.isHidden() or stream in self._under_maximised)

    def toggle_maximised(self, stream: str) -> None:
        """Give one panel the whole area, or put all back."""
        if self._before_maximise is not None:
            self.restore()
            return
        dock = self._docks.get(stream)
        if dock is None or dock.isHidden():
            return
        if dock.isFloating():
            dock.setWindowState(dock.windowState() ^ Qt.WindowState.WindowMaximized)
            return
        self._before_maximise = self.saveState()
        self._under_maximised = {name for name, other in self._docks.items() if not other.isHidden()}
        self._show_only(dock)

    def _show_only(self, dock: PanelDock) -> None:
        dock.show()
        for other in self._docks.values():
            if other is not dock and not other.isFloating():
                other.hide()

    def restore(self) -> None:
        """Undo maximising."""
        if self._before_maximise is not None:
            state, self._before_maximise = self._before_maximise, None
            self._under_maximised = set()
            self.restoreState(state)

    def toggle_floating(self, stream: str) -> None:
        """Take a panel out of the window, or put it back."""
        dock = self._docks.get(stream)
        if dock is not None:
            dock.setFloating(not dock.isFloating())

    def _make_dock(self, recording: Recording, name: str) -> PanelDock:
        stream = recording.streams[name]
        span = recording.description.span
        panel = make_panel(
            stream.description, stream.timestamps_ns, 0 if span is None else span.start_ns, self._theme
        )
        panel.set_sequence(stream.sequence)
        panel.set_source(self._player.source)
        damage = [
            finding.message
            for finding in recording.description.findings
            if finding.stream == name and finding.code == "unreadable_frame"
        ]
        if damage:
            panel.header.add_badge("damaged", " ".join(damage))
        dock = PanelDock(panel, f"panel/{name}", self._theme, self)
        panel.focus_requested.connect(self._workspace.focus)
        panel.maximise_requested.connect(partial(self.toggle_maximised, name))
        panel.detail_wanted.connect(partial(self._player.show_in_full, name))
        dock.visibilityChanged.connect(partial(self._on_visibility_changed, name))
        self._docks[name] = dock
        panel.set_times(self._workspace.time_display.format)
        panel.set_playhead(self._workspace.playhead.position_ns)
        if isinstance(panel, TakesSamples):
            self._player.request_samples(name, panel.samples_preparer())
        return dock

    def _say_if_empty(self) -> None:
        """No panel is open: say how to open one, instead of showing nothing."""
        recording = self._workspace.recording
        some = any(not dock.isHidden() and not dock.isFloating() for dock in self._docks.values())
        self._nothing.setText(
            "This recording has no streams."
            if recording is not None and not recording.streams
            else "No panel is open. Double-click a stream in the list on the left to open one."
        )
        self._nothing.setVisible(recording is not None and not some)
        self._nothing.setGeometry(self.rect())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._nothing.setGeometry(self.rect())

    def _close_all(self) -> None:
        self._before_maximise = None
        self._under_maximised = set()
        for name, dock in self._docks.items():
            dock.visibilityChanged.disconnect()
            self._player.hide_stream(name)
            self.removeDockWidget(dock)
            dock.deleteLater()
        self._docks = {}

    def _share_out(self, *, rows_weights: list[int], firsts: list[PanelDock]) -> None:
        docks: list[QDockWidget] = list(firsts)
        self.resizeDocks(docks, [weight * 100 for weight in rows_weights], Qt.Orientation.Vertical)

    @staticmethod
    def _is_shown(dock: PanelDock) -> bool:
        """False for the lower ones of a stack of tabs."""
        return not dock.visibleRegion().isEmpty() or not dock.isVisible()

    def _on_visibility_changed(self, name: str, visible: bool) -> None:
        dock = self._docks.get(name)
        self._say_if_empty()
        if dock is not None and visible:
            # Hidden panels are not told of moves.
            dock.panel.set_playhead(self._workspace.playhead.position_ns)
        if dock is None or isinstance(dock.panel, TakesSamples):
            return
        if visible:
            self._player.show_stream(name, dock.panel)
        else:
            self._player.hide_stream(name)

    def _on_moved(self, position_ns: int) -> None:
        for dock in self._docks.values():
            if dock.isVisible():
                dock.panel.set_playhead(position_ns)

    def _on_times_changed(self, times: TimeFormat) -> None:
        for dock in self._docks.values():
            dock.panel.set_times(times)

    def _on_focus_changed(self, stream: str | None) -> None:
        for name, dock in self._docks.items():
            dock.set_focused(name == stream)
        chosen = self._docks.get(stream or "")
        if self._before_maximise is not None and chosen is not None and not chosen.isFloating():
            self._show_only(chosen)

    def _on_frame(self, result: FrameResult) -> None:
        dock = self._docks.get(result.stream)
        if dock is not None:
            dock.panel.show_result(result)

    def _on_samples(self, result: SamplesResult) -> None:
        dock = self._docks.get(result.stream)
        if dock is not None and isinstance(dock.panel, TakesSamples):
            dock.panel.set_samples(result.timestamps_ns, result.values, result.prepared)
            dock.panel.set_progress(result.share)
            dock.panel.set_trouble(result.error)
