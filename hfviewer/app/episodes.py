"""The open collection: what the list of episodes, their openers and the window have to tell each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from hfviewer.app.carried_layout import CarriedLayout
from hfviewer.app.episode_filling import EpisodeFiller, Filled, told_by
from hfviewer.app.episode_opening import EpisodeOpened, EpisodeOpener
from hfviewer.app.episode_page import EpisodePage
from hfviewer.app.settings import SettingsStore
from hfviewer.core.collection import EpisodeCollection, EpisodeRow
from hfviewer.core.errors import HfviewerError, UsageError
from hfviewer.panels.drawing import one_line
from hfviewer.panels.episode_list import EpisodeList

if TYPE_CHECKING:
    from hfviewer.app.main_window import MainWindow

MOST_TRIES = 20  # episodes that are tried until one opens, where none was asked for
_REFRESH_MS = 20_000
_REST = 40  # times as long as looking through the folder took, at least, until it is done again
_AHEAD_MS = 400  # the panels of the episode on screen get their frames first


class EpisodeBrowser(QObject):
    """Has one method for each action of the group Episodes.

    Args:
        window: shows what was opened.
        listing: the list.
        page: stands where the panels are, while none can be.
        settings: remember whether the next episode opens at the same elapsed time.
    """

    def __init__(
        self, window: MainWindow, listing: EpisodeList, page: EpisodePage, settings: SettingsStore
    ) -> None:
        super().__init__(window)
        self._window, self._list, self._page, self._settings = window, listing, page, settings
        self._opener, self._filler = EpisodeOpener(self), EpisodeFiller(self)
        self._wanted: str | None = None  # is being opened
        self._at: str | None = None
        self._announce = False  # the wish came with the folder: who asked wants to hear of a failure
        self._direction = 1
        self._layout: CarriedLayout | None = None
        self._elapsed_ns: int | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_REFRESH_MS)
        self._timer.timeout.connect(self._on_time_to_look)
        self._ahead = QTimer(self)
        self._ahead.setSingleShot(True)
        self._ahead.setInterval(_AHEAD_MS)
        self._ahead.timeout.connect(self._open_ahead)
        listing.open_requested.connect(self.open_key)
        listing.left.connect(listing.view.clearFocus)
        listing.same_time_toggled.connect(self._on_same_time)
        listing.set_same_time(settings.values.same_time)
        self._opener.opened.connect(self._on_opened)
        self._filler.filled.connect(self._on_filled)
        self._filler.listed.connect(self._on_listed)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.applicationStateChanged.connect(self._on_application_state)

    @property
    def busy(self) -> bool:
        """True while an episode is being opened."""
        return self._opener.busy

    @property
    def ready_key(self) -> str | None:
        """Key of the episode that was opened ahead."""
        return self._opener.ready_key

    # -- the collection --------------------------------------------------------------------------------------

    def show_collection(
        self, collection: EpisodeCollection, *, number: int | None = None, at: str | None = None
    ) -> None:
        """List a collection and open an episode of it.

        Args:
            collection: just opened.
            number: of the episode; None: the first that opens.
            at: where to put the playhead, as on the command line.
        """
        self.close_collection()
        self._window.workspace.set_collection(collection)
        self._page.show_busy("Opening an episode…" if collection.episodes else "")
        self._window.show_recording(None)
        self._list.take_keyboard()
        self._timer.start()
        self._announce = True
        try:
            keys = first_keys(collection, number)
        except UsageError as error:
            self._say_nothing_is_open()
            self._filler.start(collection)
            self._window.failed.emit(error)
        else:
            self._open(keys, at=at)

    def close_collection(self) -> None:
        """Forget the collection; the recording on screen stays."""
        collection = self._window.workspace.collection
        self._wanted, self._at, self._layout, self._elapsed_ns = None, None, None, None
        self._direction, self._announce = 1, False
        self._timer.stop()
        self._ahead.stop()
        self._opener.cancel()
        self._filler.cancel()
        if collection is not None:
            self._window.workspace.set_collection(None)
            self._window.release(collection)

    def shut_down(self, *, timeout_s: float) -> None:
        """Stop all that goes on in the background."""
        self._timer.stop()
        self._ahead.stop()
        self._opener.close(timeout_s=timeout_s)
        self._filler.close(timeout_s=timeout_s)

    # -- actions ---------------------------------------------------------------------------------------------

    def next_episode(self) -> None:
        self._step(1)

    def previous_episode(self) -> None:
        self._step(-1)

    def show_episodes(self) -> None:
        if self._window.workspace.collection is not None:
            self._window.docks.raise_episodes()
            self._list.take_keyboard()

    def filter_episodes(self) -> None:
        if self._window.workspace.collection is not None:
            self._window.docks.raise_episodes()
            self._list.ask_filter()

    def refresh_episodes(self) -> None:
        collection = self._window.workspace.collection
        if collection is not None:
            self._filler.refresh(collection)

    def toggle_same_time(self) -> None:
        self._list.same_time_button.toggle()

    def open_key(self, key: str) -> None:
        """Open an episode of the collection; the one on screen stays until it is there."""
        self._open([key])

    def reopen(self, at: str) -> None:
        """Open the episode on screen once more: its file has changed."""
        episode = self._window.workspace.episode
        if episode is not None:
            self._opener.forget()
            self._open([episode], at=at)

    def tell_labelled(self, labelled: bool) -> None:
        """Whether the episode on screen has labels now."""
        key = self._window.workspace.episode
        row, listed = self._list.table.row_of(key), None if key is None else self._listed_row(key)
        if row is not None and listed is not None and bool(row.labelled) is not labelled:
            self._say_of(listed, replace(row, labelled=labelled))

    # -- opening ---------------------------------------------------------------------------------------------

    def _open(self, keys: list[str], *, at: str | None = None) -> None:
        collection = self._window.workspace.collection
        if collection is None or not keys:
            return
        self._wanted, self._at = keys[0], at
        self._ahead.stop()
        self._list.set_opening(keys[0])
        self._list.view.choose(keys[0])
        row = self._list.table.row_of(keys[0])
        self._window.status.set_message(f"opening {keys[0] if row is None else one_line(row.name)}")
        self._opener.open(collection, keys)

    def _step(self, step: int) -> None:
        workspace = self._window.workspace
        if workspace.collection is None:
            return
        self._direction = step
        # While one is being opened, the next press goes on from there.
        key = self._list.neighbour(self._wanted or workspace.episode, step)
        if key is not None:
            self.open_key(key)
        else:
            end = "last" if step > 0 else "first"
            self._window.banner.say(f"This is the {end} episode of the list.", "info")

    def _on_opened(self, outcome: EpisodeOpened) -> None:
        if outcome.collection is not self._window.workspace.collection:
            return
        at, announce = self._at, self._announce
        self._wanted, self._at, self._announce = None, None, False
        self._list.set_opening(None)
        self._window.status.set_message("")
        self._window.banner.hide()
        self._remember()
        for key, error in outcome.failed:
            self._mark(key, error)
        if outcome.recording is None:
            self._show_failure(outcome.key, outcome.error, announce=announce)
        else:
            self._learn(outcome)
            self._window.show_recording(outcome.recording, episode=outcome.key, carried=self._layout)
            self._refocus()
            self._place_playhead(at)
            self._window.check(outcome.recording)
        self._filler.start(outcome.collection)
        self._ahead.start()

    def _remember(self) -> None:
        """What the next episode takes over from the one on screen."""
        workspace, recording = self._window.workspace, self._window.workspace.recording
        if recording is None or workspace.episode is None:
            return
        area, layout = self._window.area, self._window.area.carried_layout()
        # What only stands in for panels that this episode has no stream for is not carried on.
        layout = replace(layout, open=layout.open - area.makeshift)
        self._layout = layout.after(self._layout, list(recording.streams))
        self._elapsed_ns = workspace.playhead.position_ns - workspace.playhead.span.start_ns

    def _refocus(self) -> None:
        workspace = self._window.workspace
        focused = None if self._layout is None else self._layout.focused
        if workspace.recording is not None and focused in workspace.recording.streams:
            workspace.focus(focused)

    def _place_playhead(self, at: str | None) -> None:
        playhead = self._window.workspace.playhead
        if at is not None:
            self._window.going_to.go_to_time(at)
        elif self._settings.values.same_time and self._elapsed_ns is not None:
            playhead.move_to(playhead.span.start_ns + self._elapsed_ns)
        else:
            playhead.move_to(self._window.area.first_filled_ns())

    def _show_failure(self, key: str, error: HfviewerError | None, *, announce: bool) -> None:
        row = self._list.table.row_of(key)
        problem = "" if error is None else f"{error.problem} {error.remedy}".strip()
        if error is not None:
            self._mark(key, error)
        self._page.show_problem(key if row is None else one_line(row.name), problem)
        self._window.show_recording(None, episode=key, carried=self._layout)
        if announce and error is not None:
            self._window.failed.emit(error)

    def _say_nothing_is_open(self) -> None:
        collection = self._window.workspace.collection
        if collection is not None and collection.episodes:
            self._page.show_choice(one_line(collection.task))
        elif collection is not None:
            self._page.show_empty(one_line(collection.task))

    def _open_ahead(self) -> None:
        workspace = self._window.workspace
        if workspace.collection is None or self._wanted is not None:
            return
        self._opener.open_ahead(
            workspace.collection, self._list.neighbour(workspace.episode, self._direction)
        )

    # -- rows ------------------------------------------------------------------------------------------------

    def _listed_row(self, key: str) -> EpisodeRow | None:
        """The row as the collection lists it."""
        collection = self._window.workspace.collection
        rows = () if collection is None else collection.episodes
        return next((row for row in rows if row.key == key), None)

    def _mark(self, key: str, error: HfviewerError) -> None:
        row = self._listed_row(key)
        if row is not None:
            problem = f"{error.problem} {error.remedy}".strip()
            self._say_of(row, replace(row, ok=False, problem=problem))

    def _learn(self, outcome: EpisodeOpened) -> None:
        row = self._listed_row(outcome.key)
        if row is not None and outcome.recording is not None:
            self._say_of(row, told_by(row, outcome.recording))

    def _say_of(self, row: EpisodeRow, told: EpisodeRow) -> None:
        self._filler.learn(row, told)
        self._list.table.set_row(told)

    def _on_filled(self, filled: Filled) -> None:
        for _, row in filled.rows:
            self._list.table.set_row(row)
        self._list.set_progress(filled.done, filled.whole)

    def _on_listed(self, rows: list[EpisodeRow]) -> None:
        """The folder has changed underneath: what was opened ahead may have, too."""
        collection = self._window.workspace.collection
        if collection is None:
            return
        self._opener.forget()
        self._list.set_rows(rows)
        if self._window.workspace.episode is None and self._wanted is None:
            self._say_nothing_is_open()
        self._filler.start(collection)
        self._window.health_filler.start(collection)
        self._ahead.start()

    def _on_time_to_look(self) -> None:
        if not self._window.workspace.playhead.playing:
            # A folder that takes long to look through is looked through less often.
            self._timer.setInterval(max(_REFRESH_MS, round(_REST * 1000 * self._filler.listing_s)))
            self.refresh_episodes()

    def _on_application_state(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            self.refresh_episodes()

    def _on_same_time(self, same: bool) -> None:
        self._settings.values.same_time = same
        self._settings.save()


def first_keys(collection: EpisodeCollection, number: int | None) -> list[str]:
    """Which episodes to try, in order.

    Raises:
        UsageError: there is none, or none of that number.
    """
    if number is not None:
        return [collection.row(number).key]
    rows = collection.episodes
    if not rows:
        raise UsageError("This folder holds no episodes.", path=collection.path)
    good = [row.key for row in rows if row.ok]
    return (good or [row.key for row in rows])[:MOST_TRIES]
