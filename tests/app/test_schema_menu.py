from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from hfviewer.app.main_window import MainWindow
from hfviewer.app.schema_menu import SchemaMenu, questions_of, questions_text
from hfviewer.core.annotation import AttributeDefinition, Track, TrackKind
from tests.app.test_labelling import Key, open_in, press, step_to, type_line
from tests.recordings import write_small


@pytest.fixture
def window(qtbot: QtBot, make_window: Callable[[], MainWindow], tmp_path: Path) -> MainWindow:
    window = make_window()
    open_in(qtbot, window, write_small(tmp_path / "drive.hfr", frames=40))
    for frame in (5, 10, 20):
        step_to(window, frame)
        press(window, Key.Key_1)
    press(window, Key.Key_Return)
    return window


@pytest.fixture
def menu(window: MainWindow) -> SchemaMenu:
    return window.label_commands.schema_menu


def entries(filled: QMenu) -> dict[str, Callable[[], None]]:
    return {action.text(): action.trigger for action in filled.actions()}


def test_a_renamed_label_takes_its_annotations_along_and_undo_gives_them_back(
    window: MainWindow, menu: SchemaMenu
) -> None:
    state = window.annotations.state
    label = state.schema.label("label 1")
    assert label is not None
    entries(menu.fill_label(QMenu(window), label))["Rename…"]()
    window.label_commands.line.edit.selectAll()
    type_line(window, "brake")
    assert {a.label for a in window.annotations.state} == {"brake"}
    assert window.tagger.label_of("1") == "brake"
    window.annotations.undo()
    assert window.annotations.state == state


def test_a_digit_belongs_to_one_label(window: MainWindow, menu: SchemaMenu) -> None:
    window.label_commands._add_label("stop")
    menu.set_digit("stop", "1")
    keys = {label.name: label.hotkey for label in window.annotations.state.schema.labels}
    assert keys == {"label 1": "", "stop": "1"}


def test_a_label_off_the_list_stays_on_the_track_and_is_marked(window: MainWindow, menu: SchemaMenu) -> None:
    count = len(window.annotations.state)
    menu.remove_label("label 1")
    assert len(window.annotations.state) == count
    assert window.annotations.state.unknown_labels == {"label 1"}


def test_a_track_is_renamed_and_told_what_it_allows(window: MainWindow, menu: SchemaMenu) -> None:
    track = window.annotations.state.schema.track("labels")
    assert track is not None
    entries(menu.fill_track(QMenu(window), track))["Labels may overlap"]()
    changed = window.annotations.state.schema.track("labels")
    assert changed == Track(name="labels", overlap=False)
    menu.change_track("labels", Track(name="behaviour", kind=TrackKind.INTERVAL, overlap=False))
    assert window.annotations.state.track_names == ("behaviour",)
    assert window.tagger.track == "behaviour"
    refused: list[str] = []
    window.annotations.refused.connect(refused.append)
    step_to(window, 7)
    press(window, Key.Key_2)
    step_to(window, 9)
    press(window, Key.Key_2)
    assert "allows no overlap" in refused[0]


def test_names_that_are_taken_are_refused(window: MainWindow, menu: SchemaMenu) -> None:
    window.label_commands._add_label("stop")
    refused: list[str] = []
    window.annotations.refused.connect(refused.append)
    label = window.annotations.state.schema.label("stop")
    assert label is not None
    menu.change_label("stop", replace(label, name="label 1"))
    assert "already" in refused[0]


def test_what_a_label_asks_for_is_typed_as_it_reads() -> None:
    text = "speed: number, weather: sun|rain, why: text, wet: bool"
    found = questions_of(text)
    assert found[1] == AttributeDefinition(name="weather", kind="choice", choices=("sun", "rain"))
    assert [a.kind for a in found] == ["number", "choice", "text", "bool"]
    assert questions_text(found) == text
    assert questions_of(" , plain") == (AttributeDefinition(name="plain"),)
