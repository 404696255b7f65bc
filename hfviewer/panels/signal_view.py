"""Which span of time a signal plot shows, and how it follows the playhead. Plain maths in integers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hfviewer.core.time_text import NS_PER_S
from hfviewer.core.window import TimeWindow

_MIN_SPAN_NS = 10_000
_MAX_SPAN_NS = 40 * 366 * 86_400 * NS_PER_S
_FOLLOW_EDGE = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalView:
    """A span of time, either fixed or tied to the playhead.

    Args:
        start_ns: of the span while it is fixed.
        span_ns: its length.
        share: where in the span the playhead stays, 0 … 1; None while the span is fixed.
    """

    start_ns: int
    span_ns: int
    share: float | None = 0.5

    @classmethod
    def around(cls, period_ns: int | None) -> SignalView:
        """Follow the playhead, which is in the middle of 200 periods, or of 4 s where that is less."""
        half_ns = 2 * NS_PER_S
        if period_ns is not None:
            half_ns = max(10 * period_ns, min(half_ns, 100 * period_ns))
        return cls(start_ns=0, span_ns=min(2 * half_ns, _MAX_SPAN_NS))

    @classmethod
    def whole(cls, span: TimeWindow) -> SignalView:
        """All of a span, fixed, with a small margin."""
        margin_ns = max(span.duration_ns // 50, _MIN_SPAN_NS)
        return cls(start_ns=span.start_ns - margin_ns, span_ns=span.duration_ns + 2 * margin_ns, share=None)

    @property
    def follows(self) -> bool:
        return self.share is not None

    def window(self, playhead_ns: int) -> TimeWindow:
        """What shows while the playhead is there."""
        start_ns = self.start_ns
        if self.share is not None:
            start_ns = playhead_ns - round(self.span_ns * self.share)
        return TimeWindow(start_ns, start_ns + self.span_ns)

    def zoomed(self, factor: float, at_share: float, playhead_ns: int) -> SignalView:
        """Shorter (below 1) or longer (above 1), the time at a share of the width staying where it is."""
        span_ns = min(max(round(self.span_ns * factor), _MIN_SPAN_NS), _MAX_SPAN_NS)
        shown = self.window(playhead_ns)
        at_ns = shown.start_ns + round(self.span_ns * at_share)
        return self._placed(at_ns - round(span_ns * at_share), span_ns, playhead_ns)

    def panned(self, share: float, playhead_ns: int) -> SignalView:
        """Shifted to later times by a share of the width."""
        shown = self.window(playhead_ns)
        return self._placed(shown.start_ns + round(self.span_ns * share), self.span_ns, playhead_ns)

    def _placed(self, start_ns: int, span_ns: int, playhead_ns: int) -> SignalView:
        """There, and still following where it did and the playhead can still be seen."""
        share = (playhead_ns - start_ns) / span_ns
        follows = self.follows and _FOLLOW_EDGE <= share <= 1 - _FOLLOW_EDGE
        return replace(self, start_ns=start_ns, span_ns=span_ns, share=share if follows else None)
