from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.codecs.bayer import demosaic


@pytest.mark.parametrize("pattern", ["rggb", "bggr", "gbrg", "grbg"])
@pytest.mark.parametrize(("dtype", "bits", "full"), [(np.uint8, 8, 255), (np.uint16, 16, 4095)])
def test_a_mosaic_of_pure_red_becomes_red(pattern: str, dtype: type, bits: int, full: int) -> None:
    mosaic: NDArray[Any] = np.zeros((8, 8), dtype)
    place = pattern.index("r")
    mosaic[place // 2 :: 2, place % 2 :: 2] = full
    colours = demosaic(mosaic, f"bayer_{pattern}{bits}")
    assert colours.dtype == dtype
    assert colours.shape == (8, 8, 3)
    blue, green, red = colours[4, 4].tolist()
    assert (blue, green) == (0, 0)
    assert red == full


def test_what_is_no_mosaic_comes_back_as_it_is() -> None:
    grey = np.arange(64, dtype=np.uint8).reshape(8, 8)
    for pixel_format in ("mono8", "", "bayer_xxxx8"):
        assert demosaic(grey, pixel_format) is grey
    tiny = np.zeros((2, 2), np.uint8)
    assert demosaic(tiny, "bayer_rggb8") is tiny
