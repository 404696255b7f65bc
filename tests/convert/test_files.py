import lzma
import os
import re
from pathlib import Path

import pytest

from hfviewer.convert.files import numbered_files, read_bytes, read_lines, read_xz, reason
from hfviewer.core.errors import FrameError


def test_an_xz_file_unpacks_also_when_it_is_several_streams(tmp_path: Path) -> None:
    path = tmp_path / "a.bin.xz"
    path.write_bytes(lzma.compress(b"one") + lzma.compress(b"two" * 10_000_000))
    assert read_xz(path) == b"one" + b"two" * 10_000_000


def test_an_xz_bomb_is_stopped_at_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.bin.xz"
    path.write_bytes(lzma.compress(bytes(64 << 20), preset=1))
    assert path.stat().st_size < 1 << 20
    with pytest.raises(FrameError, match="more than 8 MiB"):
        read_xz(path, limit_bytes=8 << 20)


@pytest.mark.parametrize("keep", [0, 5, 40, -1])
def test_a_cut_or_broken_xz_file_is_an_error_not_half_a_scan(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "a.bin.xz"
    path.write_bytes(lzma.compress(os.urandom(1000))[:keep])
    with pytest.raises(FrameError):
        read_xz(path)


def test_too_large_empty_or_no_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    large, empty, pipe = tmp_path / "large", tmp_path / "empty", tmp_path / "pipe"
    with large.open("wb") as file:
        file.truncate(1 << 40)
    empty.touch()
    os.mkfifo(pipe)
    for path, message in ((large, "larger"), (empty, "empty"), (pipe, "ordinary"), (tmp_path, "ordinary")):
        with pytest.raises(FrameError, match=message):
            read_bytes(path)


def test_lines_survive_windows_line_ends_marks_and_wrong_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntw\xffo\r\n")
    assert read_lines(path) == ["one", "tw�o"]
    path.write_bytes(b"")
    assert read_lines(path) == []


def test_files_are_found_by_number_and_strangers_are_left_alone(tmp_path: Path) -> None:
    for name in ("0000000010.png", "0000000002.png", "x0000000001.png", "0000000003.png.tmp"):
        (tmp_path / name).touch()
    found = numbered_files(tmp_path, re.compile(r"(?P<number>\d+)\.png"))
    assert list(found) == [2, 10]
    assert numbered_files(tmp_path / "none", re.compile(r"(?P<number>\d+)")) == {}


def test_a_reason_does_not_repeat_the_path(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        read_bytes(tmp_path / "none")
    assert reason(caught.value) == "It cannot be read (No such file or directory)."
