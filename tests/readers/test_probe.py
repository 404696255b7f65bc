from __future__ import annotations

import os
from pathlib import Path

import pytest

from hfviewer.core.errors import NotARecordingError
from hfviewer.readers.probe import HEAD_BYTES, nothing_here, read_head


def refusal(path: Path) -> NotARecordingError:
    with pytest.raises(NotARecordingError) as caught:
        read_head(path)
    assert caught.value.path == str(path)
    return caught.value


def test_the_head_is_the_first_bytes_and_no_more(tmp_path: Path) -> None:
    data = os.urandom(HEAD_BYTES + 1)
    for name, size in (("long", len(data)), ("short", 5), ("empty", 0)):
        (tmp_path / name).write_bytes(data[:size])
        assert read_head(tmp_path / name) == data[: min(size, HEAD_BYTES)]


def test_a_folder_has_an_empty_head(tmp_path: Path) -> None:
    assert read_head(tmp_path) == b""


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    (tmp_path / "dangling").symlink_to(tmp_path / "gone")
    for name in ("absent.hfr", "dangling", "no\0name"):
        error = refusal(tmp_path / name)
        assert error.problem == "There is no such file or folder."
        assert error.remedy == ""


def test_an_unfinished_recording_beside_the_missing_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "run.hfr.tmp").touch()
    assert "`hfviewer recover` run.hfr.tmp" in refusal(tmp_path / "run.hfr").remedy


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe").problem == "It is neither a file nor a folder."


def test_a_file_that_may_not_be_read_says_whom_to_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "secret.hfr"
    path.touch()

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    error = refusal(path)
    assert error.problem == "You may not read it."
    assert "permission" in error.remedy


def test_what_the_system_refuses_otherwise_keeps_its_words(tmp_path: Path) -> None:
    assert refusal(tmp_path / ("x" * 300)).problem == "It cannot be read (File name too long)."


def test_why_nothing_opens_it_depends_on_what_lies_there(tmp_path: Path) -> None:
    assert "hfviewer convert" in nothing_here(tmp_path, b"").remedy
    file = tmp_path / "notes.txt"
    file.touch()
    assert "0 bytes" in nothing_here(file, b"").problem
    assert ".hfr" in nothing_here(file, b"hello").remedy
