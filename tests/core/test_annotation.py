from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.annotation import (
    Annotation,
    AnnotationSet,
    Label,
    Schema,
    Track,
    TrackKind,
    new_id,
    problem_of,
)
from hfviewer.core.annotation_json import (
    annotation_from_json,
    annotation_to_json,
    schema_from_json,
    schema_to_json,
)
from tests.labels import SCHEMA, any_annotation, json_values, label, states


def test_ids_are_never_given_twice() -> None:
    assert len({new_id() for _ in range(10_000)}) == 10_000


@given(any_annotation())
def test_json_carries_an_annotation_whole_with_what_other_programs_added(
    annotation: Annotation,
) -> None:
    text = json.dumps(annotation_to_json(annotation))
    assert annotation_from_json(json.loads(text)) == annotation


@given(json_values)
def test_no_json_value_is_believed_to_be_an_annotation_unless_it_is_one(value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        annotation_from_json(value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("id", ""),
        ("id", 7),
        ("label", " "),
        ("start_ns", 1.5),
        ("start_ns", True),
        ("start_ns", -1),
        ("end_ns", 2**63),
        ("end_ns", 0),
        ("first_frame", -1),
        ("attributes", []),
        ("note", None),
        ("note", "x" * (1 << 21)),
    ],
)
def test_an_annotation_that_cannot_be_is_refused(key: str, value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        annotation_from_json({**annotation_to_json(label("x", 1, 2)), key: value})


def test_a_schema_survives_json_with_keys_of_other_programs() -> None:
    value = {
        "tracks": [{"name": "drive", "kind": "instant", "overlap": False, "height": 3}],
        "labels": [
            {
                "name": "walk",
                "color": "#00ff00",
                "hotkey": "1",
                "attributes": [{"name": "speed", "kind": "choice", "choices": ["slow", "fast"]}],
                "ontology": "x:1",
            }
        ],
        "version": 9,
    }
    schema, problems = schema_from_json(value)
    assert problems == []
    assert schema.track("drive") == Track(
        name="drive", kind=TrackKind.INSTANT, overlap=False, extra={"height": 3}
    )
    assert schema_to_json(schema) == value


@given(json_values)
def test_any_json_value_gives_a_schema_or_says_why_not(value: object) -> None:
    schema, _ = schema_from_json(value)
    assert isinstance(schema, Schema)


def test_a_damaged_part_of_a_schema_costs_only_itself() -> None:
    schema, problems = schema_from_json(
        {"tracks": 7, "labels": [{"name": "walk", "hotkey": "1"}, {"name": "walk"}, {"hotkey": "2"}, 3]}
    )
    assert [found.name for found in schema.labels] == ["walk"]
    assert len(problems) == 4


def test_two_labels_never_share_a_key() -> None:
    schema, _ = schema_from_json({"labels": [{"name": "a", "hotkey": "1"}, {"name": "b", "hotkey": "1"}]})
    assert [found.hotkey for found in schema.labels] == ["1", ""]
    more = SCHEMA.with_names(["drive", "new"], ["walk", "sit"])
    assert [track.name for track in more.tracks] == ["drive", "events", "new"]
    assert more.labels[-1] == Label(name="sit", hotkey="3")


def test_names_that_the_schema_lacks_are_kept_and_marked() -> None:
    state = AnnotationSet(SCHEMA, [label("a", 1, 2), label("b", 1, 2, track="stray", label="odd")])
    assert state.track_names == ("drive", "events", "stray")
    assert state.unknown_labels == {"odd"}


@given(states(), st.lists(any_annotation(), max_size=4), st.data())
def test_a_changed_state_keeps_every_track_in_order_and_the_old_one_as_it_was(
    state: AnnotationSet, fresh: list[Annotation], data: st.DataObject
) -> None:
    before = dict(state.by_id)
    state.on_track("drive")  # so that its order is worked out and carried over
    state.in_order()
    removed = data.draw(st.sets(st.sampled_from(sorted(before)), max_size=3)) if before else set()
    changes: dict[str, Annotation | None] = {**dict.fromkeys(removed), **{a.id: a for a in fresh}}
    after = state.changed(changes)
    assert dict(state.by_id) == before
    expected = {k: v for k, v in before.items() if k not in changes}
    expected |= {k: v for k, v in changes.items() if v is not None}
    assert dict(after.by_id) == expected
    assert list(after.in_order()) == sorted(after, key=lambda a: a.order)
    for track in {a.track for a in (*state, *after)}:
        assert list(after.on_track(track)) == sorted(
            (a for a in after if a.track == track), key=lambda a: a.order
        )


def test_an_annotation_without_a_name_cannot_be_stored() -> None:
    assert problem_of(label("a", 1, 2)) is None
    assert problem_of(label("a", 1, 2, track=" ")) == "An annotation needs a track."
    assert problem_of(label("a", 2, 1)) is not None
