"""What the background hands to the GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hfviewer.core.errors import HfviewerError
from hfviewer.core.frame import Frame

Preparer = Callable[[Frame], object]
"""Work on a frame that a panel would otherwise do on the GUI thread; runs on a loader thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameResult:
    """A frame that was asked for, or why it cannot be had.

    Args:
        generation: of the request; never restarts. A panel draws a result whose generation is above the one
            on screen.
        epoch: of the recording it was read from; results of an earlier one are dropped.
        stream: name.
        index: of the frame in its stream's table.
        frame: decoded, or None where ``error`` says why not.
        error: for a person.
        decode_ns: how long reading and decoding took; 0 from the cache.
        prepared: what the request's `Preparer` made of the frame, or None.
    """

    generation: int
    epoch: int
    stream: str
    index: int
    frame: Frame | None
    error: HfviewerError | None = None
    decode_ns: int = 0
    prepared: object = None
