from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from hfviewer.app.bindings import BINDINGS
from hfviewer.app.keys_page import KeysPage, key_text
from hfviewer.panels.theme import Theme


@pytest.fixture
def texts(qtbot: QtBot) -> list[str]:
    """What every label of the page says."""
    page = KeysPage(Theme())
    qtbot.addWidget(page)
    return [label.text() for label in page.findChildren(QLabel)]


def test_every_key_of_the_table_stands_beside_what_it_does(texts: list[str]) -> None:
    families = {binding.family for binding in BINDINGS}
    for binding in BINDINGS:
        if binding.keys and not binding.family and binding.action not in families:
            at = texts.index(binding.text)
            assert texts[at + 1].split("   ") == [key_text(key) for key in binding.keys]


def test_keys_that_do_alike_share_a_line(texts: list[str]) -> None:
    digits = [b for b in BINDINGS if b.family == "label_1" or b.action == "label_1"]
    assert [binding.keys[0] for binding in digits] == list("123456789")
    assert texts.count(digits[0].text) == 1
    assert texts[texts.index(digits[0].text) + 1] == "1 – 9"


def test_nothing_is_listed_that_has_no_key(texts: list[str]) -> None:
    assert {b.text for b in BINDINGS if not b.keys}.isdisjoint(texts)
    listed = [b.text for b in BINDINGS if b.keys and not b.family]
    assert sorted(text for text in texts if text in listed) == sorted(listed)


def test_every_group_that_has_a_key_is_a_heading_once(texts: list[str]) -> None:
    for group in {b.group for b in BINDINGS if b.keys}:
        assert texts.count(group) == 1


def test_the_gestures_of_the_mouse_are_told_too(texts: list[str]) -> None:
    assert any("Shift+drag" in text and "wheel" in text for text in texts)


def test_no_key_is_shown_as_an_empty_word() -> None:
    for binding in BINDINGS:
        assert all(key_text(key).strip() for key in binding.keys)


def test_it_does_not_block_the_window(qtbot: QtBot) -> None:
    page = KeysPage(Theme())
    qtbot.addWidget(page)
    page.show()
    assert not page.isModal()


def test_no_key_is_cut_off_in_a_small_window(qtbot: QtBot) -> None:
    page = KeysPage(Theme())
    qtbot.addWidget(page)
    page.resize(1000, 500)
    page.show()
    (area,) = page.findChildren(QScrollArea)
    content = area.widget()
    assert content is not None
    assert content.width() <= area.viewport().width()
    keys = [label for label in page.findChildren(QLabel) if not label.wordWrap()]
    assert len(keys) > len(BINDINGS) // 2
    for label in keys:
        assert label.width() >= label.sizeHint().width()
