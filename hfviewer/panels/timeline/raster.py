"""A lane as pixels, by NumPy: what would be thousands of lines and rectangles for a painter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hfviewer.panels.timeline.density import MarkRuns

Rgb = tuple[int, int, int]
SOLID_BELOW_PX = 6  # a hatch narrower than this would be a speckle
_HATCH_PX = 6
_LEVELS = 256
TICKS_FROM_PX = 3  # nearer together, single frames cannot be told apart
OUTSIDE_SHARE = 0.4  # of a tick's strength outside the in/out range


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneColours:
    """Colours of one lane, as red, green, blue."""

    ticks: Rgb
    error: Rgb
    error_ground: Rgb
    warning: Rgb
    warning_ground: Rgb


def tick_strength(
    counts: NDArray[np.intp], level: NDArray[np.float32], *, px_per_frame: float, ratio: float
) -> NDArray[np.float32]:
    """How strongly each column shows the lane's colour.

    Args:
        counts: frames per column.
        level: their `density.fullness`.
        px_per_frame: in device-independent pixels.
        ratio: device pixels per such pixel.

    Returns:
        float32, 0 to 1: single ticks while frames stand at least 3 px apart, else by density.
    """
    if px_per_frame < TICKS_FROM_PX:
        return level * np.float32(0.62)
    strength = np.where(counts > 0, np.float32(0.85), np.float32(0))
    wide = max(1, round((2 if px_per_frame > 20 else 1) * ratio))
    for shift in range(1, min(wide, len(strength))):
        strength[shift:] = np.maximum(strength[shift:], np.where(counts[:-shift] > 0, np.float32(0.85), 0))
    return strength


class Ground:
    """What lies under every lane: the plot's ground with the grid's lines.

    Args:
        width: columns.
        colour: of the ground.
        grid: bool[width], columns with a line.
        line: colour of those.
        outside: bool[width], columns outside the in/out range, or None; dims ticks but no marks.
    """

    def __init__(
        self,
        width: int,
        *,
        colour: Rgb,
        grid: NDArray[np.bool_],
        line: Rgb,
        outside: NDArray[np.bool_] | None,
    ) -> None:
        self.packed = np.where(grid, _pack_one(line), _pack_one(colour))
        self._colour, self._line = colour, line
        self._on_grid = np.flatnonzero(grid)
        self.dimming: NDArray[np.float32] | None = None
        if outside is not None:
            self.dimming = np.where(outside, np.float32(OUTSIDE_SHARE), np.float32(1))

    def under(self, strength: NDArray[np.float32], ticks: Rgb) -> NDArray[np.uint32]:
        """uint32[width]: a colour over the ground, as strong as it is in each column."""
        level = (strength * np.float32(_LEVELS - 1) + np.float32(0.5)).astype(np.uint8)
        row = _ramp(self._colour, ticks).take(level)
        row[self._on_grid] = _ramp(self._line, ticks).take(level[self._on_grid])
        return row


@lru_cache(maxsize=64)
def _ramp(ground: Rgb, colour: Rgb) -> NDArray[np.uint32]:
    """uint32[256]: from the ground to the colour."""
    share = np.linspace(0, 1, _LEVELS, dtype=np.float32)
    low = np.array(ground, np.float32)[:, None]
    return _packed(low + (np.array(colour, np.float32)[:, None] - low) * share)


def draw_lane(
    out: NDArray[np.uint32],
    strength: NDArray[np.float32],
    ground: Ground,
    colours: LaneColours,
    *,
    pad: int,
    gaps: MarkRuns,
    doubled: MarkRuns,
    backwards: MarkRuns,
    ratio: float,
    late: NDArray[np.bool_] | None = None,
    keys: NDArray[np.bool_] | None = None,
) -> None:
    """Draw a lane into its rows.

    Args:
        out: uint32[height, w], 0xffRRGGBB; all of it is overwritten.
        strength: float32[w] of `tick_strength`.
        ground: under all lanes.
        colours: of the lane.
        pad: empty rows above and below.
        gaps: runs of lost frames.
        doubled: runs of doubled timestamps, drawn as two ticks.
        backwards: runs of frames out of order, drawn as one strong tick.
        ratio: device pixels per device-independent pixel, for the size of the hatch.
        late: bool[w], columns with a frame that came late, drawn as a hollow tick.
        keys: bool[w], columns with a frame that decoding may start at; their ticks wear a cap.
    """
    height, width = out.shape
    if ground.dimming is not None:
        strength = strength * ground.dimming
    out[:pad] = ground.packed
    out[height - pad :] = ground.packed
    inner = out[pad : height - pad]
    inner[:] = ground.under(strength, colours.ticks)
    tick = _pack_one(colours.ticks)
    if keys is not None:
        _cap(inner, np.flatnonzero(keys), tick)
    if late is not None:
        _hollow(inner, np.flatnonzero(late), tick, ground.packed)
    amber = _pack_one(colours.warning)
    if len(doubled):
        inner[:, doubled.covers(width)] = ground.packed[doubled.covers(width)]
        inner[:, doubled.firsts] = amber
        inner[:, doubled.stops - 1] = amber
    if len(backwards):
        inner[:, backwards.firsts] = amber
        inner[:, np.minimum(backwards.firsts + 1, width - 1)] = amber
    for severe, stripe, between in (
        (False, colours.warning, colours.warning_ground),
        (True, colours.error, colours.error_ground),
    ):
        runs = gaps.where(gaps.severe == severe) if len(gaps) else gaps
        if len(runs):
            _hatch(inner, runs, _pack_one(stripe), _pack_one(between), ratio)


def _cap(inner: NDArray[np.uint32], columns: NDArray[np.intp], tick: np.uint32) -> None:
    """A short bar across the top of ticks."""
    width = inner.shape[1]
    for shift in (-1, 0, 1, 2):
        inner[:2, np.clip(columns + shift, 0, width - 1)] = tick


def _hollow(
    inner: NDArray[np.uint32], columns: NDArray[np.intp], tick: np.uint32, ground: NDArray[np.uint32]
) -> None:
    """Outlines in place of ticks."""
    width = inner.shape[1]
    left, right = np.maximum(columns - 1, 0), np.minimum(columns + 2, width - 1)
    for middle in (columns, np.minimum(columns + 1, width - 1)):
        inner[:, middle] = ground[middle]
        inner[0, middle] = inner[-1, middle] = tick
    inner[:, left] = tick
    inner[:, right] = tick


def _hatch(
    inner: NDArray[np.uint32], runs: MarkRuns, stripe: np.uint32, between: np.uint32, ratio: float
) -> None:
    height, width = inner.shape
    period = max(3, round(_HATCH_PX * ratio))
    thick = max(1, round(2 * ratio))
    columns = np.flatnonzero(runs.covers(width))
    slanted = (columns[None, :] + np.arange(height)[:, None]) % period < thick
    drawn = np.where(slanted, stripe, between)
    narrow = runs.where(runs.stops - runs.firsts < round(SOLID_BELOW_PX * ratio))
    if len(narrow):
        drawn[:, narrow.covers(width)[columns]] = stripe
    inner[:, columns] = drawn
    # A border, or the first and last frame of a pale hatch would be hard to tell from its stripes.
    inner[:, runs.firsts] = stripe
    inner[:, runs.stops - 1] = stripe


def _packed(channels: NDArray[np.float32]) -> NDArray[np.uint32]:
    red, green, blue = channels.astype(np.uint32)
    packed: NDArray[np.uint32] = np.uint32(0xFF000000) | red << np.uint32(16) | green << np.uint32(8) | blue
    return packed


def _pack_one(rgb: Rgb) -> np.uint32:
    return np.uint32(0xFF000000 | rgb[0] << 16 | rgb[1] << 8 | rgb[2])
