from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from hfviewer.core.whole_file import replace_file, replacing


@pytest.mark.parametrize("lasting", [False, True])
def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path, lasting: bool) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    replace_file(path, b"new", lasting=lasting)
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["settings.json"]


def test_until_the_block_ends_the_old_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(b"old")
    with replacing(path) as beside:
        beside.write_bytes(b"half of the n")
        assert path.read_bytes() == b"old"
        beside.write_bytes(b"new")
    assert path.read_bytes() == b"new"


def test_what_fails_in_between_leaves_the_old_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(b"old")

    def write() -> None:
        with replacing(path) as beside:
            beside.write_bytes(b"half")
            raise RuntimeError("the encoder fails")

    with pytest.raises(RuntimeError, match="encoder"):
        write()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["clip.mp4"]


def test_the_folder_is_made_only_where_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "kept.json"
    with pytest.raises(FileNotFoundError):
        replace_file(path, b"x")
    replace_file(path, b"x", make_folder=True)
    assert path.read_bytes() == b"x"


def test_a_link_that_waits_under_the_working_name_is_not_written_through(tmp_path: Path) -> None:
    victim, path = tmp_path / "victim", tmp_path / "out.json"
    victim.write_bytes(b"somebody's")
    (tmp_path / f".out.json.{os.getpid()}.tmp").symlink_to(victim)
    replace_file(path, b"ours")
    assert victim.read_bytes() == b"somebody's"
    assert stat.S_ISREG(path.lstat().st_mode)
