"""How long a hyperframe window of a converted recording is, where nobody says."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing

DEFAULT_WINDOW_NS = 100_000_000
SLOWEST_PERIOD_NS = 4_000_000_000
_ROUND_MS = (
    1,
    2,
    5,
    10,
    20,
    25,
    40,
    50,
    100,
    125,
    150,
    200,
    250,
    400,
    500,
    1000,
    1500,
    2000,
    2500,
    4000,
    5000,
)


def window_ns_for(tables_ns: Iterable[NDArray[np.int64]]) -> int:
    """One to two periods of the slowest regular stream, a round number of milliseconds where one lies there.

    Every window then holds a frame of each regular stream (the source's rule). Streams slower than one frame
    in `SLOWEST_PERIOD_NS` count only where there is nothing faster: one status line a minute must not make
    windows of gigabytes. Without any regular stream: `DEFAULT_WINDOW_NS`.

    Args:
        tables_ns: timestamps of each stream, int64, any order.
    """
    periods_ns: list[int] = []
    for table_ns in tables_ns:
        stamps_ns = np.sort(table_ns)
        period_ns = timing.period_ns(stamps_ns)
        if period_ns is not None and timing.rate_hz(stamps_ns) is not None:
            periods_ns.append(period_ns)
    if not periods_ns:
        return DEFAULT_WINDOW_NS
    usual = [period_ns for period_ns in periods_ns if period_ns <= SLOWEST_PERIOD_NS]
    slowest_ns = max(usual) if usual else min(periods_ns)
    for milliseconds in _ROUND_MS:
        window_ns = milliseconds * 1_000_000
        if slowest_ns <= window_ns <= 2 * slowest_ns:
            return window_ns
    middle_ns = slowest_ns * 3 // 2
    rounded_ns = round(middle_ns / 1e6) * 1_000_000
    return rounded_ns if slowest_ns <= rounded_ns <= 2 * slowest_ns else middle_ns
