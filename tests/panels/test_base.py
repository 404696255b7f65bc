from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from hfviewer.core.stream import Clock, StreamKind
from hfviewer.panels.image import ImagePanel
from hfviewer.panels.standing import Standing
from hfviewer.panels.text import TextPanel
from hfviewer.panels.theme import Theme
from hfviewer.quality.gap import Gaps
from tests.panels.making import NAME, PERIOD_NS, START_NS, describe, failure, result, show, table, text

STAMPS = table(20, lost=(5, 6, 7))


@pytest.fixture
def panel(qtbot: QtBot) -> TextPanel:
    made = TextPanel(describe(StreamKind.TEXT, STAMPS), STAMPS, START_NS, Theme())
    show(qtbot, made)
    return made


def test_the_wanted_frame_is_the_last_one_at_or_before_the_playhead(panel: TextPanel) -> None:
    panel.set_playhead(int(STAMPS[3]) - 1)
    assert panel.wanted_index == 2
    panel.set_playhead(int(STAMPS[3]))
    assert panel.wanted_index == 3
    panel.set_playhead(START_NS - 1)
    assert panel.wanted_index is None


def test_the_picture_never_steps_back_to_an_older_request(panel: TextPanel) -> None:
    panel.set_playhead(int(STAMPS[3]))
    panel.show_result(result(text("new", "new", index=3), generation=7))
    panel.show_result(result(text("old", "old", index=2), generation=6))
    panel.show_result(result(text("same", "same", index=2), generation=7))
    assert panel.shown_text == "new"
    assert panel.shown_index == 3


def test_results_of_other_streams_and_impossible_indices_are_left_out(panel: TextPanel) -> None:
    panel.set_playhead(int(STAMPS[0]))
    panel.show_result(result(text("beyond", "beyond", index=len(STAMPS))))
    panel.show_result(result(text("negative", "negative", index=-1)))
    assert panel.shown_index is None
    assert panel.shown_text == ""


def test_it_is_current_only_with_the_frame_under_the_playhead(panel: TextPanel) -> None:
    assert panel.is_current
    panel.set_playhead(int(STAMPS[2]))
    assert not panel.is_current
    panel.show_result(result(text("1", "1", index=1), generation=1))
    assert not panel.is_current
    panel.show_result(result(text("2", "2", index=2), generation=2))
    assert panel.is_current


def test_number_and_timestamp_are_those_of_the_frame_on_screen_not_of_the_wanted_one(
    panel: TextPanel,
) -> None:
    panel.set_playhead(int(STAMPS[1]))
    panel.show_result(result(text("1", "1", index=1)))
    panel.set_playhead(int(STAMPS[4]))
    assert panel.header.content.number == "2"
    assert panel.header.content.timestamp == "0.040 s"


def test_a_slow_viewer_never_shows_the_colours_of_a_recorded_drop(qtbot: QtBot, panel: TextPanel) -> None:
    panel.set_playhead(int(STAMPS[1]))
    panel.show_result(result(text("1", "1", index=1)))
    panel.set_playhead(int(STAMPS[4]) + 3 * PERIOD_NS)  # a real gap, whose last frame has not come yet
    assert panel.header.content.age.standing is Standing.LOADING
    qtbot.waitUntil(lambda: panel.header.content.age.text == "loading −3", timeout=2000)
    assert panel.header.content.age.standing is Standing.LOADING
    assert panel.plate is None


def test_a_frame_that_comes_in_time_never_made_the_badge_say_loading(panel: TextPanel) -> None:
    said = []
    panel.set_playhead(int(STAMPS[1]))
    panel.show_result(result(text("1", "1", index=1), generation=1))
    for index in (2, 3, 4):
        panel.set_playhead(int(STAMPS[index]))
        said.append(panel.header.content.age.text)
        panel.show_result(result(text("x", "x", index=index), generation=index))
        said.append(panel.header.content.age.text)
    assert not any("loading" in words for words in said)


def test_a_gap_shows_the_plate_once_its_last_frame_is_there(panel: TextPanel) -> None:
    panel.set_playhead(int(STAMPS[4]) + 2 * PERIOD_NS)
    panel.show_result(result(text("4", "4", index=4)))
    assert panel.standing is Standing.MISSING
    assert panel.plate is not None
    assert panel.plate.title == "No frame here"
    panel.set_playhead(int(STAMPS[4]) + PERIOD_NS)
    assert panel.plate is None


def test_a_gap_that_is_none_once_frames_were_decoded_has_no_plate(panel: TextPanel) -> None:
    panel.set_playhead(int(STAMPS[4]) + 2 * PERIOD_NS)
    panel.show_result(result(text("4", "4", index=4)))
    assert panel.standing is Standing.MISSING
    panel.set_gaps(Gaps.none())
    assert panel.standing is not Standing.MISSING
    assert panel.plate is None


