from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from hfviewer.core import edits
from hfviewer.model.annotations import Annotations
from hfviewer.model.time_display import TimeDisplay
from hfviewer.panels.labels.panel import LabelsPanel, answers_of, answers_text
from hfviewer.panels.labels.table import Column
from hfviewer.panels.theme import Theme
from hfviewer.readers.registry import open_recording
from tests.labels import label
from tests.recordings import write_small

MADE = [
    label("a", 0.1, 0.4, author="Anna"),
    label("b", 0.2, 0.9, label="run", note="in the rain", attributes={"speed": 3}),
    label("c", 0.5, track="events", label="bump", status="done"),
]


@pytest.fixture
def model(qtbot: QtBot, tmp_path: Path) -> Iterator[Annotations]:
    model = Annotations(tmp_path / "state", pause_ms=0)
    with open_recording(write_small(tmp_path / "small.hfr", frames=12)) as recording:
        model.set_recording(recording)
        qtbot.waitUntil(lambda: model.condition.editable)
    assert model.do(lambda state: edits.add(state, MADE)) is not None
    yield model
    model.close()


@pytest.fixture
def panel(qtbot: QtBot, model: Annotations) -> LabelsPanel:
    panel = LabelsPanel(model, TimeDisplay(), Theme())
    qtbot.addWidget(panel)
    panel.resize(320, 480)
    panel.chips.set_schema(model.state.schema)
    panel.show()
    return panel


def listed(panel: LabelsPanel) -> list[str]:
    return [a.id for a in panel.table.rows]


def test_labels_are_listed_in_the_order_of_time_and_follow_edits(
    panel: LabelsPanel, model: Annotations
) -> None:
    assert listed(panel) == ["a", "b", "c"]
    model.do(lambda state: edits.remove(state, ["b"]))
    assert listed(panel) == ["a", "c"]
    model.undo()
    assert listed(panel) == ["a", "b", "c"]
    table = panel.table
    assert [
        table.data(table.index(1, column)) for column in (Column.LABEL, Column.LENGTH, Column.STATUS)
    ] == [
        "run ✎",
        "0.700",
        "draft",
    ]


@pytest.mark.parametrize(
    ("words", "expected"),
    [("RUN", ["b"]), ("rain", ["b"]), ("anna walk", ["a"]), ("done", ["c"]), ("speed=3", ["b"]), ("x", [])],
)
def test_words_filter_by_everything_that_is_said(panel: LabelsPanel, words: str, expected: list[str]) -> None:
    panel.filter.setText(words)
    assert listed(panel) == expected


def test_a_click_chooses_and_a_selection_shows_its_note(panel: LabelsPanel, model: Annotations) -> None:
    chosen: list[str] = []
    panel.chosen.connect(chosen.append)
    place = panel.view.visualRect(panel.table.index(1, 0)).center()
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert chosen == ["b"]
    model.select(["b"])
    assert (panel.note.text(), panel.answers.text()) == ("in the rain", "speed=3")
    entered: list[str] = []
    panel.note_entered.connect(entered.append)
    panel.note.setText("dry again")
    QTest.keyClick(panel.note, Qt.Key.Key_Return)
    assert entered == ["dry again"]
    model.select(["a", "b"])
    assert not panel.note.isEnabled()


def test_answers_are_read_as_what_they_look_like() -> None:
    found = answers_of("speed=3.5, wet=true, who=Anna Lee, note = , flag")
    assert found == {"speed": 3.5, "wet": True, "who": "Anna Lee", "note": "", "flag": True}
    made = label("x", 1, attributes={"a": 1, "b": "x", "c": None})
    assert answers_of(answers_text(made)) == {"a": 1, "b": "x", "c": None}


def test_the_swatch_of_a_selected_row_keeps_its_colour(panel: LabelsPanel) -> None:
    icon = panel.table.data(panel.table.index(0, 0), Qt.ItemDataRole.DecorationRole)
    assert isinstance(icon, QIcon)
    colours = [
        QColor(icon.pixmap(10, 10, mode).toImage().pixel(5, 5)).name()
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected)
    ]
    assert colours[0] == colours[1]


def test_a_chip_does_what_its_digit_does(panel: LabelsPanel) -> None:
    pressed: list[str] = []
    panel.digit_pressed.connect(pressed.append)
    QTest.mouseClick(
        panel.chips, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, panel.chips.rect().center()
    )
    assert pressed == ["2"]


def test_a_heading_stands_where_its_cells_stand(panel: LabelsPanel) -> None:
    role = Qt.ItemDataRole.TextAlignmentRole
    for column in Column:
        cell = panel.table.data(panel.table.index(0, column), role)
        assert panel.table.headerData(column, Qt.Orientation.Horizontal, role) == cell
