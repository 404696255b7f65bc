"""One decoder: from where it stands, or from a key frame, to exactly one frame."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress

import av

from hfviewer.codecs.video.packet_table import PacketTable
from hfviewer.codecs.video.references import ReferenceTest
from hfviewer.codecs.video.source import AV_ERRORS, Numbered, Packet, PacketSource
from hfviewer.core.errors import FrameError

Keep = Callable[[int, av.VideoFrame], None]

_SEEK_COSTS = 3  # a seek takes about as long as so many frames
_LATEST = 64  # packets after a frame's own, by which any decoder has given it out
_EARLIER_KEYS = (1, 4)


class VideoDecoder:
    """Decodes one track; used by one thread at a time.

    Frames are told apart by the number of the packet that they were made of, which travels through the
    decoder in place of the packet's timestamp: missing, repeated or rounded timestamps confuse nothing.

    Args:
        source: of packets; closed with the decoder.
        table: of the same packets.
        is_reference: tells which packets other pictures may need; others are left out on the way. None: all
            are decoded.
    """

    def __init__(
        self, source: PacketSource, table: PacketTable, *, is_reference: ReferenceTest | None = None
    ) -> None:
        self._source = source
        self._table = table
        self._is_reference = is_reference
        self._ready: deque[av.VideoFrame] = deque()
        self._packets: Iterator[Numbered] | None = None
        self._position = -1  # the last frame given out since decoding began at a key frame
        self._start = 0  # the packet at which it began
        self._first = 0  # the frame that this one makes
        self._fed = -1  # the last packet that was read
        self._awaited: set[int] = set()  # frames that went in and have not come out yet
        self._broken: list[int] = []  # packets since the start that gave no whole picture
        self._ended = False

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
        for i, start in enumerate(dict.fromkeys(starts)):
            if i or not going_on:
                self._restart(start)
            found = self._advance(frame, keep_from, keep, cancelled)
            # What the first try says is nearest to the truth: the others begin farther away.
            problem = problem or self._problem(frame, found)
            if found is not None and not self._problem(frame, found):
                return found
        self._packets = None
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
        self._awaited.clear()
        self._broken.clear()
        self._packets = self._source.packets_from(start)
        self._start, self._fed, self._position, self._ended = start, start - 1, -1, False
        self._first = int(self._table.frame_of[start]) if self._table.packet_count else 0

    def _advance(
        self, frame: int, keep_from: int, keep: Keep, cancelled: Callable[[], bool]
    ) -> av.VideoFrame | None:
        """Decode until the frame comes; None where it does not."""
        wanted = int(self._table.order[frame])
        while True:
            while self._ready:
                picture = self._ready.popleft()
                number = self._number_of(picture)
                if number < 0:
                    continue
                self._position = max(self._position, number)
                self._note(number, picture)
                if number >= keep_from and not self._problem(number, picture):
                    keep(number, picture)
                if number == frame:
                    return picture
            if self._ended or self._packets is None or self._fed > wanted + _LATEST:
                return None
            if cancelled():
                raise FrameError("Reading was stopped: the recording was closed.")
            self._feed(keep_from)

    def _number_of(self, picture: av.VideoFrame) -> int:
        packet = picture.pts
        if packet is None or not 0 <= packet < self._table.packet_count:
            return -1
        return int(self._table.frame_of[packet])

    def _note(self, frame: int, picture: av.VideoFrame) -> None:
        """A picture came: those that should have come before it will not come any more."""
        self._awaited.discard(frame)
        silent = [other for other in self._awaited if other < frame]
        self._awaited.difference_update(silent)
        broken = [int(self._table.order[other]) for other in silent]
        if picture.is_corrupt and frame >= self._first:
            broken.append(int(self._table.order[frame]))
        self._broken.extend(broken)

    def _feed(self, keep_from: int) -> None:
        """One packet in; what comes out is ready."""
        assert self._packets is not None
        numbered = next(self._packets, None)
        if numbered is None:
            self._ended = True
            self._decode(None)
            return
        number, packet = numbered
        self._broken.extend(range(self._fed + 1, number))  # left out, because they could not be read
        self._fed = number
        if number >= self._table.packet_count:
            return
        if not self._table.readable[number]:
            self._broken.append(number)
            return
        frame = int(self._table.frame_of[number])
        if (
            0 <= frame < keep_from
            and self._is_reference is not None
            and not self._is_reference(memoryview(packet))
        ):
            return
        if frame >= self._first:  # leading pictures of the GOP where it began cannot come
            self._awaited.add(frame)
        packet.pts = number
        self._decode(packet)

    def _decode(self, packet: Packet | None) -> None:
        """What cannot be decoded gives no picture; `_note` sees that. Frames of other packets still come."""
        with suppress(*AV_ERRORS):
            self._ready.extend(self._source.context.decode(packet))

    def _problem(self, frame: int, picture: av.VideoFrame | None) -> str:
        """What is wrong with a picture, or with one that it builds on; empty where all is well."""
        packet, start = int(self._table.order[frame]), self._table.start_for(frame)
        broken = next((number for number in self._broken if start <= number < packet), None)
        if broken is not None:
            return f"It builds on frame {int(self._table.frame_of[broken])}, which is damaged."
        if picture is None:
            return "It is damaged: the decoder gives no picture for it."
        return "It is damaged: the decoder could not restore it whole." if picture.is_corrupt else ""
