from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from hfviewer.core.finding import Severity
from hfviewer.model.workspace import Workspace
from hfviewer.panels.episode_delegate import short_name
from hfviewer.panels.episode_list import EpisodeList
from hfviewer.panels.episode_table import Column, Condition
from hfviewer.panels.theme import Theme
from hfviewer.quality.health import Health
from tests.collections_in_memory import ListedCollection, episode


@pytest.fixture
def workspace(qtbot: QtBot) -> Workspace:
    return Workspace()


@pytest.fixture
def listing(qtbot: QtBot, workspace: Workspace) -> EpisodeList:
    made = EpisodeList(workspace, Theme())
    qtbot.addWidget(made)
    made.resize(272, 400)
    made.show()
    workspace.set_collection(ListedCollection([episode(n) for n in range(1, 6)]))
    return made


def press(listing: EpisodeList, key: Qt.Key) -> None:
    QTest.keyClick(listing.view, key)


def test_up_down_and_enter_choose_and_open(qtbot: QtBot, listing: EpisodeList) -> None:
    listing.take_keyboard()
    press(listing, Qt.Key.Key_Down)
    press(listing, Qt.Key.Key_Down)
    press(listing, Qt.Key.Key_Up)
    with qtbot.waitSignal(listing.open_requested) as opened:
        press(listing, Qt.Key.Key_Return)
    assert opened.args == ["2"]


def test_other_keys_reach_the_window_while_the_list_has_the_keyboard(
    qtbot: QtBot, workspace: Workspace
) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    listing = EpisodeList(workspace, Theme())
    window.setCentralWidget(listing)
    workspace.set_collection(ListedCollection([episode(n) for n in range(1, 6)]))
    said: list[str] = []
    for word in ("Space", "Right", "Down", "K", "Return"):
        action = QAction(window)
        action.setShortcut(word)
        action.triggered.connect(lambda _=False, name=word: said.append(name))
        window.addAction(action)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.mouseClick(
        listing.view.viewport(),
        Qt.MouseButton.LeftButton,
        pos=listing.view.visualRect(listing.shown.index(1, 1)).center(),
    )
    assert listing.view.hasFocus()
    assert listing.view.chosen_key == "2"
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_K, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(listing.view, key)
    assert said == ["Space", "Right", "K"]
    assert listing.view.chosen_key == "3"
    # Nothing is left to open: Enter ends a label, or whatever it does in the window.
    listing.table.set_current("3")
    QTest.keyClick(listing.view, Qt.Key.Key_Return)
    assert said[-1] == "Return"


def test_neighbours_follow_the_order_and_the_filter_shown(listing: EpisodeList) -> None:
    assert listing.neighbour("2", 1) == "3"
    assert listing.neighbour("5", 1) is None
    assert listing.neighbour(None, 1) == "1"
    listing.view.sortByColumn(Column.NUMBER, Qt.SortOrder.DescendingOrder)
    assert listing.neighbour("2", 1) == "1"
    listing.filter_line.setText("bench_ep000003")
    assert [listing.neighbour("2", 1), listing.neighbour("2", -1)] == ["4", None]
    listing.filter_line.setText("no such thing")
    assert listing.neighbour("2", 1) is None


def test_escape_empties_the_filter_and_then_gives_the_keyboard_to_the_list(
    qtbot: QtBot, listing: EpisodeList
) -> None:
    listing.ask_filter()
    QTest.keyClicks(listing.filter_line, "ep000004")
    assert listing.shown.rowCount() == 1
    QTest.keyClick(listing.filter_line, Qt.Key.Key_Escape)
    assert listing.shown.rowCount() == 5
    QTest.keyClick(listing.filter_line, Qt.Key.Key_Escape)
    assert listing.view.hasFocus()
    with qtbot.waitSignal(listing.left):
        press(listing, Qt.Key.Key_Escape)


