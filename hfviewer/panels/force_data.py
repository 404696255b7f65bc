"""What a force matrix adds up to, beside what the recorder says, and how far its colours go. No Qt here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.core.errors import FrameError, HfviewerError
from hfviewer.core.frame import Frame, MatrixFrame, SampleFrame
from hfviewer.panels.heat import round_top
from hfviewer.playback.source import FrameSource

_SAMPLES = 8  # frames that the scale is taken from, evenly spread
_TOP_SHARE = 99.9
_LEAST_TOP = 0.01
_AXES = 3
_SUFFIX = "_matrix"


class ForcePlane(StrEnum):
    """What of a force is coloured."""

    FX = "fx"
    FY = "fy"
    FZ = "fz"
    SIZE = "|f|"


@dataclass(frozen=True, slots=True, eq=False)
class ForceScales:
    """Where the colours of each plane end, in the unit of the forces; fixed for the recording."""

    tops: dict[ForcePlane, float]


@dataclass(frozen=True, slots=True, eq=False)
class RecordedForce:
    """The force as the recorder's own stream has it.

    Args:
        stream: that it comes from.
        force: float64[3].
        offset_ns: from the matrix to the sample.
    """

    stream: str
    force: NDArray[np.float64]
    offset_ns: int


@dataclass(frozen=True, slots=True, eq=False)
class PreparedForce:
    """What was found out about a frame ahead.

    Args:
        frame: that it is of.
        total: float64[3], sum over all cells.
        recorded: the same as recorded; None where no stream says so.
    """

    frame: Frame
    total: NDArray[np.float64]
    recorded: RecordedForce | None


def cells_of(frame: Frame) -> NDArray[np.float32]:
    """float32 H×W×3: fx, fy, fz of every cell.

    Raises:
        FrameError: it is no force matrix.
    """
    if not isinstance(frame, MatrixFrame) or (frame.values.size and not is_force(frame)):
        raise FrameError("This is not a force matrix: it takes three planes, fx, fy and fz.")
    if frame.values.size == 0:
        raise FrameError("This matrix has no cells.")
    return frame.values


def is_force(frame: MatrixFrame) -> bool:
    """Whether a matrix has cells, and three planes."""
    return frame.values.ndim == 3 and frame.values.shape[2] == _AXES and frame.values.size > 0


def plane_of(cells: NDArray[np.float32], plane: ForcePlane) -> NDArray[np.float32]:
    """float32 H×W: one direction, or the length."""
    if plane is ForcePlane.SIZE:
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(np.sqrt((cells * cells).sum(axis=2)), np.float32)
    return np.ascontiguousarray(cells[..., list(ForcePlane).index(plane)])


def total_of(cells: NDArray[np.float32]) -> NDArray[np.float64]:
    """float64[3]: sum over all cells that are numbers."""
    with np.errstate(invalid="ignore"):
        sums = cells.reshape(-1, _AXES).sum(axis=0, dtype=np.float64)
    if not np.isfinite(sums).all():
        sums = np.where(np.isfinite(cells), cells, 0).reshape(-1, _AXES).sum(axis=0, dtype=np.float64)
    return np.asarray(sums, np.float64)


def scales_of(samples: list[NDArray[np.float32]]) -> ForceScales | None:
    """Where colours end so that hardly a cell of these frames lies beyond; None without any force in them."""
    tops = {}
    for plane in ForcePlane:
        found = 0.0
        for cells in samples:
            sizes = np.abs(np.nan_to_num(plane_of(cells, plane), posinf=0.0, neginf=0.0))
            pressed = sizes[sizes > 0]
            if pressed.size:
                found = max(found, float(np.percentile(pressed, _TOP_SHARE)))
        tops[plane] = round_top(found, _LEAST_TOP)
    return ForceScales(tops) if any(top > _LEAST_TOP for top in tops.values()) else None


def read_scales(source: FrameSource, name: str) -> ForceScales | None:
    """The scales of a stream, from some of its frames. Slow: not for the GUI thread."""
    count = len(source.streams[name])
    samples = []
    for index in sorted({int(i) for i in np.linspace(0, count - 1, _SAMPLES)} if count else ()):
        try:
            samples.append(cells_of(source.frame(name, index)))
        except HfviewerError:
            continue
    return scales_of(samples)


def sibling_of(source: FrameSource, name: str) -> str | None:
    """The stream of the recorder's own total: named as the matrix, without ``_matrix``."""
    if not name.endswith(_SUFFIX):
        return None
    sibling = source.streams.get(name.removesuffix(_SUFFIX))
    if sibling is None or len(sibling.description.channels) != _AXES or not len(sibling):
        return None
    return sibling.description.name


def recorded_at(source: FrameSource, name: str, time_ns: int) -> RecordedForce | None:
    """What the sibling says at the nearest time; None where there is none, or it cannot be read."""
    sibling = sibling_of(source, name)
    if sibling is None:
        return None
    stamps_ns = source.streams[sibling].timestamps_ns
    index = timing.index_nearest(stamps_ns, time_ns)
    if index is None:
        return None
    try:
        frame = source.frame(sibling, index)
    except HfviewerError:
        return None
    if not isinstance(frame, SampleFrame) or frame.values.shape[-1] != _AXES or not len(frame.values):
        return None
    return RecordedForce(sibling, np.asarray(frame.values[-1], np.float64), int(stamps_ns[index]) - time_ns)
