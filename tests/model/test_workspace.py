from __future__ import annotations

import pytest

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.window import TimeWindow
from hfviewer.model.workspace import Workspace
from tests.panels.fakes import START_NS, FakeRecording, FakeStream, regular_ns

LOST = Finding(code="missing_frames", severity=Severity.WARNING, message="3 frames are lost.")
CUT = Finding(code="truncated", severity=Severity.ERROR, message="It is cut off.")


@pytest.fixture
def workspace(qapp: object) -> Workspace:
    return Workspace()


def two_streams(*findings: Finding) -> FakeRecording:
    return FakeRecording(
        FakeStream("empty", []), FakeStream("cam", regular_ns(10, 1_000_000)), findings=findings
    )


def test_a_recording_is_told_of_before_its_playhead_its_findings_and_its_focus(workspace: Workspace) -> None:
    told: list[tuple[str, object]] = []
    workspace.recording_changed.connect(lambda recording: told.append(("recording", recording)))
    workspace.playhead.moved.connect(lambda position_ns: told.append(("playhead", position_ns)))
    workspace.findings_changed.connect(lambda findings: told.append(("findings", findings)))
    workspace.focus_changed.connect(lambda stream: told.append(("focus", stream)))
    recording = two_streams(LOST)
    workspace.set_recording(recording)
    assert told == [
        ("recording", recording),
        ("playhead", START_NS),
        ("findings", [LOST]),
        ("focus", "cam"),
    ]
    assert workspace.recording is recording
    assert workspace.playhead.span == recording.description.span


def test_while_another_recording_is_told_of_nothing_of_the_one_before_is_left(workspace: Workspace) -> None:
    workspace.set_recording(two_streams(LOST))
    seen: list[tuple[str | None, list[Finding]]] = []
    workspace.recording_changed.connect(lambda _: seen.append((workspace.focused, workspace.findings)))
    workspace.set_recording(two_streams())
    assert seen == [(None, [])]


def test_a_recording_without_frames_has_no_stream_to_step_by(workspace: Workspace) -> None:
    workspace.set_recording(FakeRecording(FakeStream("empty", [])))
    assert workspace.focused is None
    assert workspace.playhead.span == TimeWindow(0, 1)


def test_closing_leaves_nothing_open(workspace: Workspace) -> None:
    workspace.set_recording(two_streams(LOST))
    workspace.playhead.set_playing(True)
    workspace.set_recording(None)
    assert (workspace.recording, workspace.focused, workspace.findings) == (None, None, [])
    assert not workspace.playhead.playing


def test_findings_that_turn_up_later_are_added_and_told_in_full(workspace: Workspace) -> None:
    recording = two_streams(LOST)
    workspace.set_recording(recording)
    told: list[list[Finding]] = []
    workspace.findings_changed.connect(told.append)
    before = workspace.findings
    workspace.add_findings([])
    workspace.add_findings([CUT])
    assert told == [[LOST, CUT]]
    assert before == list(recording.description.findings) == [LOST]


def test_a_focus_that_does_not_change_says_nothing(workspace: Workspace) -> None:
    workspace.set_recording(two_streams())
    told: list[str | None] = []
    workspace.focus_changed.connect(told.append)
    for stream in ("cam", "empty", "empty", None):
        workspace.focus(stream)
    assert told == ["empty", None]


def test_a_recording_counts_as_checked_until_another_one_is_shown(workspace: Workspace) -> None:
    told: list[bool] = []
    workspace.checked_changed.connect(told.append)
    workspace.set_checked()  # nothing is open
    assert not workspace.checked
    workspace.set_recording(two_streams())
    workspace.set_checked()
    workspace.set_checked()
    assert workspace.checked
    workspace.set_recording(two_streams())
    assert not workspace.checked
    assert told == [True, False]