def test_rows_that_change_underneath_keep_choice_and_place(
    qtbot: QtBot, workspace: Workspace, listing: EpisodeList
) -> None:
    workspace.set_collection(ListedCollection([episode(n) for n in range(1, 200)]))
    listing.view.choose("150")
    scrolled = listing.view.verticalScrollBar().value()
    assert scrolled > 0
    listing.set_rows([episode(n) for n in range(1, 260)])
    assert listing.view.chosen_key == "150"
    assert listing.view.verticalScrollBar().value() == scrolled
    listing.set_rows([episode(n) for n in range(1, 100)])
    assert listing.view.chosen_key != "150"


def test_the_card_says_why_an_episode_cannot_be_opened(workspace: Workspace, listing: EpisodeList) -> None:
    listing.set_rows([episode(1), episode(2, ok=False, problem="Its video\nhas no moov box.")])
    listing.view.choose("2")
    assert listing.card.lines == ["Its video has no moov box."]
    listing.view.choose("1")
    assert "2.00 s" in listing.card.lines[0]
    listing.set_opening("1")
    assert listing.card.state_text == "opening…"
    listing.set_opening(None)
    listing.set_progress(3, 9)
    listing.set_checked(2, 8)
    assert listing.card.state_text == "looked into 3 of 9"
    listing.set_progress(9, 9)
    assert listing.card.state_text == "checked 2 of 8"
    listing.set_checked(8, 8)
    assert listing.card.state_text == ""


def test_a_new_collection_starts_unfiltered(workspace: Workspace, listing: EpisodeList) -> None:
    listing.filter_line.setText("zzz")
    listing.set_condition(Condition.LABELLED)
    workspace.set_collection(ListedCollection([episode(1)]))
    assert listing.shown.rowCount() == 1
    assert listing.shown.condition is Condition.ALL


def test_columns_leave_room_for_names(listing: EpisodeList) -> None:
    listing.resize(240, 400)
    assert listing.view.isColumnHidden(Column.LOST)
    assert listing.view.columnWidth(Column.NAME) >= 60
    listing.resize(640, 400)
    assert not any(listing.view.isColumnHidden(column) for column in Column)


def test_names_are_shown_without_the_task_that_they_begin_with() -> None:
    assert short_name(episode(12)) == "ep000011"
    assert short_name(episode(1, name="bench")) == "bench"
    assert short_name(episode(1, task="", name="a/b.hfr")) == "a/b.hfr"
    assert short_name(episode(1, task="take", name="other_1")) == "other_1"


def test_of_several_tasks_each_row_names_its_own(workspace: Workspace, listing: EpisodeList) -> None:
    low = listing.view.visualRect(listing.shown.index(0, 1)).height()
    rows = [episode(1), episode(2, key="other/2", task="other", name="other_ep000001")]
    workspace.set_collection(ListedCollection(rows))
    assert listing.view.visualRect(listing.shown.index(0, 1)).height() > low
    listing.grab()
    workspace.set_collection(ListedCollection([episode(1)]))
    assert listing.view.visualRect(listing.shown.index(0, 1)).height() == low


def test_the_worst_come_first_when_sorted_by_the_menu(listing: EpisodeList) -> None:
    listing.table.health.put("3", Health(severity=Severity.ERROR, findings=1))
    by_findings = next(a for a in listing.sort_menu.actions() if a.text() == "Findings")
    by_findings.trigger()
    assert listing.shown.key_at(0) == "3"
    listing.sort_menu.actions()[0].trigger()
    assert [listing.shown.key_at(n) for n in range(5)] == ["1", "2", "3", "4", "5"]


def test_a_row_has_a_menu(qtbot: QtBot, listing: EpisodeList) -> None:
    place = listing.view.visualRect(listing.shown.index(2, 1)).center()
    menu = listing.row_menu(listing.view.key_under(place))
    assert menu is not None
    actions = {action.text(): action for action in menu.actions()}
    with qtbot.waitSignal(listing.open_requested) as opened:
        actions["Open"].trigger()
    assert opened.args == ["3"]
    actions["Copy name"].trigger()
    assert QGuiApplication.clipboard().text() == "bench_ep000002"
    assert listing.row_menu("gone") is None
