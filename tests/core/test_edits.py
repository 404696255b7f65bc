from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core import edits
from hfviewer.core.annotation import AnnotationSet, Schema, Track, TrackKind
from hfviewer.core.edits import Edge, Edit
from hfviewer.core.errors import UsageError
from tests.labels import SCHEMA, START_NS, label, states

NOW_NS = 1_750_000_000_000_000_000


def at(seconds: float) -> Edge:
    return Edge(START_NS + round(seconds * 1e9), round(seconds * 30))


@st.composite
def an_edit(draw: st.DrawFn, state: AnnotationSet, ids: count[int]) -> Edit | None:
    """Any edit of a state; None where that one is refused."""
    kind = draw(
        st.sampled_from(["add", "remove", "retime", "relabel", "split", "merge", "words", "schema", "move"])
    )
    known = sorted(state.by_id)
    some = draw(st.lists(st.sampled_from(known), min_size=1, max_size=3)) if known else []
    start, end = sorted(draw(st.tuples(st.integers(0, 90), st.integers(0, 90))))
    name = draw(st.sampled_from(["walk", "run", "sit"]))
    try:
        match kind:
            case "add":
                fresh = label(f"new {next(ids)}", start, end, label=name)
                return edits.add(state, [fresh])
            case "remove" if some:
                return edits.remove(state, some)
            case "retime" if some:
                return edits.retime(state, some[0], at(start), at(end), now_ns=NOW_NS)
            case "relabel" if some:
                return edits.relabel(state, some, name, now_ns=NOW_NS)
            case "move" if some:
                return edits.move_to_track(state, some, name, now_ns=NOW_NS)
            case "split" if some:
                inside = state.by_id[some[0]]
                middle = Edge((inside.start_ns + inside.end_ns) // 2)
                return edits.split(state, some[0], middle, middle, f"new {next(ids)}", now_ns=NOW_NS)
            case "merge" if some:
                return edits.merge(state, some, now_ns=NOW_NS)
            case "words" if some:
                return edits.change_attributes(
                    state, some, now_ns=NOW_NS, attributes={name: start}, note=name, status="done"
                )
            case "schema":
                schema = replace(state.schema, tracks=(Track(name=name),))
                return edits.change_schema(state, schema, renamed_labels={"walk": name})
    except UsageError:
        return None
    return None


@given(states(), st.data())
def test_the_inverses_of_any_edits_restore_exactly_the_state_before(
    state: AnnotationSet, data: st.DataObject
) -> None:
    ids = count()
    before = state
    seen: list[AnnotationSet] = []
    done: list[Edit] = []
    for _ in range(data.draw(st.integers(1, 12))):
        edit = data.draw(an_edit(state, ids))
        if edit is not None:
            seen.append(state)
            state = edit.apply(state)
            done.append(edit)
    last = state
    for edit, earlier in zip(reversed(done), reversed(seen), strict=True):
        state = edit.inverse().apply(state)
        assert state == earlier
    assert state == before
    for edit in done:
        state = edit.apply(state)
    assert state == last


def test_the_inverse_of_an_inverse_is_the_edit() -> None:
    state = AnnotationSet(SCHEMA, [label("a", 1, 2)])
    edit = edits.relabel(state, ["a"], "sit", now_ns=NOW_NS)
    assert edit.inverse().inverse() == edit
    assert edit.schema_after is not None  # the new label went into the schema with it
    assert edit.apply(state).schema.label("sit") is not None


def test_an_edit_of_a_label_that_moved_on_is_refused_and_not_half_done() -> None:
    state = AnnotationSet(SCHEMA, [label("a", 1, 2), label("b", 3, 4)])
    edit = edits.remove(state, ["a", "b"])
    moved = state.changed({"b": label("b", 5, 6)})
    with pytest.raises(UsageError, match="changed elsewhere"):
        edit.apply(moved)


def test_a_removed_label_comes_back_with_its_id() -> None:
    state = AnnotationSet(SCHEMA, [label("a", 1, 2)])
    edit = edits.remove(state, ["a"])
    gone = edit.apply(state)
    assert "a" not in gone
    assert edit.inverse().apply(gone) == state


def test_split_and_merge_keep_the_first_id_and_lose_no_instant() -> None:
    state = AnnotationSet(SCHEMA, [label("a", 1, 4, note="one", first_frame=30, last_frame=120)])
    cut = edits.split(state, "a", at(2), at(2.1), "b", now_ns=NOW_NS).apply(state)
    assert [(a.id, a.first_frame, a.last_frame) for a in cut.in_order()] == [("a", 30, 60), ("b", 63, 120)]
    whole = edits.merge(cut, ["b", "a"], now_ns=NOW_NS).apply(cut)
    (merged,) = whole
    assert (merged.id, merged.start_ns, merged.end_ns) == ("a", at(1).at_ns, at(4).at_ns)
    assert (merged.note, merged.last_frame) == ("one", 120)


@pytest.mark.parametrize("edge", [0.5, 1, 5])
def test_a_split_must_lie_inside(edge: float) -> None:
    state = AnnotationSet(SCHEMA, [label("a", 1, 4)])
    with pytest.raises(UsageError, match="not inside"):
        edits.split(state, "a", at(edge), at(edge), "b", now_ns=NOW_NS)


def test_a_track_without_overlap_refuses_one_and_lets_edges_touch() -> None:
    schema = Schema(tracks=(Track(name="drive", overlap=False),))
    state = AnnotationSet(schema, [label("a", 1, 2)])
    touching = edits.add(state, [label("b", 2, 3)]).apply(state)
    with pytest.raises(UsageError, match="allows no overlap"):
        edits.add(touching, [label("c", 2.5, 2.6)])
    with pytest.raises(UsageError, match="allows no overlap"):
        edits.retime(touching, "b", at(1.9), at(3), now_ns=NOW_NS)
    with pytest.raises(UsageError, match="allows no overlap"):
        edits.add(state, [label("c", 5, 7), label("d", 6, 8)])


def test_a_track_of_instants_refuses_what_lasts() -> None:
    state = AnnotationSet(Schema(tracks=(Track(name="drive", kind=TrackKind.INSTANT),)))
    edits.add(state, [label("a", 1)])
    with pytest.raises(UsageError, match="holds instants"):
        edits.add(state, [label("b", 1, 2)])


def test_only_labels_of_one_name_on_one_track_are_merged() -> None:
    state = AnnotationSet(SCHEMA, [label("a", 1, 2), label("b", 2, 3, label="run")])
    with pytest.raises(UsageError, match="one name"):
        edits.merge(state, ["a", "b"], now_ns=NOW_NS)
    with pytest.raises(UsageError, match="two labels"):
        edits.merge(state, ["a", "a"], now_ns=NOW_NS)


def test_ids_are_not_reused() -> None:
    state = AnnotationSet(SCHEMA, [label("a", 1, 2)])
    with pytest.raises(UsageError, match="already"):
        edits.add(state, [label("a", 5, 6)])
    with pytest.raises(UsageError, match="one id"):
        edits.add(state, [label("b", 5, 6), label("b", 7, 8)])


def test_a_renamed_label_takes_its_annotations_along() -> None:
    state = AnnotationSet(SCHEMA, [label("a", 1, 2), label("b", 1, 2, label="run")])
    schema = replace(SCHEMA, labels=(replace(SCHEMA.labels[0], name="stroll"), SCHEMA.labels[1]))
    after = edits.change_schema(state, schema, renamed_labels={"walk": "stroll"}).apply(state)
    assert {a.id: a.label for a in after} == {"a": "stroll", "b": "run"}
    assert after.unknown_labels == frozenset()


def test_attributes_are_set_and_taken_away_one_by_one() -> None:
    state = AnnotationSet(SCHEMA, [label("a", 1, 2, attributes={"x": 1, "y": 2})])
    after = edits.change_attributes(state, ["a"], attributes={"x": None, "z": True}, now_ns=NOW_NS).apply(
        state
    )
    assert after.by_id["a"].attributes == {"y": 2, "z": True}
    assert after.by_id["a"].modified_ns == NOW_NS
