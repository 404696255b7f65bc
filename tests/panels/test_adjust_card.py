from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QSlider, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from hfviewer.panels.adjust_card import AdjustCard, Adjustment
from hfviewer.panels.theme import Theme


def test_a_slider_tells_each_value_shows_it_and_can_be_put_back(qtbot: QtBot) -> None:
    ground = QWidget()
    ground.resize(600, 400)
    qtbot.addWidget(ground)
    ground.show()
    heard: list[int] = []
    rows = [
        Adjustment("Gamma", "Lifts the dark", 20, 500, 150, 100, lambda v: f"{v / 100:.2f}", heard.append),
        Adjustment("Black at", "Shown as black", 0, 65535, 7, 7, str, heard.append),
    ]
    card = AdjustCard(rows, Theme(), ground)
    first, second = card.findChildren(QSlider)
    first.setValue(220)
    second.setValue(900)
    assert heard == [220, 900]
    assert {"2.20", "900"} <= {label.text() for label in card.findChildren(QLabel)}
    assert first.toolTip() == "Lifts the dark"
    assert all(w.focusPolicy() is Qt.FocusPolicy.NoFocus for w in (first, second))
    buttons = {button.toolTip(): button for button in card.findChildren(QToolButton)}
    QTest.mouseClick(buttons["Put everything back"], Qt.MouseButton.LeftButton)
    assert heard == [220, 900, 100, 7]
    with qtbot.waitSignal(card.closed):
        QTest.mouseClick(buttons["Close this card"], Qt.MouseButton.LeftButton)
    assert ground.rect().contains(card.geometry())


def test_it_stays_inside_a_panel_that_is_too_small(qtbot: QtBot) -> None:
    ground = QWidget()
    ground.resize(80, 40)
    qtbot.addWidget(ground)
    one = [Adjustment("Gamma", "Lifts the dark", 0, 10, 5, 5, str, lambda value: None)]
    card = AdjustCard(one, Theme(), ground)
    assert card.x() >= 0
    assert card.y() >= 0
