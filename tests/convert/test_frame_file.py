from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.convert.frame_file import write_frame
from hfviewer.core.depth import DepthScale
from hfviewer.core.errors import FrameError, UsageError, WriteError
from hfviewer.core.frame import (
    AnnotationFrame,
    DepthFrame,
    Frame,
    ImageFrame,
    PointFrame,
    PoseFrame,
    RawFrame,
    SampleFrame,
    TextFrame,
)
from hfviewer.core.recording import Stream
from hfviewer.core.stream import Channel, StreamDescription, StreamKind

SUFFIXES = (".npy", ".png", ".jpg", ".jpeg", ".bin", ".json", ".tiff", "")
PAYLOAD = b"the payload, decompressed"

COLOUR = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
GREY = COLOUR[:, :, 0].copy()
GREY16 = (np.arange(24, dtype=np.uint16) * 2500).reshape(4, 6)
CODES = np.array([[0, 1, 2], [1000, 4095, 65535]], np.uint16)
XYZI = np.arange(20, dtype=np.float32).reshape(5, 4)
ROWS = np.array([[1.5, np.nan], [-0.0, 1e300]])
POSE = np.arange(16.0).reshape(4, 4)


class OneFrame(Stream):
    """A stream of the one frame that it is given."""

    def __init__(self, kind: StreamKind, make: Callable[..., Frame]) -> None:
        self._kind, self._make = kind, make

    @property
    def description(self) -> StreamDescription:
        return StreamDescription(name="s", kind=self._kind, encoding="any", frame_count=1)

    @property
    def timestamps_ns(self) -> NDArray[np.int64]:
        return np.array([5], np.int64)

    @property
    def sequence(self) -> NDArray[np.int64]:
        return np.array([9], np.int64)

    @property
    def flags(self) -> NDArray[np.uint16]:
        return np.zeros(1, np.uint16)

    def read(self, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        return self._make(stream="s", index=index, timestamp_ns=5, sequence=9)

    def payload(self, index: int) -> bytes:
        return PAYLOAD


def image(pixels: NDArray[np.uint8] | NDArray[np.uint16], pixel_format: str = "") -> OneFrame:
    return OneFrame(
        StreamKind.IMAGE, lambda **about: ImageFrame(pixels=pixels, pixel_format=pixel_format, **about)
    )


STREAMS = {
    "colour": image(COLOUR),
    "grey": image(GREY),
    "grey16": image(GREY16, "mono16"),
    "bayer": image(GREY, "bayer_rggb8"),
    "depth": OneFrame(
        StreamKind.DEPTH,
        lambda **about: DepthFrame(
            stored=CODES, scale=DepthScale(unit_mm=2.0, invalid_codes=(0, 65535)), **about
        ),
    ),
    "points": OneFrame(
        StreamKind.POINTS,
        lambda **about: PointFrame(
            xyz=XYZI[:, :3],
            fields=dict(zip(("intensity", "x", "y", "z"), XYZI[:, [3, 0, 1, 2]].T, strict=True)),
            **about,
        ),
    ),
    "samples": OneFrame(
        StreamKind.IMU,
        lambda **about: SampleFrame(
            timestamps_ns=np.array([5, 6], np.int64),
            values=ROWS,
            channels=(Channel("a", "m"), Channel("b")),
            **about,
        ),
    ),
    "pose": OneFrame(StreamKind.POSE, lambda **about: PoseFrame(matrix=POSE, **about)),
    "text": OneFrame(
        StreamKind.TEXT,
        lambda **about: TextFrame(value={"天气": ["晴", 1]}, text='{"天气":["晴",1]}', **about),
    ),
    "annotation": OneFrame(
        StreamKind.ANNOTATION, lambda **about: AnnotationFrame(value={"id": 1}, text='{"id":1}', **about)
    ),
    "unknown": OneFrame(StreamKind.UNKNOWN, lambda **about: RawFrame(payload=PAYLOAD, **about)),
}

ARRAYS: dict[str, tuple[NDArray[np.generic], tuple[str, ...]]] = {
    "colour": (COLOUR[:, :, ::-1], ()),  # R, G, B in the file
    "grey": (GREY, ()),
    "grey16": (GREY16, ()),
    "bayer": (GREY, ()),  # the sensor's raw mosaic
    "depth": (np.array([[0, 2, 4], [2000, 8190, 0]], np.uint16), ()),
    "points": (XYZI[:, [3, 0, 1, 2]], ("intensity", "x", "y", "z")),
    "samples": (ROWS, ("a", "b")),
    "pose": (POSE, ()),
}
PICTURES = {
    "colour": {".png", ".jpg", ".jpeg"},
    "grey": {".png", ".jpg", ".jpeg"},
    "bayer": {".png", ".jpg", ".jpeg"},
    "grey16": {".png"},
    "depth": {".png"},
}
TEXTS = {"text", "annotation"}


def allowed(kind: str, suffix: str) -> bool:
    return (
        suffix == ".bin"
        or (suffix == ".npy" and kind in ARRAYS)
        or suffix in PICTURES.get(kind, set())
        or (suffix == ".json" and kind in TEXTS)
    )


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("kind", STREAMS)
def test_each_kind_has_its_formats_and_every_other_is_refused_without_a_file(
    tmp_path: Path, kind: str, suffix: str
) -> None:
    out = tmp_path / f"frame{suffix}"
    if allowed(kind, suffix):
        frame, _ = write_frame(STREAMS[kind], 0, out)
        assert (frame.stream, frame.timestamp_ns, frame.sequence) == ("s", 5, 9)
        assert [path.name for path in tmp_path.iterdir()] == [out.name]
    else:
        with pytest.raises(UsageError):
            write_frame(STREAMS[kind], 0, out)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ARRAYS)
