"""The menus of a label and of a track: name, colour, digit, what is asked, what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QColorDialog, QMenu

from hfviewer.app.ask_line import AskLine
from hfviewer.core import edits
from hfviewer.core.annotation import AttributeDefinition, Label, Schema, Track, TrackKind
from hfviewer.model.annotations import Annotations
from hfviewer.panels.drawing import one_line
from hfviewer.panels.label_colours import label_colour

if TYPE_CHECKING:
    from hfviewer.app.main_window import MainWindow

_KINDS = ("text", "number", "bool")


class SchemaMenu:
    """Every entry is one edit, which Ctrl+Z takes back.

    Args:
        window: to lie over.
        annotations: whose schema is changed.
        line: where names are typed.
    """

    def __init__(self, window: MainWindow, annotations: Annotations, line: AskLine) -> None:
        self._window, self._annotations, self._line = window, annotations, line

    def pop_up_label(self, name: str, place: QPoint) -> None:
        """The menu of a label."""
        label = self._window.tagger.schema.label(name)
        if label is not None:
            self.fill_label(self._menu(), label).popup(place)

    def pop_up_track(self, name: str, place: QPoint) -> None:
        """The menu of a track."""
        track = self._window.tagger.schema.track(name) or Track(name=name)
        self.fill_track(self._menu(), track).popup(place)

    def fill_label(self, menu: QMenu, label: Label) -> QMenu:
        """The entries of a label's menu."""
        self._entry(menu, "Rename…", lambda: self._ask_label_name(label))
        self._entry(menu, "Colour…", lambda: self._ask_colour(label))
        digits = menu.addMenu("Digit")
        for digit in ("", *"123456789"):
            action = digits.addAction(digit or "none")
            action.setCheckable(True)
            action.setChecked(label.hotkey == digit)
            action.triggered.connect(lambda _on=False, key=digit: self.set_digit(label.name, key))
        self._entry(menu, "Ask for…", lambda: self._ask_questions(label))
        menu.addSeparator()
        self._entry(menu, "Take off the list", lambda: self.remove_label(label.name))
        return menu

    def fill_track(self, menu: QMenu, track: Track) -> QMenu:
        """The entries of a track's menu."""
        self._entry(menu, "Rename…", lambda: self._ask_track_name(track))
        for text, checked, changed in (
            ("Labels may overlap", track.overlap, replace(track, overlap=not track.overlap)),
            ("Instants only", track.kind is TrackKind.INSTANT, replace(track, kind=_other_kind(track))),
        ):
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(checked)
            action.triggered.connect(lambda _on=False, new=changed: self.change_track(track.name, new))
        menu.addSeparator()
        remove = self._entry(menu, "Remove", lambda: self.remove_track(track.name))
        remove.setEnabled(not self._annotations.state.on_track(track.name))
        return menu

    # -- edits -----------------------------------------------------------------------------------------------

    def change_label(self, name: str, changed: Label) -> None:
        """Put a label in place of one; what bears its name follows. A name that is taken is refused."""
        schema = self._window.tagger.schema
        if changed.name != name and schema.label(changed.name) is not None:
            self._annotations.refused.emit(f"there is a label {one_line(changed.name)} already")
            return
        labels = tuple(changed if label.name == name else label for label in schema.labels)
        renamed = {name: changed.name} if changed.name != name else {}
        self._change(replace(schema, labels=labels), renamed_labels=renamed)

    def set_digit(self, name: str, digit: str) -> None:
        """Give a label a digit; whoever had it has none then."""
        schema = self._window.tagger.schema
        labels = tuple(
            replace(label, hotkey=digit)
            if label.name == name
            else replace(label, hotkey="")
            if digit and label.hotkey == digit
            else label
            for label in schema.labels
        )
        self._change(replace(schema, labels=labels))

    def remove_label(self, name: str) -> None:
        """Take a label off the list; annotations that bear it stay, and are marked."""
        schema = self._window.tagger.schema
        self._change(replace(schema, labels=tuple(x for x in schema.labels if x.name != name)))

    def change_track(self, name: str, changed: Track) -> None:
        """Put a track in place of one; its labels follow."""
        schema = self._window.tagger.schema
        if changed.name != name and changed.name in self._annotations.state.track_names:
            self._annotations.refused.emit(f"there is a track {one_line(changed.name)} already")
            return
        schema = schema.with_names([name], [])
        tracks = tuple(changed if track.name == name else track for track in schema.tracks)
        renamed = {name: changed.name} if changed.name != name else {}
        self._change(replace(schema, tracks=tracks), renamed_tracks=renamed)
        if renamed:
            self._window.tagger.set_track(changed.name)

    def remove_track(self, name: str) -> None:
        """Remove a track on which nothing lies."""
        schema = self._window.tagger.schema
        self._change(replace(schema, tracks=tuple(x for x in schema.tracks if x.name != name)))

    # -- inside ----------------------------------------------------------------------------------------------

    def _change(
        self,
        schema: Schema,
        *,
        renamed_labels: dict[str, str] | None = None,
        renamed_tracks: dict[str, str] | None = None,
    ) -> None:
        if schema != self._annotations.state.schema:
            self._annotations.do(
                lambda state: edits.change_schema(
                    state, schema, renamed_labels=renamed_labels, renamed_tracks=renamed_tracks
                )
            )

    def _ask_label_name(self, label: Label) -> None:
        def rename(text: str) -> None:
            if text.strip():
                self.change_label(label.name, replace(label, name=text.strip()))

        self._line.ask_for("Rename label", "its new name", label.name, rename)

    def _ask_track_name(self, track: Track) -> None:
        def rename(text: str) -> None:
            if text.strip():
                self.change_track(track.name, replace(track, name=text.strip()))

        self._line.ask_for("Rename track", "its new name", track.name, rename)

    def _ask_questions(self, label: Label) -> None:
        self._line.ask_for(
            f"{one_line(label.name)} asks for",
            "speed: number, weather: sun|rain, why: text",
            questions_text(label.attributes),
            lambda text: self.change_label(label.name, replace(label, attributes=questions_of(text))),
        )

    def _ask_colour(self, label: Label) -> None:
        schema, tokens = self._annotations.state.schema, self._window.theme.tokens
        dialog = QColorDialog(label_colour(schema, label.name, tokens), self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def paint(colour: QColor) -> None:
            self.change_label(label.name, replace(label, color=colour.name()))

        dialog.colorSelected.connect(paint)
        dialog.open()

    def _menu(self) -> QMenu:
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setEnabled(self._annotations.condition.editable)
        return menu

    @staticmethod
    def _entry(menu: QMenu, text: str, act: Callable[[], None]) -> QAction:
        action = menu.addAction(text)
        action.triggered.connect(lambda: act())
        return action


def questions_text(attributes: tuple[AttributeDefinition, ...]) -> str:
    """``speed: number, weather: sun|rain``."""
    return ", ".join(f"{a.name}: {'|'.join(a.choices) or a.kind}" for a in attributes)


def questions_of(text: str) -> tuple[AttributeDefinition, ...]:
    """What was typed; a kind that is not known is a choice of one."""
    found: dict[str, AttributeDefinition] = {}
    for part in text.split(","):
        name, _, kind = (piece.strip() for piece in part.partition(":"))
        if not name:
            continue
        if kind in _KINDS or not kind:
            found[name] = AttributeDefinition(name=name, kind=kind or "text")
        else:
            choices = tuple(choice.strip() for choice in kind.split("|") if choice.strip())
            found[name] = AttributeDefinition(name=name, kind="choice", choices=choices)
    return tuple(found.values())


def _other_kind(track: Track) -> TrackKind:
    return TrackKind.INTERVAL if track.kind is TrackKind.INSTANT else TrackKind.INSTANT
