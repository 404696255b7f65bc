"""From a camera's stored pixels to what shows of them: levels, lens, turn, second camera. No Qt in here."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.bayer import demosaic
from hfviewer.codecs.levels import to_eight_bit
from hfviewer.codecs.opencv import cv2
from hfviewer.core.frame import ImageFrame
from hfviewer.core.geometry import CameraModel
from hfviewer.core.projection import fitted_to, is_distorted, straightening_maps
from hfviewer.panels.orientation import Orientation, Size

Pixels8 = NDArray[np.uint8]


class SecondMode(StrEnum):
    """How a second camera's picture goes with the first."""

    BESIDE = "side by side"
    BLEND = "blended"
    DIFFERENCE = "difference"


@dataclass(frozen=True, slots=True)
class SecondCamera:
    """Another camera in the same panel.

    Args:
        stream: name.
        mode: how the two go together.
        share: of the second one in a blend, 0 to 1.
    """

    stream: str
    mode: SecondMode = SecondMode.BESIDE
    share: float = 0.5


@dataclass(frozen=True, slots=True)
class Tone:
    """How bright the pixels are drawn.

    Args:
        brightness: −100 to 100; 0: as they are.
        contrast: −100 to 100.
        gamma: 0.2 to 5; above 1 lifts the dark.
    """

    brightness: int = 0
    contrast: int = 0
    gamma: float = 1.0

    @property
    def table(self) -> Pixels8 | None:
        """uint8[256]; None where it changes nothing."""
        return None if self == Tone() else _tone_table(self)


@lru_cache(maxsize=16)
def _tone_table(tone: Tone) -> Pixels8:
    value = np.linspace(0.0, 1.0, 256)
    slope = 2.0 ** (tone.contrast / 50.0)
    value = np.clip((value - 0.5) * slope + 0.5 + tone.brightness / 100.0, 0.0, 1.0)
    value = value ** (1.0 / tone.gamma)
    table: Pixels8 = np.rint(value * 255).astype(np.uint8)
    table.flags.writeable = False
    return table


@dataclass(frozen=True, slots=True)
class ImageLook:
    """How pictures of a stream are shown; two that are equal show a frame alike.

    Args:
        levels: values shown as black and as white.
        tone: of what lies between.
        orientation: before the eye.
        straight: True to take the lens distortion out, where it is known.
        second: another camera in the same panel.
    """

    levels: tuple[int, int]
    tone: Tone = field(default_factory=Tone)
    orientation: Orientation = field(default_factory=Orientation)
    straight: bool = False
    second: SecondCamera | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ShownPixels:
    """A picture as it lies on the canvas.

    Args:
        display: uint8 H×W×3 or H×W, turned, and with the second camera where there is one.
        full: (width, height) that the canvas counts in; larger than ``display`` for a reduced decode.
    """

    display: Pixels8
    full: Size

    @property
    def size(self) -> Size:
        return (self.display.shape[1], self.display.shape[0])


def shown_pixels(
    frame: ImageFrame, look: ImageLook, camera: CameraModel | None, second: ImageFrame | None = None
) -> ShownPixels:
    """What is shown of a frame.

    Args:
        frame: the picture.
        look: how.
        camera: as calibrated; for ``look.straight``.
        second: a picture of ``look.second``, or None where there is none now.
    """
    pixels = to_eight_bit(demosaic(frame.pixels, frame.pixel_format), look.levels)
    if look.straight and camera is not None:
        pixels = straighten(pixels, camera)
    pixels = look.orientation.apply(pixels)
    height, width = pixels.shape[:2]
    stored = frame.full_size or (frame.pixels.shape[1], frame.pixels.shape[0])
    full = look.orientation.size(stored)
    if second is None or look.second is None:
        return ShownPixels(pixels, full)
    other = to_eight_bit(demosaic(second.pixels, second.pixel_format), look.levels)
    if look.second.mode is SecondMode.BESIDE:
        across = max(1, round(other.shape[1] * height / other.shape[0]))
        other = _resized(other, (across, height))
        both = np.hstack(_alike(np.ascontiguousarray(pixels), other))
        return ShownPixels(both, (full[0] + max(1, round(across * full[0] / width)), full[1]))
    one, two = _alike(np.ascontiguousarray(pixels), _resized(other, (width, height)))
    if look.second.mode is SecondMode.DIFFERENCE:
        mixed = cv2.absdiff(one, two)
    else:
        mixed = cv2.addWeighted(one, 1 - look.second.share, two, look.second.share, 0)
    return ShownPixels(np.asarray(mixed, np.uint8), full)


def straighten(pixels: Pixels8, camera: CameraModel) -> Pixels8:
    """The picture without its lens distortion, as large as it was; as it is where that cannot be done."""
    own = fitted_to(camera, (pixels.shape[1], pixels.shape[0]))
    if own is None or not is_distorted(own):
        return pixels
    columns, rows = _maps(_CameraKey(own))
    straight = cv2.remap(np.ascontiguousarray(pixels), columns, rows, cv2.INTER_LINEAR)
    return np.asarray(straight, np.uint8)


class _CameraKey:
    """A camera by its numbers, so that equal ones share their maps."""

    def __init__(self, camera: CameraModel) -> None:
        self.camera = camera
        self._numbers = (camera.width, camera.height, camera.distortion, camera.distortion_model)
        self._k = camera.k.tobytes()

    def __hash__(self) -> int:
        return hash((self._numbers, self._k))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _CameraKey) and (self._numbers, self._k) == (other._numbers, other._k)


@lru_cache(maxsize=4)
def _maps(key: _CameraKey) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Fixed-point maps: remapping with them takes half the time that float ones take."""
    columns, rows = straightening_maps(key.camera)
    one, two = cv2.convertMaps(columns, rows, cv2.CV_16SC2)
    return np.asarray(one, np.int16), np.asarray(two, np.uint16)


def _resized(pixels: Pixels8, size: Size) -> Pixels8:
    if (pixels.shape[1], pixels.shape[0]) == size:
        return pixels
    return np.asarray(
        cv2.resize(np.ascontiguousarray(pixels), size, interpolation=cv2.INTER_LINEAR), np.uint8
    )


def _alike(one: Pixels8, two: Pixels8) -> tuple[Pixels8, Pixels8]:
    """Both in colour where one of them is."""
    if one.ndim == two.ndim:
        return one, two
    coloured = [
        np.asarray(cv2.cvtColor(p, cv2.COLOR_GRAY2BGR), np.uint8) if p.ndim == 2 else p for p in (one, two)
    ]
    return coloured[0], coloured[1]
