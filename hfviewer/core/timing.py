"""Where in time: every lookup by bisect on a stream's own table.

Tables are int64 nanoseconds on the recording clock, non-decreasing, C-contiguous. Nothing here multiplies a
time by a frame rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.window import TimeWindow

REGULAR_SHARE = 0.8
REGULAR_TOLERANCE = 0.3
_INT64_MIN, _INT64_MAX = -(2**63), 2**63 - 1
_MINUTE_NS = 60_000_000_000
_DAY_NS = 86_400_000_000_000


def index_at(timestamps_ns: NDArray[np.int64], playhead_ns: int) -> int | None:
    """Index of the frame on screen at the playhead: the last one at or before it.

    Args:
        timestamps_ns: shape (n,), non-decreasing, recording clock.
        playhead_ns: a time on the same clock.

    Returns:
        An index in ``[0, n)``, or None while the playhead is before the first frame.
        Of several frames with one timestamp, the last is chosen.
    """
    index = _bisect(timestamps_ns, playhead_ns, "right") - 1
    return index if index >= 0 else None


def index_nearest(timestamps_ns: NDArray[np.int64], time_ns: int) -> int | None:
    """Index of the frame closest in time; of two equally close, the earlier one. None for an empty table.

    Of several frames with that timestamp, the last is chosen when it lies at or before ``time_ns``, else the
    first: the one that a playhead moving towards it would meet.
    """
    count = len(timestamps_ns)
    if count == 0:
        return None
    after = _bisect(timestamps_ns, time_ns, "right")
    if after == 0:
        return 0
    if after == count:
        return count - 1
    before_gap_ns = time_ns - int(timestamps_ns[after - 1])
    after_gap_ns = int(timestamps_ns[after]) - time_ns
    return after if after_gap_ns < before_gap_ns else after - 1


def index_after(timestamps_ns: NDArray[np.int64], time_ns: int) -> int | None:
    """Index of the first frame strictly later than ``time_ns``, or None past the last."""
    index = _bisect(timestamps_ns, time_ns, "right")
    return index if index < len(timestamps_ns) else None


def index_before(timestamps_ns: NDArray[np.int64], time_ns: int) -> int | None:
    """Index of the last frame strictly earlier than ``time_ns``, or None before the first."""
    index = _bisect(timestamps_ns, time_ns, "left") - 1
    return index if index >= 0 else None


def indices_in(timestamps_ns: NDArray[np.int64], window: TimeWindow) -> range:
    """Indices of the frames with ``window.start_ns <= t < window.stop_ns``."""
    first = _bisect(timestamps_ns, window.start_ns, "left")
    stop = _bisect(timestamps_ns, window.stop_ns, "left")
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
    ends_later = (stops_ns > window.start_ns) | (starts_ns >= window.start_ns)
    return np.flatnonzero((starts_ns < window.stop_ns) & ends_later)


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
        float64 (m, C); NaN outside the first and last sample: a signal is never extrapolated. At a sample's
        own time it is that sample (of several, the last), whatever its neighbours hold.
    """
    out = np.full((len(at_ns), values.shape[1]), np.nan)
    count = len(timestamps_ns)
    if count == 0:
        return out
    inside = (at_ns >= timestamps_ns[0]) & (at_ns <= timestamps_ns[-1])
    asked_ns = at_ns[inside]
    left = timestamps_ns.searchsorted(asked_ns, side="right") - 1
    right = np.minimum(left + 1, count - 1)
    # Differences of sorted int64 always fit uint64, even where they overflow int64.
    gap_ns = (timestamps_ns[right] - timestamps_ns[left]).view(np.uint64).astype(np.float64)
    since_ns = (asked_ns - timestamps_ns[left]).view(np.uint64).astype(np.float64)
    share = np.divide(since_ns, gap_ns, out=np.zeros_like(since_ns), where=gap_ns > 0)[:, None]
    with np.errstate(over="ignore", invalid="ignore"):
        mixed = values[left] + (values[right] - values[left]) * share
    out[inside] = np.where(share == 0.0, values[left], mixed)
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

    A stamp of 0, of 1970 or of the far future must not stretch the timeline to decades, and no ordinary frame
    may fall off it. So the frames of all tables are parted wherever a day passes without any, and the part
    with the most frames is the recording (of equal ones, the latest). Other parts stay where they lie no
    farther from it than its own length. Closer than a day, one single first or last frame of a table is taken
    for a bad stamp where more than a minute and more than the length of all the rest lies between: in tables
    of more than 20 frames, and for a stamp of 0 in any table.

    Returns:
        First to last frame kept, half-open (one nanosecond past the last); None without any frame.
    """
    runs = [_runs(table_ns) for table_ns in tables_ns if len(table_ns)]
    if not runs:
        return None
    firsts_ns, lasts_ns, counts = (np.concatenate(parts) for parts in zip(*runs, strict=True))
    order = np.argsort(firsts_ns, kind="stable")
    firsts_ns, lasts_ns, counts = firsts_ns[order], np.maximum.accumulate(lasts_ns[order]), counts[order]
    starts = np.append(0, _day_breaks(lasts_ns[:-1], firsts_ns[1:]))
    ends = np.append(starts[1:], len(order)) - 1
    part_counts = np.add.reduceat(counts, starts)
    main = int(np.flatnonzero(part_counts == part_counts.max())[-1])
    main_first_ns, main_last_ns = int(firsts_ns[starts[main]]), int(lasts_ns[ends[main]])
    reach_ns = main_last_ns - main_first_ns
    kept = (lasts_ns[ends] >= main_first_ns - reach_ns) & (firsts_ns[starts] <= main_last_ns + reach_ns)
    return TimeWindow(int(firsts_ns[starts[kept][0]]), int(lasts_ns[ends[kept][-1]]) + 1)


def _runs(table_ns: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.intp]]:
    """First stamp, last stamp and number of frames of each run without a day's pause; strays are left out."""
    count = len(table_ns)
    if int(table_ns[-1]) - int(table_ns[0]) <= _DAY_NS:
        starts = np.zeros(1, np.intp)
    else:
        starts = np.append(0, _day_breaks(table_ns[:-1], table_ns[1:]))
    stops = np.append(starts[1:], count)
    longest = int(np.argmax(stops - starts))
    first, last = int(starts[longest]), int(stops[longest]) - 1
    enough = last - first >= 20
    if last - first >= 2 and (enough or table_ns[first] == 0):
        rest_ns = int(table_ns[last]) - int(table_ns[first + 1])
        starts[longest] += int(table_ns[first + 1]) - int(table_ns[first]) > max(_MINUTE_NS, rest_ns)
    if enough:
        rest_ns = int(table_ns[last - 1]) - int(table_ns[first])
        stops[longest] -= int(table_ns[last]) - int(table_ns[last - 1]) > max(_MINUTE_NS, rest_ns)
    return table_ns[starts], table_ns[stops - 1], stops - starts


def _day_breaks(before_ns: NDArray[np.int64], after_ns: NDArray[np.int64]) -> NDArray[np.intp]:
    """Indices behind which more than a day passes, plus one; by comparison, so that nothing overflows."""
    return np.flatnonzero(after_ns > np.minimum(before_ns, _INT64_MAX - _DAY_NS) + _DAY_NS) + 1


def _bisect(timestamps_ns: NDArray[np.int64], time_ns: int, side: Literal["left", "right"]) -> int:
    """Like `searchsorted`, which compares as floats once a time lies beyond int64."""
    if time_ns > _INT64_MAX:
        return len(timestamps_ns)
    if time_ns < _INT64_MIN:
        return 0
    return int(timestamps_ns.searchsorted(time_ns, side=side))
