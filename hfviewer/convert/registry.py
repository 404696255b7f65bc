"""Which importer converts a folder: every one is asked, the surest match wins."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hfviewer.convert.base import Importer
from hfviewer.convert.files import names_in
from hfviewer.convert.importers.comma2k19 import Comma2k19Importer
from hfviewer.convert.importers.euroc import EurocImporter
from hfviewer.convert.importers.kitti import KittiImporter
from hfviewer.convert.importers.seven_scenes import SevenScenesImporter
from hfviewer.convert.importers.text_tables import TextTablesImporter
from hfviewer.convert.importers.tum import TumImporter
from hfviewer.convert.source import Plan
from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import ConversionError, UsageError
from hfviewer.core.recording import Recording
from hfviewer.readers.base import Match
from hfviewer.readers.registry import choice_needed, is_recording, open_path

IMPORTERS: tuple[Importer, ...] = (
    KittiImporter(),
    EurocImporter(),
    Comma2k19Importer(),
    SevenScenesImporter(),
    TumImporter(),
    TextTablesImporter(),
)
_LEVELS_DOWN = 2
_MOST_FOLDERS = 500


def plan_conversion(source: str | os.PathLike[str]) -> Plan:
    """Plan the conversion of a folder, or of the one folder inside it that can be converted.

    Raises:
        ConversionError: there is nothing, nothing known, or a choice to make.
    """
    path = Path(os.path.abspath(source))
    if not path.exists():
        raise ConversionError("There is no such file or folder.", path=source)
    level = [path]
    for _ in range(_LEVELS_DOWN + 1):
        found = [(folder, importer) for folder in level if (importer := importer_of(folder)) is not None]
        if len(found) == 1:
            folder, importer = found[0]
            return importer.plan(folder)
        if found:
            names = ", ".join(folder.relative_to(path).as_posix() for folder, _ in found[:5])
            raise ConversionError(
                f"{len(found)} folders in it can be converted, each into a recording of its own.",
                remedy=f"Name one of them: {names}{' …' if len(found) > 5 else ''}.",
                path=source,
            )
        level = [below for folder in level for name in names_in(folder) if (below := folder / name).is_dir()][
            :_MOST_FOLDERS
        ]
    layouts = "; ".join(importer.layout for importer in IMPORTERS)
    raise ConversionError(
        "hfviewer does not know how to convert this.", remedy=f"It knows: {layouts}.", path=source
    )


@contextmanager
def recording_of(source: str | os.PathLike[str], episode: int | None) -> Iterator[Recording | None]:
    """The recording that a source is, open; None where it is a folder of sensor files.

    Raises:
        ConversionError: a hyperframe file, which is one already.
        UsageError: it holds many episodes and none was chosen, or there is no such episode.
        HfviewerError: it cannot be opened.
    """
    path = Path(source)
    if episode is None and (not is_recording(path) or importer_of(path) is not None):
        yield None
        return
    opened = open_path(path)
    if isinstance(opened, EpisodeCollection):
        with opened:
            only = opened.episodes[0].number if len(opened.episodes) == 1 else None
            number = only if episode is None else episode
            if number is None:
                raise choice_needed(opened)
            opened = opened.open(number)
    elif episode is not None:
        opened.close()
        raise UsageError("This is not a folder of episodes.", remedy="Leave out --episode.", path=path)
    with opened:
        if opened.description.format == "hyperframe":
            raise ConversionError(
                "This is a hyperframe file already.", remedy="`hfviewer compact` copies it.", path=path
            )
        yield opened


def importer_of(path: Path) -> Importer | None:
    """The importer that is surest of this very folder; None where none knows it."""
    best = max(IMPORTERS, key=lambda importer: importer.sniff(path))
    return best if best.sniff(path) is not Match.NO else None
