from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from hfviewer.core.stream import StreamKind
from hfviewer.model.workspace import Workspace
from hfviewer.panels.stream_list import StreamList, recording_text
from hfviewer.panels.theme import Theme
from tests.panels.fakes import FakeRecording, FakeStream, regular_ns

LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def workspace(qapp: object) -> Workspace:
    return Workspace()


@pytest.fixture
def streams(qtbot: QtBot, workspace: Workspace) -> StreamList:
    streams = StreamList(workspace, Theme())
    qtbot.addWidget(streams)
    streams.resize(272, 560)
    workspace.set_recording(
        FakeRecording(
            FakeStream("cam", regular_ns(300, 33_000_000)),
            FakeStream("depth", regular_ns(300, 33_000_000), kind=StreamKind.DEPTH),
            FakeStream("none", []),
        )
    )
    streams.grab()
    return streams


def row_point(streams: StreamList, name: str) -> QPoint:
    return streams.view.visualRect(streams.table.index_of(name)).center()


def eye_point(streams: StreamList, name: str) -> QPoint:
    return streams.view.eye_rect(streams.table.index_of(name)).center()


def test_the_selected_row_is_the_stream_in_focus(streams: StreamList, workspace: Workspace) -> None:
    assert streams.view.currentIndex().data() == "cam"
    workspace.focus("depth")
    assert streams.view.currentIndex().data() == "depth"
    workspace.focus(None)
    assert not streams.view.currentIndex().isValid()


def test_a_click_focuses_and_a_double_click_asks_for_the_panel(
    qtbot: QtBot, streams: StreamList, workspace: Workspace
) -> None:
    QTest.mouseClick(streams.view.viewport(), LEFT, PLAIN, row_point(streams, "depth"))
    assert workspace.focused == "depth"
    with qtbot.waitSignal(streams.panel_requested, timeout=1000) as asked:
        QTest.mouseDClick(streams.view.viewport(), LEFT, PLAIN, row_point(streams, "depth"))
    assert asked.args == ["depth"]


def test_the_eye_shows_and_hides_without_touching_the_focus(
    qtbot: QtBot, streams: StreamList, workspace: Workspace
) -> None:
    for shown in (False, True):
        with qtbot.waitSignal(streams.visibility_toggled, timeout=1000) as toggled:
            QTest.mouseClick(streams.view.viewport(), LEFT, PLAIN, eye_point(streams, "depth"))
        assert toggled.args == ["depth", shown]
    assert workspace.focused == "cam"
    assert streams.view.currentIndex().data() == "cam"
    with qtbot.assertNotEmitted(streams.panel_requested):
        QTest.mouseDClick(streams.view.viewport(), LEFT, PLAIN, eye_point(streams, "depth"))


def test_an_eye_closed_from_elsewhere_says_nothing(qtbot: QtBot, streams: StreamList) -> None:
    with qtbot.assertNotEmitted(streams.visibility_toggled):
        streams.set_shown("depth", False)
        streams.set_shown("no such stream", False)
    assert not streams.table.row(streams.table.index_of("depth")).shown
    with qtbot.waitSignal(streams.visibility_toggled, timeout=1000) as toggled:
        QTest.mouseClick(streams.view.viewport(), LEFT, PLAIN, eye_point(streams, "depth"))
    assert toggled.args == ["depth", True]


def test_the_context_menu_names_the_stream(qtbot: QtBot, streams: StreamList) -> None:
    point = row_point(streams, "none")
    with qtbot.waitSignal(streams.context_requested, timeout=1000) as asked:
        streams.view.customContextMenuRequested.emit(point)
    assert asked.args == ["none", streams.view.viewport().mapToGlobal(point)]
    with qtbot.assertNotEmitted(streams.context_requested):
        streams.view.customContextMenuRequested.emit(QPoint(10, 5000))


def test_forty_streams_scroll_to_the_one_in_focus(streams: StreamList, workspace: Workspace) -> None:
    many = [FakeStream(f"a/very/long/name/of/a/stream/{i}", regular_ns(10, 1_000_000)) for i in range(40)]
    workspace.set_recording(FakeRecording(*many))
    name = "a/very/long/name/of/a/stream/39"
    workspace.focus(name)
    streams.grab()
    assert streams.view.viewport().rect().contains(row_point(streams, name))


def test_the_recording_is_summed_up() -> None:
    recording = FakeRecording(FakeStream("cam", regular_ns(1957, 33_366_700)), FakeStream("none", []))
    assert recording_text(recording) == "hyperframe · 65.3 s · 653 windows · 1.9 MiB"
    long = FakeRecording(FakeStream("cam", regular_ns(101, 36_000_000_000)))
    assert recording_text(long) == "hyperframe · 60 min · 36000 windows · 98.6 KiB"
    assert recording_text(FakeRecording(FakeStream("none", []))) == "hyperframe · 0.0 s · 0 windows"


def test_nothing_open_is_said(streams: StreamList, workspace: Workspace) -> None:
    workspace.set_recording(None)
    assert streams.table.rowCount() == 0
    streams.grab()
