"""Made-up labels for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from hfviewer.core.annotation import Annotation, AnnotationSet, Label, Schema, Track

SECOND_NS = 1_000_000_000
START_NS = 1_700_000_000_000_000_000


def label(annotation_id: str, start_s: float, end_s: float | None = None, **values: Any) -> Annotation:
    """An annotation by its seconds from the start; without an end it is an instant."""
    start_ns = START_NS + round(start_s * SECOND_NS)
    end_ns = start_ns if end_s is None else START_NS + round(end_s * SECOND_NS)
    made = Annotation(id=annotation_id, track="drive", label="walk", start_ns=start_ns, end_ns=end_ns)
    return replace(made, **values)


SCHEMA = Schema(
    tracks=(Track(name="drive"), Track(name="events")),
    labels=(Label(name="walk", color="#ff0000", hotkey="1"), Label(name="run", hotkey="2")),
)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
names = texts.filter(lambda text: bool(text.strip()))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)


@st.composite
def any_annotation(draw: st.DrawFn, annotation_id: str | None = None) -> Annotation:
    """Any annotation that can be stored."""
    start_ns = draw(st.integers(0, 2**63 - 1))
    end_ns = draw(st.just(start_ns) | st.integers(start_ns, 2**63 - 1))
    frames = draw(st.none() | st.tuples(st.integers(0, 2**31), st.integers(0, 2**31)))
    return Annotation(
        id=draw(names) if annotation_id is None else annotation_id,
        track=draw(st.sampled_from(["drive", "events", "轨道"]) | names),
        label=draw(st.sampled_from(["walk", "run"]) | names),
        start_ns=start_ns,
        end_ns=end_ns,
        stream=draw(st.sampled_from(["", "cam"])),
        first_frame=None if frames is None else frames[0],
        last_frame=None if frames is None else frames[1],
        attributes=draw(st.dictionaries(texts, json_values, max_size=2)),
        note=draw(texts),
        author=draw(st.sampled_from(["", "A", "B"]) | texts),
        created_ns=draw(st.integers(0, 2**62)),
        modified_ns=draw(st.integers(0, 2**62)),
        status=draw(st.sampled_from(["draft", "done", "approved elsewhere"])),
        extra=draw(st.dictionaries(st.sampled_from(["other", "x"]), json_values, max_size=2)),
    )


@st.composite
def states(draw: st.DrawFn, most: int = 6) -> AnnotationSet:
    """Any state with different ids."""
    found = draw(st.lists(any_annotation(), max_size=most, unique_by=lambda a: a.id))
    return AnnotationSet(draw(st.sampled_from([Schema(), SCHEMA])), found)
