"""Which times the ruler names, and how it writes them."""

from __future__ import annotations

from dataclasses import dataclass

from hfviewer.core.time_format import TimeFormat
from hfviewer.core.time_text import NS_PER_S
from hfviewer.core.window import TimeWindow

_CLOCK_STEPS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)


@dataclass(frozen=True, slots=True)
class Ruler:
    """The marks of a ruler.

    Args:
        times: how labels read, and what round times are counted from.
        step_ns: between marks with a label.
        minor_ns: between marks without one.
    """

    times: TimeFormat
    step_ns: int
    minor_ns: int

    @classmethod
    def for_view(
        cls, view: TimeWindow, times: TimeFormat, width_px: int, *, spacing_px: int, minor_px: int = 6
    ) -> Ruler:
        """The finest ruler whose labels keep a distance.

        Args:
            view: what is shown.
            times: how labels read; zooming does not change that.
            width_px: columns of the view.
            spacing_px: least distance of two labels.
            minor_px: least distance of two marks without a label.
        """
        least_ns = max(1, -(-view.duration_ns * spacing_px // max(1, width_px)))
        step_ns = nice_step_ns(least_ns, clock=times.clock)
        least_minor_ns = max(1, -(-view.duration_ns * minor_px // max(1, width_px)))
        parts = (n for n in (10, 6, 5, 4, 3, 2) if step_ns % n == 0 and step_ns // n >= least_minor_ns)
        minor_ns = step_ns // next(parts, 1)
        return cls(times, step_ns, minor_ns)

    def labelled(self, view: TimeWindow) -> range:
        """Times in view that get a label, in ns."""
        return _multiples(self.times.origin_ns, self.step_ns, view)

    def minor(self, view: TimeWindow) -> range:
        """Times in view that get a mark, labelled ones included, in ns."""
        return _multiples(self.times.origin_ns, self.minor_ns, view)

    def label(self, time_ns: int) -> str:
        """How a labelled time reads: as many decimals as its step needs."""
        return self.times.text(time_ns, decimals_of(self.step_ns))


def nice_step_ns(least_ns: int, *, clock: bool) -> int:
    """The smallest round step that is not below ``least_ns``: 1-2-5, or parts of minutes and hours."""
    if clock and least_ns > NS_PER_S:
        for step_s in _CLOCK_STEPS_S:
            if step_s * NS_PER_S >= least_ns:
                return step_s * NS_PER_S
        day_ns = 86_400 * NS_PER_S
        return day_ns * nice_step_ns(-(-least_ns // day_ns), clock=False)
    power = 1
    while power * 10 <= least_ns:
        power *= 10
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least_ns)


def decimals_of(step_ns: int) -> int:
    """Decimals of a second that tell multiples of a step apart; at least one below ten seconds."""
    decimals, unit_ns = 0, NS_PER_S
    while step_ns % unit_ns and decimals < 9:
        decimals += 1
        unit_ns //= 10
    return max(decimals, 1) if step_ns < 10 * NS_PER_S else decimals


def _multiples(origin_ns: int, step_ns: int, view: TimeWindow) -> range:
    first = -(-(view.start_ns - origin_ns) // step_ns)
    return range(origin_ns + first * step_ns, view.stop_ns, step_ns)
