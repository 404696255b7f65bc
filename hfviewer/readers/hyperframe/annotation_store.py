"""The annotations of a recording: in it where it is a hyperframe file that can be written, else beside it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from hfviewer.core.annotation import AnnotationSet
from hfviewer.core.errors import ChangedOnDiskError, HfviewerError, WriteError
from hfviewer.core.finding import Finding
from hfviewer.core.recording import Recording
from hfviewer.readers.annotation_store import (
    AnnotationStore,
    PlaceKind,
    StoredAnnotations,
    laid_over,
    parted_from,
    unusable,
)
from hfviewer.readers.hyperframe.annotations import AnnotationFrames, commit_annotations, read_annotations
from hfviewer.readers.hyperframe.companion import Companion
from hfviewer.readers.hyperframe.identity import identity_of
from hfviewer.readers.hyperframe.reader import HyperframeReader, HyperframeRecording
from hfviewer.readers.hyperframe.state import read_state


class InFileStore(AnnotationStore):
    """Annotation streams of the recording itself.

    Args:
        path: of a finished hyperframe file.
        revision: an earlier state to read; such a store cannot be written.
        opened: the same file, open: its index is not read again where it is still the newest state.
    """

    def __init__(
        self, path: Path, revision: int | None = None, *, opened: HyperframeRecording | None = None
    ) -> None:
        self._path = path
        self._revision = revision
        self._opened = opened

    @property
    def path(self) -> str:
        return str(self._path)

    @property
    def kind(self) -> PlaceKind:
        return PlaceKind.RECORDING

    @property
    def writable(self) -> bool:
        return self._revision is None

    def load(self) -> StoredAnnotations:
        opened, self._opened = self._opened, None
        if opened is not None and self._revision is None and is_current(opened, self._path):
            frames = read_annotations(opened)
        else:
            frames = read_own(self._path, self._revision)
        return StoredAnnotations(
            annotations=frames.annotations,
            version=frames.revision,
            findings=frames.findings,
            places={"frames": frames},
        )

    def write(self, before: StoredAnnotations, wanted: AnnotationSet) -> int:
        if self._revision is not None:
            raise WriteError("An earlier revision cannot be changed.", path=self._path)
        frames: AnnotationFrames = before.places["frames"]
        return commit_annotations(self._path, frames, wanted)


class BesideStore(AnnotationStore):
    """A file beside the recording, over what the recording itself holds.

    Args:
        recording: that is annotated; only looked at while this is made.
        target: the file to write.
        others: further files of that kind to read, which are not written.
    """

    def __init__(self, recording: Recording, target: Path, others: Sequence[Path] = ()) -> None:
        is_hyperframe = isinstance(recording, HyperframeRecording)
        self._recording = Path(recording.description.path) if is_hyperframe else None
        self._revision = recording.description.revision
        identity = identity_of(recording)
        self._target = Companion(target, identity)
        self._others = [Companion(path, identity) for path in others if path != target]

    @property
    def path(self) -> str:
        return str(self._target.path)

    @property
    def kind(self) -> PlaceKind:
        return PlaceKind.SIDE_FILE

    def load(self) -> StoredAnnotations:
        findings: list[Finding] = []
        below = AnnotationSet()
        if self._recording is not None:
            own = read_own(self._recording, self._revision)
            findings += own.findings
            below = own.annotations
        for other in self._others:
            try:
                read = other.read()
            except HfviewerError as error:
                findings.append(unusable(error))
                continue
            if read is not None:
                below = laid_over(below, read[0].annotations, read[1])
                findings += read[0].findings
        mine = self._target.read()
        merged = below
        if mine is not None:
            merged = laid_over(below, mine[0].annotations, mine[1])
            findings += mine[0].findings
        return StoredAnnotations(
            annotations=merged,
            version=0 if mine is None else mine[0].revision,
            findings=findings,
            places={"below": below, "mine": mine},
        )

    def write(self, before: StoredAnnotations, wanted: AnnotationSet) -> int:
        below: AnnotationSet = before.places["below"]
        mine: tuple[AnnotationFrames, frozenset[str]] | None = before.places["mine"]
        if mine is None and self._target.exists():
            raise ChangedOnDiskError("Somebody else has begun to label it.", path=self._target.path)
        own, removed = parted_from(below, wanted)
        return self._target.write(mine, own, frozenset(removed))


def is_current(opened: HyperframeRecording, path: Path) -> bool:
    """Whether a recording that was opened is open still, and is what lies on the disk now."""
    try:
        named, held = os.stat(path), os.fstat(opened.storage.fd)
        same_file = (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino)
        return same_file and read_state(opened.storage).header == opened.header
    except (OSError, HfviewerError):
        return False


def read_own(path: Path, revision: int | None = None) -> AnnotationFrames:
    """The annotations that a hyperframe file itself holds.

    Raises:
        HfviewerError: it cannot be opened.
    """
    try:
        with HyperframeReader().open(path, revision=revision) as recording:
            return read_annotations(recording)
    except HfviewerError as error:
        if error.path is None:
            error.path = os.fspath(path)
        raise
