"""Video inside a container of our own: one access unit a frame, with key frames marked.

Units are H.264 or HEVC byte streams (start codes), parameter sets repeated at key frames; units in the manner
of mp4 (lengths of four bytes) are understood too.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import cast

import av
import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.compression import Buffer
from hfviewer.codecs.video.packet_table import PacketTable
from hfviewer.codecs.video.references import reference_test
from hfviewer.codecs.video.server import FrameServer
from hfviewer.codecs.video.source import Numbered, Packet, set_up
from hfviewer.core.errors import FrameError

_FARTHEST = 64  # places by which reordering can move a frame; decoders hold 16
_START_CODE = b"\0\0\0\1"


def arrival_order(sequence: NDArray[np.int64]) -> NDArray[np.intp]:
    """In which order units were written, which is the order in which they must be decoded.

    A container's entries are sorted by timestamp, the time of display. `sequence` keeps the order of arrival:
    where there are B frames the two differ by a few places. Where a counter starts again or jumps back it
    says nothing across that place, and is followed on either side of it. Where it would still move a unit
    farther than any decoder can, it says nothing about decoding, and between those two jumps the order of
    display is taken.

    Args:
        sequence: int64[n], in the order of the entries.

    Returns:
        intp[n]: entries in decode order.
    """
    places = np.arange(len(sequence))
    order = np.argsort(sequence, kind="stable")
    if not np.any(np.abs(order - places) > _FARTHEST):
        return order
    run = np.zeros(len(sequence), np.intp)  # between which two jumps a unit is
    run[1:] = np.cumsum(sequence[1:] < sequence[:-1] - _FARTHEST)
    order = np.lexsort((sequence, run))
    meaningless = np.unique(run[np.abs(order - places) > _FARTHEST])
    return np.lexsort((np.where(np.isin(run, meaningless), places, sequence), run))


def with_start_codes(unit: Buffer) -> bytes:
    """An access unit as a byte stream: lengths of four bytes become start codes.

    Raises:
        FrameError: neither start codes nor lengths that fit.
    """
    data = bytes(unit)
    # Lengths first: one of 256 to 511 bytes looks like a start code, but start codes never fit as lengths.
    parts: list[bytes] = []
    at = 0
    while at + 4 <= len(data):
        (size,) = struct.unpack_from(">I", data, at)
        if not 0 < size <= len(data) - at - 4:
            break
        parts += (_START_CODE, data[at + 4 : at + 4 + size])
        at += 4 + size
    if at == len(data):
        return b"".join(parts)
    if data[:3] == b"\0\0\1" or data[:4] == _START_CODE:
        return data
    raise FrameError("It is not an H.264 or HEVC access unit.")


class UnitSource:
    """Packets made of the payloads of a stream.

    Args:
        codec: ``h264`` or ``hevc``.
        payload: gives the payload of an entry; FrameError where it cannot be read.
        arrival: entries in decode order.
        typical_gop: frames from one key frame to the next.
    """

    def __init__(
        self, codec: str, payload: Callable[[int], Buffer], arrival: NDArray[np.intp], typical_gop: int
    ) -> None:
        self._payload = payload
        self._arrival = arrival
        context = av.CodecContext.create(codec, "r")
        assert isinstance(context, av.VideoCodecContext)
        self.context = context
        set_up(context, typical_gop=typical_gop)

    def packets_from(self, number: int) -> Iterator[Numbered]:
        self.context.flush_buffers()
        return self._numbered(number)

    def close(self) -> None:
        return

    def _numbered(self, first: int) -> Iterator[Numbered]:
        """Units that cannot be read are left out; the decoder sees from the numbers that they are missing."""
        for number in range(first, len(self._arrival)):
            try:
                unit = with_start_codes(self._payload(int(self._arrival[number])))
            except FrameError:
                continue
            if unit:
                yield number, _packet(unit)


def _packet(unit: bytes) -> Packet:
    """A packet with a copy of the bytes.

    ``av.Packet(unit)`` would point at the bytes themselves, without the padding that decoders read, and a
    decoding thread that lets go of them needs the interpreter's lock: while the decoder is being freed, which
    holds that lock and waits for its threads, neither goes on.
    """
    packet = av.Packet(len(unit))
    packet.update(unit)
    return cast("Packet", packet)


class AccessUnits:
    """Frames of a stream whose payloads are access units. Safe from any thread.

    Args:
        codec: ``h264`` or ``hevc``.
        payload: gives the payload of an entry, from any thread; FrameError where it cannot be read.
        timestamps_ns: int64[n], of the entries, sorted.
        sequence: int64[n], of the entries: the order of arrival, see `arrival_order`.
        is_key: bool[n], of the entries.
    """

    def __init__(
        self,
        codec: str,
        payload: Callable[[int], Buffer],
        *,
        timestamps_ns: NDArray[np.int64],
        sequence: NDArray[np.int64],
        is_key: NDArray[np.bool_],
    ) -> None:
        arrival = arrival_order(sequence)
        order = np.empty(len(arrival), np.intp)
        order[arrival] = np.arange(len(arrival))
        table = PacketTable(
            pts=timestamps_ns[arrival],
            is_key=is_key[arrival],
            sizes=np.ones(len(arrival), np.int64),
            positions=np.full(len(arrival), -1, np.int64),
            seek_times=timestamps_ns[arrival],
            readable=np.ones(len(arrival), bool),
            order=order,
            time_base=Fraction(1, 1_000_000_000),
        )
        self._payload = payload
        self._server = FrameServer(
            lambda: UnitSource(codec, payload, arrival, table.typical_gop),
            table,
            is_reference=reference_test(codec, None),
        )

    def picture(self, index: int) -> av.VideoFrame:
        """The decoded picture of one entry.

        Raises:
            FrameError: it, or one that it builds on, cannot be read or decoded.
        """
        try:
            return self._server.picture(index)
        except FrameError:
            with_start_codes(self._payload(index))  # What is wrong with the unit itself says more.
            raise

    def close(self) -> None:
        """Stop decoding and forget what is kept."""
        self._server.close()
