"""What showing a camera's picture takes, done ahead on a loader thread: pixels, second camera, overlay."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from hfviewer.codecs.image import Pixels
from hfviewer.codecs.levels import grey_levels
from hfviewer.codecs.opencv import cv2
from hfviewer.core import timing
from hfviewer.core.errors import HfviewerError
from hfviewer.core.frame import Frame, ImageFrame
from hfviewer.core.geometry import CameraModel, project
from hfviewer.core.projection import fitted_to, from_picture, is_distorted, straightened
from hfviewer.panels.image_look import ImageLook, ShownPixels, shown_pixels
from hfviewer.panels.overlay import KeypointOverlay, Overlay, read_overlay
from hfviewer.panels.picture import shrink, to_screen
from hfviewer.panels.placement import Placement, Sight
from hfviewer.playback.source import FrameSource


@dataclass(frozen=True, slots=True, eq=False)
class ImageWish:
    """What a panel wants to be made of its next frame.

    Args:
        look: how it is shown; None: levels are to be taken from the frame.
        sight: where it lies in the widget.
        camera: as calibrated; None where it is not known.
        overlay: name of the stream to lay over it; empty for none.
        source: other frames; None where there are none.
    """

    look: ImageLook | None
    sight: Sight
    camera: CameraModel | None = None
    overlay: str = ""
    source: FrameSource | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PreparedImage:
    """A picture ready to be shown.

    Args:
        frame: that it is of.
        look: that it was made with.
        shown: its pixels.
        ready: what shows, at the size that it shows at; None where nothing does.
        second: the picture of the second camera; None without one.
        overlay_of: name of the stream that was asked for as an overlay.
        overlay: what lies over it; None where there is nothing.
        trouble: why the second camera or the overlay is missing; empty where all is well.
    """

    frame: ImageFrame
    look: ImageLook
    shown: ShownPixels
    ready: tuple[Placement, QImage] | None
    second: ImageFrame | None = None
    overlay_of: str = ""
    overlay: Overlay | None = None
    trouble: str = ""


def prepare_image(frame: Frame, wish: ImageWish) -> PreparedImage | None:
    """Do ahead, on any thread, what showing a frame takes."""
    if not isinstance(frame, ImageFrame) or not is_picture(frame.pixels):
        return None
    look = wish.look or ImageLook(grey_levels(frame.pixels))
    troubles: list[str] = []
    second = _second(frame, look, wish, troubles)
    shown = shown_pixels(frame, look, wish.camera, second)
    place = wish.sight.place(shown.full, shown.size)
    table = look.tone.table
    ready = None if place is None else (place, render_pixels(shown.display, place.part, place.size, table))
    overlay: Overlay | None = None
    if wish.overlay and wish.source is not None:
        camera = camera_shown(wish.camera, look, frame)
        try:
            overlay = read_overlay(wish.source, frame.stream, camera, frame.timestamp_ns, wish.overlay)
            if isinstance(overlay, KeypointOverlay) and look.straight:
                overlay = _straightened(overlay, wish.camera, frame)
        except HfviewerError as error:
            troubles.append(f"{wish.overlay}: {error.problem}")
    return PreparedImage(frame, look, shown, ready, second, wish.overlay, overlay, trouble=" ".join(troubles))


def camera_shown(camera: CameraModel | None, look: ImageLook, frame: ImageFrame) -> CameraModel | None:
    """The camera of a picture as it is shown, before it is turned."""
    if camera is None:
        return None
    own = fitted_to(camera, _full_size(frame))
    return straightened(own) if own is not None and look.straight else own


def _straightened(overlay: KeypointOverlay, camera: CameraModel | None, frame: ImageFrame) -> KeypointOverlay:
    """Keypoints were found in the picture as taken: move them with it. Bent boxes are none any more."""
    own = None if camera is None else fitted_to(camera, _full_size(frame))
    if own is None or not is_distorted(own):
        return overlay
    rays = from_picture(own, overlay.pixels, np.ones(len(overlay.pixels)))
    pixels, _ = project(straightened(own), rays)
    return replace(overlay, pixels=pixels, boxes=overlay.boxes[:0])


def _full_size(frame: ImageFrame) -> tuple[int, int]:
    return frame.full_size or (frame.pixels.shape[1], frame.pixels.shape[0])


def _second(frame: ImageFrame, look: ImageLook, wish: ImageWish, troubles: list[str]) -> ImageFrame | None:
    """The other camera's picture that is nearest in time."""
    if look.second is None or wish.source is None:
        return None
    name = look.second.stream
    stream = wish.source.streams.get(name)
    index = None if stream is None else timing.index_nearest(stream.timestamps_ns, frame.timestamp_ns)
    if index is None:
        return None
    try:
        found = wish.source.frame(name, index, max_size=wish.sight.device_size)
    except HfviewerError as error:
        troubles.append(f"{name}: {error.problem}")
        return None
    return found if isinstance(found, ImageFrame) and is_picture(found.pixels) else None


def render_pixels(
    display: NDArray[np.uint8],
    part: tuple[int, int, int, int],
    size: tuple[int, int],
    table: NDArray[np.uint8] | None = None,
) -> QImage:
    """A part of a picture at the size that it is wanted at, its values through a table of 256."""
    left, top, right, bottom = part
    pixels = display[top:bottom, left:right]
    if size != (right - left, bottom - top):
        pixels = shrink(pixels, *size)
    if table is not None:
        pixels = np.asarray(cv2.LUT(np.ascontiguousarray(pixels), table), np.uint8)
    pixels = to_screen(pixels)
    layout = QImage.Format.Format_RGB32 if pixels.ndim == 3 else QImage.Format.Format_Grayscale8
    height, width = pixels.shape[:2]
    return QImage(pixels.data, width, height, pixels.strides[0], layout)


def is_picture(pixels: Pixels) -> bool:
    """H×W or H×W×3 with at least one pixel."""
    return pixels.size > 0 and (pixels.ndim == 2 or (pixels.ndim == 3 and pixels.shape[2] == 3))
