"""Edits of annotations: each is a value that can be applied, and whose inverse undoes exactly it.

An edit holds every annotation that it changes as it was and as it shall be, so applying it to a state that
has moved on (somebody else changed the same annotation) is noticed, not silently wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hfviewer.core.annotation import Annotation, AnnotationSet, Schema, TrackKind, problem_of, same
from hfviewer.core.errors import UsageError


@dataclass(frozen=True, slots=True)
class Change:
    """One annotation before and after; None: it is not there."""

    before: Annotation | None
    after: Annotation | None

    @property
    def id(self) -> str:
        some = self.after or self.before
        return "" if some is None else some.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What one action of the user changes.

    Args:
        name: for the undo menu, e.g. ``Remove 2 labels``.
        changes: of different ids.
        schema_before: where the schema changes, else None.
        schema_after: where the schema changes, else None.
    """

    name: str
    changes: tuple[Change, ...] = ()
    schema_before: Schema | None = None
    schema_after: Schema | None = None

    def inverse(self) -> Edit:
        """The edit that restores exactly the state before this one."""
        return Edit(
            name=self.name,
            changes=tuple(Change(change.after, change.before) for change in self.changes),
            schema_before=self.schema_after,
            schema_after=self.schema_before,
        )

    def apply(self, state: AnnotationSet) -> AnnotationSet:
        """The state after it.

        Raises:
            UsageError: the state is not one that it was made for.
        """
        for change in self.changes:
            if not same(state.get(change.id), change.before):
                raise UsageError(
                    f"{self.name}: the label was changed elsewhere meanwhile.", remedy="Do it again."
                )
        if self.schema_before is not None and state.schema != self.schema_before:
            raise UsageError(f"{self.name}: the list of labels was changed elsewhere meanwhile.")
        return state.changed({change.id: change.after for change in self.changes}, self.schema_after)


@dataclass(frozen=True, slots=True)
class Edge:
    """An instant, and the index of the anchor's frame on screen then (None without an anchor)."""

    at_ns: int
    frame: int | None = None


def add(state: AnnotationSet, annotations: Sequence[Annotation]) -> Edit:
    """New annotations; tracks and labels that the schema lacks are added to it.

    Raises:
        UsageError: an id is taken, a track refuses the overlap or the kind, or one cannot be stored.
    """
    for annotation in annotations:
        if annotation.id in state:
            raise UsageError(f"There is an annotation {annotation.id} already.")
    changes = tuple(Change(None, annotation) for annotation in annotations)
    if len({change.id for change in changes}) != len(changes):
        raise UsageError("Two of the new annotations have one id.")
    schema = state.schema.with_names((a.track for a in annotations), (a.label for a in annotations))
    return _checked(state, Edit(name=_named("Add", len(changes)), changes=changes), schema)


def remove(state: AnnotationSet, ids: Iterable[str]) -> Edit:
    """Take annotations away. Their ids are never given to others.

    Raises:
        UsageError: there is none of that id.
    """
    found = _found(state, ids)
    return Edit(name=_named("Remove", len(found)), changes=tuple(Change(a, None) for a in found))


def retime(state: AnnotationSet, annotation_id: str, start: Edge, end: Edge, *, now_ns: int) -> Edit:
    """Move the edges of an annotation.

    Raises:
        UsageError: the end would lie before the start, or the track refuses it.
    """
    return retime_all(state, {annotation_id: (start, end)}, now_ns=now_ns)


def retime_all(state: AnnotationSet, edges: Mapping[str, tuple[Edge, Edge]], *, now_ns: int) -> Edit:
    """Move the edges of many annotations in one step.

    Args:
        state: to change.
        edges: the new start and end, by id.
        now_ns: wall time.

    Raises:
        UsageError: as `retime`, for any of them.
    """
    changes: list[Change] = []
    for before in _found(state, edges):
        start, end = edges[before.id]
        after = replace(
            before,
            start_ns=start.at_ns,
            end_ns=end.at_ns,
            first_frame=start.frame,
            last_frame=end.frame,
            modified_ns=now_ns,
        )
        changes.append(Change(before, after))
    return _checked(state, Edit(name=_named("Move", len(changes)), changes=tuple(changes)))


def relabel(state: AnnotationSet, ids: Iterable[str], label: str, *, now_ns: int) -> Edit:
    """Give annotations another label."""
    return _updated(state, "Relabel", ids, {"label": label}, now_ns)


def move_to_track(state: AnnotationSet, ids: Iterable[str], track: str, *, now_ns: int) -> Edit:
    """Put annotations on another track."""
    return _updated(state, "Move", ids, {"track": track}, now_ns)


def change_attributes(
    state: AnnotationSet,
    ids: Iterable[str],
    *,
    now_ns: int,
    attributes: Mapping[str, Any] | None = None,
    note: str | None = None,
    status: str | None = None,
) -> Edit:
    """Change what is said about annotations.

    Args:
        state: to change.
        ids: of the annotations.
        now_ns: wall time.
        attributes: to set, by name; None as a value takes one away. All others stay.
        note: None: as it is.
        status: None: as it is.

    Raises:
        UsageError: there is none of that id, or the result cannot be stored.
    """
    found = _found(state, ids)
    changes: list[Change] = []
    for before in found:
        values = {**before.attributes, **(attributes or {})}
        after = replace(
            before,
            attributes={k: v for k, v in values.items() if v is not None},
            note=before.note if note is None else note,
            status=before.status if status is None else status,
            modified_ns=now_ns,
        )
        changes.append(Change(before, after))
    return _checked(state, Edit(name=_named("Change", len(changes)), changes=tuple(changes)))


