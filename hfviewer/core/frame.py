"""Frames: one sample of a stream, decoded. All arrays are read-only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.depth import DepthScale
from hfviewer.core.stream import Channel

_Array = TypeVar("_Array", bound=NDArray[Any])


def freeze(array: _Array) -> _Array:
    """The same array, marked read-only."""
    array.flags.writeable = False
    return array


@dataclass(frozen=True, kw_only=True, eq=False)
class Frame:
    """What every frame knows about itself.

    Args:
        stream: name of its stream.
        index: position in the stream's table, sorted by time.
        timestamp_ns: on the recording clock.
        sequence: the sensor's own counter, or the order of arrival.
    """

    stream: str
    index: int
    timestamp_ns: int
    sequence: int

    @property
    def memory_bytes(self) -> int:
        """What keeping this frame costs, for caches bounded in bytes."""
        return 256 + sum(v.nbytes for v in vars(self).values() if isinstance(v, np.ndarray))


@dataclass(frozen=True, kw_only=True, eq=False)
class ImageFrame(Frame):
    """A picture.

    Args:
        pixels: uint8 or uint16, H×W×3 in the order B, G, R, or H×W (grey, or a Bayer sensor's raw mosaic).
        pixel_format: as declared for raw pictures (``mono16``, ``bayer_rggb8`` …), else empty.
        full_size: (width, height) of the stored picture where `pixels` is a reduced decode, else None.
    """

    pixels: NDArray[np.uint8] | NDArray[np.uint16]
    pixel_format: str = ""
    full_size: tuple[int, int] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class DepthFrame(Frame):
    """A depth picture.

    Args:
        stored: uint16 H×W, the integer codes exactly as stored.
        scale: how codes become millimetres, and which mean "no measurement".
    """

    stored: NDArray[np.uint16]
    scale: DepthScale

    @property
    def memory_bytes(self) -> int:
        return 256 + 2 * self.stored.nbytes  # `millimetres` too, once it was asked for

    @cached_property
    def millimetres(self) -> NDArray[np.uint16]:
        """uint16 H×W; 0 where there is no measurement, 65535 where it is farther than that."""
        return freeze(np.take(self.scale.millimetre_table, self.stored))

    @property
    def valid(self) -> NDArray[np.bool_]:
        """Bool H×W: where there is a measurement."""
        return np.take(self.scale.valid_table, self.stored)


@dataclass(frozen=True, kw_only=True, eq=False)
class PointFrame(Frame):
    """A point cloud in its sensor's frame.

    Args:
        xyz: float32 N×3, metres.
        fields: every stored field by name in stored order, x, y and z included; float32[N] each.
    """

    xyz: NDArray[np.float32]
    fields: Mapping[str, NDArray[np.float32]]

    @property
    def memory_bytes(self) -> int:
        return 256 + self.xyz.nbytes + sum(v.nbytes for v in self.fields.values())


@dataclass(frozen=True, kw_only=True, eq=False)
class SampleFrame(Frame):
    """One sample, or one batch of samples, of a dense signal.

    Args:
        timestamps_ns: int64[n], recording clock.
        values: float64 n×C.
        channels: the C columns.
    """

    timestamps_ns: NDArray[np.int64]
    values: NDArray[np.float64]
    channels: tuple[Channel, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class MatrixFrame(Frame):
    """A grid of measurements, as a tactile sensor gives them.

    Args:
        values: float32 H×W×C, in the unit of each channel.
        channels: the C planes.
    """

    values: NDArray[np.float32]
    channels: tuple[Channel, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class PoseFrame(Frame):
    """A pose.

    Args:
        matrix: float64 4×4, row-major, parent_from_sensor; metres.
    """

    matrix: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class TextFrame(Frame):
    """A JSON value, also used for annotations.

    Args:
        value: as parsed.
        text: the stored UTF-8 text.
    """

    value: Any
    text: str

    @property
    def memory_bytes(self) -> int:
        return 256 + 16 * len(self.text)  # parsed JSON takes many times its text


@dataclass(frozen=True, kw_only=True, eq=False)
class AnnotationFrame(TextFrame):
    """An annotation as stored in the recording."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RawFrame(Frame):
    """Bytes that nobody could make sense of.

    Args:
        payload: decompressed bytes.
    """

    payload: bytes

    @property
    def memory_bytes(self) -> int:
        return 256 + len(self.payload)
