from __future__ import annotations

from dataclasses import replace
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.annotation import Annotation, AnnotationSet, Label, Schema
from hfviewer.core.annotation_json import schema_from_json, schema_to_json
from hfviewer.core.annotation_merge import merge
from tests.labels import SCHEMA, label, states

A, B = label("a", 1, 2), label("b", 3, 4)


def test_what_only_one_side_changed_is_taken_from_it() -> None:
    base = AnnotationSet(SCHEMA, [A, B])
    mine = base.changed({"a": replace(A, note="mine"), "c": label("c", 5, 6)})
    theirs = base.changed({"b": None, "d": label("d", 7, 8)})
    merged = merge(base, mine, theirs)
    assert set(merged.annotations.by_id) == {"a", "c", "d"}
    assert merged.annotations.by_id["a"].note == "mine"
    assert merged.conflicts == ()


def test_where_both_changed_one_label_both_versions_are_kept() -> None:
    base = AnnotationSet(SCHEMA, [A])
    mine, theirs = (base.changed({"a": replace(A, note=note)}) for note in ("mine", "theirs"))
    merged = merge(base, mine, theirs, make_id=lambda: "copy")
    assert merged.conflicts == ("a",)
    assert merged.annotations.by_id["a"].note == "theirs"
    assert merged.annotations.by_id["copy"].note == "mine"
    assert merged.annotations.by_id["copy"].extra == {"conflict_of": "a"}


def test_a_change_wins_over_a_removal() -> None:
    base = AnnotationSet(SCHEMA, [A, B])
    mine = base.changed({"a": None, "b": replace(B, note="mine")})
    theirs = base.changed({"a": replace(A, note="theirs"), "b": None})
    merged = merge(base, mine, theirs).annotations
    assert (merged.by_id["a"].note, merged.by_id["b"].note) == ("theirs", "mine")


def test_new_labels_of_both_schemas_come_together() -> None:
    base = AnnotationSet(SCHEMA)
    mine = AnnotationSet(SCHEMA.with_names([], ["mine"]))
    theirs = AnnotationSet(replace(SCHEMA, labels=(*SCHEMA.labels[:1], Label(name="theirs"))))
    names = [found.name for found in merge(base, mine, theirs).annotations.schema.labels]
    assert names == ["walk", "theirs", "mine"]  # "run" went on their side, untouched on ours
    assert merge(base, base, AnnotationSet(Schema())).annotations.schema == Schema()


def test_a_digit_that_both_sides_gave_away_goes_to_one_label_and_the_other_gets_a_free_one() -> None:
    mine = AnnotationSet(Schema(labels=(Label(name="walk", hotkey="1"), Label(name="sit", hotkey="2"))))
    theirs = AnnotationSet(Schema(labels=(Label(name="run", hotkey="1"),)))
    schema = merge(AnnotationSet(), mine, theirs).annotations.schema
    assert {part.name: part.hotkey for part in schema.labels} == {"run": "1", "walk": "3", "sit": "2"}
    # As it is read back, where no two labels may have one digit.
    assert schema_from_json(schema_to_json(schema)) == (schema, [])


@given(states(), st.data())
def test_nothing_that_anybody_wrote_is_lost(base: AnnotationSet, data: st.DataObject) -> None:
    def changed(state: AnnotationSet, mark: str) -> AnnotationSet:
        changes: dict[str, Annotation | None] = {}
        for annotation in state:
            what = data.draw(st.sampled_from(["keep", "change", "remove"]))
            if what == "change":
                changes[annotation.id] = replace(annotation, note=mark)
            elif what == "remove":
                changes[annotation.id] = None
        fresh = label(f"new {mark}", 1, 2)
        return state.changed({**changes, fresh.id: fresh})

    mine, theirs = changed(base, "mine"), changed(base, "theirs")
    ids = count()
    merged = merge(base, mine, theirs, make_id=lambda: f"copy {next(ids)}").annotations
    for side in (mine, theirs):
        for annotation in side:
            if base.get(annotation.id) != annotation:
                kept = [replace(a, id=annotation.id, extra=annotation.extra) for a in merged]
                assert annotation in kept
    for annotation in base:
        if mine.get(annotation.id) == theirs.get(annotation.id) == annotation:
            assert merged.get(annotation.id) == annotation
