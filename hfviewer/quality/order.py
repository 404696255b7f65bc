"""Timestamps that several frames share, and frames that arrived after later ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hfviewer.quality.counter import NEIGHBOURS, WIDEST, counter_steps


@dataclass(frozen=True, eq=False)
class Disorder:
    """What is wrong with the order of a stream's frames.

    Args:
        doubled_ns: int64[d], timestamps that several frames share, ascending.
        doubled_counts: int64[d], how many share each, at least 2.
        late: intp[r], indices of frames that arrived after a frame with a later stamp, ascending.
        late_ns: int64[r], their timestamps.
    """

    doubled_ns: NDArray[np.int64]
    doubled_counts: NDArray[np.int64]
    late: NDArray[np.intp]
    late_ns: NDArray[np.int64]

    @classmethod
    def none(cls) -> Disorder:
        """A stream in perfect order."""
        empty = np.empty(0, np.int64)
        return cls(empty, empty, np.empty(0, np.intp), empty)

    @classmethod
    def joined(cls, pieces: Sequence[Disorder]) -> Disorder:
        """The disorder of consecutive parts of one stream, each of which looked at the frame after it too."""
        if not pieces:
            return cls.none()
        doubled_ns = np.concatenate([p.doubled_ns for p in pieces])
        counts = np.concatenate([p.doubled_counts for p in pieces])
        # A stamp shared across the border of two parts was counted once in each.
        first = np.flatnonzero(np.concatenate([[True], doubled_ns[1:] != doubled_ns[:-1]])[: len(doubled_ns)])
        if len(first):
            merged = np.add.reduceat(counts, first)
            merged -= np.diff(first, append=len(counts)) - 1
            doubled_ns, counts = doubled_ns[first], merged
        late = np.concatenate([p.late for p in pieces])
        return cls(doubled_ns, counts, late, np.concatenate([p.late_ns for p in pieces]))

    def at(self, part: NDArray[np.intp]) -> Disorder:
        """The same, of a part of a stream, with the indices that its frames have in the whole."""
        return replace(self, late=part[self.late])

    @classmethod
    def merged(cls, parts: Sequence[Disorder]) -> Disorder:
        """The disorder of parts of one stream that may overlap in time."""
        doubled_ns = np.concatenate([p.doubled_ns for p in parts])
        late = np.concatenate([p.late for p in parts])
        by_time, by_index = np.argsort(doubled_ns, kind="stable"), np.argsort(late, kind="stable")
        return cls(
            doubled_ns[by_time],
            np.concatenate([p.doubled_counts for p in parts])[by_time],
            late[by_index],
            np.concatenate([p.late_ns for p in parts])[by_index],
        )

    @property
    def repeats(self) -> int:
        """Frames whose stamp repeats that of the frame before: a stamp that three frames bear counts 2."""
        return int(self.doubled_counts.sum()) - len(self.doubled_counts)


def find_disorder(
    timestamps_ns: NDArray[np.int64],
    sequence: NDArray[np.int64] | None,
    typical_ns: int | None,
    *,
    regular: bool = True,
    among: range | None = None,
    width: int = WIDEST,
) -> Disorder:
    """Look through a stream, or through some consecutive frames of it.

    Args:
        timestamps_ns: int64[n], non-decreasing.
        sequence: int64[n], the sensor's counter or the order of arrival; None where neither is known.
        typical_ns: typical interval, by which leaps of the counter are judged.
        regular: False where frames arrive irregularly.
        among: indices of the frames to look at; None for all.
        width: of the counter, see `counter_width`.
    """
    first, stop = 0, len(timestamps_ns) - 1
    if among is not None:
        first, stop = max(first, among.start), min(stop, among.stop)
    if first >= stop:
        return Disorder.none()
    here_ns = timestamps_ns[first : stop + 1]
    doubled_ns, counts = np.unique(here_ns[:-1][here_ns[1:] == here_ns[:-1]], return_counts=True)
    late = np.empty(0, np.intp)
    if sequence is not None:
        start, end = max(0, first - NEIGHBOURS), stop + NEIGHBOURS + 1
        around_ns = timestamps_ns[start:end]
        steps, _ = counter_steps(sequence[start:end], around_ns, typical_ns, regular=regular, width=width)
        late = start + _late(steps, around_ns)
        late = late[(late >= first) & (late < stop)]
    return Disorder(doubled_ns, counts.astype(np.int64) + 1, late, timestamps_ns[late])


def _late(steps: NDArray[np.int64], timestamps_ns: NDArray[np.int64]) -> NDArray[np.intp]:
    """Frames that one of the next few, with a later stamp, has a lower number than."""
    falls = np.flatnonzero(steps < 0)
    if len(falls) == 0:
        return np.empty(0, np.intp)
    numbers = np.concatenate([[0], np.cumsum(steps)])
    may_be = np.zeros(len(numbers), np.bool_)
    for offset in range(NEIGHBOURS):
        may_be[np.maximum(falls - offset, 0)] = True
    candidates = np.flatnonzero(may_be)
    late = np.zeros(len(candidates), np.bool_)
    for offset in range(1, NEIGHBOURS + 1):
        later = np.minimum(candidates + offset, len(numbers) - 1)
        late |= (numbers[later] < numbers[candidates]) & (timestamps_ns[later] > timestamps_ns[candidates])
    return candidates[late]
