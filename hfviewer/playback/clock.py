"""Where a playing playhead is: worked out from an anchor, never by adding steps, so that it cannot drift."""

from __future__ import annotations

from dataclasses import dataclass

from hfviewer.core.window import TimeWindow


@dataclass(frozen=True, slots=True)
class Anchor:
    """A moment at which position and speed were known.

    Args:
        position_ns: on the recording clock.
        monotonic_ns: of this machine at that moment.
        speed: signed factor on real time.
    """

    position_ns: int
    monotonic_ns: int
    speed: float

    def position_at(self, monotonic_ns: int) -> int:
        """``anchor + round((monotonic - anchor_monotonic) · speed)``, in nanoseconds."""
        return self.position_ns + round((monotonic_ns - self.monotonic_ns) * self.speed)


@dataclass(frozen=True, slots=True)
class Tick:
    """Where the clock puts the playhead.

    Args:
        position_ns: inside the span that is played.
        wrapped: it went round a loop: take a new anchor here.
        ended: it reached the end, and does not loop.
    """

    position_ns: int
    wrapped: bool = False
    ended: bool = False


def tick(anchor: Anchor, monotonic_ns: int, span: TimeWindow, *, loop: bool) -> Tick:
    """The playhead at a moment, kept inside a span.

    Args:
        anchor: taken when playing began, or when speed or position last changed.
        monotonic_ns: now.
        span: what is played; half-open.
        loop: go round at its end (at its start, backwards), losing no time; else stop there.
    """
    position_ns = anchor.position_at(monotonic_ns)
    if span.start_ns <= position_ns < span.stop_ns:
        return Tick(position_ns)
    beyond_end = position_ns >= span.stop_ns
    if beyond_end != (anchor.speed > 0):
        # Outside, but on the way in: the user put the playhead before the in point, say.
        return Tick(position_ns)
    if not loop:
        return Tick(span.stop_ns - 1 if beyond_end else span.start_ns, ended=True)
    length_ns = max(1, span.duration_ns)
    return Tick(span.start_ns + (position_ns - span.start_ns) % length_ns, wrapped=True)
