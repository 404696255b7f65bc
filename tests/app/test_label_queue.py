"""A folder as a queue of work, by keys alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from hfviewer.app.main_window import MainWindow
from hfviewer.app.progress_page import ProgressPage
from hfviewer.core import edits
from hfviewer.model.label_condition import Safety
from hfviewer.readers.annotation_store import change
from hfviewer.readers.hyperframe.annotation_store import InFileStore
from tests.labels import label
from tests.recordings import write_small

Key, Mod = Qt.Key, Qt.KeyboardModifier
NOW_NS = 1_750_000_000_000_000_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Five takes: the second is labelled already, the third is cut short."""
    folder = tmp_path / "takes"
    folder.mkdir()
    for number in range(1, 6):
        write_small(folder / f"take_{number}.hfr")
    known = [
        label(f"{i}" * 32, i, i + 1, author="Ada", status="done", created_ns=NOW_NS + i * 60_000_000_000)
        for i in (1, 2)
    ]
    change(InFileStore(folder / "take_2.hfr"), lambda state: edits.add(state, known).apply(state))
    broken = folder / "take_3.hfr"
    broken.write_bytes(broken.read_bytes()[:100])
    return folder


@pytest.fixture
def window(qtbot: QtBot, make_window: Callable[[], MainWindow], folder: Path) -> MainWindow:
    window = make_window()
    window.open_path(str(folder))
    until_on(qtbot, window, "take_1.hfr")
    return window


def until_on(qtbot: QtBot, window: MainWindow, key: str) -> None:
    qtbot.waitUntil(
        lambda: (
            window.workspace.episode == key
            and not window.episodes.busy
            and window.annotations.condition.editable
        ),
        timeout=15_000,
    )


def tag(window: MainWindow, digit: Qt.Key) -> None:
    """In point, a second on, out point, digit."""
    window.activateWindow()
    QTest.keyClick(window, Key.Key_I)
    QTest.keyClick(window, Key.Key_Right, Mod.ShiftModifier)
    QTest.keyClick(window, Key.Key_O)
    QTest.keyClick(window, digit)


def rows(page: ProgressPage) -> dict[str, tuple[str, str]]:
    items = [page.recordings.topLevelItem(n) for n in range(page.recordings.topLevelItemCount())]
    return {item.text(0): (item.text(1), item.text(2)) for item in items if item is not None}


def test_one_key_leads_past_what_is_labelled_and_what_is_broken_until_all_is_done(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    for key in ("take_1.hfr", "take_4.hfr", "take_5.hfr"):
        until_on(qtbot, window, key)
        tag(window, Key.Key_1)
        assert len(window.annotations.state) == 1
        QTest.keyClick(window, Key.Key_U, Mod.ShiftModifier)
    qtbot.waitUntil(lambda: "has labels" in window.banner.text, timeout=15_000)
    assert window.workspace.episode == "take_5.hfr"
    qtbot.waitUntil(lambda: window.annotations.condition.safety is Safety.SAVED, timeout=15_000)
    for number in (1, 4, 5):
        assert len(InFileStore(folder / f"take_{number}.hfr").load().annotations) == 1


def test_one_key_finishes_an_episode_and_opens_the_one_after_it(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:

    def is_listed_as_labelled() -> bool:
        row = window.episode_list.table.row_of("take_1.hfr")
        assert row is not None
        return row.labelled is True

    tag(window, Key.Key_1)
    assert is_listed_as_labelled()
    QTest.keyClick(window, Key.Key_Z, Mod.ControlModifier)
    assert not is_listed_as_labelled()
    QTest.keyClick(window, Key.Key_Z, Mod.ControlModifier | Mod.ShiftModifier)
    assert is_listed_as_labelled()
    QTest.keyClick(window, Key.Key_Return, Mod.ShiftModifier)
    until_on(qtbot, window, "take_2.hfr")
    assert len(InFileStore(folder / "take_1.hfr").load().annotations) == 1
    assert len(window.annotations.state) == 2


def test_digits_and_tracks_go_on_in_the_next_episode_and_are_undone_with_its_first_label(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.activateWindow()
    for name in ("walk", "turn"):
        QTest.keyClick(window, Key.Key_N)
        QTest.keyClicks(window.label_commands.line.edit, name)
        QTest.keyClick(window.label_commands.line.edit, Key.Key_Return)
    for name in ("events", "scene"):
        QTest.keyClick(window, Key.Key_N, Mod.ShiftModifier)
        QTest.keyClicks(window.label_commands.line.edit, name)
        QTest.keyClick(window.label_commands.line.edit, Key.Key_Return)
    tag(window, Key.Key_1)
    schema = window.annotations.state.schema
    QTest.keyClick(window, Key.Key_U, Mod.ShiftModifier)
    until_on(qtbot, window, "take_4.hfr")
    assert list(window.labels.rows) == ["events", "scene"]
    assert window.annotations.depth == (0, 0)  # looking at it changes nothing
    tag(window, Key.Key_2)
    (made,) = window.annotations.state
    assert (made.label, made.track) == ("turn", "scene")
    assert window.annotations.state.schema == schema
    QTest.keyClick(window, Key.Key_Z, Mod.ControlModifier)
    assert (len(window.annotations.state), window.annotations.state.schema.labels) == (0, ())


def test_the_page_counts_labels_people_and_time_and_opens_what_is_chosen(
    qtbot: QtBot, window: MainWindow
) -> None:
    tag(window, Key.Key_2)
    QTest.keyClick(window, Key.Key_U, Mod.ControlModifier)
    page = window.findChild(ProgressPage)
    assert page is not None
    qtbot.waitUntil(lambda: rows(page)["take_5.hfr"] == ("0", "no labels"), timeout=15_000)
    assert rows(page) == {
        "take_1.hfr": ("1", "begun"),
        "take_2.hfr": ("2", "finished"),
        "take_3.hfr": ("", ""),
        "take_4.hfr": ("0", "no labels"),
        "take_5.hfr": ("0", "no labels"),
    }
    assert page.summary.startswith("2 of 5 recordings labelled, 1 finished · 3 labels · 1 min")
    first = page.people.topLevelItem(0)
    assert first is not None
    assert [first.text(column) for column in range(3)] == ["Ada", "2", "1 min"]
    QTest.keyClick(page.recordings, Key.Key_Down)
    QTest.keyClick(page.recordings, Key.Key_Return)
    assert not page.isVisible()
    until_on(qtbot, window, "take_2.hfr")


def test_a_single_recording_is_no_queue(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    window.open_path(str(folder / "take_2.hfr"))
    qtbot.waitUntil(
        lambda: window.workspace.collection is None and len(window.annotations.state) == 2, timeout=15_000
    )
    QTest.keyClick(window, Key.Key_U, Mod.ShiftModifier)
    assert "open a folder" in window.status.toolTip()
    QTest.keyClick(window, Key.Key_U, Mod.ControlModifier)
    page = window.findChild(ProgressPage)
    assert page is not None
    assert rows(page) == {"take_2.hfr": ("2", "finished")}
