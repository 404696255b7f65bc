"""The main window: panels in the middle, streams on the left, transport above, timeline below."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from hfviewer.app.actions import fill_menus, make_actions
from hfviewer.app.banner import Banner
from hfviewer.app.carried_layout import CarriedLayout
from hfviewer.app.closing import CloseGuard
from hfviewer.app.commands import PlaybackCommands
from hfviewer.app.docks import LEFT_PX, FixedDocks
from hfviewer.app.episode_page import EpisodePage
from hfviewer.app.episodes import EpisodeBrowser
from hfviewer.app.file_commands import FileCommands
from hfviewer.app.finding_commands import FindingCommands
from hfviewer.app.go_to import GoToCommands, GoToLine
from hfviewer.app.health_filling import HealthFiller
from hfviewer.app.label_board import LabelBoard
from hfviewer.app.label_commands import LabelCommands
from hfviewer.app.label_files import LabelFiles
from hfviewer.app.label_queue import LabelQueue
from hfviewer.app.layout_menu import LayoutMenu
from hfviewer.app.opening import Checked, Opened, Opener
from hfviewer.app.panel_area import PanelArea
from hfviewer.app.recent_menu import RecentMenu
from hfviewer.app.settings import SettingsStore
from hfviewer.app.statistics_card import StatisticsCard
from hfviewer.app.stream_menu import StreamMenu
from hfviewer.app.thumbnails import Thumbnails
from hfviewer.app.timeline_commands import TimelineCommands
from hfviewer.app.view_commands import ViewCommands
from hfviewer.app.welcome import Welcome
from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.recording import Recording
from hfviewer.model.accepted import AcceptedFindings
from hfviewer.model.annotations import Annotations
from hfviewer.model.tagging import Tagger
from hfviewer.model.workspace import Workspace
from hfviewer.panels.drawing import one_line
from hfviewer.panels.episode_list import EpisodeList
from hfviewer.panels.findings.panel import FindingsPanel
from hfviewer.panels.labels.panel import LabelsPanel
from hfviewer.panels.status import StatusBar
from hfviewer.panels.stream_list import StreamList
from hfviewer.panels.theme import Theme
from hfviewer.panels.timeline.view import TimelineView
from hfviewer.panels.transport import TransportBar
from hfviewer.playback.player import Player

MINIMUM_SIZE = (800, 560)
MINIMUM_TIMELINE_PX = 132
_STATISTICS_MS = 250


class MainWindow(QMainWindow):
    """Everything on screen for one open recording.

    Args:
        theme: colours; the application applies them to Qt.
        settings: what is remembered between sessions.
    """

    failed = Signal(object)  # HfviewerError: what was asked for could not be done; the banner says so too

    def __init__(self, theme: Theme, settings: SettingsStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._settings = theme, settings
        self.workspace = Workspace(self)
        self.player = Player(self.workspace, parent=self)
        self._opener = Opener(self)
        self._start_at: str | None = None
        self.setMinimumSize(*MINIMUM_SIZE)
        self.resize(1600, 950)
        self.setAcceptDrops(True)
        self.area = PanelArea(self.workspace, self.player, theme)
        self.welcome = Welcome(theme)
        self.banner = Banner(theme)
        self.transport = TransportBar(self.workspace, theme)
        self.streams = StreamList(self.workspace, theme)
        self._stream_menu = StreamMenu(self.workspace, self.area, self)
        self.streams.setMinimumWidth(LEFT_PX)
        self.timeline = TimelineView(self.workspace, theme)
        self.timeline.setMinimumHeight(MINIMUM_TIMELINE_PX)
        self.timeline.set_thumbnails(Thumbnails(self.player))
        self.status = StatusBar(self.workspace, theme)
        self.accepted = AcceptedFindings(settings.state_folder / "accepted", self, author=settings.author)
        self.workspace.recording_changed.connect(self.accepted.set_recording)
        self.health_filler = HealthFiller(self.workspace, settings.state_folder / "health", self)
        self.findings = FindingsPanel(self.workspace, self.accepted, theme)
        self.episode_list = EpisodeList(self.workspace, theme)
        self.health_filler.progressed.connect(self.episode_list.set_checked)
        self.episode_page = EpisodePage(theme)
        self.episodes = EpisodeBrowser(self, self.episode_list, self.episode_page, settings)
        self._stack = QStackedWidget()
        for page in (self.welcome, self.area, self.episode_page):
            self._stack.addWidget(page)
        values = settings.values
        self.annotations = Annotations(
            settings.state_folder,
            pause_ms=max(0, round(values.labels_pause_s * 1000)),
            folder=Path(values.labels_folder) if values.labels_folder else None,
            parent=self,
        )
        self.tagger = Tagger(self.annotations, self.workspace, self)
        self.tagger.author = settings.author
        self.tagger.reaction_ns = values.reaction_ms * 1_000_000
        self.label_list = LabelsPanel(self.annotations, self.workspace.time_display, theme)
        self.labels = LabelBoard(self, self.annotations, self.tagger)
        self._close_guard = CloseGuard(self.annotations, self.banner)
        self._build()
        self.go_to_line = GoToLine(theme, self)
        self.going_to = GoToCommands(self.workspace, self.go_to_line)
        self.going_to.failed.connect(self.failed)
        self.statistics_card = StatisticsCard(self.player, theme, self)
        self._timeline_commands = TimelineCommands(self, settings)
        self.finding_commands = FindingCommands(self)
        self.label_files = LabelFiles(self, self.annotations)
        self.label_queue = LabelQueue(self, self.annotations, settings)
        self.label_commands = LabelCommands(self, self.annotations, self.tagger, self.labels, settings)
        handlers: list[object] = [
            FileCommands(self, settings),
            self.label_commands,
            self.label_files,
            self.label_queue,
            PlaybackCommands(self.workspace, self.player),
            self.going_to,
            self._timeline_commands,
            self.finding_commands,
            ViewCommands(self, settings),
        ]
        self.actions_by_name = make_actions(self, [*handlers, self.episodes, self])
        self._menus = fill_menus(self, self.actions_by_name)
        self._recent_menu = RecentMenu(settings, self)
        self._recent_menu.chosen.connect(self.open_path)
        self._menus["File"].insertMenu(self.actions_by_name["save_picture"], self._recent_menu)
        for menu in (self.episode_list.condition_menu, self.episode_list.sort_menu):
            self._menus["Episodes"].addMenu(menu)
        self.layout_menu = LayoutMenu(self, settings.layouts)
        self._menus["View"].insertMenu(self.actions_by_name["reset_layout"], self.layout_menu)
        self._connect()
        self._statistics = QTimer(self)
        self._statistics.setInterval(_STATISTICS_MS)
        self._statistics.timeout.connect(self._show_statistics)
        self._statistics.start()
        self.show_recording(None)

    # -- opening ---------------------------------------------------------------------------------------------

    def open_path(
        self, path: str, *, at: str | None = None, revision: int | None = None, episode: int | None = None
    ) -> None:
        """Open a recording in the background; what is open stays until the new one is there."""
        self._start_at = at
        self.banner.hide()
        self.welcome.set_busy(path)
        self.status.set_message(f"opening {os.path.basename(path)}")
        self._opener.open(path, revision, episode)

    def close_recording(self) -> None:
        self._opener.cancel()
        self.welcome.set_busy("")
        self.status.set_message("")
        self.go_to_line.dismiss()
        self.episodes.close_collection()
        self.show_recording(None)

    def _on_opened(self, result: Opened) -> None:
        self.welcome.set_busy("")
        self.status.set_message("")
        if result.collection is not None:
            self.show_collection(result.path, result.collection, number=result.episode, at=self._start_at)
            return
        if result.error is not None or result.recording is None:
            if result.error is not None:
                self.failed.emit(result.error)
            if result.is_gone:
                self._settings.forget_recording(os.path.abspath(result.path))
            self.welcome.set_recent(self._settings.values.recent)
            return
        self._settings.remember_recording(result.path)
        self.episodes.close_collection()
        self.show_recording(result.recording)
        if self._start_at is None:
            self.workspace.playhead.move_to(self.area.first_filled_ns())
        else:
            self.going_to.go_to_time(self._start_at)
            self._start_at = None
        self.check(result.recording)

    def show_collection(
        self, path: str, collection: EpisodeCollection, *, number: int | None = None, at: str | None = None
    ) -> None:
        """List a folder of many that was opened, and open one of it; see `EpisodeBrowser.show_collection`."""
        self._settings.remember_recording(path)
        self.episodes.show_collection(collection, number=number, at=at)

    def check(self, recording: Recording) -> None:
        """Look for faults in a recording, in the background."""
        self._opener.check(recording)

    def release(self, opened: Recording | EpisodeCollection) -> None:
        """Close what nobody looks at any more, in the background."""
        self._opener.release(opened)

    def _on_checked(self, result: Checked) -> None:
        if result.recording is self.workspace.recording:
            self.workspace.set_findings(list(result.findings))
            self.workspace.set_checked()
            if self.workspace.episode is not None:
                self.workspace.health.put(self.workspace.episode, result.health)

    def show_recording(
        self,
        recording: Recording | None,
        *,
        episode: str | None = None,
        carried: CarriedLayout | None = None,
    ) -> None:
        """Show what was opened.

        Args:
            recording: None: nothing can be shown.
            episode: its key where it belongs to the open collection.
            carried: how the episode before was shown.
        """
        before, collection = self.workspace.recording, self.workspace.collection
        self._remember_layout()
        self.workspace.set_recording(recording, episode=episode)
        self.annotations.set_recording(recording)
        if before is not None:
            # What a loader is still reading of it fails, and is dropped as stale.
            self._opener.release(before)
        remembered = None if recording is None or carried else self._settings.layouts.of_kind(recording)
        self.area.show_recording(recording, carried or remembered)
        nothing = self.welcome if collection is None else self.episode_page
        self._stack.setCurrentWidget(nothing if recording is None else self.area)
        self.docks.show(recording=recording is not None, collection=collection is not None)
        self.welcome.set_recent(self._settings.values.recent)
        if carried is None:
            self.docks.fit()
        self.setWindowTitle(self._title(recording, episode))
        if recording is not None:
            errors = [f for f in recording.description.findings if f.severity == "error"]
            if errors:
                self.banner.say(errors[0].message, "error")
        self.sync_panels()
        self._show_statistics()

    def _remember_layout(self) -> None:
        """The next recording of this kind opens as this one is looked at now."""
        if self.workspace.recording is not None and self.area.panels:
            self._settings.layouts.remember(self.workspace.recording, self.area.carried_layout())

    def _title(self, recording: Recording | None, episode: str | None) -> str:
        row = self.episode_list.table.row_of(episode)
        if row is not None:
            return f"{one_line(row.name)} — hfviewer"
        return (
            "hfviewer" if recording is None else f"{os.path.basename(recording.description.path)} — hfviewer"
        )

    # -- actions ---------------------------------------------------------------------------------------------

    def quit(self) -> None:
        self.close()

    # -- inside ----------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.setDockNestingEnabled(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.banner)
        column.addWidget(self._stack, 1)
        self.setCentralWidget(centre)
        self._add_transport()
        self.docks = FixedDocks(
            self, self.streams, self.episode_list, self.label_list, self.findings, self.timeline
        )
        self.workspace.findings_changed.connect(lambda found: self.docks.count_findings(len(found)))
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().setFixedHeight(24)
        self.statusBar().setContentsMargins(0, 0, 0, 0)
        self.statusBar().addWidget(self.status, 1)

    @property
    def theme(self) -> Theme:
        """Its colours."""
        return self._theme

    def _add_transport(self) -> None:
        tool_bar = self.addToolBar("Transport")
        tool_bar.setObjectName("transport")
        tool_bar.setMovable(False)
        tool_bar.setFloatable(False)
        tool_bar.setContentsMargins(0, 0, 0, 0)
        if (layout := tool_bar.layout()) is not None:
            layout.setContentsMargins(0, 0, 0, 0)
        tool_bar.addWidget(self.transport)

    def _connect(self) -> None:
        commands = self.actions_by_name
        self._opener.opened.connect(self._on_opened)
        self._opener.checked.connect(self._on_checked)
        self.welcome.open_requested.connect(commands["open_file"].trigger)
        self.welcome.recording_chosen.connect(self.open_path)
        self.transport.open_requested.connect(commands["open_file"].trigger)
        self.transport.step_requested.connect(self.player.step)
        self.transport.start_requested.connect(commands["go_to_start"].trigger)
        self.transport.end_requested.connect(commands["go_to_end"].trigger)
        self.streams.visibility_toggled.connect(self._on_visibility_toggled)
        self.streams.panel_requested.connect(self.area.open_panel)
        self.streams.context_requested.connect(self._stream_menu.pop_up)
        self._stream_menu.corrected.connect(self._on_corrected)
        self._stream_menu.failed.connect(self.failed)
        self.timeline.gap_wanted.connect(self._timeline_commands.go_to_gap)
        self.area.panels_changed.connect(self.sync_panels)
        self.area.failed.connect(self.failed)
        self.timeline.canvas.axis_changed.connect(lambda: self.area.set_timeline_span(self.timeline.view))
        self.area.picks.read_out_changed.connect(self.status.set_read_out)
        self.area.read_out_changed.connect(self.status.set_read_out)
        self.area.told.connect(lambda text: self.banner.say(text, "info"))
        # Also from other threads: then the banner's turn comes with the event loop.
        self.failed.connect(self.banner.show_error, Qt.ConnectionType.AutoConnection)
        self.workspace.playhead.jumped.connect(self._follow_jump)

    def _on_visibility_toggled(self, stream: str, visible: bool) -> None:
        if visible:
            self.area.open_panel(stream)
        else:
            self.area.close_panel(stream)

    def _on_corrected(self, revision: int) -> None:
        recording = self.workspace.recording
        if recording is not None:
            at = f"ns:{self.workspace.playhead.position_ns}"
            if self.workspace.episode is not None:
                self.episodes.reopen(at)
            else:
                self.open_path(recording.description.path, at=at, revision=revision)

    def _follow_jump(self) -> None:
        """A step or a jump out of the timeline's view brings the view along: the user asked to go there."""
        self.timeline.show_time(self.workspace.playhead.position_ns)

    def sync_panels(self) -> None:
        recording = self.workspace.recording
        for name in () if recording is None else recording.streams:
            self.streams.set_shown(name, self.area.is_open(name))

    def _show_statistics(self) -> None:
        statistics = self.player.statistics()
        cache = self.player.cache.statistics()
        self.status.set_statistics(
            # While paused, nothing is played that could be skipped.
            statistics.shown_fps if self.workspace.playhead.playing else None,
            statistics.recorded_fps,
            statistics.lag_ms,
            cache.used_bytes,
            cache.budget_bytes,
        )

    # -- Qt --------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(1600, 950)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        urls = [url for url in event.mimeData().urls() if url.isLocalFile()]
        if urls:
            event.acceptProposedAction()
            self.open_path(str(Path(urls[0].toLocalFile())))
            if len(urls) > 1:
                self.banner.say("One recording at a time: the first of those is being opened.", "info")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.go_to_line.place()
        self.docks.follow_size()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._close_guard.allows():
            event.ignore()
            return
        self._statistics.stop()
        self._remember_layout()
        self.workspace.playhead.set_playing(False)
        # The recording first: a decoder deep in a long group of pictures then stops, and the player with it.
        if self.workspace.recording is not None:
            self._opener.release(self.workspace.recording)
        self.player.close(timeout_s=1.0)
        self.annotations.close()
        self.episodes.shut_down(timeout_s=1.0)
        self.label_queue.close(timeout_s=1.0)
        self._opener.close(timeout_s=1.0)
        self.health_filler.close(timeout_s=1.0)
        self.finding_commands.close()
        self.accepted.close()
        self._settings.close()
        super().closeEvent(event)
