"""All labels of a recording where no window is open: what is committed, and what a journal has beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from hfviewer.core.annotation import AnnotationSet
from hfviewer.core.errors import UsageError
from hfviewer.core.recording import Recording
from hfviewer.model.journal import Holder, holder_of, journal_path, read_journal
from hfviewer.model.label_history import LabelHistory
from hfviewer.model.label_keeper import LabelKeeper, edits_of
from hfviewer.readers.annotation_store import AnnotationStore, StoredAnnotations
from hfviewer.readers.annotations import annotation_store, label_fingerprint, labelled_path
from hfviewer.readers.hyperframe.identity import belongs_to, identity_of


@dataclass(frozen=True, kw_only=True, eq=False)
class KnownLabels:
    """Everything that anybody was told is safe.

    Args:
        stored: as on the disk, with the edits of the journal on top.
        waiting: how many those are.
        holder: whose journal it is; None: of a session that was killed.
    """

    stored: StoredAnnotations
    waiting: int = 0
    holder: Holder | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class ChangedLabels:
    """The outcome of `change_labels`.

    Args:
        store: that was written.
        stored: what lies on the disk.
        taken_up: edits of a session that was killed, committed together with the change.
        holder: who is labelling the recording in a window, and will merge the change into what is done there.
    """

    store: AnnotationStore
    stored: StoredAnnotations
    taken_up: int = 0
    holder: Holder | None = None


def known_labels(
    recording: Recording, state_folder: Path, *, folder: Path | None = None, revision: int | None = None
) -> KnownLabels:
    """The labels of a recording; changes nothing.

    Args:
        recording: open.
        state_folder: of the user, where journals of recordings lie that cannot be written.
        folder: of the user's choice, for recordings that cannot be written.
        revision: an earlier state, which no journal belongs to.

    Raises:
        HfviewerError: they cannot be read at all.
    """
    store = annotation_store(recording, folder=folder, revision=revision)
    path = _journal_of(recording, state_folder)
    # Before the labels: what is committed in between is in both, and does no harm.
    identity, entries = read_journal(path) if store.writable else ({}, [])
    stored = store.load()
    if not entries or not belongs_to(identity, identity_of(recording)):
        return KnownLabels(stored=stored)
    findings = list(stored.findings)
    history = LabelHistory(stored.annotations)
    history.replay(edits_of(entries, findings))
    return KnownLabels(
        stored=replace(stored, annotations=history.state, findings=findings),
        waiting=len(entries),
        holder=holder_of(path),
    )


def change_labels(
    recording: Recording,
    state_folder: Path,
    edit: Callable[[AnnotationSet], AnnotationSet],
    *,
    folder: Path | None = None,
) -> ChangedLabels:
    """Change the labels on the disk, those included that a session left in a journal when it was killed.

    Args:
        recording: open.
        state_folder: of the user, where journals of recordings lie that cannot be written.
        edit: gives the new state from the present one; may be called again.
        folder: of the user's choice, for recordings that cannot be written.

    Raises:
        HfviewerError: it cannot be written, or what ``edit`` raises; nothing has changed then.
    """
    keeper = LabelKeeper(
        lambda: annotation_store(recording, folder=folder),
        _journal_of(recording, state_folder),
        identity_of(recording),
    )
    try:
        opened = keeper.open()
        try:
            stored = keeper.change(edit)
        except UsageError as error:
            if opened.holder is None:
                raise
            remedy = f"What {opened.holder.text()} has not saved yet cannot be changed from here."
            raise UsageError(error.problem, remedy=remedy, path=error.path) from error
        findings = (*opened.findings, *(f for f in stored.findings if f not in opened.findings))
        return ChangedLabels(
            store=keeper.store,
            stored=replace(stored, findings=findings),
            taken_up=opened.replayed,
            holder=opened.holder,
        )
    finally:
        keeper.close()


def _journal_of(recording: Recording, state_folder: Path) -> Path:
    target = labelled_path(recording)
    return journal_path(target, state_folder, label_fingerprint(target))
