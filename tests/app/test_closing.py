"""Closing the window never gives labels up silently."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from hfviewer.app.main_window import MainWindow
from hfviewer.core.errors import WriteError
from hfviewer.model.label_condition import Safety
from hfviewer.model.label_keeper import LabelKeeper
from tests.recordings import write_small

MakeWindow = Callable[[], MainWindow]


class FullDisk:
    """Neither journal nor recording takes anything, until there is room."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch
        self.patch.setattr(LabelKeeper, "record", self._refuse)
        self.patch.setattr(LabelKeeper, "commit", self._refuse)

    def make_room(self) -> None:
        self.patch.undo()

    @staticmethod
    def _refuse(*_: object) -> None:
        raise WriteError("It cannot be written (No space left on device).")


@pytest.fixture
def unsafe(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[MainWindow, FullDisk]:
    """A window with a label that no disk has."""
    window = make_window()
    window.open_path(str(write_small(tmp_path / "a.hfr")))
    qtbot.waitUntil(lambda: window.annotations.condition.safety is Safety.SAVED, timeout=10_000)
    disk = FullDisk(monkeypatch)
    window.actions_by_name["mark_here"].trigger()
    qtbot.waitUntil(lambda: window.annotations.condition.safety is Safety.UNSAFE, timeout=10_000)
    return window, disk


def test_labels_on_no_disk_hold_the_window_open_until_they_are(
    qtbot: QtBot, unsafe: tuple[MainWindow, FullDisk]
) -> None:
    window, disk = unsafe
    assert not window.close()
    assert window.isVisible()
    assert "No space left" in window.banner.text
    disk.make_room()
    qtbot.waitUntil(lambda: window.annotations.condition.safety is not Safety.UNSAFE, timeout=20_000)
    assert len(window.annotations.state) == 1
    assert window.close()


def test_who_closes_again_is_let_go(unsafe: tuple[MainWindow, FullDisk]) -> None:
    window, _ = unsafe
    assert not window.close()
    assert window.close()
