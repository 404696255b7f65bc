from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from hfviewer.core.errors import UsageError
from hfviewer.panels.range_dialog import RangeDialog, typed_range


@pytest.mark.parametrize("text", ["-2 3", "−2, 3", " -2 … 3.0 "])
def test_two_numbers_are_a_range_however_they_are_apart(text: str) -> None:
    assert typed_range(text) == (-2.0, 3.0)


@pytest.mark.parametrize("text", ["", "much", "1", "1 2 3", "3 -2", "1 1", "nan 2", "0 inf"])
def test_what_is_no_range_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match="is not a range"):
        typed_range(text)


def test_the_answer_comes_as_numbers_and_nonsense_as_an_error(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    for text, answers, errors in (("0 5", [(0.0, 5.0)], 0), ("much", [], 1)):
        dialog = RangeDialog("Range", "of <b>it</b>:", (0.0, 1.0), parent)
        chosen: list[tuple[float, float]] = []
        refused: list[object] = []
        dialog.chosen.connect(lambda low, high, chosen=chosen: chosen.append((low, high)))
        dialog.refused.connect(refused.append)
        dialog.open()
        assert dialog.textValue() == "0 1"
        assert {label.textFormat() for label in dialog.findChildren(QLabel)} == {Qt.TextFormat.PlainText}
        dialog.setTextValue(text)
        dialog.accept()
        assert (chosen, len(refused)) == (answers, errors)
