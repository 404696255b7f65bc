from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfviewer.core.text import printable


@given(st.text(st.characters(codec=None)))
def test_what_is_printable_is_one_line_that_any_terminal_can_print(text: str) -> None:
    shown = printable(text)
    assert len(shown) == len(text)
    assert len(shown.splitlines()) <= 1
    shown.encode("utf-8")
    assert not any(unicodedata.category(letter) in ("Cc", "Zl", "Zp", "Cs") for letter in shown)


@pytest.mark.parametrize(
    "text", ["", "plain", "数据 · 晴 — 20 °C", "e\u0301", "\N{SNOWMAN}\N{GRINNING FACE}"]
)
def test_ordinary_text_of_any_language_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_each_bad_letter_is_replaced_by_one_sign() -> None:
    assert printable("a\nb\x1b[2Jc\udc80") == "a\ufffdb\ufffd[2Jc\ufffd"
