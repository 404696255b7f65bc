"""Numbers in JSON that somebody else wrote: ``true`` is not 1, and what no float can hold is no number."""

from __future__ import annotations

import math


def as_number(value: object) -> float | None:
    """A finite number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def as_whole(value: object) -> int | None:
    """An integer, however large; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
