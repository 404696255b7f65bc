"""Writes into lanes: how many frames a gap lost, doubled stamps, frame numbers. Only where there is room."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter

from hfviewer.core import timing
from hfviewer.panels.theme import Tokens, with_alpha
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.density import MarkRuns
from hfviewer.panels.timeline.fonts import PLATE_PX, TimelineFonts
from hfviewer.panels.timeline.lane import Lane
from hfviewer.panels.timeline.layout import NAMES_PX, TimelineLayout
from hfviewer.panels.timeline.ruler import nice_step_ns

MAX_LABELS = 24  # of one kind in one lane
_NUMBER_SPACING_PX = 72
_NUMBER_LANE_PX = 30  # lower lanes have no room for numbers
_BESIDE_PX = 40  # farthest that a label moves away from its mark


@dataclass(frozen=True, slots=True, eq=False)
class LaneRuns:
    """The marks of a lane in view."""

    gaps: MarkRuns
    doubled: MarkRuns
    backwards: MarkRuns

    def scaled(self, ratio: float) -> LaneRuns:
        """The same in device-independent columns."""
        if ratio == 1:
            return self
        return LaneRuns(*(_scaled(runs, ratio) for runs in (self.gaps, self.doubled, self.backwards)))


@dataclass(frozen=True, slots=True)
class Label:
    """A few characters for a mark over these columns."""

    text: str
    first: int
    stop: int
    severe: bool


def lost_text(count: int) -> str:
    """``−6``; thousands and more in short."""
    for unit, letter in ((10**9, "G"), (10**6, "M"), (10**4, "k")):
        if count >= unit:
            return f"−{count // (unit if unit > 10**4 else 1000)}{letter}"
    return f"−{count}"


def paint_lane_labels(
    painter: QPainter,
    axis: TimeAxis,
    layout: TimelineLayout,
    index: int,
    lane: Lane,
    runs: LaneRuns,
    tokens: Tokens,
    fonts: TimelineFonts,
) -> None:
    """All that is written into one lane; gaps have the first choice of room."""
    taken = np.zeros(axis.width_px + 1, np.bool_)
    for kind in (runs.gaps, runs.doubled, runs.backwards):
        taken[:-1] |= kind.covers(axis.width_px)
    top, height = layout.lane_top(index), layout.lane_px
    ground, ratio = with_alpha(tokens.bg0, 0.9), painter.device().devicePixelRatioF()
    for labels in (_of_gaps(runs.gaps), _of_doubled(runs.doubled), _of_backwards(runs.backwards)):
        for label in labels:
            width = fonts.plate_width(len(label.text))
            left = place(label, width, taken)
            if left is None:
                continue
            taken[left : left + width] = True
            colour = tokens.error if label.severe else tokens.warning
            plate = fonts.plate(label.text, colour, ground, ratio)
            painter.drawPixmap(NAMES_PX + left, top + (height - PLATE_PX) // 2, plate)
    _paint_numbers(painter, axis, top + height, lane, height, taken, tokens.t3, fonts)


def _of_gaps(runs: MarkRuns) -> Iterable[Label]:
    chosen = largest(runs)
    for first, stop, count, severe in zip(
        chosen.firsts.tolist(),
        chosen.stops.tolist(),
        chosen.counts.tolist(),
        chosen.severe.tolist(),
        strict=True,
    ):
        yield Label(lost_text(count), first, stop, severe)


def _of_doubled(runs: MarkRuns) -> Iterable[Label]:
    chosen = largest(runs)
    for first, stop, count in zip(
        chosen.firsts.tolist(), chosen.stops.tolist(), chosen.counts.tolist(), strict=True
    ):
        yield Label(f"×{count}", first, stop, False)


def _of_backwards(runs: MarkRuns) -> Iterable[Label]:
    chosen = largest(runs)
    for first, stop in zip(chosen.firsts.tolist(), chosen.stops.tolist(), strict=True):
        yield Label("↰", first, stop, False)


def largest(runs: MarkRuns) -> MarkRuns:
    """At most `MAX_LABELS` of them, those that say most."""
    if len(runs) <= MAX_LABELS:
        return runs
    chosen = np.zeros(len(runs), np.bool_)
    chosen[np.argpartition(runs.counts, -MAX_LABELS)[-MAX_LABELS:]] = True
    return runs.where(chosen)


def place(label: Label, width: int, taken: NDArray[np.bool_]) -> int | None:
    """Left edge for a label: on its mark where that is wide enough, else beside it; None without room."""
    columns = len(taken) - 1
    if label.stop - label.first >= width + 4:
        return (label.first + label.stop - width) // 2
    right, left = label.stop + 3, label.first - 3 - width
    places: tuple[int, ...] = (right, left, *range(right + 3, right + _BESIDE_PX, 3))
    for place in places:
        if place >= 0 and place + width <= columns and not taken[place : place + width].any():
            return place
    return None


def _paint_numbers(
    painter: QPainter,
    axis: TimeAxis,
    bottom: int,
    lane: Lane,
    height: int,
    taken: NDArray[np.bool_],
    colour: QColor,
    fonts: TimelineFonts,
) -> None:
    px_per_frame = lane.px_per_frame(axis.ns_per_px)
    visible = timing.indices_in(lane.timestamps_ns, axis.view)
    widest = fonts.frame_number_width(len(str(visible.stop)))
    # A number that the next tick runs through cannot be read.
    if height < _NUMBER_LANE_PX or px_per_frame < widest + 8 or not visible:
        return
    step = (
        1
        if px_per_frame >= _NUMBER_SPACING_PX
        else nice_step_ns(ceil(_NUMBER_SPACING_PX / px_per_frame), clock=False)
    )
    painter.setFont(fonts.frame_number)
    painter.setPen(colour)
    free_from = 0
    for index in range(-(-(visible.start + 1) // step) * step - 1, visible.stop, step):
        column = axis.column_at(int(lane.timestamps_ns[index])) + 4
        if column < free_from or column + widest > axis.width_px or taken[column : column + widest].any():
            continue
        painter.drawText(QPointF(NAMES_PX + column, bottom - 6), str(index + 1))
        free_from = column + _NUMBER_SPACING_PX // 2


def _scaled(runs: MarkRuns, ratio: float) -> MarkRuns:
    firsts = (runs.firsts / ratio).astype(np.intp)
    stops = np.ceil(runs.stops / ratio).astype(np.intp)
    return MarkRuns(firsts, stops, runs.counts, runs.marks, runs.severe)
