from __future__ import annotations

from hfviewer.core.annotation import Annotation, AnnotationSet, Label, Schema
from hfviewer.readers.annotation_store import laid_over, parted_from

SCHEMA = Schema(labels=(Label(name="brake"),))


def label(name: str, start_ns: int = 0) -> Annotation:
    return Annotation(id=name, track="t", label="brake", start_ns=start_ns, end_ns=start_ns)


BELOW = AnnotationSet(SCHEMA, [label("kept"), label("moved"), label("gone")])


def test_the_upper_file_counts_for_more() -> None:
    above = AnnotationSet(Schema(), [label("moved", 7), label("new")])
    merged = laid_over(BELOW, above, ["gone", "never there"])
    assert {a.id: a.start_ns for a in merged} == {"kept": 0, "moved": 7, "new": 0}
    assert merged.schema == SCHEMA


def test_a_schema_of_its_own_counts_as_well() -> None:
    own = Schema(labels=(Label(name="turn"),))
    assert laid_over(BELOW, AnnotationSet(own), []).schema == own


def test_parting_is_the_inverse_of_laying_over() -> None:
    wanted = AnnotationSet(SCHEMA, [label("kept"), label("moved", 7), label("new", 3)])
    above, removed = parted_from(BELOW, wanted)
    assert [a.id for a in above.in_order()] == ["new", "moved"]
    assert removed == ["gone"]
    assert laid_over(BELOW, above, removed) == wanted
