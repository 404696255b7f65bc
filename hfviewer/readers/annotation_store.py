"""Where annotations live: what every kind of storage offers, and saving that never loses anybody's work."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeVar

from hfviewer.core.annotation import Annotation, AnnotationSet, same
from hfviewer.core.annotation_merge import merge
from hfviewer.core.errors import ChangedOnDiskError, HfviewerError, LockedError, WriteError
from hfviewer.core.finding import Finding, Severity

_T = TypeVar("_T")
_WAIT_S = 0.02
_MOST_WAIT_S = 10.0


class PlaceKind(StrEnum):
    """What annotations are written into."""

    RECORDING = "recording"  # the recording itself, as streams of it
    SIDE_FILE = "side_file"  # a file beside it, or in a folder of the user's
    EPISODE = "episode"  # the episode's own file in its task directory


@dataclass(frozen=True, kw_only=True, eq=False)
class StoredAnnotations:
    """What lies on the disk.

    Args:
        annotations: all of them.
        version: of what it was read from; grows with every commit, 0 where nothing was written yet.
        findings: what could not be read.
        places: the store's own knowledge of where each annotation lies.
    """

    annotations: AnnotationSet
    version: int
    findings: Sequence[Finding] = ()
    places: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


class AnnotationStore(ABC):
    """The annotations of one recording on the disk. Slow: not for the GUI thread."""

    @property
    @abstractmethod
    def path(self) -> str:
        """The file that is written."""

    @property
    @abstractmethod
    def kind(self) -> PlaceKind:
        """What that file is."""

    @property
    def writable(self) -> bool:
        """False for an earlier state, which can only be looked at."""
        return True

    @abstractmethod
    def load(self) -> StoredAnnotations:
        """Read what is there now.

        Raises:
            HfviewerError: it cannot be read at all.
        """

    @abstractmethod
    def write(self, before: StoredAnnotations, wanted: AnnotationSet) -> int:
        """Put a new state in place of one that was read, in one step.

        Returns:
            The version of the new state.

        Raises:
            ChangedOnDiskError: what lies there is not ``before`` any more.
            LockedError: somebody else is writing it now.
            WriteError: it cannot be written; what was there stays.
        """

    def commit(self, before: StoredAnnotations, wanted: AnnotationSet) -> StoredAnnotations:
        """The same, read back and compared before it counts as done.

        Returns:
            What lies on the disk now.
        """
        if wanted == before.annotations:
            return before
        version = self.write(before, wanted)
        after = self.load()
        # A later version is somebody else's, made from ours.
        if after.version == version and after.annotations != wanted:
            raise WriteError(
                "What was written reads back otherwise.", remedy="Save to another disk.", path=self.path
            )
        return after


@dataclass(frozen=True, kw_only=True, eq=False)
class Saved:
    """The outcome of `save`.

    Args:
        stored: what lies on the disk.
        conflicts: ids of annotations that both sides had changed; both versions were kept.
    """

    stored: StoredAnnotations
    conflicts: tuple[str, ...] = ()


def change(
    store: AnnotationStore, edit: Callable[[AnnotationSet], AnnotationSet], *, wait_s: float = _MOST_WAIT_S
) -> StoredAnnotations:
    """Change what lies on the disk, whatever that is by the time it is our turn.

    Args:
        store: to change.
        edit: gives the new state from the present one; may be called again.
        wait_s: how long to wait for others who are writing.

    Raises:
        HfviewerError: as `save`, or what `edit` raises.
    """

    def once() -> StoredAnnotations:
        stored = store.load()
        return store.commit(stored, edit(stored.annotations))

    return _patiently(once, wait_s)


def save(
    store: AnnotationStore, base: AnnotationSet, mine: AnnotationSet, *, wait_s: float = _MOST_WAIT_S
) -> Saved:
    """Save my state; whatever others wrote since ``base`` was read is merged in, by id.

    Args:
        store: to save to.
        base: what my state was made from.
        mine: my state.
        wait_s: how long to wait for others who are writing.

    Raises:
        LockedError: somebody else went on writing.
        WriteError: it cannot be written.
        HfviewerError: what lies there cannot be read.
    """

    def once() -> Saved:
        stored = store.load()
        merged = merge(base, mine, stored.annotations)
        return Saved(stored=store.commit(stored, merged.annotations), conflicts=merged.conflicts)

    return _patiently(once, wait_s)


def _patiently(once: Callable[[], _T], wait_s: float) -> _T:
    """Try until nobody else gets in between."""
    deadline = time.monotonic() + wait_s
    while True:
        try:
            return once()
        except (ChangedOnDiskError, LockedError):
            if time.monotonic() > deadline:
                raise
            time.sleep(_WAIT_S)


def laid_over(below: AnnotationSet, above: AnnotationSet, removed: Iterable[str]) -> AnnotationSet:
    """What two files come to of which one cannot be written.

    Args:
        below: of the file that cannot be written.
        above: what the other one holds; it counts for more, and so does its schema unless that is empty.
        removed: ids that the other one takes out.
    """
    schema = above.schema if above.schema.tracks or above.schema.labels else below.schema
    if not len(below) and schema is above.schema:
        return above
    changes: dict[str, Annotation | None] = {i: None for i in removed if i in below}
    changes.update(above.by_id)
    return below.changed(changes, schema)


def parted_from(below: AnnotationSet, wanted: AnnotationSet) -> tuple[AnnotationSet, list[str]]:
    """The inverse of `laid_over`: what the upper file must hold, and the ids that it must take out."""
    own = AnnotationSet(wanted.schema, (a for a in wanted.in_order() if not same(a, below.get(a.id))))
    return own, sorted(a.id for a in below if a.id not in wanted)


def unusable(error: HfviewerError) -> Finding:
    """A file of annotations that cannot be used, as a finding of the recording."""
    return Finding(code="damaged_annotation", severity=Severity.WARNING, message=error.line())