def test_the_recorders_counter_says_how_many_frames_were_lost(panel: TextPanel) -> None:
    panel.set_sequence(np.delete(np.arange(20), (5, 6, 7)))
    panel.set_playhead(int(STAMPS[4]) + 2 * PERIOD_NS)
    panel.show_result(result(text("4", "4", index=4)))
    assert panel.plate is not None
    assert panel.plate.rows[0] == ("Lost", "3 frames", "sequence 5 … 7")


def test_an_unreadable_frame_takes_the_old_picture_away_and_says_why(panel: TextPanel) -> None:
    panel.set_playhead(int(STAMPS[1]))
    panel.show_result(result(text("1", "1", index=1), generation=1))
    panel.set_playhead(int(STAMPS[2]))
    panel.show_result(failure(2, generation=2))
    assert panel.shown_text == ""
    assert panel.standing is Standing.UNREADABLE
    assert panel.is_current
    assert panel.plate is not None
    assert panel.plate.footer == "It is cut short."


def test_before_the_first_frame_no_later_picture_stays_on_screen(panel: TextPanel) -> None:
    panel.set_playhead(int(STAMPS[1]))
    panel.show_result(result(text("1", "1", index=1)))
    panel.set_playhead(START_NS - 1)
    assert panel.shown_text == ""
    assert panel.shown_index is None
    assert panel.is_current
    assert panel.plate is not None
    assert panel.plate.title == "Starts at +0.000 s"


def test_an_irregular_stream_is_never_missing(qtbot: QtBot) -> None:
    stamps = START_NS + np.array([0, 1, 900, 905, 5000], np.int64) * 1_000_000
    panel = TextPanel(describe(StreamKind.TEXT, stamps), stamps, START_NS, Theme())
    show(qtbot, panel)
    panel.set_playhead(int(stamps[3]) + 3_000_000_000)
    panel.show_result(result(text("3", "3", index=3)))
    assert panel.standing is Standing.FRESH


def test_an_empty_stream_says_so(qtbot: QtBot) -> None:
    stamps = np.empty(0, np.int64)
    panel = TextPanel(describe(StreamKind.TEXT, stamps), stamps, START_NS, Theme())
    show(qtbot, panel)
    panel.set_playhead(START_NS)
    assert panel.standing is Standing.EMPTY
    assert panel.header.content.age.text == "no frames"


def test_a_press_anywhere_asks_for_focus(qtbot: QtBot, panel: TextPanel) -> None:
    with qtbot.waitSignal(panel.focus_requested, timeout=1000) as asked:
        QTest.mouseClick(panel.header, Qt.MouseButton.LeftButton, pos=QPoint(60, 10))
    assert asked.args == [NAME]
    body = panel.findChild(QPlainTextEdit)
    assert body is not None
    with qtbot.waitSignal(panel.focus_requested, timeout=1000):
        QTest.mouseClick(body.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, 10))


@pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)
def test_the_menu_offers_the_panels_actions_and_takes_them_away_with_it(qtbot: QtBot) -> None:
    panel = ImagePanel(describe(StreamKind.IMAGE, STAMPS), STAMPS, START_NS, Theme())
    show(qtbot, panel)
    panel.header.menu_requested.emit()
    menu = panel.findChild(QMenu)
    assert menu is not None
    assert [action.text() for action in menu.actions()][:2] == ["Fit", "Actual size"]
    menu.close()
    qtbot.waitUntil(lambda: panel.findChild(QMenu) is None, timeout=2000)
    assert panel.findChild(QAction) is None


def test_a_double_click_on_the_header_asks_to_maximise(qtbot: QtBot, panel: TextPanel) -> None:
    with qtbot.waitSignal(panel.maximise_requested, timeout=1000):
        QTest.mouseDClick(panel.header, Qt.MouseButton.LeftButton, pos=QPoint(60, 10))


def test_guesses_and_poor_clocks_are_told_in_the_header(qtbot: QtBot) -> None:
    description = describe(StreamKind.TEXT, STAMPS, guessed=True, clock=Clock.NOMINAL)
    panel = TextPanel(description, STAMPS, START_NS, Theme())
    show(qtbot, panel, width=700)
    assert [word for word, _ in panel.header.badges] == ["guessed", "nominal clock"]


