"""Annotations: what people mark in a recording, as values that never change.

An `AnnotationSet` is one state of all of them. An edit makes another one (`hfviewer.core.edits`); neither
knows where they are stored.
"""

from __future__ import annotations

import uuid
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import Any

MAX_TIME_NS = 2**63 - 1
MOST_NAME_CHARACTERS = 1000
MOST_NOTE_CHARACTERS = 1 << 20


class Status(StrEnum):
    """How far an annotation is. A file may hold others; they are kept."""

    DRAFT = "draft"
    DONE = "done"
    REVIEWED = "reviewed"
    REJECTED = "rejected"


class TrackKind(StrEnum):
    """What lies on a track."""

    INTERVAL = "interval"
    INSTANT = "instant"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeDefinition:
    """A question that a label asks of each of its annotations.

    Args:
        name: key among the annotation's attributes.
        kind: ``text``, ``number``, ``bool`` or ``choice``.
        choices: of a choice.
    """

    name: str
    kind: str = "text"
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A class of annotations.

    Args:
        name: unique in its schema.
        color: ``#rrggbb``; empty: by its place.
        hotkey: ``1`` to ``9``, or empty.
        attributes: what is asked of each annotation.
        extra: keys that another program wrote, kept.
    """

    name: str
    color: str = ""
    hotkey: str = ""
    attributes: tuple[AttributeDefinition, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """One lane of annotations.

    Args:
        name: unique in its schema.
        kind: whether its annotations last.
        overlap: whether two of them may share an instant.
        extra: keys that another program wrote, kept.
    """

    name: str
    kind: TrackKind = TrackKind.INTERVAL
    overlap: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Which tracks and labels there are, in the order of display.

    Args:
        tracks: names unique.
        labels: names unique.
        extra: keys that another program wrote, kept.
    """

    tracks: tuple[Track, ...] = ()
    labels: tuple[Label, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def track(self, name: str) -> Track | None:
        return next((track for track in self.tracks if track.name == name), None)

    def label(self, name: str) -> Label | None:
        return next((label for label in self.labels if label.name == name), None)

    def with_names(self, tracks: Iterable[str], labels: Iterable[str]) -> Schema:
        """The same with a plain track and label for each name that is missing; labels get free digits."""
        known_tracks = {track.name for track in self.tracks}
        known_labels = {label.name for label in self.labels}
        new_tracks = [Track(name=n) for n in dict.fromkeys(tracks) if n not in known_tracks]
        used = {label.hotkey for label in self.labels}
        digits = iter([d for d in "123456789" if d not in used])
        new_labels = [
            Label(name=n, hotkey=next(digits, "")) for n in dict.fromkeys(labels) if n not in known_labels
        ]
        if not new_tracks and not new_labels:
            return self
        return Schema(
            tracks=(*self.tracks, *new_tracks), labels=(*self.labels, *new_labels), extra=self.extra
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A span or an instant that somebody marked.

    Args:
        id: for ever; never given to another one.
        track: name of its track.
        label: name of its label.
        start_ns: first instant, recording clock.
        end_ns: last instant; the same as ``start_ns`` where it does not last.
        stream: the anchor: the stream whose frames the edges were set on; empty where there was none.
        first_frame: index in the anchor's table of the frame on screen at ``start_ns``.
        last_frame: the same at ``end_ns``.
        attributes: JSON values by name.
        note: for people.
        author: who made it.
        created_ns: wall time, ns since 1970 UTC; 0 where unknown.
        modified_ns: the same of the last edit.
        status: one of `Status`, or what another program wrote.
        extra: keys that another program wrote, kept.
    """

    id: str
    track: str
    label: str
    start_ns: int
    end_ns: int
    stream: str = ""
    first_frame: int | None = None
    last_frame: int | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    author: str = ""
    created_ns: int = 0
    modified_ns: int = 0
    status: str = "draft"
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_instant(self) -> bool:
        return self.start_ns == self.end_ns

    @property
    def order(self) -> tuple[int, int, str]:
        """Sorting by it puts annotations in the order of time."""
        return self.start_ns, self.end_ns, self.id

    def meets(self, other: Annotation) -> bool:
        """Whether both share more than an edge. Two that start together meet, instants too."""
        if self.start_ns == other.start_ns:
            return True
        return self.start_ns < other.end_ns and other.start_ns < self.end_ns


def digits_apart(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Labels of two schemas, each with a digit of its own: the later of two gets a free one, or none."""
    labels = tuple(labels)
    claimed = {label.hotkey for label in labels}
    free = iter([digit for digit in "123456789" if digit not in claimed])
    taken: set[str] = set()
    result: list[Label] = []
    for label in labels:
        if label.hotkey and label.hotkey in taken:
            label = replace(label, hotkey=next(free, ""))
        taken.add(label.hotkey)
        result.append(label)
    return tuple(result)


def new_id() -> str:
    """An id that nobody has had and nobody else will."""
    return uuid.uuid4().hex


def problem_of(annotation: Annotation) -> str | None:
    """What keeps an annotation from being stored, as a sentence; None where nothing does."""
    a = annotation
    for what, name in (("id", a.id), ("track", a.track), ("label", a.label)):
        if not name.strip():
            return f"An annotation needs a {what}."
    for what, name in (
        ("id", a.id),
        ("track", a.track),
        ("label", a.label),
        ("stream", a.stream),
        ("author", a.author),
        ("status", a.status),
    ):
        if len(name) > MOST_NAME_CHARACTERS:
            return f"The {what} of an annotation has at most {MOST_NAME_CHARACTERS} characters."
    if len(a.note) > MOST_NOTE_CHARACTERS:
        return f"A note has at most {MOST_NOTE_CHARACTERS} characters."
    if not 0 <= a.start_ns <= a.end_ns <= MAX_TIME_NS:
        return f"An annotation cannot last from {a.start_ns} to {a.end_ns} ns."
    first, last = a.first_frame, a.last_frame
    if (first is not None and not 0 <= first <= MAX_TIME_NS) or (
        last is not None and not 0 <= last <= MAX_TIME_NS
    ):
        return "The frames of an annotation count from 0."
    return None


def same(one: Annotation | None, other: Annotation | None) -> bool:
    """Whether two are equal; quick where they are the very same object, which is the rule."""
    return one is other or one == other


class AnnotationSet:
    """All annotations of a recording in one state, by id, and their schema. Never changes.

    Args:
        schema: tracks and labels.
        annotations: with different ids; of equal ids the last counts.
    """

    def __init__(self, schema: Schema | None = None, annotations: Iterable[Annotation] = ()) -> None:
        self._schema = Schema() if schema is None else schema
        self._by_id = {annotation.id: annotation for annotation in annotations}
        self._tracks: dict[str, tuple[Annotation, ...]] | None = None
        self._ordered: tuple[Annotation, ...] | None = None

    @classmethod
    def of(cls, schema: Schema, by_id: dict[str, Annotation]) -> AnnotationSet:
        """The same from a dictionary by id, which from then on belongs to it."""
        state = cls(schema)
        state._by_id = by_id
        return state

    @property
    def schema(self) -> Schema:
        return self._schema

    @property
    def by_id(self) -> Mapping[str, Annotation]:
        return MappingProxyType(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[Annotation]:
        return iter(self._by_id.values())

    def __contains__(self, annotation_id: object) -> bool:
        return annotation_id in self._by_id

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AnnotationSet):
            return NotImplemented
        if self is other:
            return True
        return self._schema == other._schema and self._by_id == other._by_id

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"AnnotationSet({len(self)} on {', '.join(self.track_names) or 'no track'})"

    def get(self, annotation_id: str) -> Annotation | None:
        return self._by_id.get(annotation_id)

    @cached_property
    def track_names(self) -> tuple[str, ...]:
        """Tracks of the schema, then those that annotations name without it."""
        strays = sorted(self._of_tracks().keys() - {track.name for track in self._schema.tracks})
        return (*(track.name for track in self._schema.tracks), *strays)

    @cached_property
    def unknown_labels(self) -> frozenset[str]:
        """Labels that annotations bear and the schema does not know."""
        return frozenset({a.label for a in self} - {label.name for label in self._schema.labels})

    @cached_property
    def authors(self) -> tuple[str, ...]:
        """Everybody who made one of them, by name."""
        return tuple(sorted({a.author for a in self}))

    def on_track(self, name: str) -> tuple[Annotation, ...]:
        """The annotations of a track in the order of time."""
        return self._of_tracks().get(name, ())

    def in_order(self) -> tuple[Annotation, ...]:
        """All of them in the order of time."""
        if self._ordered is None:
            of_tracks = self._of_tracks()
            if len(of_tracks) == 1:
                (self._ordered,) = of_tracks.values()
            else:
                self._ordered = tuple(sorted(self._by_id.values(), key=_order))
        return self._ordered

    def changed(
        self, changes: Mapping[str, Annotation | None], schema: Schema | None = None
    ) -> AnnotationSet:
        """Another state: some annotations put in place of those of their id, or taken out (None).

        Costs a copy of the dictionary and of the orders that were worked out; none of them is sorted again.
        """
        state = AnnotationSet.__new__(AnnotationSet)
        state._schema = self._schema if schema is None else schema
        state._by_id = by_id = dict(self._by_id)
        touched: set[str] = set()
        for annotation_id, after in changes.items():
            before = by_id.pop(annotation_id, None) if after is None else by_id.get(annotation_id)
            touched.update(a.track for a in (before, after) if a is not None)
            if after is not None:
                by_id[annotation_id] = after
        state._tracks = state._ordered = None
        if self._tracks is not None:
            state._tracks = {k: v for k, v in self._tracks.items() if k not in touched}
            for track in touched:
                kept = _put_into(self._tracks.get(track, ()), self._by_id, changes, track)
                if kept:
                    state._tracks[track] = kept
        if self._ordered is not None and state._tracks is not None and len(state._tracks) > 1:
            state._ordered = _put_into(self._ordered, self._by_id, changes)
        return state

    def _of_tracks(self) -> dict[str, tuple[Annotation, ...]]:
        if self._tracks is None:
            tracks: dict[str, list[Annotation]] = {}
            for annotation in self._by_id.values():
                tracks.setdefault(annotation.track, []).append(annotation)
            self._tracks = {name: tuple(sorted(of, key=_order)) for name, of in tracks.items()}
        return self._tracks


_order = attrgetter("start_ns", "end_ns", "id")  # as `Annotation.order`, three times as quick
_MOST_ONE_BY_ONE = 200  # of more changes, sorting is quicker than finding each one's place


def place_in(ordered: Sequence[Annotation], annotation: Annotation) -> int:
    """Where an annotation stands in the order of time, or would stand."""
    return bisect_left(ordered, annotation.order, key=_order)


def _put_into(
    ordered: Sequence[Annotation],
    by_id: Mapping[str, Annotation],
    changes: Mapping[str, Annotation | None],
    track: str | None = None,
) -> tuple[Annotation, ...]:
    """The order of time after some changes, of one track or of all."""
    added = [a for a in changes.values() if a is not None and track in (None, a.track)]
    if len(changes) > _MOST_ONE_BY_ONE:
        return tuple(sorted([*(a for a in ordered if a.id not in changes), *added], key=_order))
    result = list(ordered)
    for annotation_id in changes:
        before = by_id.get(annotation_id)
        if before is not None and track in (None, before.track):
            del result[place_in(result, before)]
    for annotation in added:
        result.insert(place_in(result, annotation), annotation)
    return tuple(result)
