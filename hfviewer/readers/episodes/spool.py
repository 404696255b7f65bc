"""Rows of a column too large to hold, one at a time: read in order, kept packed as far as a budget goes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import lz4.block
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hfviewer.core.errors import DamagedRecordingError, FrameError
from hfviewer.readers.episodes.parquet import flat_numbers, ragged
from hfviewer.readers.episodes.table import EpisodeTable

BUDGET_BYTES = 128 << 20
"""Of packed rows, for one column. A force matrix is mostly zeros and packs to a few per cent."""
_PIECE_ROWS = 8


class RowSpool:
    """Any row of one list column. Safe from any thread.

    A parquet row group can only be read from its beginning, so the rows on the way to the one that is wanted
    are kept, packed; those farthest from it are let go first. Nothing is read twice while they fit.

    Args:
        table: of the episode.
        column: a list of numbers in each row.
        length: what a row holds where it is not empty.
        budget_bytes: of packed rows to keep.

    Raises:
        DamagedRecordingError: the column claims more values than its rows can hold.
    """

    def __init__(
        self, table: EpisodeTable, column: str, length: int, *, budget_bytes: int = BUDGET_BYTES
    ) -> None:
        kind = table.type_of(column)
        self.dtype = np.dtype(np.int16 if pa.types.is_int16(kind.value_type) else np.float32)
        claimed = table.claimed_values(column)
        if claimed > table.file_row_count * (length + 1):
            rows = table.file_row_count
            raise DamagedRecordingError(
                f"Its column {column} claims {claimed} values in {rows} rows.", path=table.path
            )
        self._table, self._column, self._length = table, column, length
        self._budget_bytes = budget_bytes
        self._lock = threading.Lock()
        self._packed: dict[int, bytes] = {}
        self._used_bytes = 0
        self._pieces: Iterator[tuple[int, pa.Array]] | None = None
        self._next = 0  # row with which the next piece begins
        self.rows_read = 0
        """Rows that came out of the file so far; for tests."""

    @property
    def used_bytes(self) -> int:
        return self._used_bytes

    def row(self, number: int) -> NDArray[Any]:
        """The values of one row, as stored.

        Raises:
            FrameError: it is empty, of another length, or damaged.
        """
        with self._lock:
            if number not in self._packed:
                self._read_to(number)
            packed = self._packed.get(number)
        if packed is None:
            raise FrameError("There is no new sample in its row.")
        values = np.frombuffer(lz4.block.decompress(packed), self.dtype)
        if len(values) != self._length:
            raise FrameError(f"It holds {len(values)} values, not {self._length}.")
        return values

    def filled_rows(self) -> NDArray[np.intp]:
        """Rows that are not empty, found by reading them all once.

        Raises:
            DamagedRecordingError: the column is damaged.
        """
        with self._lock:
            found: list[NDArray[np.intp]] = [np.empty(0, np.intp)]
            for first, piece in self._table.pieces(self._column, 0, rows=_PIECE_ROWS):
                lengths = self._keep(first, piece, first)
                found.append(first + np.flatnonzero(lengths))
            return np.concatenate(found)

    def close(self) -> None:
        """Forget what is kept."""
        with self._lock:
            self._packed.clear()
            self._pieces, self._used_bytes = None, 0

    def _read_to(self, number: int) -> None:
        try:
            if self._pieces is None or number < self._next:
                self._pieces = self._table.pieces(self._column, number, rows=_PIECE_ROWS)
            for first, piece in self._pieces:
                self._next = first + len(piece)
                self._keep(first, piece, number)
                if self._next > number:
                    return
            self._pieces = None
        except DamagedRecordingError as error:
            self._pieces = None
            raise FrameError(error.problem, remedy=error.remedy) from error

    def _keep(self, first: int, piece: pa.Array, wanted: int) -> NDArray[np.int64]:
        """Pack the rows of a piece; returns how many values each holds."""
        offsets, values = ragged(piece)
        flat = flat_numbers(values).astype(self.dtype, copy=False)
        self.rows_read += len(piece)
        for row in np.flatnonzero(np.diff(offsets)).tolist():
            number = first + row
            if number not in self._packed:
                packed = lz4.block.compress(flat[offsets[row] : offsets[row + 1]].tobytes())
                self._packed[number] = packed
                self._used_bytes += len(packed)
        while self._used_bytes > self._budget_bytes and len(self._packed) > 1:
            farthest = max(self._packed, key=lambda kept: abs(kept - wanted))
            if farthest == wanted:
                break
            self._used_bytes -= len(self._packed.pop(farthest))
        return np.diff(offsets)
