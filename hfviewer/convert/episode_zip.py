"""One episode as the zip that the recorder's own upload makes (contract, section 9)."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from hfviewer.convert.export import Exported, safe_name
from hfviewer.convert.files import exists_already
from hfviewer.core.errors import DamagedRecordingError, UsageError, WriteError
from hfviewer.core.whole_file import creating
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.collection import TaskCollection
from hfviewer.readers.episodes.files import EpisodeFiles
from hfviewer.readers.episodes.parquet import PARQUET_ERRORS

_META = (layout.INFO, layout.STATS, layout.TASKS)


def export_episode_zip(task: TaskCollection, number: int, folder: Path) -> Exported:
    """Pack one episode, uncompressed, with paths as in the task; nothing of the task is changed.

    Rows of a shard are cut out and renamed as a file of their own. The path of the recorder's ffmpeg, which
    tells of the machine it ran on, is left out.

    Args:
        task: that holds it.
        number: of the episode.
        folder: where the zip is put, called as the recorder calls it.

    Raises:
        UsageError: there is no such episode.
        WriteError: the file exists or cannot be written.
        DamagedRecordingError: a table cannot be cut.
    """
    row = next((row for row in task.episodes if row.number == number), None)
    if row is None:
        raise UsageError(f"There is no episode {number}.", path=task.path)
    root, files = Path(task.path), task.parts_of(number)
    out = folder / f"{safe_name(row.name)}.zip"
    done = Exported(out, more={"episode": number, "files": []})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with creating(out) as beside, zipfile.ZipFile(beside, "x", zipfile.ZIP_STORED) as archive:
            _fill(archive, root, task, files, done)
    except FileExistsError as error:
        raise exists_already(out) from error
    except OSError as error:
        raise WriteError(f"It cannot be written ({error.strerror}).", path=out) from error
    done.more["files"] = sorted(done.more["files"])
    done.more["bytes"] = out.stat().st_size
    return done


def _fill(
    archive: zipfile.ZipFile, root: Path, task: TaskCollection, files: EpisodeFiles, done: Exported
) -> None:
    chunk, file = layout.place_of(files.number, task.info.chunks_size)

    def add(path: Path, name: str) -> None:
        archive.write(path, name)
        done.more["files"].append(name)

    def add_bytes(data: bytes, name: str) -> None:
        archive.writestr(name, data)
        done.more["files"].append(name)

    for paths in files.videos.values():
        for path in paths:
            add(path, path.relative_to(root).as_posix())
    if files.data is None:
        done.problems.append("It has no table of rows.")
    else:
        name = task.info.data_path.path(c=chunk, f=file)
        cut = _cut(files.data, files.number)
        if cut is None:
            add(files.data, files.data.relative_to(root).as_posix())
        else:
            add_bytes(cut, name)
    if files.meta is None:
        done.problems.append("There is no row about it in meta/episodes.")
    else:
        name = task.info.episodes_path.path(c=chunk, f=file)
        add_bytes(_meta_row(files.meta, files.number), name)
    for relative in _META:
        if (root / relative).is_file():
            add(root / relative, relative)


def _cut(path: Path, number: int) -> bytes | None:
    """The rows of one episode out of a shard; None where the file holds no others."""
    try:
        with pq.ParquetFile(path) as file:
            if layout.EPISODE_INDEX not in file.schema_arrow.names:
                return None
            owners = file.read(columns=[layout.EPISODE_INDEX])[layout.EPISODE_INDEX].to_numpy()
            if not len(owners) or (owners == owners[0]).all():
                return None
            return _bytes_of(file.read().take(pa.array(np.flatnonzero(owners == number))))
    except PARQUET_ERRORS as error:
        raise DamagedRecordingError("The table cannot be cut.", path=path) from error


def _meta_row(path: Path, number: int) -> bytes:
    """The row about one episode, alone and without a private path; the file itself where that is the same."""
    try:
        table = pq.ParquetFile(path).read()
        whole = table
        if layout.EPISODE_INDEX in table.column_names:
            owners = table[layout.EPISODE_INDEX].to_numpy()
            table = table.take(pa.array(np.flatnonzero(owners == number)[-1:]))
        if layout.VIDEO_CODEC in table.column_names:
            column = [_without_path(text) for text in table[layout.VIDEO_CODEC].to_pylist()]
            place = table.column_names.index(layout.VIDEO_CODEC)
            kind = table.schema.field(place).type
            table = table.set_column(place, table.schema.field(place), pa.array(column, kind))
        return path.read_bytes() if table.equals(whole) else _bytes_of(table)
    except PARQUET_ERRORS as error:
        raise DamagedRecordingError("The row about the episode cannot be read.", path=path) from error


def _without_path(text: str | None) -> str | None:
    """A codec's JSON with the bare name of the program in place of its path."""
    try:
        codec = json.loads(text or "")
    except (ValueError, RecursionError):
        return text
    program = codec.get("ffmpeg") if isinstance(codec, dict) else None
    if not isinstance(program, str):
        return text
    bare = program.replace("\\", "/").rpartition("/")[2]
    return text if bare == program else json.dumps({**codec, "ffmpeg": bare}, ensure_ascii=False)


def _bytes_of(table: pa.Table) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()
