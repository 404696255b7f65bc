"""Decoded planes to pixels: colours by the stream's own matrix and range, grey codes exactly as stored."""

from __future__ import annotations

import threading
from enum import Enum
from typing import Any, cast

import av
import numpy as np
from av.video.reformatter import VideoReformatter
from numpy.typing import NDArray

from hfviewer.codecs.image import Pixels
from hfviewer.codecs.opencv import cv2
from hfviewer.codecs.video.source import AV_ERRORS
from hfviewer.core.errors import FrameError
from hfviewer.core.frame import freeze


class Matrix(Enum):
    """How luma and chroma were made of R, G and B; the value is swscale's number for it."""

    BT709 = 1
    FCC = 4
    BT601 = 5
    SMPTE240M = 7
    BT2020 = 9


UNTAGGED = Matrix.BT601
"""Where a stream does not say: what FFmpeg's scaler makes of R, G, B unless told, at any size.

The recorder's files are such (formats/pooled.md, section 3); players that take BT.709 from 720 lines on show
them wrong.
"""

# ITU-T H.273, table 4 (matrix coefficients), as FFmpeg numbers them.
_MATRICES = {
    1: Matrix.BT709,
    4: Matrix.FCC,
    5: Matrix.BT601,
    6: Matrix.BT601,
    7: Matrix.SMPTE240M,
    9: Matrix.BT2020,
    10: Matrix.BT2020,
}
_LIMITED, _FULL = 1, 2
_local = threading.local()


def is_grey(pixel_format: str) -> bool:
    """True for formats of one plane of grey codes: ``gray``, ``gray12le``, ``gray16be``, and so on."""
    return pixel_format.startswith("gray") and not pixel_format.startswith("grayf")


def matrix_of(picture: av.VideoFrame, untagged: Matrix = UNTAGGED) -> Matrix:
    """The matrix that the picture says, or the one to take where it says nothing."""
    return _MATRICES.get(int(picture.colorspace), untagged)


def is_full_range(picture: av.VideoFrame) -> bool:
    """True where luma uses all codes (R, G and B always do), False where it uses 16 to 235 (of 8 bits)."""
    full_formats = ("yuvj", "gbr", "rgb", "bgr", "0rgb", "0bgr", "argb", "abgr", "pal8")
    return int(picture.color_range) == _FULL or picture.format.name.startswith(full_formats)


def to_pixels(picture: av.VideoFrame, *, untagged: Matrix = UNTAGGED) -> Pixels:
    """Pixels of a decoded picture.

    Args:
        picture: as decoded.
        untagged: the matrix where the stream names none.

    Returns:
        Grey: uint8 or uint16 H×W, the codes as stored (a 12-bit code stays 0 … 4095). Colour: uint8 H×W×3
        (B, G, R), of more than 8 bits the upper 8; at most 1 off for 8-bit 4:2:0 in BT.601, else at most 3.

    Raises:
        FrameError: a pixel format that cannot be converted.
    """
    name = picture.format.name
    if is_grey(name):
        return grey_codes(picture)
    matrix, full = matrix_of(picture, untagged), is_full_range(picture)
    even = picture.width % 2 == 0 and picture.height % 2 == 0
    if name == "yuv420p" and even and matrix is Matrix.BT601 and not full:
        return _bgr_by_opencv(picture)
    return _bgr_by_swscale(picture, matrix, full=full)


def grey_codes(picture: av.VideoFrame) -> Pixels:
    """The codes of a grey picture, uint8 or uint16 H×W, without the padding that planes have.

    Raises:
        FrameError: not a grey picture.
    """
    name = picture.format.name
    if not is_grey(name):
        raise FrameError(f"It is a colour picture ({name}), not a picture of codes.")
    dtype = np.dtype("u1") if name in ("gray", "gray8") else np.dtype(">u2" if name.endswith("be") else "<u2")
    codes = _plane(picture, 0, dtype)
    return cast("Pixels", freeze(codes.astype(dtype.newbyteorder("="), order="C")))


def _plane(picture: av.VideoFrame, number: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """A view of one plane, H×W."""
    plane = picture.planes[number]
    codes: NDArray[Any] = np.frombuffer(memoryview(plane), dtype)
    columns = plane.line_size // dtype.itemsize
    return codes[: columns * plane.height].reshape(plane.height, columns)[:, : plane.width]


def _bgr_by_opencv(picture: av.VideoFrame) -> NDArray[np.uint8]:
    width, height = picture.width, picture.height
    planes = np.empty(width * height * 3 // 2, np.uint8)
    luma, quarter = width * height, width * height // 4
    byte = np.dtype("u1")
    planes[:luma].reshape(height, width)[:] = _plane(picture, 0, byte)
    planes[luma : luma + quarter].reshape(height // 2, width // 2)[:] = _plane(picture, 1, byte)
    planes[luma + quarter :].reshape(height // 2, width // 2)[:] = _plane(picture, 2, byte)
    bgr = cv2.cvtColor(planes.reshape(height * 3 // 2, width), cv2.COLOR_YUV2BGR_I420)
    return freeze(np.asarray(bgr, np.uint8))


def _bgr_by_swscale(picture: av.VideoFrame, matrix: Matrix, *, full: bool) -> NDArray[np.uint8]:
    reformatter: VideoReformatter | None = getattr(_local, "reformatter", None)
    if reformatter is None:
        reformatter = _local.reformatter = VideoReformatter()
    try:
        bgr = reformatter.reformat(
            picture,
            format="bgr24",
            src_colorspace=matrix.value,
            dst_colorspace=matrix.value,
            src_color_range=_FULL if full else _LIMITED,
            dst_color_range=_FULL,
            threads=1,
        )
    except AV_ERRORS as error:
        raise FrameError(f"Pixel format {picture.format.name!r} cannot be shown ({error}).") from error
    return freeze(np.asarray(bgr.to_ndarray(), np.uint8))
