"""A gap, and all gaps of a stream: between which frames, how many are missing, and what says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.window import TimeWindow


class Evidence(StrEnum):
    """What says that frames are missing; the strongest first."""

    SEQUENCE = "sequence"  # the sensor's counter jumps
    RECORDER = "recorder"  # the recorder counted them
    INTERVAL = "interval"  # too long a time passes, and nothing makes up for it
    BOTH = "both"  # the counter and the interval


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
    by_recorder: int | None = None
    runs_on: bool = False

    @property
    def evidence(self) -> Evidence:
        if self.by_sequence:
            return Evidence.BOTH if self.by_interval else Evidence.SEQUENCE
        return Evidence.RECORDER if self.by_recorder else Evidence.INTERVAL

    @property
    def evidences(self) -> tuple[Evidence, ...]:
        """All that say so, as in the command line's JSON; the strongest first."""
        said = (
            (Evidence.SEQUENCE, self.by_sequence),
            (Evidence.RECORDER, self.by_recorder),
            (Evidence.INTERVAL, self.by_interval),
        )
        return tuple(evidence for evidence, lost in said if lost)

    @property
    def is_severe(self) -> bool:
        """True where a counter says so or several are lost; one by its interval may only have been late."""
        return self.by_sequence > 0 or bool(self.by_recorder) or self.lost >= 2

    @property
    def evidence_text(self) -> str:
        """``sequence jump +4; interval 4.0 × period``; the numbers as well where they disagree."""
        numbers = {lost for lost in (self.by_sequence, self.by_interval) if lost}
        if self.by_recorder is not None:
            numbers.add(self.by_recorder)
        counted = self.by_sequence or self.by_recorder
        disagree = len(numbers) > 1 or bool(counted and self.period_ns and not self.by_interval)
        parts = []
        if self.by_sequence:
            parts.append(f"sequence jump +{self.by_sequence + 1}")
            if disagree:
                parts[-1] += f" ({self.by_sequence} lost)"
        if self.by_recorder:
            parts.append(f"recorder counted {self.by_recorder} lost")
        if self.by_interval and self.period_ns:
            parts.append(f"interval {(self.end_ns - self.start_ns) / self.period_ns:.1f} × period")
            if disagree:
                parts[-1] += f" ({self.by_interval} lost)"
        elif counted and self.period_ns:
            periods = (self.end_ns - self.start_ns) / self.period_ns
            why = "none lost" if periods <= 1.5 else "made up for"
            parts.append(f"interval {periods:.1f} × period ({why})")
        if self.by_recorder == 0:
            parts.append("recorder counted none")
        if self.runs_on:
            parts.append("sequence runs on")
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
        by_recorder: int64[g], frames lost as the recorder counted; 0 where it counted none. None where it did
            not count at all.
        runs_on: bool[g], True where only the interval says so, though the counter, which jumps where other
            frames are lost, runs on; None: nowhere.
    """

    before: NDArray[np.intp]
    start_ns: NDArray[np.int64]
    end_ns: NDArray[np.int64]
    by_sequence: NDArray[np.int64]
    by_interval: NDArray[np.int64]
    leap: NDArray[np.int64]
    period_ns: int | None = None
    by_recorder: NDArray[np.int64] | None = None
    runs_on: NDArray[np.bool_] | None = None

    @classmethod
    def none(cls) -> Gaps:
        """A stream without any."""
        empty = np.empty(0, np.int64)
        return cls(np.empty(0, np.intp), empty, empty, empty, empty, empty)

    def counted_by_recorder(self) -> Gaps:
        """The same, of a stream whose recorder counts: it counted none of these."""
        return replace(self, by_recorder=np.zeros(len(self), np.int64))

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
            by_recorder=_joined_counts([p.by_recorder for p in pieces]),
            runs_on=np.concatenate([p._runs_on for p in pieces]),
        )

    def taken(self, at: NDArray[np.intp] | slice) -> Gaps:
        """Some of them, by index."""
        counted = self.by_recorder
        return Gaps(
            self.before[at],
            self.start_ns[at],
            self.end_ns[at],
            self.by_sequence[at],
            self.by_interval[at],
            self.leap[at],
            self.period_ns,
            None if counted is None else counted[at],
            None if self.runs_on is None else self.runs_on[at],
        )

    @property
    def _runs_on(self) -> NDArray[np.bool_]:
        return np.zeros(len(self), np.bool_) if self.runs_on is None else self.runs_on

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
            by_recorder=None if self.by_recorder is None else int(self.by_recorder[index]),
            runs_on=self.runs_on is not None and bool(self.runs_on[index]),
        )

    @cached_property
    def lost(self) -> NDArray[np.int64]:
        """int64[g], frames lost in each by the strongest evidence, at least 1."""
        weaker = self.by_interval
        if self.by_recorder is not None:
            weaker = np.where(self.by_recorder > 0, self.by_recorder, weaker)
        return np.where(self.by_sequence > 0, self.by_sequence, weaker)

    @cached_property
    def severe(self) -> NDArray[np.bool_]:
        """bool[g]: `Gap.is_severe` of each."""
        counted = self.by_sequence > 0
        if self.by_recorder is not None:
            counted |= self.by_recorder > 0
        return counted | (self.lost >= 2)

    @cached_property
    def lost_before(self) -> NDArray[np.int64]:
        """int64[g + 1]: frames lost in all gaps before each gap; the last entry is the sum."""
        return running(self.lost)

    @cached_property
    def severe_before(self) -> NDArray[np.int64]:
        """int64[g + 1]: how many gaps before each one are severe."""
        return running(self.severe.astype(np.int64))

    def follow(self, index: int) -> bool:
        """Whether one of them follows on a frame."""
        return self.following(index) is not None

    def following(self, index: int) -> int | None:
        """Index of the gap that follows on a frame."""
        at = int(self.before.searchsorted(index))
        return at if at < len(self) and int(self.before[at]) == index else None

    def at(self, time_ns: int) -> int | None:
        """Index of the gap that a time lies strictly inside of."""
        index = timing.index_before(self.start_ns, time_ns)
        return index if index is not None and time_ns < self.end_ns[index] else None

    def within(self, window: TimeWindow) -> slice:
        """Those that share an instant with a window."""
        first = timing.index_after(self.end_ns, window.start_ns)
        stop = timing.index_before(self.start_ns, window.stop_ns)
        return slice(len(self) if first is None else first, 0 if stop is None else stop + 1)


def running(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[n + 1]: sum of all values before each place."""
    total = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=total[1:])
    return total


def _joined_counts(parts: Sequence[NDArray[np.int64] | None]) -> NDArray[np.int64] | None:
    known = [part for part in parts if part is not None]
    return np.concatenate(known) if len(known) == len(parts) else None
