from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter
from PySide6.QtWidgets import QApplication

import hfviewer.panels
from hfviewer.panels.drawing import hatch_brush, one_line, painting, wrapped
from hfviewer.panels.theme import ui_font


def test_a_painter_ends_even_where_painting_fails(qapp: QApplication) -> None:
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    kept: list[QPainter] = []

    def fail() -> None:
        with painting(image) as painter:
            kept.append(painter)  # as the traceback of an error keeps it
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        fail()
    assert not kept[0].isActive()
    assert not image.paintingActive()


def test_no_panel_makes_a_painter_of_its_own() -> None:
    folder = Path(next(iter(hfviewer.panels.__path__)))
    made = [file.name for file in folder.rglob("*.py") if re.search(r"= QPainter\(", file.read_text("utf-8"))]
    assert made == ["drawing.py"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("camera/left", "camera/left"),
        ("line\nbreak", "line break"),
        ("tab\tand\r\nmore", "tab and more"),
        ("a\u2028b\x00c", "a b c"),
        ("\u202eturned", "turned"),
        ("😀 前视", "😀 前视"),
    ],
)
def test_a_name_is_shown_on_one_line(name: str, shown: str) -> None:
    assert one_line(name) == shown


def test_a_long_text_is_broken_between_words_into_lines_that_fit(qapp: QApplication) -> None:
    font = ui_font(12)
    text = "The picture is cut short. Copy the file again to get the rest of it. 😀 Then open it again."
    lines = wrapped(text, font, 120, 99)
    assert len(lines) > 2
    assert " ".join(lines) == text
    assert all(QFontMetrics(font).horizontalAdvance(line) <= 121 for line in lines)


def test_a_word_that_is_too_long_is_broken_too(qapp: QApplication) -> None:
    assert "".join(wrapped("x" * 300, ui_font(12), 120, 99)) == "x" * 300


def test_what_has_no_room_ends_with_an_ellipsis(qapp: QApplication) -> None:
    lines = wrapped("one two three four five six seven eight nine ten", ui_font(12), 60, 2)
    assert len(lines) == 2
    assert lines[1].endswith("…")
    assert wrapped("short", ui_font(12), 60, 2) == ["short"]
    assert wrapped("", ui_font(12), 60, 2) in ([], [""])


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_a_hatch_keeps_its_spacing_on_a_dense_screen(qapp: QApplication, ratio: float) -> None:
    image = QImage(round(48 * ratio), round(48 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor("black"))
    with painting(image) as painter:
        painter.fillRect(QRect(0, 0, 48, 48), hatch_brush(QColor("white"), spacing=8, width=1, ratio=ratio))
    row = [image.pixelColor(x, 3).value() for x in range(image.width())]
    period = round(8 * ratio)
    assert max(row) > 120
    assert row[:-period] == row[period:]
