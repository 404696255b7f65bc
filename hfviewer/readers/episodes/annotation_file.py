"""Annotations of one episode: a parquet file of ours in the task directory, beside what the recorder wrote.

One row an annotation, in the columns of `COLUMNS`; times are int64 ns on the episode's recording clock. What
belongs to all of them (tracks, labels, format) is JSON in the file's own metadata under the key
``hfviewer.annotations``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hfviewer.core.errors import DamagedRecordingError, WriteError
from hfviewer.core.whole_file import replacing

DOCUMENT_KEY = b"hfviewer.annotations"
COLUMNS = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("track", pa.string()),
        pa.field("label", pa.string()),
        pa.field("start_ns", pa.int64()),
        pa.field("end_ns", pa.int64()),
        pa.field("stream", pa.string()),
        pa.field("first_frame", pa.int64()),
        pa.field("last_frame", pa.int64()),
        pa.field("attributes", pa.string()),
        pa.field("note", pa.string()),
        pa.field("author", pa.string()),
        pa.field("created_ns", pa.int64()),
        pa.field("modified_ns", pa.int64()),
        pa.field("status", pa.string()),
    ]
)
"""``attributes`` is JSON text; ``stream`` and frames are null where an annotation hangs on none."""

_MOST_BYTES = 256 << 20
_MOST_ROWS = 1_000_000
_DAMAGED = "The annotation file is damaged ({}); it is not used."
_REMEDY = "Move it away to begin anew, or restore it from a copy."


def read_rows(path: str | os.PathLike[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The document and all annotations of a file; both empty where there is no such file.

    Columns that are missing are None in every row; columns that we do not know are kept in the rows.

    Raises:
        DamagedRecordingError: it is not such a file.
    """
    path = Path(path)
    try:
        status = path.stat()
    except FileNotFoundError:
        return {}, []
    except OSError as error:
        raise DamagedRecordingError(f"It cannot be read ({error.strerror}).", path=path) from error
    if status.st_size > _MOST_BYTES:
        raise DamagedRecordingError(_DAMAGED.format("too large"), remedy=_REMEDY, path=path)
    try:
        with pq.ParquetFile(path) as file:
            _check_claims(file.metadata, path)
            table = file.read(use_threads=False)
        document = json.loads((table.schema.metadata or {}).get(DOCUMENT_KEY, b"{}"))
        rows = table.to_pylist()
    except (pa.ArrowException, OSError, ValueError, RecursionError, MemoryError) as error:
        raise DamagedRecordingError(_DAMAGED.format(_first_line(error)), remedy=_REMEDY, path=path) from error
    if not isinstance(document, dict) or "id" not in table.column_names:
        raise DamagedRecordingError(_DAMAGED.format("no annotations in it"), remedy=_REMEDY, path=path)
    missing = {name: None for name in COLUMNS.names if name not in table.column_names}
    return document, [row | missing for row in rows]


def write_rows(
    path: str | os.PathLike[str], document: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Replace the file in one step, so that whoever reads it finds the old one or the new one, whole.

    Args:
        path: of the file; its folder is made where it is not there yet.
        document: what belongs to all annotations, as JSON can say it.
        rows: with the keys of `COLUMNS`; keys that are missing are null.

    Raises:
        WriteError: the folder cannot be written, or a value does not fit its column.
    """
    path = Path(path)
    try:
        text = json.dumps(document, ensure_ascii=False).encode()
        columns = [pa.array([row.get(f.name) for row in rows], f.type) for f in COLUMNS]
        table = pa.Table.from_arrays(columns, schema=COLUMNS.with_metadata({DOCUMENT_KEY: text}))
    except (pa.ArrowException, TypeError, ValueError, OverflowError, RecursionError) as error:
        problem = f"The annotations cannot be stored ({_first_line(error)})."
        raise WriteError(problem, path=path) from error
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path, lasting=True) as beside:
            pq.write_table(table, beside, compression="zstd")
    except (OSError, pa.ArrowException) as error:
        reason = getattr(error, "strerror", None) or _first_line(error)
        raise WriteError(
            f"The annotations cannot be written ({reason}).",
            remedy="Choose another folder for them, or make this one writable.",
            path=path,
        ) from error


def _check_claims(metadata: pq.FileMetaData, path: Path) -> None:
    """Refuse what would not fit into memory before any of it is read."""
    claimed = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    if metadata.num_rows > _MOST_ROWS or claimed > _MOST_BYTES:
        raise DamagedRecordingError(_DAMAGED.format("it claims too much"), remedy=_REMEDY, path=path)


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
