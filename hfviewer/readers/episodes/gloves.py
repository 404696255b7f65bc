"""Touch maps of gloves: 16×16 cells, unfolded so that both hands have the right hand's layout."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.stream import Channel

SIDE = 16
CELLS = SIDE * SIDE
CHANNELS = tuple(Channel(f"r{row}c{column}") for row in range(SIDE) for column in range(SIDE))


def is_left(name: str) -> bool:
    """Whether a glove is one of the left hand, by its name."""
    return "left" in name.lower() or "左" in name


def unfold_left(stored: NDArray[Any]) -> NDArray[Any]:
    """A left glove's maps n×256 in the right hand's layout: they arrive as ``canonical[::-1, ::-1].T``."""
    maps = stored.reshape(-1, SIDE, SIDE)
    return np.ascontiguousarray(maps.transpose(0, 2, 1)[:, ::-1, ::-1]).reshape(-1, CELLS)
