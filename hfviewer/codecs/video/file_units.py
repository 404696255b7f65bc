"""The packets of a video file as access units of a byte stream: for files that keep one unit a frame."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

from av.bitstream import BitStreamFilterContext
from av.video.stream import VideoStream as AvVideoStream

from hfviewer.codecs.video.packet_table import PacketTable
from hfviewer.codecs.video.source import AV_ERRORS, is_flush, open_container, said
from hfviewer.core.errors import FrameError

_KEPT = 128  # packets; frames come in order of showing, units in order of decoding


class FileUnits:
    """Access units of one track, parameter sets repeated at key frames, nothing re-encoded.

    Units are best asked for in about the order of the file; going back farther reads it again from the start.

    Args:
        path: of the file.
        container: its format, as `container.sniff_container` names it.
        track: number of the stream in it.
        codec: ``h264`` or ``hevc``.
        table: its packets.
    """

    def __init__(self, path: Path, container: str, track: int, codec: str, table: PacketTable) -> None:
        self._path, self._format, self._track = path, container, track
        self._filter = f"{codec}_mp4toannexb"
        self._table = table
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, bytes] = OrderedDict()
        self._units: Iterator[tuple[int, bytes]] | None = None
        self._next = 0

    def unit(self, packet: int) -> bytes:
        """The unit of one packet, numbered in decode order.

        Raises:
            FrameError: it cannot be read.
        """
        if not self._table.readable[packet]:
            raise FrameError("The file ends before it is complete.")
        with self._lock:
            if packet in self._kept:
                return self._kept[packet]
            if self._units is None or packet < self._next:
                self._units, self._next = self._read(), 0
            for number, unit in self._units:
                self._next = number + 1
                self._kept[number] = unit
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
                if number == packet:
                    return unit
                if number > packet:
                    break
        raise FrameError("It cannot be read from the video file.")

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._units = None
            self._kept.clear()

    def _read(self) -> Iterator[tuple[int, bytes]]:
        try:
            with open_container(self._path, self._format) as opened:
                stream = opened.streams[self._track]
                if not isinstance(stream, AvVideoStream):
                    raise FrameError("The video file has changed since it was opened.")
                to_byte_stream = BitStreamFilterContext(self._filter, stream)
                number = 0
                for packet in opened.demux(stream):
                    if is_flush(packet):
                        return
                    place = None if packet.pos is None else packet.pos
                    found = None if place is None else self._table.packet_at(place, packet.size, packet.pts)
                    number = number if found is None else found
                    units = to_byte_stream.filter(packet)
                    yield number, b"".join(bytes(unit) for unit in units)
                    number += 1
        except (*AV_ERRORS, IndexError) as error:
            raise FrameError(f"The video file cannot be read ({said(error)}).") from error
