from __future__ import annotations

import argparse
import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hfviewer
from hfviewer.cli import info
from hfviewer.cli import open as open_command
from hfviewer.cli.main import COMMANDS, main
from hfviewer.core.errors import DamagedRecordingError

Run = Callable[[argparse.Namespace], int]


@pytest.fixture
def info_does(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Have ``hfviewer info`` end in an error."""

    def install(error: BaseException) -> None:
        def run(args: argparse.Namespace) -> int:
            raise error

        monkeypatch.setattr(info, "run", run)

    return install


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (DamagedRecordingError("Cut off.", remedy="Copy it.", path="/x.hfr"), "/x.hfr: Cut off. Copy it."),
        (KeyboardInterrupt(), "Stopped."),
        (OSError(errno.ENOSPC, "No space left on device", "/x/out"), "/x/out: No space left on device."),
        (OSError(errno.EIO, "Input/output error"), "Input/output error."),
        (OSError("only words"), "only words."),
        (MemoryError(), "There is not enough memory for this."),
    ],
)
def test_however_a_command_fails_it_is_one_line_and_exit_2(
    info_does: Callable[[BaseException], None],
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    line: str,
) -> None:
    info_does(error)
    assert main(["info", "x"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"hfviewer: {line}\n"


@pytest.mark.parametrize("error", [DamagedRecordingError("Cut off."), OSError("words"), MemoryError()])
def test_debug_shows_the_way_to_every_failure(
    info_does: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str], error: BaseException
) -> None:
    info_does(error)
    assert main(["--debug", "info", "x"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_a_bug_is_not_hidden(info_does: Callable[[BaseException], None]) -> None:
    info_does(ZeroDivisionError("a bug"))
    with pytest.raises(ZeroDivisionError):
        main(["info", "x"])


def test_a_reader_that_has_seen_enough_is_no_error(
    info_does: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str]
) -> None:
    info_does(BrokenPipeError())
    assert main(["info", "x"]) == 0
    assert capsys.readouterr().err == ""


def test_exit_codes_of_a_command_come_through(monkeypatch: pytest.MonkeyPatch) -> None:
    for code in (0, 1):
        monkeypatch.setattr(info, "run", lambda args, code=code: code)
        assert main(["info", "x"]) == code


@pytest.mark.parametrize(
    ("words", "path"),
    [([], None), (["/a b.hfr"], "/a b.hfr"), (["open", "/a.hfr"], "/a.hfr"), (["open"], None)],
)
def test_without_a_command_the_words_are_those_of_open(
    monkeypatch: pytest.MonkeyPatch, words: list[str], path: str | None
) -> None:
    opened: list[str | None] = []

    def run(args: argparse.Namespace) -> int:
        opened.append(args.path)
        return 0

    monkeypatch.setattr(open_command, "run", run)
    assert main(words) == 0
    assert opened == [path]


def test_the_words_of_the_process_count_where_none_are_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["hfviewer", "--version"])
    assert main() == 0
    assert capsys.readouterr().out == f"hfviewer {hfviewer.__version__}\n"


@pytest.mark.parametrize(
    "words",
    [["--wrong"], ["-x", "info"], ["info"], ["info", "a", "b"], ["info", "--wro", "a"], ["frame", "a"]],
)
def test_bad_usage_is_one_line_that_names_the_help(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "--help`." in captured.err


def test_the_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("-h", "--help"):
        assert main([word]) == 0
        out = capsys.readouterr().out
        assert all(f"  {name} " in out for name in COMMANDS)


def run_process(words: list[str], stdout: int) -> tuple[int, str]:
    """Exit code and stderr of the real program, its output buffered as it is for a user."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        [sys.executable, "-m", "hfviewer", *words],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", [["--help"], ["info", "--help"]])
def test_output_into_a_closed_pipe_ends_in_peace(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert run_process(words, writing) == (0, "")
    finally:
        os.close(writing)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_output_onto_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        code, err = run_process(["--help"], full.fileno())
    assert (code, err) == (2, "hfviewer: No space left on device.\n")
