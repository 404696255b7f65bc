from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from hfviewer.app.recent_menu import RecentMenu
from hfviewer.app.settings import SettingsStore


def test_it_lists_what_was_opened_last_and_names_what_was_chosen(qtbot: QtBot, tmp_path: Path) -> None:
    settings = SettingsStore(tmp_path)
    menu = RecentMenu(settings)
    qtbot.addWidget(menu)
    menu.aboutToShow.emit()
    (nothing,) = menu.actions()
    assert not nothing.isEnabled()
    for name in ("left & right.hfr", "two\nlines.hfr"):
        settings.remember_recording(str(tmp_path / name))
    menu.aboutToShow.emit()
    texts = [action.text() for action in menu.actions()]
    assert [text.rpartition("/")[2] for text in texts] == ["two lines.hfr", "left && right.hfr"]
    with qtbot.waitSignal(menu.chosen) as chosen:
        menu.actions()[0].trigger()
    assert chosen.args == [str(tmp_path / "two\nlines.hfr")]
    settings.close()
