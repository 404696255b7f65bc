from __future__ import annotations

from pathlib import Path

import pytest

from hfviewer.app.settings import MOST_RECENT, Settings, SettingsStore


def test_the_newest_recording_is_first_and_named_once(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path)
    for name in ("a", "b", "a"):
        store.remember_recording(str(tmp_path / name))
    store.close()
    assert SettingsStore(tmp_path).values.recent == [str(tmp_path / "a"), str(tmp_path / "b")]


def test_the_list_does_not_grow_for_ever(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path)
    for number in range(50):
        store.remember_recording(f"/recordings/{number}")
    assert len(store.values.recent) == MOST_RECENT


@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"[]", b'{"recent": 5}', b'{"theme": "pink"}', b"[" * 100_000]
)
def test_a_damaged_file_means_defaults(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "settings.json").write_bytes(content)
    assert SettingsStore(tmp_path).values == Settings()


def test_a_folder_that_cannot_be_written_costs_only_the_memory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = SettingsStore(tmp_path / "file")
    store.remember_recording("/a")
    store.close()
    assert store.values.recent == ["/a"]
