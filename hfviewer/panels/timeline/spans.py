"""Where the labels of a track lie: which are in view, and in which row each stands; none is covered."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.annotation import Annotation
from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline.axis import TimeAxis

MOST_ROWS = 4
"""More labels at one instant share the last row; the card and the list tell them apart."""


class TrackSpans:
    """The labels of one track, ready to be looked up. Made anew whenever one of them changes.

    Args:
        annotations: in the order of time.
    """

    def __init__(self, annotations: Sequence[Annotation]) -> None:
        self.annotations = annotations
        count = len(annotations)
        self.starts_ns = np.fromiter((a.start_ns for a in annotations), np.int64, count)
        self.ends_ns = np.fromiter((a.end_ns for a in annotations), np.int64, count)
        # Ends so far: by it, the first label that reaches into a view is found by bisecting.
        self._reach_ns = np.maximum.accumulate(self.ends_ns) if count else self.ends_ns
        self.rows = _stacked(self.starts_ns, self.ends_ns, self._reach_ns)
        self.row_count = int(self.rows.max(initial=0)) + 1
        names: dict[str, int] = {}
        self.codes = np.fromiter(
            (names.setdefault(a.label, len(names)) for a in annotations), np.int32, count
        )
        self.names = tuple(names)
        """Labels that there are; `codes` says which one each annotation bears."""

    @cached_property
    def of_rows(self) -> list[NDArray[np.intp]]:
        """Indices of the labels of each row, in the order of time."""
        return [np.flatnonzero(self.rows == row) for row in range(self.row_count)]

    def __len__(self) -> int:
        return len(self.annotations)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {annotation.id: index for index, annotation in enumerate(self.annotations)}

    def index_of(self, annotation_id: str) -> int | None:
        """Where a label stands among them; None where it is not on this track."""
        return self._places.get(annotation_id)

    def annotation(self, annotation_id: str) -> Annotation | None:
        """The label of that id, where it is on this track."""
        index = self.index_of(annotation_id)
        return None if index is None else self.annotations[index]

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
    free = list(range(MOST_ROWS))
    busy: list[tuple[int, int]] = []  # when it ends, row
    for index, (start_ns, end_ns) in enumerate(zip(starts_ns.tolist(), ends_ns.tolist(), strict=True)):
        while busy and busy[0][0] <= start_ns and not (busy[0][0] == start_ns == end_ns):
            heapq.heappush(free, heapq.heappop(busy)[1])
        if free:
            row = heapq.heappop(free)
            heapq.heappush(busy, (end_ns, row))
            rows[index] = row
        else:
            rows[index] = MOST_ROWS - 1
    return rows
