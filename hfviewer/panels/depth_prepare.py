"""What showing a depth picture takes, done ahead on a loader thread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from hfviewer.codecs.opencv import cv2
from hfviewer.core.frame import DepthFrame, Frame
from hfviewer.panels.depth_colour import invalid_share
from hfviewer.panels.depth_measure import fill_holes, histogram
from hfviewer.panels.orientation import Orientation
from hfviewer.panels.placement import Placement, Sight

_CLOSED_SHADE = 0.55  # of a closed hole's colour: never to be taken for a measurement


@dataclass(frozen=True, slots=True, eq=False)
class DepthLook:
    """How depth pictures of a stream are shown; a new one whenever anything of it changes.

    Args:
        table: uint32[65536], ``0xAARRGGBB`` of every code, 0 where there is no measurement.
        bins: uint8[65536], the bin of the histogram that every code falls into.
        orientation: before the eye.
        closing: True to close small holes for the eye.
    """

    table: NDArray[np.uint32]
    bins: NDArray[np.uint8]
    orientation: Orientation
    closing: bool


@dataclass(frozen=True, slots=True, eq=False)
class ShownDepth:
    """Codes as they lie on the canvas.

    Args:
        codes: uint16 H×W, turned.
        closed: bool H×W, which of them stand in for a hole; None where none does.
    """

    codes: NDArray[np.uint16]
    closed: NDArray[np.bool_] | None


@dataclass(frozen=True, slots=True, eq=False)
class PreparedDepth:
    """A depth picture ready to be shown.

    Args:
        frame: that it is of.
        look: that it was made with.
        shown: its codes.
        invalid: share of pixels without a measurement, 0 to 1.
        histogram: float64, see `depth_measure.histogram`.
        ready: what shows, at the size that it shows at; None where nothing does.
    """

    frame: DepthFrame
    look: DepthLook
    shown: ShownDepth
    invalid: float
    histogram: NDArray[np.float64]
    ready: tuple[Placement, QImage] | None


def prepare_depth(frame: Frame, look: DepthLook, sight: Sight) -> PreparedDepth | None:
    """Do ahead, on any thread, what showing a frame takes."""
    if not isinstance(frame, DepthFrame) or frame.stored.ndim != 2 or frame.stored.size == 0:
        return None
    shown = shown_depth(frame, look)
    height, width = shown.codes.shape
    place = sight.place((width, height), (width, height))
    ready = None if place is None else (place, render_depth(shown, look.table, place.part, place.size))
    counts = histogram(frame.stored, look.bins)
    return PreparedDepth(frame, look, shown, invalid_share(frame), counts, ready)


def shown_depth(frame: DepthFrame, look: DepthLook) -> ShownDepth:
    """The codes of a frame as they lie on the canvas."""
    if not look.closing:
        return ShownDepth(look.orientation.apply(frame.stored), None)
    filled, closed = fill_holes(frame.stored, frame.scale)
    shown_holes = look.orientation.apply(closed.astype(np.uint8)) > 0
    return ShownDepth(look.orientation.apply(filled), shown_holes)


def render_depth(
    shown: ShownDepth,
    table: NDArray[np.uint32],
    part: tuple[int, int, int, int],
    size: tuple[int, int],
) -> QImage:
    """Colours of codes picked, not averaged: a mean of two depths is a depth that nobody measured."""
    left, top, right, bottom = part
    codes = shown.codes[top:bottom, left:right]
    closed = None if shown.closed is None else shown.closed[top:bottom, left:right]
    if size != (right - left, bottom - top):
        codes = np.asarray(_picked(codes, size), np.uint16)
        closed = None if closed is None else _picked(closed.astype(np.uint8), size) > 0
    pixels = np.take(table, codes)
    if closed is not None:
        pixels[closed] = _shaded(pixels[closed])
    height, width = pixels.shape
    return QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)


def _picked(values: NDArray[np.uint16] | NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint16]:
    picked = cv2.resize(np.ascontiguousarray(values), size, interpolation=cv2.INTER_NEAREST_EXACT)
    return np.asarray(picked, np.uint16)


def _shaded(colours: NDArray[np.uint32]) -> NDArray[np.uint32]:
    out = np.full(colours.shape, 0xFF000000, np.uint32)
    for shift in (0, 8, 16):
        part = ((colours >> np.uint32(shift)) & np.uint32(0xFF)).astype(np.float32) * _CLOSED_SHADE
        out |= part.astype(np.uint32) << np.uint32(shift)
    return out
