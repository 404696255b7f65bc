"""How much of a stream's samples is at hand, and what to say about the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import HfviewerError


@dataclass(slots=True)
class Filling:
    """Samples come in bulk, from the start of the stream on.

    Args:
        share: of the stream, 0 … 1.
        trouble: why the rest is missing; empty where it is still to come.
    """

    share: float = 0.0
    trouble: str = ""

    def fail(self, error: HfviewerError | None) -> None:
        """Nothing more comes, for this reason; None: there was none."""
        self.trouble = "" if error is None else f"{error.problem} {error.remedy}".strip()

    def reaches(self, time_ns: int, samples_ns: NDArray[np.int64]) -> bool:
        """True where what belongs to a time is at hand.

        Args:
            time_ns: recording clock.
            samples_ns: int64[n], of the samples at hand.
        """
        # Where all of it was read and nothing came, nothing is what there is to show.
        return self.share >= 1.0 or (len(samples_ns) > 0 and time_ns <= int(samples_ns[-1]))

    def note(self, *, samples: int, frames: int) -> str:
        """What the corner says; empty where all is well.

        Args:
            samples: how many are at hand.
            frames: how many the stream has.
        """
        if self.trouble:
            return self.trouble
        if self.share < 1.0:
            return f"loading {int(self.share * 100)} %"
        return "no samples" if frames and not samples else ""
