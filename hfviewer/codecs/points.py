"""Point clouds: float32 payloads to named columns, and back."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.compression import Buffer
from hfviewer.core.errors import FrameError
from hfviewer.core.frame import freeze

DEFAULT_FIELDS = ("x", "y", "z", "intensity")

Columns = tuple[NDArray[np.float32], MappingProxyType[str, NDArray[np.float32]]]


def decode_points(payload: Buffer, *, encoding: str, fields: tuple[str, ...]) -> Columns:
    """Split a cloud into xyz and its fields.

    Args:
        payload: little-endian float32. ``f32``: point after point; ``f32_planar``: all of the first field,
            then all of the second …
        encoding: ``f32`` or ``f32_planar``.
        fields: names in stored order; x, y and z must be among them.

    Returns:
        float32 N×3 and every field by name, float32[N], as views of the payload where the layout allows.
        Nothing is dropped: NaN points stay.

    Raises:
        FrameError: the size does not fit, or there are no coordinates.
    """
    width = len(fields)
    if not {"x", "y", "z"} <= set(fields):
        raise FrameError("Its fields do not name x, y and z.")
    if len(set(fields)) != width:
        raise FrameError("Two of its fields bear one name.")
    if len(payload) % (4 * width):
        raise FrameError(f"It holds {len(payload)} bytes, not a multiple of {4 * width} for {width} fields.")
    values = np.frombuffer(payload, "<f4")
    rows = values.reshape(width, -1) if encoding == "f32_planar" else values.reshape(-1, width).T
    columns = {name: rows[i] for i, name in enumerate(fields)}
    first = fields.index("x")
    if encoding == "f32" and fields[first : first + 3] == ("x", "y", "z"):
        xyz = values.reshape(-1, width)[:, first : first + 3]
    else:
        xyz = np.stack([columns["x"], columns["y"], columns["z"]], axis=1)
    return freeze(xyz), MappingProxyType({name: freeze(column) for name, column in columns.items()})


def planar_from_interleaved(payload: bytes, width: int) -> bytes:
    """Reorder a cloud from point after point to field after field; the values stay bit for bit.

    Raises:
        FrameError: the size is not a whole number of points.
    """
    if len(payload) % (4 * width):
        raise FrameError(f"It holds {len(payload)} bytes, not a multiple of {4 * width} for {width} fields.")
    # As integers, so that no NaN payload is touched on the way.
    return np.ascontiguousarray(np.frombuffer(payload, "<u4").reshape(-1, width).T).tobytes()
