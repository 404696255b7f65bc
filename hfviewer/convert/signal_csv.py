"""Samples of dense signals as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.stream import Channel
from hfviewer.core.text import printable
from hfviewer.core.time_text import NS_PER_S

_CHUNK_ROWS = 1 << 18
_OWN_COLUMNS = ("timestamp_ns", "seconds", "frame")


def write_signal_csv(
    path: Path,
    timestamps_ns: NDArray[np.int64],
    columns: Sequence[tuple[Channel, NDArray[np.float64]]],
    *,
    start_ns: int,
    frames: NDArray[np.int64] | None = None,
) -> None:
    """Write samples: nanoseconds and seconds since a start, both exact, and a column for each channel.

    Values are written so that reading gives the same floats back; one that is not a number is left empty.

    Args:
        path: a file that does not exist yet.
        timestamps_ns: int64[n].
        columns: name and unit, and float64[n], of each channel.
        start_ns: what seconds count from.
        frames: int64[n], the frame that each sample is of, as a column of its own; None: there is none.

    Raises:
        OSError: it cannot be written.
    """
    # Not before it is needed: loading pyarrow takes long.
    import pyarrow as pa
    from pyarrow import csv

    names = column_names([channel for channel, _ in columns])
    schema = pa.schema(
        [
            ("timestamp_ns", pa.int64()),
            ("seconds", pa.string()),
            *([] if frames is None else [("frame", pa.int64())]),
            *((name, pa.float64()) for name in names),
        ]
    )
    options = csv.WriteOptions(quoting_style="needed")
    with path.open("xb") as file, csv.CSVWriter(file, schema, write_options=options) as writer:
        for start in range(0, max(1, len(timestamps_ns)), _CHUNK_ROWS):
            part = slice(start, start + _CHUNK_ROWS)
            stamps = timestamps_ns[part]
            arrays = [pa.array(stamps), _seconds(stamps - start_ns)]
            if frames is not None:
                arrays.append(pa.array(frames[part]))
            for _, values in columns:
                chunk = np.ascontiguousarray(values[part])
                arrays.append(pa.array(chunk, mask=~np.isfinite(chunk)))
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def _seconds(offsets_ns: NDArray[np.int64]) -> Any:
    """``-12.345678901``: seconds to the nanosecond, as text, without passing through floats."""
    import pyarrow as pa
    from pyarrow import compute

    whole, rest = np.divmod(np.abs(offsets_ns), NS_PER_S)
    return compute.binary_join_element_wise(
        pa.array(np.where(offsets_ns < 0, "-", "")),
        pa.array(whole).cast(pa.string()),
        ".",
        compute.utf8_lpad(pa.array(rest).cast(pa.string()), 9, "0"),
        "",
    )


def column_names(channels: Sequence[Channel]) -> list[str]:
    """``acc_x [m/s²]``, each once and on one line."""
    names: list[str] = []
    for channel in channels:
        with_unit = f"{channel.name} [{channel.unit}]" if channel.unit else channel.name
        name = printable(" ".join(with_unit.split())) or "value"
        plain, number = name, 2
        while name in names or name in _OWN_COLUMNS:
            name, number = f"{plain} {number}", number + 1
        names.append(name)
    return names
