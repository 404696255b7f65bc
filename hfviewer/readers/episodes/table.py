"""The table of one episode: a parquet file of its own, or its rows in an old shard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hfviewer.core.errors import DamagedRecordingError
from hfviewer.core.finding import Finding, Severity
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.parquet import ParquetTable, numbers


class EpisodeTable:
    """Columns of one episode's rows. Safe from any thread.

    Args:
        path: of the file.
        number: of the episode; rows of others are left out. None: all rows are taken.

    Raises:
        DamagedRecordingError: the file is damaged, or holds no row of it.
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path, number: int | None) -> None:
        self.path = path
        self._table = ParquetTable(path)
        self.findings: list[Finding] = []
        self._rows: NDArray[np.intp] | None = None  # None: all
        try:
            names = [name for name in layout.ROW_COLUMNS if name in self._table.column_names]
            columns = self._table.read(names)
            self._rows = self._rows_of(columns.get(layout.EPISODE_INDEX), number)
            self.rows: Mapping[str, pa.Array] = {name: self._cut(c) for name, c in columns.items()}
        except BaseException:
            self._table.close()
            raise

    @cached_property
    def column_names(self) -> list[str]:
        return self._table.column_names

    @property
    def row_count(self) -> int:
        return self._table.row_count if self._rows is None else len(self._rows)

    def type_of(self, column: str) -> pa.DataType:
        """Arrow type of a column."""
        return self._table.type_of(column)

    def claimed_bytes(self, column: str) -> int:
        """See `ParquetTable.claimed_bytes`."""
        return self._table.claimed_bytes(column)

    def claimed_values(self, column: str) -> int:
        """How many values a column says that it holds, rows of other episodes included."""
        return self._table.claimed_values(column)

    @property
    def file_row_count(self) -> int:
        """Rows of the file, those of other episodes included."""
        return self._table.row_count

    def read(self, columns: Sequence[str]) -> dict[str, pa.Array]:
        """Whole columns of the episode's rows.

        Raises:
            DamagedRecordingError: one is damaged, or claims more than could be right.
        """
        return {name: self._cut(column) for name, column in self._table.read(columns).items()}

    def column(self, name: str) -> pa.Array:
        """One column; see `read`."""
        return self.read([name])[name]

    def row_values(self) -> dict[str, pa.Array]:
        """Every column of one number a row, stamps of single samples included, as stored."""
        kinds = ((name, self.type_of(name)) for name in self.column_names)
        plain = [name for name, kind in kinds if pa.types.is_integer(kind) or pa.types.is_floating(kind)]
        return self.read(plain)

    def pieces(self, name: str, start: int, *, rows: int) -> Iterator[tuple[int, pa.Array]]:
        """A column from about a row on, in pieces of at most so many rows, each with its first row's number.

        Rows of an old shard are numbered within the episode. What lies before `start` in its row group comes
        along: a row group can only be read from its beginning.

        Raises:
            DamagedRecordingError: a piece is damaged.
        """
        first_in_file = start if self._rows is None else int(self._rows[start]) if len(self._rows) else 0
        counts = self._table.group_rows()
        edges = np.concatenate([[0], np.cumsum(counts)])
        group = max(0, int(np.searchsorted(edges, first_in_file, side="right")) - 1)
        at = int(edges[group])
        for piece in self._table.batches(name, rows=rows, groups=range(group, len(counts))):
            if self._rows is None:
                yield at, piece
            else:
                low, high = np.searchsorted(self._rows, [at, at + len(piece)])
                if high > low:
                    yield int(low), piece.take(pa.array(self._rows[low:high] - at))
            at += len(piece)

    def close(self) -> None:
        """Release the file. May be called again."""
        self._table.close()

    def _rows_of(self, column: pa.Array | None, number: int | None) -> NDArray[np.intp] | None:
        if column is None or number is None:
            return None
        owners = numbers(column, np.int64)
        mine = np.flatnonzero(owners == number)
        if len(mine) == len(owners):
            return None
        if len(mine):
            return mine
        if not len(owners) or len(np.unique(owners)) > 1:
            raise DamagedRecordingError(f"It has no rows of episode {number}.", path=self.path)
        message = f"{self.path.name}: its rows say episode {int(owners[0])}, its name says {number}."
        self.findings.append(
            Finding(
                code="damaged_metadata",
                severity=Severity.WARNING,
                message=message,
                evidence=layout.EPISODE_INDEX,
            )
        )
        return None

    def _cut(self, column: pa.Array) -> pa.Array:
        return column if self._rows is None else column.take(pa.array(self._rows))
