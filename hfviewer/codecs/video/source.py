"""Where packets come from: a video file, opened once for each decoder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

import av
import av.error
from av.stream import Discard
from av.video.stream import VideoStream as AvVideoStream

from hfviewer.codecs.video.packet_table import PacketTable
from hfviewer.core.errors import FrameError

if TYPE_CHECKING:
    Packet: TypeAlias = av.Packet[AvVideoStream]
else:  # at run time it takes no parameters
    Packet = av.Packet
Numbered: TypeAlias = tuple[int, Packet]

AV_ERRORS = (av.error.FFmpegError, OSError, ValueError, MemoryError, OverflowError, EOFError)
"""What PyAV raises over a damaged file."""

MAX_PIXELS = 1 << 26
"""A picture that claims more (8192 × 8192) is refused by the decoder before it allocates."""

LONG_GOP = 20
"""From here on, decoding several frames at once pays; below, it slows down seeking (measured: 2.8 ×)."""

_MOST_THREADS = 4


class PacketSource(Protocol):
    """Gives one decoder its packets."""

    context: av.VideoCodecContext
    in_order: bool
    """Whether packets come in the order of their numbers."""

    def packets_from(self, number: int) -> Iterator[Numbered]:
        """Go to a key frame, forget what the decoder held, and give packets with their numbers.

        Args:
            number: of the packet to begin with.

        Raises:
            FrameError: no packet at or before it can be reached.
        """

    def close(self) -> None:
        """Release the file."""


def open_container(path: Path, container: str) -> av.container.InputContainer:
    """Open a video file as one given format, so that a file cannot choose another and point elsewhere.

    Raises:
        one of `AV_ERRORS`.
    """
    return av.open(
        "file:" + os.fspath(path),
        "r",
        format=container,
        options={"max_pixels": str(MAX_PIXELS)},
        metadata_errors="replace",
    )


def set_up(context: av.VideoCodecContext, *, typical_gop: int) -> None:
    """Threads and limits of a decoder that is not open yet; see `LONG_GOP`."""
    context.thread_type = "AUTO" if typical_gop >= LONG_GOP else "SLICE"
    context.thread_count = min(_MOST_THREADS, os.cpu_count() or 1)
    context.options = {"max_pixels": str(MAX_PIXELS)}


def is_flush(packet: Packet) -> bool:
    """PyAV's sign that no more will come; a packet that is merely empty has a place in the file."""
    return packet.pos is None and packet.size == 0


def said(error: BaseException) -> str:
    """What a library said, without the path that it repeats."""
    return str(getattr(error, "strerror", None) or error or type(error).__name__)


class FileSource:
    """Packets of one track of a video file.

    Args:
        path: of the file.
        container: its format, as `container.sniff_container` names it.
        track: number of the stream in it.
        table: its packets.

    Raises:
        FrameError: it cannot be opened any more.
    """

    in_order = True

    def __init__(self, path: Path, container: str, track: int, table: PacketTable) -> None:
        self._path = path
        self._format = container
        self._track = track
        self._table = table
        self._open()

    def packets_from(self, number: int) -> Iterator[Numbered]:
        """See `PacketSource`.

        A file is asked for the key frame's *presentation* time: asked for its decoding time, mp4 files go one
        GOP too far back, silently (measured: 3.2 times slower). Where a seek lands behind the key frame, the
        key frame before is tried, then the start of the file.
        """
        keys = self._table.keys
        before = int(keys[max(0, int(keys.searchsorted(number)) - 1)]) if len(keys) else 0
        for at in (number, before, None):
            packets = self._numbered(at)
            first = next(packets, None)
            if first is not None and first[0] <= number:
                return _from(number, first, packets)
        raise FrameError("The video file cannot be read up to there.")

    def close(self) -> None:
        self._container.close()

    def _open(self) -> None:
        try:
            self._container = open_container(self._path, self._format)
            stream = self._container.streams[self._track]
            for other in self._container.streams:
                if other.index != self._track:
                    other.discard = Discard.all
        except (*AV_ERRORS, IndexError) as error:
            raise FrameError(f"The video file cannot be opened ({said(error)}).") from error
        if not isinstance(stream, AvVideoStream):
            raise FrameError("The video file has changed since it was opened.")
        self._stream = stream
        self.context = stream.codec_context
        set_up(self.context, typical_gop=self._table.typical_gop)

    def _numbered(self, at: int | None) -> Iterator[Numbered]:
        """Packets from about packet `at` on, or from the start of the file, each with its number.

        Raises nothing: what cannot be read ends it.
        """
        try:
            if at is None:
                before = self._container
                self._open()  # where it cannot be, what is open stays open
                before.close()
            else:
                self._container.seek(int(self._table.seek_times[at]), stream=self._stream, backward=True)
            number = 0 if at is None else -1
            for packet in self._container.demux(self._stream):
                if is_flush(packet):
                    return
                if not self._is(number, packet):
                    found = self._number_of(packet)
                    if found is None:
                        continue  # not in the table: the file is another one by now
                    number = found
                yield number, packet
                number += 1
        except (*AV_ERRORS, FrameError):
            return

    def _is(self, number: int, packet: Packet) -> bool:
        place = -1 if packet.pos is None else packet.pos
        return 0 <= number < self._table.packet_count and place == self._table.positions[number]

    def _number_of(self, packet: Packet) -> int | None:
        return None if packet.pos is None else self._table.packet_at(packet.pos, packet.size, packet.pts)


def _from(number: int, first: Numbered, rest: Iterator[Numbered]) -> Iterator[Numbered]:
    """Leave out what lies before a key frame: decoding begins there anyway."""
    if first[0] >= number:
        yield first
    for numbered in rest:
        if numbered[0] >= number:
            yield numbered
