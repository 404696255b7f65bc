"""Annotations beside a recording that cannot be written: ``<name>.annotations.hfr``.

A hyperframe file that holds only annotation streams, what it was made for, and the ids of annotations of the
recording itself that were removed. What it says of an id counts for more than what the recording says.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hfviewer.core.annotation import AnnotationSet
from hfviewer.core.errors import HfviewerError, WriteError
from hfviewer.readers.hyperframe.annotations import (
    METADATA_KEY,
    AnnotationFrames,
    commit_annotations,
    read_annotations,
)
from hfviewer.readers.hyperframe.builder import FileBuilder
from hfviewer.readers.hyperframe.identity import belongs_to
from hfviewer.readers.hyperframe.layout import ENTRY, Header
from hfviewer.readers.hyperframe.reader import HyperframeReader

IDENTITY_KEY = "annotates"
REMOVED_KEY = "removed_annotations"


class Companion:
    """The file beside one recording, there or not yet.

    Args:
        path: of the file.
        identity: of the recording.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self.path = path
        self._identity = identity

    def exists(self) -> bool:
        """Whether there is one of that name; whose it is shows on reading."""
        return os.path.lexists(self.path)

    def read(self) -> tuple[AnnotationFrames, frozenset[str]] | None:
        """What it holds, and the ids that it removes; None where there is no such file.

        Raises:
            HfviewerError: it cannot be read, or it belongs to another recording.
        """
        if not self.exists():
            return None
        try:
            with HyperframeReader().open(self.path) as recording:
                if not belongs_to(recording.metadata.get(IDENTITY_KEY), self._identity):
                    raise WriteError(
                        "These labels were made for another recording of that name; they are not shown.",
                        remedy="Rename or move that file.",
                        path=self.path,
                    )
                removed = recording.metadata.get(REMOVED_KEY)
                ids = [i for i in removed if isinstance(i, str)] if isinstance(removed, list) else []
                return read_annotations(recording), frozenset(ids)
        except HfviewerError as error:
            if error.path is None:
                error.path = os.fspath(self.path)
            raise
        except OSError as error:
            raise WriteError(f"It cannot be read ({error.strerror}).", path=self.path) from error

    def write(
        self,
        before: tuple[AnnotationFrames, frozenset[str]] | None,
        own: AnnotationSet,
        removed: frozenset[str],
    ) -> int:
        """Make it hold these annotations.

        Args:
            before: what `read` gave.
            own: to hold.
            removed: ids of the recording's own annotations that are gone.

        Returns:
            Its new revision.

        Raises:
            HfviewerError: as `commit_changes`.
        """
        if before is None:
            self._create()
            before = self.read()
            assert before is not None
        return commit_annotations(self.path, before[0], own, metadata={REMOVED_KEY: sorted(removed)})

    def _create(self) -> None:
        """An empty one, whole from the first moment that it has its name."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # Left by a process of this number that was killed: no other one writes there.
            self.path.with_name(f"{self.path.name}.{os.getpid()}.part").unlink(missing_ok=True)
        except OSError as error:
            raise WriteError(f"It cannot be written ({error.strerror}).", path=self.path) from error
        start_ns = self._identity["first_ns"] or 0
        base = {IDENTITY_KEY: dict(self._identity), METADATA_KEY: {}, "streams": {}}
        with FileBuilder(self.path) as builder:
            builder.finish(
                header=Header(start_ns=start_ns), entries=np.empty(0, ENTRY), base=base, descriptions={}
            )
