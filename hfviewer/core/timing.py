"""Where in time: every lookup by bisect on a stream's own table.

Tables are int64 nanoseconds on the recording clock, non-decreasing, C-contiguous. Nothing here multiplies a
time by a frame rate.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.window import TimeWindow

REGULAR_SHARE = 0.8
REGULAR_TOLERANCE = 0.3


def index_at(timestamps_ns: NDArray[np.int64], playhead_ns: int) -> int | None:
    """Index of the frame on screen at the playhead: the last one at or before it.

    Args:
        timestamps_ns: shape (n,), non-decreasing, recording clock.
        playhead_ns: a time on the same clock.

    Returns:
        An index in ``[0, n)``, or None while the playhead is before the first frame.
        Of several frames with one timestamp, the last is chosen.
    """
    index = int(timestamps_ns.searchsorted(playhead_ns, side="right")) - 1
    return index if index >= 0 else None


def index_nearest(timestamps_ns: NDArray[np.int64], time_ns: int) -> int | None:
    """Index of the frame closest in time; of two equally close, the earlier one. None for an empty table.

    Of several frames with that timestamp, the last is chosen when it lies at or before ``time_ns``, else the
    first: the one that a playhead moving towards it would meet.
    """
    count = len(timestamps_ns)
    if count == 0:
        return None
    after = int(timestamps_ns.searchsorted(time_ns, side="right"))
    if after == 0:
        return 0
    if after == count:
        return count - 1
    before_gap_ns = time_ns - int(timestamps_ns[after - 1])
    after_gap_ns = int(timestamps_ns[after]) - time_ns
    return after if after_gap_ns < before_gap_ns else after - 1


def index_after(timestamps_ns: NDArray[np.int64], time_ns: int) -> int | None:
    """Index of the first frame strictly later than ``time_ns``, or None past the last."""
    index = int(timestamps_ns.searchsorted(time_ns, side="right"))
    return index if index < len(timestamps_ns) else None


def index_before(timestamps_ns: NDArray[np.int64], time_ns: int) -> int | None:
    """Index of the last frame strictly earlier than ``time_ns``, or None before the first."""
    index = int(timestamps_ns.searchsorted(time_ns, side="left")) - 1
    return index if index >= 0 else None


def indices_in(timestamps_ns: NDArray[np.int64], window: TimeWindow) -> range:
    """Indices of the frames with ``window.start_ns <= t < window.stop_ns``."""
    first = int(timestamps_ns.searchsorted(window.start_ns, side="left"))
    stop = int(timestamps_ns.searchsorted(window.stop_ns, side="left"))
    return range(first, max(first, stop))


def indices_overlapping(
    starts_ns: NDArray[np.int64], stops_ns: NDArray[np.int64], window: TimeWindow
) -> NDArray[np.intp]:
    """Indices of the exposures or scans ``[start, stop)`` that share at least one instant with a window.

    An interval of no length counts as the instant it starts at.

    Args:
        starts_ns: shape (n,), any order.
        stops_ns: shape (n,), each at or after its start.
        window: half-open; an empty one meets nothing.
    """
    if window.duration_ns == 0:
        return np.empty(0, np.intp)
    ends_ns = np.maximum(stops_ns, starts_ns + 1)
    return np.flatnonzero((starts_ns < window.stop_ns) & (ends_ns > window.start_ns))


def interpolate_linear(
    timestamps_ns: NDArray[np.int64], values: NDArray[np.float64], at_ns: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Values of a dense signal between its samples, by linear interpolation in time.

    Differences are taken in integers before they become floats, so epoch times lose nothing.

    Args:
        timestamps_ns: shape (n,), non-decreasing.
        values: shape (n, C).
        at_ns: shape (m,), same clock.

    Returns:
        float64 (m, C); NaN outside the first and last sample: a signal is never extrapolated.
    """
    out = np.full((len(at_ns), values.shape[1]), np.nan)
    count = len(timestamps_ns)
    if count == 0:
        return out
    right = np.clip(timestamps_ns.searchsorted(at_ns, side="right"), 1, max(1, count - 1))
    left = right - 1
    right = np.minimum(right, count - 1)
    gap_ns = (timestamps_ns[right] - timestamps_ns[left]).astype(np.float64)
    since_ns = (at_ns - timestamps_ns[left]).astype(np.float64)
    share = np.divide(since_ns, gap_ns, out=np.zeros_like(since_ns), where=gap_ns > 0)
    inside = (at_ns >= timestamps_ns[0]) & (at_ns <= timestamps_ns[-1])
    mixed = values[left] + (values[right] - values[left]) * share[:, None]
    out[inside] = mixed[inside]
    return out


