from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from hfviewer.app.welcome import Welcome
from hfviewer.panels.theme import Theme

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def theme(qapp: object) -> Theme:
    return Theme()


@pytest.fixture
def welcome(qtbot: QtBot, theme: Theme) -> Welcome:
    made = Welcome(theme)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    qtbot.waitExposed(made)
    return made


def said(welcome: Welcome) -> list[str]:
    return [label.text() for label in welcome.findChildren(QLabel) if label.isVisible()]


def open_button(welcome: Welcome) -> QPushButton:
    (button,) = (b for b in welcome.findChildren(QPushButton) if b.text().startswith("Open"))
    return button


def recent(welcome: Welcome) -> list[QPushButton]:
    """Buttons of the recent list, those that are on their way out left aside."""
    buttons = [b for b in welcome.findChildren(QPushButton) if b.toolTip() and b.isVisible()]
    return sorted(buttons, key=lambda button: button.y())


def test_it_says_how_to_open_something(qtbot: QtBot, welcome: Welcome) -> None:
    assert "Open a recording" in said(welcome)
    assert any(".hfr" in text and "hfviewer convert" in text for text in said(welcome))
    with qtbot.waitSignal(welcome.open_requested, timeout=1_000):
        QTest.mouseClick(open_button(welcome), LEFT)


def test_while_something_opens_it_says_what_and_offers_nothing_else(welcome: Welcome) -> None:
    welcome.set_busy("/recordings/城市/drive.hfr")
    assert "Opening drive.hfr…" in said(welcome)
    assert not open_button(welcome).isVisible()
    welcome.set_busy("")
    assert "Open a recording" in said(welcome)
    assert open_button(welcome).isVisible()


def test_without_recent_recordings_there_is_no_heading_for_them(welcome: Welcome) -> None:
    welcome.set_recent([])
    assert "Recent" not in said(welcome)
    welcome.set_recent(["/a.hfr"])
    assert "Recent" in said(welcome)


def test_the_newest_eight_are_listed_newest_first(qtbot: QtBot, welcome: Welcome) -> None:
    paths = [f"/recordings/{number}.hfr" for number in range(12)]
    welcome.set_recent(paths)
    qtbot.waitUntil(lambda: [b.toolTip() for b in recent(welcome)] == paths[:8], timeout=2_000)
    welcome.set_recent(paths[3:5])
    qtbot.waitUntil(lambda: [b.toolTip() for b in recent(welcome)] == paths[3:5], timeout=2_000)


def test_a_click_asks_for_that_very_recording(qtbot: QtBot, welcome: Welcome) -> None:
    paths = ["/a/first.hfr", "/b/second & last.hfr"]
    welcome.set_recent(paths)
    qtbot.waitUntil(lambda: len(recent(welcome)) == 2, timeout=2_000)
    chosen: list[str] = []
    welcome.recording_chosen.connect(chosen.append)
    for button in reversed(recent(welcome)):
        QTest.mouseClick(button, LEFT)
    assert chosen == paths[::-1]


def test_a_name_is_shown_as_it_is_and_a_long_one_stays_within_the_page(
    qtbot: QtBot, welcome: Welcome
) -> None:
    welcome.set_recent(["/a/R&D.hfr", "/" + "very long folder/" * 40 + "x" * 300 + ".hfr"])
    qtbot.waitUntil(lambda: len(recent(welcome)) == 2, timeout=2_000)
    short, long = recent(welcome)
    assert short.text().startswith("R&&D.hfr ")  # && is how Qt writes &
    assert "…" in long.text()
    assert long.fontMetrics().horizontalAdvance(long.text()) <= long.width()


def test_it_follows_the_theme(welcome: Welcome, theme: Theme) -> None:
    dark = welcome.grab().toImage().pixelColor(2, 2)
    theme.set_dark(not theme.dark)
    light = welcome.grab().toImage().pixelColor(2, 2)
    assert light == theme.tokens.bg1
    assert light != dark
