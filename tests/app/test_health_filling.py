from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from hfviewer.app import health_filling
from hfviewer.app.health_filling import HealthFiller
from hfviewer.core.finding import Severity
from hfviewer.model.workspace import Workspace
from hfviewer.readers.folder.collection import FolderCollection
from hfviewer.readers.registry import open_path
from tests.app.test_episodes import MakeWindow, open_folder, press, settle
from tests.recordings import write_small


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Five recordings: 2 and 4 lost frames, 3 cannot be opened."""
    path = tmp_path / "drive"
    path.mkdir()
    for number in range(1, 6):
        lost = frozenset({7, 8}) if number in (2, 4) else frozenset()
        write_small(path / f"take_{number}.hfr", lost=lost)
    broken = path / "take_3.hfr"
    broken.write_bytes(broken.read_bytes()[:100])
    return path


def fill(qtbot: QtBot, folder: Path, state: Path) -> Workspace:
    workspace = Workspace()
    filler = HealthFiller(workspace, state)
    opened = open_path(str(folder))
    assert isinstance(opened, FolderCollection)
    with opened, qtbot.waitSignal(filler.progressed, timeout=10_000, check_params_cb=lambda d, n: d == n):
        workspace.set_collection(opened)
    filler.close(timeout_s=5)
    return workspace


def test_every_episode_is_checked_and_a_damaged_one_is_no_stop(
    qtbot: QtBot, folder: Path, tmp_path: Path
) -> None:
    workspace = fill(qtbot, folder, tmp_path / "state")
    found = {number: workspace.health.of(f"take_{number}.hfr") for number in range(1, 6)}
    assert found[3] is None
    lost = {number: one.frames_lost for number, one in found.items() if one is not None}
    assert lost == {1: 0, 2: 2, 4: 2, 5: 0}
    assert found[2] is not None
    assert found[2].severity is Severity.ERROR


def test_what_has_not_changed_is_not_checked_again(
    qtbot: QtBot, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(qtbot, folder, tmp_path / "state")
    asked: list[str] = []
    real = health_filling.checked

    def checked(collection: object, key: str) -> object:
        asked.append(key)
        return real(collection, key)  # type: ignore[arg-type]

    monkeypatch.setattr(health_filling, "checked", checked)
    (folder / "take_4.hfr").unlink()
    write_small(folder / "take_4.hfr", frames=21)
    workspace = fill(qtbot, folder, tmp_path / "state")
    assert set(asked) == {"take_3.hfr", "take_4.hfr"}
    again = workspace.health.of("take_2.hfr")
    assert again is not None
    assert again.frames_lost == 2


def test_it_gives_way_while_something_plays(qtbot: QtBot, folder: Path, tmp_path: Path) -> None:
    workspace = Workspace()
    filler = HealthFiller(workspace, tmp_path / "state")
    workspace.playhead.set_playing(True)
    opened = open_path(str(folder))
    assert isinstance(opened, FolderCollection)
    with opened:
        with qtbot.assertNotEmitted(filler.progressed, wait=150):
            workspace.set_collection(opened)
        with qtbot.waitSignal(filler.progressed, timeout=10_000):
            workspace.playhead.set_playing(False)
        filler.close(timeout_s=5)


def test_keys_go_to_the_next_episode_with_findings(
    qtbot: QtBot, make_window: MakeWindow, folder: Path
) -> None:
    window = make_window()
    open_folder(qtbot, window, folder)
    qtbot.waitUntil(lambda: window.workspace.health.of("take_5.hfr") is not None, timeout=10_000)
    seen = [window.workspace.episode]
    none, shift = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
    for modifier in (none, none, none, none, shift, shift):
        press(window, Qt.Key.Key_F9, modifier)
        settle(qtbot, window)
        seen.append(window.workspace.episode)
    assert [str(key)[5] for key in seen] == ["1", "2", "3", "4", "4", "3", "2"]
