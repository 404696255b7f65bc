"""A sensor's frame counter, believed as far as it can be: wraps, restarts and wild leaps taken out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

NEIGHBOURS = 16  # how many frames away one that only arrived late may stand
WIDEST = 1 << 32  # counters are stored in 32 bits
_NARROWER = (1 << 8, 1 << 16)
_LEAST_STEPS, _MOST_STEPS = 16, 65_536
_OWN_SHARE = 0.9
_NEAR_WRAP = 8  # numbers on either side of the wrap that prove it
_SLACK_FRAMES = 64  # a recorder's buffers blur when frames arrived by about so many
_SLACK_FACTOR = 4
_IRREGULAR_SLACK_FRAMES = 1024
_IRREGULAR_SLACK_FACTOR = 64


def counter_width(sequence: NDArray[np.int64]) -> int:
    """After how many numbers the counter begins again at 0: 2⁸, 2¹⁶ or, where neither shows, 2³².

    A narrow counter shows where it never exceeds its width and most of its far falls lead from its very last
    numbers to its first ones. One that was started anew falls from anywhere.

    Args:
        sequence: int64[n], in the order of time.
    """
    if len(sequence) < 2:
        return WIDEST
    top = int(sequence.max())
    width = next((narrow for narrow in _NARROWER if top < narrow), WIDEST)
    if width == WIDEST or top < width - _NEAR_WRAP or int(sequence.min()) < 0:
        return WIDEST
    falls = np.flatnonzero(np.diff(sequence) < -width // 2)
    wraps = (sequence[falls] >= width - _NEAR_WRAP) & (sequence[falls + 1] < _NEAR_WRAP)
    return width if 2 * int(wraps.sum()) > len(falls) else WIDEST


def counter_stride(sequence: NDArray[np.int64]) -> int | None:
    """By how much the counter moves from frame to frame as a rule; None where it is not this stream's own.

    Numbers that several streams share, or that are made of other things, jump at nearly every frame: they
    tell the order, but not what is lost. At most 65 536 steps, evenly spread, are looked at.

    Args:
        sequence: int64[n], in the order of time.
    """
    count = len(sequence)
    if count < _LEAST_STEPS + 1:
        return 1
    at = np.arange(0, count - 1, max(1, count // _MOST_STEPS))
    steps = sequence[at + 1] - sequence[at]
    stride = int(np.median(steps))
    if stride <= 1:
        return 1
    return stride if (steps % stride == 0).mean() >= _OWN_SHARE else None


def counter_steps(
    sequence: NDArray[np.int64],
    timestamps_ns: NDArray[np.int64],
    typical_ns: int | None,
    *,
    regular: bool,
    width: int = WIDEST,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """How far the counter moved from each frame to the next.

    Passing from the counter's last number to 0 is a step like any other. A counter that falls far was started
    anew, and one that leaps farther than the time passed allows, or by half its width and more, was reset or
    is damaged: those count as a step of 1, which is no evidence of anything.

    Args:
        sequence: int64[n], n ≥ 1.
        timestamps_ns: int64[n], non-decreasing.
        typical_ns: typical interval; None where there is none to judge by.
        regular: False where frames come when they like, so that much more is believed.
        width: of the counter, see `counter_width`.

    Returns:
        int64[n-1], negative (by at most `NEIGHBOURS`) where a frame arrived before its predecessor in time;
        and bool[n-1], True where a leap forward was not believed.
    """
    steps = np.diff(sequence)
    leaps = np.zeros(len(steps), np.bool_)
    odd = np.flatnonzero(steps != 1)
    if len(odd) == 0:
        return steps, leaps
    jumps = steps[odd]
    near = (jumps > -width) & (jumps < width)
    wrapped = np.where(near, ((jumps + width // 2) & (width - 1)) - width // 2, jumps)
    believed = near & (wrapped >= -NEIGHBOURS)
    if typical_ns:
        # Unsigned: the difference of any two int64 fits.
        intervals = (timestamps_ns[odd + 1] - timestamps_ns[odd]).view(np.uint64).astype(np.float64)
        slack = _SLACK_FRAMES if regular else _IRREGULAR_SLACK_FRAMES
        factor = _SLACK_FACTOR if regular else _IRREGULAR_SLACK_FACTOR
        believed &= wrapped <= slack + factor * (intervals / typical_ns)
    steps[odd] = np.where(believed, wrapped, 1)
    leaps[odd] = ~believed & (jumps > 1)
    return steps, leaps


def numbers_missing(numbers: NDArray[np.int64], at: NDArray[np.intp]) -> NDArray[np.int64]:
    """How many numbers between ``numbers[at]`` and the next one no frame nearby carries.

    A frame that merely arrived late leaves a jump behind as well, but its number is found a few frames on.

    Args:
        numbers: int64[n], running sum of the steps of `counter_steps`.
        at: indices of frames after which the numbers jump ahead.
    """
    low, high = numbers[at], numbers[at + 1]
    missing: NDArray[np.int64] = high - low - 1
    hits = np.zeros(len(at), np.intp)
    for offset in range(-NEIGHBOURS, NEIGHBOURS + 2):
        near = numbers[np.clip(at + offset, 0, len(numbers) - 1)]
        hits += (near > low) & (near < high)
    found = np.flatnonzero(hits)
    if len(found):
        around = at[found, None] + np.arange(-NEIGHBOURS, NEIGHBOURS + 2)
        near = np.sort(numbers[np.clip(around, 0, len(numbers) - 1)], axis=1)
        inside = (near > low[found, None]) & (near < high[found, None])
        inside[:, 1:] &= near[:, 1:] != near[:, :-1]  # a number that two frames carry is found once
        missing[found] -= inside.sum(axis=1)
    return missing
