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
from hfviewer.codecs.video.arrival import arrival_of, before_their_key
from hfviewer.codecs.video.decode_order import sorter_for
from hfviewer.codecs.video.packet_table import PacketTable
from hfviewer.codecs.video.reference_chain import chain_for
from hfviewer.codecs.video.references import reference_test
from hfviewer.codecs.video.server import FrameServer
from hfviewer.codecs.video.source import Numbered, Packet, set_up
from hfviewer.core.errors import FrameError

_START_CODE = b"\0\0\0\1"


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
        is_key: bool[n], in decode order.
        in_order: False where `arrival` is the order of display; units are sorted then by what they say.
    """

    def __init__(
        self,
        codec: str,
        payload: Callable[[int], Buffer],
        arrival: NDArray[np.intp],
        *,
        typical_gop: int,
        in_order: bool,
        is_key: NDArray[np.bool_],
    ) -> None:
        self.in_order = in_order
        self._is_key = is_key
        self._sorter = sorter_for(codec)
        self._payload = payload
        self._arrival = arrival
        context = av.CodecContext.create(codec, "r")
        assert isinstance(context, av.VideoCodecContext)
        self.context = context
        set_up(context, typical_gop=typical_gop)

    def packets_from(self, number: int) -> Iterator[Numbered]:
        self.context.flush_buffers()
        numbered = self._numbered(number)
        return numbered if self.in_order else self._sorter(numbered)

    def close(self) -> None:
        return

    def _numbered(self, first: int) -> Iterator[Numbered]:
        """Units that cannot be read are left out; the decoder sees from the numbers that they are missing."""
        for number in range(first, len(self._arrival)):
            try:
                unit = with_start_codes(self._payload(int(self._arrival[number])))
            except FrameError:
                if not self.in_order and self._is_key[number]:
                    return  # Units that are not numbered cannot show that a key frame is missing.
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
        sequence: int64[n], of the entries: the counter that keeps the order of arrival.
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
        found = arrival_of(sequence, timestamps_ns)
        arrival = found.order
        strays = found.strays | before_their_key(arrival, is_key)
        order = np.empty(len(arrival), np.intp)
        order[arrival] = np.arange(len(arrival))
        table = PacketTable(
            pts=timestamps_ns[arrival],
            is_key=is_key[arrival],
            sizes=np.ones(len(arrival), np.int64),
            positions=np.full(len(arrival), -1, np.int64),
            seek_times=timestamps_ns[arrival],
            readable=~strays[arrival],
            order=order,
            time_base=Fraction(1, 1_000_000_000),
            lost=found.lost,
        )
        self._payload = payload
        self._strays = strays
        self._server = FrameServer(
            lambda: UnitSource(
                codec,
                payload,
                arrival,
                typical_gop=table.typical_gop,
                in_order=found.is_known,
                is_key=table.is_key,
            ),
            table,
            is_reference=reference_test(codec, None),
            open_chain=chain_for(codec, None),
        )

    def picture(self, index: int) -> av.VideoFrame:
        """The decoded picture of one entry.

        Raises:
            FrameError: it, or one that it builds on, cannot be read or decoded.
        """
        if self._strays[index]:
            raise FrameError(
                "Its sequence number and its timestamp contradict each other: it is not known after which"
                " frames it must be decoded."
            )
        try:
            return self._server.picture(index)
        except FrameError:
            with_start_codes(self._payload(index))  # What is wrong with the unit itself says more.
            raise

    def close(self) -> None:
        """Stop decoding and forget what is kept."""
        self._server.close()
