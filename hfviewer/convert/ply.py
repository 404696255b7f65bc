"""Point clouds as PLY files, little-endian binary, as every other tool reads them.

Turk, "The PLY Polygon File Format" (1994). Scalar fields become float properties beside x, y and z; colours
the usual red, green and blue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_CHUNK_POINTS = 1 << 18
_RESERVED = ("x", "y", "z", "red", "green", "blue", "alpha")


def write_ply(
    path: Path,
    xyz: NDArray[np.float32],
    *,
    fields: Mapping[str, NDArray[np.float32]] | None = None,
    colours: NDArray[np.uint32] | None = None,
    comments: Sequence[str] = (),
) -> None:
    """Write points.

    Args:
        path: a file that does not exist yet.
        xyz: float32 N×3, metres.
        fields: float32[N] each, by name.
        colours: uint32[N], ``0xAARRGGBB``; None: none are stored.
        comments: of one line each, for a person.

    Raises:
        OSError: it cannot be written.
    """
    named = property_names(list(fields or {}))
    types: list[tuple[str, str]] = [(axis, "<f4") for axis in "xyz"]
    types += [(name, "<f4") for name in named.values()]
    if colours is not None:
        types += [(channel, "u1") for channel in ("red", "green", "blue")]
    lines = ["ply", "format binary_little_endian 1.0"]
    lines += [f"comment {' '.join(comment.split())}" for comment in comments]
    lines.append(f"element vertex {len(xyz)}")
    lines += [f"property {'uchar' if kind == 'u1' else 'float'} {name}" for name, kind in types]
    lines.append("end_header")
    with path.open("xb") as file:
        file.write("".join(f"{line}\n" for line in lines).encode("ascii", "replace"))
        for start in range(0, len(xyz), _CHUNK_POINTS):
            part = slice(start, start + _CHUNK_POINTS)
            rows = np.empty(len(xyz[part]), np.dtype(types))
            for column, axis in enumerate("xyz"):
                rows[axis] = xyz[part, column]
            for name, values in (fields or {}).items():
                rows[named[name]] = values[part]
            if colours is not None:
                for channel, shift in (("red", 16), ("green", 8), ("blue", 0)):
                    rows[channel] = (colours[part] >> shift) & 0xFF
            file.write(rows.tobytes())


def property_names(names: Sequence[str]) -> dict[str, str]:
    """A property for each field: a word of ASCII letters, digits and underscores that no other one has."""
    found: dict[str, str] = {}
    for name in names:
        word = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name)[:60] or "field"
        plain, number = word, 2
        while word in found.values() or word in _RESERVED:
            word, number = f"{plain}_{number}", number + 1
        found[name] = word
    return found
