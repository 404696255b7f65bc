from pathlib import Path

import pytest

from hfviewer.convert.pictures import first_picture_header, load_picture, picture_encoding
from hfviewer.core.errors import FrameError
from tests.convert.layouts import depth_png, jpeg, png, write


def test_a_whole_picture_comes_as_the_bytes_it_is(tmp_path: Path) -> None:
    for name, data in (("a.png", png(1)), ("b.jpg", jpeg(2))):
        assert load_picture(write(tmp_path / name, data)) == data
    data = depth_png(3)
    assert load_picture(write(tmp_path / "c.png", data), depth=True) == data


@pytest.mark.parametrize("data", [png(1, size=(40, 40)), jpeg(1, size=(40, 40))])
def test_a_picture_cut_anywhere_is_an_error(tmp_path: Path, data: bytes) -> None:
    for size in range(0, len(data) - 1, 37):
        with pytest.raises(FrameError):
            load_picture(write(tmp_path / "cut", data[:size]))


def test_a_flipped_bit_in_a_png_is_found(tmp_path: Path) -> None:
    data = bytearray(png(1))
    data[len(data) // 2] ^= 1
    with pytest.raises(FrameError, match="checksum"):
        load_picture(write(tmp_path / "a.png", bytes(data)))


def test_depth_must_be_one_channel_of_16_bits(tmp_path: Path) -> None:
    for data in (png(1), png(1, channels=1), jpeg(1)):
        with pytest.raises(FrameError, match="16-bit"):
            load_picture(write(tmp_path / "a.png", data), depth=True)


def test_the_first_picture_with_a_header_tells_the_size(tmp_path: Path) -> None:
    broken, good = write(tmp_path / "0.png", b"no"), write(tmp_path / "1.png", png(1, size=(30, 20)))
    header = first_picture_header([tmp_path / "none", broken, good])
    assert header is not None
    assert (header.width, header.height) == (30, 20)
    assert first_picture_header([broken]) is None
    assert (picture_encoding(Path("a.PNG")), picture_encoding(Path("a.jpg"))) == ("png", "jpeg")
