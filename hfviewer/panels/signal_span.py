"""The span of time that a signal panel shows, and what it is tied to."""

from __future__ import annotations

from hfviewer.core.window import TimeWindow
from hfviewer.panels.signal_view import SignalView

FOLLOW, WHOLE, TIMELINE, OWN = "follow", "whole", "timeline", "own"


class ShownSpan:
    """Tied to the playhead, to the whole stream, to the timeline's span, or to nothing.

    Args:
        period_ns: of the samples; None where they have none.
        whole: all of the stream; None where it is empty.
    """

    def __init__(self, period_ns: int | None, whole: TimeWindow | None) -> None:
        self._period_ns, self._whole = period_ns, whole
        self._timeline: TimeWindow | None = None
        self._tied_to = FOLLOW
        self.view = SignalView.around(period_ns)

    @property
    def kind(self) -> str:
        """What it is tied to: `FOLLOW`, `WHOLE`, `TIMELINE` or, to nothing, `OWN`."""
        return OWN if self._tied_to == FOLLOW and not self.view.follows else self._tied_to

    def tie(self, kind: str) -> None:
        """Tie it to something else."""
        self._tied_to = kind
        if kind == FOLLOW:
            self.view = SignalView.around(self._period_ns)
        elif kind == WHOLE and self._whole is not None:
            self.view = SignalView.whole(self._whole)
        elif kind == TIMELINE and self._timeline is not None and self._timeline.duration_ns > 0:
            self.view = SignalView(
                start_ns=self._timeline.start_ns, span_ns=self._timeline.duration_ns, share=None
            )

    def set_view(self, view: SignalView) -> None:
        """Show this, tied to nothing but perhaps the playhead."""
        self.view, self._tied_to = view, FOLLOW if view.follows else OWN

    def set_timeline(self, span: TimeWindow | None) -> bool:
        """The timeline shows this; True where that moves the span."""
        self._timeline = span
        if self._tied_to == TIMELINE:
            self.tie(TIMELINE)
        return self._tied_to == TIMELINE

    def move(self, zoom: float, at_share: float, pan_share: float, playhead_ns: int) -> None:
        """Zoom about a share of the width, or pan by one."""
        view = self.view.panned(pan_share, playhead_ns) if pan_share else self.view
        self.set_view(view.zoomed(zoom, at_share, playhead_ns) if zoom != 1.0 else view)
