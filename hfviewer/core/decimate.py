"""Draw no more than the screen can show: minimum and maximum of a signal per pixel column.

A pyramid holds, for blocks of 16, 64, 256 … samples, the lowest and the highest value of each block. A view
of any span then reads at most 32 of them per pixel column, whatever the length of the recording.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BASE_BLOCK = 16
FACTOR = 4


@dataclass(frozen=True, eq=False)
class _Level:
    block: int
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class MinMaxPyramid:
    """Lowest and highest value of one channel over any run of samples.

    Args:
        values: float64[n]; NaN is "no value" and never hides its neighbours.
    """

    def __init__(self, values: NDArray[np.float64]) -> None:
        self._values = values
        self._levels: list[_Level] = []
        block, low, high = BASE_BLOCK, values, values
        step = BASE_BLOCK
        while len(low) > step:
            low, high = _reduce(low, step, np.fmin), _reduce(high, step, np.fmax)
            self._levels.append(_Level(block, low, high))
            block, step = block * FACTOR, FACTOR

    def __len__(self) -> int:
        return len(self._values)

    def columns(self, edges: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lowest and highest value between neighbouring edges.

        Args:
            edges: sample indices, non-decreasing, m + 1 of them in ``[0, n]``; column j covers
                ``edges[j] <= i < edges[j + 1]``.

        Returns:
            Two float64[m]; NaN for a column without samples. A column of 32 samples or more may take in the
            rest of the blocks that its two edges cut, fewer samples than it holds itself; one of fewer is
            exact. Nothing is ever missed.
        """
        widths = np.diff(edges)
        out_low = np.full(len(widths), np.nan)
        out_high = np.full(len(widths), np.nan)
        chosen = np.searchsorted([2 * level.block for level in self._levels], widths, side="right")
        chosen[widths <= 0] = -1
        for number, level in enumerate([_Level(1, self._values, self._values), *self._levels]):
            columns = np.flatnonzero(chosen == number)
            if len(columns):
                first = edges[columns] // level.block
                stop = -(-edges[columns + 1] // level.block)
                out_low[columns] = _reduce_runs(level.low, first, stop, np.fmin)
                out_high[columns] = _reduce_runs(level.high, first, stop, np.fmax)
        return out_low, out_high


def _reduce(values: NDArray[np.float64], step: int, ufunc: np.ufunc) -> NDArray[np.float64]:
    return np.asarray(ufunc.reduceat(values, np.arange(0, len(values), step)), np.float64)


def _reduce_runs(
    values: NDArray[np.float64], first: NDArray[np.intp], stop: NDArray[np.intp], ufunc: np.ufunc
) -> NDArray[np.float64]:
    """Reduce values[first[j]:stop[j]] for every j: runs of 1 to 32 entries, the most a level has to give."""
    longest = int((stop - first).max())
    entries = np.minimum(first[:, None] + np.arange(longest), stop[:, None] - 1)
    return np.asarray(ufunc.reduce(values[entries], axis=1), np.float64)
