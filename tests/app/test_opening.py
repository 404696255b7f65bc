from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from hfviewer.app.opening import Checked, Opened, Opener
from hfviewer.core.errors import DamagedRecordingError, NotARecordingError, UsageError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.recording import RecordingDescription
from hfviewer.readers import registry
from tests.playback.fakes import FakeRecording, FakeStream, every

LOST = Finding(code="missing_frames", severity=Severity.WARNING, message="3 frames are lost.")


class Watched(FakeRecording):
    """Knows whether it was closed, and which threads asked what it is."""

    def __init__(self, findings: Sequence[Finding] | Exception = ()) -> None:
        super().__init__(FakeStream("cam", every(10, 5)))
        self.closed = False
        self.described_by: list[threading.Thread] = []
        self._findings = findings

    @property
    def description(self) -> RecordingDescription:
        self.described_by.append(threading.current_thread())
        return super().description

    def check_index(self) -> Sequence[Finding]:
        if isinstance(self._findings, Exception):
            raise self._findings
        return self._findings

    def close(self) -> None:
        self.closed = True


class Door:
    """Stands in for `open_path`: a path opens once its gate does."""

    def __init__(self) -> None:
        self.outcomes: dict[str, Watched | Exception] = {}
        self.gates: dict[str, threading.Event] = {}
        self.revisions: dict[str, int | None] = {}

    def add(self, path: str, outcome: Watched | Exception, *, ajar: bool = False) -> None:
        self.outcomes[path], self.gates[path] = outcome, threading.Event()
        if not ajar:
            self.gates[path].set()

    def __call__(self, path: str, revision: int | None = None) -> Watched:
        assert self.gates[path].wait(10)
        self.revisions[path] = revision
        outcome = self.outcomes[path]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    made = Door()
    monkeypatch.setattr(registry, "open_path", made)
    return made


@pytest.fixture
def opener(qapp: object, door: Door) -> Iterator[Opener]:
    made = Opener()
    yield made
    for gate in door.gates.values():
        gate.set()
    made.close(timeout_s=10)


def collect(opener: Opener) -> list[Opened]:
    results: list[Opened] = []
    opener.opened.connect(results.append)
    return results


def deliver() -> None:
    """Bring what threads have left for the GUI thread."""
    QCoreApplication.sendPostedEvents()


def opener_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "opener"]


def test_a_recording_arrives_with_its_descriptions_worked_out_on_another_thread(
    qtbot: QtBot, opener: Opener, door: Door
) -> None:
    recording = Watched()
    door.add("/a", recording)
    results = collect(opener)
    with qtbot.waitSignal(opener.opened, timeout=5_000):
        opener.open("/a", revision=3)
    assert [(r.path, r.recording, r.error, r.is_gone) for r in results] == [("/a", recording, None, False)]
    assert door.revisions == {"/a": 3}
    assert recording.described_by
    assert threading.main_thread() not in recording.described_by


def test_it_is_busy_from_the_wish_to_the_answer(qtbot: QtBot, opener: Opener, door: Door) -> None:
    door.add("/a", Watched(), ajar=True)
    assert not opener.busy
    opener.open("/a")
    assert opener.busy
    with qtbot.waitSignal(opener.opened, timeout=5_000):
        door.gates["/a"].set()
    assert not opener.busy


@pytest.mark.parametrize("order", [("/old", "/new"), ("/new", "/old")])
def test_the_newest_wish_wins_whichever_arrives_first_and_the_other_is_closed(
    qtbot: QtBot, opener: Opener, door: Door, order: tuple[str, str]
) -> None:
    recordings = {"/old": Watched(), "/new": Watched()}
    for path, recording in recordings.items():
        door.add(path, recording, ajar=True)
    results = collect(opener)
    opener.open("/old")
    opener.open("/new")
    for path in order:
        door.gates[path].set()
        if path == "/old":
            qtbot.waitUntil(lambda: recordings["/old"].closed, timeout=5_000)
        else:
            qtbot.waitUntil(lambda: bool(results), timeout=5_000)
    assert [result.path for result in results] == ["/new"]
    assert not recordings["/new"].closed


