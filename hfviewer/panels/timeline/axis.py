"""Which time lies in which pixel column. Integers throughout: nothing adds up, nothing is rounded twice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.window import TimeWindow

MIN_VIEW_NS = 1_000  # no zooming in beyond a microsecond
OVERSHOOT_PERCENT = 5  # how far beyond the recording a view may reach on either side
_INSTANT_ROOM_NS = 1_000_000_000  # a recording of a single instant is shown at the start of a second
# Where timestamps can lie. A view may begin and stop there, so that the first and last of them can be seen.
_FIRST_NS, _STOP_NS = -(2**63), 2**63
_FACTOR_DENOMINATOR = 10_000


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """A view of a recording, laid over pixel columns.

    Column k shows ``time_at(k) <= t < time_at(k + 1)``; column 0 begins with the view, column ``width_px``
    would be the first one beyond it.

    Args:
        span: the whole recording.
        view: the part that is shown.
        width_px: columns, at least 1.
    """

    span: TimeWindow
    view: TimeWindow
    width_px: int

    @classmethod
    def fitting(cls, span: TimeWindow, width_px: int) -> TimeAxis:
        """The axis that shows all of a recording."""
        span = _roomy(span)
        return cls(span, span, max(1, width_px))

    @property
    def ns_per_px(self) -> float:
        """For choosing how to draw, never for placing anything."""
        return self.view.duration_ns / self.width_px

    @property
    def fits(self) -> bool:
        """True where the whole recording is shown."""
        return self.view.start_ns <= self.span.start_ns and self.view.stop_ns >= self.span.stop_ns

    def edges_ns(self) -> NDArray[np.int64]:
        """int64[width_px + 1]: where each column begins, and where the last one ends.

        The end of all time, 2⁶³, is no int64: it is given as the instant before.
        """
        if self.view.stop_ns == _STOP_NS or self.view.duration_ns >= _STOP_NS:
            edges = [min(self.time_at(column), _STOP_NS - 1) for column in range(self.width_px + 1)]
            return np.array(edges, np.int64)
        whole, rest = divmod(self.view.duration_ns, self.width_px)
        columns = np.arange(self.width_px + 1, dtype=np.int64)
        return self.view.start_ns + whole * columns + rest * columns // self.width_px

    def time_at(self, column: int) -> int:
        """Where a column begins. Columns outside the widget continue the same grid."""
        return self.view.start_ns + self.view.duration_ns * column // self.width_px

    def column_at(self, time_ns: int) -> int:
        """The column that shows a time; below 0 or at least ``width_px`` where it is not in view."""
        offset_ns = time_ns - self.view.start_ns
        return -(-(offset_ns + 1) * self.width_px // self.view.duration_ns) - 1

    def columns_of(self, start_ns: int, stop_ns: int) -> range:
        """The columns of the widget from that of a time on, before that of another.

        Either time may lie farther outside the view than any number of pixels can say.
        """
        first = max(0, min(self.column_at(start_ns), self.width_px))
        return range(first, max(first, min(self.column_at(stop_ns), self.width_px)))

    def resized(self, width_px: int) -> TimeAxis:
        """The same view over another number of columns."""
        return replace(self, width_px=max(1, width_px))

    def fitted(self) -> TimeAxis:
        """All of the recording."""
        return replace(self, view=self.span)

    def showing(self, start_ns: int, stop_ns: int) -> TimeAxis:
        """Another view, kept within the limits; too short a view grows about its middle."""
        duration_ns = max(MIN_VIEW_NS, stop_ns - start_ns)
        middle_ns = (start_ns + stop_ns) // 2
        grown = duration_ns != stop_ns - start_ns
        return self._placed(middle_ns - duration_ns // 2 if grown else start_ns, duration_ns)

    def zoomed(self, column: int, factor: float) -> TimeAxis:
        """Zoom so that the time under a column stays there.

        Args:
            column: of the pointer.
            factor: above 1 zooms in.
        """
        # The middle of the column, so that rounding cannot push the time into a neighbour.
        under_ns = (2 * column + 1) * self.view.duration_ns // (2 * self.width_px)
        return self._zoomed_about(under_ns, factor)

    def zoomed_about(self, time_ns: int, factor: float) -> TimeAxis:
        """Zoom so that a time keeps its place; one that is in view stays in view.

        Args:
            time_ns: in view, or beyond it.
            factor: above 1 zooms in.
        """
        return self._zoomed_about(time_ns - self.view.start_ns, factor)

    def panned(self, columns: int) -> TimeAxis:
        """Drag the picture to the right by so many columns: earlier times come into view."""
        duration_ns = self.view.duration_ns
        return self._placed(self.view.start_ns - duration_ns * columns // self.width_px, duration_ns)

    def starting_at(self, start_ns: int) -> TimeAxis:
        """The same length of view from another start."""
        return self._placed(start_ns, self.view.duration_ns)

    def bringing(self, time_ns: int, percent: int) -> TimeAxis:
        """The same length of view, with a time at so many percent of its width."""
        return self.starting_at(time_ns - self.view.duration_ns * percent // 100)

    def _zoomed_about(self, offset_ns: int, factor: float) -> TimeAxis:
        ratio = Fraction(factor).limit_denominator(_FACTOR_DENOMINATOR)
        if ratio <= 0:
            return self
        old_ns = self.view.duration_ns
        new_ns = max(MIN_VIEW_NS, old_ns * ratio.denominator // ratio.numerator)
        new_ns = min(new_ns, _limits(self.span).duration_ns)
        if new_ns == old_ns:
            return self
        return self._placed(self.view.start_ns + offset_ns - offset_ns * new_ns // old_ns, new_ns)

    def _placed(self, start_ns: int, duration_ns: int) -> TimeAxis:
        limits = _limits(self.span)
        duration_ns = min(duration_ns, limits.duration_ns)
        start_ns = max(limits.start_ns, min(start_ns, limits.stop_ns - duration_ns))
        return replace(self, view=TimeWindow(start_ns, start_ns + duration_ns))


def _roomy(span: TimeWindow) -> TimeWindow:
    """A span that can be drawn: not a single instant, and with timestamps in it that int64 can hold."""
    start_ns = max(_FIRST_NS, min(span.start_ns, _STOP_NS - 1))
    stop_ns = max(start_ns, min(span.stop_ns, _STOP_NS))
    if stop_ns - start_ns < MIN_VIEW_NS:
        stop_ns = min(start_ns + _INSTANT_ROOM_NS, _STOP_NS)
        start_ns = min(start_ns, stop_ns - _INSTANT_ROOM_NS)
    return TimeWindow(start_ns, stop_ns)


def _limits(span: TimeWindow) -> TimeWindow:
    margin_ns = span.duration_ns * OVERSHOOT_PERCENT // 100
    return TimeWindow(max(_FIRST_NS, span.start_ns - margin_ns), min(_STOP_NS, span.stop_ns + margin_ns))
