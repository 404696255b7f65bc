from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.stream import StreamKind
from hfviewer.model.accepted import AcceptedFindings
from hfviewer.model.accepted_file import Accepted, AcceptedFile, identity
from tests.panels.fakes import START_NS, FakeRecording, FakeStream, regular_ns

LOST = Finding(
    code="missing_frames",
    severity=Severity.ERROR,
    message="3 frames lost.",
    stream="cam",
    start_ns=START_NS + 5,
    end_ns=START_NS + 9,
)
WHOLE = Finding(code="truncated", severity=Severity.ERROR, message="It ends early.")


def recording(path: str = "/a/one.hfr", **more: FakeStream) -> FakeRecording:
    return FakeRecording(FakeStream("cam", regular_ns(10, 1000)), *more.values(), path=path)


def file_in(folder: Path) -> AcceptedFile:
    return AcceptedFile(folder, "0123", "/a/one.hfr")


def test_what_was_accepted_is_there_the_next_time(qtbot: QtBot, tmp_path: Path) -> None:
    first = AcceptedFindings(tmp_path / "deep" / "down")
    first.set_recording(recording())
    first.accept([LOST, WHOLE], "the cable was pulled")
    first.close()
    second = AcceptedFindings(tmp_path / "deep" / "down")
    with qtbot.waitSignal(second.changed, check_params_cb=lambda: second.of(LOST) is not None):
        second.set_recording(recording("/elsewhere/copy.hfr"))
    found = second.of(LOST)
    assert found is not None
    assert (found.note, found.stream, found.start_ns) == ("the cable was pulled", "cam", START_NS + 5)
    assert found.created_ns > START_NS
    second.take_back([LOST])
    assert second.of(LOST) is None
    assert second.of(WHOLE) is not None
    second.close()
    assert set(AcceptedFile(tmp_path / "deep" / "down", identity(recording()), "").read()) == {
        ("truncated", None, None, None)
    }


def test_two_viewers_of_one_recording_lose_nothing(tmp_path: Path) -> None:
    one, other = file_in(tmp_path), file_in(tmp_path)
    assert one.read() == other.read() == {}
    one.add(Accepted(code="a", note="first"))
    other.add(Accepted(code="b", note="second"))
    one.add(Accepted(code="a", note="again"))
    assert {key[0]: found.note for key, found in other.read().items()} == {"a": "again", "b": "second"}
    other.remove(("a", None, None, None), ("never", None, None, None))
    assert [key[0] for key in one.read()] == ["b"]
    assert list(tmp_path.iterdir()) == [one.file]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"accepted": [{"code": 5}]}',
        b'{"version": 99, "accepted": [], "new": 1}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_a_file_that_cannot_be_read_is_put_aside_and_kept(tmp_path: Path, content: bytes) -> None:
    file = file_in(tmp_path)
    file.file.write_bytes(content)
    assert file.read() == {}
    file.add(Accepted(code="a"))
    assert [key[0] for key in file.read()] == ["a"]
    kept = [path for path in tmp_path.iterdir() if path != file.file]
    assert [path.read_bytes() for path in kept] == [content]


def test_the_file_says_what_it_is_about(tmp_path: Path) -> None:
    file = file_in(tmp_path)
    file.add(Accepted(code="a", stream="cam", start_ns=1, end_ns=2, note="晴", author="me", created_ns=3))
    assert msgspec.json.decode(file.file.read_bytes()) == {
        "version": 1,
        "recording": "/a/one.hfr",
        "accepted": [
            {
                "code": "a",
                "stream": "cam",
                "start_ns": 1,
                "end_ns": 2,
                "note": "晴",
                "author": "me",
                "created_ns": 3,
            }
        ],
    }


def test_the_identity_is_of_what_was_recorded() -> None:
    same = identity(recording())
    assert len(same) == 32
    assert identity(recording("/b/two.hfr")) == same
    labels = FakeStream("labels", regular_ns(3, 1000), kind=StreamKind.ANNOTATION)
    assert identity(recording(labels=labels)) == same
    assert identity(recording(more=FakeStream("more", np.empty(0, np.int64)))) != same
    assert identity(FakeRecording(FakeStream("cam", regular_ns(11, 1000)))) != same


def test_a_folder_that_cannot_be_written_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    accepted = AcceptedFindings(tmp_path / "file")
    accepted.set_recording(recording())
    with qtbot.waitSignal(accepted.failed, timeout=2000) as failed:
        accepted.accept([LOST], "")
    assert failed.args is not None
    assert "cannot be kept" in failed.args[0]
    assert accepted.of(LOST) is not None
    accepted.close()


def test_notes_of_one_recording_do_not_show_in_the_next(qtbot: QtBot, tmp_path: Path) -> None:
    accepted = AcceptedFindings(tmp_path)
    accepted.set_recording(recording())
    accepted.accept([LOST], "")
    accepted.set_recording(FakeRecording(FakeStream("cam", regular_ns(11, 1000))))
    assert accepted.of(LOST) is None
    accepted.set_recording(recording())
    qtbot.waitUntil(lambda: accepted.of(LOST) is not None)
    accepted.close()
