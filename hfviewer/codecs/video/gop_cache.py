"""Decoded frames kept around where somebody looks, so that stepping back costs what stepping forward does.

One budget in bytes for all videos that are open. What is kept are the decoder's own planes, not colours.
"""

from __future__ import annotations

import av

from hfviewer.codecs.video.budget import SHARED_BUDGET, GopBudget

_MOST_FRAMES = 512


def picture_bytes(picture: av.VideoFrame) -> int:
    """What keeping a decoded frame costs."""
    return 256 + sum(plane.buffer_size for plane in picture.planes)


class GopCache:
    """The decoded frames of one video near the frame that was last asked for. Safe from any thread.

    Args:
        budget: shared with other videos.
    """

    def __init__(self, budget: GopBudget = SHARED_BUDGET) -> None:
        self._budget = budget
        self._kept: dict[int, tuple[av.VideoFrame, int]] = {}
        self._focus = 0
        self._backward = False
        self.used_bytes = 0
        budget.join(self)

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, frame: int) -> bool:
        with self._budget.lock:
            return frame in self._kept

    def look_at(self, frame: int, *, backward: bool) -> None:
        """Say where the next frames will be asked for; what lies farthest from there is let go first."""
        with self._budget.lock:
            self._focus, self._backward = frame, backward

    def get(self, frame: int) -> av.VideoFrame | None:
        with self._budget.lock:
            kept = self._kept.get(frame)
            return None if kept is None else kept[0]

    def put(self, frame: int, picture: av.VideoFrame) -> None:
        """Keep a frame, as long as nothing nearer needs the room."""
        size = picture_bytes(picture)
        with self._budget.lock:
            if frame in self._kept or size > self._budget.limit_bytes:
                return
            self._kept[frame] = (picture, size)
            self.used_bytes += size
            while len(self._kept) > _MOST_FRAMES:
                self.drop_worst()
            self._budget.trim()

    def lowest_below(self, frame: int) -> int:
        """The lowest of the frames that lie unbroken below a frame; the frame itself where there is none."""
        with self._budget.lock:
            while frame - 1 in self._kept:
                frame -= 1
            return frame

    def room(self, frame_bytes: int) -> int:
        """How many frames of a size this window may count on keeping."""
        return max(2, min(_MOST_FRAMES, self._budget.share_bytes() // max(1, frame_bytes)))

    def typical_bytes(self) -> int:
        """Of one kept frame; 0 where there is none."""
        with self._budget.lock:
            return self.used_bytes // len(self._kept) if self._kept else 0

    def drop_worst(self) -> None:
        """Let go of the frame that lies farthest; those already passed count four times as far."""
        with self._budget.lock:
            if not self._kept:
                return
            low, high = min(self._kept), max(self._kept)
            above = (high - self._focus) * (4 if self._backward else 1)
            worst = high if above > self._focus - low else low
            self.used_bytes -= self._kept.pop(worst)[1]

    def clear(self) -> None:
        with self._budget.lock:
            self._kept.clear()
            self.used_bytes = 0
