"""The row about one episode: its own file, or one row of an old shard; read anew each time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa

from hfviewer.core.errors import DamagedRecordingError
from hfviewer.core.json_number import as_number
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.parquet import ParquetTable, numbers

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_MOST_ROWS = 1_000_000
_MOST_TEXT = 16 << 20
_LONGEST_S = 1e9  # 30 years
_NUMBERS = (layout.LENGTH, layout.CREATED_AT, layout.DURATION)
_TEXTS = (layout.DROP_STATS, layout.VIDEO_CODEC, layout.CALIBRATION, layout.FORCE_SPECS)


@dataclass(frozen=True, kw_only=True, eq=False)
class MetaRow:
    """What the recorder noted about an episode.

    Args:
        length: frames of its longest slot; None where not noted.
        created_at: start, Unix seconds; None likewise.
        duration_s: length divided by the frame rate: of the video, not of the time that passed.
        drop_stats: counters; those of frames and others, see `evidence.frame_drops`.
        video_codec: how the recorder encoded, without the private path of its ffmpeg.
        calibration: of this episode.
        force_specs: by column, how force matrices are stored.
        values: every column as stored, texts included.
    """

    length: int | None = None
    created_at: float | None = None
    duration_s: float | None = None
    drop_stats: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    video_codec: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    calibration: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    force_specs: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    values: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)


def read_meta_row(path: Path, number: int) -> MetaRow:
    """The row of one episode.

    Raises:
        DamagedRecordingError: the file is damaged, or has no row of that episode.
        OSError: it cannot be opened.
    """
    with _opened(path) as table:
        columns = [name for name in table.column_names if _is_plain(table, name)]
        read = table.read(columns)
        row = 0
        if layout.EPISODE_INDEX in read:
            rows = np.flatnonzero(numbers(read[layout.EPISODE_INDEX], np.int64) == number)
            if not len(rows):
                raise DamagedRecordingError(f"It has no row of episode {number}.", path=path)
            row = int(rows[-1])
        elif not table.row_count:
            raise DamagedRecordingError("It has no row.", path=path)
        values = {name: column[row].as_py() for name, column in read.items()}
    return MetaRow(
        length=_whole(values.get(layout.LENGTH)),
        created_at=as_number(values.get(layout.CREATED_AT)),
        duration_s=_duration_s(values.get(layout.DURATION)),
        drop_stats=_json(values.get(layout.DROP_STATS)),
        video_codec={k: v for k, v in _json(values.get(layout.VIDEO_CODEC)).items() if k != "ffmpeg"},
        calibration=_json(values.get(layout.CALIBRATION)),
        force_specs=_json(values.get(layout.FORCE_SPECS)),
        values=MappingProxyType(values),
    )


def read_summaries(path: Path) -> dict[int, tuple[int | None, float | None, float | None]]:
    """Length, start and duration of every episode in a file, by number; for lists.

    Raises:
        DamagedRecordingError: the file is damaged.
        OSError: it cannot be opened.
    """
    with _opened(path) as table:
        columns = [name for name in (layout.EPISODE_INDEX, *_NUMBERS) if name in table.column_names]
        if layout.EPISODE_INDEX not in columns:
            raise DamagedRecordingError("It has no column episode_index.", path=path)
        stated = table.only_row(columns)
        if stated is not None:
            read = {name: np.array([value], np.float64) for name, value in stated.items()}
        else:
            read = {name: numbers(column, np.float64) for name, column in table.read(columns).items()}
    none = np.full(len(read[layout.EPISODE_INDEX]), np.nan)
    lengths, starts, durations = (read.get(name, none) for name in _NUMBERS)
    rows = zip(read[layout.EPISODE_INDEX], lengths, starts, durations, strict=True)
    return {int(n): (_whole(a), as_number(b), _duration_s(c)) for n, a, b, c in rows if np.isfinite(n)}


@contextmanager
def _opened(path: Path) -> Iterator[ParquetTable]:
    """A small parquet file, closed again; larger ones are refused."""
    table = ParquetTable(path)
    try:
        if table.row_count > _MOST_ROWS:
            raise DamagedRecordingError(f"It claims {table.row_count} rows.", path=table.path)
        yield table
    finally:
        table.close()


def _is_plain(table: ParquetTable, name: str) -> bool:
    """Whether a column holds numbers, or texts of a sensible length."""
    kind = table.type_of(name)
    if pa.types.is_primitive(kind):
        return True
    text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    return bool(text) and table.claimed_bytes(name) < _MOST_TEXT * max(1, table.row_count)


def _json(value: object) -> Mapping[str, Any]:
    if not isinstance(value, str) or len(value) > _MOST_TEXT:
        return MappingProxyType({})
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return MappingProxyType({})
    return MappingProxyType(parsed) if isinstance(parsed, dict) else MappingProxyType({})


def _duration_s(value: object) -> float | None:
    number = as_number(value)
    return number if number is not None and 0 <= number < _LONGEST_S else None


def _whole(value: object) -> int | None:
    number = as_number(value)
    return int(number) if number is not None and 0 <= number < 2**53 else None
