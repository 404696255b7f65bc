"""What a touch map is coloured by: the resting value of every cell, and how far touches go. No Qt in here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import FrameError, HfviewerError
from hfviewer.core.frame import Frame, SampleFrame, freeze
from hfviewer.core.recording import Stream
from hfviewer.panels.heat import round_top
from hfviewer.panels.touch_layout import CELLS, EDGE

MOST_ROWS = 2000  # of the recording that are looked at, evenly spread
_SPANS = 40  # in which they are read
_TOP_SHARE = 99.0
_LEAST_TOP = 100.0


@dataclass(frozen=True, slots=True, eq=False)
class TouchOverview:
    """The recording as a whole.

    Args:
        baseline: float32 16×16: median of each cell.
        top: end of the scale above the baseline: hardly a frame of the recording has a stronger cell.
        raw_top: the same of the values as stored.
        rows: how many frames were looked at.
        whole: of so many.
    """

    baseline: NDArray[np.float32]
    top: float
    raw_top: float
    rows: int
    whole: int


def touch_grid(frame: Frame) -> NDArray[np.float32]:
    """float32 16×16, as stored.

    Raises:
        FrameError: it is no touch map.
    """
    if not isinstance(frame, SampleFrame) or frame.values.ndim != 2 or frame.values.shape[-1] != CELLS:
        raise FrameError(f"This is not a touch map: it takes {CELLS} values.")
    if not len(frame.values):
        raise FrameError("This frame holds no values.")
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(frame.values[-1].reshape(EDGE, EDGE), np.float32)


def overview_of(rows: NDArray[np.floating], whole: int) -> TouchOverview:
    """What a sample of a recording's frames, n×256 with n ≥ 1, tells about it."""
    values = np.nan_to_num(np.asarray(rows, np.float32), posinf=0.0, neginf=0.0)
    median = np.median(values, axis=0)
    # Of the strongest cell of each frame: a touch covers few cells of a glove.
    tops = [float(np.percentile(v.max(axis=1), _TOP_SHARE)) for v in (values - median, values)]
    return TouchOverview(
        freeze(np.ascontiguousarray(median.reshape(EDGE, EDGE), np.float32)),
        round_top(tops[0], _LEAST_TOP),
        round_top(tops[1], _LEAST_TOP),
        len(values),
        whole,
    )


def read_overview(stream: Stream) -> TouchOverview | None:
    """The overview of a stream; None where it cannot be read. Slow: not for the GUI thread."""
    stamps_ns = stream.timestamps_ns
    if not len(stamps_ns):
        return None
    try:
        if len(stamps_ns) <= MOST_ROWS:
            _, rows = stream.samples(-(2**63), 2**63 - 1)
        else:
            each = MOST_ROWS // _SPANS
            firsts = np.linspace(0, len(stamps_ns) - each - 1, _SPANS).astype(np.intp)
            pieces = [stream.samples(int(stamps_ns[i]), int(stamps_ns[i + each]))[1] for i in firsts]
            rows = np.concatenate(pieces)
    except HfviewerError:
        return None
    if rows.ndim != 2 or rows.shape[1] != CELLS or not len(rows):
        return None
    return overview_of(rows, len(stamps_ns))
