"""The packets of one video track: which of them is frame i, and where decoding must start to get it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import DamagedRecordingError
from hfviewer.core.frame import freeze

_NS = 1_000_000_000
_LONGEST_S = 2**63 // _NS - 1


@dataclass(frozen=True, kw_only=True, eq=False)
class PacketTable:
    """Packets in decode order, numbered 0 … n-1, and frames in display order, numbered 0 … m-1.

    Args:
        pts: int64[n], when each packet's frame is shown, in units of `time_base`.
        is_key: bool[n]: decoding may start here.
        sizes: int64[n], bytes.
        positions: int64[n], byte in the file; -1 where it is not known.
        seek_times: int64[n]: what to ask the file for to get there, in units of `time_base`.
        readable: bool[n]: False where a packet is empty or does not lie inside the file.
        order: intp[m]: frame i is made of packet ``order[i]``.
        time_base: seconds a unit.
        lost: int64[n], how many packets are known to be missing right before each; None: none is.
    """

    pts: NDArray[np.int64]
    is_key: NDArray[np.bool_]
    sizes: NDArray[np.int64]
    positions: NDArray[np.int64]
    seek_times: NDArray[np.int64]
    readable: NDArray[np.bool_]
    order: NDArray[np.intp]
    time_base: Fraction
    lost: NDArray[np.int64] | None = None

    @classmethod
    def build(
        cls,
        *,
        pts: NDArray[np.int64],
        is_key: NDArray[np.bool_],
        sizes: NDArray[np.int64],
        time_base: Fraction,
        positions: NDArray[np.int64] | None = None,
        seek_times: NDArray[np.int64] | None = None,
        readable: NDArray[np.bool_] | None = None,
        shown: NDArray[np.bool_] | None = None,
    ) -> Self:
        """With frames in the order of their times; of equal times, in decode order.

        Args:
            pts: see the class; so are the others.
            is_key: see the class.
            sizes: see the class.
            time_base: see the class.
            positions: None: not known.
            seek_times: None: the same as `pts`.
            readable: None: every packet that is not empty.
            shown: bool[n]: False for packets that only others are decoded from; None: all are shown.
        """
        order = np.argsort(pts, kind="stable")
        return cls(
            pts=pts,
            is_key=is_key,
            sizes=sizes,
            positions=np.full(len(pts), -1, np.int64) if positions is None else positions,
            seek_times=pts if seek_times is None else seek_times,
            readable=sizes > 0 if readable is None else readable & (sizes > 0),
            order=order if shown is None else order[shown[order]],
            time_base=time_base,
        )

    @property
    def packet_count(self) -> int:
        return len(self.pts)

    @property
    def frame_count(self) -> int:
        return len(self.order)

    @cached_property
    def frame_of(self) -> NDArray[np.intp]:
        """intp[n]: the frame that each packet makes; -1 for those that are not shown."""
        frames = np.full(self.packet_count, -1, np.intp)
        frames[self.order] = np.arange(len(self.order))
        return frames

    @cached_property
    def keys(self) -> NDArray[np.intp]:
        """Packets at which decoding may start."""
        return np.flatnonzero(self.is_key & self.readable)

    @cached_property
    def _by_position(self) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
        order = np.argsort(self.positions, kind="stable")
        return self.positions[order], order

    def start_for(self, frame: int, *, earlier: int = 0) -> int:
        """The packet at which decoding must start to get a frame.

        The last key frame that is neither shown nor decoded after it: frames that are decoded after a key
        frame but shown before it (an open GOP's leading pictures) need the key frame before.

        Args:
            frame: in display order.
            earlier: start as many key frames before that.
        """
        packet = int(self.order[frame])
        number = int(self.keys.searchsorted(packet, side="right")) - 1
        while number > 0 and self.frame_of[self.keys[number]] > frame:
            number -= 1
        number -= earlier
        return int(self.keys[number]) if number >= 0 else 0

    def packet_at(self, position: int, size: int, pts: int | None) -> int | None:
        """The packet of that number of bytes at that byte of the file; None where none or several fit."""
        positions, order = self._by_position
        first = int(positions.searchsorted(position, side="left"))
        stop = int(positions.searchsorted(position, side="right"))
        fits = [int(p) for p in order[first:stop] if self.sizes[p] == size]
        if len(fits) > 1:
            fits = [p for p in fits if self.pts[p] == pts]
        return fits[0] if len(fits) == 1 else None

    @cached_property
    def timestamps_ns(self) -> NDArray[np.int64]:
        """int64[m]: when each frame is shown, in ns, rounded; in display order, so non-decreasing.

        Raises:
            DamagedRecordingError: a time lies beyond what nanoseconds can say.
        """
        return freeze(to_ns(np.sort(self.pts[self.order]), self.time_base))

    @cached_property
    def typical_gop(self) -> int:
        """Frames from one key frame to the next: the mean."""
        return self.packet_count // max(1, int(np.count_nonzero(self.is_key)))


def to_ns(times: NDArray[np.int64], time_base: Fraction) -> NDArray[np.int64]:
    """Times in units of a time base as nanoseconds, rounded half up, in integers throughout.

    Raises:
        DamagedRecordingError: a time lies beyond what nanoseconds can say.
    """
    numerator, denominator = time_base.numerator, time_base.denominator
    if not len(times):
        return np.empty(0, np.int64)
    furthest = max(abs(int(times.min())), abs(int(times.max())))
    if furthest * numerator // denominator > _LONGEST_S:
        raise DamagedRecordingError("Its timestamps lie beyond any time.", remedy="Copy the file again.")
    if denominator >= 2**32 or furthest * numerator >= 2**63:
        return np.array([(2 * int(t) * numerator * _NS + denominator) // (2 * denominator) for t in times])
    whole_s, rest = np.divmod(times * numerator, denominator)
    times_ns: NDArray[np.int64] = whole_s * _NS + (rest * _NS + denominator // 2) // denominator
    return times_ns
