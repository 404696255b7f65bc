"""The labels of the open recording, as they are edited: undo and redo, and safe on the disk meanwhile."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from hfviewer.core.annotation import Annotation, AnnotationSet
from hfviewer.core.edits import Edit
from hfviewer.core.errors import HfviewerError, UsageError, WriteError
from hfviewer.core.recording import Recording
from hfviewer.model.journal import HeldError, journal_path
from hfviewer.model.label_condition import LabelCondition, Safety
from hfviewer.model.label_history import DO, REDO, UNDO, LabelHistory
from hfviewer.model.label_keeper import Committed, LabelKeeper, Opened
from hfviewer.readers.annotation_store import AnnotationStore, PlaceKind
from hfviewer.readers.annotations import annotation_store, label_fingerprint, labelled_path
from hfviewer.readers.hyperframe.identity import identity_of

DEFAULT_PAUSE_MS = 3000
_RETRY_MS = 2000
_CLOSE_S = 30.0

Entry = tuple[str, Edit]


@dataclass(eq=False)
class _Session:
    """What is known of one recording while it is open; its history outlives that."""

    key: str
    keeper: LabelKeeper | None = None
    history: LabelHistory = field(default_factory=lambda: LabelHistory(AnnotationSet()))
    stored: AnnotationSet = field(default_factory=AnnotationSet)  # what the disk had when last looked at
    waiting: list[Entry] = field(default_factory=list)  # edits that the journal has not yet
    recording_now: list[Entry] = field(default_factory=list)  # those that it is being given
    saved: AnnotationSet | None = None  # the state that the last commit holds
    saving: bool = False
    beside: str = ""
    version: int = 0


class Annotations(QObject):
    """Labels of the open recording.

    Every edit shows at once, and counts as safe once the journal has it (`condition`). Commits follow after a
    pause, on `save` and when the recording is closed. The disk is only touched on a thread of its own.

    Args:
        state_folder: of the user, for journals of recordings whose folder cannot be written.
        pause_ms: how long after the last edit labels are committed; 0: only on `save` and on closing.
        folder: of the user's choice, for labels of recordings that cannot be written.
    """

    changed = Signal()  # the labels are others, or another recording's
    selection_changed = Signal()
    condition_changed = Signal(object)  # LabelCondition
    refused = Signal(str)  # why an edit was not made, or not saved, for a person
    recovered = Signal(int)  # so many edits of a session that ended badly are there again
    findings_found = Signal(object)  # list[Finding]: what of the labels cannot be read
    _done = Signal(object, object)  # callable on the GUI thread, what the work gave

    def __init__(
        self,
        state_folder: Path,
        *,
        pause_ms: int = DEFAULT_PAUSE_MS,
        folder: Path | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._state_folder = state_folder
        self._pause_ms = pause_ms
        self._folder = folder
        self.carry_on = True  # False: what a killed session left in a journal is left alone
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="labels")
        self._session: _Session | None = None
        self._histories: dict[str, LabelHistory] = {}
        self._condition = LabelCondition()
        self._selected: tuple[str, ...] = ()
        self._commit = QTimer(self)
        self._commit.setSingleShot(True)
        self._commit.timeout.connect(self.save)
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.timeout.connect(self._record_waiting)
        self._done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)

    # -- what there is ---------------------------------------------------------------------------------------

    @property
    def state(self) -> AnnotationSet:
        """All labels now, those that are not safe yet included."""
        return self._history.state

    @property
    def condition(self) -> LabelCondition:
        return self._condition

    @property
    def undo_name(self) -> str:
        return self._history.undo_name

    @property
    def redo_name(self) -> str:
        return self._history.redo_name

    @property
    def depth(self) -> tuple[int, int]:
        """How many edits can be undone and redone."""
        return self._history.depth

    @property
    def selected(self) -> tuple[Annotation, ...]:
        """The selected labels that are still there."""
        found = (self.state.get(i) for i in self._selected)
        return tuple(a for a in found if a is not None)

    def select(self, ids: Iterable[str]) -> None:
        ids = tuple(dict.fromkeys(ids))
        if ids != self._selected:
            self._selected = ids
            self.selection_changed.emit()

    # -- editing ---------------------------------------------------------------------------------------------

    def do(self, make: Callable[[AnnotationSet], Edit]) -> Edit | None:
        """Make an edit of the present labels and apply it; None where it was refused, which is told."""
        return self._act(DO, lambda history: history.do(make(history.state)))

    def undo(self) -> Edit | None:
        """Undo the last edit of this recording."""
        return self._act(UNDO, LabelHistory.undo)

    def redo(self) -> Edit | None:
        """Do again what was undone last."""
        return self._act(REDO, LabelHistory.redo)

    def save(self) -> None:
        """Commit what is not committed yet; returns at once."""
        session = self._session
        self._commit.stop()
        if session is None or session.keeper is None or not self._condition.editable or session.saving:
            return
        self._record_waiting()
        state = session.history.state
        if state is session.saved:
            return
        session.saving = True
        keeper = session.keeper
        self._work(lambda: keeper.commit(state), lambda result: self._on_committed(session, state, result))
        self._tell(session)

    # -- opening and closing ---------------------------------------------------------------------------------

    def set_recording(self, recording: Recording | None) -> None:
        """Edit the labels of another recording; those of the one before are committed in the background."""
        self._leave()
        self.select(())
        if recording is None:
            self._session = None
            self._set_condition(LabelCondition())
            self.changed.emit()
            return
        target = labelled_path(recording)
        key = os.fspath(target)
        session = self._session = _Session(key)
        self._set_condition(LabelCondition(safety=Safety.LOADING))
        self.changed.emit()

        def open_labels() -> tuple[LabelKeeper, Opened]:
            journal = journal_path(target, self._state_folder, label_fingerprint(target))
            keeper = LabelKeeper(
                lambda: annotation_store(recording, folder=self._folder), journal, identity_of(recording)
            )
            return keeper, keeper.open(carry_on=self.carry_on)

        self._work(open_labels, lambda result: self._on_opened(session, result))

    def close(self) -> None:
        """Commit, wait until that is done, and stop. May be called again."""
        self._leave()
        self._session = None
        self._worker.shutdown(wait=True)

    def wait(self) -> None:
        """Until everything asked for so far is on the disk; for tests and for closing."""
        done: Future[None] = self._worker.submit(lambda: None)
        done.result(_CLOSE_S)

    # -- inside ----------------------------------------------------------------------------------------------

    @property
    def _history(self) -> LabelHistory:
        return _NOTHING if self._session is None else self._session.history

    def _act(self, what: str, act: Callable[[LabelHistory], Edit]) -> Edit | None:
        session = self._session
        if session is None or not self._condition.editable:
            self.refused.emit(self._condition.text() or "no recording is open")
            return None
        try:
            edit = act(session.history)
        except UsageError as error:
            self.refused.emit(error.line())
            return None
        session.waiting.append((what, edit))
        self._record_waiting()
        if self._pause_ms:
            self._commit.start(self._pause_ms)
        self._tell(session)
        self.changed.emit()
        return edit

    def _record_waiting(self) -> None:
        """Have the journal take what it has not yet: all of it in one go, one go at a time."""
        session = self._session
        if session is None or session.keeper is None or session.recording_now or not session.waiting:
            return
        self._retry.stop()
        session.recording_now, session.waiting = session.waiting, []
        keeper, entries = session.keeper, list(session.recording_now)
        self._work(lambda: keeper.record(entries), lambda result: self._on_recorded(session, result))

    def _leave(self) -> None:
        """Hand all that is not on the disk to the thread, and let the recording go there."""
        self._commit.stop()
        self._retry.stop()
        session = self._session
        if session is None or session.keeper is None:
            return
        self._histories[session.key] = session.history
        keeper, entries, state = session.keeper, list(session.waiting), session.history.state
        wanted = self._condition.editable and state is not session.saved

        def leave() -> None:
            where = "kept in the journal"
            try:
                if entries:
                    try:
                        keeper.record(entries)
                    except HfviewerError:  # a commit is as good
                        where = "nor is all of it in the journal"
                if wanted:
                    keeper.commit(state)
            except HfviewerError as error:
                told = f"not saved, {where}: {_problem(error)} ({os.path.basename(session.key)})"
                with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
                    self._done.emit(self.refused.emit, told)
            finally:
                keeper.close()

        self._worker.submit(leave)
        session.keeper = None

    def _on_opened(self, session: _Session, result: tuple[LabelKeeper, Opened] | Exception) -> None:
        if isinstance(result, Exception):
            if session is self._session:
                self._set_condition(LabelCondition(safety=Safety.UNREADABLE, problem=_problem(result)))
            return
        keeper, opened = result
        if session is not self._session:
            try:
                self._worker.submit(keeper.close)
            except RuntimeError:  # the window was closed meanwhile
                keeper.close()
            return
        session.keeper = keeper
        session.history, session.stored = opened.history, keeper.stored.annotations
        earlier = self._histories.pop(session.key, None)
        if earlier is not None and not opened.replayed:
            # Looked at again in one sitting: what could be undone still can, over what others did meanwhile.
            earlier.restore(opened.history.state)
            session.history = earlier
        if not opened.replayed:
            session.saved = session.history.state
        session.beside = _beside(keeper.store)
        session.version = keeper.stored.version if keeper.store.kind is PlaceKind.RECORDING else 0
        if not keeper.store.writable:
            version = keeper.stored.version
            self._set_condition(LabelCondition(safety=Safety.EARLIER, version=version))
        elif opened.holder is not None:
            self._set_condition(LabelCondition(safety=Safety.HELD, holder=opened.holder.text()))
        else:
            self._tell(session)
            if opened.replayed and self._pause_ms:
                self._commit.start(self._pause_ms)
        if opened.replayed:
            self.recovered.emit(opened.replayed)
        if opened.findings:
            self.findings_found.emit(list(opened.findings))
        self.changed.emit()

    def _on_recorded(self, session: _Session, result: AnnotationSet | Exception | None) -> None:
        entries, session.recording_now = session.recording_now, []
        if isinstance(result, HeldError):
            self._give_up(session, result)
            return
        if isinstance(result, Exception):
            session.waiting = entries + session.waiting
            if session is self._session:
                self._retry.start(_RETRY_MS)
                self._tell(session, unsafe=_problem(result))
            return
        if result is not None:
            session.history.rebase(session.stored, result)
            self._emit_changed(session)
        if session is self._session:
            self._record_waiting()
            self._tell(session)

    def _give_up(self, session: _Session, error: HeldError) -> None:
        """Somebody else began to label it first: what was done here meanwhile is taken back, and told."""
        session.waiting.clear()
        session.history = LabelHistory(session.stored)
        session.saved = session.stored
        if session is self._session:
            self._commit.stop()
            self._set_condition(LabelCondition(safety=Safety.HELD, holder=error.holder.text()))
            self.refused.emit(error.line())
            self.changed.emit()

    def _on_committed(self, session: _Session, sent: AnnotationSet, result: Committed | Exception) -> None:
        session.saving = False
        if isinstance(result, Exception):
            if session is self._session:
                self._tell(session, problem=_problem(result))
            return
        before = session.history.state
        if result.state != sent:
            session.history.rebase(sent, result.state)
        elif before is sent:
            session.saved = sent
        session.stored = result.state
        if before is sent and session.history.state is not before:
            session.saved = session.history.state
        session.beside = os.path.basename(result.path) if result.kind is PlaceKind.SIDE_FILE else ""
        session.version = result.version if result.kind is PlaceKind.RECORDING else 0
        if session is not self._session:
            return
        if result.conflicts:
            count = len(result.conflicts)
            self.refused.emit(f"{count} changed elsewhere, too: both versions were kept")
        if session.history.state is not before:
            self.changed.emit()
        self._tell(session)
        if session.history.state is not session.saved and self._pause_ms:
            self._commit.start(self._pause_ms)

    def _tell(self, session: _Session, *, problem: str = "", unsafe: str = "") -> None:
        """Work out the condition of the open recording from what its disk has."""
        if session is not self._session:
            return
        if unsafe:
            safety = Safety.UNSAFE
        elif session.recording_now or session.waiting:
            safety = Safety.UNSAFE if self._condition.safety is Safety.UNSAFE else Safety.JOURNALLING
            unsafe = self._condition.problem if safety is Safety.UNSAFE else ""
        elif session.saving:
            safety = Safety.SAVING
        elif session.history.state is session.saved:
            safety = Safety.SAVED
        else:
            safety = Safety.JOURNALLED
        self._set_condition(
            LabelCondition(
                safety=safety,
                beside=session.beside,
                version=session.version if safety is Safety.SAVED else 0,
                problem=problem or unsafe,
            )
        )

    def _set_condition(self, condition: LabelCondition) -> None:
        if condition != self._condition:
            self._condition = condition
            self.condition_changed.emit(condition)

    def _emit_changed(self, session: _Session) -> None:
        if session is self._session:
            self.changed.emit()

    def _work(self, work: Callable[[], Any], then: Callable[[Any], None]) -> None:
        """Do it on the thread of labels, and hand what it gave to the GUI thread."""

        def run() -> None:
            result: Any
            try:
                result = work()
            except HfviewerError as error:
                result = error
            except Exception as error:  # noqa: BLE001 - a bug must show in the status line, not end the thread
                result = WriteError(f"{type(error).__name__}: {error}")
            with contextlib.suppress(RuntimeError):  # the window was closed meanwhile
                self._done.emit(then, result)

        self._worker.submit(run)

    def _on_done(self, then: Callable[[Any], None], result: object) -> None:
        then(result)


_NOTHING = LabelHistory(AnnotationSet())


def _beside(store: AnnotationStore) -> str:
    return os.path.basename(store.path) if store.kind is PlaceKind.SIDE_FILE else ""


def _problem(error: Exception) -> str:
    return error.problem.rstrip(".") if isinstance(error, HfviewerError) else str(error)
