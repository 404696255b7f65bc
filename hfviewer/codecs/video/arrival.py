"""In which order access units were written, which is the order in which they must be decoded.

A container's entries are sorted by timestamp, the time of display; a counter keeps the order of arrival.
Where there are B frames the two differ by a few places. Counters start again, go round (modulo 256), jump; a
unit is stamped late. What follows from that here is a good guess, and what remains open is said; what the
heads of the units say about it (`reference_chain`) has the last word.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_FARTHEST = 64  # places by which reordering can move a unit; decoders hold 16
_SMALLEST_MODULUS = 4 * _FARTHEST
_LOOK_AHEAD = 4  # units that decide whether a jump is where a counter starts again
_REMEMBERED = 32  # units for which the count before a jump may still go on
_SOON = 4  # places after a key frame; a unit stamped late is seldom so near to one
_HOLE_REACH = 16  # units on either side in which a number that is missing is looked for
_GAP_REACH = 8  # places from a gap in time to the units that reordering puts next to it
_UNTOLD = 1 << 32  # so many units may be missing where nothing tells how many are
_FEW = 8  # one in so many may contradict the rest


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """The order of arrival.

    Args:
        order: intp[n], entries in the order in which they are decoded.
        lost: int64[n], how many units are missing right before each of them, in the same order.
        strays: bool[n], of the entries: timestamp and counter contradict each other, so that the unit's place
            is not known.
        is_known: False where the counter says nothing, and the order of time stands in for it.
    """

    order: NDArray[np.intp]
    lost: NDArray[np.int64]
    strays: NDArray[np.bool_]
    is_known: bool


def arrival_of(sequence: NDArray[np.int64], timestamps_ns: NDArray[np.int64]) -> Arrival:
    """The order in which units arrived.

    Args:
        sequence: int64[n], of the entries, in the order of their timestamps.
        timestamps_ns: int64[n], sorted.
    """
    count = len(sequence)
    places = np.arange(count)
    order = np.argsort(sequence, kind="stable")
    steps = np.diff(sequence[order])
    jumps = np.any(np.abs(np.diff(sequence)) > _FARTHEST)
    if np.all(steps > 0) and not jumps and not np.any(np.abs(order - places) > _FARTHEST):
        missing = np.append(np.zeros(min(1, count), np.int64), steps - 1)
        return Arrival(order, _lost(missing, order, timestamps_ns), np.zeros(count, bool), is_known=True)
    counts = _Counts(sequence)
    if max(counts.runs, counts.contradictions) * _FEW > count:
        nowhere = np.zeros(count, bool)
        return Arrival(places, _missing_in_time(timestamps_ns), nowhere, is_known=False)
    counts.settle_strays()
    order = np.lexsort((places, counts.values, counts.run_of))
    return Arrival(order, _lost(counts.missing(order), order, timestamps_ns), counts.strays, is_known=True)


def _modulus_of(sequence: NDArray[np.int64]) -> int:
    """What a counter goes round in, if it does: a power of two of which it uses both ends; else 0."""
    if not len(sequence):
        return 0
    modulus = 1 << max(0, int(sequence.max())).bit_length()
    uses_ends = int(sequence.max()) >= modulus - _FARTHEST and 0 <= int(sequence.min()) < _FARTHEST
    return modulus if modulus >= _SMALLEST_MODULUS and uses_ends else 0


def before_their_key(order: NDArray[np.intp], is_key: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Units that arrived before a key frame and are shown soon after it, which no encoder does.

    Args:
        order: intp[n], entries in the order of arrival.
        is_key: bool[n], of the entries.

    Returns:
        bool[n], of the entries. One shown much later was stamped late, and is where it belongs.
    """
    count = len(order)
    key_places = np.where(is_key[order], order, count)
    next_key = np.append(np.minimum.accumulate(key_places[::-1])[::-1][1:], np.full(min(1, count), count))
    found = np.zeros(count, bool)
    found[order] = (order > next_key) & (order <= next_key + _SOON)
    return found


