from __future__ import annotations

import numpy as np

from hfviewer.codecs.levels import grey_levels, to_eight_bit


def test_sixteen_bit_levels_leave_single_hot_pixels_out() -> None:
    pixels = np.full((100, 100), 1000, np.uint16)
    pixels[:50] = 3000
    pixels[0, 0] = 65535
    assert grey_levels(pixels) == (1000, 3000)


def test_levels_are_never_of_no_width() -> None:
    assert grey_levels(np.full((4, 4), 7, np.uint16)) == (7, 8)
    assert grey_levels(np.zeros((0, 4), np.uint16)) == (0, 255)


def test_levels_become_black_and_white_and_the_middle_grey() -> None:
    pixels = np.array([[0, 1000, 2000, 3000, 65535]], np.uint16)
    assert to_eight_bit(pixels, (1000, 3000)).tolist() == [[0, 0, 128, 255, 255]]


def test_eight_bit_pixels_are_not_touched() -> None:
    pixels = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    assert np.array_equal(to_eight_bit(pixels, (3, 5)), pixels)
