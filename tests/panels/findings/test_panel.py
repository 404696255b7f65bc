from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.time_format import TimeMode
from hfviewer.model.accepted import AcceptedFindings
from hfviewer.model.workspace import Workspace
from hfviewer.panels.findings.delegate import FindingDelegate
from hfviewer.panels.findings.panel import FindingsPanel
from hfviewer.panels.findings.rows import FindingRow, Grouping
from hfviewer.panels.theme import Theme
from tests.panels.fakes import START_NS, FakeRecording, FakeStream, regular_ns

FINDINGS = [
    Finding(
        code="late_start", severity=Severity.WARNING, message="b", stream="imu", start_ns=START_NS + 2_500_000
    ),
    Finding(
        code="missing_frames",
        severity=Severity.ERROR,
        message="c",
        stream="cam",
        start_ns=START_NS + 9,
        evidence="sequence jump +4",
    ),
    Finding(code="truncated", severity=Severity.INFO, message="d"),
    Finding(code="missing_frames", severity=Severity.WARNING, message="a", stream="gone", start_ns=START_NS),
]


@pytest.fixture
def workspace(qapp: object) -> Workspace:
    return Workspace()


@pytest.fixture
def accepted(tmp_path: Path, workspace: Workspace) -> Iterator[AcceptedFindings]:
    made = AcceptedFindings(tmp_path)
    workspace.recording_changed.connect(made.set_recording)
    yield made
    made.close()


@pytest.fixture
def panel(qtbot: QtBot, workspace: Workspace, accepted: AcceptedFindings) -> FindingsPanel:
    made = FindingsPanel(workspace, accepted, Theme())
    qtbot.addWidget(made)
    made.resize(320, 400)
    stamps_ns = regular_ns(10, 10_000_000)
    workspace.set_recording(
        FakeRecording(FakeStream("cam", stamps_ns), FakeStream("imu", stamps_ns), findings=FINDINGS)
    )
    made.show()
    made.grab()
    return made


def messages(panel: FindingsPanel) -> list[str]:
    rows = (panel.table.row(panel.table.index(i)) for i in range(panel.table.rowCount()))
    return [row.finding.message if isinstance(row, FindingRow) else row.title for row in rows]


def click(panel: FindingsPanel, row: int) -> None:
    point = panel.view.visualRect(panel.table.index(row)).center()
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=point)


def test_a_click_goes_there(qtbot: QtBot, panel: FindingsPanel, workspace: Workspace) -> None:
    with qtbot.waitSignal(panel.activated, timeout=1000) as activated:
        click(panel, 2)
    assert activated.args == [FINDINGS[0]]
    assert workspace.focused == "imu"
    assert workspace.playhead.position_ns == START_NS + 2_500_000
    workspace.playhead.jump_back()
    assert workspace.playhead.position_ns == START_NS


def test_a_finding_about_no_time_and_no_stream_moves_nothing(
    qtbot: QtBot, panel: FindingsPanel, workspace: Workspace
) -> None:
    with qtbot.waitSignal(panel.activated, timeout=1000):
        click(panel, 3)
    assert workspace.focused == "cam"
    assert workspace.playhead.position_ns == START_NS
    assert not panel.label_chosen()


def test_severities_are_counted_in_words_and_a_click_leaves_them_out(
    panel: FindingsPanel, workspace: Workspace
) -> None:
    assert panel.filters.texts == ["1 error", "2 warnings", "1 info"]
    panel.filters.chip(Severity.WARNING).click()
    assert messages(panel) == ["c", "d"]
    assert panel.title.count_text == "2 of 4"
    assert panel.filters.texts == ["1 error", "2 warnings", "1 info"]
    panel.resize(260, 400)
    panel.grab()
    assert panel.filters.texts == ["1", "2", "1"]
    workspace.set_recording(None)
    assert panel.filters.texts == []


def test_words_filter_while_they_are_typed_and_esc_clears(qtbot: QtBot, panel: FindingsPanel) -> None:
    panel.start_filtering()
    QTest.keyClicks(panel.filters.text_field, "jump")
    assert messages(panel) == ["c"]
    with qtbot.waitSignal(panel.left, timeout=1000):
        QTest.keyClick(panel.filters.text_field, Qt.Key.Key_Escape)
    assert len(messages(panel)) == 4


def test_one_stream_and_groups(panel: FindingsPanel, workspace: Workspace) -> None:
    panel.filters.choose_stream("imu")
    assert messages(panel) == ["b"]
    panel.filters.choose_stream(None)
    panel.table.set_grouping(Grouping.CODE)
    assert messages(panel) == ["Missing frames", "c", "a", "Late start", "b", "Cut off", "d"]
    click(panel, 0)
    assert messages(panel) == ["Missing frames", "Late start", "b", "Cut off", "d"]
    assert panel.title.count_text == "4"
    panel.step(1)  # what is folded away is met as well, and comes into sight
    assert "a" in messages(panel)
    panel.filters.choose_stream("gone")
    workspace.set_recording(FakeRecording(FakeStream("cam", regular_ns(10, 10_000_000))))
    assert panel.table.filter.stream is None


