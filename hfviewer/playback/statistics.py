"""What the viewer manages, apart from what was recorded; never to be shown as a recorded fault."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from hfviewer.playback.result import FrameResult

_KEPT = 128


@dataclass(frozen=True, slots=True)
class StreamStatistics:
    """How one stream's frames come in.

    Args:
        requested: frames that were asked for to show.
        shown: of these, how many arrived.
        superseded: of these, how many were replaced by a newer wish before a thread took them up.
        from_cache: share of those shown that needed no decoding, 0 to 1.
        decode_p50_ms: reading and decoding, of those that needed it; None before the first.
        decode_p99_ms: likewise.
    """

    requested: int
    shown: int
    superseded: int
    from_cache: float
    decode_p50_ms: float | None
    decode_p99_ms: float | None


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """How the window keeps up.

    Args:
        shown_fps: frames of the focused stream shown a second, over the last second.
        recorded_fps: frames of it that the playhead passed a second, at this speed; None if irregular.
        lag_ms: read and decode time of recent frames, median.
        requested: frames asked for since the recording was opened.
        shown: of these, how many arrived.
        superseded: of these, how many were replaced by a newer wish before anybody took them up.
    """

    shown_fps: float
    recorded_fps: float | None
    lag_ms: float
    requested: int
    shown: int
    superseded: int


@dataclass(slots=True)
class StreamCounter:
    """Counts one stream's frames since its recording was opened."""

    requested: int = 0
    shown: int = 0
    decoded: int = 0
    recent_ns: deque[int] = field(default_factory=lambda: deque(maxlen=_KEPT))

    def add(self, result: FrameResult) -> None:
        """Count a frame that arrived for display."""
        self.shown += 1
        if result.decode_ns:
            self.decoded += 1
            self.recent_ns.append(result.decode_ns)

    def statistics(self, superseded: int) -> StreamStatistics:
        times_ms = np.array(self.recent_ns, np.float64) / 1e6
        return StreamStatistics(
            requested=self.requested,
            shown=self.shown,
            superseded=superseded,
            from_cache=1 - self.decoded / self.shown if self.shown else 0.0,
            decode_p50_ms=float(np.percentile(times_ms, 50)) if len(times_ms) else None,
            decode_p99_ms=float(np.percentile(times_ms, 99)) if len(times_ms) else None,
        )
