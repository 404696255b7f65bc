"""Whether frames are missing behind the one on screen; asked on every move of the playhead."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.quality.gap import Gaps
from hfviewer.quality.gaps import Gap, GapFinder


class GapWatch:
    """Looks at one interval at a time and keeps the last answer.

    Args:
        timestamps_ns: int64[n], non-decreasing, recording clock.
        sequence: int64[n], the recorder's counters; None where they are not known.
        period_ns: typical interval, None where frames arrive irregularly.
        finder: that the recording's checks go by; None: one of its own, from the table alone.
    """

    def __init__(
        self,
        timestamps_ns: NDArray[np.int64],
        sequence: NDArray[np.int64] | None,
        period_ns: int | None,
        *,
        finder: GapFinder | None = None,
    ) -> None:
        self._timestamps_ns = timestamps_ns
        self._span = timing.robust_span([timestamps_ns])
        self._finder = finder or GapFinder(timestamps_ns, sequence, period_ns, span=self._span)
        self._found: Gaps | None = None
        self._index: int | None = None
        self._gap: Gap | None = None

    @property
    def finder(self) -> GapFinder:
        """What it goes by."""
        return self._finder

    def go_by(self, found: Gaps) -> None:
        """Go by these gaps from now on: the frames were decoded, and say which are none."""
        self._found, self._index, self._gap = found, None, None

    def after(self, index: int | None) -> Gap | None:
        """The gap that follows on a frame, if there is one."""
        if index is None:
            return None
        if index != self._index:
            self._index, self._gap = index, self._look_up(index)
        return self._gap

    def _look_up(self, index: int) -> Gap | None:
        if self._found is None:
            return self._finder.after(index)
        at = self._found.following(index)
        return None if at is None else self._found[at]

    def breaks_off(self, index: int | None) -> bool:
        """True where a gap follows on a frame, or where its stamp or the next lies far off all others."""
        if index is None or self._span is None:
            return False
        near = (int(stamp_ns) for stamp_ns in self._timestamps_ns[index : index + 2])
        return self.after(index) is not None or any(stamp_ns not in self._span for stamp_ns in near)