def split(
    state: AnnotationSet, annotation_id: str, left_end: Edge, right_start: Edge, new_id: str, *, now_ns: int
) -> Edit:
    """Cut an annotation in two: the left part keeps the id.

    Args:
        state: to change.
        annotation_id: of an annotation that lasts.
        left_end: last instant of the left part.
        right_start: first instant of the right part, not before ``left_end``.
        new_id: of the right part.
        now_ns: wall time.

    Raises:
        UsageError: the cut does not lie inside.
    """
    (before,) = _found(state, [annotation_id])
    if not before.start_ns <= left_end.at_ns <= right_start.at_ns <= before.end_ns or (
        right_start.at_ns == before.start_ns
    ):
        raise UsageError("The playhead is not inside this label.", remedy="Move it between its edges.")
    left = replace(before, end_ns=left_end.at_ns, last_frame=left_end.frame, modified_ns=now_ns)
    right = replace(
        before,
        id=new_id,
        start_ns=right_start.at_ns,
        first_frame=right_start.frame,
        created_ns=now_ns,
        modified_ns=now_ns,
    )
    return _checked(state, Edit(name="Split label", changes=(Change(before, left), Change(None, right))))


def merge(state: AnnotationSet, ids: Iterable[str], *, now_ns: int) -> Edit:
    """Make one of several of one track and label: the first in time keeps its id and grows to the last edge.

    Raises:
        UsageError: fewer than two, or of different tracks, labels or anchors.
    """
    found = sorted(_found(state, ids), key=lambda a: a.order)
    if len(found) < 2:
        raise UsageError("Merging needs two labels.", remedy="Select neighbours first.")
    if len({(a.track, a.label, a.stream) for a in found}) > 1:
        raise UsageError("Only labels of one name on one track can be merged.")
    first, last = found[0], max(found, key=lambda a: a.end_ns)
    notes = [a.note for a in found if a.note]
    merged = replace(
        first,
        end_ns=last.end_ns,
        last_frame=last.last_frame,
        note="\n".join(dict.fromkeys(notes)),
        attributes={k: v for a in reversed(found) for k, v in a.attributes.items()},
        modified_ns=now_ns,
    )
    changes = (Change(first, merged), *(Change(a, None) for a in found[1:]))
    return _checked(state, Edit(name=_named("Merge", len(found)), changes=changes))


def change_schema(
    state: AnnotationSet,
    schema: Schema,
    *,
    renamed_labels: Mapping[str, str] | None = None,
    renamed_tracks: Mapping[str, str] | None = None,
) -> Edit:
    """Another list of tracks and labels. Annotations of names that are gone stay, and are marked.

    Args:
        state: to change.
        schema: the new one.
        renamed_labels: old to new name: annotations follow.
        renamed_tracks: the same of tracks.
    """
    labels, tracks = renamed_labels or {}, renamed_tracks or {}
    changes = tuple(
        Change(a, replace(a, label=labels.get(a.label, a.label), track=tracks.get(a.track, a.track)))
        for a in state
        if a.label in labels or a.track in tracks
    )
    return Edit(
        name="Change the list of labels",
        changes=changes,
        schema_before=state.schema,
        schema_after=schema,
    )


def overlapping(state: AnnotationSet, annotation: Annotation) -> Annotation | None:
    """Another annotation of its track that it meets, or None."""
    others = state.on_track(annotation.track)
    return next((o for o in others if o.id != annotation.id and annotation.meets(o)), None)


def _updated(
    state: AnnotationSet, verb: str, ids: Iterable[str], values: dict[str, Any], now_ns: int
) -> Edit:
    found = _found(state, ids)
    changes = tuple(Change(a, replace(a, **values, modified_ns=now_ns)) for a in found)
    schema = state.schema.with_names(
        [values["track"]] if "track" in values else [], [values["label"]] if "label" in values else []
    )
    return _checked(state, Edit(name=_named(verb, len(changes)), changes=changes), schema)


def _found(state: AnnotationSet, ids: Iterable[str]) -> list[Annotation]:
    found: list[Annotation] = []
    for annotation_id in dict.fromkeys(ids):
        annotation = state.get(annotation_id)
        if annotation is None:
            raise UsageError(f"There is no annotation {annotation_id}.")
        found.append(annotation)
    return found


def _checked(state: AnnotationSet, edit: Edit, schema: Schema | None = None) -> Edit:
    """The edit, with the schema that it needs, if every annotation may be as it makes it."""
    if schema is not None and schema != state.schema:
        edit = replace(edit, schema_before=state.schema, schema_after=schema)
    after: AnnotationSet | None = None
    for change in edit.changes:
        annotation = change.after
        if annotation is None:
            continue
        problem = problem_of(annotation)
        if problem is not None:
            raise UsageError(problem)
        track = (schema or state.schema).track(annotation.track)
        if track is None:
            continue
        if track.kind is TrackKind.INSTANT and not annotation.is_instant:
            raise UsageError(f"The track {track.name!r} holds instants; this label lasts.")
        if not track.overlap:
            after = edit.apply(state) if after is None else after
            other = overlapping(after, annotation)
            if other is not None:
                raise UsageError(
                    f"The track {track.name!r} allows no overlap; {other.label!r} lies there already.",
                    remedy="Move one of them, or use another track.",
                )
    return edit


def _named(verb: str, count: int) -> str:
    return f"{verb} label" if count == 1 else f"{verb} {count} labels"
