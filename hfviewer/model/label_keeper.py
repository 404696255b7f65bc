"""Keeps the labels of one recording safe: journal first, then commits. Blocks on the disk; no Qt.

Everything here runs on one thread of its own. `LabelHistory` says what the labels are; this says what of it
the disk has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hfviewer.core.annotation import AnnotationSet
from hfviewer.core.edits import Edit
from hfviewer.core.errors import ChangedOnDiskError, HfviewerError, WriteError
from hfviewer.core.finding import Finding, Severity
from hfviewer.model.journal import HeldError, Holder, Journal, holder_of
from hfviewer.model.label_history import LabelHistory, edit_from_json, edit_to_json
from hfviewer.readers.annotation_store import AnnotationStore, PlaceKind, StoredAnnotations, change, save
from hfviewer.readers.hyperframe.identity import belongs_to

StoreMaker = Callable[[], AnnotationStore]
_MOST_NAMES = 1000


@dataclass(frozen=True, kw_only=True, eq=False)
class Opened:
    """What opening the labels of a recording gave.

    Args:
        history: the labels, with what a journal had left.
        replayed: entries of a journal that somebody left.
        holder: who is labelling it elsewhere, so that it cannot be edited here.
        findings: what could not be read.
    """

    history: LabelHistory
    replayed: int = 0
    holder: Holder | None = None
    findings: Sequence[Finding] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Committed:
    """What a commit came to.

    Args:
        state: on the disk now; what was to be committed, and what others had changed meanwhile.
        version: of what lies on the disk.
        conflicts: ids of labels that both sides had changed.
        path: of the file that holds it.
        kind: what that file is.
    """

    state: AnnotationSet
    version: int
    conflicts: tuple[str, ...]
    path: str
    kind: PlaceKind


class LabelKeeper:
    """Journal and store of one recording.

    Args:
        make_store: gives the store; asked again where the recording can no longer be written.
        journal: path of the journal.
        identity: of the recording, see `identity.identity_of`.
    """

    def __init__(self, make_store: StoreMaker, journal: Path, identity: Mapping[str, Any]) -> None:
        self._make_store = make_store
        self._store = make_store()
        self._journal_path = journal
        self._identity = identity
        self._journal: Journal | None = None
        self._stored = StoredAnnotations(annotations=AnnotationSet(), version=0)
        self._entries = 0  # in the journal
        self._left: Sequence[tuple[str, Edit]] = ()  # what a journal had left

    @property
    def store(self) -> AnnotationStore:
        return self._store

    @property
    def stored(self) -> StoredAnnotations:
        """What the disk had when it was last looked at."""
        return self._stored

    def open(self, *, carry_on: bool = True) -> Opened:
        """Read what is there, and carry on from a journal that somebody left.

        A recording without a journal gets none until the first edit, so that looking leaves nothing behind.

        Args:
            carry_on: False leaves a journal alone: for pictures, which change nothing.

        Raises:
            HfviewerError: the labels cannot be read at all.
        """
        self._stored = self._store.load()
        history = LabelHistory(self._stored.annotations)
        findings = list(self._stored.findings)
        holder: Holder | None = None
        replayed = 0
        if carry_on and self._store.writable and self._journal_path.exists():
            try:
                replayed = self._take_journal(history, findings)
            except HeldError as error:
                holder = error.holder
            except HfviewerError as error:
                findings.append(_finding(error.line()))
        return Opened(history=history, replayed=replayed, holder=holder, findings=findings)

    def record(self, entries: Sequence[tuple[str, Edit]]) -> AnnotationSet | None:
        """Put edits into the journal, all or none; they are on the disk when this returns.

        Returns:
            None; or, where somebody labelled the recording since it was opened here and died before saving,
            the labels with what they did. Their journal goes on with ours.

        Raises:
            HeldError: somebody else is labelling this recording.
            WriteError: it cannot be written; the edits are not safe.
        """
        theirs: AnnotationSet | None = None
        if self._journal is None:
            history = LabelHistory(self._stored.annotations)
            if self._take_journal(history, []):
                theirs = history.state
        assert self._journal is not None
        self._journal.append([edit_to_json(what, edit) for what, edit in entries])
        self._entries += len(entries)
        return theirs

    def commit(self, state: AnnotationSet) -> Committed:
        """Write a state, read it back, and forget the journal if nothing was recorded since.

        Only the thread that records commits, so what the journal holds then is in the state.

        Raises:
            LockedError: somebody else went on writing.
            WriteError: it cannot be written; the journal holds all.
            HfviewerError: what lies there cannot be read.
        """
        conflicts: tuple[str, ...] = ()
        try:
            self._stored = self._store.commit(self._stored, state)
        except ChangedOnDiskError:
            saved = save(self._store, self._stored.annotations, state)
            self._stored, conflicts = saved.stored, saved.conflicts
        except WriteError:
            other = self._make_store()
            if other.path == self._store.path:
                raise
            # It was writable when it was opened: what others may not write, goes beside it from now on.
            saved = save(other, self._stored.annotations, state)
            self._store, self._stored, conflicts = other, saved.stored, saved.conflicts
        self._forget_entries()
        return Committed(
            state=self._stored.annotations,
            version=self._stored.version,
            conflicts=conflicts,
            path=self._store.path,
            kind=self._store.kind,
        )

    def change(self, edit: Callable[[AnnotationSet], AnnotationSet]) -> StoredAnnotations:
        """Commit an edit, and what a journal had left below it, in one step; for who keeps no history.

        Args:
            edit: gives the new state from the present one; may be called again.

        Raises:
            HfviewerError: as `annotation_store.change`, or what ``edit`` raises; the journal stays.
        """

        def on_top(state: AnnotationSet) -> AnnotationSet:
            history = LabelHistory(state)
            history.replay(self._left)
            return edit(history.state)

        self._stored = change(self._store, on_top)
        self._forget_entries()
        return self._stored

    def holder(self) -> Holder | None:
        """Who else is labelling this recording now."""
        return None if self._journal is not None else holder_of(self._journal_path)

    def close(self) -> None:
        """Let go. A journal that holds nothing goes, one that holds something stays. May be called again."""
        if self._journal is None:
            return
        if self._entries:
            self._journal.close()
        else:
            self._journal.discard()
        self._journal = None

    def _take_journal(self, history: LabelHistory, findings: list[Finding]) -> int:
        journal = Journal(self._journal_path, self._identity)
        if not belongs_to(dict(journal.identity), self._identity):
            # Another recording of that name: its labels are somebody's work, and not about this one.
            aside = _free_name(journal.path)
            journal.path.rename(aside)
            journal.close()
            findings.append(
                _finding(f"A journal of labels of another recording of that name was kept as {aside.name}.")
            )
            journal = Journal(self._journal_path, self._identity)
        try:
            self._left = edits_of(journal.entries, findings)
            count = history.replay(self._left)
        except BaseException:
            journal.close()
            raise
        self._journal = journal
        self._entries = len(journal.entries)
        return count

    def _forget_entries(self) -> None:
        """A commit holds them, and was read back."""
        if self._journal is not None and self._entries:
            self._journal.clear()
            self._entries = 0
        self._left = ()


def edits_of(entries: Sequence[Mapping[str, Any]], findings: list[Finding]) -> list[tuple[str, Edit]]:
    """Entries of a journal as `LabelHistory.replay` takes them; those that are none become findings."""
    found: list[tuple[str, Edit]] = []
    for number, entry in enumerate(entries):
        try:
            found.append(edit_from_json(entry))
        except (ValueError, RecursionError) as error:
            findings.append(_finding(f"Edit {number} of the journal cannot be read: {error}."))
    return found


def _free_name(path: Path) -> Path:
    for number in range(1, _MOST_NAMES):
        free = path.with_name(f"{path.name}.{number}")
        if not free.exists():
            return free
    raise WriteError("There are too many journals of other recordings.", remedy="Move them away.", path=path)


def _finding(message: str) -> Finding:
    return Finding(code="journal", severity=Severity.WARNING, message=message)
