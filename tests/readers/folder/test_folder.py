from __future__ import annotations

import os
from pathlib import Path

import pytest

import hfviewer
from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import NotARecordingError, UsageError
from hfviewer.readers.folder.walk import natural, recordings_in
from hfviewer.readers.registry import open_path, open_recording
from tests.recordings import write_small


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("take 10.hfr", "take 9.hfr", "day 2/晴天.hfr"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        write_small(path, frames=2)
    (tmp_path / "notes.txt").write_text("nothing to open")
    (tmp_path / "_old").mkdir()
    write_small(tmp_path / "_old" / "a.hfr", frames=2)
    return tmp_path


def opened(path: Path) -> EpisodeCollection:
    collection = open_path(path)
    assert isinstance(collection, EpisodeCollection)
    return collection


def test_a_folder_of_recordings_is_a_list_of_them(folder: Path) -> None:
    with opened(folder) as collection:
        assert [row.key for row in collection.episodes] == ["take 9.hfr", "take 10.hfr", "day 2/晴天.hfr"]
        assert [row.number for row in collection.episodes] == [1, 2, 3]
        with collection.open(3) as recording:
            assert recording.description.path == str(folder / "day 2/晴天.hfr")
        with collection.open_key("take 10.hfr") as recording:
            assert "cam" in recording.streams
        for key in ("notes.txt", "../x.hfr", "_old/a.hfr"):
            with pytest.raises(UsageError, match="no '"):
                collection.open_key(key)


def test_listing_again_sees_what_changed(folder: Path) -> None:
    with opened(folder) as collection:
        assert not collection.refresh()
        (folder / "take 9.hfr").unlink()
        write_small(folder / "take 11.hfr", frames=2)
        assert collection.refresh()
        assert [row.name for row in collection.episodes][:2] == ["take 10.hfr", "take 11.hfr"]


def test_where_one_recording_is_needed_a_folder_says_what_to_do(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"folder of 3 episodes\. Choose one with --episode"):
        open_recording(folder)
    with open_recording(folder, episode=1) as recording:
        assert recording.description.path == str(folder / "take 9.hfr")
    with pytest.raises(UsageError, match=r"no episode 7\. They are numbered 1 to 3"):
        open_recording(folder, episode=7)
    with pytest.raises(UsageError, match="not a folder of episodes"):
        open_recording(folder / "take 9.hfr", episode=1)
    with pytest.raises(UsageError, match="no revisions"):
        open_path(folder, revision=1)


def test_scripts_get_either(folder: Path) -> None:
    with hfviewer.open_recording(folder) as collection:
        assert isinstance(collection, EpisodeCollection)
    with hfviewer.open_recording(folder / "take 9.hfr") as recording:
        assert not isinstance(recording, EpisodeCollection)


def test_a_folder_without_recordings_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(NotARecordingError, match="not a recording"):
        open_path(tmp_path)


def test_an_unfinished_recording_is_listed_with_its_repair(folder: Path) -> None:
    (folder / "cut.hfr.tmp").write_bytes((folder / "take 9.hfr").read_bytes()[:4096])
    with opened(folder) as collection:
        row = next(row for row in collection.episodes if row.name == "cut.hfr.tmp")
        assert not row.ok
        assert "recover" in row.problem


def test_companions_and_loops_are_passed_over(folder: Path) -> None:
    write_small(folder / "take 9.annotations.hfr", frames=2)
    os.symlink(folder, folder / "day 2" / "loop")
    with opened(folder) as collection:
        assert len(collection.episodes) == 3


def test_no_more_is_looked_at_than_allowed(folder: Path) -> None:
    looked: list[Path] = []

    def look(path: Path) -> bool:
        looked.append(path)
        return False

    assert list(recordings_in(folder, look, most_looks=3)) == []
    assert len(looked) == 3


def test_numbers_in_names_sort_as_numbers() -> None:
    assert sorted(["b10", "b9", "a", "9", "b" + "9" * 5000], key=natural)[:4] == ["9", "a", "b9", "b10"]
