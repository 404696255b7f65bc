"""Where frames are missing: the one definition that timeline, panels, findings and command line share.

A gap lies between two neighbouring frames of a stream. The counter says so where it jumps, and the interval
where it exceeds one and a half periods; the counter is the stronger evidence. An interval is no gap where the
frames that follow make up for it: they came late, in a burst, but they all came.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.recording import Stream
from hfviewer.core.window import TimeWindow
from hfviewer.quality.counter import NEIGHBOURS, counter_steps, numbers_missing

_MOST_LOST = 2**40  # in one gap; so that sums over any number of gaps fit
_LONGEST_STALL = 4096  # frames that a burst may make up for
_BEFORE, _AFTER = 9, 15  # frames looked at on either side of a long interval
_QUARTER = 4
_PACE_STEPS, _PACE_SAMPLES = 16, 65_536
_FEW_DOUBLED = 0.1


class Evidence(StrEnum):
    """What says that frames are missing."""

    SEQUENCE = "sequence"
    INTERVAL = "interval"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Gap:
    """One gap; the fields are those of `Gaps`."""

    before: int
    start_ns: int
    end_ns: int
    lost: int
    by_sequence: int
    by_interval: int
    leap: int
    period_ns: int | None

    @property
    def evidence(self) -> Evidence:
        if self.by_sequence:
            return Evidence.BOTH if self.by_interval else Evidence.SEQUENCE
        return Evidence.INTERVAL

    @property
    def is_severe(self) -> bool:
        """True where the counter says so or several are lost; one by its interval may only have been late."""
        return self.by_sequence > 0 or self.lost >= 2

    @property
    def evidence_text(self) -> str:
        """``sequence jump +4; interval 4.0 × period``; the numbers as well where they disagree."""
        disagree = 0 < self.by_sequence != self.by_interval > 0
        parts = []
        if self.by_sequence:
            parts.append(f"sequence jump +{self.by_sequence + 1}")
            if disagree:
                parts[-1] += f" ({self.by_sequence} lost)"
        if self.by_interval and self.period_ns:
            parts.append(f"interval {(self.end_ns - self.start_ns) / self.period_ns:.1f} × period")
            if disagree:
                parts[-1] += f" ({self.by_interval} lost)"
        if self.leap:
            parts.append(f"sequence leap +{self.leap} not believed")
        return "; ".join(parts)


@dataclass(frozen=True, eq=False)
class Gaps:
    """All gaps of a stream, or of a part of it, in order of time.

    Args:
        before: intp[g], index of the last frame before each gap; the first after it is the next frame.
        start_ns: int64[g], timestamp of the last frame before.
        end_ns: int64[g], timestamp of the first frame after.
        by_sequence: int64[g], frames lost by the counter; 0 where it does not say that any are.
        by_interval: int64[g], frames lost by the interval; 0 likewise.
        leap: int64[g], a jump of the counter that was not believed; 0 where there is none.
        period_ns: typical interval; None where frames arrive irregularly.
    """

    before: NDArray[np.intp]
    start_ns: NDArray[np.int64]
    end_ns: NDArray[np.int64]
    by_sequence: NDArray[np.int64]
    by_interval: NDArray[np.int64]
    leap: NDArray[np.int64]
    period_ns: int | None = None

    @classmethod
    def none(cls) -> Gaps:
        """A stream without any."""
        empty = np.empty(0, np.int64)
        return cls(np.empty(0, np.intp), empty, empty, empty, empty, empty)

    @classmethod
    def joined(cls, pieces: Sequence[Gaps]) -> Gaps:
        """The gaps of consecutive parts of one stream."""
        if not pieces:
            return cls.none()
        return cls(
            before=np.concatenate([p.before for p in pieces]),
            start_ns=np.concatenate([p.start_ns for p in pieces]),
            end_ns=np.concatenate([p.end_ns for p in pieces]),
            by_sequence=np.concatenate([p.by_sequence for p in pieces]),
            by_interval=np.concatenate([p.by_interval for p in pieces]),
            leap=np.concatenate([p.leap for p in pieces]),
            period_ns=pieces[0].period_ns,
        )

    def __len__(self) -> int:
        return len(self.before)

    def __getitem__(self, index: int) -> Gap:
        return Gap(
            before=int(self.before[index]),
            start_ns=int(self.start_ns[index]),
            end_ns=int(self.end_ns[index]),
            lost=int(self.lost[index]),
            by_sequence=int(self.by_sequence[index]),
            by_interval=int(self.by_interval[index]),
            leap=int(self.leap[index]),
            period_ns=self.period_ns,
        )

    @cached_property
    def lost(self) -> NDArray[np.int64]:
        """int64[g], frames lost in each by the strongest evidence, at least 1."""
        return np.where(self.by_sequence > 0, self.by_sequence, self.by_interval)

    @cached_property
    def severe(self) -> NDArray[np.bool_]:
        """bool[g]: `Gap.is_severe` of each."""
        return (self.by_sequence > 0) | (self.lost >= 2)

    @cached_property
    def lost_before(self) -> NDArray[np.int64]:
        """int64[g + 1]: frames lost in all gaps before each gap; the last entry is the sum."""
        return _running(self.lost)

    @cached_property
    def severe_before(self) -> NDArray[np.int64]:
        """int64[g + 1]: how many gaps before each one are severe."""
        return _running(self.severe.astype(np.int64))

    def follow(self, index: int) -> bool:
        """Whether one of them follows on a frame."""
        at = int(self.before.searchsorted(index))
        return at < len(self) and int(self.before[at]) == index

    def at(self, time_ns: int) -> int | None:
        """Index of the gap that a time lies strictly inside of."""
        index = timing.index_before(self.start_ns, time_ns)
        return index if index is not None and time_ns < self.end_ns[index] else None

    def within(self, window: TimeWindow) -> slice:
        """Those that share an instant with a window."""
        first = timing.index_after(self.end_ns, window.start_ns)
        stop = timing.index_before(self.start_ns, window.stop_ns)
        return slice(len(self) if first is None else first, 0 if stop is None else stop + 1)


class GapFinder:
    """Finds the gaps of a stream, of a part of it, or after one frame; the same ones whichever is asked.

    Args:
        timestamps_ns: int64[n], non-decreasing, recording clock.
        sequence: int64[n], the sensor's counter or the order of arrival; None where neither is known.
        period_ns: typical interval of a regular stream; None where frames arrive irregularly, whose intervals
            then say nothing.
        span: of the recording. Intervals that reach beyond it come from a broken stamp and are left out.
    """

    def __init__(
        self,
        timestamps_ns: NDArray[np.int64],
        sequence: NDArray[np.int64] | None,
        period_ns: int | None,
        *,
        span: TimeWindow | None = None,
    ) -> None:
        self._timestamps_ns = timestamps_ns
        self._sequence = sequence
        self._period_ns = period_ns if period_ns is not None and period_ns > 0 else None
        self._span = span

    @classmethod
    def of(cls, stream: Stream, span: TimeWindow | None) -> GapFinder:
        """For a stream of a recording that spans so much."""
        description = stream.description
        period_ns = description.period_ns or timing.period_ns(stream.timestamps_ns)
        regular = description.rate_hz is not None
        return cls(stream.timestamps_ns, stream.sequence, period_ns if regular else None, span=span)

    @cached_property
    def typical_ns(self) -> int | None:
        """The period, or the median interval of an irregular stream."""
        return self._period_ns or timing.period_ns(self._timestamps_ns)

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
            return Gaps.none()
        here_ns = self._timestamps_ns[first : stop + 1]
        # Unsigned: the difference of any two int64 fits, even between a stamp of 1677 and one of 2262.
        intervals = np.diff(here_ns).view(np.uint64)
        long = np.zeros(len(intervals), np.bool_)
        if self._period_ns is not None:
            long = intervals > np.uint64(self._period_ns + self._period_ns // 2)
        by_sequence, leaps = self._by_sequence(first, stop)
        at = np.flatnonzero(long | (by_sequence > 0))
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
        at, by_interval = at[kept], by_interval[kept]
        leap = np.zeros(len(at), np.int64)
        if self._sequence is not None:
            numbers = self._sequence[first : stop + 1]
            leap = np.where(leaps[at], numbers[at + 1] - numbers[at], 0)
        return Gaps(
            first + at, here_ns[at], here_ns[at + 1], by_sequence[at], by_interval, leap, self._period_ns
        )

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
        )
        here = slice(first - start, stop - start)
        jumps = np.flatnonzero(steps[here] > 1)
        if len(jumps):
            missing[jumps] = numbers_missing(_running(steps), jumps + (first - start))
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
        period, nothing is missing. Doubled stamps count as one beat, but for those at
        the edges of the interval: there they are frames whose own stamps were lost.

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
        beats = _running((np.diff(table_ns[start:end]) != 0).astype(np.int64))
        own = beats[at - start][:, None]
        shares = np.zeros(len(at), np.int64)
        if self._few_doubled:
            shares = at + 1 - table_ns.searchsorted(table_ns[at], side="left")
            shares += table_ns.searchsorted(table_ns[at + 1], side="right") - at - 3
        own_ns, pace_ns = table_ns[at][:, None], float(self._pace_ns)
        # Floats hold differences of a hundred days to the nanosecond, and overflow nowhere.
        ahead = (table_ns[after] - own_ns).view(np.uint64).astype(np.float64)
        behind = (own_ns - table_ns[before]).view(np.uint64).astype(np.float64)
        beat_after = _low_quartile(ahead - (beats[after - start] - own + shares[:, None]) * pace_ns)
        beat_before = _low_quartile((own - beats[before - start]) * pace_ns - behind)
        made_up: NDArray[np.bool_] = 2 * (beat_after - beat_before) <= period_ns
        return made_up


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


def _running(values: NDArray[np.int64]) -> NDArray[np.int64]:
    total = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=total[1:])
    return total
