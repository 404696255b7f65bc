from __future__ import annotations

from pytestqt.qtbot import QtBot

from hfviewer.core.time_format import TimeMode
from hfviewer.model.workspace import Workspace
from tests.panels.fakes import FakeRecording, FakeStream, regular_ns

SECOND_NS = 1_000_000_000


def test_the_mode_stays_from_recording_to_recording(qtbot: QtBot) -> None:
    workspace = Workspace()
    display = workspace.time_display
    with qtbot.waitSignal(display.changed):
        display.set_mode(TimeMode.UTC)
    workspace.set_recording(FakeRecording(FakeStream("booted", regular_ns(10, SECOND_NS, 5))))
    assert (display.mode, display.format.reads_as) == (TimeMode.UTC, TimeMode.ELAPSED)
    workspace.set_recording(FakeRecording(FakeStream("cam", regular_ns(10, SECOND_NS))))
    assert display.format.reads_as == TimeMode.UTC


def test_the_key_goes_through_the_modes_that_a_recording_has(qtbot: QtBot) -> None:
    workspace = Workspace()
    display = workspace.time_display

    def modes(count: int) -> list[TimeMode]:
        seen = []
        for _ in range(count):
            display.next_mode()
            seen.append(display.format.reads_as)
        return seen

    workspace.set_recording(FakeRecording(FakeStream("cam", regular_ns(10, SECOND_NS))))
    assert modes(4) == [TimeMode.UTC, TimeMode.LOCAL, TimeMode.NS, TimeMode.ELAPSED]
    workspace.set_recording(FakeRecording(FakeStream("booted", regular_ns(10, SECOND_NS, 5))))
    assert modes(3) == [TimeMode.NS, TimeMode.ELAPSED, TimeMode.NS]
