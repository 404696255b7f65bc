"""Where the 195 live cells of a 16×16 touch glove lie on a hand. No Qt in here.

The map is that of a right hand: rows 1–3 thumb, 4–6 index, 7–9 middle, 10–12 ring, 13–15 little finger;
columns 3–11 palm from heel to root, 12–15 finger from root to tip; row 0 and columns 0–2 are empty. A hand is
drawn fingers up, as one looks at its back.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

EDGE = 16
CELLS = EDGE * EDGE
_FIRST_ROW, _FIRST_PALM, _FIRST_FINGER = 1, 3, 12
_FINGER_ROWS = 3
_FINGERS = ("thumb", "index", "middle", "ring", "little")
_JOINTS = ("root", "2nd from root", "2nd from tip", "tip")
# Of thumb to little finger, in widths of a cell: height of the palm below, length of one of its four cells.
_PALM_HEIGHTS = (5.2, 8.4, 8.8, 8.4, 7.3)
_CELL_LENGTHS = (1.7, 2.0, 2.2, 2.05, 1.6)
_FINGER_WIDTH = 0.9  # share of its three cells that a finger is wide: daylight between fingers
_THUMB_TURN_RAD = np.radians(40.0)


@dataclass(frozen=True, slots=True, eq=False)
class HandCells:
    """The live cells.

    Args:
        rows: int64[195].
        columns: int64[195].
        corners: float64 195×4×2: x to the right, y downwards, in widths of a cell, from 0 up.
        size: width and height of all together.
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    corners: NDArray[np.float64]
    size: tuple[float, float]


@lru_cache(maxsize=2)
def hand_cells(*, left: bool) -> HandCells:
    """The cells of a hand; of a left one mirrored."""
    rows, columns, corners = [], [], []
    for row in range(_FIRST_ROW, EDGE):
        for column in range(_FIRST_PALM, EDGE):
            rows.append(row)
            columns.append(column)
            corners.append(_finger_cell(row, column) if column >= _FIRST_FINGER else _palm_cell(row, column))
    placed = np.array(corners)
    placed[..., 1] *= -1
    if left:
        placed[..., 0] *= -1
    placed -= placed.reshape(-1, 2).min(axis=0)
    width, height = placed.reshape(-1, 2).max(axis=0).tolist()
    return HandCells(np.array(rows), np.array(columns), placed, (width, height))


@lru_cache(maxsize=1)
def grid_cells() -> HandCells:
    """All live cells as squares where the map has them, column 0 on the left, row 0 on top."""
    rows, columns = (side.reshape(-1) for side in np.mgrid[_FIRST_ROW:EDGE, _FIRST_PALM:EDGE])
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    corners = np.stack([columns, rows], axis=1)[:, None, :] + square
    return HandCells(rows.astype(np.int64), columns.astype(np.int64), corners, (float(EDGE), float(EDGE)))


def cell_name(row: int, column: int) -> str:
    """``index, tip`` or ``palm below ring``."""
    finger = _FINGERS[(row - _FIRST_ROW) // _FINGER_ROWS]
    if column >= _FIRST_FINGER:
        return f"{finger}, {_JOINTS[column - _FIRST_FINGER]}"
    return f"palm below {finger}"


def _palm_cell(row: int, column: int) -> NDArray[np.float64]:
    """Its height follows the knuckles, from one finger to the next in a line."""
    left, right = row - _FIRST_ROW, row - _FIRST_ROW + 1
    count = _FIRST_FINGER - _FIRST_PALM
    below, above = column - _FIRST_PALM, column - _FIRST_PALM + 1
    at_left, at_right = (_knuckle_height(x) / count for x in (left, right))
    return np.array(
        [
            (left, above * at_left),
            (right, above * at_right),
            (right, below * at_right),
            (left, below * at_left),
        ]
    )


def _knuckle_height(x: float) -> float:
    middles = [(finger + 0.5) * _FINGER_ROWS for finger in range(len(_FINGERS))]
    return float(np.interp(x, middles, _PALM_HEIGHTS))


def _finger_cell(row: int, column: int) -> NDArray[np.float64]:
    finger = (row - _FIRST_ROW) // _FINGER_ROWS
    middle = (finger + 0.5) * _FINGER_ROWS
    across = np.array([row - _FIRST_ROW, row - _FIRST_ROW + 1], np.float64) - middle
    across *= _FINGER_WIDTH
    along = (column - _FIRST_FINGER + np.array([0.0, 1.0])) * _CELL_LENGTHS[finger]
    base = np.array([middle, _knuckle_height(middle) + 0.25])
    cell = np.array(
        [
            (across[0], along[1]),
            (across[1], along[1]),
            (across[1], along[0]),
            (across[0], along[0]),
        ]
    )
    if finger == 0:
        cos, sin = np.cos(_THUMB_TURN_RAD), np.sin(_THUMB_TURN_RAD)
        cell = cell @ np.array([[cos, sin], [-sin, cos]])
        base = base + np.array([-0.9, -0.2])
    return np.asarray(cell + base, np.float64)
