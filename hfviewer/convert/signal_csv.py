"""Samples of dense signals as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.stream import Channel
from hfviewer.core.text import printable
from hfviewer.core.time_text import NS_PER_S

_CHUNK_ROWS = 1 << 18


def write_signal_csv(
    path: Path,
    timestamps_ns: NDArray[np.int64],
    columns: Sequence[tuple[Channel, NDArray[np.float64]]],
    *,
    start_ns: int,
) -> None:
    """Write samples: nanoseconds exactly as recorded, seconds since a start, and a column for each channel.

    Values are written so that reading gives the same floats back; one that is not a number is left empty.

    Args:
        path: a file that does not exist yet.
        timestamps_ns: int64[n].
        columns: name and unit, and float64[n], of each channel.
        start_ns: what seconds count from.

    Raises:
        OSError: it cannot be written.
    """
    # Not before it is needed: loading pyarrow takes long.
    import pyarrow as pa
    from pyarrow import csv

    names = column_names([channel for channel, _ in columns])
    schema = pa.schema(
        [("timestamp_ns", pa.int64()), ("seconds", pa.float64()), *((name, pa.float64()) for name in names)]
    )
    with path.open("xb") as file, csv.CSVWriter(file, schema) as writer:
        for start in range(0, max(1, len(timestamps_ns)), _CHUNK_ROWS):
            part = slice(start, start + _CHUNK_ROWS)
            stamps = timestamps_ns[part]
            arrays = [pa.array(stamps), pa.array((stamps - start_ns) / NS_PER_S)]
            for _, values in columns:
                chunk = np.ascontiguousarray(values[part])
                arrays.append(pa.array(chunk, mask=~np.isfinite(chunk)))
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def column_names(channels: Sequence[Channel]) -> list[str]:
    """``acc_x [m/s²]``, each once and on one line."""
    names: list[str] = []
    for channel in channels:
        with_unit = f"{channel.name} [{channel.unit}]" if channel.unit else channel.name
        name = printable(" ".join(with_unit.split())) or "value"
        plain, number = name, 2
        while name in names or name in ("timestamp_ns", "seconds"):
            name, number = f"{plain} {number}", number + 1
        names.append(name)
    return names
