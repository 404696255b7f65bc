"""How many frames there are before evenly spaced times: counts of wide columns without touching the table.

A view of most of a long recording would fetch a cache line for every column edge and every step of its
search. The grid is small enough to stay in the cache, and between its times frames are taken to be spread
evenly: with hundreds of them in a column, one more or less cannot be seen. Gaps have stamps of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.window import TimeWindow

BINS = 1 << 16
SHORT = 50_000  # frames: such a table is quick enough
LEAST_FRAMES = 32  # in a column, on average
LEAST_BINS = 2  # that a column is wide
_LAST_NS = 2**63 - 1


@dataclass(frozen=True, slots=True, eq=False)
class CountGrid:
    """Of one stream.

    Args:
        start_ns: where the first bin begins.
        bin_ns: length of a bin.
        before: intp[BINS + 1], frames before the beginning of each bin, and before the end of the last one.
    """

    start_ns: int
    bin_ns: int
    before: NDArray[np.intp]

    @classmethod
    def of(cls, timestamps_ns: NDArray[np.int64], span: TimeWindow) -> CountGrid | None:
        """For a stream of a recording that spans so much; None where the table itself is quick enough."""
        bin_ns = max(1, -(-span.duration_ns // BINS))
        stop_ns = span.start_ns + bin_ns * BINS
        if len(timestamps_ns) < SHORT or stop_ns > _LAST_NS or span.start_ns < -_LAST_NS // 2:
            return None
        edges_ns = span.start_ns + bin_ns * np.arange(BINS + 1, dtype=np.int64)
        return cls(span.start_ns, bin_ns, timestamps_ns.searchsorted(edges_ns))

    def counts(self, edges_ns: NDArray[np.int64]) -> NDArray[np.intp] | None:
        """Frames in each column, give or take one or two; None where that would show.

        Args:
            edges_ns: int64[m + 1] of `TimeAxis.edges_ns`.
        """
        columns, first_ns, last_ns = len(edges_ns) - 1, int(edges_ns[0]), int(edges_ns[-1])
        wide = last_ns - first_ns >= LEAST_BINS * self.bin_ns * columns
        if not wide or first_ns < self.start_ns or last_ns > self.start_ns + self.bin_ns * BINS:
            return None
        place = (edges_ns - self.start_ns) / self.bin_ns
        low = np.minimum(place.astype(np.intp), BINS - 1)
        here = self.before.take(low)
        at = np.rint(here + (place - low) * (self.before.take(low + 1) - here)).astype(np.intp)
        return np.diff(at) if at[-1] - at[0] >= LEAST_FRAMES * columns else None
