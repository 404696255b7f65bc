from __future__ import annotations

from hfviewer.core.annotation import AnnotationSet
from hfviewer.core.label_progress import next_unlabelled, progress_of, spent, total
from tests.labels import SCHEMA, label

MINUTE_NS = 60_000_000_000


def test_progress_counts_labels_people_and_statuses() -> None:
    first = AnnotationSet(
        SCHEMA,
        [
            label("a", 1, 2, author="A", status="done", created_ns=MINUTE_NS, modified_ns=2 * MINUTE_NS),
            label(
                "b", 3, 4, author="A", status="reviewed", created_ns=3 * MINUTE_NS, modified_ns=90 * MINUTE_NS
            ),
            label("c", 3, 4, author="B", label="run", status="done"),
        ],
    )
    second = AnnotationSet(SCHEMA, [label("d", 1, 2, author="B")])
    parts = [progress_of("one", first), progress_of("two", second), progress_of("three", AnnotationSet())]
    assert [part.finished for part in parts] == [True, False, False]
    assert parts[0].spent_ns == {"A": 2 * MINUTE_NS, "B": 0}  # the hour and a half was a pause
    everything = total(parts)
    assert everything.count == 4
    assert dict(everything.labels) == {"walk": 3, "run": 1}
    assert dict(everything.authors) == {"A": 2, "B": 2}
    assert dict(everything.statuses) == {"done": 2, "reviewed": 1, "draft": 1}


def test_the_next_one_is_the_first_without_labels_behind_the_present_one() -> None:
    labelled = AnnotationSet(SCHEMA, [label("a", 1, 2, author="A")])
    empty = AnnotationSet()
    parts = [progress_of(k, s) for k, s in (("1", empty), ("2", labelled), ("3", empty), ("4", labelled))]
    assert next_unlabelled(parts) == "1"
    assert next_unlabelled(parts, after="1") == "3"
    assert next_unlabelled(parts, after="3") == "1"
    assert next_unlabelled(parts, after="3", author="B") == "4"
    assert next_unlabelled([parts[1], parts[3]]) is None


def test_time_at_work_leaves_pauses_out() -> None:
    assert spent([]) == 0
    assert spent([5 * MINUTE_NS, MINUTE_NS, 2 * MINUTE_NS]) == MINUTE_NS
