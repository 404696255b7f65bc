"""What other sensors measured, laid over a camera's picture through the calibration. No Qt in here."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.frame import DepthFrame, Frame, PointFrame, SampleFrame
from hfviewer.core.geometry import Calibration, CameraModel, transform_points
from hfviewer.core.projection import fitted_to, frame_of, is_usable, link, points_of_depth, to_picture
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.playback.source import FrameSource

DEPTH_STEP = 2  # of a depth picture's rows and columns, one in so many becomes a point
HANDS, HAND_POINTS, HAND_VALUES = 2, 21, 46
_PX = frozenset({"px", "pixel", "pixels"})
_FINGERS = [[0, *range(start, start + 4)] for start in (1, 5, 9, 13, 17)]
HAND_BONES = tuple((a, b) for finger in _FINGERS for a, b in pairwise(finger))


@dataclass(frozen=True, slots=True, eq=False)
class PointOverlay:
    """Points of one scan that lie inside a picture.

    Args:
        stream: whose points they are.
        timestamp_ns: of the scan.
        offset_ns: from the picture to the scan; above 0 where the scan is later.
        pixels: float32 N×2, in the stored picture, pixel centres at whole numbers.
        depth_m: float32 N, along the camera's axis.
        xyz: float32 N×3, metres, in the camera's frame.
        index: intp N: which of the scan's points, or which pixel of the depth picture, each is.
        total: points of the scan, those outside the picture too.
    """

    stream: str
    timestamp_ns: int
    offset_ns: int
    pixels: NDArray[np.float32]
    depth_m: NDArray[np.float32]
    xyz: NDArray[np.float32]
    index: NDArray[np.intp]
    total: int

    def nearest(self, u: float, v: float, reach_px: float) -> int | None:
        """Which point lies nearest to a place in the picture, within a reach."""
        if not len(self.pixels):
            return None
        aside = np.abs(self.pixels - np.array([u, v], np.float32))
        near = np.flatnonzero((aside <= reach_px).all(axis=1))
        if not len(near):
            return None
        square = (aside[near].astype(np.float64) ** 2).sum(axis=1)
        best = int(np.argmin(square))
        return int(near[best]) if square[best] <= reach_px * reach_px else None


@dataclass(frozen=True, slots=True, eq=False)
class KeypointOverlay:
    """Places in a picture that something else found there.

    Args:
        stream: whose they are.
        timestamp_ns: of the frame.
        offset_ns: from the picture to the frame.
        pixels: float64 N×2, in the stored picture.
        bones: pairs of indices to be joined.
        boxes: float64 M×4: left, top, right, bottom.
    """

    stream: str
    timestamp_ns: int
    offset_ns: int
    pixels: NDArray[np.float64]
    bones: tuple[tuple[int, int], ...]
    boxes: NDArray[np.float64]


Overlay = PointOverlay | KeypointOverlay


def keypoint_columns(description: StreamDescription) -> list[tuple[int, int]]:
    """Pairs of channels that are x and y of a place in a picture, by their unit."""
    units = [channel.unit.lower() in _PX for channel in description.channels]
    pairs: list[tuple[int, int]] = []
    column = 0
    while column + 1 < len(units):
        if units[column] and units[column + 1]:
            pairs.append((column, column + 1))
            column += 1
        column += 1
    return pairs


def is_keypoints(description: StreamDescription) -> bool:
    """True where a stream's values are places in a picture."""
    hands = description.role == "hand_keypoints" and len(description.channels) == HANDS * HAND_VALUES
    return description.kind is StreamKind.SIGNAL and (hands or bool(keypoint_columns(description)))


def overlay_choices(
    calibration: Calibration, descriptions: dict[str, StreamDescription], camera_stream: str
) -> list[str]:
    """Names of the streams that can be laid over a camera's picture."""
    names = []
    camera = calibration.cameras.get(camera_stream)
    usable = camera is not None and is_usable(camera)
    for name, description in descriptions.items():
        if name == camera_stream:
            continue
        if is_keypoints(description):
            names.append(name)
            continue
        if description.kind not in (StreamKind.POINTS, StreamKind.DEPTH) or not usable:
            continue
        if description.kind is StreamKind.DEPTH:
            depth_camera = calibration.cameras.get(name)
            if depth_camera is None or not is_usable(depth_camera):
                continue
        if _camera_from(calibration, descriptions, camera_stream, name) is not None:
            names.append(name)
    return names


def read_overlay(
    source: FrameSource, camera_stream: str, camera: CameraModel | None, picture_ns: int, name: str
) -> Overlay | None:
    """Read the frame of another stream that is nearest to a picture in time, and lay it over. Any thread.

    Args:
        source: to read from.
        camera_stream: whose picture it is.
        camera: as the picture is shown: of its size, and without its lens where it is straightened.
        picture_ns: timestamp of the picture.
        name: of the other stream.

    Returns:
        None where there is no such frame, or nothing connects the two.

    Raises:
        HfviewerError: the frame cannot be read.
    """
    stream = source.streams.get(name)
    if stream is None:
        return None
    index = timing.index_nearest(stream.timestamps_ns, picture_ns)
    if index is None:
        return None
    frame = source.frame(name, index)
    offset_ns = int(stream.timestamps_ns[index]) - picture_ns
    if isinstance(frame, SampleFrame):
        return keypoints_over(frame, stream.description, offset_ns)
    descriptions = {other: each.description for other, each in source.streams.items()}
    matrix = _camera_from(source.calibration, descriptions, camera_stream, name)
    if camera is None or matrix is None:
        return None
    return points_over(frame, source.calibration.cameras.get(name), matrix, camera, offset_ns)


