"""Layouts that outlive the session: one for each kind of recording, and those that were given a name.

Two recordings are of one kind where their streams have the same names and kinds. The file is never trusted:
what cannot be understood is as if it had not been saved.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import QByteArray

from hfviewer.app.carried_layout import CarriedLayout
from hfviewer.app.kept_file import KeptFile
from hfviewer.app.panel_key import PanelKey
from hfviewer.core.recording import Recording

MOST_KINDS = 100
MOST_NAMED = 50
MOST_PANELS = 200
_MOST_BYTES = 8 << 20
_MOST_NAME = 60


class SavedPanel(msgspec.Struct):
    """A panel that was open, and how it was looked at."""

    stream: str
    view: str = ""
    number: int = 1
    look: dict[str, object] = {}


class SavedLayout(msgspec.Struct):
    """Panels and where they are: ``state`` is Qt's own, in base 64."""

    state: str
    panels: list[SavedPanel] = []
    known: list[str] = []

    def carried(self) -> CarriedLayout | None:
        """As the panel area takes it; None where it makes no sense."""
        try:
            state = QByteArray(base64.b64decode(self.state, validate=True))
        except (ValueError, binascii.Error):
            return None
        keys = {
            PanelKey(panel.stream, panel.view, panel.number): panel.look
            for panel in self.panels[:MOST_PANELS]
            if panel.view in ("", "cloud", "curves") and 1 <= panel.number < 1000
        }
        return CarriedLayout(state, frozenset(keys), frozenset(self.known), looks=keys)


class LayoutFile(msgspec.Struct):
    """What is in the file; the newest of each is last."""

    kinds: dict[str, SavedLayout] = {}
    named: dict[str, SavedLayout] = {}


def kind_of(recording: Recording) -> str:
    """What recordings of one kind have in common: the names and kinds of their streams."""
    parts = sorted(f"{stream.description.kind}\0{name}" for name, stream in recording.streams.items())
    return hashlib.sha256("\1".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def saved(layout: CarriedLayout, recording: Recording) -> SavedLayout:
    """A layout as it is kept, of the recording that it shows."""
    return SavedLayout(
        state=base64.b64encode(layout.state.data()).decode("ascii"),
        panels=[
            SavedPanel(key.stream, key.view, key.number, dict(layout.looks.get(key, {})))
            for key in sorted(layout.open, key=lambda key: (key.stream, key.view, key.number))
        ],
        known=sorted(recording.streams),
    )


class LayoutStore:
    """Layouts and the file they live in.

    Args:
        path: of the file.
        submit: carries out the writing, in the background, one call after the other.
    """

    def __init__(self, path: Path, submit: Callable[[Callable[[], None]], object]) -> None:
        self._kept = KeptFile(path, LayoutFile, _MOST_BYTES, submit)
        self._file = self._kept.load() or LayoutFile()

    @property
    def names(self) -> list[str]:
        """Of the layouts that were given one, in alphabetical order."""
        return sorted(self._file.named, key=str.casefold)

    def of_kind(self, recording: Recording) -> CarriedLayout | None:
        """How recordings of this kind were last looked at; None where none was."""
        found = self._file.kinds.get(kind_of(recording))
        return None if found is None else found.carried()

    def named(self, name: str) -> CarriedLayout | None:
        """A layout by its name."""
        found = self._file.named.get(name)
        return None if found is None else found.carried()

    def remember(self, recording: Recording, layout: CarriedLayout) -> None:
        """Recordings of this kind are looked at like this from now on."""
        kind = kind_of(recording)
        self._file.kinds.pop(kind, None)
        self._file.kinds[kind] = saved(layout, recording)
        while len(self._file.kinds) > MOST_KINDS:
            del self._file.kinds[next(iter(self._file.kinds))]
        self._kept.save(self._file)

    def forget(self, recording: Recording) -> None:
        """Recordings of this kind are looked at as if they were new."""
        if self._file.kinds.pop(kind_of(recording), None) is not None:
            self._kept.save(self._file)

    def give_name(self, name: str, recording: Recording, layout: CarriedLayout) -> bool:
        """Keep a layout under a name; one that has it is replaced. False where the name cannot be used."""
        name = "".join(letter for letter in name if letter.isprintable()).strip()[:_MOST_NAME]
        if not name or (name not in self._file.named and len(self._file.named) >= MOST_NAMED):
            return False
        self._file.named[name] = saved(layout, recording)
        self._kept.save(self._file)
        return True

    def delete(self, name: str) -> None:
        """Forget the layout of a name."""
        if self._file.named.pop(name, None) is not None:
            self._kept.save(self._file)
