"""A task directory as a list of episodes; nothing is opened but listings and the small rows about them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from hfviewer.codecs.video.boxes import top_level
from hfviewer.core.collection import EpisodeRow
from hfviewer.core.errors import HfviewerError, UsageError
from hfviewer.core.finding import Finding
from hfviewer.core.recording import Recording
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.clock import wall_to_ns
from hfviewer.readers.episodes.files import EpisodeFiles, find_episodes
from hfviewer.readers.episodes.info import TaskInfo, check_stats, check_tasks, read_info
from hfviewer.readers.episodes.meta_row import read_summaries
from hfviewer.readers.episodes.parquet import ParquetTable
from hfviewer.readers.episodes.recording import EpisodeRecording
from hfviewer.readers.listing import ListedCollection

Stamp = tuple[int, int, int]
Summary = tuple[int | None, float | None, float | None]


class TaskCollection(ListedCollection):
    """Episodes of one task.

    Args:
        path: of the task directory.

    Raises:
        DamagedRecordingError: its ``info.json`` is damaged.
        UnsupportedError: it names another format.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._info: TaskInfo = read_info(path)
        self._files: dict[int, EpisodeFiles] = {}
        self._seen: dict[Path, tuple[Stamp, object]] = {}
        self._findings: tuple[Finding, ...] = ()
        self.refresh()

    @property
    def task(self) -> str:
        return self._info.task_name

    @property
    def info(self) -> TaskInfo:
        """What the task says about itself, as last listed."""
        return self._info

    @property
    def findings(self) -> Sequence[Finding]:
        return self._findings

    def refresh(self) -> bool:
        """See `EpisodeCollection.refresh`. Files that have not changed are not read again."""
        before = self._rows
        self._info = read_info(self._path)
        self._files = find_episodes(self._path, self._info)
        findings = list(self._info.findings)
        checks = (check_tasks(self._path), check_stats(self._path))
        findings += [found for found in checks if found is not None]
        rows = []
        for number, files in self._files.items():
            if files.data is None and not files.videos and not self._is_listed(files):
                continue
            rows.append(self._row(number, files))
        self._rows, self._findings = tuple(rows), tuple(findings)
        return self._rows != before

    def open_key(self, key: str) -> Recording:
        number = int(key) if key.isascii() and key.isdigit() and len(key) < 16 else 0
        return EpisodeRecording(self._path, self._info, self.parts_of(number))

    def files_of(self, key: str) -> Sequence[Path]:
        files = self._files.get(int(key)) if key.isascii() and key.isdigit() and len(key) < 16 else None
        if files is None:
            return []
        own = [path for path in (files.data, files.meta) if path is not None]
        return [*own, *(path for paths in files.videos.values() for path in paths)]

    def parts_of(self, number: int) -> EpisodeFiles:
        """Where the files of an episode lie.

        Raises:
            UsageError: there is no such episode.
        """
        files = self._files.get(number)
        if files is None:
            raise UsageError(f"There is no episode {number}.", path=self._path)
        return files

    def _row(self, number: int, files: EpisodeFiles) -> EpisodeRow:
        chunk, file = layout.place_of(number, self._info.chunks_size)
        length, created_at, duration_s = self._summary(number, files)
        problems = [p for p in self._problems(files, length) if p]
        columns = self._columns(files.data)
        start_ns = None if created_at is None else int(wall_to_ns(np.array([created_at]))[0])
        return EpisodeRow(
            key=str(number),
            number=number,
            id=f"episode-{file:03d}",
            name=layout.display_name(self._info.task_name, file),
            task=self._info.task_name,
            chunk=chunk,
            frame_count=length,
            duration_s=duration_s,
            start_ns=start_ns,
            streams=(*sorted(files.videos), *columns),
            labelled=(self._path / layout.ANNOTATIONS_PATH.format(c=chunk, f=file)).is_file(),
            ok=not problems,
            problem=" ".join(problems),
        )

    def _is_listed(self, files: EpisodeFiles) -> bool:
        """Whether an episode of which only the row is left ever had frames."""
        length, _, _ = self._summary(files.number, files)
        return bool(length)

    def _summary(self, number: int, files: EpisodeFiles) -> Summary:
        if files.meta is None:
            return None, None, None
        found = self._remembered(files.meta, _summaries)
        return found.get(number, (None, None, None)) if isinstance(found, dict) else (None, None, None)

    def _problems(self, files: EpisodeFiles, length: int | None) -> list[str]:
        if length == 0:
            return ["It was stopped before its first frame."]
        problems = []
        if files.meta is not None:
            found = self._remembered(files.meta, _summaries)
            problems.append(found if isinstance(found, str) else "")
        if files.data is None:
            problems.append("Its table of rows is missing.")
        else:
            found = self._remembered(files.data, _columns)
            problems.append(found if isinstance(found, str) else "")
        if not files.videos:
            problems.append("Its videos are missing.")
        for path in sorted(path for paths in files.videos.values() for path in paths):
            found = self._remembered(path, _video_problem)
            problems.append(str(found) if found else "")
        return problems

    def _columns(self, data: Path | None) -> tuple[str, ...]:
        """Streams that a table's columns will make."""
        found = None if data is None else self._remembered(data, _columns)
        return found if isinstance(found, tuple) else ()

    def _remembered(self, path: Path, look: object) -> object:
        """What looking into a file gave, looked up again once the file has changed."""
        try:
            status = path.stat()
        except OSError as error:
            return f"{self._relative(path)}: It cannot be read ({error.strerror})."
        stamp = (status.st_ino, status.st_size, status.st_mtime_ns)
        known = self._seen.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        assert callable(look)
        try:
            found = look(path)
        except HfviewerError as error:
            found = f"{self._relative(path)}: {error.problem}"
        except OSError as error:
            found = f"{self._relative(path)}: It cannot be read ({error.strerror})."
        self._seen[path] = (stamp, found)
        return found

    def _relative(self, path: Path) -> str:
        return path.relative_to(self._path).as_posix()


def _summaries(path: Path) -> dict[int, Summary]:
    return read_summaries(path)


def _columns(path: Path) -> tuple[str, ...]:
    """Names of the streams that the columns of a table will make; its footer alone is read."""
    table = ParquetTable(path)
    try:
        names = table.column_names
        kinds = {name: table.type_of(name) for name in names}
    finally:
        table.close()
    streams = [
        layout.stream_name(name)
        for name in names
        if name.startswith((layout.OBSERVATION, layout.STATUS)) and not _is_stamp(name, kinds[name])
    ]
    return tuple(streams)


def _is_stamp(name: str, kind: pa.DataType) -> bool:
    value = kind.value_type if pa.types.is_list(kind) else kind
    return name.endswith("_ns") and pa.types.is_int64(value)


def _video_problem(path: Path) -> str:
    """Why an mp4 cannot be opened, by its outermost boxes alone; empty where nothing is wrong with them."""
    if path.suffix != ".mp4":
        return ""
    fd = os.open(path, os.O_RDONLY)
    try:
        top = top_level(fd, os.fstat(fd).st_size)
    finally:
        os.close(fd)
    if top.moov is None:
        return f"{path.parent.name}/{path.name}: the video was never finished (its index, moov, is missing)."
    return f"{path.parent.name}/{path.name}: {top.damage}." if top.damage else ""