def points_over(
    frame: Frame,
    own_camera: CameraModel | None,
    camera_from_sensor: NDArray[np.float64],
    camera: CameraModel,
    offset_ns: int,
) -> PointOverlay | None:
    """The points of a scan, or of a depth picture, that lie inside a camera's picture.

    Args:
        frame: the scan or depth picture.
        own_camera: of the depth picture.
        camera_from_sensor: float64 4×4.
        camera: whose picture they are laid over.
        offset_ns: from the picture to the scan.
    """
    if isinstance(frame, DepthFrame) and own_camera is not None:
        own_camera = fitted_to(own_camera, (frame.stored.shape[1], frame.stored.shape[0]))
        if own_camera is None:
            return None
        points, which = points_of_depth(own_camera, frame.stored, frame.scale, step=DEPTH_STEP)
    elif isinstance(frame, PointFrame):
        points, which = frame.xyz, np.arange(len(frame.xyz))
    else:
        return None
    xyz = transform_points(camera_from_sensor, points)
    pixels, inside = to_picture(camera, xyz)
    kept = np.flatnonzero(inside)
    return PointOverlay(
        stream=frame.stream,
        timestamp_ns=frame.timestamp_ns,
        offset_ns=offset_ns,
        pixels=pixels[kept].astype(np.float32),
        depth_m=xyz[kept, 2].astype(np.float32),
        xyz=xyz[kept].astype(np.float32),
        index=which[kept],
        total=len(points),
    )


def keypoints_over(
    frame: SampleFrame, description: StreamDescription, offset_ns: int
) -> KeypointOverlay | None:
    """The places that one sample names; those that are not numbers are left out."""
    if not len(frame.values):
        return None
    values = frame.values[-1]
    bones: list[tuple[int, int]] = []
    boxes = np.empty((0, 4))
    if description.role == "hand_keypoints" and values.size == HANDS * HAND_VALUES:
        hands = values.reshape(HANDS, HAND_VALUES)
        # A hand counts where its box does; without one the values are zeros.
        hands = hands[(hands[:, 44] > 1) & (hands[:, 45] > 1)]
        pixels, boxes = hands[:, :42].reshape(-1, 2), hands[:, 42:]
        for number in range(len(hands)):
            bones += [(a + number * HAND_POINTS, b + number * HAND_POINTS) for a, b in HAND_BONES]
    else:
        pairs = [(x, y) for x, y in keypoint_columns(description) if y < values.size]
        pixels = np.array([[values[x], values[y]] for x, y in pairs]).reshape(-1, 2)
        pixels = pixels[np.isfinite(pixels).all(axis=1)]
    usable = np.isfinite(pixels).all(axis=1) & (np.abs(pixels) < 1e6).all(axis=1)
    return KeypointOverlay(
        stream=frame.stream,
        timestamp_ns=frame.timestamp_ns,
        offset_ns=offset_ns,
        pixels=np.where(usable[:, None], pixels, np.nan),
        bones=tuple((a, b) for a, b in bones if usable[a] and usable[b]),
        boxes=boxes[np.isfinite(boxes).all(axis=1)],
    )


def splat(
    places: NDArray[np.float64],
    depth_m: NDArray[np.float32],
    limits: tuple[float, float],
    table: NDArray[np.uint32],
    size: tuple[int, int],
    point_px: int,
) -> NDArray[np.uint32]:
    """Points as squares on nothing, the nearer ones over those behind them.

    Args:
        places: float64 N×2, device pixels.
        depth_m: float32 N.
        limits: depths in the first and in the last colour.
        table: uint32[256], ``0xFFRRGGBB``.
        size: (width, height) of the result.
        point_px: edge of a square.

    Returns:
        uint32 height×width, ``0xAARRGGBB``, 0 where there is no point.
    """
    width, height = size
    # A margin all round, so that squares at the edge need no clipping.
    margin = point_px
    out = np.zeros((height + 2 * margin, width + 2 * margin), np.uint32)
    with np.errstate(invalid="ignore"):
        corner = np.floor(places - point_px / 2 + 0.5)
        shown = (corner >= -point_px).all(axis=1) & (corner[:, 0] < width) & (corner[:, 1] < height)
    chosen = np.flatnonzero(shown)
    chosen = chosen[np.argsort(depth_m[chosen], kind="stable")[::-1]]
    low, high = limits
    share = (depth_m[chosen] - low) / max(high - low, 1e-6)
    colours = np.take(table, np.clip(np.nan_to_num(share) * 255, 0, 255).astype(np.uint8))
    start = corner[chosen].astype(np.intp) + margin
    base = start[:, 1] * out.shape[1] + start[:, 0]
    offsets = (np.arange(point_px)[:, None] * out.shape[1] + np.arange(point_px)).ravel()
    # One scatter: numpy writes in order, so what is nearer is written last.
    out.reshape(-1)[(base[:, None] + offsets).ravel()] = np.repeat(colours, len(offsets))
    return np.ascontiguousarray(out[margin : margin + height, margin : margin + width])


def _camera_from(
    calibration: Calibration, descriptions: dict[str, StreamDescription], camera_stream: str, name: str
) -> NDArray[np.float64] | None:
    own, other = (
        frame_of(calibration, each, descriptions[each].frame if each in descriptions else "")
        for each in (camera_stream, name)
    )
    return link(calibration, target=own, source=other)
