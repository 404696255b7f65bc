"""Which files belong to which episode: found by listing folders, told apart by what the templates say."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hfviewer.core.errors import HfviewerError
from hfviewer.readers.episodes import layout
from hfviewer.readers.episodes.info import TaskInfo
from hfviewer.readers.episodes.parquet import ParquetTable, numbers

_MOST_ENTRIES = 2_000_000


@dataclass(slots=True, kw_only=True)
class EpisodeFiles:
    """What was found of one episode.

    Args:
        number: global number N.
        data: its table, or a shard that holds its rows among others'; None: there is none.
        meta: the file with the row about it; None: there is none.
        videos: by slot, every file with that slot's name; usually one.
    """

    number: int
    data: Path | None = None
    meta: Path | None = None
    videos: dict[str, list[Path]] = field(default_factory=dict)


def find_episodes(root: Path, info: TaskInfo) -> dict[int, EpisodeFiles]:
    """Every episode of a task of which anything is there, by number.

    ``episode-NNN`` is one episode. ``file-NNN`` is one as well in tasks before v1.1.2, or a shard of v1.1.0
    that holds a whole chunk: of a table called so, the column ``episode_index`` decides, not the name.
    """
    found: dict[int, EpisodeFiles] = {}

    def entry(number: int) -> EpisodeFiles:
        return found.setdefault(number, EpisodeFiles(number=number))

    for match in _matches(root, info.video_path):
        number = _number(match.fields, info)
        if number is not None and match.fields.get("image_key"):
            entry(number).videos.setdefault(match.fields["image_key"], []).append(match.path)
    for template, part in ((info.data_path, "data"), (info.episodes_path, "meta")):
        for match in sorted(_matches(root, template), key=lambda m: m.fields.get("prefix") == "file"):
            if match.fields.get("prefix") == "file":
                numbers_in = _episodes_in(match.path)
            else:
                number = _number(match.fields, info)
                numbers_in = [] if number is None else [number]
            for number in numbers_in:
                if getattr(entry(number), part) is None:
                    setattr(entry(number), part, match.path)
    return dict(sorted(found.items()))


@dataclass(frozen=True, slots=True)
class _Match:
    path: Path
    fields: Mapping[str, str]


def _matches(root: Path, template: layout.PathTemplate) -> Iterator[_Match]:
    """Every file below a folder whose path is one that a template could make."""
    waiting: list[tuple[Path, dict[str, str], int]] = [(root, {}, 0)]
    looked = 0
    while waiting:
        folder, fields, level = waiting.pop()
        pattern = template.patterns[level]
        last = level + 1 == len(template.patterns)
        for name in _names(folder, pattern):
            looked += 1
            if looked > _MOST_ENTRIES:
                return
            matched = pattern.fullmatch(name)
            if matched is None or layout.is_working_file(name):
                continue
            more = {**fields, **{k: v for k, v in matched.groupdict().items() if v is not None}}
            if last:
                yield _Match(folder / name, more)
            else:
                waiting.append((folder / name, more, level + 1))


def _names(folder: Path, pattern: re.Pattern[str]) -> list[str]:
    if not pattern.groups:
        # A name without a number needs no listing.
        name = re.sub(r"\\(.)", r"\1", pattern.pattern)
        return [name] if (folder / name).exists() else []
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _number(fields: Mapping[str, str], info: TaskInfo) -> int | None:
    chunk, file = int(fields.get("c", 0)), int(fields.get("f", 0))
    return layout.number_of(chunk, file, info.chunks_size) if file < info.chunks_size else None


def _episodes_in(path: Path) -> list[int]:
    """Numbers of the episodes of which a table holds rows; empty where it cannot be read."""
    try:
        table = ParquetTable(path)
    except (HfviewerError, OSError):
        return []
    try:
        if layout.EPISODE_INDEX not in table.column_names:
            return []
        column = table.read([layout.EPISODE_INDEX])[layout.EPISODE_INDEX]
        return [int(n) for n in np.unique(numbers(column, np.int64)) if 0 < n < 2**53]
    except HfviewerError:
        return []
    finally:
        table.close()