def test_an_error_of_an_older_wish_is_not_told(qtbot: QtBot, opener: Opener, door: Door) -> None:
    door.add("/old", NotARecordingError("No."), ajar=True)
    door.add("/new", Watched(), ajar=True)
    results = collect(opener)
    opener.open("/old")
    (old,) = opener_threads()
    opener.open("/new")
    door.gates["/old"].set()
    old.join(5)
    door.gates["/new"].set()
    qtbot.waitUntil(lambda: bool(results), timeout=5_000)
    assert [result.path for result in results] == ["/new"]


def test_what_arrives_after_cancelling_is_closed_and_not_told(
    qtbot: QtBot, opener: Opener, door: Door
) -> None:
    recording = Watched()
    door.add("/a", recording, ajar=True)
    results = collect(opener)
    opener.open("/a")
    opener.cancel()
    assert not opener.busy
    door.gates["/a"].set()
    qtbot.waitUntil(lambda: recording.closed, timeout=5_000)
    assert results == []


def test_after_cancelling_another_one_opens(qtbot: QtBot, opener: Opener, door: Door) -> None:
    door.add("/a", Watched(), ajar=True)
    door.add("/b", Watched())
    results = collect(opener)
    opener.open("/a")
    opener.cancel()
    with qtbot.waitSignal(opener.opened, timeout=5_000):
        opener.open("/b")
    assert [result.path for result in results] == ["/b"]


def test_an_error_says_whether_anything_lies_there(
    qtbot: QtBot, opener: Opener, door: Door, tmp_path: Path
) -> None:
    there, gone = tmp_path / "there", tmp_path / "gone"
    there.touch()
    results = collect(opener)
    for path in (there, gone):
        error = NotARecordingError("No.", path=path)
        door.add(str(path), error)
        with qtbot.waitSignal(opener.opened, timeout=5_000):
            opener.open(str(path))
        assert results[-1].error is error
        assert results[-1].recording is None
    assert [result.is_gone for result in results] == [False, True]


def test_a_bug_in_a_reader_is_an_error_in_plain_words(qtbot: QtBot, opener: Opener, door: Door) -> None:
    door.add("/a", IndexError("list index out of range"))
    results = collect(opener)
    with qtbot.waitSignal(opener.opened, timeout=5_000):
        opener.open("/a")
    error = results[0].error
    assert isinstance(error, DamagedRecordingError)
    assert error.line() == "/a: It cannot be opened (IndexError: list index out of range)."
    assert not results[0].is_gone


def test_closing_joins_every_thread_and_tells_nothing_more(opener: Opener, door: Door) -> None:
    recordings = {path: Watched() for path in ("/a", "/b")}
    results = collect(opener)
    for path, recording in recordings.items():
        door.add(path, recording, ajar=True)
        opener.open(path)
    opener.close(timeout_s=0.0)  # it waits no longer than it may
    assert len(opener_threads()) == 2
    for gate in door.gates.values():
        gate.set()
    opener.close(timeout_s=10)
    assert opener_threads() == []
    deliver()
    assert results == []
    assert all(recording.closed for recording in recordings.values())


def test_a_check_says_what_it_found(qtbot: QtBot, opener: Opener) -> None:
    recording = Watched([LOST])
    told: list[Checked] = []
    opener.checked.connect(told.append)
    with qtbot.waitSignal(opener.checked, timeout=5_000):
        opener.check(recording)
    assert [(t.recording, t.findings) for t in told] == [(recording, (LOST,))]


def test_a_check_looks_at_the_timing_of_every_stream_too(qtbot: QtBot, opener: Opener) -> None:
    recording = FakeRecording(FakeStream("cam", np.delete(every(10, 20), [7, 8])))
    with qtbot.waitSignal(opener.checked, timeout=5_000) as checked:
        opener.check(recording)
    assert checked.args is not None
    (told,) = checked.args
    assert [(f.code, f.stream, f.first_frame) for f in told.findings] == [("missing_frames", "cam", 6)]


@pytest.mark.parametrize("error", [UsageError("It is closed."), OSError(9, "Bad file descriptor")])
def test_a_check_of_what_was_closed_meanwhile_says_nothing(opener: Opener, error: Exception) -> None:
    told: list[Checked] = []
    opener.checked.connect(told.append)
    opener.check(Watched(error))
    opener.close(timeout_s=10)
    deliver()
    assert opener_threads() == []
    assert told == []
