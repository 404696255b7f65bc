"""Points in the colours that a camera sees them in."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.bayer import demosaic
from hfviewer.codecs.levels import grey_levels, to_eight_bit
from hfviewer.core import timing
from hfviewer.core.errors import HfviewerError
from hfviewer.core.frame import ImageFrame
from hfviewer.core.geometry import Calibration, CameraModel, transform_points
from hfviewer.core.projection import frame_of, is_usable, link, to_picture
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.panels.cloud_gather import ShownCloud
from hfviewer.panels.cloud_splat import MATMUL_POINTS
from hfviewer.playback.source import FrameSource

_OPAQUE = np.uint32(0xFF000000)


def cameras_of(
    calibration: Calibration, descriptions: Mapping[str, StreamDescription], sensor_frame: str
) -> dict[str, NDArray[np.float64]]:
    """Cameras whose pictures can show a sensor's points: float64 4×4 camera_from_sensor by stream.

    Args:
        calibration: of the recording.
        descriptions: of its streams, by name.
        sensor_frame: coordinate frame of the points.
    """
    found = {}
    for name, camera in calibration.cameras.items():
        description = descriptions.get(name)
        if description is None or description.kind is not StreamKind.IMAGE or not is_usable(camera):
            continue
        target = frame_of(calibration, name, description.frame)
        matrix = link(calibration, target=target, source=sensor_frame)
        if matrix is not None:
            found[name] = matrix
    return found


def picture_colours(
    shown: ShownCloud,
    source: FrameSource,
    camera_stream: str,
    camera: CameraModel,
    camera_from_sensor: NDArray[np.float64],
    unseen: int,
) -> NDArray[np.uint32]:
    """Colours of the points that are shown, each scan from the picture nearest to it in time.

    A point that something nearer hides from the camera still gets the colour at its pixel.

    Args:
        shown: the points.
        source: of the pictures; reads them, so not on the GUI thread.
        camera_stream: of the pictures.
        camera: of that stream.
        camera_from_sensor: float64 4×4.
        unseen: ``0xAARRGGBB`` for points that the camera does not see.

    Returns:
        uint32[N], ``0xAARRGGBB``.
    """
    colours = np.full(len(shown.xyz), unseen, np.uint32)
    stream = source.streams.get(camera_stream)
    if stream is None:
        return colours
    for part in shown.parts:
        index = timing.index_nearest(stream.timestamps_ns, part.frame.timestamp_ns)
        if index is None:
            continue
        try:
            picture = source.frame(camera_stream, index)
        except HfviewerError:
            continue  # the camera's own panel says why
        if isinstance(picture, ImageFrame) and picture.pixels.size:
            stop = part.start + len(part.moved)
            paint_points(colours[part.start : stop], part.cloud.xyz, camera_from_sensor, camera, picture)
    return colours


def picture_offset_ns(source: FrameSource | None, camera_stream: str, time_ns: int) -> int | None:
    """How much later than a scan the picture was taken that colours it; None where there is none."""
    stream = None if source is None else source.streams.get(camera_stream)
    index = None if stream is None else timing.index_nearest(stream.timestamps_ns, time_ns)
    return None if stream is None or index is None else int(stream.timestamps_ns[index]) - time_ns


def paint_points(
    colours: NDArray[np.uint32],
    xyz: NDArray[np.float32],
    camera_from_sensor: NDArray[np.float64],
    camera: CameraModel,
    picture: ImageFrame,
) -> None:
    """Give points the colour of their pixel in a picture; those it does not show keep theirs.

    Args:
        colours: uint32[N], written to.
        xyz: float32 N×3 in the sensor's frame.
        camera_from_sensor: float64 4×4.
        camera: of the picture.
        picture: also a reduced decode.
    """
    pixels = screen_colours(picture)
    height, width = pixels.shape
    full_width, full_height = picture.full_size or (width, height)
    across, down = width / max(1, full_width), height / max(1, full_height)
    for start in range(0, len(xyz), MATMUL_POINTS):
        chunk = slice(start, start + MATMUL_POINTS)
        places, inside = to_picture(camera, transform_points(camera_from_sensor, xyz[chunk]))
        seen = np.flatnonzero(inside)
        # Pixel centres lie at whole numbers, in the reduced picture too.
        u = np.rint((places[seen, 0] + 0.5) * across - 0.5).astype(np.intp)
        v = np.rint((places[seen, 1] + 0.5) * down - 0.5).astype(np.intp)
        within = (u >= 0) & (u < width) & (v >= 0) & (v < height)
        colours[chunk][seen[within]] = pixels[v[within], u[within]]


def screen_colours(picture: ImageFrame) -> NDArray[np.uint32]:
    """uint32 H×W, ``0xFFRRGGBB``, of a picture of any depth, grey and Bayer mosaics included."""
    pixels = demosaic(picture.pixels, picture.pixel_format)
    eight = to_eight_bit(pixels, grey_levels(pixels)).astype(np.uint32)
    if eight.ndim == 2:
        return eight * np.uint32(0x010101) | _OPAQUE
    colours = (eight[..., 2] << 16) | (eight[..., 1] << 8) | eight[..., 0] | _OPAQUE
    return np.asarray(colours, np.uint32)
