"""Where a body went, and which way its axes point. No Qt in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import HfviewerError
from hfviewer.core.frame import freeze
from hfviewer.core.recording import Stream

MOST_POINTS = 1200  # of a path that are drawn: more than a panel has room for
FARTHEST_M = 1e6
_MOST_POSES = 4_000_000
_LETTERS = "XYZ"
# The view's own axes: x forward, y left, z up.
_WORDS: Mapping[str, tuple[float, float, float]] = {
    "forward": (1, 0, 0),
    "back": (-1, 0, 0),
    "backward": (-1, 0, 0),
    "left": (0, 1, 0),
    "right": (0, -1, 0),
    "up": (0, 0, 1),
    "down": (0, 0, -1),
}


@dataclass(frozen=True, slots=True, eq=False)
class FrameAxes:
    """The axes of a coordinate frame.

    Args:
        names: of +X, +Y, +Z, with the direction that each points to where that is stated.
        view_from_frame: float64 3×3, into axes with x forward, y left, z up; the identity where not stated.
        stated: True where the recording says where the axes point.
    """

    names: tuple[str, str, str]
    view_from_frame: NDArray[np.float64]
    stated: bool


def frame_axes(stated: Any) -> FrameAxes:
    """The axes that ``{"+X": "down", "+Y": "left", "+Z": "forward"}`` says; nothing of it is believed."""
    if isinstance(stated, Mapping):
        words = [stated.get(f"+{letter}") for letter in _LETTERS]
        directions = [_WORDS.get(word) if isinstance(word, str) else None for word in words]
        if all(direction is not None for direction in directions):
            matrix = np.array(directions, np.float64).T
            if np.allclose(matrix @ matrix.T, np.eye(3)):
                x, y, z = (f"{letter} {word}" for letter, word in zip(_LETTERS, words, strict=True))
                return FrameAxes((x, y, z), matrix, True)
    return FrameAxes(("X", "Y", "Z"), np.eye(3), False)


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The way of a body, thinned for drawing.

    Args:
        times_ns: int64[m].
        places_m: float64 m×3, in the stream's own frame.
        length_m: float64[m]: way covered up to each, all points counted.
    """

    times_ns: NDArray[np.int64]
    places_m: NDArray[np.float64]
    length_m: NDArray[np.float64]

    def split(self, time_ns: int) -> int:
        """How many points lie at or before a time."""
        return int(np.searchsorted(self.times_ns, time_ns, side="right"))


def read_path(stream: Stream) -> Path | None:
    """The whole path; None where it cannot be read. Slow: not for the GUI thread."""
    if not 0 < len(stream) <= _MOST_POSES:
        return None
    try:
        times_ns, rows = stream.samples(-(2**63), 2**63 - 1)
    except HfviewerError:
        return None
    if rows.ndim != 2 or rows.shape[1] < 3:
        return None
    return path_of(times_ns, rows[:, :3])


def path_of(times_ns: NDArray[np.int64], places_m: NDArray[np.float64]) -> Path | None:
    """A path through places that are numbers, at most `MOST_POINTS` of them."""
    with np.errstate(invalid="ignore"):
        good = (np.abs(places_m) < FARTHEST_M).all(axis=1)
    times_ns, places_m = times_ns[good], places_m[good]
    if not len(times_ns):
        return None
    steps = np.linalg.norm(np.diff(places_m, axis=0), axis=1)
    length = np.concatenate([[0.0], np.cumsum(steps)])
    kept = np.unique(np.linspace(0, len(times_ns) - 1, min(len(times_ns), MOST_POINTS)).astype(np.intp))
    return Path(freeze(times_ns[kept]), freeze(places_m[kept]), freeze(length[kept]))
