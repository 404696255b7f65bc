"""NumPy array files: no pickles, and no size that the file does not have.

The header is a Python dictionary that NumPy writes in one form only, so a pattern reads it; nothing of it is
evaluated. Format: numpy.lib.format, versions 1 to 3.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.convert.files import read_bytes
from hfviewer.core.errors import FrameError

_MAGIC = b"\x93NUMPY"
_MAX_HEADER_BYTES = 64 << 10
_HEADER = re.compile(
    rb"\{'descr': '(?P<descr>[<>|=]?[?biufcmMOSUV]\d*)', 'fortran_order': (?P<order>True|False), "
    rb"'shape': \((?P<shape>[\dL, ]{0,200})\),? ?\}\s*"
)


def read_array(path: Path) -> NDArray[Any]:
    """The array of simple values in a ``.npy`` file, read-only.

    Raises:
        FrameError: not such a file, pickled objects, or cut off.
        OSError: it cannot be read.
    """
    data = read_bytes(path)
    if data[:6] != _MAGIC or len(data) < 12:
        raise FrameError("It is not a NumPy array file.")
    length_bytes = 2 if data[6] == 1 else 4
    start = 8 + length_bytes
    at = start + int.from_bytes(data[8:start], "little")
    header = _HEADER.fullmatch(data, start, at) if start < at <= min(len(data), _MAX_HEADER_BYTES) else None
    if header is None:
        raise FrameError("It is not a NumPy array file that can be understood.")
    try:
        dtype = np.dtype(header["descr"].decode("ascii"))
        shape = tuple(int(size) for size in header["shape"].replace(b"L", b"").split(b",") if size.strip())
    except (TypeError, ValueError) as error:
        raise FrameError("It is not a NumPy array file that can be understood.") from error
    if dtype.hasobject or not dtype.itemsize:
        raise FrameError(
            "It holds pickled objects, which are never loaded." if dtype.hasobject else "It is empty."
        )
    count = math.prod(shape)
    if count * dtype.itemsize > len(data) - at:
        raise FrameError(f"It is cut off: {len(data) - at} bytes for {count} values.")
    values = np.frombuffer(data, dtype, count, offset=at) if count else np.empty(0, dtype)
    return values.reshape(shape, order="F" if header["order"] == b"True" else "C")
