"""What decoders refuse, and what they promise about arrays; that values come back is in tests/readers."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hfviewer.codecs.decode import ENCODINGS, FrameIds, decode_frame
from hfviewer.codecs.image import decode_picture
from hfviewer.codecs.points import planar_from_interleaved
from hfviewer.core.errors import FrameError
from hfviewer.core.frame import DepthFrame, ImageFrame, MatrixFrame
from hfviewer.core.stream import Channel, StreamDescription, StreamKind

IDS = FrameIds(stream="s", index=0, timestamp_ns=5, sequence=0)
XYZ = ("x", "y", "z")
TWO = (Channel("a"), Channel("b"))


def _describe(kind: StreamKind, encoding: str) -> StreamDescription:
    return StreamDescription(
        name="s",
        kind=kind,
        encoding=encoding,
        width=4,
        height=3,
        pixel_format="mono8",
        fields=XYZ,
        channels=TWO,
    )


def _jpeg(width: int, height: int, *, grey: bool = False) -> bytes:
    shape = (height, width) if grey else (height, width, 3)
    ok, data = cv2.imencode(".jpg", np.full(shape, 90, np.uint8))
    assert ok
    return bytes(data)


@pytest.mark.parametrize(
    ("kind", "encoding"), [(kind, encoding) for kind, all_ in ENCODINGS.items() for encoding in all_]
)
def test_an_odd_number_of_bytes_is_a_frame_error_in_every_encoding_but_raw_bytes(
    kind: StreamKind, encoding: str
) -> None:
    for size in (0, 1, 7, 13, 1001):
        description = _describe(kind, encoding)
        if kind is StreamKind.UNKNOWN:
            decode_frame(description, bytes(size), IDS)
            continue
        with pytest.raises(FrameError):
            decode_frame(description, b"\x01" * size, IDS)


def test_an_encoding_of_another_kind_is_a_frame_error() -> None:
    with pytest.raises(FrameError, match="unknown to this version"):
        decode_frame(_describe(StreamKind.IMU, "jpeg"), _jpeg(8, 8), IDS)


@pytest.mark.parametrize("text", [b"\xff", b"{", b"[" * 100_000, b"nul"])
def test_text_that_is_no_json_is_a_frame_error(text: bytes) -> None:
    with pytest.raises(FrameError, match="JSON"):
        decode_frame(_describe(StreamKind.TEXT, "json"), text, IDS)


@pytest.mark.parametrize("grey", [False, True])
@pytest.mark.parametrize(
    ("shown", "expected"), [((640, 480), 1), ((320, 240), 2), ((160, 120), 4), ((9, 9), 8)]
)
def test_a_jpeg_is_reduced_as_far_as_it_stays_at_least_as_large_as_shown(
    shown: tuple[int, int], expected: int, grey: bool
) -> None:
    pixels, full_size = decode_picture(_jpeg(640, 480, grey=grey), max_size=shown)
    assert pixels.shape[:2] == (480 // expected, 640 // expected)
    assert pixels.ndim == (2 if grey else 3)
    assert full_size == (None if expected == 1 else (640, 480))


def test_a_png_is_never_reduced_and_loses_its_alpha_only() -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (30, 40, 4), np.uint8)
    ok, data = cv2.imencode(".png", pixels)
    assert ok
    decoded, full_size = decode_picture(bytes(data), max_size=(5, 5))
    np.testing.assert_array_equal(decoded, pixels[..., :3])
    assert full_size is None


def test_a_broken_picture_is_a_frame_error() -> None:
    data = bytearray(_jpeg(64, 64))
    with pytest.raises(FrameError):
        decode_picture(bytes(data[:30]))
    ok, png = cv2.imencode(".png", np.zeros((9, 9), np.uint8))
    assert ok
    with pytest.raises(FrameError):
        decode_picture(bytes(png)[:40])


def test_pictures_are_read_only() -> None:
    for frame in (
        decode_frame(_describe(StreamKind.IMAGE, "jpeg"), _jpeg(8, 8), IDS),
        decode_frame(_describe(StreamKind.IMAGE, "raw"), bytearray(12), IDS),
        decode_frame(_describe(StreamKind.DEPTH, "raw"), bytearray(24), IDS),
    ):
        array = frame.pixels if isinstance(frame, ImageFrame) else None
        array = frame.stored if isinstance(frame, DepthFrame) else array
        assert array is not None
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


def test_a_colour_picture_is_no_depth() -> None:
    ok, data = cv2.imencode(".png", np.zeros((4, 4, 3), np.uint16))
    assert ok
    with pytest.raises(FrameError, match="colour"):
        decode_frame(_describe(StreamKind.DEPTH, "png16"), bytes(data), IDS)


def test_clouds_become_planar_bit_for_bit_with_their_nan_payloads() -> None:
    words = np.array([[1, 2, 3], [0x7FA00001, 0xFFC12345, 6]], "<u4")
    planar = planar_from_interleaved(words.tobytes(), 3)
    assert np.frombuffer(planar, "<u4").reshape(3, 2).T.tolist() == words.tolist()
    with pytest.raises(FrameError):
        planar_from_interleaved(bytes(13), 3)


def test_a_matrix_is_rows_of_cells_of_channels_and_of_that_size_only() -> None:
    description = StreamDescription(
        name="touch",
        kind=StreamKind.MATRIX,
        encoding="f32",
        width=3,
        height=2,
        channels=(Channel("fx", "mN"), Channel("fz", "mN")),
    )
    values = np.arange(12, dtype="<f4").reshape(2, 3, 2)
    frame = decode_frame(description, values.tobytes(), IDS)
    assert isinstance(frame, MatrixFrame)
    assert np.array_equal(frame.values, values)
    assert not frame.values.flags.writeable
    with pytest.raises(FrameError, match="not 48"):
        decode_frame(description, values.tobytes()[:-4], IDS)
