"""A clip of all pictures side by side, by real time: what was on screen at each instant, with its own age."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.bayer import demosaic
from hfviewer.codecs.levels import grey_levels, to_eight_bit
from hfviewer.codecs.opencv import cv2
from hfviewer.convert.export import Exported
from hfviewer.convert.files import exists_already
from hfviewer.core import timing
from hfviewer.core.errors import CancelledError, FrameError, HfviewerError, UsageError, WriteError
from hfviewer.core.frame import DepthFrame, ImageFrame
from hfviewer.core.recording import Recording, Stream
from hfviewer.core.stream import StreamKind
from hfviewer.core.whole_file import creating
from hfviewer.core.window import TimeWindow

FPS = 30
_WIDEST = 1920
_TALLEST_TILE = 540
_CAPTION = 22
_STALE = 1.5  # periods: the age from which a frame is marked
_GREY, _RED = (200, 200, 200), (60, 60, 255)


@dataclass(slots=True)
class _Tile:
    """One stream's part of the picture, and what it shows."""

    stream: Stream
    width: int
    height: int
    depth_range: tuple[float, float] | None = None
    levels: tuple[int, int] | None = None
    shown: int = -1
    pixels: NDArray[np.uint8] | None = None
    problem: str = ""
    first: int | None = None


def export_clip(
    recording: Recording,
    window: TimeWindow,
    out: Path,
    *,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Exported:
    """Write an mp4 of all cameras and depth side by side.

    Each tile says its stream, frame, nanoseconds and age; a frame older than it should be is marked, so that
    a lost frame cannot hide.

    Args:
        recording: to show.
        window: what to show.
        out: must not exist.
        progress: told how many pictures of how many are done.
        cancelled: asked before each.

    Raises:
        UsageError: there are no pictures in it.
        WriteError: the file exists or cannot be written.
        CancelledError: `cancelled` said so; nothing is left behind.
    """
    if out.exists():
        raise exists_already(out)
    tiles, columns = _tiles(recording, window)
    width, height = tiles[0].width, tiles[0].height + _CAPTION
    rows = math.ceil(len(tiles) / columns)
    total = 1 + math.ceil((window.duration_ns - 1) * FPS / 1e9)
    done = Exported(out)
    try:
        with creating(out) as beside, av.open(str(beside), "w", format="mp4") as container:
            video = container.add_stream("libx264", rate=FPS, options={"crf": "20", "preset": "veryfast"})
            video.width, video.height, video.pix_fmt = width * columns, height * rows, "yuv420p"
            for number in range(total):
                if cancelled is not None and cancelled():
                    raise CancelledError("Stopped; nothing was written.", path=out)
                if progress is not None:
                    progress(number, total)
                at_ns = min(window.start_ns + number * 1_000_000_000 // FPS, window.stop_ns - 1)
                canvas = np.zeros((height * rows, width * columns, 3), np.uint8)
                for place, tile in enumerate(tiles):
                    y, x = (place // columns) * height, (place % columns) * width
                    _draw(canvas[y : y + height, x : x + width], tile, at_ns, done)
                picture = av.VideoFrame.from_ndarray(canvas, format="bgr24")
                picture.pts, picture.time_base = number, Fraction(1, FPS)
                container.mux(video.encode(picture))
            container.mux(video.encode(None))
    except FileExistsError as error:
        raise exists_already(out) from error
    except (OSError, av.error.FFmpegError) as error:
        reason = getattr(error, "strerror", None) or error
        raise WriteError(f"The clip cannot be written ({reason}).", path=out) from error
    for tile in tiles:
        if tile.first is not None:
            done.note(tile.stream, range(tile.first, tile.shown + 1))
    done.more |= {"fps": FPS, "pictures": total}
    return done


def _tiles(recording: Recording, window: TimeWindow) -> tuple[list[_Tile], int]:
    """A tile for each stream of pictures that has any up to the end of the window, all of one size."""
    streams: list[Stream] = []
    sizes: list[tuple[int, int]] = []
    for stream in recording.streams.values():
        if stream.description.kind not in (StreamKind.IMAGE, StreamKind.DEPTH):
            continue
        index = timing.index_at(stream.timestamps_ns, window.stop_ns - 1)
        if index is None:
            continue
        streams.append(stream)
        with suppress(HfviewerError):
            pixels = _pixels(stream.read(index), None, None)
            sizes.append((pixels.shape[1], pixels.shape[0]))
    if not streams:
        raise UsageError("There are no pictures in that time.", path=recording.description.path)
    columns = math.ceil(math.sqrt(len(streams)))
    largest = max(sizes, default=(640, 480), key=lambda size: size[0] * size[1])
    scale = min(1.0, _WIDEST / columns / largest[0], _TALLEST_TILE / largest[1])
    width, height = (max(160, int(side * scale)) // 2 * 2 for side in largest)
    return [_Tile(stream, width, height) for stream in streams], columns


def _draw(part: NDArray[np.uint8], tile: _Tile, at_ns: int, done: Exported) -> None:
    stream, name = tile.stream, tile.stream.description.name
    index = timing.index_at(stream.timestamps_ns, at_ns)
    caption, colour = f"{name}  no frame yet", _GREY
    if index is not None:
        if index != tile.shown:
            _show(tile, index, done)
        stamp_ns = int(stream.timestamps_ns[index])
        period_ns = stream.description.period_ns or 0
        is_stale = period_ns > 0 and at_ns - stamp_ns > _STALE * period_ns
        age_ms = (at_ns - stamp_ns) / 1e6
        caption = f"{name}  #{index}  {stamp_ns} ns  {age_ms:+.0f} ms"
        colour = _RED if is_stale or tile.problem else _GREY
        if tile.pixels is not None:
            height, width = tile.pixels.shape[:2]
            y, x = (tile.height - height) // 2, (tile.width - width) // 2
            part[_CAPTION + y : _CAPTION + y + height, x : x + width] = tile.pixels
        if is_stale:
            cv2.rectangle(part, (0, _CAPTION), (tile.width - 1, tile.height + _CAPTION - 1), _RED, 3)
    text = caption.encode("ascii", "replace").decode()
    cv2.putText(part, text, (6, 15), cv2.FONT_HERSHEY_SIMPLEX, 0.42, colour, 1, cv2.LINE_AA)


def _show(tile: _Tile, index: int, done: Exported) -> None:
    tile.shown = index
    tile.first = index if tile.first is None else tile.first
    try:
        frame = tile.stream.read(index)
        # Those of the first frame, so that colours and brightness mean the same all along.
        if isinstance(frame, DepthFrame) and tile.depth_range is None:
            tile.depth_range = _range_of(frame)
        if isinstance(frame, ImageFrame) and tile.levels is None:
            tile.levels = grey_levels(frame.pixels)
        pixels = _pixels(frame, tile.depth_range, tile.levels)
    except FrameError as error:
        tile.pixels, tile.problem = None, error.problem
        done.problems.append(error.problem)
        return
    scale = min(tile.width / pixels.shape[1], tile.height / pixels.shape[0])
    size = max(1, int(pixels.shape[1] * scale)), max(1, int(pixels.shape[0] * scale))
    resized = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    tile.pixels, tile.problem = np.asarray(resized, np.uint8), ""


def _range_of(frame: DepthFrame) -> tuple[float, float]:
    """Nearest and farthest of a depth frame."""
    measured = frame.millimetres[frame.millimetres > 0]
    if not len(measured):
        return 100.0, 5000.0
    low, high = np.percentile(measured, [1, 99])
    return float(low), float(max(high, low + 1))


def _pixels(
    frame: Any, depth_range: tuple[float, float] | None, levels: tuple[int, int] | None
) -> NDArray[np.uint8]:
    """B, G, R; depth by colour, black where there is no measurement."""
    if isinstance(frame, DepthFrame):
        low, high = depth_range or (100.0, 5000.0)
        share = np.clip((frame.millimetres.astype(np.float32) - low) / (high - low), 0, 1)
        coloured = cv2.applyColorMap((255 * share).astype(np.uint8), cv2.COLORMAP_TURBO)
        coloured[frame.millimetres == 0] = 0
        return np.asarray(coloured, np.uint8)
    assert isinstance(frame, ImageFrame)
    pixels = to_eight_bit(demosaic(frame.pixels, frame.pixel_format), levels or grey_levels(frame.pixels))
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR) if pixels.ndim == 2 else pixels, np.uint8)
