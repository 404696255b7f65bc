"""What the keys of the group Labels do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QCursor

from hfviewer.app.ask_line import AskLine
from hfviewer.app.held_keys import HeldKeys
from hfviewer.app.schema_menu import SchemaMenu, questions_text
from hfviewer.app.settings import SettingsStore
from hfviewer.core import edits
from hfviewer.core.annotation import Annotation
from hfviewer.model.annotations import Annotations
from hfviewer.model.tagging import Tagger
from hfviewer.panels.drawing import one_line
from hfviewer.panels.labels.panel import answers_of, answers_text

if TYPE_CHECKING:
    from hfviewer.app.label_board import LabelBoard
    from hfviewer.app.main_window import MainWindow

_MOST_REACTION_MS = 5000


class LabelCommands:
    """One method for each action of `bindings` that makes or changes labels.

    Args:
        window: the main window.
        annotations: to edit.
        tagger: makes new ones.
        board: shows them.
        settings: know who labels, and how quick they are.
    """

    def __init__(
        self,
        window: MainWindow,
        annotations: Annotations,
        tagger: Tagger,
        board: LabelBoard,
        settings: SettingsStore,
    ) -> None:
        self._window, self._annotations, self._tagger, self._board = window, annotations, tagger, board
        self._actions, self._settings = board.actions, settings
        self._line = AskLine("", "", window.theme, window)
        self.schema_menu = SchemaMenu(window, annotations, self._line)
        window.label_list.chips.menu_wanted.connect(self.schema_menu.pop_up_label)
        board.menu_wanted.connect(lambda name: self.schema_menu.pop_up_track(name, QCursor.pos()))
        self._keys = HeldKeys(window)
        self._keys.released.connect(tagger.release)
        self._keys.all_released.connect(tagger.release_all)

    @property
    def line(self) -> AskLine:
        """Where notes and names are typed."""
        return self._line

    # -- digits ----------------------------------------------------------------------------------------------

    def _digit(self, digit: str) -> None:
        self._tagger.press(digit, held=self._keys.is_down(digit))

    def label_1(self) -> None:
        self._digit("1")

    def label_2(self) -> None:
        self._digit("2")

    def label_3(self) -> None:
        self._digit("3")

    def label_4(self) -> None:
        self._digit("4")

    def label_5(self) -> None:
        self._digit("5")

    def label_6(self) -> None:
        self._digit("6")

    def label_7(self) -> None:
        self._digit("7")

    def label_8(self) -> None:
        self._digit("8")

    def label_9(self) -> None:
        self._digit("9")

    def toggle_tap_mode(self) -> None:
        self._tagger.tap_mode = not self._tagger.tap_mode
        self._board.show_mode()

    def mark_here(self) -> None:
        self._tagger.mark()

    # -- what is selected ------------------------------------------------------------------------------------

    def edit_note(self) -> None:
        if self._tagger.finish_all():
            return
        annotation = self._actions.here()
        if annotation is not None:
            self._annotations.select([annotation.id])
            title = f"Note on {one_line(annotation.label)}"
            self._line.ask_for(title, "what should be known of it", annotation.note, self._actions.set_note)

    def edit_answers(self) -> None:
        annotation = self._actions.here()
        if annotation is None:
            return
        self._annotations.select([annotation.id])
        label = self._tagger.schema.label(annotation.label)
        asked = "" if label is None else questions_text(label.attributes)
        text = answers_text(annotation)
        if not text and label is not None:
            text = ", ".join(f"{question.name}=" for question in label.attributes)

        def answer(entered: str) -> None:
            gone = dict.fromkeys(annotation.attributes)
            self._actions.set_attributes({**gone, **answers_of(entered)})

        self._line.ask_for(f"Answers on {one_line(annotation.label)}", asked or "key=value", text, answer)

    def cancel_label(self) -> None:
        if not self._window.timeline.canvas.cancel_drag() and not self._tagger.cancel():
            self._annotations.select(())

    def remove_label(self) -> None:
        self._actions.remove()

    def next_label(self) -> None:
        self._show(self._actions.cycle(1))

    def previous_label(self) -> None:
        self._show(self._actions.cycle(-1))

    def next_unreviewed(self) -> None:
        self._show(self._actions.next_unreviewed())

    def split_label(self) -> None:
        self._actions.split()

    def merge_labels(self) -> None:
        self._actions.merge()

    def label_gap(self) -> None:
        self._actions.label_gap()

    def next_status(self) -> None:
        self._actions.next_status()

    def nudge_later(self) -> None:
        self._actions.nudge(1)

    def nudge_earlier(self) -> None:
        self._actions.nudge(-1)

    def nudge_start_later(self) -> None:
        self._actions.nudge(1, end=False)

    def nudge_start_earlier(self) -> None:
        self._actions.nudge(-1, end=False)

    def nudge_end_later(self) -> None:
        self._actions.nudge(1, start=False)

    def nudge_end_earlier(self) -> None:
        self._actions.nudge(-1, start=False)

    def play_label(self) -> None:
        self._actions.play_selection()

    def copy_labels(self) -> None:
        self._actions.copy()

    def paste_labels(self) -> None:
        self._actions.paste()

    def select_track(self) -> None:
        self._annotations.select(a.id for a in self._annotations.state.on_track(self._tagger.track))

    # -- tracks and names ------------------------------------------------------------------------------------

    def next_track(self) -> None:
        self._tagger.step_track(1)

    def previous_track(self) -> None:
        self._tagger.step_track(-1)

    def new_track(self) -> None:
        self._line.ask_for("New track", "its name", "", self._add_track)

    def new_label(self) -> None:
        self._line.ask_for("New label", "its name; it gets the next free digit", "", self._add_label)

    def _add_track(self, name: str) -> None:
        name = name.strip()
        if not name:
            return
        schema = self._tagger.schema.with_names([name], [])
        if schema is not self._annotations.state.schema:
            self._annotations.do(lambda state: edits.change_schema(state, schema))
        self._tagger.set_track(name)

    def _add_label(self, name: str) -> None:
        name = name.strip()
        schema = self._tagger.schema.with_names([], [name] if name else [])
        if schema is not self._annotations.state.schema:
            self._annotations.do(lambda state: edits.change_schema(state, schema))
            label = schema.label(name)
            key = "" if label is None or not label.hotkey else f", on {label.hotkey}"
            self._window.status.set_message(f"label {name}{key}")

    def toggle_labels(self) -> None:
        self._window.docks.toggle_labels()

    def compare_authors(self) -> None:
        self._board.toggle_comparison()

    def set_author(self) -> None:
        self._line.ask_for("Labels are by", "a name", self._tagger.author, self._on_author)

    def set_reaction(self) -> None:
        text = str(self._tagger.reaction_ns // 1_000_000)
        hint = "ms added to the start while playing; negative: earlier"
        self._line.ask_for("Reaction time", hint, text, self._on_reaction)

    def _on_author(self, name: str) -> None:
        self._tagger.author = self._settings.values.author = name.strip()
        self._settings.save()
        self._board.show_mode()

    def _on_reaction(self, text: str) -> None:
        try:
            reaction_ms = int(text.replace("−", "-").removesuffix("ms").strip())
        except ValueError:
            self._window.status.set_message(f"{text!r} is no number of milliseconds")
            return
        reaction_ms = max(-_MOST_REACTION_MS, min(reaction_ms, _MOST_REACTION_MS))
        self._tagger.reaction_ns = reaction_ms * 1_000_000
        self._settings.values.reaction_ms = reaction_ms
        self._settings.save()
        self._board.show_mode()

    # -- safe ------------------------------------------------------------------------------------------------

    def undo_label(self) -> None:
        name = self._annotations.undo_name
        if self._annotations.undo() is not None:
            self._window.status.set_message(f"undone: {name}")

    def redo_label(self) -> None:
        name = self._annotations.redo_name
        if self._annotations.redo() is not None:
            self._window.status.set_message(f"done again: {name}")

    def save_labels(self) -> None:
        self._annotations.save()

    def finish_episode(self) -> None:
        self._annotations.save()
        self._window.episodes.next_episode()

    def _show(self, annotation: Annotation | None) -> None:
        if annotation is not None:
            timeline = self._window.timeline
            timeline.show_time(annotation.end_ns)
            timeline.show_time(annotation.start_ns)
