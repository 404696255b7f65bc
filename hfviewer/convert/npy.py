"""NumPy array files: no pickles, and no size that the file does not have."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from hfviewer.convert.files import read_bytes
from hfviewer.core.errors import FrameError

_MAX_HEADER_BYTES = 64 << 10


def read_array(path: Path) -> NDArray[Any]:
    """The array in a ``.npy`` file, read-only.

    Raises:
        FrameError: not such a file, pickled objects, or cut off.
        OSError: it cannot be read.
    """
    data = read_bytes(path)
    file = io.BytesIO(data)
    try:
        version = npy_format.read_magic(file)
        read_header = (
            npy_format.read_array_header_1_0 if version == (1, 0) else npy_format.read_array_header_2_0
        )
        shape, fortran_order, dtype = read_header(file, max_header_size=_MAX_HEADER_BYTES)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError) as error:
        raise FrameError("It is not a NumPy array file.") from error
    if dtype.hasobject:
        raise FrameError("It holds pickled objects, which are never loaded.")
    count = math.prod(shape)
    at = file.tell()
    if count * dtype.itemsize > len(data) - at or count < 0:
        raise FrameError(f"It is cut off: {len(data) - at} bytes for {count} values.")
    values = np.frombuffer(data, dtype, count, offset=at)
    return values.reshape(shape, order="F" if fortran_order else "C")
