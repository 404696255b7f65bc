"""Where the panels of the open recording live: docks that can be split, tabbed, floated and maximised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QMainWindow, QWidget

from hfviewer.app.arrangement import arrange, choose_streams
from hfviewer.app.carried_layout import CarriedLayout
from hfviewer.app.dock_places import find_room, place_in_rows, toggle_tab
from hfviewer.app.maximising import Maximising
from hfviewer.app.panel_dock import PanelDock
from hfviewer.app.panel_key import PanelKey
from hfviewer.app.panel_making import panel_for
from hfviewer.app.panel_wishes import TakesSamples, TakesSurvey
from hfviewer.app.stream_views import StreamViews
from hfviewer.core.recording import Recording
from hfviewer.core.stream import StreamDescription
from hfviewer.core.time_format import TimeFormat
from hfviewer.core.window import TimeWindow
from hfviewer.model.pick import PickBoard
from hfviewer.model.workspace import Workspace
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.drawing import one_line
from hfviewer.panels.theme import Theme
from hfviewer.panels.tips import PlainTabTips
from hfviewer.playback.player import Player
from hfviewer.playback.result import FrameResult
from hfviewer.playback.samples import SamplesResult
from hfviewer.playback.survey import SurveyResult
from hfviewer.quality.gap import Gaps

SOON_NS = 1_000_000_000


class PanelArea(QMainWindow):
    """The docks of all stream panels, and the traffic between them, the playhead and the player.

    Args:
        workspace: what is open.
        player: loads what visible panels need.
        theme: colours.
    """

    panels_changed = Signal()  # a panel was opened or closed
    failed = Signal(object)  # HfviewerError: what was asked of a panel could not be done
    told = Signal(str)  # what was asked of a panel is done
    read_out_changed = Signal(str)  # what is under the pointer in a plot

    def __init__(
        self, workspace: Workspace, player: Player, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setDockNestingEnabled(True)
        self._workspace, self._player, self._theme = workspace, player, theme
        PlainTabTips(self)
        self._docks: dict[PanelKey, PanelDock] = {}
        self._views = StreamViews(player)
        self._active: PanelKey | None = None  # of the stream in focus, the panel that was clicked last
        self.picks = PickBoard(self)
        self._timeline_span: TimeWindow | None = None
        self._maximising = Maximising(self, self._docks)
        self._makeshift: frozenset[PanelKey] = frozenset()
        self._gaps: Mapping[str, Gaps] = {}  # of streams whose frames were all decoded
        self._nothing = QLabel(self)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.hide()
        workspace.playhead.moved.connect(self._on_moved)
        workspace.focus_changed.connect(self._on_focus_changed)
        workspace.time_display.changed.connect(self._on_times_changed)
        player.frame_ready.connect(self._on_frame)
        player.samples_ready.connect(self._on_samples)
        player.surveyed.connect(self._on_surveyed)

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
        names = () if recording is None else {key.stream: None for key in self._docks}
        tables = [] if recording is None else [recording.streams[name].timestamps_ns for name in names]
        firsts_ns = [int(table_ns[0]) for table_ns in tables if len(table_ns)]
        latest_ns = max(firsts_ns, default=start_ns)
        return latest_ns if latest_ns - start_ns <= SOON_NS else start_ns

    def panel(self, stream: str) -> StreamPanel | None:
        """The panel of a stream that was used last, if one is open."""
        dock = self._docks.get(self._key_of(stream))
        return None if dock is None else dock.panel

    def keys(self, *, only_open: bool = False) -> list[PanelKey]:
        """All panels, in the order in which they were made."""
        return [key for key in self._docks if not only_open or self._is_open(key)]

    def _key_of(self, stream: str) -> PanelKey:
        """The panel that is meant where only the stream is named."""
        if self._active is not None and self._active.stream == stream and self._is_open(self._active):
            return self._active
        own = [key for key in self._docks if key.stream == stream]
        return next((key for key in own if self._is_open(key)), own[0] if own else PanelKey(stream))

    def _is_open(self, key: PanelKey) -> bool:
        dock = self._docks.get(key)
        return dock is not None and (not dock.isHidden() or self._maximising.covers(key))

    @property
    def makeshift(self) -> frozenset[PanelKey]:
        """Panels that stand in for those of a carried layout, of which this recording has no stream."""
        return self._makeshift

    def carried_layout(self) -> CarriedLayout:
        """What `show_recording` needs to show another episode in the same way."""
        return CarriedLayout(
            self._maximising.state,
            frozenset(self.keys(only_open=True)),
            focused=self._workspace.focused,
            maximised=self._maximising.is_on,
            looks={key: dock.panel.view_state() for key, dock in self._docks.items()},
        )

    def show_recording(self, recording: Recording | None, carried: CarriedLayout | None = None) -> None:
        """Replace all panels by those of another recording.

        Args:
            recording: or None for none.
            carried: of an earlier episode, to be shown in the same way.
        """
        self._close_all()
        if recording is None:
            self.panels_changed.emit()
            return
        descriptions = {name: stream.description for name, stream in recording.streams.items()}
        at_first = choose_streams(descriptions.values())
        if carried is None or not self._show_carried(recording, carried, at_first):
            self._show_arranged(recording, [descriptions[name] for name in at_first])
            self._makeshift = frozenset() if carried is None else frozenset(self._docks)
        self._on_focus_changed(self._workspace.focused)
        self._say_if_empty()
        self.panels_changed.emit()

    def _show_carried(self, recording: Recording, carried: CarriedLayout, at_first: list[str]) -> bool:
        """Open the panels of an earlier episode where they were; False where there is none to open."""
        keys = carried.wanted(list(recording.streams), at_first)
        for key in keys:
            self.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, self._make_dock(recording, key))
        for key, dock in self._docks.items():
            dock.show()
            if look := carried.looks.get(key):
                dock.panel.restore_view_state(dict(look))
        self.restoreState(carried.state)
        for key in keys:
            if key not in carried.open:
                self._find_room(self._docks[key])
        if carried.maximised and self._workspace.focused is not None:
            self.toggle_maximised(self._workspace.focused)
        return bool(keys) or not carried.open

    def _show_arranged(self, recording: Recording, chosen: list[StreamDescription]) -> None:
        """Open the panels of these streams, side by side and below each other."""
        rows = arrange(chosen)
        docks = [[self._make_dock(recording, PanelKey(name)) for name in row.streams] for row in rows]
        place_in_rows(self, docks, weights=[row.weight for row in rows])

    def open_panel(self, stream: str, view: str = "") -> None:
        """Show a stream's panel, making it where there is none.

        Args:
            stream: name.
            view: another way to look at it, see `PanelKey`; empty: as it was looked at last.
        """
        self._open(PanelKey(stream, view) if view else self._key_of(stream))

    def open_another(self, stream: str, view: str = "") -> None:
        """Open one more panel of a stream; one that was closed comes back first."""
        number = 1
        while self._is_open(PanelKey(stream, view, number)):
            number += 1
        self._open(PanelKey(stream, view, number))

    def _open(self, key: PanelKey) -> None:
        recording = self._workspace.recording
        if recording is None:
            return
        self.restore()
        dock = self._docks.get(key)
        if dock is None:
            dock = self._make_dock(recording, key)
            self._find_room(dock)
        dock.show()
        dock.raise_()
        self.panels_changed.emit()

    def _find_room(self, dock: PanelDock) -> None:
        """Put a new dock beside, below or, where there is no room left, behind another one."""
        focused = self._docks.get(self._key_of(self._workspace.focused or ""))
        find_room(self, dock, self._docked_beside(dock), focused)

    def _docked_beside(self, dock: PanelDock) -> list[PanelDock]:
        """The other docks that can be seen in the window."""
        return [
            other
            for other in self._docks.values()
            if other is not dock and not other.isHidden() and not other.isFloating() and self._is_shown(other)
        ]

    def close_panel(self, stream: str) -> None:
        """Hide every panel of a stream: it costs nothing any more."""
        docks = [dock for key, dock in self._docks.items() if key.stream == stream]
        if docks:
            self.restore()
            for dock in docks:
                dock.hide()
            self.panels_changed.emit()

    def close_active(self, stream: str) -> None:
        """Hide that panel of a stream which was used last."""
        self._close(self._key_of(stream))

    def _close(self, key: PanelKey) -> None:
        dock = self._docks.get(key)
        if dock is not None:
            self.restore()
            dock.hide()
            self.panels_changed.emit()

    def is_open(self, stream: str) -> bool:
        """True where a panel of the stream is open, even if a maximised one covers it."""
        return any(key.stream == stream and self._is_open(key) for key in self._docks)

    def toggle_maximised(self, stream: str) -> None:
        """Give one panel the whole area, or put all back."""
        if self._maximising.is_on:
            self.restore()
            return
        dock = self._docks.get(self._key_of(stream))
        if dock is None or dock.isHidden():
            return
        if dock.isFloating():
            dock.setWindowState(dock.windowState() ^ Qt.WindowState.WindowMaximized)
            return
        self._maximising.begin(dock)

    def restore(self) -> None:
        """Undo maximising."""
        self._maximising.end()

    def toggle_floating(self, stream: str) -> None:
        """Take a panel out of the window, or put it back."""
        dock = self._docks.get(self._key_of(stream))
        if dock is not None:
            dock.setFloating(not dock.isFloating())

    def _make_dock(self, recording: Recording, key: PanelKey) -> PanelDock:
        name = key.stream
        panel = panel_for(
            recording,
            key,
            theme=self._theme,
            source=self._player.source,
            picks=self.picks,
            gaps=self._gaps.get(name),
        )
        dock = PanelDock(panel, key.object_name, self._theme, self)
        dock.setWindowTitle(one_line(key.title))
        panel.focus_requested.connect(partial(self._on_focus_requested, key))
        panel.maximise_requested.connect(partial(self._on_maximise_requested, key))
        panel.failed.connect(self.failed)
        panel.told.connect(self.told)
        panel.command_requested.connect(partial(self._on_command, key))
        panel.jump_requested.connect(partial(self._workspace.playhead.jump_to, remember=True))
        panel.detail_wanted.connect(partial(self._player.show_in_full, name))
        panel.set_times(self._workspace.time_display.format)
        dock.visibilityChanged.connect(self._say_if_empty)
        dock.seen_changed.connect(partial(self._on_seen_changed, key))
        self._docks[key] = dock
        panel.set_timeline_span(self._timeline_span)
        panel.set_playhead(self._workspace.playhead.position_ns)
        if isinstance(panel, TakesSamples):
            panel.read_out_changed.connect(self.read_out_changed)
            self._player.request_samples(name, panel.samples_preparer())
        if isinstance(panel, TakesSurvey):
            self._player.request_survey(name, panel.survey())
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
        self._maximising.forget()
        self._active = None
        if self.picks.pick is not None:
            self.picks.leave(self.picks.pick.stream)
        self._makeshift = frozenset()
        self._gaps = {}
        self._views.clear()
        # All of them first: where one goes, the tab behind it would come into sight, and be asked for frames.
        for dock in self._docks.values():
            dock.visibilityChanged.disconnect(self._say_if_empty)
            dock.seen_changed.disconnect()
        for dock in self._docks.values():
            self.removeDockWidget(dock)
            dock.setObjectName("")  # until it is gone, a layout would be restored for it and not for its heir
            dock.deleteLater()
        self._docks.clear()

    @staticmethod
    def _is_shown(dock: PanelDock) -> bool:
        """False for the lower ones of a stack of tabs."""
        return not dock.visibleRegion().isEmpty() or not dock.isVisible()

    def _on_seen_changed(self, key: PanelKey, visible: bool) -> None:
        dock = self._docks.get(key)
        if dock is not None and visible:
            # Hidden panels are not told of moves.
            dock.panel.set_playhead(self._workspace.playhead.position_ns)
        if dock is None or isinstance(dock.panel, TakesSamples):
            return
        if visible:
            self._views.add(key.stream, dock.panel)
        else:
            self._views.remove(key.stream, dock.panel)
            self.picks.leave(key.stream)

    def set_timeline_span(self, span: TimeWindow | None) -> None:
        """Tell the panels what the timeline shows: some show the same."""
        self._timeline_span = span
        for dock in self._docks.values():
            dock.panel.set_timeline_span(span)

    def set_gaps(self, gaps: Mapping[str, Gaps]) -> None:
        """Other gaps than the stamps alone tell, by stream; also for panels that are opened later."""
        self._gaps = gaps
        for key, dock in self._docks.items():
            if key.stream in gaps:
                dock.panel.set_gaps(gaps[key.stream])

    def _on_moved(self, position_ns: int) -> None:
        for dock in self._docks.values():
            if dock.isVisible():
                dock.panel.set_playhead(position_ns)

    def _on_times_changed(self, times: TimeFormat) -> None:
        for dock in self._docks.values():
            dock.panel.set_times(times)

    def _on_focus_requested(self, key: PanelKey, stream: str) -> None:
        self._active = key
        if self._workspace.focused == stream:
            self._on_focus_changed(stream)
        else:
            self._workspace.focus(stream)

    def _on_maximise_requested(self, key: PanelKey) -> None:
        self._on_focus_requested(key, key.stream)
        self.toggle_maximised(key.stream)

    def _on_command(self, key: PanelKey, command: str) -> None:
        """What a panel's menu offers about the panel itself."""
        self._on_focus_requested(key, key.stream)
        match command:
            case "another":
                self.open_another(key.stream, key.view)
            case "float":
                self.toggle_floating(key.stream)
            case "tab":
                self.restore()
                toggle_tab(self, self._docks[key], self._docked_beside(self._docks[key]))
            case "close":
                self._close(key)
            case "cloud" | "curves":
                self.open_panel(key.stream, command)

    def _on_focus_changed(self, stream: str | None) -> None:
        chosen_key = self._key_of(stream or "")
        for key, dock in self._docks.items():
            dock.set_focused(key == chosen_key)
        chosen = self._docks.get(chosen_key)
        if self._maximising.is_on and chosen is not None and not chosen.isFloating():
            self._maximising.show_only(chosen)

    def _on_frame(self, result: FrameResult) -> None:
        for key, dock in self._docks.items():
            if key.stream == result.stream:
                dock.panel.show_result(self._views.part(result, dock.panel))

    def _on_samples(self, result: SamplesResult) -> None:
        for key, dock in self._docks.items():
            if key.stream == result.stream and isinstance(dock.panel, TakesSamples):
                dock.panel.set_samples(result.timestamps_ns, result.values, result.prepared)
                dock.panel.set_progress(result.share)
                dock.panel.set_trouble(result.error)

    def _on_surveyed(self, result: SurveyResult) -> None:
        for key, dock in self._docks.items():
            if key.stream == result.stream and isinstance(dock.panel, TakesSurvey):
                dock.panel.set_survey(result.value)
