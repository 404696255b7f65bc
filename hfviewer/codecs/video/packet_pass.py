"""A packet table by one pass over all packets of a file, for formats without simple tables of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import av
import numpy as np
from av.video.stream import VideoStream as AvVideoStream
from numpy.typing import NDArray

from hfviewer.codecs.video.moov import MAX_SAMPLES
from hfviewer.codecs.video.packet_table import PacketTable
from hfviewer.codecs.video.source import AV_ERRORS, Packet, is_flush, said
from hfviewer.core.errors import DamagedRecordingError


@dataclass(slots=True)
class PacketList:
    """The packets of one track, in decode order, as they were met.

    Args:
        stopped: why the pass ended before the end of the file; empty where it did not.
    """

    pts: list[int | None] = field(default_factory=list)
    dts: list[int | None] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    is_key: list[bool] = field(default_factory=list)
    is_discard: list[bool] = field(default_factory=list)
    is_corrupt: list[bool] = field(default_factory=list)
    stopped: str = ""

    def add(self, packet: Packet) -> None:
        """Note one packet; its bytes are not kept."""
        self.pts.append(packet.pts)
        self.dts.append(packet.dts)
        self.positions.append(-1 if packet.pos is None else packet.pos)
        self.sizes.append(packet.size)
        self.is_key.append(packet.is_keyframe)
        self.is_discard.append(packet.is_discard)
        self.is_corrupt.append(packet.is_corrupt)

    def table(self, time_base: Fraction, *, by_dts: bool) -> PacketTable:
        """As a packet table.

        Args:
            time_base: seconds a unit.
            by_dts: True for formats that know only when to decode: what they say of showing is made up.
        """
        dts = _filled([p if d is None else d for p, d in zip(self.pts, self.dts, strict=True)])
        # Where only the time of decoding is known, it stands in for that of showing.
        pts = (
            dts
            if by_dts
            else _filled([d if p is None else p for p, d in zip(self.pts, self.dts, strict=True)])
        )
        return PacketTable.build(
            pts=pts,
            is_key=np.array(self.is_key, bool),
            sizes=np.array(self.sizes, np.int64),
            positions=np.array(self.positions, np.int64),
            readable=~np.array(self.is_corrupt, bool),
            shown=~np.array(self.is_discard, bool),
            time_base=time_base,
        )


def pass_over(opened: av.container.InputContainer, streams: Sequence[AvVideoStream]) -> list[PacketList]:
    """One pass over all packets of a file.

    Returns:
        The packets of each stream, in the same order.

    Raises:
        DamagedRecordingError: there are absurdly many.
    """
    lists = {stream.index: PacketList() for stream in streams}
    stopped = ""
    total = 0
    try:
        for packet in opened.demux(tuple(streams)) if streams else ():
            if is_flush(packet):
                continue
            lists[packet.stream_index].add(packet)
            total += 1
            if total > MAX_SAMPLES:
                raise DamagedRecordingError(
                    "The video has more frames than any recording.", remedy="Copy the file again."
                )
    except AV_ERRORS as error:
        stopped = f"reading stops after {total} packets ({said(error)})"
    for packets in lists.values():
        packets.stopped = stopped
    return list(lists.values())


def in_order_of_decoder(
    opened: av.container.InputContainer, stream: AvVideoStream, table: PacketTable
) -> PacketTable:
    """The table with frames in the order in which the decoder gives them; everything is decoded once for it.

    Some formats (avi) say only in which order to decode. Where the codec reorders (B frames), the order of
    showing is in the pictures' own headers alone.

    Args:
        opened: the file, at its start.
        stream: of it, not decoded from yet.
        table: of the stream's packets, in decode order. Packets that give no picture become unreadable.
    """
    stream.codec_context.thread_type = "AUTO"
    given = [number for number in _numbers(opened, stream) if 0 <= number < table.packet_count]
    order = np.array(list(dict.fromkeys(given)), np.intp)
    silent = np.setdiff1d(np.arange(table.packet_count), order)
    readable = table.readable.copy()
    readable[silent] = False
    return replace(table, order=np.append(order, silent), readable=readable)


def _numbers(opened: av.container.InputContainer, stream: AvVideoStream) -> Iterator[int]:
    """Numbers of the packets in the order in which their pictures are shown."""
    number = -1
    for packet in opened.demux(stream):
        flush = is_flush(packet)
        if not flush:
            number += 1
            if packet.size == 0:
                continue
            packet.pts = number
        try:
            pictures = stream.codec_context.decode(None if flush else packet)
        except AV_ERRORS:
            continue
        yield from (picture.pts for picture in pictures if picture.pts is not None)


def _filled(times: list[int | None]) -> NDArray[np.int64]:
    """Times, each missing one a unit after the one before it."""
    filled = np.empty(len(times), np.int64)
    last = -1
    for i, time in enumerate(times):
        last = last + 1 if time is None else time
        filled[i] = last
    return filled
