"""What plotting a signal takes, done ahead on the thread that reads it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core import timing
from hfviewer.panels.signal_data import SignalChannel
from hfviewer.quality.gaps import GapFinder, Gaps, find_gaps

# The others are made when they are first switched on: nobody looks at thousands at once.
MOST_CHANNELS = 48


@dataclass(frozen=True, slots=True, eq=False)
class PreparedSignal:
    """A signal ready to be plotted.

    Args:
        gaps: where samples are missing.
        channels: the first columns, ready to be drawn at any zoom.
    """

    gaps: Gaps
    channels: dict[int, SignalChannel]


def prepare_signal(
    timestamps_ns: NDArray[np.int64],
    values: NDArray[np.float64],
    *,
    frame_stamps_ns: NDArray[np.int64],
    sequence: NDArray[np.int64] | None,
    most: int = MOST_CHANNELS,
    finder: GapFinder | None = None,
) -> PreparedSignal:
    """Find the gaps and build the pyramids of a signal; on any thread.

    Args:
        timestamps_ns: int64[n] of the samples.
        values: float64 n×C.
        frame_stamps_ns: int64[m] of the stream's frames, which may be batches of samples.
        sequence: int64[m], the recorder's counter of the frames; None where there is none.
        most: channels to make ready.
        finder: of gaps between the stream's frames, as plates and checks see them; None: one of its own.
    """
    regular = timing.rate_hz(timestamps_ns) is not None
    period_ns = timing.period_ns(timestamps_ns) if regular else None
    # Where each frame is one sample, the recorder's counter belongs to the samples as well.
    own = sequence is not None and np.array_equal(timestamps_ns, frame_stamps_ns[: len(timestamps_ns)])
    counter = sequence[: len(timestamps_ns)] if sequence is not None and own else None
    if own and finder is not None:
        gaps = finder.among(range(max(0, len(timestamps_ns) - 1)))
    else:
        gaps = find_gaps(timestamps_ns, counter, period_ns)
    columns = range(min(most, values.shape[1] if values.ndim == 2 else 0))
    return PreparedSignal(
        gaps=gaps,
        channels={c: prepare_channel(timestamps_ns, values, c) for c in columns},
    )


def prepare_channel(
    timestamps_ns: NDArray[np.int64], values: NDArray[np.float64], column: int
) -> SignalChannel:
    """One column, ready to be drawn."""
    return SignalChannel(timestamps_ns, np.ascontiguousarray(values[:, column], np.float64))
