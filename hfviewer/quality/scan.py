"""Decode the frames of a stream and keep what their content says: digests, changes, darkness, errors."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import HfviewerError
from hfviewer.core.frame import DepthFrame, Frame, ImageFrame, SampleFrame
from hfviewer.core.recording import Stream
from hfviewer.core.text import printable
from hfviewer.quality.pictures import Grey, difference, small_grey

_DARK_LEVEL = 16.0  # of 255: black video is 16, black pictures are 0
_DARK_SHARE = 0.999
_BITS = (10, 12, 14)  # of cameras that store their pictures in 16


@dataclass(frozen=True, eq=False)
class Scan:
    """What consecutive frames of a stream hold.

    Args:
        first: index of the first of them.
        digests: uint64[n], equal where pictures are equal to the bit; 0 where there is none.
        changes: float32[n], difference to the frame before in levels of grey; NaN where it is not known.
        dark: bool[n], depth without a measurement; of pictures see `in_range`.
        brightness: float32[n], level of grey that 999 of 1000 pixels stay below; NaN where it is no picture.
        largest: the largest value of all pictures of more than 8 bits; 0 where there is none.
        errors: by index, why a frame cannot be read.
        pictures: small and grey, of the frames that were asked for.
        samples_ns: int64[m], times of all samples of a dense signal whose frames are batches of them.
    """

    first: int
    digests: NDArray[np.uint64]
    changes: NDArray[np.float32]
    dark: NDArray[np.bool_]
    brightness: NDArray[np.float32]
    largest: int = 0
    errors: dict[int, str] = field(default_factory=dict)
    pictures: dict[int, Grey] = field(default_factory=dict)
    samples_ns: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    @classmethod
    def empty(cls, frames: range) -> Scan:
        """Of frames that were not looked at yet."""
        count = len(frames)
        unknown = np.full(count, np.nan, np.float32)
        digests, dark = np.zeros(count, np.uint64), np.zeros(count, np.bool_)
        return cls(frames.start, digests, unknown, dark, unknown.copy())

    @classmethod
    def joined(cls, parts: Sequence[Scan]) -> Scan:
        """Of consecutive parts of a stream."""
        if not parts:
            return cls.empty(range(0))
        return cls(
            parts[0].first,
            np.concatenate([part.digests for part in parts]),
            np.concatenate([part.changes for part in parts]),
            np.concatenate([part.dark for part in parts]),
            np.concatenate([part.brightness for part in parts]),
            max(part.largest for part in parts),
            {index: text for part in parts for index, text in part.errors.items()},
            {index: grey for part in parts for index, grey in part.pictures.items()},
            np.concatenate([part.samples_ns for part in parts]),
        )

    def in_range(self) -> Scan:
        """Of a whole stream: levels of grey by the range that its pictures use, and which of them are dark.

        Cameras of 10, 12 and 14 bits store their values in 16; white is then far below 65535.
        """
        bits = next((bits for bits in _BITS if self.largest < 1 << bits), 16)
        factor = np.float32(65535 / ((1 << bits) - 1)) if self.largest else np.float32(1)
        brightness = self.brightness * factor
        return replace(
            self,
            changes=self.changes * factor,
            brightness=brightness,
            dark=self.dark | (brightness <= _DARK_LEVEL),
            pictures={index: grey * factor for index, grey in self.pictures.items()},
        )

    @classmethod
    def failed(cls, frames: range, problem: str) -> Scan:
        """Of frames none of which could be looked at."""
        scan = cls.empty(frames)
        scan.errors.update(dict.fromkeys(frames, problem))
        return scan


def scan_frames(
    stream: Stream,
    frames: range,
    *,
    wanted: Collection[int] = (),
    tick: Callable[[], None] | None = None,
) -> Scan:
    """Decode frames one after the other, the one before them too, to compare with.

    Args:
        stream: any kind; only pictures and depth say more than whether they can be read.
        frames: indices.
        wanted: frames whose small pictures are to be kept.
        tick: called after each frame; may raise to stop.
    """
    scan = Scan.empty(frames)
    last: Grey | None = None
    largest = 0
    batches: list[NDArray[np.int64]] = []
    for index in range(max(0, frames.start - 1), frames.stop):
        inside = index in frames
        try:
            frame = stream.read(index)
        except HfviewerError as error:
            frame = None
            if inside:
                scan.errors[index] = printable(error.problem)
        grey = None if frame is None else small_grey(frame)
        if inside and frame is not None and grey is not None:
            place = index - frames.start
            scan.digests[place] = _digest(frame)
            scan.dark[place] = isinstance(frame, DepthFrame) and not np.any(frame.millimetres)
            if isinstance(frame, ImageFrame):
                scan.brightness[place] = np.quantile(grey, _DARK_SHARE)
                if frame.pixels.dtype == np.uint16:
                    largest = max(largest, int(frame.pixels.max()))
            if last is not None:
                scan.changes[place] = difference(last, grey)
            if index in wanted:
                scan.pictures[index] = grey
        if inside and isinstance(frame, SampleFrame) and len(frame.timestamps_ns) != 1:
            batches.append(frame.timestamps_ns)
        last = grey
        if inside and tick is not None:
            tick()
    samples_ns = np.concatenate(batches) if batches else scan.samples_ns
    return replace(scan, largest=largest, samples_ns=samples_ns)


def _digest(frame: Frame) -> int:
    if isinstance(frame, ImageFrame):
        data = np.ascontiguousarray(frame.pixels)
    elif isinstance(frame, DepthFrame):
        data = np.ascontiguousarray(frame.stored)
    else:
        return 0
    view = data.reshape(-1).view(np.uint8).data
    return max(1, zlib.crc32(view) << 32 | zlib.adler32(view))
