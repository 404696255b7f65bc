"""Which importer converts a folder: every one is asked, the surest match wins."""

from __future__ import annotations

import os
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
from hfviewer.core.errors import ConversionError
from hfviewer.readers.base import Match

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


def importer_of(path: Path) -> Importer | None:
    """The importer that is surest of this very folder; None where none knows it."""
    best = max(IMPORTERS, key=lambda importer: importer.sniff(path))
    return best if best.sniff(path) is not Match.NO else None
