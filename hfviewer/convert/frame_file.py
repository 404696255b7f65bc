"""One decoded frame as a file: array, picture or payload."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.bayer import demosaic
from hfviewer.codecs.opencv import cv2
from hfviewer.core.errors import UsageError, WriteError
from hfviewer.core.frame import (
    DepthFrame,
    Frame,
    ImageFrame,
    MatrixFrame,
    PointFrame,
    PoseFrame,
    SampleFrame,
    TextFrame,
)
from hfviewer.core.recording import Stream
from hfviewer.core.whole_file import replacing


@dataclass(frozen=True, slots=True)
class Written:
    """What was written.

    Args:
        shape: of the array or picture; empty for bytes and text.
        dtype: of its values; empty likewise.
        fields: names of a point's values, in the order of the columns.
    """

    shape: tuple[int, ...] = ()
    dtype: str = ""
    fields: tuple[str, ...] = ()


def write_frame(stream: Stream, index: int, out: Path, *, stored: bool = False) -> tuple[Frame, Written]:
    """Decode a frame and write it in the format that the suffix names.

    ``.npy``: image H×W×3 RGB or H×W; depth uint16 millimetres (0 invalid) or, ``stored``, the untouched
    codes; points float32 N×F; samples float64 N×C; pose float64 4×4; matrices float32 H×W×C. ``.png`` and
    ``.jpg``: a picture; depth only as 16-bit PNG. ``.bin``: the payload, decompressed. ``.json``: text.

    Args:
        stream: to read from.
        index: of the frame.
        out: replaced where it exists.
        stored: of depth, the codes instead of millimetres.

    Raises:
        UsageError: this kind of frame has no such format.
        FrameError: the frame cannot be read.
        WriteError: the file cannot be written.
    """
    frame = stream.read(index)
    suffix = out.suffix.lower()
    if suffix == ".bin":
        payload = stream.payload(index)
        _replace(out, lambda path: path.write_bytes(payload))
        return frame, Written()
    if suffix == ".npy":
        array, fields = _array(frame, stored=stored)

        def save(path: Path) -> None:
            with path.open("wb") as file:
                np.save(file, array)

        _replace(out, save)
        return frame, Written(array.shape, str(array.dtype), fields)
    if suffix in (".png", ".jpg", ".jpeg"):
        picture = _picture(frame, out, stored=stored)
        ok, data = cv2.imencode(suffix, picture)
        if not ok:
            raise WriteError("The picture cannot be encoded.", path=out)
        _replace(out, lambda path: path.write_bytes(data.tobytes()))
        return frame, Written(picture.shape, str(picture.dtype))
    if suffix == ".json" and isinstance(frame, TextFrame):
        text = json.dumps(frame.value, ensure_ascii=False, indent=2) + "\n"
        _replace(out, lambda path: path.write_text(text, encoding="utf-8"))
        return frame, Written()
    raise UsageError(
        f"A frame of kind {stream.description.kind} cannot be written as {suffix or 'a nameless format'}.",
        remedy="Use .npy, .png, .jpg, .bin, or .json for text.",
        path=out,
    )


def _array(frame: Frame, *, stored: bool) -> tuple[NDArray[Any], tuple[str, ...]]:
    match frame:
        case ImageFrame(pixels=pixels):
            return (np.ascontiguousarray(pixels[:, :, ::-1]) if pixels.ndim == 3 else pixels), ()
        case DepthFrame():
            return (frame.stored if stored else frame.millimetres), ()
        case PointFrame(fields=fields):
            columns = [np.asarray(column) for column in fields.values()]
            return np.stack(columns, axis=1).astype(np.float32, copy=False), tuple(fields)
        case SampleFrame(values=values, channels=channels):
            return values, tuple(channel.name for channel in channels)
        case PoseFrame(matrix=matrix):
            return matrix, ()
        case MatrixFrame(values=cells, channels=planes):
            return cells, tuple(plane.name for plane in planes)
    raise UsageError("This kind of frame is not an array.", remedy="Use .bin or .json.")


def _picture(frame: Frame, out: Path, *, stored: bool) -> NDArray[Any]:
    match frame:
        case ImageFrame(pixels=pixels, pixel_format=pixel_format):
            if pixels.dtype == np.uint16 and out.suffix.lower() != ".png":
                raise UsageError(
                    "A picture of 16 bit would lose by it.", remedy="Use .png or .npy.", path=out
                )
            return demosaic(pixels, pixel_format)
        case DepthFrame():
            if out.suffix.lower() != ".png":
                remedy = "Use .png (16 bit, millimetres) or .npy."
                raise UsageError("Depth would lose by it.", remedy=remedy, path=out)
            return frame.stored if stored else frame.millimetres
    raise UsageError("This kind of frame is not a picture.", remedy="Use .npy or .bin.", path=out)


def _replace(out: Path, write: Callable[[Path], object]) -> None:
    """Write beside the target, then put it in its place: a failure never leaves half a file."""
    try:
        with replacing(out) as beside:
            write(beside)
    except OSError as error:
        raise WriteError(f"It cannot be written ({error.strerror}).", path=out) from error
