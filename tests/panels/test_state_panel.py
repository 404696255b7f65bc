from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from hfviewer.core.stream import StreamKind
from hfviewer.panels.state_history import Mood, history_of, mood_of, text_of
from hfviewer.panels.state_panel import StatePanel
from hfviewer.panels.theme import Theme
from tests.panels.making import PERIOD_NS, START_NS, describe, move_pointer, result, show, table, text

READ = [("connected", 0), ("connected", 3), ("disconnected", 5), ("校准中", 9), ("connected", 12)]


@pytest.fixture
def panel(qtbot: QtBot) -> StatePanel:
    stamps = table(20)
    made = StatePanel(describe(StreamKind.TEXT, stamps), stamps, START_NS, Theme())
    show(qtbot, made, 480, 400)
    made._history.get(lambda: history_of([(said, START_NS + i * PERIOD_NS, i) for said, i in READ]))
    made.set_playhead(START_NS + 6 * PERIOD_NS)
    made.show_result(result(text("disconnected", '"disconnected"', index=6)))
    return made


def test_a_state_that_is_repeated_is_one_state() -> None:
    history = history_of([(said, i, i) for said, i in READ])
    assert [state.text for state in history.states] == ["connected", "disconnected", "校准中", "connected"]
    assert [history.at(time) for time in (-1, 0, 4, 5, 100)] == [None, 0, 0, 1, 3]
    assert history.kinds() == ["connected", "disconnected", "校准中"]


@pytest.mark.parametrize(
    ("said", "mood"),
    [
        ("connected", Mood.GOOD),
        ("Disconnected", Mood.BAD),
        ("not connected", Mood.BAD),
        ("sensor_error", Mood.BAD),
        ("校准中", Mood.OTHER),
        ("", Mood.OTHER),
    ],
)
def test_words_are_good_bad_or_neither(said: str, mood: Mood) -> None:
    assert mood_of(said) is mood


def test_texts_of_files_stay_on_one_line_and_short() -> None:
    assert text_of(text("a\nb", '"a\\nb"')) == "a b"
    assert text_of(text({"x": 1}, '{"x": 1}')) == '{"x": 1}'
    assert len(text_of(text("z" * 5000, "…"))) == 200


def test_the_state_at_the_playhead_is_told(panel: StatePanel) -> None:
    assert panel.canvas.now == 1
    panel.set_playhead(START_NS + 13 * PERIOD_NS)
    assert panel.canvas.now == 3
    panel.set_playhead(START_NS - 1)
    assert panel.canvas.now is None
    panel.canvas.grab()


def test_a_click_on_a_change_asks_to_go_there(qtbot: QtBot, panel: StatePanel) -> None:
    number, rect = panel.canvas.rows()[2]
    with qtbot.waitSignal(panel.jump_requested) as asked:
        QTest.mouseClick(panel.canvas, Qt.MouseButton.LeftButton, pos=rect.center())
    assert number == 2
    assert asked.args == [START_NS + 9 * PERIOD_NS]
    strip = panel.canvas.strip()
    with qtbot.waitSignal(panel.jump_requested) as asked:
        QTest.mouseClick(
            panel.canvas, Qt.MouseButton.LeftButton, pos=QPoint(strip.right() - 2, strip.center().y())
        )
    assert asked.args == [START_NS + 12 * PERIOD_NS]


def test_the_pointer_reads_a_change(panel: StatePanel) -> None:
    _, rect = panel.canvas.rows()[1]
    said: list[str] = []
    panel.read_out_changed.connect(said.append)
    move_pointer(panel.canvas, rect.center())
    assert said[-1].endswith("disconnected")
    move_pointer(panel.canvas, QPoint(2, 2))
    assert said[-1] == ""


def test_of_many_changes_those_around_the_playhead_have_rows(qtbot: QtBot) -> None:
    stamps = table(500)
    panel = StatePanel(describe(StreamKind.TEXT, stamps), stamps, START_NS, Theme())
    show(qtbot, panel, 480, 300)
    panel._history.get(lambda: history_of([(f"step {i}", int(t), i) for i, t in enumerate(stamps)]))
    panel.set_playhead(int(stamps[250]))
    panel.show_result(result(text("step 250", "…", index=250)))
    numbers = [number for number, _ in panel.canvas.rows()]
    assert 250 in numbers
    assert len(numbers) < 20
    panel.set_playhead(int(stamps[-1]))
    assert panel.canvas.rows()[-1][0] == 499
    panel.canvas.grab()


def test_all_changes_can_be_copied(panel: StatePanel) -> None:
    panel.copy_all()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 4
    assert lines[1].endswith("\tdisconnected")
