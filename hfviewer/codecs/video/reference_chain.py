"""Whether the pictures that a packet builds on were all decoded before it, by what the slices' heads say.

Decoders conceal a missing reference: they put another picture in its place, and what builds on it looks
whole. The streams themselves tell: H.264 counts reference pictures (frame_num), HEVC lists in each picture
which others must be there (its reference picture set).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Protocol

from hfviewer.codecs.video import h264_headers, hevc_headers
from hfviewer.codecs.video.bits import HeaderError, unescaped
from hfviewer.codecs.video.nal_units import length_size, parameter_sets, units_of

_SLICE_HEAD_BYTES = 512
_HEVC_SLICES = frozenset((*range(10), *range(16, 22)))
_MOST_AHEAD = 16  # pictures by which the first one after a lost entry may be ahead in the order of display


class Link(Enum):
    """What a packet's picture builds on."""

    WHOLE = auto()
    """All of it is there."""
    BROKEN = auto()
    """Something is missing; it shows in what builds on this picture when that comes."""
    BROKEN_ON = auto()
    """Something is missing, for this picture and for those that follow until decoding may begin anew."""
    UNKNOWN = auto()
    """Its heads cannot be read."""


class ReferenceChain(Protocol):
    """Follows packets in the order in which they are decoded."""

    def begin(self) -> None:
        """Forget all pictures: the next packet is where decoding begins."""

    def add(self, packet: memoryview, *, lost: int) -> Link:
        """One more packet.

        Args:
            packet: that is decoded next.
            lost: how many packets are known to be missing right before it. As many as a stream's own count
                goes round in could be lost without a trace in it; then the answer is that it is broken.
        """


OpenChain = Callable[[], ReferenceChain]


def chain_for(codec: str, extradata: bytes | None) -> OpenChain | None:
    """How to follow a stream; None where it cannot be followed.

    Args:
        codec: ``h264``, ``hevc`` …
        extradata: of the container, see `nal_units.length_size`.
    """
    if codec == "h264":
        return lambda: H264Chain(extradata)
    if codec == "hevc":
        return lambda: HevcChain(extradata)
    return None


class H264Chain:
    """By frame_num (ITU-T H.264, 7.4.3).

    Each reference picture counts one more than the one before it; pictures that are no reference carry the
    number that the next reference will have. So a lost reference is seen, and a lost other picture is not,
    which harms nobody.

    Args:
        extradata: of the container.
    """

    def __init__(self, extradata: bytes | None = None) -> None:
        self._length_size = length_size("h264", extradata)
        self._sequences: dict[int, h264_headers.SequenceSet] = {}
        self._pictures: dict[int, h264_headers.PictureSet] = {}
        self._last: int | None = None  # frame_num of the last reference; None: decoding begins
        self._lost = 0  # packets known to be missing since then
        for unit in parameter_sets("h264", extradata):
            self._learn(unit)

    def begin(self) -> None:
        self._last, self._lost = None, 0

    def add(self, packet: memoryview, *, lost: int) -> Link:
        try:
            head = self.head(packet)
        except HeaderError:
            self._last = None
            return Link.BROKEN_ON if lost else Link.UNKNOWN
        if head is None:
            return Link.WHOLE  # no picture at all
        last, number = self._last, head.frame_num
        lost = self._lost = self._lost + lost
        if head.is_reference:
            self._last, self._lost = 0 if head.forgets_all else number, 0
        elif last is None:
            self._last = (number - 1) % head.modulus
        if head.is_idr or last is None:
            return Link.WHOLE
        fits = number == (last + 1) % head.modulus or (head.is_field and number == last)
        # An IDR picture and those after it, or one whole round: what is lost could be just what fits.
        ambiguous = lost >= (number or head.modulus)
        planned = head.gaps_allowed and not lost
        if (fits and not ambiguous) or planned:
            return Link.WHOLE
        return Link.BROKEN_ON if head.is_reference else Link.BROKEN

    def head(self, packet: memoryview) -> h264_headers.SliceHead | None:
        """The head of a packet's first slice; None where there is no slice.

        Raises:
            HeaderError: it cannot be read.
        """
        for unit in units_of(packet, self._length_size):
            kind = unit[0] & 31
            if kind in (h264_headers.SLICE, h264_headers.PARTITION_A, h264_headers.IDR_SLICE):
                data = unescaped(bytes(unit[:_SLICE_HEAD_BYTES]))
                return h264_headers.slice_head(data, self._pictures, self._sequences)
            self._learn(unit)
        return None

    def _learn(self, unit: memoryview) -> None:
        """Take in a parameter set. A damaged one changes nothing: decoders keep the one before, too."""
        try:
            if unit[0] & 31 == h264_headers.SEQUENCE_SET:
                number, sequence = h264_headers.sequence_set(unescaped(bytes(unit)))
                self._sequences[number] = sequence
            elif unit[0] & 31 == h264_headers.PICTURE_SET:
                number, picture = h264_headers.picture_set(unescaped(bytes(unit)))
                self._pictures[number] = picture
        except HeaderError:
            return


