from __future__ import annotations

from pytestqt.qtbot import QtBot

from hfviewer.panels.patience import Patience


def test_only_what_is_awaited_without_a_break_is_overdue(qtbot: QtBot) -> None:
    patience = Patience()
    assert not patience.is_over(waiting=True)
    with qtbot.waitSignal(patience.ended, timeout=5_000):
        assert not patience.is_over(waiting=True)
    assert patience.is_over(waiting=True)
    assert not patience.is_over(waiting=False)
    assert not patience.is_over(waiting=True)


def test_what_came_in_time_is_never_told(qtbot: QtBot) -> None:
    patience = Patience()
    with qtbot.assertNotEmitted(patience.ended, wait=200):
        patience.is_over(waiting=True)
        patience.is_over(waiting=False)
