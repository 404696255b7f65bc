"""The annotations of an episode: its own parquet file, replaced whole."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hfviewer.core.annotation import Annotation, AnnotationSet
from hfviewer.core.annotation_json import (
    ANNOTATION_KEYS,
    annotation_from_json,
    annotation_to_json,
    schema_from_json,
    schema_to_json,
)
from hfviewer.core.errors import ChangedOnDiskError, LockedError, WriteError
from hfviewer.core.finding import Finding, Severity
from hfviewer.readers.annotation_store import (
    AnnotationStore,
    PlaceKind,
    StoredAnnotations,
    laid_over,
    parted_from,
)
from hfviewer.readers.episodes.annotation_file import COLUMNS, read_rows, write_rows

REVISION_KEY = "revision"
EXTRA_KEY = "extra"
REMOVED_KEY = "removed"
_OURS = frozenset({"format", "version", REVISION_KEY, EXTRA_KEY, REMOVED_KEY})
_MOST_FINDINGS = 20


class EpisodeStore(AnnotationStore):
    """The file of one episode, there or not yet.

    Args:
        path: of the file that is written.
        kind: what it is called in the state line.
        below: another file of the episode, which cannot be written: what it holds counts where ``path`` does
            not say otherwise.
    """

    def __init__(self, path: Path, kind: PlaceKind = PlaceKind.EPISODE, *, below: Path | None = None) -> None:
        self._path = path
        self._kind = kind
        self._below = below

    @property
    def path(self) -> str:
        return str(self._path)

    @property
    def kind(self) -> PlaceKind:
        return self._kind

    def load(self) -> StoredAnnotations:
        own = _read(self._path)
        below = AnnotationSet() if self._below is None else _read(self._below).annotations
        return StoredAnnotations(
            annotations=laid_over(below, own.annotations, own.removed),
            version=own.version,
            findings=[_finding(problem) for problem in own.problems[:_MOST_FINDINGS]],
            places={"unread": own.unread, "below": below},
        )

    def write(self, before: StoredAnnotations, wanted: AnnotationSet) -> int:
        below: AnnotationSet = before.places["below"]
        with _locked(self._path):
            present = self.load()
            if present.version != before.version or present.annotations != before.annotations:
                raise ChangedOnDiskError("It changed on disk.", remedy="Open it again.", path=self._path)
            document: dict[str, Any] = {
                "format": "hfviewer annotations",
                "version": 1,
                REVISION_KEY: before.version + 1,
                **schema_to_json(wanted.schema),
            }
            own, removed = parted_from(below, wanted)
            extra = {a.id: dict(a.extra) for a in own if a.extra}
            if extra:
                document[EXTRA_KEY] = extra
            if removed:
                document[REMOVED_KEY] = removed
            # Rows that nobody could read stay for whoever can.
            write_rows(self._path, document, [*map(_row_of, own), *before.places["unread"]])
        return before.version + 1


@dataclass(frozen=True, kw_only=True, eq=False)
class _Content:
    """What a file holds."""

    annotations: AnnotationSet
    version: int
    removed: Sequence[str]
    unread: Sequence[dict[str, Any]]
    problems: Sequence[str]


def _read(path: Path) -> _Content:
    document, rows = read_rows(path)
    schema, problems = schema_from_json({k: v for k, v in document.items() if k not in _OURS})
    extra, removed, revision = (document.get(key) for key in (EXTRA_KEY, REMOVED_KEY, REVISION_KEY))
    found: dict[str, Annotation] = {}
    unread: list[dict[str, Any]] = []
    for number, row in enumerate(rows):
        try:
            annotation = annotation_from_json(_value_of(row, extra if isinstance(extra, dict) else {}))
            if annotation.id in found:
                raise ValueError(f"its id {annotation.id} is taken")
        except (ValueError, RecursionError) as error:
            problems.append(f"Annotation {number} of {path.name} cannot be read: {error}.")
            unread.append(row)
            continue
        found[annotation.id] = annotation
    return _Content(
        annotations=AnnotationSet.of(schema, found),
        version=revision if type(revision) is int and revision >= 0 else int(bool(rows)),
        removed=[i for i in removed if isinstance(i, str)] if isinstance(removed, list) else [],
        unread=unread,
        problems=problems,
    )


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Nobody else replaces a file of this folder meanwhile; the lock ends with the process."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fd = os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        raise WriteError(f"It cannot be written ({error.strerror}).", path=path) from error
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LockedError("Somebody else is writing to it now.", path=path) from error
        except OSError:
            pass  # a file system without locks: the comparison before the write remains
        # Whoever left these was killed: they would have held the lock.
        for stale in path.parent.glob(f".{_escaped(path.name)}.*.tmp"):
            with suppress(OSError):
                stale.unlink()
        yield
    finally:
        os.close(fd)


def _escaped(name: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


def _value_of(row: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """A row as the JSON value of an annotation."""
    value = {k: v for k, v in row.items() if v is not None}
    text = value.get("attributes", "")
    value["attributes"] = json.loads(text) if text else {}
    more = extra.get(str(row.get("id")))
    if isinstance(more, dict):
        value |= {k: v for k, v in more.items() if k not in ANNOTATION_KEYS}
    return value


def _row_of(annotation: Annotation) -> dict[str, Any]:
    value = {k: v for k, v in annotation_to_json(annotation).items() if k in COLUMNS.names}
    try:
        value["attributes"] = json.dumps(value["attributes"], ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise WriteError(f"The label {annotation.label!r} cannot be written as JSON ({error}).") from error
    value["stream"] = annotation.stream or None
    return value


def _finding(message: str) -> Finding:
    return Finding(code="damaged_annotation", severity=Severity.WARNING, message=message)
