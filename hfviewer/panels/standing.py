"""What a panel must say about the frame it shows: words and numbers, apart from any painting."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hfviewer.core.age import AgeState, FrameAge
from hfviewer.core.time_text import NS_PER_S

_STANDINGS = {
    AgeState.NONE: "before",
    AgeState.FRESH: "fresh",
    AgeState.LATE: "late",
    AgeState.MISSING: "missing",
    AgeState.ENDED: "ended",
}


class Standing(StrEnum):
    """How the picture in a panel stands to the playhead."""

    EMPTY = "empty"  # the stream has no frames at all
    BEFORE = "before"  # the playhead is before the first frame
    LOADING = "loading"  # what is shown is not, or not yet, the frame under the playhead
    UNREADABLE = "unreadable"  # the frame under the playhead cannot be read or decoded
    FRESH = "fresh"
    LATE = "late"
    MISSING = "missing"  # there should have been a frame here
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class AgeBadge:
    """The age badge of a panel.

    Args:
        standing: decides shape and colour.
        text: a number with its unit, or a word.
        hint: one sentence for the tooltip.
        is_number: True where the text is an age, False where it is a word.
    """

    standing: Standing
    text: str
    hint: str
    is_number: bool = False


def standing_of(
    *, age: FrameAge, frame_count: int, wanted: int | None, shown: int | None, failed: bool
) -> Standing:
    """Judge a panel.

    Args:
        age: of the frame under the playhead.
        frame_count: of the stream.
        wanted: index of the frame under the playhead; None before the first.
        shown: index of the frame on screen; None without one.
        failed: True where reading the frame ``shown`` failed.
    """
    if frame_count == 0:
        return Standing.EMPTY
    if wanted is None:
        return Standing.BEFORE
    if shown != wanted:
        return Standing.LOADING
    if failed:
        return Standing.UNREADABLE
    return Standing(_STANDINGS[age.state])


def age_badge(
    standing: Standing, *, age_ns: int | None, behind: int | None, overdue: bool = True
) -> AgeBadge:
    """Word the badge. A viewer that is slow never gets the colours of a recorded drop.

    Args:
        standing: from `standing_of`.
        age_ns: playhead minus the timestamp of the frame on screen; None without a frame.
        behind: how many frames the one on screen is behind the one under the playhead (negative: ahead of it,
            on the way back); None without a frame on screen.
        overdue: False while a wanted frame may still arrive in time to pass unnoticed: the badge then keeps
            to the age of the frame on screen, which is true, and in quiet colours.
    """
    number = "" if age_ns is None else age_text(age_ns)
    match standing:
        case Standing.EMPTY:
            return AgeBadge(standing, "no frames", "This stream has no frames.")
        case Standing.BEFORE:
            return AgeBadge(
                standing, "no frame yet", "The playhead is before the first frame of this stream."
            )
        case Standing.LOADING:
            if behind is None:
                return AgeBadge(standing, "loading", "The frame under the playhead is being read.")
            side = "behind" if behind > 0 else "ahead of"
            hint = f"Showing the frame {abs(behind)} {side} the one under the playhead, which is being read."
            if not overdue:
                return AgeBadge(standing, number, hint, is_number=True)
            far = f"{-behind:+d}".replace("-", "−") if abs(behind) < 10_000 else "…"
            return AgeBadge(standing, f"loading {far}", hint)
        case Standing.UNREADABLE:
            return AgeBadge(standing, "unreadable", "The frame under the playhead cannot be read.")
        case Standing.FRESH:
            return AgeBadge(
                standing, number, "Age of this frame at the playhead: within one period.", is_number=True
            )
        case Standing.LATE:
            return AgeBadge(
                standing, number, "The next frame is late: more than one period has passed.", is_number=True
            )
        case Standing.MISSING:
            return AgeBadge(
                standing,
                number,
                "No frame here: frames are missing between this one and the next.",
                is_number=True,
            )
        case Standing.ENDED:
            return AgeBadge(standing, "ended", f"This stream ended; its last frame is {number} old.")


def index_text(index: int | None) -> str:
    """A frame by its index, counted from 0 as on the command line: ``#299``; a dash for None."""
    return "–" if index is None else f"#{index}"


def age_text(age_ns: int) -> str:
    """An age with one decimal that fits the badge: ``20.7 ms``, from 100 s in seconds, from 10 h in hours."""
    if abs(age_ns) < 100 * NS_PER_S:
        return f"{_tenths(age_ns, 1_000_000)} ms"
    if abs(age_ns) < 36_000 * NS_PER_S:
        return f"{_tenths(age_ns, NS_PER_S)} s"
    return f"{_tenths(age_ns, 3600 * NS_PER_S)} h"


def seconds_text(elapsed_ns: int) -> str:
    """Seconds since the start of the recording, rounded down to the millisecond: ``52.685 s``."""
    sign = "−" if elapsed_ns < 0 else ""
    seconds, rest_ns = divmod(abs(elapsed_ns), NS_PER_S)
    return f"{sign}{seconds}.{rest_ns // 1_000_000:03d} s"


def _tenths(value_ns: int, unit_ns: int) -> str:
    tenths = (abs(value_ns) * 10 + unit_ns // 2) // unit_ns
    return f"{'−' if value_ns < 0 else ''}{tenths // 10}.{tenths % 10}"