def period_ns(timestamps_ns: NDArray[np.int64]) -> int | None:
    """Typical interval of a stream: the median of its positive intervals, robust against gaps and repeats.

    None with fewer than two different timestamps. At most 65 536 intervals, evenly spread, are looked at.
    """
    intervals_ns = _sampled_intervals_ns(timestamps_ns)
    return None if len(intervals_ns) == 0 else int(np.median(intervals_ns))


def rate_hz(timestamps_ns: NDArray[np.int64]) -> float | None:
    """Frames a second of a regular stream, from `period_ns`; None where frames arrive irregularly.

    Regular means that `REGULAR_SHARE` of the intervals lie within `REGULAR_TOLERANCE` of the period.
    """
    intervals_ns = _sampled_intervals_ns(timestamps_ns)
    if len(intervals_ns) == 0:
        return None
    period = float(np.median(intervals_ns))
    near = np.abs(intervals_ns - period) <= REGULAR_TOLERANCE * period
    return 1e9 / period if near.mean() >= REGULAR_SHARE else None


def _sampled_intervals_ns(timestamps_ns: NDArray[np.int64], most: int = 65536) -> NDArray[np.int64]:
    count = len(timestamps_ns)
    if count < 2:
        return np.empty(0, np.int64)
    if count - 1 <= most:
        intervals_ns = np.diff(timestamps_ns)
    else:
        at = np.linspace(0, count - 2, most).astype(np.intp)
        intervals_ns = timestamps_ns[at + 1] - timestamps_ns[at]
    return intervals_ns[intervals_ns > 0]


def robust_span(tables_ns: Sequence[NDArray[np.int64]]) -> TimeWindow | None:
    """The span in which a recording really lies, whatever single stamps claim.

    A stamp of 0, of 1970 or of the far future must not stretch the timeline to decades. Each table is cut to
    the frames within its own central 90 %, widened on both sides by the length of that part or by a minute,
    whichever is longer. Then tables whose frames lie farther from the largest one than a day and than its own
    length are left out.

    Returns:
        First to last frame kept, half-open (one nanosecond past the last); None without any frame.
    """
    cores: list[tuple[int, int, int]] = []
    for table_ns in tables_ns:
        count = len(table_ns)
        if count == 0:
            continue
        low_ns = int(table_ns[int(0.05 * (count - 1))])
        high_ns = int(table_ns[-1 - int(0.05 * (count - 1))])
        if count == 2 and high_ns - low_ns > _DAY_NS:
            low_ns = high_ns
        margin_ns = max(high_ns - low_ns, _MINUTE_NS)
        kept = indices_in(table_ns, TimeWindow(low_ns - margin_ns, high_ns + margin_ns + 1))
        cores.append((len(kept), int(table_ns[kept[0]]), int(table_ns[kept[-1]])))
    if not cores:
        return None
    _, main_first_ns, main_last_ns = max(cores)
    reach_ns = max(_DAY_NS, main_last_ns - main_first_ns)
    kept_cores = [
        (first_ns, last_ns)
        for _, first_ns, last_ns in cores
        if last_ns >= main_first_ns - reach_ns and first_ns <= main_last_ns + reach_ns
    ]
    return TimeWindow(min(first for first, _ in kept_cores), max(last for _, last in kept_cores) + 1)


_MINUTE_NS = 60_000_000_000
_DAY_NS = 86_400_000_000_000
