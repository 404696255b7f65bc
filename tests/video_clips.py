"""Small video clips with the frame's number burnt in, made by the encoders that PyAV brings along.

Each picture carries its number as digits for people and as two rows of cells for `read_number`: sixteen bits,
and the same sixteen inverted, so that a picture mixed of two frames cannot pass for either.
"""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import struct
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 160, 96
_BITS = 16
_CELL = 10


@dataclass(frozen=True, kw_only=True)
class Clip:
    """How a clip is encoded.

    Args:
        codec: an encoder of FFmpeg's.
        frames: how many pictures.
        size: (width, height) in pixels; the width at least 160.
        pixel_format: as FFmpeg names it.
        options: of the encoder.
        container: options of the muxer, e.g. movflags.
        tag: the codec's tag in the container.
        pts: time of each picture, in units of `time_base`; None: 0, 1, 2 …
        time_base: seconds a unit.
        noise: standard deviation of noise in the lower half, so that a picture is not trivial to code.
        colours: (matrix, range) numbers to tag the stream with; None: untagged.
    """

    codec: str = "libx264"
    frames: int = 120
    size: tuple[int, int] = (WIDTH, HEIGHT)
    pixel_format: str = "yuv420p"
    options: dict[str, str] = field(default_factory=dict)
    container: dict[str, str] = field(default_factory=dict)
    tag: str | None = None
    pts: Sequence[int] | None = None
    time_base: Fraction = Fraction(1, 30)
    noise: float = 0.0
    colours: tuple[int, int] | None = None


def x264(gop: int, *, b_frames: int = 2, **more: Any) -> Clip:
    """H.264 with a key frame every `gop` pictures."""
    options = {
        "g": str(gop),
        "keyint_min": str(gop),
        "sc_threshold": "0",
        "bf": str(b_frames),
        "preset": "fast",
    }
    return Clip(options=options | more.pop("options", {}), **more)


def x265(params: str, **more: Any) -> Clip:
    """HEVC with parameters of x265's own."""
    return Clip(
        codec="libx265",
        options={"x265-params": f"log-level=none:pools=1:{params}"},
        tag=more.pop("tag", "hvc1"),
        **more,
    )


_TRACK_TICKS = 512  # of one frame in our mp4 files: 15360 ticks a second at 30 Hz
_FIRST_TICK = 2 * _TRACK_TICKS  # B frames shift the first picture by two

_VFR_PTS = [i for i in range(150) if i % 7 != 3 and not 40 <= i < 55]

RECIPES: dict[str, Clip | list[Clip]] = {
    "b_frames.mp4": x264(48),
    "open_gop.mp4": x265("keyint=24:min-keyint=24:open-gop=1:bframes=3:scenecut=0"),
    "x264_open_gop.mp4": x264(24, options={"x264-params": "open-gop=1:bframes=3:b-pyramid=normal"}),
    "intra_refresh.mp4": x264(250, b_frames=0, options={"x264-params": "intra-refresh=1:keyint=30"}),
    "dropped_frames.mp4": x264(24, frames=len(_VFR_PTS), pts=_VFR_PTS),
    "long_gop.mp4": x264(250, frames=260),
    "all_intra.mp4": x264(1, b_frames=0),
    "start_offset.mp4": x264(24, pts=range(95, 215)),
    "fragmented.mp4": x264(12, container={"movflags": "frag_keyframe+empty_moov"}),
    "index_first.mp4": x264(24, container={"movflags": "faststart"}),
    "milliseconds.mkv": x264(24),
    "b_frames.avi": x264(24),
    "mpeg4.avi": Clip(codec="mpeg4", options={"bf": "2", "g": "24"}),
    "mjpeg.avi": Clip(codec="mjpeg", pixel_format="yuvj420p"),
    "gray12.mp4": x265("qp=6:range=full:keyint=24", pixel_format="gray12le"),
    "hevc10.mp4": x265("keyint=24:bframes=3", pixel_format="yuv420p10le"),
    "hevc12.mp4": x265("keyint=24", pixel_format="yuv420p12le"),
    "vp9.webm": Clip(
        codec="libvpx-vp9", frames=60, options={"g": "24", "deadline": "realtime", "cpu-used": "8"}
    ),
    "av1.mp4": Clip(codec="libsvtav1", frames=60, options={"g": "24", "preset": "11"}),
    "picture_and_depth.mkv": [x264(48), Clip(codec="ffv1", pixel_format="gray16le", options={"g": "12"})],
}
"""Every clip that the tests share, by file name."""

