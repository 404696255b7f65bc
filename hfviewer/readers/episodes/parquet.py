"""Columns of a parquet file as arrays, without a Python loop over values and without believing its claims."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hfviewer.core.errors import DamagedRecordingError

MOST_COLUMN_BYTES = 2 << 30
"""Columns read together may claim so much; eight hours of IMU at 1 kHz claim a third."""
MOST_ROWS = 10_000_000
"""Four days at 30 a second."""

PARQUET_ERRORS = (
    pa.ArrowException,
    OSError,
    ValueError,
    KeyError,
    MemoryError,
    OverflowError,
    TypeError,
)
"""What PyArrow raises over a damaged file."""


class ParquetTable:
    """One parquet file, open; columns are read when they are asked for. Safe from any thread.

    Args:
        path: of the file.

    Raises:
        DamagedRecordingError: it is not a parquet file, or cut off.
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        try:
            self._file = pq.ParquetFile(path, pre_buffer=False)
        except FileNotFoundError:
            raise
        except PARQUET_ERRORS as error:
            raise _damaged(path, error) from error
        self.schema: pa.Schema = self._file.schema_arrow
        self.row_count = int(self._file.metadata.num_rows)
        if self.row_count > MOST_ROWS:
            self._file.close()
            raise DamagedRecordingError(f"It claims {self.row_count} rows.", path=path)

    @cached_property
    def column_names(self) -> list[str]:
        counts = Counter(self.schema.names)
        return [name for name, count in counts.items() if count == 1]  # of two columns of one name, which?

    def type_of(self, column: str) -> pa.DataType:
        """Arrow type of a column."""
        return self.schema.field(column).type

    def close(self) -> None:
        """Release the file. May be called again."""
        with self._lock:
            self._file.close()

    def claimed_bytes(self, column: str) -> int:
        """What a column says that it holds: number of values times their size, whatever its packed size."""
        sizes = {"DOUBLE": 8, "INT64": 8, "BYTE_ARRAY": 16}
        return sum(
            max(chunk.num_values * sizes.get(chunk.physical_type, 4), chunk.total_uncompressed_size)
            for chunk in self._chunks(column)
        )

    def claimed_values(self, column: str) -> int:
        """How many values a column says that it holds."""
        return sum(chunk.num_values for chunk in self._chunks(column))

    def only_row(self, columns: Sequence[str]) -> dict[str, float] | None:
        """Numbers of a file's only row, out of its footer; None where it has more rows or does not say."""
        if self.row_count != 1 or self._file.metadata.num_row_groups != 1:
            return None
        found: dict[str, float] = {}
        for column in columns:
            for chunk in self._chunks(column):
                statistics = chunk.statistics
                if statistics is None or not statistics.has_min_max or statistics.min != statistics.max:
                    return None
                found[column] = statistics.min
        return found if len(found) == len(columns) else None

    def _chunks(self, column: str) -> Iterator[Any]:
        metadata = self._file.metadata
        for group in range(metadata.num_row_groups):
            row_group = metadata.row_group(group)
            for leaf in self._leaves.get(column, ()):
                yield row_group.column(leaf)

    @cached_property
    def _leaves(self) -> dict[str, list[int]]:
        """Of each column, the columns of plain values that it is stored as: a list is one called otherwise.

        Looked up once: a file may hold a hundred thousand columns.
        """
        names = set(self.schema.names)
        found: dict[str, list[int]] = {}
        schema = self._file.metadata.schema
        for leaf in range(len(schema)):
            path = schema.column(leaf).path
            for stop in (*(at for at, sign in enumerate(path) if sign == "."), len(path)):
                if path[:stop] in names:
                    found.setdefault(path[:stop], []).append(leaf)
        return found

    def read(self, columns: Sequence[str]) -> dict[str, pa.Array]:
        """Whole columns, each as one array.

        Raises:
            DamagedRecordingError: one is damaged, or claims more than could be right.
        """
        self._check_claims(columns)
        try:
            with self._lock:
                table = self._file.read(columns=list(columns), use_threads=False).combine_chunks()
            return {name: _one(table[name]) for name in columns}
        except PARQUET_ERRORS as error:
            raise _damaged(self.path, error, ", ".join(columns)) from error

    def batches(self, column: str, *, rows: int, groups: Sequence[int]) -> Iterator[pa.Array]:
        """A column in pieces of so many rows, from the start of some row groups: for large columns.

        Raises:
            DamagedRecordingError: a piece is damaged.
        """
        try:
            # A file of its own: pieces are taken while others read.
            with pq.ParquetFile(self.path, pre_buffer=False, buffer_size=1 << 20) as file:
                for batch in file.iter_batches(
                    batch_size=rows, row_groups=list(groups), columns=[column], use_threads=False
                ):
                    yield batch.column(0)
        except PARQUET_ERRORS as error:
            raise _damaged(self.path, error, column) from error

    def group_rows(self) -> list[int]:
        """Rows in each row group."""
        metadata = self._file.metadata
        return [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]

    def _check_claims(self, columns: Sequence[str]) -> None:
        total = 0
        for column in columns:
            total += self.claimed_bytes(column)
            if total > MOST_COLUMN_BYTES:
                raise DamagedRecordingError(
                    f"Its column {column} claims {total / 1e9:.1f} GB, more than can be right.",
                    path=self.path,
                )


