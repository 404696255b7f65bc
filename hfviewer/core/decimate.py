"""Draw no more than the screen can show: minimum and maximum of a signal per pixel column.

A pyramid holds, for blocks of 16, 64, 256 … samples, the lowest and the highest value of each block. A view of
any span then reads at most a few blocks per pixel column, whatever the length of the recording.
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
            Two float64[m]; NaN for a column without samples. A column may take in samples of the block that
            its edge cuts, fewer than the column itself holds: nothing is ever missed.
        """
        widths = np.diff(edges)
        widest = int(widths.max(initial=0))
        low, high, block = self._values, self._values, 1
        for level in self._levels:
            if level.block * 2 > max(1, widest):
                break
            low, high, block = level.low, level.high, level.block
        first = edges[:-1] // block
        stop = -(-edges[1:] // block)
        filled = widths > 0
        out_low = np.full(len(widths), np.nan)
        out_high = np.full(len(widths), np.nan)
        if filled.any():
            out_low[filled] = _reduce_runs(low, first[filled], stop[filled], np.fmin)
            out_high[filled] = _reduce_runs(high, first[filled], stop[filled], np.fmax)
        return out_low, out_high


def _reduce(values: NDArray[np.float64], step: int, ufunc: np.ufunc) -> NDArray[np.float64]:
    return np.asarray(ufunc.reduceat(values, np.arange(0, len(values), step)), np.float64)


def _reduce_runs(
    values: NDArray[np.float64], first: NDArray[np.intp], stop: NDArray[np.intp], ufunc: np.ufunc
) -> NDArray[np.float64]:
    """Reduce values[first[j]:stop[j]] for every j; runs are not empty and may overlap by one."""
    padded = np.append(values, np.nan)
    pairs = np.stack([first, stop], axis=1).reshape(-1)
    return np.asarray(ufunc.reduceat(padded, pairs)[::2], np.float64)