EDITS: dict[str, list[tuple[int, int]]] = {
    "starts_at_ten.mp4": [(3000, _FIRST_TICK + 10 * _TRACK_TICKS)],
    "two_parts.mp4": [(1000, _FIRST_TICK), (1000, _FIRST_TICK + 60 * _TRACK_TICKS)],
    "waits_half_a_second.mp4": [(500, -1), (4000, _FIRST_TICK)],
    "stops_at_sixty.mp4": [(2000, _FIRST_TICK)],
}
"""Clips whose edit list shows only a part, by file name."""


@functools.cache
def library() -> Path:
    """A folder for the clips of this run; deleted at its end."""
    folder = Path(tempfile.mkdtemp(prefix="hfviewer-clips-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@functools.cache
def shared_clip(name: str) -> Path:
    """A clip of `RECIPES` or `EDITS`, made once a run; not to be changed."""
    path = library() / name
    if name in EDITS:
        return set_edits(write_clip(path, x264(24)), EDITS[name])
    os.environ["SVT_LOG"] = "0"  # the encoder would print a page
    recipe = RECIPES[name]
    return write_clips(path, recipe if isinstance(recipe, list) else [recipe])


@functools.cache
def shown_numbers(path: Path, track: int = 0) -> list[int | None]:
    """The numbers of all pictures in the order in which plain sequential decoding shows them."""
    with av.open(str(path)) as opened:
        stream = opened.streams[track]
        assert isinstance(stream, av.VideoStream)
        pictures = list(opened.decode(stream))
    grey = [
        p.to_ndarray() if p.format.name.startswith("gray") else p.to_ndarray(format="gray") for p in pictures
    ]
    return [read_number(pixels) for pixels in grey]


def write_clip(path: Path, clip: Clip) -> Path:
    """Encode it."""
    return write_clips(path, [clip])


def write_clips(path: Path, clips: Sequence[Clip]) -> Path:
    """Encode several clips as the tracks of one file."""
    with av.open(str(path), "w", options=dict(clips[0].container)) as out:
        encoders = [_encoder(out, clip) for clip in clips]
        for i in range(max(clip.frames for clip in clips)):
            for clip, encoder in zip(clips, encoders, strict=True):
                if i < clip.frames:
                    frame = _frame(clip, i)
                    frame.pts = i if clip.pts is None else clip.pts[i]
                    frame.time_base = clip.time_base
                    out.mux(encoder.encode(frame))
        for encoder in encoders:
            out.mux(encoder.encode(None))
    return path


def access_units(clip: Clip) -> list[tuple[int, bool, bytes]]:
    """The clip as (time, is a key frame, bytes with start codes), in decode order, without a container."""
    encoder = av.CodecContext.create(clip.codec, "w")
    assert isinstance(encoder, av.VideoCodecContext)
    encoder.width, encoder.height = clip.size
    encoder.pix_fmt, encoder.time_base = clip.pixel_format, clip.time_base
    encoder.framerate = Fraction(30)
    encoder.options = dict(clip.options)
    units: list[tuple[int, bool, bytes]] = []
    for i in range(clip.frames + 1):
        frame = _frame(clip, i) if i < clip.frames else None
        if frame is not None:
            frame.pts, frame.time_base = i, clip.time_base
        for packet in encoder.encode(frame):
            assert packet.pts is not None
            units.append((packet.pts, packet.is_keyframe, bytes(packet)))
    return units


def burnt(number: int, size: tuple[int, int], top: int, dtype: type[np.generic]) -> NDArray[Any]:
    """A grey picture with its number, H×W, of values 0 to `top`."""
    width, height = size
    picture = np.zeros((height, width), np.float32)
    cell = width // _BITS
    for bit in range(_BITS):
        on = number >> bit & 1
        picture[:_CELL, bit * cell : (bit + 1) * cell] = on
        picture[_CELL : 2 * _CELL, bit * cell : (bit + 1) * cell] = 1 - on
    below = picture[2 * _CELL :]
    below[:] = np.linspace(0.2, 0.8, width, dtype=np.float32)[None, :]
    x = number * 7 % max(1, width - 16)
    below[-24:-8, x : x + 16] = 0.9
    digits = np.zeros(below.shape, np.uint8)
    cv2.putText(digits, str(number), (8, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.9, 1.0, 2)
    below[digits > 0] = 1.0
    return (picture * top).astype(dtype)


def read_number(pixels: NDArray[Any]) -> int | None:
    """The number burnt into a picture, or None where its two rows of cells contradict each other.

    Args:
        pixels: H×W or H×W×3.
    """
    grey = pixels if pixels.ndim == 2 else pixels.mean(axis=2)
    cell = grey.shape[1] // _BITS
    high = float(grey[: 2 * _CELL].max())
    number = 0
    for bit in range(_BITS):
        middle = bit * cell + cell // 2
        columns = slice(middle - 1, middle + 2)
        bits = grey[_CELL // 2 - 1 : _CELL // 2 + 2, columns].mean()
        inverse = grey[_CELL + _CELL // 2 - 1 : _CELL + _CELL // 2 + 2, columns].mean()
        if abs(bits - inverse) < high / 2:
            return None
        number |= int(bits > inverse) << bit
    return number


def gray12_codes(number: int, size: tuple[int, int]) -> NDArray[np.uint16]:
    """12-bit codes with the number burnt in and a ramp over all 4096 codes below."""
    codes: NDArray[np.uint16] = burnt(number, size, 4095, np.uint16)
    width, height = size
    ramp = np.arange((height - 2 * _CELL) * width, dtype=np.int64).reshape(-1, width)
    codes[2 * _CELL :] = (ramp * 4096 // ramp.size + number) % 4096
    return codes


def patched(path: Path, change: Callable[[bytearray], None]) -> Path:
    """Change a file's bytes in place."""
    data = bytearray(path.read_bytes())
    change(data)
    path.write_bytes(data)
    return path


def set_edits(path: Path, edits: Iterable[tuple[int, int]]) -> Path:
    """Give the first track of an mp4 another edit list; `moov` must be the last box.

    Args:
        path: of the file.
        edits: (duration in movie ticks, start in the track's ticks or -1 for an empty edit).
    """
    data = path.read_bytes()
    rows = list(edits)
    body = struct.pack(">II", 0, len(rows)) + b"".join(struct.pack(">Iii", d, t, 1 << 16) for d, t in rows)
    elst = struct.pack(">I4s", 8 + len(body), b"elst") + body
    edts = struct.pack(">I4s", 8 + len(elst), b"edts") + elst
    path.write_bytes(_with_box(data, (b"moov", b"trak", b"edts"), edts))
    return path


def _with_box(data: bytes, path: tuple[bytes, ...], new: bytes) -> bytes:
    """The bytes of a run of boxes in which the first box on a path is replaced."""
    out, at, done = b"", 0, False
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        box = data[at : at + size]
        if kind == path[0] and not done:
            done = True
            if len(path) == 1:
                box = new
            else:
                inner = _with_box(box[8:], path[1:], new)
                box = struct.pack(">I4s", 8 + len(inner), kind) + inner
        out += box
        at += size
    return out


def _encoder(out: av.container.OutputContainer, clip: Clip) -> av.VideoStream:
    encoder = out.add_stream(clip.codec, rate=30, options=dict(clip.options))
    assert isinstance(encoder, av.VideoStream)
    encoder.width, encoder.height = clip.size
    encoder.pix_fmt = clip.pixel_format
    encoder.codec_context.time_base = clip.time_base
    if clip.tag is not None:
        encoder.codec_context.codec_tag = clip.tag
    if clip.colours is not None:
        encoder.codec_context.colorspace, encoder.codec_context.color_range = clip.colours
    return encoder


def _frame(clip: Clip, number: int) -> av.VideoFrame:
    if clip.pixel_format == "gray12le":
        return av.VideoFrame.from_ndarray(gray12_codes(number, clip.size), format="gray12le")
    if clip.pixel_format == "gray16le":
        depth: NDArray[np.uint16] = burnt(number, clip.size, 60_000, np.uint16)
        return av.VideoFrame.from_ndarray(depth, format="gray16le")
    grey: NDArray[np.uint8] = burnt(number, clip.size, 255, np.uint8)
    if clip.noise:
        noise = np.random.default_rng(number).normal(0, clip.noise, grey[2 * _CELL :].shape)
        grey[2 * _CELL :] = np.clip(grey[2 * _CELL :] + noise, 0, 255)
    if clip.pixel_format == "gray":
        return av.VideoFrame.from_ndarray(grey, format="gray")
    bgr = np.ascontiguousarray(np.broadcast_to(grey[:, :, None], (*grey.shape, 3)))
    frame = av.VideoFrame.from_ndarray(bgr, format="bgr24")
    return frame.reformat(format=clip.pixel_format)
