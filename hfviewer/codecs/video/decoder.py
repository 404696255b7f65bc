"""One decoder: from where it stands, or from a key frame, to exactly one frame."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress

import av

from hfviewer.codecs.video.in_flight import InFlight
from hfviewer.codecs.video.packet_table import PacketTable
from hfviewer.codecs.video.reference_chain import Link, OpenChain
from hfviewer.codecs.video.references import ReferenceTest
from hfviewer.codecs.video.source import AV_ERRORS, Numbered, Packet, PacketSource
from hfviewer.core.errors import FrameError

Keep = Callable[[int, av.VideoFrame], None]

_SEEK_COSTS = 3  # a seek takes about as long as so many frames
_LATEST = 64  # packets after a frame's own, by which any decoder has given it out
_EARLIER_KEYS = (1, 4)
_NOT_KNOWN = -1  # a packet that is not in the table
_UNFOUNDED = "A frame that it builds on is damaged or missing."


class VideoDecoder:
    """Decodes one track; used by one thread at a time.

    Frames are told apart by the number of the packet that they were made of, which travels through the
    decoder in place of the packet's timestamp: missing, repeated or rounded timestamps confuse nothing.

    Args:
        source: of packets; closed with the decoder.
        table: of the same packets.
        is_reference: tells which packets other pictures may need; others are left out on the way. None: all
            are decoded.
        open_chain: tells whether what a packet builds on is there; None: only what the decoder itself reports
            is known.
    """

    def __init__(
        self,
        source: PacketSource,
        table: PacketTable,
        *,
        is_reference: ReferenceTest | None = None,
        open_chain: OpenChain | None = None,
    ) -> None:
        self._source = source
        self._table = table
        self._is_reference = is_reference
        self._chain = None if open_chain is None else open_chain()
        self._ready: deque[tuple[int, av.VideoFrame]] = deque()  # packets and their pictures, as they came
        self._packets: Iterator[Numbered] | None = None
        self._position = -1  # the last frame given out since decoding began at a key frame
        self._start = 0  # the packet at which it began
        self._first = 0  # the frame that this one makes
        self._fed = -1  # the last packet that was read
        self._in_flight = InFlight()
        # Turns and numbers of the packets since the start that gave no whole picture.
        self._broken: list[tuple[int, int]] = []
        self._turns: dict[int, int] = {}  # when a packet went in, where that is not in the order of numbers
        self._missed: list[int] = []  # packets that could not be read since the last one that went in
        self._lost = 0  # packets known to be missing since then
        self._unfounded: set[int] = set()  # packets since the start that build on one that is missing
        self._ended = False
        self.culprit: int | None = None
        """The packet because of which the last frame that failed could not be decoded, from wherever it was
        begun; None where there is none. Nothing that follows it before the next key frame can be."""

    def close(self) -> None:
        """Release the file."""
        self._ready.clear()
        self._packets = None
        self._source.close()

    @property
    def next_frame(self) -> int | None:
        """The frame that comes next by decoding on; None where decoding must begin at a key frame."""
        return None if self._packets is None else self._position + 1

    def cost(self, frame: int) -> int:
        """About how many frames must be decoded to get there from where it stands."""
        from_key = self._cost_from_key(frame)
        if self._packets is None or frame <= self._position:
            return from_key
        return min(frame - self._position, from_key)

    def decode(
        self, frame: int, *, keep_from: int, keep: Keep, cancelled: Callable[[], bool]
    ) -> av.VideoFrame:
        """Decode exactly one frame, and those before it that are wanted too.

        Args:
            frame: in display order.
            keep_from: this frame and those up to `frame` are given to `keep`.
            keep: is given frames and their numbers as they come.
            cancelled: asked between packets.

        Raises:
            FrameError: it cannot be decoded, or it was cancelled.
        """
        packet = int(self._table.order[frame])
        if not self._table.readable[packet]:
            empty = self._table.sizes[packet] <= 0
            raise FrameError("It is empty (0 bytes)." if empty else "The file ends before it is complete.")
        going_on = self._can_go_on(frame, keep_from)
        starts = [self._start] if going_on else [self._table.start_for(keep_from)]
        # Some streams need more than the key frame before: pictures refreshed in stripes, wrong key flags.
        starts += [self._table.start_for(frame, earlier=earlier) for earlier in (0, *_EARLIER_KEYS)]
        problem = ""
        culprits: list[int | None] = []
        for i, start in enumerate(dict.fromkeys(starts)):
            if i or not going_on:
                self._restart(start)
            found = self._advance(frame, keep_from, keep, cancelled)
            # What the first try says is nearest to the truth: the others begin farther away.
            problem = problem or self._problem(frame, found)
            if found is not None and not self._problem(frame, found):
                return found
            broken = self._builds_on_broken(frame)
            culprits.append(None if broken is None else broken[0])
        self._packets = None
        known = [culprit for culprit in culprits if culprit is not None]
        self.culprit = max(known) if self._source.in_order and len(known) == len(culprits) else None
        raise FrameError(problem)

    def _cost_from_key(self, frame: int) -> int:
        return _SEEK_COSTS + max(0, int(self._table.order[frame]) - self._table.start_for(frame))

    def _can_go_on(self, frame: int, keep_from: int) -> bool:
        """Whether decoding on from here gets there, and not much later than from a key frame."""
        if self._packets is None or keep_from <= self._position:
            return False
        return frame - self._position <= self._cost_from_key(keep_from) + frame - keep_from

    def _restart(self, start: int) -> None:
        self._packets = None
        self._ready.clear()
        self._in_flight.clear()
        self._broken.clear()
        self._missed.clear()
        self._lost = 0
        self._turns.clear()
        self._unfounded.clear()
        if self._chain is not None:
            self._chain.begin()
        self._packets = self._source.packets_from(start)
        self._start, self._fed, self._position, self._ended = start, start - 1, -1, False
        self._first = int(self._table.frame_of[start]) if self._table.packet_count else 0

    def _advance(
        self, frame: int, keep_from: int, keep: Keep, cancelled: Callable[[], bool]
    ) -> av.VideoFrame | None:
        """Decode until the frame comes; None where it does not."""
        wanted = int(self._table.order[frame])
        while True:
            while self._ready and self._in_flight.is_settled(self._turn(self._ready[0][0])):
                packet, picture = self._ready.popleft()
                number = int(self._table.frame_of[packet])
                self._position = max(self._position, number)
                if number >= keep_from and not self._problem(number, picture):
                    keep(number, picture)
                if number == frame:
                    return picture
            if self._packets is None or self._will_not_come(wanted):
                return None
            if cancelled():
                raise FrameError("Reading was stopped: the recording was closed.")
            self._feed(keep_from)

    def _will_not_come(self, packet: int) -> bool:
        if self._ended or self._fed > packet + _LATEST:
            return True
        return packet in self._unfounded or packet in self._in_flight.silent

    def _take(self, picture: av.VideoFrame) -> None:
        """Note a picture that came out; those that should have come before it will not come any more."""
        packet = picture.pts
        if packet is None or not 0 <= packet < self._table.packet_count or self._table.frame_of[packet] < 0:
            return
        broken = self._in_flight.came(packet, self._turn(packet))
        if picture.is_corrupt and self._table.frame_of[packet] >= self._first:
            broken.append(packet)
        self._broken.extend((self._turn(other), other) for other in broken)
        self._ready.append((packet, picture))

    def _feed(self, keep_from: int) -> None:
        """One packet in; what comes out is ready."""
        assert self._packets is not None
        numbered = next(self._packets, None)
        if numbered is None:
            self._ended = True
            self._decode(None)
            self._broken.extend((self._turn(other), other) for other in self._in_flight.end())
            return
        number, packet = numbered
        if self._source.in_order:
            self._miss(range(self._fed + 1, number))
        else:
            self._turns[number] = len(self._turns)
        self._fed = max(self._fed, number)
        if number >= self._table.packet_count:
            return
        if not self._table.readable[number]:
            self._miss(range(number, number + 1))
            return
        frame = int(self._table.frame_of[number])
        if self._table.lost is not None:
            self._lost += int(self._table.lost[number])
        needed = self._is_reference is None or self._is_reference(memoryview(packet))
        if 0 <= frame < keep_from and not needed:
            return
        if not self._follow(number, packet):
            return
        if 0 <= frame >= self._first:  # leading pictures of the GOP where it began cannot come
            self._in_flight.put(number, self._turn(number), is_reference=needed)
        packet.pts = number
        self._decode(packet)

    def _is_entry(self, number: int) -> bool:
        return number == self._start or bool(self._table.is_key[number])

    def _miss(self, numbers: range) -> None:
        """Packets that could not be read: what follows tells whether it needs them, but for key frames."""
        for number in numbers:
            known = self._chain is not None and not self._is_entry(number)
            if known:
                self._missed.append(number)
            else:
                self._broken.append((self._turn(number), number))

    def _follow(self, number: int, data: Packet) -> bool:
        """Note whether what a packet builds on was decoded before it, and say whether to decode it.

        Given a picture out of its place, decoders make up those that seem to be missing before it, and then
        take these for the real ones.
        """
        if self._chain is None:
            return True
        missed, self._missed = self._missed, []
        lost, self._lost = len(missed) + self._lost, 0
        link = self._chain.add(memoryview(data), lost=0 if number == self._start else lost)
        if link in (Link.WHOLE, Link.UNKNOWN):
            return True
        if self._is_entry(number) and link is Link.BROKEN_ON:
            # It needs nothing before it; what is shown before it may.
            self._broken.append((self._turn(number) - 1, _NOT_KNOWN))
            return True
        if missed and link is Link.BROKEN_ON:
            self._broken.extend((self._turn(packet), packet) for packet in missed)
            return True
        self._unfounded.add(number)
        if link is Link.BROKEN_ON:
            self._broken.append((self._turn(number), number))
        return link is Link.BROKEN_ON

    def _turn(self, packet: int) -> int:
        """A number that grows in the order in which packets go in."""
        return packet if self._source.in_order else self._turns.get(packet, -1)

    def _decode(self, packet: Packet | None) -> None:
        """What cannot be decoded gives no picture; `_take` sees that. Frames of other packets still come."""
        with suppress(*AV_ERRORS):
            for picture in self._source.context.decode(packet):
                self._take(picture)

    def _builds_on_broken(self, frame: int) -> tuple[int, int] | None:
        """Turn and number of the first packet that gave no whole picture and that a frame may build on."""
        start, own = self._turn(self._table.start_for(frame)), self._turn(int(self._table.order[frame]))
        return next((broken for broken in self._broken if start <= broken[0] < own), None)

    def _problem(self, frame: int, picture: av.VideoFrame | None) -> str:
        """What is wrong with a picture, or with one that it builds on; empty where all is well."""
        packet = int(self._table.order[frame])
        broken = self._builds_on_broken(frame)
        if packet in self._unfounded or self._turn(packet) < self._turn(self._table.start_for(frame)):
            return _UNFOUNDED
        if broken is not None:
            number = -1 if broken[1] == _NOT_KNOWN else int(self._table.frame_of[broken[1]])
            named = number >= 0 and broken[1] not in self._unfounded
            return f"It builds on frame {number}, which is damaged." if named else _UNFOUNDED
        if picture is None:
            return "It is damaged: the decoder gives no picture for it."
        return "It is damaged: the decoder could not restore it whole." if picture.is_corrupt else ""