def test_an_array_holds_the_values_bit_for_bit_and_names_its_columns(tmp_path: Path, kind: str) -> None:
    expected, fields = ARRAYS[kind]
    _, written = write_frame(STREAMS[kind], 0, tmp_path / "a.npy")
    array = np.load(tmp_path / "a.npy")
    assert array.dtype == expected.dtype
    assert array.tobytes() == np.ascontiguousarray(expected).tobytes()
    assert (written.shape, written.dtype, written.fields) == (expected.shape, str(expected.dtype), fields)


@pytest.mark.parametrize("suffix", [".npy", ".png"])
def test_stored_depth_is_the_untouched_codes(tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"a{suffix}"
    write_frame(STREAMS["depth"], 0, out, stored=True)
    array = np.load(out) if suffix == ".npy" else cv2.imread(str(out), cv2.IMREAD_UNCHANGED)
    assert array is not None
    assert array.dtype == np.uint16
    assert np.array_equal(array, CODES)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("colour", COLOUR), ("grey", GREY), ("grey16", GREY16), ("depth", ARRAYS["depth"][0])],
)
def test_a_png_loses_nothing(tmp_path: Path, kind: str, expected: NDArray[np.generic]) -> None:
    _, written = write_frame(STREAMS[kind], 0, tmp_path / "a.PNG")
    picture = cv2.imread(str(tmp_path / "a.PNG"), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    assert picture.dtype == expected.dtype
    assert np.array_equal(picture, expected)
    assert (written.shape, written.dtype) == (expected.shape, str(expected.dtype))


def test_a_mosaic_becomes_a_colour_picture(tmp_path: Path) -> None:
    _, written = write_frame(STREAMS["bayer"], 0, tmp_path / "a.png")
    assert written.shape == (4, 6, 3)


def test_text_is_json_that_people_can_read(tmp_path: Path) -> None:
    write_frame(STREAMS["text"], 0, tmp_path / "a.json")
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert json.loads(text) == {"天气": ["晴", 1]}
    assert "天气" in text


@pytest.mark.parametrize("kind", STREAMS)
def test_the_payload_of_every_kind_can_be_had(tmp_path: Path, kind: str) -> None:
    write_frame(STREAMS[kind], 0, tmp_path / "a.bin")
    assert (tmp_path / "a.bin").read_bytes() == PAYLOAD


def test_an_existing_file_is_replaced_whole(tmp_path: Path) -> None:
    out = tmp_path / "a.bin"
    out.write_bytes(b"x" * 1000)
    with out.open("rb") as before:
        write_frame(STREAMS["unknown"], 0, out)
        # Who is still reading the old one sees no half of the new.
        assert before.read() == b"x" * 1000
    assert out.read_bytes() == PAYLOAD


def test_what_cannot_be_written_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "a.bin"
    out.write_bytes(b"before")

    def half(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:3])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(WriteError, match="No space left"):
        write_frame(STREAMS["unknown"], 0, out)
    assert out.read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]


def test_a_target_that_is_no_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "folder.npy").mkdir()
    for out in (tmp_path / "folder.npy", tmp_path / "none" / "a.npy"):
        with pytest.raises(WriteError) as caught:
            write_frame(STREAMS["pose"], 0, out)
        assert caught.value.path == str(out)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.npy"]


def test_a_frame_that_cannot_be_read_writes_nothing(tmp_path: Path) -> None:
    def broken(**_: object) -> Frame:
        raise FrameError("It is cut off.")

    for suffix in SUFFIXES:
        with pytest.raises(FrameError, match="cut off"):
            write_frame(OneFrame(StreamKind.IMAGE, broken), 0, tmp_path / f"a{suffix}")
    assert list(tmp_path.iterdir()) == []
