"""Payload bytes to frames, by the kind of their stream."""

from __future__ import annotations

import json
import math
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.compression import Buffer
from hfviewer.codecs.depth import decode_depth, depth_scale
from hfviewer.codecs.image import decode_picture, decode_raw_picture
from hfviewer.codecs.points import decode_points
from hfviewer.codecs.samples import decode_pose, decode_samples
from hfviewer.core.errors import FrameError
from hfviewer.core.frame import (
    AnnotationFrame,
    DepthFrame,
    Frame,
    ImageFrame,
    MatrixFrame,
    PointFrame,
    PoseFrame,
    RawFrame,
    SampleFrame,
    TextFrame,
    freeze,
)
from hfviewer.core.stream import StreamDescription, StreamKind

ENCODINGS: dict[StreamKind, tuple[str, ...]] = {
    StreamKind.IMAGE: ("jpeg", "png", "raw", "h264", "hevc"),
    StreamKind.DEPTH: ("png16", "raw", "log12", "hevc"),
    StreamKind.POINTS: ("f32", "f32_planar"),
    StreamKind.IMU: ("f32", "f64", "f32_batch", "f64_batch"),
    StreamKind.SIGNAL: ("f32", "f64", "f32_batch", "f64_batch"),
    StreamKind.POSE: ("xyz_qxyzw_f64", "matrix44_f32"),
    StreamKind.MATRIX: ("f32",),
    StreamKind.TEXT: ("json",),
    StreamKind.ANNOTATION: ("json",),
    StreamKind.UNKNOWN: ("bytes",),
}
"""Every encoding of formats/hyperframe.md by kind; ``bytes`` is what could not be guessed."""

VIDEO_ENCODINGS = frozenset({"h264", "hevc"})
UNDECODED = VIDEO_ENCODINGS | {"bytes"}
"""Encodings that `decode_frame` does not look into."""

# Their arrays lie over the payload's own memory, so the payload must not be a buffer that is used again.
_KEEPS_PAYLOAD = frozenset({"raw", "log12", "f32", "f32_planar", "bytes"})


class FrameIds(TypedDict):
    """What every frame knows about itself."""

    stream: str
    index: int
    timestamp_ns: int
    sequence: int


def keeps_payload(description: StreamDescription) -> bool:
    """True where a decoded frame may go on using the payload's memory."""
    return description.encoding in _KEEPS_PAYLOAD


def decode_frame(
    description: StreamDescription,
    payload: Buffer,
    ids: FrameIds,
    *,
    max_size: tuple[int, int] | None = None,
) -> Frame:
    """Decode one decompressed payload.

    Args:
        description: of its stream.
        payload: kept by the frame where `keeps_payload` says so.
        ids: what the frame knows about itself.
        max_size: see `Stream.read`.

    Raises:
        FrameError: it cannot be decoded; the message says why, not where.
    """
    kind, encoding = description.kind, description.encoding
    if encoding not in ENCODINGS[kind]:
        raise FrameError(f"A stream of kind {kind} in encoding {encoding!r} is unknown to this version.")
    if len(payload) == 0 and kind is not StreamKind.UNKNOWN:
        raise FrameError("It is empty (0 bytes).")
    if encoding in VIDEO_ENCODINGS:
        raise FrameError(f"One payload of video ({encoding}) cannot be decoded without those before it.")
    match kind:
        case StreamKind.IMAGE if encoding == "raw":
            pixels = decode_raw_picture(
                payload,
                width=description.width,
                height=description.height,
                pixel_format=description.pixel_format,
            )
            return ImageFrame(**ids, pixels=pixels, pixel_format=description.pixel_format)
        case StreamKind.IMAGE:
            pixels, full_size = decode_picture(payload, max_size=max_size)
            return ImageFrame(
                **ids, pixels=pixels, pixel_format=description.pixel_format, full_size=full_size
            )
        case StreamKind.DEPTH:
            stored = decode_depth(payload, description)
            return DepthFrame(**ids, stored=stored, scale=depth_scale(description))
        case StreamKind.POINTS:
            xyz, fields = decode_points(payload, encoding=encoding, fields=description.fields)
            return PointFrame(**ids, xyz=xyz, fields=fields)
        case StreamKind.IMU | StreamKind.SIGNAL:
            stamps, values = decode_samples(
                payload,
                encoding=encoding,
                channel_count=len(description.channels),
                timestamp_ns=ids["timestamp_ns"],
            )
            return SampleFrame(
                **ids, timestamps_ns=freeze(stamps), values=freeze(values), channels=description.channels
            )
        case StreamKind.POSE:
            return PoseFrame(**ids, matrix=freeze(decode_pose(payload, encoding)))
        case StreamKind.MATRIX:
            cells = _decode_matrix(payload, description)
            return MatrixFrame(**ids, values=cells, channels=description.channels)
        case StreamKind.TEXT | StreamKind.ANNOTATION:
            return _decode_text(payload, ids, annotation=kind is StreamKind.ANNOTATION)
        case StreamKind.UNKNOWN:
            return RawFrame(**ids, payload=bytes(payload))


def _decode_matrix(payload: Buffer, description: StreamDescription) -> NDArray[np.float32]:
    shape = (description.height or 0, description.width or 0, len(description.channels))
    expected = 4 * math.prod(shape)
    if len(payload) != expected:
        cells = " × ".join(map(str, shape))
        raise FrameError(f"It holds {len(payload)} bytes, not {expected} ({cells} values).")
    return freeze(np.frombuffer(payload, "<f4").reshape(shape))


def _decode_text(payload: Buffer, ids: FrameIds, *, annotation: bool) -> TextFrame:
    try:
        text = str(payload, "utf-8")
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FrameError(f"It is not valid JSON ({error}).") from error
    cls = AnnotationFrame if annotation else TextFrame
    return cls(**ids, value=value, text=text)
