"""Force matrices of a gripper's fingers: decoded row by row, scaled by what the contract gives authority."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import HfviewerError
from hfviewer.core.frame import Frame, MatrixFrame, freeze
from hfviewer.core.json_number import as_number
from hfviewer.core.stream import StreamDescription
from hfviewer.readers.episodes.columns import TimedStream
from hfviewer.readers.episodes.spool import RowSpool

SIDE = 250
PLANES = 3
LENGTH = SIDE * SIDE * PLANES
_LARGEST_SCALE = 1e6


def scale_of(
    column: str, specs: Mapping[str, Any], features: Mapping[str, Any], *, is_raw: bool
) -> tuple[float, str]:
    """Counts a millinewton, and where that was found.

    Args:
        column: of the matrices.
        specs: of this very episode: the authority.
        features: of the task; its newest episode's: the fallback.
        is_raw: stored as floats, which are never scaled, whatever anything says.
    """
    if is_raw:
        return 1.0, "stored as they are"
    sources = ((specs, "this episode's force_matrix_specs"), (features, "the task's info.json"))
    for source, where in sources:
        spec = source.get(column)
        scale = as_number(spec.get("scale")) if isinstance(spec, dict) else None
        if scale is not None and 0 < scale <= _LARGEST_SCALE:
            return scale, f"{scale:g} counts a mN by {where}"
    return 1.0, "no scale is stated anywhere, so 1 is taken: forces may be off by a power of ten"


def decode_matrix(stored: NDArray[Any], scale: float) -> NDArray[np.float32]:
    """Millinewtons, float32 250×250×3 (fx, fy, fz).

    Integers are differences along each row of 750 values, across the three planes, and wrap at 16 bit.
    """
    if stored.dtype != np.int16:
        return np.array(stored, np.float32).reshape(SIDE, SIDE, PLANES)
    counts = np.cumsum(stored.reshape(SIDE, SIDE * PLANES), axis=1, dtype=np.int16)
    return (counts.astype(np.float32) / np.float32(scale)).reshape(SIDE, SIDE, PLANES)


class ForceStream(TimedStream):
    """Force matrices, one a frame.

    Args:
        description: of kind matrix.
        timestamps_ns: see `TimedStream`.
        rows: int64[n], the row of each frame.
        spool: gives rows.
        scale: counts a millinewton.
        path: of the file.
    """

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        rows: NDArray[np.intp],
        spool: RowSpool,
        scale: float,
        *,
        path: str,
    ) -> None:
        super().__init__(description, timestamps_ns, path=path, rows=rows)
        self._row_of, self._spool, self._scale = rows, spool, scale

    def read(self, index: int, *, max_size: tuple[int, int] | None = None) -> Frame:
        place = self.place(index)
        try:
            values = decode_matrix(self._spool.row(int(self._row_of[place])), self._scale)
        except HfviewerError as error:
            raise self._failed(index, error) from error
        return MatrixFrame(**self._ids(index), values=freeze(values), channels=self._base.channels)

    def payload(self, index: int) -> bytes:
        """Millinewtons, float32, as hyperframe files keep a matrix."""
        frame = self.read(index)
        assert isinstance(frame, MatrixFrame)
        return frame.values.astype("<f4", copy=False).tobytes()

    def close(self) -> None:
        self._spool.close()
