"""Depth as one file a frame, as recorders up to v1.0.13 kept it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hfviewer.codecs.decode import decode_frame
from hfviewer.core.errors import FrameError, HfviewerError
from hfviewer.core.frame import Frame
from hfviewer.core.stream import StreamDescription
from hfviewer.readers.episodes.columns import TimedStream

_MOST_BYTES = 256 << 20


class DepthFileStream(TimedStream):
    """One PNG (16 bit) or raw file (uint16 millimetres) a frame.

    Args:
        description: of kind depth, encoding ``png16`` or ``raw`` with width and height.
        timestamps_ns: see `TimedStream`.
        paths: of the files.
    """

    def __init__(
        self, description: StreamDescription, timestamps_ns: NDArray[np.int64], paths: Sequence[Path]
    ) -> None:
        super().__init__(replace(description), timestamps_ns, path=str(paths[0].parent))
        self._paths = paths

    def read(self, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        payload = self.payload(index)
        try:
            return decode_frame(self._base, payload, self._ids(index))
        except HfviewerError as error:
            raise self._failed(index, error) from error

    def payload(self, index: int) -> bytes:
        """The file's bytes."""
        path = self._paths[self.place(index)]
        try:
            if path.stat().st_size > _MOST_BYTES:
                raise FrameError(f"{path.name} is too large.", path=path)
            return path.read_bytes()
        except OSError as error:
            problem = FrameError(f"{path.name} cannot be read ({error.strerror}).")
            raise self._failed(index, problem) from error
