import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hfviewer.convert.npy import read_array
from hfviewer.core.errors import FrameError
from tests.convert.layouts import save_array, write


@pytest.mark.parametrize(
    "array",
    [np.arange(6.0).reshape(2, 3), np.asfortranarray(np.ones((3, 2)) * 2), np.int32(5), np.empty((0, 3))],
)
def test_an_array_comes_back_as_it_was_saved(tmp_path: Path, array: NDArray[Any]) -> None:
    save_array(tmp_path / "value", array)
    assert np.array_equal(read_array(tmp_path / "value"), array)


def test_pickled_objects_are_never_loaded(tmp_path: Path) -> None:
    with (tmp_path / "value").open("wb") as file:
        np.save(file, np.array([{"a": 1}], object), allow_pickle=True)
    with pytest.raises(FrameError, match="never loaded"):
        read_array(tmp_path / "value")


def test_a_header_that_claims_more_than_the_file_has_allocates_nothing(tmp_path: Path) -> None:
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (10**15, 3)})
    with pytest.raises(FrameError, match="cut off"):
        read_array(write(tmp_path / "value", file.getvalue()))


@pytest.mark.parametrize(
    "data",
    [
        b"hello",
        b"\x93NUMPY",
        b"\x93NUMPY\x01\x00\xff\xff{",
        b"\x93NUMPY\x09\x00\x00\x00" + bytes(8),
        b"\x93NUMPY\x01\x00\x40\x00{'descr': '<f9', 'fortran_order': False, 'shape': (3,), }".ljust(74)
        + bytes(24),
        b"\x93NUMPY\x01\x00\x40\x00{'descr': open('x'), 'fortran_order': False, 'shape': (), }".ljust(74),
    ],
)
def test_what_is_no_array_file_is_an_error(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(FrameError, match="not a NumPy array"):
        read_array(write(tmp_path / "value", data))
