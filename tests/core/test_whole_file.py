from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from hfviewer.core.whole_file import creating, give_name, replace_file, replacing


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


def test_a_new_file_appears_whole_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "samples.csv"
    with creating(path) as beside:
        beside.write_bytes(b"half")
        assert not path.exists()
        beside.write_bytes(b"all")
    assert path.read_bytes() == b"all"
    assert os.listdir(tmp_path) == ["samples.csv"]


def test_what_lies_there_is_never_replaced_by_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "samples.csv"
    path.write_bytes(b"theirs")
    with pytest.raises(FileExistsError), creating(path) as beside:
        beside.write_bytes(b"ours")
    assert path.read_bytes() == b"theirs"


def test_what_appears_while_we_write_is_not_replaced_either(tmp_path: Path) -> None:
    path = tmp_path / "samples.csv"

    def write() -> None:
        with creating(path) as beside:
            beside.write_bytes(b"ours")
            path.write_bytes(b"theirs")

    with pytest.raises(FileExistsError):
        write()
    assert path.read_bytes() == b"theirs"
    assert os.listdir(tmp_path) == ["samples.csv"]


def test_without_links_a_file_gets_its_name_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "samples.csv"
    with creating(path) as beside:
        beside.write_bytes(b"ours")
    assert path.read_bytes() == b"ours"
    (tmp_path / "b.tmp").write_bytes(b"b")
    with pytest.raises(FileExistsError):
        give_name(tmp_path / "b.tmp", path)
    assert path.read_bytes() == b"ours"
