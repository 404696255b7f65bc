"""What a video file holds: its tracks and their packet tables, without decoding a picture.

An mp4 file's own sample tables are read where they are simple; else one pass is made over the packets (mkv,
webm, avi, fragmented mp4, more than one edit). Both give the same tables; what was found is kept in memory
for as long as the file stays as it is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import av
import numpy as np
from av.stream import Disposition
from av.video.stream import VideoStream as AvVideoStream

from hfviewer.codecs.video.boxes import top_level
from hfviewer.codecs.video.container import sniff_container
from hfviewer.codecs.video.file_end import missing_end
from hfviewer.codecs.video.moov import SampleTable, read_moov
from hfviewer.codecs.video.packet_pass import in_order_of_decoder, pass_over
from hfviewer.codecs.video.packet_table import PacketTable
from hfviewer.codecs.video.reference_chain import OpenChain, chain_for
from hfviewer.codecs.video.references import ReferenceTest, reference_test
from hfviewer.codecs.video.source import AV_ERRORS, MAX_PIXELS, open_container, said
from hfviewer.core.errors import DamagedRecordingError

_HEAD_BYTES = 4096
_KEPT_FILES = 64
_COPY = "Copy the file again; if it was recorded like that, its recorder was cut off."
_NO_MOOV = "Its recorder was killed before it wrote where the pictures lie; no player can open it either."


@dataclass(frozen=True, kw_only=True, eq=False)
class VideoTrack:
    """One video track of a file.

    Args:
        number: of the stream in its container.
        codec: ``h264``, ``hevc``, ``av1``, ``vp9``, ``mjpeg``, ``ffv1`` …
        width: pixels.
        height: pixels.
        pixel_format: as FFmpeg names it, e.g. ``yuv420p``, ``gray12le``; empty where it is not known.
        matrix: of the colours, by ITU-T H.273; 2 where the file does not say.
        table: its packets.
        is_reference: tells which packets other pictures may need; None where that cannot be told.
        open_chain: follows what its packets build on; None where that cannot be told.
        from_moov: True where the table was read from ``moov``.
        problem: why it cannot be decoded by this version; empty where it can.
    """

    number: int
    codec: str
    width: int
    height: int
    pixel_format: str
    matrix: int
    table: PacketTable
    is_reference: ReferenceTest | None
    open_chain: OpenChain | None
    from_moov: bool
    problem: str


@dataclass(frozen=True, kw_only=True, eq=False)
class VideoFile:
    """What a video file holds.

    Args:
        path: of the file.
        container: ``mp4``, ``matroska`` or ``avi``, as FFmpeg's readers are named.
        tracks: its video tracks, in the order of the file; cover pictures are left out.
        end_missing: what says that the file ends too early; empty where nothing does.
        file_bytes: size of the file.
    """

    path: Path
    container: str
    tracks: tuple[VideoTrack, ...]
    end_missing: str
    file_bytes: int


def probe(path: str | os.PathLike[str]) -> VideoFile:
    """Read what a video file holds.

    Raises:
        DamagedRecordingError: not a video file, or one that cannot be opened.
        OSError: it cannot be read.
    """
    path = Path(path)
    stat = path.stat()
    try:
        return _probe(path, stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns)
    except DamagedRecordingError as error:
        raise DamagedRecordingError(error.problem, remedy=error.remedy or _COPY, path=path) from error


def forget() -> None:
    """Forget what was found in files that are not open."""
    _probe.cache_clear()


@lru_cache(_KEPT_FILES)
def _probe(path: Path, _device: int, _inode: int, size: int, _changed_ns: int) -> VideoFile:
    with _opened(path) as fd:
        head = os.pread(fd, _HEAD_BYTES, 0)
        container = sniff_container(head)
        if container is None:
            raise DamagedRecordingError("This is not an mp4, mkv, webm or avi file.", remedy=_COPY)
        top = top_level(fd, size) if container == "mp4" else None
        tables = read_moov(fd, top) if top is not None else {}
        end_missing = top.damage if top is not None else missing_end(head, size)
    if top is not None and top.moov is None:
        raise DamagedRecordingError(
            "The video was never finished: its index (moov) is missing.", remedy=_NO_MOOV
        )
    try:
        with open_container(path, container) as opened:
            return _read(opened, path, container, size, end_missing, tables)
    except AV_ERRORS as error:
        problem = f"The video file cannot be opened ({said(error)})."
        raise DamagedRecordingError(problem, remedy=_COPY) from error


def _read(
    opened: av.container.InputContainer,
    path: Path,
    container: str,
    size: int,
    end_missing: str,
    tables: dict[int, SampleTable | None],
) -> VideoFile:
    streams = [stream for stream in opened.streams.video if not stream.disposition & Disposition.attached_pic]
    found = {stream.id: tables.get(stream.id) for stream in streams}
    simple = container == "mp4" and all(_fits(stream, found[stream.id]) for stream in streams)
    if simple:
        packed = [_from_samples(table, size) for table in found.values() if table is not None]
    else:
        lists = pass_over(opened, streams)
        packed = [
            packets.table(stream.time_base or Fraction(1, 1000), by_dts=container == "avi")
            for stream, packets in zip(streams, lists, strict=True)
        ]
        stopped = next((packets.stopped for packets in lists if packets.stopped), "")
        end_missing = end_missing or stopped or _early_end(opened, packed)
        if container == "avi":
            packed = [_shown(path, stream, table) for stream, table in zip(streams, packed, strict=True)]
    return VideoFile(
        path=path,
        container=container,
        tracks=tuple(
            _track(stream, table, from_moov=simple) for stream, table in zip(streams, packed, strict=True)
        ),
        end_missing=end_missing,
        file_bytes=size,
    )


def _track(stream: AvVideoStream, table: PacketTable, *, from_moov: bool) -> VideoTrack:
    context = stream.codec_context
    problem = ""
    if context is None:
        codec, width, height, pixel_format, matrix = "unknown", 0, 0, "", 2
        problem = "This version has no decoder for it."
    else:
        codec, pixel_format = context.codec.canonical_name, context.pix_fmt or ""
        width, height, matrix = context.width, context.height, int(context.colorspace)
        if width * height > MAX_PIXELS:
            problem = f"It claims an impossible size ({width} × {height})."
    return VideoTrack(
        number=stream.index,
        codec=codec,
        width=width,
        height=height,
        pixel_format=pixel_format,
        matrix=matrix,
        table=table,
        is_reference=None if context is None else reference_test(codec, context.extradata),
        open_chain=None if context is None else chain_for(codec, context.extradata),
        from_moov=from_moov,
        problem=problem,
    )


def _from_samples(samples: SampleTable, file_bytes: int) -> PacketTable:
    ends = samples.offsets + samples.sizes
    return PacketTable.build(
        pts=samples.pts,
        is_key=samples.is_key,
        sizes=samples.sizes,
        positions=samples.offsets,
        readable=(samples.offsets >= 0) & (ends <= file_bytes),
        time_base=Fraction(1, samples.timescale),
    )


def _fits(stream: AvVideoStream, samples: SampleTable | None) -> bool:
    """Whether our table and FFmpeg speak of the same track."""
    return (
        samples is not None
        and stream.time_base == Fraction(1, samples.timescale)
        and stream.frames == len(samples.pts)
    )


def _shown(path: Path, stream: AvVideoStream, table: PacketTable) -> PacketTable:
    """The table of an avi file's track, in the order of showing."""
    context = stream.codec_context
    if context is None or not context.reorder_depth or not table.frame_count:
        return table
    with open_container(path, "avi") as opened:
        again = opened.streams[stream.index]
        return in_order_of_decoder(opened, again, table) if isinstance(again, AvVideoStream) else table


def _early_end(opened: av.container.InputContainer, tables: list[PacketTable]) -> str:
    """Whether the file says that it lasts longer than its packets."""
    if opened.duration is None or not tables:
        return ""
    last_us = -1
    for table in tables:
        if table.frame_count:
            stamps_ns = table.timestamps_ns
            usual_ns = int(np.median(np.diff(stamps_ns))) if len(stamps_ns) > 1 else 0
            last_us = max(last_us, (int(stamps_ns[-1]) + 2 * usual_ns) // 1000)
    missing_ms = (opened.duration - last_us) // 1000
    start_ms = 0 if opened.start_time is None else max(0, opened.start_time // 1000)
    return f"it says that it lasts {missing_ms} ms longer" if missing_ms - start_ms > 500 else ""


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    fd = os.open(path, os.O_RDONLY)
    try:
        yield fd
    finally:
        os.close(fd)
