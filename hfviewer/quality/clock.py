"""Clocks that were set, and single stamps far off: where in a stream times do not fit together.

A container sorts frames by time, and a clock that jumps tears that order apart. The counter still knows the
order of arrival: read in that order, a clock that was set back shows as one fall of the time, and a single
bad stamp (0, 1970, a flipped bit) as a frame whose neighbours follow on each other. Everything between such
places is looked at on its own (`ClockView.parts`), so that neither counts as lost frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hfviewer.quality.counter import NEIGHBOURS, WIDEST

_PAUSE_NS = 60_000_000_000  # nobody recorded anything for so long: the clock was set, or the recorder paused
_PAUSE_PERIODS = 100
_STEP_NS = 1_000_000_000  # shorter leaps ahead are looked upon as lost frames
_STEP_PERIODS = 20
_MOST_BREAKS = 256  # more than that is no clock that was set now and then
_MOST_STRAYS = 3  # frames in a row
_FEW_TWICE = 0.01
_INT64_MAX = 2**63 - 1


@dataclass(frozen=True, slots=True)
class ClockStep:
    """The clock was set between two frames that arrived one after the other.

    Args:
        before: index of the last frame before it, in the table sorted by time.
        after: index of the first one after it.
        size_ns: by how much the clock was set, forward or back: beyond the time that should have passed.
        missing: numbers that the counter left out there.
    """

    before: int
    after: int
    size_ns: int
    missing: int


@dataclass(frozen=True, eq=False)
class ClockView:
    """What a stream's clock did.

    Args:
        parts: intp arrays: indices of the frames between which the clock ran on, each ascending, in order of
            arrival; together they hold all frames but the strays.
        strays: intp[s], frames with a stamp far off their neighbours in order of arrival.
        expected_ns: int64[s], when each of the strays should have been, by its neighbours.
        steps: between the parts.
    """

    parts: tuple[NDArray[np.intp], ...]
    strays: NDArray[np.intp]
    expected_ns: NDArray[np.int64]
    steps: tuple[ClockStep, ...]


def look_at_clock(
    timestamps_ns: NDArray[np.int64],
    sequence: NDArray[np.int64],
    typical_ns: int | None,
    *,
    width: int = WIDEST,
    others: Sequence[NDArray[np.int64]] = (),
) -> ClockView | None:
    """Look for places where a stream's clock was set, and for single bad stamps.

    - Back by more than `NEIGHBOURS` periods against the order of arrival: the clock was set back.
    - Up to three frames whose neighbours follow on each other: their stamps are bad.
    - Ahead by a second and 20 periods or more, without a jump of the counter: the clock was set, where no
      other stream has a frame for more than a minute, or where the leap carries the stream beyond the end of
      all others. Otherwise the sensor was silent and its frames are lost.

    Args:
        timestamps_ns: int64[n], non-decreasing.
        sequence: int64[n], the sensor's counter or the order of arrival.
        typical_ns: typical interval.
        width: of the counter.
        others: tables of the recording's other streams.

    Returns:
        None where the clock ran on from the first frame to the last: the rule.
    """
    count = len(timestamps_ns)
    if not typical_ns or count < 3:
        return None
    leap_ns = min(max(_STEP_NS, _STEP_PERIODS * typical_ns), _INT64_MAX)
    order = _arrival(sequence, width)
    if order is None:
        ahead = np.flatnonzero(_differences(timestamps_ns) >= leap_ns)
        if len(ahead) == 0:
            return None
        order = np.arange(count)
    arrived_ns, numbers = timestamps_ns[order], sequence[order]
    # Differences as floats: exact enough for this, and nothing overflows.
    moved_ns = np.diff(arrived_ns.astype(np.float64))
    breaks = np.flatnonzero((moved_ns < -float(NEIGHBOURS) * typical_ns) | (moved_ns >= leap_ns))
    if len(breaks) > _MOST_BREAKS:
        return None
    runs = [range(a, b) for a, b in zip([0, *(breaks + 1)], [*(breaks + 1), count], strict=True)]
    runs, strays = _without_strays(runs, arrived_ns, numbers, typical_ns)
    parts, steps = _parted(runs, arrived_ns, numbers, typical_ns, others)
    if not steps and not strays:
        return None
    expected_ns = np.array(
        [_expected(at, strays, arrived_ns, numbers, typical_ns) for at in strays], np.int64
    )
    return ClockView(
        parts=tuple(np.sort(np.concatenate([order[r.start : r.stop] for r in part])) for part in parts),
        strays=order[strays] if strays else np.empty(0, np.intp),
        expected_ns=expected_ns,
        steps=tuple(
            ClockStep(int(order[before]), int(order[after]), size_ns, missing)
            for before, after, size_ns, missing in steps
        ),
    )


def _arrival(sequence: NDArray[np.int64], width: int) -> NDArray[np.intp] | None:
    """Frames in order of arrival; None where the order of time is that order, or the counter cannot tell."""
    falls = np.diff(sequence) < -NEIGHBOURS
    if width != WIDEST or not falls.any():
        return None
    order = np.argsort(sequence, kind="stable")
    numbers = sequence[order]
    twice = int(np.count_nonzero(numbers[1:] == numbers[:-1]))
    # A counter that was started anew has numbers twice.
    if twice > _FEW_TWICE * len(numbers) or int(numbers[-1]) - int(numbers[0]) >= WIDEST // 2:
        return None
    return order


def _without_strays(
    runs: list[range], arrived_ns: NDArray[np.int64], numbers: NDArray[np.int64], typical_ns: int
) -> tuple[list[range], list[int]]:
    """Runs but those of a few frames whose neighbours follow on each other; and those frames."""
    kept: list[range] = []
    strays: list[int] = []
    for place, run in enumerate(runs):
        if len(run) <= _MOST_STRAYS and len(runs) > 1:
            before = kept[-1][-1] if kept else None
            after = runs[place + 1][0] if place + 1 < len(runs) else None
            if before is None or after is None:
                bad = _far_off(run, runs, arrived_ns)
            else:
                bad = _follows(before, after, arrived_ns, numbers, typical_ns)
            if bad and len(arrived_ns) > 10 * len(run):
                strays.extend(run)
                continue
        kept.append(run)
    return kept, strays


def _far_off(run: range, runs: list[range], arrived_ns: NDArray[np.int64]) -> bool:
    """Whether the first or last frames to arrive do not belong to the others.

    They do not where the time falls between, or where more than a minute and more than the length of the
    longest run lies between. A sensor may well deliver one frame and be silent for a while.
    """
    longest = max(runs, key=len)
    first_ns, last_ns = int(arrived_ns[longest[0]]), int(arrived_ns[longest[-1]])
    if run.start < longest.start:
        passed_ns = first_ns - int(arrived_ns[run[-1]])
    else:
        passed_ns = int(arrived_ns[run.start]) - last_ns
    return passed_ns < 0 or passed_ns > max(_PAUSE_NS, last_ns - first_ns)


def _follows(
    before: int,
    after: int,
    arrived_ns: NDArray[np.int64],
    numbers: NDArray[np.int64],
    typical_ns: int,
) -> bool:
    passed_ns = int(arrived_ns[after]) - int(arrived_ns[before])
    frames = max(1, int(numbers[after]) - int(numbers[before]))
    return 0 < passed_ns <= 2 * frames * typical_ns + _STEP_NS // 10


def _parted(
    runs: list[range],
    arrived_ns: NDArray[np.int64],
    numbers: NDArray[np.int64],
    typical_ns: int,
    others: Sequence[NDArray[np.int64]],
) -> tuple[list[list[range]], list[tuple[int, int, int, int]]]:
    """Runs joined again where frames are missing between them, parted where the clock was set."""
    parts = [[runs[0]]]
    steps: list[tuple[int, int, int, int]] = []
    end_ns = max(int(arrived_ns[run[-1]]) for run in runs)
    for earlier, later in pairwise(runs):
        before, after = earlier[-1], later[0]
        start_ns, stop_ns = int(arrived_ns[before]), int(arrived_ns[after])
        frames = int(numbers[after]) - int(numbers[before])
        size_ns = stop_ns - start_ns - max(1, frames) * typical_ns
        back = size_ns < -NEIGHBOURS * typical_ns
        if back or _was_set(start_ns, stop_ns, frames, typical_ns, end_ns, others):
            steps.append((before, after, size_ns, max(0, frames - 1)))
            parts.append([later])
        else:
            parts[-1].append(later)
    return parts, steps


def _was_set(
    start_ns: int,
    stop_ns: int,
    frames: int,
    typical_ns: int,
    end_ns: int,
    others: Sequence[NDArray[np.int64]],
) -> bool:
    """Whether a leap ahead is the clock's and not a silence of the sensor.

    Args:
        start_ns: stamp before it.
        stop_ns: stamp after it.
        frames: by how many the counter moved.
        typical_ns: typical interval.
        end_ns: last stamp of the stream.
        others: tables of the other streams.
    """
    leap_ns = stop_ns - start_ns
    if frames > 1 and 2 * frames * typical_ns > leap_ns:
        return False  # the counter moved on with the time: frames were lost
    if leap_ns < max(_STEP_NS, _STEP_PERIODS * typical_ns):
        return False
    tables = [table_ns for table_ns in others if len(table_ns) > 1]
    if tables and max(int(table_ns[-1]) for table_ns in tables) < end_ns - leap_ns // 2:
        return True
    silent = all(_is_silent(table_ns, start_ns, stop_ns) for table_ns in tables)
    return silent and leap_ns >= max(_PAUSE_NS, _PAUSE_PERIODS * typical_ns)


def _is_silent(table_ns: NDArray[np.int64], start_ns: int, stop_ns: int) -> bool:
    """Whether a stream has nothing inside a span but at its edges."""
    edge_ns = max((stop_ns - start_ns) // 20, _STEP_NS)
    first, stop = table_ns.searchsorted(np.array([start_ns + edge_ns, stop_ns - edge_ns], np.int64))
    return bool(first >= stop)


def _expected(
    at: int, strays: list[int], arrived_ns: NDArray[np.int64], numbers: NDArray[np.int64], typical_ns: int
) -> int:
    """When a stray should have been, from the nearest good frame that arrived before it, else after it."""
    bad = set(strays)
    near = next((i for i in range(at - 1, -1, -1) if i not in bad), None)
    if near is None:
        near = next(i for i in range(at + 1, len(arrived_ns)) if i not in bad)
    expected_ns = int(arrived_ns[near]) + (int(numbers[at]) - int(numbers[near])) * typical_ns
    return max(-_INT64_MAX - 1, min(expected_ns, _INT64_MAX))


def _differences(timestamps_ns: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Unsigned: the difference of any two int64 fits."""
    return np.diff(timestamps_ns).view(np.uint64)
