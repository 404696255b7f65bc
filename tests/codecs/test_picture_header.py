from __future__ import annotations

import random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.codecs.picture_header import read_picture_header
from hfviewer.core.errors import FrameError


def _encode(suffix: str, pixels: NDArray[np.uint8] | NDArray[np.uint16]) -> bytes:
    ok, data = cv2.imencode(suffix, pixels)
    assert ok
    return bytes(data)


@pytest.mark.parametrize(
    ("suffix", "shape", "dtype", "channels", "bits"),
    [
        (".jpg", (33, 47, 3), "u1", 3, 8),
        (".jpg", (33, 47), "u1", 1, 8),
        (".png", (33, 47, 3), "u1", 3, 8),
        (".png", (33, 47, 4), "u1", 4, 8),
        (".png", (33, 47), "u1", 1, 8),
        (".png", (33, 47), "u2", 1, 16),
    ],
)
def test_size_channels_and_bits_are_read(
    suffix: str, shape: tuple[int, ...], dtype: str, channels: int, bits: int
) -> None:
    header = read_picture_header(_encode(suffix, np.zeros(shape, dtype)))
    assert (header.width, header.height, header.channels, header.bits) == (47, 33, channels, bits)


def test_a_picture_that_claims_gigapixels_is_refused_before_any_decoder_sees_it() -> None:
    data = bytearray(_encode(".png", np.zeros((8, 8), np.uint8)))
    data[16:24] = (100_000).to_bytes(4, "big") * 2
    with pytest.raises(FrameError, match="impossible size"):
        read_picture_header(bytes(data))
    data[16:24] = bytes(8)
    with pytest.raises(FrameError, match="impossible size"):
        read_picture_header(bytes(data))


def test_cut_or_scrambled_headers_are_frame_errors() -> None:
    rng = random.Random(1)
    for suffix in (".jpg", ".png"):
        data = _encode(suffix, np.zeros((8, 8), np.uint8))
        for size in range(25):
            with pytest.raises(FrameError):
                read_picture_header(data[:size])
        for _ in range(500):
            scrambled = bytearray(data)
            for _ in range(3):
                scrambled[rng.randrange(len(scrambled))] = rng.randrange(256)
            try:
                header = read_picture_header(scrambled)
            except FrameError:
                continue
            assert header.decoded_bytes <= 1 << 30