def test_keys_go_from_finding_to_finding_in_time(panel: FindingsPanel, workspace: Workspace) -> None:
    met: list[str] = []
    for _ in range(5):
        wrapped = panel.step(1)
        assert panel.chosen is not None
        met.append(panel.chosen.message + ("!" if wrapped else ""))
    assert met == ["a", "c", "b", "d", "a!"]
    workspace.playhead.jump_to(START_NS + 2_000_000)
    panel.step(-1)
    assert panel.chosen is not None
    assert panel.chosen.message == "c"


def test_accepting_asks_why_and_leaves_the_finding_out_of_counts_and_keys(
    panel: FindingsPanel, accepted: AcceptedFindings
) -> None:
    assert not panel.accept_chosen()
    click(panel, 0)
    assert panel.accept_chosen()
    QTest.keyClicks(panel.note_field, "cable pulled")
    QTest.keyClick(panel.note_field, Qt.Key.Key_Return)
    found = accepted.of(FINDINGS[1])
    assert found is not None
    assert found.note == "cable pulled"
    assert messages(panel) == ["a", "b", "d", "c"]
    assert panel.filters.texts == ["2 warnings", "1 info"]
    assert panel.chosen == FINDINGS[1]
    panel.grab()
    panel.step(1)
    assert panel.chosen != FINDINGS[1]
    click(panel, 3)
    panel.accept_chosen()
    assert accepted.of(FINDINGS[1]) is None


def test_esc_accepts_nothing(qtbot: QtBot, panel: FindingsPanel, accepted: AcceptedFindings) -> None:
    click(panel, 0)
    panel.accept_chosen()
    QTest.keyClicks(panel.note_field, "no")
    with qtbot.waitSignal(panel.left, timeout=1000):
        QTest.keyClick(panel.note_field, Qt.Key.Key_Escape)
    assert accepted.of(FINDINGS[1]) is None


def test_the_menu_of_a_group_is_about_all_of_it(panel: FindingsPanel, accepted: AcceptedFindings) -> None:
    panel.table.set_grouping(Grouping.CODE)
    menu = QMenu()
    panel.fill_menu(menu, panel.table.index(0))
    actions = {action.text().partition("\t")[0]: action for action in menu.actions()}
    assert "Go there" not in actions
    actions["Accept all 2 …"].trigger()
    QTest.keyClick(panel.note_field, Qt.Key.Key_Return)
    assert [accepted.of(finding) is not None for finding in FINDINGS] == [False, True, False, True]
    actions["Copy as text"].trigger()
    assert QGuiApplication.clipboard().text().count("\n") == 2
    menu.deleteLater()


def test_a_label_is_asked_for_with_one_key(qtbot: QtBot, panel: FindingsPanel) -> None:
    click(panel, 0)
    with qtbot.waitSignal(panel.label_wanted, timeout=1000) as wanted:
        assert panel.label_chosen()
    assert wanted.args == [FINDINGS[1]]


def test_findings_are_copied_as_lines_of_text(panel: FindingsPanel, workspace: Workspace) -> None:
    assert panel.copy_text() == 4
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "/recordings/city_0014.hfr"
    assert lines[1] == "error  0.000 s  cam  c  [sequence jump +4]"
    assert lines[4] == "info  d"
    workspace.time_display.set_mode(TimeMode.UTC)
    panel.copy_text([FINDINGS[0]])
    assert "12:56:34.480" in QGuiApplication.clipboard().text()


def test_times_read_as_everywhere(panel: FindingsPanel, workspace: Workspace) -> None:
    delegate = panel.view.itemDelegate()
    assert isinstance(delegate, FindingDelegate)
    assert [delegate.time_text(finding) for finding in FINDINGS] == ["0.002", "0.000", "", "0.000"]
    workspace.time_display.set_mode(TimeMode.NS)
    assert delegate.time_text(FINDINGS[1]) == str(START_NS + 9)


def test_findings_that_turn_up_later_leave_the_chosen_one_chosen(
    panel: FindingsPanel, workspace: Workspace
) -> None:
    click(panel, 2)
    workspace.add_findings(
        [Finding(code="x", severity=Severity.ERROR, message="later", start_ns=START_NS + 99)]
    )
    assert messages(panel) == ["c", "later", "a", "b", "d"]
    assert panel.view.currentIndex().row() == 3


def test_that_there_is_no_fault_is_said_only_once_that_was_checked(
    panel: FindingsPanel, workspace: Workspace
) -> None:
    workspace.set_recording(FakeRecording(FakeStream("cam", regular_ns(10, 10_000_000))))
    before = panel.grab().toImage()
    assert panel.filters.empty_text == "Checking…"
    workspace.set_checked()
    assert panel.filters.empty_text == "No gaps or other faults found"
    assert panel.grab().toImage() != before
    workspace.set_recording(None)
    assert panel.filters.empty_text == ""


def test_only_the_text_fields_take_the_keyboard(panel: FindingsPanel) -> None:
    takers = [w for w in panel.findChildren(QWidget) if w.focusPolicy() != Qt.FocusPolicy.NoFocus]
    fields = {panel.note_field, panel.filters.text_field}
    assert {w for w in takers if not isinstance(w.parentWidget(), type(panel.note_field))} <= {
        *fields,
        panel.view.verticalScrollBar(),
        panel.view.horizontalScrollBar(),
        panel.view.viewport(),
    } | {w for w in takers if isinstance(w, QMenu)}
