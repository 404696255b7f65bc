"""Which rows of a table belong to which camera.

The contract says one row a tick. Real recorders write one row *per RGB slot* per tick, interleaved, without
saying which is whose; `frame_index` counts per slot and so repeats (formats/pooled.md, 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NO_CAMERA = "rows"
"""The slot that all rows belong to where an episode has no camera."""
_MOST_ROWS = 2_000_000
_MOST_WAYS = 64
_NEW_TICK, _CONTRADICTION = 1, 3
_FOUND = "rows of several cameras are mixed in the table; which are whose follows from frame_index"
_SAME_TICK_SHARE = 0.3  # of a tick: rows written closer than that were written in one


@dataclass(frozen=True, eq=False)
class Slots:
    """Rows of each slot.

    Args:
        rows: by slot, row numbers in the order of the table.
        ticks: int64[n]: which tick of the recorder's loop wrote each row; rows of one tick carry the same
            snapshot of every other sensor.
        shared: True where all slots share every row.
        certain: False where the rows fit the videos in no way, or in several equally well.
        words: how it was found out, for a person.
    """

    rows: Mapping[str, NDArray[np.intp]]
    ticks: NDArray[np.int64]
    shared: bool
    certain: bool
    words: str


def split_rows(
    frame_index: NDArray[np.int64],
    keys: Sequence[str],
    *,
    frame_counts: Mapping[str, int | None],
    hardware_ns: NDArray[np.int64],
    wall_ns: NDArray[np.int64],
    imu_counts: NDArray[np.int64] | None,
) -> Slots:
    """Tell the slots' rows apart.

    Args:
        frame_index: int64[n], the column.
        keys: RGB slots in the order in which a tick writes them.
        frame_counts: frames in each slot's video; None where that is not known.
        hardware_ns: int64[n], 0 unknown: rows of one tick of a stereo pair carry the same.
        wall_ns: int64[n]: rows of one tick are written at about the same time.
        imu_counts: int64[n], IMU samples in each row: those are only ever on rows of ``stereo_left``.
    """
    count = len(frame_index)
    everything = np.arange(count)
    repeats = count > 1 and bool((np.diff(frame_index) <= 0).any())
    if len(keys) <= 1 or not repeats:
        return Slots(dict.fromkeys(keys, everything), everything, len(keys) > 1, True, "one row a tick")
    if count > _MOST_ROWS:
        return Slots(dict.fromkeys(keys, everything), everything, True, False, "too many rows to tell apart")
    left = keys.index("stereo_left") if "stereo_left" in keys else -1
    is_left = np.zeros(count, bool) if imu_counts is None or left < 0 else imu_counts > 0
    walk = _Walk(len(keys), left, is_left, _hints(frame_index, hardware_ns, wall_ns))
    owners, ways, odd = walk.run(frame_index.tolist(), [frame_counts.get(key) for key in keys])
    found = [int((owners == slot).sum()) for slot in range(len(keys))]
    fits = all(frame_counts.get(key) in (None, n) for key, n in zip(keys, found, strict=True)) and not odd
    words = _FOUND
    if not fits:
        words = "rows of several cameras are mixed in the table and do not fit the videos: whose is a guess"
    elif ways > 1 or (not any(walk.hints) and len(set(found)) > 1):
        words = "rows of several cameras are mixed in the table, and whose some are is a guess"
    new_tick = np.concatenate([np.zeros(1, bool), owners[1:] <= owners[:-1]])
    rows = {key: np.flatnonzero(owners == slot) for slot, key in enumerate(keys)}
    return Slots(rows, np.cumsum(new_tick), False, words == _FOUND, words)


def _hints(
    frame_index: NDArray[np.int64], hardware_ns: NDArray[np.int64], wall_ns: NDArray[np.int64]
) -> list[int]:
    """Of each row, whether it was written in the tick of the row before: 1 yes, -1 no, 0 not known."""
    hints = np.zeros(len(frame_index), np.int8)
    ticks = int(frame_index.max()) + 1
    period_ns = (int(wall_ns.max()) - int(wall_ns.min())) // max(1, ticks)
    steps = np.diff(wall_ns)
    if period_ns > 0 and (steps > 0).all():
        hints[1:] = np.where(steps < _SAME_TICK_SHARE * period_ns, 1, -1)
    same = (np.diff(hardware_ns) == 0) & (hardware_ns[1:] != 0)
    hints[1:][same] = 1
    return [int(hint) for hint in hints]


_State = tuple[tuple[int, ...], int]  # the next frame of each slot, and whose the last row was


class _Walk:
    """Finds the owners of rows that make the fewest ticks and contradict the fewest hints.

    Every slot counts its own frames from 0, so a row can only belong to a slot whose next frame it is. Where
    several fit, all ways are followed; most meet again a few rows on.
    """

    def __init__(self, slots: int, left: int, is_left: NDArray[np.bool_], hints: list[int]) -> None:
        self._slots, self._left = slots, left
        self._is_left, self.hints = is_left.tolist(), hints

    def run(self, frame_index: list[int], wanted: list[int | None]) -> tuple[NDArray[np.intp], int, int]:
        """Owner of each row (-1: none), how many ways were equally good, and how many rows fitted nowhere."""
        ways: dict[_State, tuple[int, int]] = {((0,) * self._slots, self._slots): (0, 1)}
        steps: list[dict[_State, tuple[_State, int]]] = []
        odd = 0
        for row, index in enumerate(frame_index):
            after, came_from = self._step(row, index, ways)
            if not after:
                odd += 1
                after, came_from = ways, {state: (state, -1) for state in ways}
            if len(after) > _MOST_WAYS:
                best = sorted(after, key=lambda state: after[state][0])[:_MOST_WAYS]
                after = {state: after[state] for state in best}
            ways = after
            steps.append(came_from)

        def badness(state: _State) -> tuple[int, int]:
            off = sum(abs(n - w) for n, w in zip(state[0], wanted, strict=True) if w is not None)
            return off, ways[state][0]

        state = min(ways, key=badness)
        equally_good = sum(ways[s][1] for s in ways if badness(s) == badness(state))
        owners = np.full(len(frame_index), -1, np.intp)
        for row in range(len(frame_index) - 1, -1, -1):
            state, owners[row] = steps[row][state]
        return owners, equally_good, odd

    def _step(
        self, row: int, index: int, ways: Mapping[_State, tuple[int, int]]
    ) -> tuple[dict[_State, tuple[int, int]], dict[_State, tuple[_State, int]]]:
        after: dict[_State, tuple[int, int]] = {}
        came_from: dict[_State, tuple[_State, int]] = {}
        hint = self.hints[row]
        for state, (cost, paths) in ways.items():
            following, previous = state
            fits = [slot for slot, number in enumerate(following) if number == index]
            if self._is_left[row]:
                fits = [slot for slot in fits if slot == self._left] or fits
            for slot in fits:
                is_new = slot <= previous
                total = cost + _NEW_TICK * is_new
                total += _CONTRADICTION * ((is_new and hint > 0) or (not is_new and hint < 0))
                reached = (*following[:slot], index + 1, *following[slot + 1 :]), slot
                known = after.get(reached)
                if known is None or total < known[0]:
                    after[reached], came_from[reached] = (total, paths), (state, slot)
                elif total == known[0]:
                    after[reached] = (total, known[1] + paths)
        return after, came_from
