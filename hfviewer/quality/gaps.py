"""Where frames are missing: the one definition that timeline, panels, findings and command line share.

A gap lies between two neighbouring frames of a stream. The counter says so where it jumps, and the interval
where it exceeds one and a half periods; the counter is the stronger evidence. An interval is no gap where the
frames that follow make up for it: they came late, in a burst, but they all came.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.window import TimeWindow
from hfviewer.quality.clock import ClockView
from hfviewer.quality.counter import NEIGHBOURS, WIDEST, counter_steps, counter_width, numbers_missing
from hfviewer.quality.gap import Evidence, Gap, Gaps, running

__all__ = ["Evidence", "Gap", "GapFinder", "Gaps", "find_gaps"]

_MOST_LOST = 2**40  # in one gap; so that sums over any number of gaps fit
_LONGEST_STALL = 4096  # frames that a burst may make up for
_BEFORE, _AFTER = 9, 15  # frames looked at on either side of a long interval
_QUARTER = 4
_PACE_STEPS, _PACE_SAMPLES = 16, 65_536
_FEW_DOUBLED = 0.1
_SHARED = 8  # frames on one stamp beside a long interval


class GapFinder:
    """Finds the gaps of a stream, of a part of it, or after one frame; the same ones whichever is asked.

    Args:
        timestamps_ns: int64[n], non-decreasing, recording clock.
        sequence: int64[n], the sensor's counter or the order of arrival; None where neither is known.
        period_ns: typical interval of a regular stream; None where frames arrive irregularly, whose intervals
            then say nothing.
        span: of the recording. Intervals that reach beyond it come from a broken stamp and are left out.
        recorded: int64[n], frames that the recorder itself says are missing before each; None where it does
            not count.
        clock: where the stream's clock was set and which stamps are bad; None where it simply ran on.
        reorders: True where frames are counted in an order of their own (B frames), so that a number that is
            missing belongs to a long interval close by.
        long_ns: interval beyond which frames may be missing; None: 1.5 periods.
    """

    def __init__(
        self,
        timestamps_ns: NDArray[np.int64],
        sequence: NDArray[np.int64] | None,
        period_ns: int | None,
        *,
        span: TimeWindow | None = None,
        recorded: NDArray[np.int64] | None = None,
        clock: ClockView | None = None,
        reorders: bool = False,
        long_ns: int | None = None,
    ) -> None:
        self._timestamps_ns = timestamps_ns
        self._sequence = sequence
        self._period_ns = period_ns if period_ns is not None and period_ns > 0 else None
        self._span = span
        self._recorded = recorded
        self._clock = clock
        self._reorders = reorders
        self._long_ns = long_ns

    @cached_property
    def typical_ns(self) -> int | None:
        """The period, or the median interval of an irregular stream."""
        return self._period_ns or timing.period_ns(self._timestamps_ns)

    @property
    def period_ns(self) -> int | None:
        """Typical interval of a regular stream; None where frames arrive irregularly."""
        return self._period_ns

    @property
    def span(self) -> TimeWindow | None:
        """Of the recording; None where every stamp is believed."""
        return self._span

    @property
    def long_ns(self) -> int | None:
        """Interval beyond which frames may be missing; None where frames arrive irregularly."""
        if self._period_ns is None:
            return None
        return self._long_ns or self._period_ns + self._period_ns // 2

    @cached_property
    def width(self) -> int:
        """Of the counter, see `counter_width`."""
        return WIDEST if self._sequence is None else counter_width(self._sequence)

    def all(self) -> Gaps:
        """All of them."""
        return self.among(range(len(self._timestamps_ns)))

    def after(self, index: int) -> Gap | None:
        """The gap between a frame and the next one, if there is one."""
        found = self.among(range(index, index + 1))
        return found[0] if len(found) else None

    def among(self, frames: range) -> Gaps:
        """The gaps that follow on some consecutive frames."""
        first, stop = max(0, frames.start), min(frames.stop, len(self._timestamps_ns) - 1)
        if first >= stop:
            return Gaps.none() if self._recorded is None else Gaps.none().counted_by_recorder()
        if self._clock is not None or self._reorders:
            whole = self._in_parts if self._clock is not None else self._in_place
            return whole.taken(slice(*whole.before.searchsorted([first, stop])))
        return self._between(first, stop)

    def _between(self, first: int, stop: int) -> Gaps:
        """The gaps that follow on frames ``first … stop - 1``."""
        here_ns = self._timestamps_ns[first : stop + 1]
        # Unsigned: the difference of any two int64 fits, even between a stamp of 1677 and one of 2262.
        intervals = np.diff(here_ns).view(np.uint64)
        long = np.zeros(len(intervals), np.bool_)
        if self._period_ns is not None:
            long = intervals > np.uint64(self.long_ns or 0)
        by_sequence, leaps = self._by_sequence(first, stop)
        recorded = None if self._recorded is None else self._recorded[first + 1 : stop + 1]
        said = long | (by_sequence > 0)
        at = np.flatnonzero(said if recorded is None else said | (recorded > 0))
        if self._span is not None:
            at = at[(here_ns[at] >= self._span.start_ns) & (here_ns[at + 1] < self._span.stop_ns)]
        by_interval = np.zeros(len(at), np.int64)
        late = np.flatnonzero(long[at])
        if self._period_ns is not None and len(late):
            whole, rest = np.divmod(intervals[at[late]], np.uint64(self._period_ns))
            whole += rest * np.uint64(2) >= np.uint64(self._period_ns)
            lost = np.minimum(whole, np.uint64(_MOST_LOST)).astype(np.int64) - 1
            by_interval[late] = np.where(self._made_up(first + at[late], lost, self._period_ns), 0, lost)
        kept = (by_sequence[at] > 0) | (by_interval > 0)
        if recorded is not None:
            kept |= recorded[at] > 0
        at, by_interval = at[kept], by_interval[kept]
        leap = np.zeros(len(at), np.int64)
        if self._sequence is not None:
            numbers = self._sequence[first : stop + 1]
            leap = np.where(leaps[at], numbers[at + 1] - numbers[at], 0)
        return Gaps(
            first + at,
            here_ns[at],
            here_ns[at + 1],
            by_sequence[at],
            by_interval,
            leap,
            self._period_ns,
            None if recorded is None else recorded[at],
            self._runs_on(by_sequence[at], by_interval, leap),
        )

    def _runs_on(
        self, by_sequence: NDArray[np.int64], by_interval: NDArray[np.int64], leap: NDArray[np.int64]
    ) -> NDArray[np.bool_] | None:
        alone = (by_sequence == 0) & (by_interval > 0) & (leap == 0)
        return alone if alone.any() and self._counts_losses else None

    @cached_property
    def _counts_losses(self) -> bool:
        """Whether the counter is the sensor's own: somewhere it jumps by as much as the time says."""
        if self._sequence is None or self._period_ns is None:
            return False
        by_sequence, _ = self._by_sequence(0, len(self._timestamps_ns) - 1)
        at = np.flatnonzero(by_sequence)
        passed = (self._timestamps_ns[at + 1] - self._timestamps_ns[at]).view(np.uint64).astype(np.float64)
        agrees = np.abs(passed / self._period_ns - 1 - by_sequence[at]) <= 0.5
        return bool((agrees & (by_sequence[at] > 0)).any())

    @cached_property
    def _in_place(self) -> Gaps:
        """All gaps of a stream counted in another order: numbers missed near a long interval are its."""
        gaps = self._between(0, len(self._timestamps_ns) - 1)
        counted = np.flatnonzero((gaps.by_sequence > 0) & (gaps.by_interval == 0))
        long = np.flatnonzero((gaps.by_interval > 0) & (gaps.by_sequence == 0))
        if len(counted) == 0 or len(long) == 0:
            return gaps
        places = gaps.before[long]
        after = np.minimum(places.searchsorted(gaps.before[counted]), len(long) - 1)
        earlier = np.maximum(after - 1, 0)
        distance = np.abs(places[after] - gaps.before[counted])
        closer = np.abs(places[earlier] - gaps.before[counted])
        nearest = np.where(closer < distance, earlier, after)
        near = np.minimum(closer, distance) <= NEIGHBOURS
        by_sequence = gaps.by_sequence.copy()
        np.add.at(by_sequence, long[nearest[near]], gaps.by_sequence[counted[near]])
        kept = np.ones(len(gaps), np.bool_)
        kept[counted[near]] = False
        return replace(gaps, by_sequence=by_sequence).taken(np.flatnonzero(kept))

    @cached_property
    def _in_parts(self) -> Gaps:
        """All gaps, where the clock was set or stamps are bad: those of each part by itself."""
        assert self._clock is not None
        found = []
        for part in self._clock.parts:
            finder = GapFinder(
                self._timestamps_ns[part],
                None if self._sequence is None else self._sequence[part],
                self._period_ns,
                span=self._span,
                recorded=None if self._recorded is None else self._recorded[part],
                reorders=self._reorders,
                long_ns=self._long_ns,
            )
            gaps = finder.all()
            after = part[gaps.before + 1] if len(gaps) else part[:0]
            found.append(self._without_strays(replace(gaps, before=part[gaps.before]), after))
        gaps = Gaps.joined(found)
        return gaps.taken(np.argsort(gaps.before, kind="stable"))

    def _without_strays(self, gaps: Gaps, after: NDArray[np.intp]) -> Gaps:
        """Gaps less the frames that are there after all, with a bad stamp.

        Args:
            gaps: of a part.
            after: intp[g], index of the first frame after each.
        """
        assert self._clock is not None
        if self._sequence is None or len(gaps) == 0 or len(self._clock.strays) == 0:
            return gaps
        numbers = np.sort(self._sequence[self._clock.strays])
        low, high = self._sequence[gaps.before], self._sequence[after]
        there = numbers.searchsorted(high) - numbers.searchsorted(low, side="right")
        less = replace(
            gaps,
            by_sequence=np.maximum(gaps.by_sequence - there, 0),
            by_interval=np.maximum(gaps.by_interval - there, 0),
        )
        counted = 0 if less.by_recorder is None else less.by_recorder
        return less.taken(np.flatnonzero((less.by_sequence > 0) | (less.by_interval > 0) | (counted > 0)))

    def _by_sequence(self, first: int, stop: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Frames lost by the counter after each of ``first … stop - 1``; where it leaps beyond belief."""
        missing = np.zeros(stop - first, np.int64)
        if self._sequence is None:
            return missing, np.zeros(stop - first, np.bool_)
        # The neighbourhood as well: a number that is missing here may turn up there.
        start, end = max(0, first - NEIGHBOURS), stop + NEIGHBOURS + 1
        steps, leaps = counter_steps(
            self._sequence[start:end],
            self._timestamps_ns[start:end],
            self.typical_ns,
            regular=self._period_ns is not None,
            width=self.width,
        )
        here = slice(first - start, stop - start)
        jumps = np.flatnonzero(steps[here] > 1)
        if len(jumps):
            missing[jumps] = numbers_missing(running(steps), jumps + (first - start))
        return missing, leaps[here]

    @cached_property
    def _pace_ns(self) -> int:
        """Time from frame to frame in the long run, and at most a period: lost frames do not slow it down."""
        table_ns = self._timestamps_ns
        period_ns = self._period_ns or 0
        if len(table_ns) <= _PACE_STEPS:
            return period_ns
        at = np.linspace(0, len(table_ns) - 1 - _PACE_STEPS, _PACE_SAMPLES).astype(np.intp)
        if len(table_ns) - _PACE_STEPS <= _PACE_SAMPLES:
            at = np.arange(len(table_ns) - _PACE_STEPS)
        spans = (table_ns[at + _PACE_STEPS] - table_ns[at]).view(np.uint64)
        return min(period_ns, int(np.median(spans)) // _PACE_STEPS)

    @cached_property
    def _few_doubled(self) -> bool:
        table_ns = self._timestamps_ns
        return int(np.count_nonzero(table_ns[1:] == table_ns[:-1])) <= _FEW_DOUBLED * len(table_ns)

    def _made_up(self, at: NDArray[np.intp], lost: NDArray[np.int64], period_ns: int) -> NDArray[np.bool_]:
        """Where the frames that follow make up for a long interval, so that all of them came after all.

        The frames before it and those after it are each held against an even beat, which a quarter of them is
        taken to keep: frames may be late, but not early. Where that beat is not put off by more than half a
        period, nothing is missing.

        Args:
            at: intp[g], ascending, frames before the long intervals.
            lost: int64[g], how many would be missing in each.
            period_ns: typical interval.
        """
        table_ns, count = self._timestamps_ns, len(self._timestamps_ns)
        stall = np.minimum(lost, _LONGEST_STALL).astype(np.intp)
        # A burst brings its frames first; only behind it does the old beat show again.
        reach = stall[:, None] + (stall[:, None] + _AFTER + 1) * np.arange(_AFTER) // (_AFTER - 1)
        after = np.minimum(at[:, None] + 1 + reach, count - 1)
        before = np.maximum(at[:, None] - np.arange(_BEFORE), 0)
        start, end = int(before[0, -1]), int(after.max()) + 1
        beats = running(self._beats(start, end, period_ns))
        own = beats[at - start][:, None]
        own_ns, pace_ns = table_ns[at][:, None], float(self._pace_ns)
        # Floats hold differences of a hundred days to the nanosecond, and overflow nowhere.
        ahead = (table_ns[after] - own_ns).view(np.uint64).astype(np.float64)
        behind = (own_ns - table_ns[before]).view(np.uint64).astype(np.float64)
        beat_after = _low_quartile(ahead - (beats[after - start] - own) * pace_ns)
        beat_before = _low_quartile((own - beats[before - start]) * pace_ns - behind)
        made_up: NDArray[np.bool_] = 2 * (beat_after - beat_before) <= period_ns
        return made_up

    def _beats(self, start: int, end: int, period_ns: int) -> NDArray[np.int64]:
        """int64[end - start - 1]: 1 where a frame follows on the one before, 0 where it shares its stamp.

        Beside a long interval a shared stamp counts as well: it is that of a frame whose own stamp was lost.
        """
        first = max(0, start - _SHARED)
        table_ns = self._timestamps_ns[first : end + _SHARED]
        lengths = np.diff(table_ns).view(np.uint64)
        beats = lengths != 0
        if self._few_doubled:
            beside = lengths > np.uint64(period_ns + period_ns // 2)
            for _ in range(_SHARED):
                reached = np.zeros(len(beside), np.bool_)
                reached[1:] |= beside[:-1]
                reached[:-1] |= beside[1:]
                beside |= reached & ~beats
            beats |= beside
        here: NDArray[np.int64] = beats[start - first : end - 1 - first].astype(np.int64)
        return here


def find_gaps(
    timestamps_ns: NDArray[np.int64],
    sequence: NDArray[np.int64] | None,
    period_ns: int | None,
    *,
    span: TimeWindow | None = None,
) -> Gaps:
    """All gaps of a stream; the arguments are those of `GapFinder`."""
    return GapFinder(timestamps_ns, sequence, period_ns, span=span).all()


def _low_quartile(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    at = rows.shape[1] // _QUARTER
    quartile: NDArray[np.float64] = np.partition(rows, at, axis=1)[:, at]
    return quartile
