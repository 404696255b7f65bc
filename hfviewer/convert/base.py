"""What an importer is."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from hfviewer.convert.source import Plan
from hfviewer.readers.base import Match


class Importer(Protocol):
    """Knows one layout of sensor files."""

    name: str
    layout: str
    """What a folder must hold, in a few words, for the message that lists all layouts."""

    def sniff(self, path: Path) -> Match:
        """How sure we are that this very folder (or file) is one. Quick; never raises."""

    def plan(self, path: Path) -> Plan:
        """List files and read tables; pictures and clouds stay unread.

        Raises:
            ConversionError: nothing in it can be converted; says why.
        """
