from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from hfviewer.panels.plate import Plate
from hfviewer.panels.plate_content import PlateContent
from hfviewer.panels.theme import DARK, Theme
from tests.panels.making import show

WORDS = "Frame 299 of 'camera/front' (sequence 299, byte 57408): It is neither a JPEG nor a PNG picture. "


def body(qtbot: QtBot, content: PlateContent | None, width: int = 260, height: int = 300) -> QWidget:
    made = QWidget()
    made.setStyleSheet("background: black")
    plate = Plate(Theme(), made)
    plate.setGeometry(0, 0, width, height)
    plate.show_content(content)
    show(qtbot, made, width, height)
    return made


def lines_of_text(widget: QWidget, top: int) -> int:
    """How many lines are written in the colours of facts below a height."""
    image = widget.grab().toImage()
    wanted = {DARK.t1.rgb(), DARK.t2.rgb()}
    lit = [
        any(image.pixelColor(x, y).rgb() in wanted for x in range(image.width()))
        for y in range(top, image.height())
    ]
    return sum(now and not before for before, now in zip([False, *lit], lit, strict=False))


def test_a_long_footer_takes_the_lines_that_there_is_room_for(qtbot: QtBot) -> None:
    # Letters of one height: a line is then a run of rows that none of its letters leaves.
    short = lines_of_text(body(qtbot, PlateContent("Title", footer="MMMM")), 170)
    long = lines_of_text(body(qtbot, PlateContent("Title", footer="MMMM " * 20)), 170)
    assert short == 1
    assert long >= 3


def test_a_remark_without_room_gets_a_line_of_its_own(qtbot: QtBot) -> None:
    row = ("MMMM", "MM MMMM", "MMMMMMMM MMMM M MMMM")
    assert lines_of_text(body(qtbot, PlateContent("Title", (row,)), 260), 170) == 2
    assert lines_of_text(body(qtbot, PlateContent("Title", (row,)), 500), 170) == 1


def test_the_tooltip_has_all_of_the_text_as_long_as_the_plate_is_there(qtbot: QtBot) -> None:
    content = PlateContent("Frame #299 is unreadable", (("Lost", "3 frames", "sequence 7"),), WORDS * 3)
    made = body(qtbot, content, 120, 60)
    assert made.toolTip().splitlines() == [
        "Frame #299 is unreadable",
        "Lost  3 frames  sequence 7",
        WORDS * 3,
    ]
    plate = made.findChild(Plate)
    assert plate is not None
    plate.show_content(None)
    assert made.toolTip() == ""


@pytest.mark.parametrize("size", [(1, 1), (30, 400), (400, 30), (151, 90), (261, 140)])
def test_no_size_is_too_small(qtbot: QtBot, size: tuple[int, int]) -> None:
    content = PlateContent("A title " * 9, (("Lost", "3", "x" * 99),), WORDS, severity="error", hatched=True)
    assert not body(qtbot, content, *size).grab().isNull()
