"""Sizes in bytes as a person reads them."""

from __future__ import annotations

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def size_text(size_bytes: int) -> str:
    """``4.2 GiB``: whole bytes, or one decimal of the largest unit that keeps the number under 1024."""
    if size_bytes < 1024:
        return f"{size_bytes} B"
    size, unit = float(size_bytes), 0
    # 1023.95 and more would be rounded to 1024.0.
    while size >= 1023.95 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{size:.1f} {_UNITS[unit]}"
