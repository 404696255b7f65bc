"""Which rows of a table belong to which camera.

The contract says one row a tick. Real recorders write one row *per RGB slot* per tick, interleaved, without
saying which is whose; `frame_index` counts per slot and so repeats (formats/pooled.md, 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

_MOST_ORDERS = 24


@dataclass(frozen=True, eq=False)
class Slots:
    """Rows of each slot.

    Args:
        rows: by slot, row numbers in the order of the table.
        ticks: int64[n]: which tick of the recorder's loop wrote each row; rows of one tick carry the same
            snapshot of every other sensor.
        shared: True where all slots share every row.
        certain: False where the rows fit the videos in no way, or a guess was needed.
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
    imu_counts: NDArray[np.int64] | None,
) -> Slots:
    """Tell the slots' rows apart.

    Args:
        frame_index: int64[n], the column.
        keys: RGB slots in the order in which a tick writes them.
        frame_counts: frames in each slot's video; None where that is not known.
        hardware_ns: int64[n], 0 unknown: rows of one tick of a stereo pair carry the same.
        imu_counts: int64[n], IMU samples in each row: those are only ever on rows of ``stereo_left``.
    """
    count = len(frame_index)
    everything = np.arange(count)
    repeats = count > 1 and bool((np.diff(frame_index) <= 0).any())
    if len(keys) <= 1 or not repeats:
        return Slots(dict.fromkeys(keys, everything), everything, len(keys) > 1, True, "one row a tick")
    wanted = [frame_counts.get(key) for key in keys]
    best: tuple[int, NDArray[np.intp], list[str]] | None = None
    orders = [list(keys), *(list(order) for order in permutations(keys))][: _MOST_ORDERS + 1]
    for order in orders:
        owners, odd = _walk(frame_index, order, hardware_ns, imu_counts)
        found = [int((owners == order.index(key)).sum()) for key in keys]
        wrong = odd + sum(abs(a - b) for a, b in zip(found, wanted, strict=True) if b is not None)
        if best is None or wrong < best[0]:
            best = (wrong, owners, order)
        if wrong == 0:
            break
    assert best is not None
    wrong, owners, order = best
    rows = {key: np.flatnonzero(owners == order.index(key)) for key in keys}
    words = "rows of several cameras are mixed in the table; which are whose follows from frame_index"
    if wrong:
        words = "rows of several cameras are mixed in the table and do not fit the videos: whose is a guess"
    new_tick = np.concatenate([np.zeros(1, bool), owners[1:] <= owners[:-1]])
    return Slots(rows, np.cumsum(new_tick), False, wrong == 0, words)


def _walk(
    frame_index: NDArray[np.int64],
    order: Sequence[str],
    hardware_ns: NDArray[np.int64],
    imu_counts: NDArray[np.int64] | None,
) -> tuple[NDArray[np.intp], int]:
    """Owner of each row (place in `order`, -1 for none), and how many rows fitted nowhere.

    Every slot counts its own frames from 0, so a row can only belong to a slot whose next frame it is.
    """
    left = order.index("stereo_left") if "stereo_left" in order else -1
    following = [0] * len(order)
    owners = np.full(len(frame_index), -1, np.intp)
    previous, previous_ns, odd = len(order), 0, 0
    has_imu = np.zeros(len(frame_index), bool) if imu_counts is None else imu_counts > 0
    stamps = zip(frame_index.tolist(), hardware_ns.tolist(), has_imu.tolist(), strict=True)
    for row, (index, stamp_ns, imu) in enumerate(stamps):
        fits = [slot for slot, number in enumerate(following) if number == index]
        if imu and left in fits:
            fits = [left]
        elif stamp_ns and stamp_ns == previous_ns:
            fits = [slot for slot in fits if slot > previous] or fits
        if not fits:
            odd += 1
            continue
        # Of equal counts: the next one of this tick, else the first of a new tick.
        slot = next((s for s in fits if s > previous), fits[0])
        owners[row], previous, previous_ns = slot, slot, stamp_ns
        following[slot] += 1
    return owners, odd
