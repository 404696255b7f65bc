from __future__ import annotations

import pytest
from PySide6.QtGui import Qt, QTextDocument

from hfviewer.panels.tips import plain_tip

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
