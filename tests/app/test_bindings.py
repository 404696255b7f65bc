from __future__ import annotations

from PySide6.QtGui import QKeySequence

from hfviewer.app.bindings import BINDINGS, duplicate_keys


def test_no_two_actions_claim_one_key() -> None:
    assert duplicate_keys() == set()


def test_every_action_is_named_once() -> None:
    names = [binding.action for binding in BINDINGS]
    assert len(names) == len(set(names))


def test_every_key_is_one_that_qt_understands() -> None:
    for binding in BINDINGS:
        for key in binding.keys:
            assert QKeySequence(key).count() == 1, key
            assert QKeySequence(key).toString(), key
