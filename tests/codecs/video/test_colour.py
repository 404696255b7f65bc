from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.codecs.video.colour import Matrix, grey_codes, is_full_range, is_grey, matrix_of, to_pixels
from hfviewer.codecs.video.probe import probe
from hfviewer.core.errors import FrameError
from tests.codecs.video.reading import server_of
from tests.video_clips import Clip, gray12_codes, write_clip, x264

# Kr and Kb of each matrix (ITU-T H.273, table 4).
WEIGHTS = {Matrix.BT601: (0.299, 0.114), Matrix.BT709: (0.2126, 0.0722), Matrix.BT2020: (0.2627, 0.0593)}
TAGS = {Matrix.BT709: 1, Matrix.BT601: 6, Matrix.BT2020: 9}
CELL = 16


def flat_cells(pixel_format: str, bits: int, size: tuple[int, int] = (160, 96)) -> tuple[av.VideoFrame, Any]:
    """A picture of cells of one colour each, and the codes of each cell (rows, columns, 3)."""
    width, height = size
    rng = np.random.default_rng(5)
    scale = 1 << (bits - 8)
    cells = rng.integers(16 * scale, 240 * scale, (height // CELL, width // CELL, 3))
    picture = av.VideoFrame(width, height, pixel_format)
    dtype = np.uint8 if bits == 8 else np.uint16
    for number, plane in enumerate(picture.planes):
        block = CELL * plane.width // width
        codes = np.kron(cells[:, :, number], np.ones((block, block))).astype(dtype)
        padded = np.zeros((plane.height, plane.line_size // np.dtype(dtype).itemsize), dtype)
        padded[: codes.shape[0], : codes.shape[1]] = codes
        plane.update(padded.tobytes())
    return picture, cells


def exact_bgr(cells: NDArray[Any], matrix: Matrix, *, full: bool, bits: int) -> NDArray[np.float64]:
    """By the definition (ITU-T H.273, 8.3): float, then rounded."""
    kr, kb = WEIGHTS[matrix]
    scale = 1 << (bits - 8)
    y, cb, cr = (cells[:, :, i].astype(float) for i in range(3))
    if full:
        top = 256 * scale - 1
        y, cb, cr = y / top, (cb - 128 * scale) / top, (cr - 128 * scale) / top
    else:
        y = (y - 16 * scale) / (219 * scale)
        cb, cr = (cb - 128 * scale) / (224 * scale), (cr - 128 * scale) / (224 * scale)
    red, blue = y + 2 * (1 - kr) * cr, y + 2 * (1 - kb) * cb
    green = (y - kr * red - kb * blue) / (1 - kr - kb)
    return np.clip(np.rint(np.stack([blue, green, red], -1) * 255), 0, 255)


@pytest.mark.parametrize("matrix", list(WEIGHTS))
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize(("pixel_format", "bits"), [("yuv420p", 8), ("yuv444p", 8), ("yuv420p10le", 10)])
def test_colours_follow_the_matrix_and_range_of_the_stream(
    matrix: Matrix, full: bool, pixel_format: str, bits: int
) -> None:
    picture, cells = flat_cells(pixel_format, bits)
    picture.colorspace, picture.color_range = TAGS[matrix], 2 if full else 1
    pixels = to_pixels(picture)
    middles = pixels[CELL // 2 :: CELL, CELL // 2 :: CELL].astype(float)
    exact = matrix is Matrix.BT601 and not full and pixel_format == "yuv420p"
    assert pixels.dtype == np.uint8
    assert np.abs(middles - exact_bgr(cells, matrix, full=full, bits=bits)).max() <= (1 if exact else 3)


def test_the_matrices_differ_by_more_than_the_error() -> None:
    _, cells = flat_cells("yuv420p", 8)
    exact = {matrix: exact_bgr(cells, matrix, full=False, bits=8) for matrix in WEIGHTS}
    assert np.abs(exact[Matrix.BT601] - exact[Matrix.BT709]).max() > 20


def test_an_untagged_stream_is_bt601_unless_the_caller_knows_better() -> None:
    picture, cells = flat_cells("yuv420p", 8)
    assert matrix_of(picture) is Matrix.BT601
    middles = to_pixels(picture, untagged=Matrix.BT709)[CELL // 2 :: CELL, CELL // 2 :: CELL].astype(float)
    assert np.abs(middles - exact_bgr(cells, Matrix.BT709, full=False, bits=8)).max() <= 3
    picture.colorspace = 1
    assert matrix_of(picture, untagged=Matrix.BT2020) is Matrix.BT709


def test_the_stream_s_tags_survive_the_encoder(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "tagged.mp4", x264(8, frames=2, colours=(1, 2)))
    picture = server_of(path).picture(0)
    assert matrix_of(picture) is Matrix.BT709
    assert is_full_range(picture)
    assert probe(path).tracks[0].matrix == 1


def test_motion_jpeg_uses_the_full_range() -> None:
    assert is_full_range(av.VideoFrame(16, 16, "yuvj420p"))
    assert is_full_range(av.VideoFrame(16, 16, "gbrp"))
    assert not is_full_range(av.VideoFrame(16, 16, "yuv420p"))


@pytest.mark.parametrize("size", [(161, 97), (162, 97), (161, 96), (16, 2)])
def test_odd_sizes_are_whole(size: tuple[int, int]) -> None:
    picture = av.VideoFrame(*size, "yuv420p")
    for plane, code in zip(picture.planes, (81, 90, 240), strict=True):  # pure red in BT.601
        plane.update(bytes([code]) * plane.buffer_size)
    pixels = to_pixels(picture)
    assert pixels.shape == (size[1], size[0], 3)
    assert np.abs(pixels.astype(int) - np.array([0, 0, 254])).max() <= 3


def test_grey_codes_are_taken_as_they_are_without_the_padding_of_planes() -> None:
    codes = gray12_codes(77, (170, 97))
    picture = av.VideoFrame.from_ndarray(codes, format="gray12le")
    assert picture.planes[0].line_size > 170 * 2
    np.testing.assert_array_equal(to_pixels(picture), codes)
    assert int(codes.max()) == 4095


def test_grey_of_the_other_byte_order_is_turned_round() -> None:
    codes = np.arange(64 * 32, dtype=np.uint16).reshape(32, 64)
    big = av.VideoFrame(64, 32, "gray16be")
    big.planes[0].update(codes.astype(">u2").tobytes())
    np.testing.assert_array_equal(to_pixels(big), codes)


def test_eight_bit_grey_stays_eight_bit() -> None:
    grey = np.arange(64 * 32, dtype=np.uint8).reshape(32, 64)
    pixels = to_pixels(av.VideoFrame.from_ndarray(grey, format="gray"))
    assert pixels.dtype == np.uint8
    np.testing.assert_array_equal(pixels, grey)


def test_pixels_are_read_only() -> None:
    for pixel_format in ("yuv420p", "yuv444p", "gray", "gray12le"):
        assert not to_pixels(av.VideoFrame(64, 32, pixel_format)).flags.writeable


def test_a_colour_picture_has_no_codes() -> None:
    assert not is_grey("yuv420p")
    assert not is_grey("grayf32le")
    with pytest.raises(FrameError, match="yuv420p"):
        grey_codes(av.VideoFrame(64, 32, "yuv420p"))


def test_lossless_rgb_comes_back_exactly(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "rgb.mkv", Clip(codec="ffv1", pixel_format="bgr0", frames=3))
    with av.open(str(path)) as opened:
        expected = [picture.to_ndarray(format="bgr24") for picture in opened.decode(video=0)]
    server = server_of(path)
    for frame in (2, 0, 1):
        np.testing.assert_array_equal(to_pixels(server.picture(frame)), expected[frame])
