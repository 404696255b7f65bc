from __future__ import annotations

import inspect
import pickle
from pathlib import Path

import pytest

from hfviewer.core import errors
from hfviewer.core.errors import HfviewerError

ALL_ERRORS = [
    value
    for value in vars(errors).values()
    if inspect.isclass(value) and issubclass(value, Exception) and value.__module__ == errors.__name__
]


@pytest.mark.parametrize("kind", ALL_ERRORS)
def test_every_error_is_of_the_family_and_drawn_in_its_tree(kind: type[Exception]) -> None:
    assert issubclass(kind, HfviewerError)
    assert errors.__doc__ is not None
    assert f" {kind.__name__} " in errors.__doc__.replace("\n", " \n")


def test_an_error_says_where_what_and_what_to_do_in_one_line() -> None:
    error = errors.DamagedRecordingError(
        "Stream 'a' ends\n 3 bytes early.", remedy="Copy the file again.", path=Path("/x/y.hfr")
    )
    assert error.line() == str(error) == "/x/y.hfr: Stream 'a' ends 3 bytes early. Copy the file again."
    assert (error.problem, error.remedy, error.path) == (
        "Stream 'a' ends\n 3 bytes early.",
        "Copy the file again.",
        "/x/y.hfr",
    )


def test_remedy_and_path_may_be_missing() -> None:
    error = HfviewerError("It is broken.")
    assert str(error) == "It is broken."
    assert error.path is None


def test_a_path_is_shown_as_it_is_spelled() -> None:
    assert str(HfviewerError("Gone.", path="/a  b/数据.hfr")) == "/a  b/数据.hfr: Gone."


@pytest.mark.parametrize("bad", ["\n", "\r", "\x1b[2J", "\x00", "\u2028", "\udcff", "\x85"])
def test_nothing_in_a_name_breaks_the_line_or_the_terminal(bad: str) -> None:
    line = HfviewerError(f"Bad{bad}name.", path=f"/x{bad}y.hfr").line()
    assert len(line.splitlines()) == 1
    assert "\x1b" not in line
    assert line.encode("utf-8").decode("utf-8") == line


def test_an_unfinished_recording_is_caught_as_a_damaged_one() -> None:
    assert issubclass(errors.UnfinishedRecordingError, errors.DamagedRecordingError)


@pytest.mark.parametrize("kind", ALL_ERRORS)
def test_an_error_survives_the_way_to_another_process(kind: type[HfviewerError]) -> None:
    error = pickle.loads(pickle.dumps(kind("It broke.", remedy="Try again.", path="/x")))
    assert type(error) is kind
    assert (error.problem, error.remedy, error.path) == ("It broke.", "Try again.", "/x")
    assert str(error) == "/x: It broke. Try again."
