from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.annotation import Annotation
from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.spans import MOST_ROWS, TrackSpans
from tests.labels import SECOND_NS, START_NS, label

SPAN = TimeWindow(START_NS, START_NS + 100 * SECOND_NS)


@st.composite
def tracks(draw: st.DrawFn) -> list[Annotation]:
    spans = draw(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 20)), max_size=25))
    made = [label(f"{i:03d}", start, start + length) for i, (start, length) in enumerate(spans)]
    return sorted(made, key=lambda a: a.order)


@given(tracks())
def test_labels_of_one_row_never_cover_each_other_while_there_are_rows(found: list[Annotation]) -> None:
    spans = TrackSpans(found)
    for i, one in enumerate(found):
        for j, other in enumerate(found[:i]):
            if spans.rows[i] == spans.rows[j] and spans.rows[i] < MOST_ROWS - 1:
                assert other.end_ns <= one.start_ns
    assert spans.row_count <= MOST_ROWS


@given(tracks(), st.integers(0, 99), st.integers(1, 40))
def test_everything_in_a_view_is_found(found: list[Annotation], start: int, length: int) -> None:
    spans = TrackSpans(found)
    view = TimeWindow(START_NS + start * SECOND_NS, START_NS + (start + length) * SECOND_NS)
    part = spans.within(view)
    for index, a in enumerate(found):
        if a.start_ns < view.stop_ns and a.end_ns >= view.start_ns:
            assert index in part


@given(tracks(), st.integers(0, 999))
def test_what_is_drawn_in_a_column_is_hit_there(found: list[Annotation], column: int) -> None:
    spans = TrackSpans(found)
    axis = TimeAxis.fitting(SPAN, 1000)
    for row in range(spans.row_count):
        there = [
            a
            for i, a in enumerate(found)
            if spans.rows[i] == row and axis.column_at(a.start_ns) <= column <= axis.column_at(a.end_ns)
        ]
        hit = spans.at(axis, column, row)
        if there:
            assert hit is not None
            assert hit.end_ns - hit.start_ns == min(a.end_ns - a.start_ns for a in there)


def test_a_hundred_thousand_labels_are_stacked_and_looked_up_by_bisecting() -> None:
    found = [label(f"{i:06d}", i / 1000, i / 1000 + 0.0015) for i in range(100_000)]
    spans = TrackSpans(found)
    assert spans.row_count == 2
    part = spans.within(TimeWindow(START_NS + 50 * SECOND_NS, START_NS + 50 * SECOND_NS + 1_000_000))
    assert len(part) <= 4
    assert spans.index_of(found[50_000]) == 50_000
    assert np.all(np.diff(spans.starts_ns) >= 0)


@given(tracks(), st.data())
def test_after_a_change_they_are_as_if_made_anew(found: list[Annotation], data: st.DataObject) -> None:
    """Some go, some come, some bear another name; what is known of the rest is not worked out again."""
    kept = [a for a in found if data.draw(st.booleans())]
    renamed = [replace(a, label="run") if data.draw(st.booleans()) else a for a in kept]
    changed = sorted([*renamed, label("new", data.draw(st.integers(0, 99)))], key=lambda a: a.order)
    after, anew = TrackSpans(tuple(changed), TrackSpans(tuple(found))), TrackSpans(tuple(changed))
    for name in ("starts_ns", "ends_ns", "rows"):
        assert np.array_equal(getattr(after, name), getattr(anew, name))
    assert [after.names[code] for code in after.codes] == [a.label for a in changed]
    assert [after.index_of(a) for a in changed] == list(range(len(changed)))
    assert all(after.index_of(a) is None for a in found if not any(a is other for other in changed))
