"""Many small payloads in few reads: rows of dense signals without a Python loop over them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.errors import FrameError
from hfviewer.readers.hyperframe.storage import Storage

_JOIN_BYTES = 64 << 10  # payloads closer than this are read together
_MOST_BYTES = 8 << 20  # one read


def gather_rows(
    storage: Storage, offsets: NDArray[np.int64], row_bytes: int, file_size: int
) -> NDArray[np.uint8]:
    """Read one row of bytes at each offset.

    Offsets that lie close together (64 KiB) are read in one go, so the number of reads follows the layout
    of the file, not the number of rows.

    Args:
        storage: of the file.
        offsets: int64[n], any order.
        row_bytes: size of every row.
        file_size: bytes.

    Returns:
        uint8 n×row_bytes.

    Raises:
        FrameError: a row does not lie inside the file.
    """
    count = len(offsets)
    rows = np.empty((count, row_bytes), np.uint8)
    if count == 0:
        return rows
    if int(offsets.min()) < 0 or int(offsets.max()) > file_size - row_bytes:
        raise FrameError("Some samples do not lie inside the file.")
    order = np.argsort(offsets, kind="stable")
    ordered = offsets[order]
    within = np.arange(row_bytes)
    start = 0
    joins = np.flatnonzero(np.diff(ordered) > _JOIN_BYTES + row_bytes) + 1
    for stop in [*joins.tolist(), count]:
        while start < stop:
            base = int(ordered[start])
            end = min(stop, int(ordered.searchsorted(base + _MOST_BYTES, side="left")))
            end = max(end, start + 1)
            block = storage.read(base, int(ordered[end - 1]) + row_bytes - base)
            data = np.frombuffer(block, np.uint8)
            rows[order[start:end]] = data[(ordered[start:end] - base)[:, None] + within]
            start = end
    return rows
