"""Pictures: JPEG, PNG and raw pixels to arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.compression import MAX_FRAME_BYTES, Buffer
from hfviewer.codecs.opencv import cv2
from hfviewer.codecs.picture_header import PictureHeader, read_picture_header
from hfviewer.core.errors import FrameError

Pixels = NDArray[np.uint8] | NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class PixelFormat:
    """How raw pixels lie in memory.

    Args:
        channels: values per pixel, 1 for grey and for a Bayer mosaic.
        dtype: of one value, little-endian.
        to_bgr: order in which to take the channels for B, G, R; empty for one channel.
    """

    channels: int
    dtype: np.dtype[Any]
    to_bgr: tuple[int, ...] = ()


_U8, _U16 = np.dtype("u1"), np.dtype("<u2")
PIXEL_FORMATS = {
    "mono8": PixelFormat(1, _U8),
    "mono16": PixelFormat(1, _U16),
    "rgb8": PixelFormat(3, _U8, (2, 1, 0)),
    "bgr8": PixelFormat(3, _U8, (0, 1, 2)),
    "rgba8": PixelFormat(4, _U8, (2, 1, 0)),
    **{
        f"bayer_{pattern}{bits}": PixelFormat(1, dtype)
        for pattern in ("rggb", "bggr", "gbrg", "grbg")
        for bits, dtype in ((8, _U8), (16, _U16))
    },
}


def decode_picture(
    payload: Buffer, *, max_size: tuple[int, int] | None = None
) -> tuple[Pixels, tuple[int, int] | None]:
    """Decode a JPEG or PNG picture as it was stored: no rotation by EXIF, no change of depth.

    Args:
        payload: the whole file's bytes.
        max_size: (width, height) that will be shown at most. A JPEG is then decoded at 1/2, 1/4 or 1/8 size
            where that is still at least as large; None: in full.

    Returns:
        uint8 or uint16, H×W×3 (B, G, R) or H×W (grey); alpha is dropped. And the stored (width, height) where
        the picture is a reduced decode, else None.

    Raises:
        FrameError: it cannot be decoded.
    """
    header = read_picture_header(payload)
    reduction = _reduction(header, max_size)
    flags = {
        1: cv2.IMREAD_UNCHANGED if header.encoding == "png" else cv2.IMREAD_ANYCOLOR | cv2.IMREAD_ANYDEPTH,
        2: cv2.IMREAD_REDUCED_GRAYSCALE_2 if header.channels == 1 else cv2.IMREAD_REDUCED_COLOR_2,
        4: cv2.IMREAD_REDUCED_GRAYSCALE_4 if header.channels == 1 else cv2.IMREAD_REDUCED_COLOR_4,
        8: cv2.IMREAD_REDUCED_GRAYSCALE_8 if header.channels == 1 else cv2.IMREAD_REDUCED_COLOR_8,
    }[reduction]
    if flags != cv2.IMREAD_UNCHANGED:
        flags |= cv2.IMREAD_IGNORE_ORIENTATION
    try:
        decoded = cv2.imdecode(np.frombuffer(payload, np.uint8), flags)
    except cv2.error as error:
        raise FrameError(f"The {header.encoding.upper()} picture cannot be decoded ({error}).") from error
    if decoded is None:
        raise FrameError(f"The {header.encoding.upper()} picture is broken.")
    pixels = np.asarray(decoded)
    if pixels.ndim == 3 and pixels.shape[2] == 4:
        pixels = np.ascontiguousarray(pixels[:, :, :3])
    elif pixels.ndim == 3 and pixels.shape[2] == 2:
        pixels = np.ascontiguousarray(pixels[:, :, 0])
    pixels.flags.writeable = False
    return cast("Pixels", pixels), ((header.width, header.height) if reduction > 1 else None)


def _reduction(header: PictureHeader, max_size: tuple[int, int] | None) -> int:
    """The largest of 8, 4, 2 that keeps a JPEG at least as large as it will be shown; else 1."""
    if max_size is None or header.encoding != "jpeg":
        return 1
    for reduction in (8, 4, 2):
        if header.width >= max_size[0] * reduction and header.height >= max_size[1] * reduction:
            return reduction
    return 1


def decode_raw_picture(
    payload: Buffer, *, width: int | None, height: int | None, pixel_format: str
) -> Pixels:
    """Raw pixels as an array.

    Returns:
        uint8 or uint16, H×W×3 (B, G, R) or H×W: grey, or the mosaic of a Bayer sensor as it is. Over the
        payload's own memory where the order of channels allows.

    Raises:
        FrameError: unknown format, or the payload is not of that size.
    """
    layout = PIXEL_FORMATS.get(pixel_format)
    if layout is None:
        raise FrameError(f"Pixel format {pixel_format!r} is unknown.")
    if not width or not height or width < 0 or height < 0:
        raise FrameError("The recording does not say how wide and high this raw picture is.")
    expected = width * height * layout.channels * layout.dtype.itemsize
    if expected > MAX_FRAME_BYTES:
        raise FrameError(f"It claims an impossible size ({width} × {height}).")
    if len(payload) != expected:
        raise FrameError(
            f"It holds {len(payload)} bytes, but {width} × {height} {pixel_format} needs {expected}."
        )
    values: NDArray[Any] = np.frombuffer(payload, layout.dtype)
    pixels: NDArray[Any]
    if layout.channels == 1:
        pixels = values.reshape(height, width)
    else:
        pixels = values.reshape(height, width, layout.channels)
        if layout.to_bgr != (0, 1, 2):
            pixels = np.ascontiguousarray(pixels[:, :, list(layout.to_bgr)])
    pixels.flags.writeable = False
    return cast("Pixels", pixels)