def numbers(array: pa.Array, dtype: type[np.generic]) -> NDArray[Any]:
    """A column of one number a row; null is 0, NaN for floats."""
    if array.null_count:
        array = array.fill_null(np.nan if pa.types.is_floating(array.type) else 0)
    return np.asarray(array.to_numpy(zero_copy_only=False)).astype(dtype, copy=False)


def ragged(array: pa.Array) -> tuple[NDArray[np.int64], pa.Array]:
    """A list column as offsets and its values: row i owns ``values[offsets[i]:offsets[i + 1]]``.

    Null rows own nothing. Lists of a fixed size work too.

    Raises:
        DamagedRecordingError: not a list column.
    """
    kind = array.type
    if pa.types.is_fixed_size_list(kind):
        lengths = np.full(len(array), kind.list_size, np.int64)
        if array.null_count:
            lengths[np.asarray(array.is_null())] = 0
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        if not array.null_count:
            offsets = array.offsets.to_numpy().astype(np.int64)
            return offsets - offsets[0], array.flatten()  # `.values` would ignore a slice
        lengths = pc.fill_null(pc.list_value_length(array), 0).to_numpy().astype(np.int64)
    else:
        raise DamagedRecordingError("It is not a list.")
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]), array.flatten()


def rows_of(array: pa.Array, width: int | None = None) -> NDArray[Any]:
    """A list column in which every row has the same number of values, as n×width; null rows are zeros.

    Args:
        array: the column.
        width: what a row must hold; None: what the first one holds.

    Raises:
        DamagedRecordingError: rows differ in length.
    """
    offsets, values = ragged(array)
    lengths = np.diff(offsets)
    full = lengths > 0
    if width is None:
        width = int(lengths[full][0]) if full.any() else 0
    if (lengths[full] != width).any():
        odd = int(lengths[full][lengths[full] != width][0])
        raise DamagedRecordingError(f"Its rows hold {odd} and {width} values.")
    flat = flat_numbers(values)
    if full.all():
        return flat.reshape(len(array), width)
    out = np.zeros((len(array), width), flat.dtype)
    out[full] = flat.reshape(-1, width)
    return out


def flat_numbers(values: pa.Array) -> NDArray[Any]:
    """Numbers without nulls as they are stored; null is 0, NaN for floats."""
    if values.null_count:
        values = values.fill_null(np.nan if pa.types.is_floating(values.type) else 0)
    return np.asarray(values.to_numpy(zero_copy_only=False))


def _one(column: pa.ChunkedArray) -> pa.Array:
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _damaged(path: Path, error: BaseException, column: str = "") -> DamagedRecordingError:
    said = (str(error) or type(error).__name__).splitlines()[0][:200]
    part = f"Its column {column} is damaged" if column else "It is not a whole parquet file"
    return DamagedRecordingError(
        f"{part} ({said}).", remedy="Copy it again; what else belongs to the episode still opens.", path=path
    )
