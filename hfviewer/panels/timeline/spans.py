"""Where the labels of a track lie: which are in view, and in which row each stands; none is covered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.annotation import Annotation, place_in
from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline.axis import TimeAxis

MOST_ROWS = 4
"""More labels at one instant share the last row; the card and the list tell them apart."""


class TrackSpans:
    """The labels of one track, ready to be looked up. Made anew whenever one of them changes.

    Args:
        annotations: in the order of time.
        before: the same track before the change: what is the same is taken from there.
    """

    def __init__(self, annotations: Sequence[Annotation], before: TrackSpans | None = None) -> None:
        self.annotations = annotations
        names: dict[str, int] = {} if before is None else {n: i for i, n in enumerate(before.names)}
        old = () if before is None else before.annotations
        first = _same_at_start(old, annotations)
        last = min(len(old), len(annotations)) - first
        last = _same_at_start(old[len(old) - last :][::-1], annotations[len(annotations) - last :][::-1])
        fresh = annotations[first : len(annotations) - last]
        starts = np.fromiter((a.start_ns for a in fresh), np.int64, len(fresh))
        ends = np.fromiter((a.end_ns for a in fresh), np.int64, len(fresh))
        codes = np.fromiter((names.setdefault(a.label, len(names)) for a in fresh), np.int32, len(fresh))
        if before is not None:
            stop = len(old) - last
            starts = np.concatenate((before.starts_ns[:first], starts, before.starts_ns[stop:]))
            ends = np.concatenate((before.ends_ns[:first], ends, before.ends_ns[stop:]))
            codes = np.concatenate((before.codes[:first], codes, before.codes[stop:]))
        self.starts_ns: NDArray[np.int64] = starts
        self.ends_ns: NDArray[np.int64] = ends
        self.codes: NDArray[np.int32] = codes
        # Ends so far: by it, the first label that reaches into a view is found by bisecting.
        self._reach_ns = np.maximum.accumulate(ends) if len(ends) else ends
        self.rows = _stacked(starts, ends, self._reach_ns)
        self.row_count = int(self.rows.max(initial=0)) + 1
        self.names: tuple[str, ...] = tuple(names)
        """Labels that there are, or were; `codes` says which one each annotation bears."""

    @cached_property
    def of_rows(self) -> list[NDArray[np.intp]]:
        """Indices of the labels of each row, in the order of time."""
        return [np.flatnonzero(self.rows == row) for row in range(self.row_count)]

    def __len__(self) -> int:
        return len(self.annotations)

    def index_of(self, annotation: Annotation) -> int | None:
        """Where a label stands among them; None where it is not on this track, or is another by now."""
        index = place_in(self.annotations, annotation)
        found = index < len(self.annotations) and self.annotations[index] is annotation
        return index if found else None

    def within(self, view: TimeWindow) -> range:
        """Labels that may show in a view: all that do, and few others."""
        first = int(self._reach_ns.searchsorted(view.start_ns, "left"))
        stop = int(self.starts_ns.searchsorted(view.stop_ns, "left"))
        return range(first, max(first, stop))

    def at(self, axis: TimeAxis, column: int, row: int, *, slack_px: int = 0) -> Annotation | None:
        """The label at a column of a row; one that is hit before one that is near, then the shortest.

        Args:
            axis: of the view.
            column: of the pointer.
            row: as stacked.
            slack_px: how far beside it still hits.
        """
        view = axis.view
        margin_ns = (slack_px + 1) * view.duration_ns // axis.width_px + 1
        start_ns, stop_ns = axis.time_at(column), axis.time_at(column + 1)
        part = self.within(TimeWindow(start_ns - margin_ns, stop_ns + margin_ns))
        best: tuple[int, int, Annotation] | None = None
        for index in part:
            if self.rows[index] != row:
                continue
            first, last = axis.column_at(int(self.starts_ns[index])), axis.column_at(int(self.ends_ns[index]))
            away = max(first - column, column - last, 0)
            length = int(self.ends_ns[index] - self.starts_ns[index])
            if away <= slack_px and (best is None or (away, length) < best[:2]):
                best = (away, length, self.annotations[index])
        return None if best is None else best[2]


def _stacked(
    starts_ns: NDArray[np.int64], ends_ns: NDArray[np.int64], reach_ns: NDArray[np.int64]
) -> NDArray[np.int8]:
    """The row of each label: the lowest that is free when it begins; the last where all are taken."""
    count = len(starts_ns)
    rows = np.zeros(count, np.int8)
    if count < 2 or not bool(
        (starts_ns[1:] < reach_ns[:-1]).any() or (starts_ns[1:] == starts_ns[:-1]).any()
    ):
        return rows
    # One variable a row, four times as quick as a list: a hundred thousand are stacked at each edit.
    end_0 = end_1 = end_2 = end_3 = -1
    found = bytearray(count)
    for index, (start, end) in enumerate(zip(starts_ns.tolist(), ends_ns.tolist(), strict=True)):
        # Two instants at one time do not share a row, though the first is over when the second begins.
        taken = start - 1 if start == end else start
        if end_0 <= taken:
            end_0 = end
        elif end_1 <= taken:
            end_1, found[index] = end, 1
        elif end_2 <= taken:
            end_2, found[index] = end, 2
        elif end_3 <= taken:
            end_3, found[index] = end, 3
        else:
            found[index] = MOST_ROWS - 1
    return np.frombuffer(found, np.int8)


def _same_at_start(one: Sequence[Annotation], other: Sequence[Annotation]) -> int:
    """How many the two begin with that are the very same; by halves, which is quick."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
