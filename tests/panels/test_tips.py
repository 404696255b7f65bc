from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent, Qt, QTextDocument
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QTabBar, QToolTip
from pytestqt.qtbot import QtBot

from hfviewer.panels.tips import PlainTabTips, plain_tip

ODD = ["<b>left</b>", "a <img src='/etc/passwd'> b", "<i>\n& x", "x < y", "&amp; y", "two\nlines"]


@pytest.mark.parametrize("text", ODD)
def test_a_tip_reads_as_it_was_written(text: str) -> None:
    shown, tip = QTextDocument(), plain_tip(text)
    if Qt.mightBeRichText(tip):
        shown.setHtml(tip)
    else:
        shown.setPlainText(tip)
    assert shown.toPlainText() == text


def test_plain_text_stays_what_it_is() -> None:
    assert plain_tip("camera/left\n30 Hz") == "camera/left\n30 Hz"


def test_tabs_tell_their_titles_as_they_are_written(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    PlainTabTips(window)
    docks = [QDockWidget(title, window) for title in ("<img src='/etc/passwd'>", "plain")]
    for dock in docks:
        window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, dock)
    window.tabifyDockWidget(*docks)
    window.resize(500, 300)
    window.show()
    qtbot.waitUntil(lambda: bool(window.findChildren(QTabBar)))
    (tabs,) = window.findChildren(QTabBar)
    qtbot.waitUntil(lambda: tabs.count() == 2)
    for index, tip in enumerate((plain_tip("<img src='/etc/passwd'>"), "plain")):
        place = tabs.tabRect(index).center()
        QApplication.sendEvent(tabs, QHelpEvent(QEvent.Type.ToolTip, place, QPoint(5, 5 + 9 * index)))
        assert QToolTip.text() == tip
    QToolTip.hideText()