@pytest.mark.parametrize("size", [(1, 1), (40, 29), (60, 400), (900, 30)])
def test_no_size_is_too_small(qtbot: QtBot, size: tuple[int, int]) -> None:
    panel = TextPanel(describe(StreamKind.TEXT, STAMPS, guessed=True), STAMPS, START_NS, Theme())
    panel.setMinimumSize(0, 0)
    show(qtbot, panel, *size)
    for playhead_ns in (START_NS - 1, START_NS, int(STAMPS[4]) + 2 * PERIOD_NS, int(STAMPS[-1]) + 10**12):
        panel.set_playhead(playhead_ns)
        if panel.wanted_index is not None:
            panel.show_result(result(text("x", "x", index=panel.wanted_index), generation=playhead_ns))
        assert not panel.grab().isNull()
    assert min(panel.view_size()) >= 1


def test_switching_the_theme_repaints_with_its_tokens(qtbot: QtBot) -> None:
    theme = Theme(dark=True)
    panel = TextPanel(describe(StreamKind.TEXT, STAMPS), STAMPS, START_NS, theme)
    show(qtbot, panel)
    dark = panel.header.grab().toImage().pixelColor(200, 2)
    theme.set_dark(False)
    light = panel.header.grab().toImage().pixelColor(200, 2)
    assert (dark.name(), light.name()) == (theme.on_picture.bg2.name(), theme.tokens.bg2.name())


def right_button(widget: QWidget, *path: QPoint) -> None:
    """Press the right button, move along, and let it go at the end."""
    right, plain = Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier
    kinds = [QEvent.Type.MouseButtonPress, *[QEvent.Type.MouseMove] * (len(path) - 1)]
    for kind, place in zip([*kinds, QEvent.Type.MouseButtonRelease], [*path, path[-1]], strict=True):
        button = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else right
        held = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseButtonRelease else right
        where, screen = QPointF(place), QPointF(widget.mapToGlobal(place))
        QApplication.sendEvent(widget, QMouseEvent(kind, where, screen, button, held, plain))


def menu_of(panel: QWidget) -> QMenu | None:
    found = panel.findChild(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return found if isinstance(found, QMenu) else None


@pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)
def test_a_right_click_on_the_body_opens_the_panels_menu_there(qtbot: QtBot) -> None:
    panel = ImagePanel(describe(StreamKind.IMAGE, STAMPS), STAMPS, START_NS, Theme())
    show(qtbot, panel)
    with qtbot.waitSignal(panel.focus_requested, timeout=1000):
        right_button(panel.canvas, QPoint(100, 90), QPoint(101, 91))
    menu = menu_of(panel)
    assert menu is not None
    assert menu.isVisible()
    assert menu.actions()[0].text() == "Fit"
    assert menu.pos() == panel.canvas.mapToGlobal(QPoint(101, 91))
    menu.close()
    qtbot.waitUntil(lambda: menu_of(panel) is None, timeout=2000)


def test_a_right_drag_opens_no_menu(qtbot: QtBot) -> None:
    panel = ImagePanel(describe(StreamKind.IMAGE, STAMPS), STAMPS, START_NS, Theme())
    show(qtbot, panel)
    right_button(panel.canvas, QPoint(100, 90), QPoint(120, 90), QPoint(100, 90))
    assert menu_of(panel) is None


@pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)
def test_the_header_and_the_menu_key_open_the_menu_too(qtbot: QtBot) -> None:
    panel = ImagePanel(describe(StreamKind.IMAGE, STAMPS), STAMPS, START_NS, Theme())
    show(qtbot, panel)
    for widget, reason in (
        (panel.header, QContextMenuEvent.Reason.Mouse),
        (panel.canvas, QContextMenuEvent.Reason.Keyboard),
    ):
        place = QPoint(40, 10)
        QApplication.sendEvent(widget, QContextMenuEvent(reason, place, widget.mapToGlobal(place)))
        menu = menu_of(panel)
        assert menu is not None
        menu.close()
        qtbot.waitUntil(lambda: menu_of(panel) is None, timeout=2000)
    # By mouse the body waits for the button to go up.
    mouse = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(panel.canvas, QContextMenuEvent(mouse, place, panel.canvas.mapToGlobal(place)))
    assert menu_of(panel) is None


def test_text_can_be_copied_from_the_panels_menu(panel: TextPanel) -> None:
    panel.set_playhead(int(STAMPS[1]))
    panel.show_result(result(text("gear down", "gear down", index=1)))
    selection, everything = panel.context_actions()
    assert not selection.isEnabled()
    everything.trigger()
    assert QGuiApplication.clipboard().text() == "gear down"


def test_a_name_of_two_lines_and_of_one_letter_is_shown_on_one(qtbot: QtBot) -> None:
    description = dataclasses.replace(describe(StreamKind.TEXT, STAMPS), name="line\nbreak")
    panel = TextPanel(description, STAMPS, START_NS, Theme())
    show(qtbot, panel)
    assert panel.header.accessibleName().startswith("line break, frame")
    assert panel.stream_name == "line\nbreak"
