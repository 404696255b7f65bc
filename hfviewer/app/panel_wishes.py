"""What some panels want besides frames: all samples of a signal, or a look at the whole stream."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import HfviewerError
from hfviewer.playback.samples import SamplesPreparer
from hfviewer.playback.survey import Survey


@runtime_checkable
class TakesSamples(Protocol):
    """A panel that plots a whole signal instead of frame after frame."""

    def samples_preparer(self) -> SamplesPreparer:
        """What the thread that reads the samples may do ahead with them."""

    def set_samples(
        self, timestamps_ns: NDArray[np.int64], values: NDArray[np.float64], prepared: object
    ) -> None:
        """Everything that was read so far, and what the preparer made of it."""

    def set_progress(self, share: float) -> None:
        """How much of the signal that is, 0 to 1."""

    def set_trouble(self, error: HfviewerError | None) -> None:
        """Why the rest is missing."""


@runtime_checkable
class TakesSurvey(Protocol):
    """A panel that wants to know something of the whole stream, e.g. the range of its values."""

    def survey(self) -> Survey:
        """What it wants to know."""

    def set_survey(self, value: object) -> None:
        """What came out; None where nothing could be read."""