class _Counts:
    """A counter followed through the entries: which run of it each belongs to, and its place in that run.

    Args:
        sequence: int64[n], in the order of time.
    """

    def __init__(self, sequence: NDArray[np.int64]) -> None:
        self._numbers = [int(number) for number in sequence]
        self._modulus = _modulus_of(sequence)
        self.run_of = np.zeros(len(sequence), np.intp)
        self.values = np.zeros(len(sequence), np.int64)
        self.strays = np.zeros(len(sequence), bool)
        self.runs = 0
        self._follow()

    def _follow(self) -> None:
        run, value, changed = 0, self._numbers[0], 0
        before: int | None = None  # where the run before stood
        for place, number in enumerate(self._numbers):
            step = self._step(value, number)
            if abs(step) <= _FARTHEST:
                value += step
                self.run_of[place], self.values[place] = run, value
                continue
            if before is not None and place - changed <= _REMEMBERED:
                step = self._step(before, number)
                if abs(step) <= _FARTHEST:
                    before += step
                    self.run_of[place], self.values[place] = run - 1, before
                    continue
            self.run_of[place], self.values[place] = run, value
            if self._goes_on_from(place):
                run, before, value, changed = run + 1, value, number, place
                self.run_of[place], self.values[place] = run, value
            else:
                self.strays[place] = True
        self.runs = run + 1

    @property
    def contradictions(self) -> int:
        """Units that the counter puts nowhere, or where it puts others too."""
        placed = np.stack([self.run_of[~self.strays], self.values[~self.strays]])
        return len(self.strays) - len(np.unique(placed, axis=1).T)

    def missing(self, order: NDArray[np.intp]) -> NDArray[np.int64]:
        """How many numbers are left out before each, in the order of arrival; untold where a run begins."""
        missing: NDArray[np.int64] = np.diff(self.values[order], prepend=self.values[order[:1]]) - 1
        missing[1:][np.diff(self.run_of[order]) != 0] = _UNTOLD
        missing[missing < 0] = 0
        return missing

    def _step(self, value: int, number: int) -> int:
        """How far a number is from a value; the nearest way round."""
        if not self._modulus:
            return number - value
        half = self._modulus // 2
        return (number - value + half) % self._modulus - half

    def _goes_on_from(self, place: int) -> bool:
        """Whether the units after a jump count on from there."""
        following: list[int] = self._numbers[place + 1 : place + 1 + _LOOK_AHEAD]
        near = sum(abs(self._step(self._numbers[place], number)) <= _FARTHEST for number in following)
        return near >= min(2, len(following))

    def settle_strays(self) -> None:
        """Give strays a place where everything speaks for it: either the counter or the timestamp is off."""
        if not self.strays.any():
            return
        settled = ~self.strays
        taken = set(zip(self.run_of[settled].tolist(), self.values[settled].tolist(), strict=True))
        for place in np.flatnonzero(self.strays):
            run = int(self.run_of[place])
            fitting = self._fitting(run, int(self.values[place]), self._numbers[place], taken)
            hole = self._hole(int(place), run, taken)
            if (fitting is None) == (hole is None):
                continue
            value = hole if fitting is None else fitting
            assert value is not None
            self.values[place] = value
            self.strays[place] = False
            taken.add((run, int(self.values[place])))

    def _fitting(self, run: int, value: int, number: int, taken: set[tuple[int, int]]) -> int | None:
        """The value that a stray's own number would be, if the counter left out exactly that one."""
        found = value + self._step(value, number)
        if (run, found) in taken or (run, found - 1) not in taken or (run, found + 1) not in taken:
            return None
        return found

    def _hole(self, place: int, run: int, taken: set[tuple[int, int]]) -> int | None:
        """The one value that is missing among the units around a place."""
        first, stop = max(0, place - _HOLE_REACH), place + _HOLE_REACH + 1
        around = (self.run_of[first:stop] == run) & ~self.strays[first:stop]
        values = self.values[first:stop][around]
        if not len(values) or np.ptp(values) > 4 * _HOLE_REACH:
            return None
        free = [value for value in range(int(values.min()), int(values.max())) if (run, value) not in taken]
        return free[0] if len(free) == 1 else None


def _lost(
    missing: NDArray[np.int64], order: NDArray[np.intp], timestamps_ns: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How many units are missing before each, in the order of arrival.

    A number that is left out is a lost unit only where there is a gap in time as well.
    """
    return np.where(_missing_in_time(timestamps_ns)[order] > 0, missing, 0) if np.any(missing) else missing


def _missing_in_time(timestamps_ns: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[n]: how many units the largest gap in time near each would hold."""
    near = np.zeros(len(timestamps_ns), np.int64)
    steps_ns = np.diff(timestamps_ns)
    usual_ns = int(np.median(steps_ns)) if len(steps_ns) else 0
    if usual_ns <= 0:
        return near
    for place in np.flatnonzero(2 * steps_ns > 3 * usual_ns):
        units = min(_UNTOLD, int(steps_ns[place] + usual_ns // 2) // usual_ns - 1)
        around = near[max(0, place - _GAP_REACH) : place + 2 + _GAP_REACH]
        np.maximum(around, units, out=around)
    return near