class HevcChain:
    """By reference picture sets (ITU-T H.265, 8.3.2): what a decoder must hold, and no more than that.

    Args:
        extradata: of the container.
    """

    def __init__(self, extradata: bytes | None = None) -> None:
        self._length_size = length_size("hevc", extradata)
        self._sequences: dict[int, hevc_headers.SequenceSet] = {}
        self._pictures: dict[int, hevc_headers.PictureSet] = {}
        self._held: set[int] = set()  # order counts of whole pictures that may still be needed
        self._lost = 0  # packets known to be missing since the last entry
        self._last = 0  # the order count from which the next one's upper part is told
        self._begins = True
        self._skips_leading = True
        for unit in parameter_sets("hevc", extradata):
            self._learn(unit)

    def begin(self) -> None:
        self._held.clear()
        self._last, self._lost, self._begins = 0, 0, True

    def add(self, packet: memoryview, *, lost: int) -> Link:
        try:
            head = self.head(packet)
        except HeaderError:
            return Link.BROKEN_ON if lost else Link.UNKNOWN
        if head is None:
            return Link.WHOLE
        fresh = head.is_idr or (head.is_entry and (self._begins or head.kind < 19))  # below 19: BLA
        if head.is_entry:
            self._skips_leading, self._lost = fresh, 0
        self._begins = False
        self._lost += 0 if head.is_entry else lost
        if head.is_leading and self._skips_leading:
            return Link.WHOLE  # left out by decoders, and never shown
        if fresh:
            self._held.clear()
        count = head.poc_lsb if fresh else hevc_headers.order_count(head, self._last)
        if head.counts:
            self._last = count
        ambiguous = self._is_ambiguous(head)
        if not self._keep_only(head, count) or ambiguous:
            return Link.BROKEN
        self._held.add(count)
        return Link.WHOLE

    def head(self, packet: memoryview) -> hevc_headers.SliceHead | None:
        """The head of a packet's first slice; None where there is no slice.

        Raises:
            HeaderError: it cannot be read.
        """
        for unit in units_of(packet, self._length_size):
            if len(unit) < 3 or unit[1] & 7 == 0 or unit[0] & 1 or unit[1] >> 3:
                continue  # too short, damaged, or of another layer than the first
            if unit[0] >> 1 & 63 in _HEVC_SLICES:
                data = unescaped(bytes(unit[:_SLICE_HEAD_BYTES]))
                head = hevc_headers.slice_head(data, self._pictures, self._sequences)
                if head is not None:
                    return head
            self._learn(unit)
        return None

    def _is_ambiguous(self, head: hevc_headers.SliceHead) -> bool:
        """Whether an IDR picture could be lost, or so many that the same counts came again."""
        if not self._lost:
            return False
        again = head.poc_lsb <= self._lost + _MOST_AHEAD and 0 in self._held
        return again or self._lost >= head.modulus // 2

    def _keep_only(self, head: hevc_headers.SliceHead, count: int) -> bool:
        """Let go of what it does not list; whether all is there that it uses itself."""
        wanted = {count + delta: used for delta, used in head.short_term}
        for value, used, is_distance in head.long_term:
            if is_distance:
                wanted[count - value] = used
            else:
                found = next((held for held in self._held if held % head.modulus == value), None)
                wanted[count + head.modulus if found is None else found] = used
        self._held &= wanted.keys()
        return all(other in self._held for other, used in wanted.items() if used)

    def _learn(self, unit: memoryview) -> None:
        """Take in a parameter set. A damaged one changes nothing."""
        kind = unit[0] >> 1 & 63
        try:
            if kind == hevc_headers.SEQUENCE_SET:
                number, sequence = hevc_headers.sequence_set(unescaped(bytes(unit)))
                self._sequences[number] = sequence
            elif kind == hevc_headers.PICTURE_SET:
                number, picture = hevc_headers.picture_set(unescaped(bytes(unit)))
                self._pictures[number] = picture
        except HeaderError:
            return
