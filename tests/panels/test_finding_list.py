from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from hfviewer.core.finding import Finding, Severity
from hfviewer.model.workspace import Workspace
from hfviewer.panels.finding_list import FindingDelegate, FindingList, SeverityCounts
from hfviewer.panels.theme import Theme
from tests.panels.fakes import START_NS, FakeRecording, FakeStream, regular_ns

FINDINGS = [
    Finding(
        code="late_start", severity=Severity.WARNING, message="b", stream="imu", start_ns=START_NS + 2_500_000
    ),
    Finding(code="missing_frames", severity=Severity.ERROR, message="c", stream="cam", start_ns=START_NS + 9),
    Finding(code="truncated", severity=Severity.INFO, message="d"),
    Finding(code="missing_frames", severity=Severity.WARNING, message="a", stream="gone", start_ns=START_NS),
]


@pytest.fixture
def workspace(qapp: object) -> Workspace:
    return Workspace()


@pytest.fixture
def findings(qtbot: QtBot, workspace: Workspace) -> FindingList:
    found = FindingList(workspace, Theme())
    qtbot.addWidget(found)
    found.resize(272, 300)
    stamps_ns = regular_ns(10, 10_000_000)
    workspace.set_recording(
        FakeRecording(FakeStream("cam", stamps_ns), FakeStream("imu", stamps_ns), findings=FINDINGS)
    )
    found.grab()
    return found


def test_the_worst_stand_first_and_then_the_earliest(findings: FindingList) -> None:
    table = findings.table
    shown = [table.finding(table.index(i)).message for i in range(table.rowCount())]
    assert shown == ["c", "a", "b", "d"]


def test_a_click_goes_there(qtbot: QtBot, findings: FindingList, workspace: Workspace) -> None:
    point = findings.view.visualRect(findings.table.index(2)).center()
    with qtbot.waitSignal(findings.activated, timeout=1000) as activated:
        QTest.mouseClick(findings.view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert activated.args == [FINDINGS[0]]
    assert workspace.focused == "imu"
    assert workspace.playhead.position_ns == START_NS + 2_500_000
    workspace.playhead.jump_back()
    assert workspace.playhead.position_ns == START_NS


def test_a_finding_about_no_time_and_no_stream_moves_nothing(
    qtbot: QtBot, findings: FindingList, workspace: Workspace
) -> None:
    point = findings.view.visualRect(findings.table.index(3)).center()
    with qtbot.waitSignal(findings.activated, timeout=1000):
        QTest.mouseClick(findings.view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert workspace.focused == "cam"
    assert workspace.playhead.position_ns == START_NS


def test_severities_are_counted_in_words(findings: FindingList, workspace: Workspace) -> None:
    counts = findings.findChild(SeverityCounts)
    assert isinstance(counts, SeverityCounts)
    assert [text for _, text in counts.texts()] == ["1 error", "2 warnings", "1 info"]
    workspace.set_recording(None)
    assert counts.texts() == []
    findings.grab()


def test_times_count_from_the_start_of_the_recording(findings: FindingList) -> None:
    delegate = findings.view.itemDelegate()
    assert isinstance(delegate, FindingDelegate)
    assert [delegate.time_text(finding) for finding in FINDINGS] == ["0.002", "0.000", "", "0.000"]


def test_findings_that_turn_up_later_are_added(findings: FindingList, workspace: Workspace) -> None:
    workspace.add_findings(
        [Finding(code="x", severity=Severity.ERROR, message="later", start_ns=START_NS + 99)]
    )
    assert findings.table.rowCount() == 5
    assert findings.table.finding(findings.table.index(1)).message == "later"


def test_that_there_is_no_fault_is_said_only_once_that_was_checked(
    findings: FindingList, workspace: Workspace
) -> None:
    counts = findings.findChild(SeverityCounts)
    assert isinstance(counts, SeverityCounts)
    workspace.set_recording(FakeRecording(FakeStream("cam", regular_ns(10, 10_000_000))))
    before = findings.grab().toImage()
    assert counts.empty_text == "Checking…"
    workspace.set_checked()
    assert counts.empty_text == "No gaps or other faults found"
    assert findings.grab().toImage() != before
    workspace.set_recording(None)
    assert counts.empty_text == ""
