"""Tables of numbers: text with one row a line, and arrays, to streams of one sample a frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hfviewer.convert.files import read_lines, reason
from hfviewer.convert.source import PlannedStream, ProblemLog
from hfviewer.convert.times import ns_from_decimal
from hfviewer.core.errors import FrameError
from hfviewer.core.stream import StreamDescription


@dataclass(frozen=True, eq=False)
class Table:
    """Rows that could be read.

    Args:
        timestamps_ns: int64[n].
        rows: int64[n], the row's number in the source, from 0, unreadable ones counted.
        values: float64 n×C.
    """

    timestamps_ns: NDArray[np.int64]
    rows: NDArray[np.int64]
    values: NDArray[np.float64]


def data_lines(lines: Sequence[str], *, comment: str = "#") -> list[tuple[int, str]]:
    """Lines that hold data, each with its number in the file (from 1): neither empty nor a comment."""
    return [
        (number, line)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.lstrip().startswith(comment)
    ]


def read_table_lines(path: Path, stream: str, name: str, log: ProblemLog) -> list[tuple[int, str]] | None:
    """Lines of a file that hold data, as `data_lines` gives them; None, told, where it cannot be read.

    Args:
        path: of the file.
        stream: that it belongs to.
        name: of the file, for a person.
        log: told why.
    """
    try:
        return data_lines(read_lines(path))
    except (FrameError, OSError) as error:
        log.add(stream, reason(error), name)
        return None


def parse_table(
    lines: Sequence[tuple[int, str]],
    *,
    delimiter: str | None,
    columns: int,
    values: Sequence[int],
    time: int = 0,
    time_exponent: int = 9,
    on_bad: Callable[[int], None],
) -> Table:
    """Read a text table.

    Args:
        lines: from `data_lines`, without a header.
        delimiter: None: any white space.
        columns: how many a row must have at least.
        values: which columns to keep, in this order.
        time: which column holds the time.
        time_exponent: its unit as a power of ten in ns; 9: seconds.
        on_bad: told the number of each line that cannot be read; such a row is left out.
    """
    stamps: list[int] = []
    rows: list[int] = []
    kept: list[list[float]] = []
    for row, (number, line) in enumerate(lines):
        cells = line.split(delimiter)
        try:
            if len(cells) < columns:
                raise ValueError("too few columns")
            stamp_ns = ns_from_decimal(cells[time], time_exponent)
            kept.append([float(cells[column]) for column in values])
        except ValueError:
            on_bad(number)
            continue
        stamps.append(stamp_ns)
        rows.append(row)
    return Table(
        np.array(stamps, np.int64),
        np.array(rows, np.int64),
        np.array(kept, np.float64).reshape(len(stamps), len(values)),
    )


def rows_stream(description: StreamDescription, table: Table, file: str) -> PlannedStream:
    """A stream of one frame a row; the description's encoding must be one of float64 rows.

    Args:
        description: of a signal (``f64``) or a pose (``xyz_qxyzw_f64``).
        table: its rows.
        file: name of the table, for messages.
    """
    values = np.ascontiguousarray(table.values, "<f8")
    return PlannedStream(
        description=description,
        timestamps_ns=table.timestamps_ns,
        sequence=table.rows,
        load=lambda index: values[index].tobytes(),
        origin=lambda index: f"{file} row {table.rows[index]}",
    )
