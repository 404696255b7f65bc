"""Which format a file of labels has, and how what it holds goes into a recording."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hfviewer.convert.labels.audacity import AudacityLabels
from hfviewer.convert.labels.base import ALL_FIELDS, MOST_BYTES, LabelContext, LabelFile, LabelFormat
from hfviewer.convert.labels.csv_file import CsvLabels
from hfviewer.convert.labels.eaf import ElanLabels
from hfviewer.convert.labels.json_file import JsonLabels
from hfviewer.convert.labels.lerobot import LeRobotLabels
from hfviewer.convert.labels.webvtt import WebVttLabels
from hfviewer.core.annotation import Annotation, AnnotationSet, Schema, digits_apart, new_id
from hfviewer.core.edits import Change, Edit
from hfviewer.core.errors import ConversionError, HfviewerError, UsageError, WriteError
from hfviewer.core.whole_file import replace_file

FORMATS: tuple[LabelFormat, ...] = (
    LeRobotLabels(),
    JsonLabels(),
    CsvLabels(),
    ElanLabels(),
    AudacityLabels(),
    WebVttLabels(),
)
_TIMES = frozenset({"start_ns", "end_ns", "stream", "first_frame", "last_frame"})


def format_of(path: Path, name: str | None) -> LabelFormat:
    """The format of that name; without one, by the file's name.

    Raises:
        UsageError: there is none.
    """
    for known in FORMATS:
        if known.name == name or (name is None and path.name.lower().endswith(known.suffixes)):
            return known
    known_names = ", ".join(sorted(known.name for known in FORMATS))
    raise UsageError(
        f"The name of {path.name} does not tell a format of labels.",
        remedy=f"Use --to or --from with one of {known_names}.",
    )


def read_label_file(path: Path, name: str | None, context: LabelContext) -> LabelFile:
    """What a file of labels holds.

    Raises:
        HfviewerError: it cannot be read.
    """
    known: LabelFormat = format_of(path, name)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ConversionError(
                f"It is larger than {MOST_BYTES >> 20} MiB, too large for labels.", path=path
            )
        data = path.read_bytes()
    except OSError as error:
        raise ConversionError(f"It cannot be read ({error.strerror}).", path=path) from error
    if known.name == "json" and b'"episodes"' in data[: 1 << 16] and b'"annotations"' not in data:
        known = LeRobotLabels()
    try:
        return known.decode(data, context)
    except HfviewerError as error:
        error.path = str(path)
        raise


def write_label_file(path: Path, data: bytes) -> None:
    """A whole file or none; what was there before stays where it cannot be.

    Raises:
        WriteError: it cannot be written.
    """
    try:
        replace_file(path, data, lasting=True)
    except OSError as error:
        raise WriteError(f"It cannot be written ({error.strerror}).", path=path) from error


@dataclass(frozen=True, kw_only=True, eq=False)
class Import:
    """What bringing a file in comes to.

    Args:
        edit: to apply; None where everything is there already.
        added: labels that were not there.
        updated: labels of known ids that the file has otherwise.
        unchanged: labels that are there just so.
    """

    edit: Edit | None
    added: int
    updated: int
    unchanged: int


def plan_import(state: AnnotationSet, file: LabelFile, context: LabelContext, *, now_ns: int) -> Import:
    """How the labels of a file go into a recording; nothing that is there is doubled or coarsened.

    A label with the id of one that is there takes its place, but only in what the file can tell; times that
    agree within the file's precision stay as they are. A label without an id is left out where one of that
    name lies at that place already.

    Args:
        state: what is there.
        file: what to bring in.
        context: of the recording.
        now_ns: wall time, for labels that come without one.
    """
    changes: dict[str, Change] = {}
    unchanged = updated = 0
    places: dict[tuple[str, str], list[Annotation]] = {}
    for annotation in state:
        places.setdefault((annotation.track, annotation.label), []).append(annotation)
    for group in places.values():
        group.sort(key=lambda a: a.start_ns)
    for found in file.annotations:
        before = state.get(found.id) if found.id else _same_place(found, places, file.precision_ns)
        if before is not None:
            after = _updated(before, found, file, context)
            if after == before:
                unchanged += 1
            else:
                changes[before.id] = Change(before, after)
                updated += 1
            continue
        fresh = replace(found, id=found.id or new_id())
        if "first_frame" not in file.carried:
            fresh = context.anchored(fresh)
        if "created_ns" not in file.carried:
            fresh = replace(fresh, created_ns=now_ns, modified_ns=now_ns)
        changes[fresh.id] = Change(None, fresh)
    after_all = [change.after for change in changes.values() if change.after is not None]
    schema = state.schema
    if file.schema is not None:
        tracks = (*schema.tracks, *(t for t in file.schema.tracks if schema.track(t.name) is None))
        labels = (*schema.labels, *(x for x in file.schema.labels if schema.label(x.name) is None))
        extra = {**file.schema.extra, **schema.extra}
        schema = Schema(tracks=tracks, labels=digits_apart(labels), extra=extra)
    else:
        schema = schema.with_names((a.track for a in after_all), (a.label for a in after_all))
    is_new = schema != state.schema
    if not changes and not is_new:
        return Import(edit=None, added=0, updated=0, unchanged=unchanged)
    edit = Edit(
        name="Import labels",
        changes=tuple(changes.values()),
        schema_before=state.schema if is_new else None,
        schema_after=schema if is_new else None,
    )
    return Import(edit=edit, added=len(changes) - updated, updated=updated, unchanged=unchanged)


def _updated(before: Annotation, found: Annotation, file: LabelFile, context: LabelContext) -> Annotation:
    values = {name: getattr(found, name) for name in file.carried if name in ALL_FIELDS - {"id"}}
    near = all(
        abs(a - b) < file.precision_ns or a == b
        for a, b in ((before.start_ns, found.start_ns), (before.end_ns, found.end_ns))
    )
    if near and file.precision_ns > 1:
        values = {name: value for name, value in values.items() if name not in _TIMES}
    elif "first_frame" not in file.carried:
        return context.anchored(replace(before, **values, first_frame=None, last_frame=None))
    return replace(before, **values)


def _same_place(
    found: Annotation, places: dict[tuple[str, str], list[Annotation]], precision_ns: int
) -> Annotation | None:
    """The label of that name and author that lies there already, as far as the file is exact."""
    group = places.get((found.track, found.label), [])
    first = bisect_left(group, found.start_ns - precision_ns, key=lambda a: a.start_ns)
    for index in range(first, len(group)):
        other = group[index]
        if other.start_ns > found.start_ns + precision_ns:
            return None
        is_theirs = not found.author or other.author == found.author
        if is_theirs and abs(other.end_ns - found.end_ns) <= precision_ns:
            return other
    return None


def label_format_names() -> Sequence[str]:
    """For the command line."""
    return sorted(known.name for known in FORMATS)
