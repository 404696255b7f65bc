"""Two people changed the same annotations: put both together, by id, so that nobody's work is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from hfviewer.core.annotation import (
    Annotation,
    AnnotationSet,
    Label,
    Schema,
    Track,
    digits_apart,
    new_id,
    same,
)

_Named = TypeVar("_Named", Track, Label)


@dataclass(frozen=True, kw_only=True, eq=False)
class Merged:
    """Both sides together.

    Args:
        annotations: the result.
        conflicts: ids that both had changed differently.
    """

    annotations: AnnotationSet
    conflicts: tuple[str, ...] = ()


def merge(
    base: AnnotationSet, mine: AnnotationSet, theirs: AnnotationSet, make_id: Callable[[], str] = new_id
) -> Merged:
    """Three-way merge by id.

    What only one side changed is taken from that side. Where both changed one annotation differently, theirs
    keeps the id and mine becomes another annotation, which says so under the key ``conflict_of``. Where one
    side removed what the other changed, the change wins.

    Args:
        base: what both started from.
        mine: ours.
        theirs: what lies on the disk now.
        make_id: of new annotations.
    """
    if theirs == base:
        return Merged(annotations=mine)
    changes: dict[str, Annotation | None] = {}
    conflicts: list[str] = []
    for annotation_id in {**base.by_id, **mine.by_id}:
        old, ours, other = base.get(annotation_id), mine.get(annotation_id), theirs.get(annotation_id)
        if same(ours, old) or same(ours, other):
            continue
        if same(other, old) or other is None:
            changes[annotation_id] = ours
        elif ours is not None:
            conflicts.append(annotation_id)
            copy_id = make_id()
            changes[copy_id] = replace(ours, id=copy_id, extra={**ours.extra, "conflict_of": annotation_id})
    schema = _merge_schema(base.schema, mine.schema, theirs.schema)
    return Merged(annotations=theirs.changed(changes, schema), conflicts=tuple(conflicts))


def _merge_schema(base: Schema, mine: Schema, theirs: Schema) -> Schema:
    if mine in (base, theirs):
        return theirs
    if theirs == base:
        return mine
    return Schema(
        tracks=_merge_named(base.tracks, mine.tracks, theirs.tracks),
        labels=digits_apart(_merge_named(base.labels, mine.labels, theirs.labels)),
        extra={**theirs.extra, **mine.extra},
    )


def _merge_named(
    base: Sequence[_Named], mine: Sequence[_Named], theirs: Sequence[_Named]
) -> tuple[_Named, ...]:
    old = {part.name: part for part in base}
    ours = {part.name: part for part in mine}
    result: dict[str, _Named] = {}
    for part in theirs:
        mine_of_it = ours.get(part.name)
        if mine_of_it is None:
            # Gone on our side: stays only where they have changed it, or where it is new.
            if old.get(part.name) != part:
                result[part.name] = part
        else:
            result[part.name] = part if mine_of_it == old.get(part.name) else mine_of_it
    for part in mine:
        if part.name not in result and old.get(part.name) != part:
            result[part.name] = part
    return tuple(result.values())
