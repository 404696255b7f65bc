from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.app.test_main_window import MakeWindow, open_in
from tests.recordings import write_small


def test_the_timeline_keeps_its_lanes_when_the_window_gets_lower(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    window = make_window()
    window.resize(1600, 1000)
    open_in(qtbot, window, write_small(tmp_path / "small.hfr"))
    window.resize(1280, 720)
    wanted_px = min(window.timeline.sizeHint().height(), 720 * 3 // 10)
    qtbot.waitUntil(lambda: abs(window.timeline.height() - wanted_px) <= 2, timeout=5_000)
