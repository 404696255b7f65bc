"""How old the frame on screen is against the playhead, and what that means."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AgeState(StrEnum):
    """What the age badge of a panel says."""

    NONE = "none"  # the playhead is before the first frame, or the stream has none
    FRESH = "fresh"  # at most one period old
    LATE = "late"  # at most 1.5 periods, or beyond where the next frame merely came late
    MISSING = "missing"  # beyond, and frames are missing: there should have been one here
    ENDED = "ended"  # the last frame is more than 1.5 periods behind and none follows


@dataclass(frozen=True, slots=True)
class FrameAge:
    """Age of a frame.

    Args:
        state: what to say about it.
        age_ns: playhead minus the frame's timestamp; None without a frame.
    """

    state: AgeState
    age_ns: int | None


def frame_age(
    *, timestamp_ns: int | None, playhead_ns: int, period_ns: int | None, is_last: bool, gap_follows: bool
) -> FrameAge:
    """Judge the frame that `timing.index_at` found.

    Args:
        timestamp_ns: of that frame; None before the first one.
        playhead_ns: recording clock.
        period_ns: the stream's robust period; None where it has none (irregular streams are never "missing").
        is_last: True for the last frame of its stream.
        gap_follows: True where frames are missing between it and the next one (`quality.gaps`).
    """
    if timestamp_ns is None:
        return FrameAge(AgeState.NONE, None)
    age_ns = playhead_ns - timestamp_ns
    if period_ns is None or age_ns <= period_ns:
        return FrameAge(AgeState.FRESH, age_ns)
    if 2 * age_ns <= 3 * period_ns:
        return FrameAge(AgeState.LATE, age_ns)
    if is_last:
        return FrameAge(AgeState.ENDED, age_ns)
    return FrameAge(AgeState.MISSING if gap_follows else AgeState.LATE, age_ns)
