from __future__ import annotations

import numpy as np

from hfviewer.panels.picture import shrink, to_screen, value_text
from tests.panels.making import image


def test_shrinking_takes_the_mean_of_what_each_pixel_stands_for() -> None:
    pixels = np.array([[0, 100, 10, 30], [0, 100, 10, 30]], np.uint8)
    assert shrink(pixels, 2, 1).tolist() == [[50, 20]]


def test_shrinking_by_any_factor_keeps_brightness_and_place() -> None:
    ramp = np.tile(np.linspace(0, 255, 1000), (70, 1)).astype(np.uint8)
    for width, height in ((999, 69), (476, 33), (333, 20), (7, 1), (1, 1)):
        small = shrink(np.stack([ramp] * 3, axis=2), width, height)
        assert small.shape == (height, width, 3)
        expected = (np.arange(width) + 0.5) / width * 255
        assert np.abs(small[0, :, 1] - expected).max() < 3


def test_pixels_for_the_screen_are_opaque_and_in_order() -> None:
    assert to_screen(np.array([[[1, 2, 3]]], np.uint8)).tolist() == [[[1, 2, 3, 255]]]
    assert to_screen(np.array([[7]], np.uint8)).tolist() == [[7]]


def test_the_read_out_is_the_stored_value_not_the_shown_one() -> None:
    assert value_text(image(np.array([[[1, 2, 3]]], np.uint8)), 0, 0) == "R   3  G   2  B   1"
    assert value_text(image(np.array([[40000]], np.uint16)), 0, 0) == "40000"
    mosaic = image(np.array([[10, 20], [30, 40]], np.uint8), pixel_format="bayer_gbrg8")
    assert [value_text(mosaic, x, y) for y in (0, 1) for x in (0, 1)] == ["G 10", "B 20", "R 30", "G 40"]


def test_a_huge_picture_is_shrunk_in_place_and_keeps_its_means() -> None:
    huge = np.zeros((4200, 4200), np.uint8)
    huge[:, 2100:] = 200
    huge[::2] //= 2  # finer than what is left: only its mean shows
    small = shrink(huge, 100, 50)
    assert small.shape == (50, 100)
    assert (small[:, :49] < 3).all()
    assert (np.abs(small[:, 51:].astype(int) - 150) <= 20).all()
