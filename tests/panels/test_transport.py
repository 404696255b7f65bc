from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton, QWidget
from pytestqt.qtbot import QtBot

from hfviewer.core.time_format import TimeMode
from hfviewer.model.workspace import Workspace
from hfviewer.panels.theme import Theme
from hfviewer.panels.transport import BAR_PX, TransportBar
from hfviewer.panels.transport_parts import BigTime, FocusInfo, ModeSegments, RangeBox, SpeedBox
from tests.panels.fakes import FakeRecording, FakeStream, regular_ns

SECOND_NS = 1_000_000_000
MakeBar = Callable[..., TransportBar]


@pytest.fixture
def workspace(qapp: object) -> Workspace:
    return Workspace()


@pytest.fixture
def make_bar(qtbot: QtBot, workspace: Workspace) -> MakeBar:
    def make(*, width: int = 1920, dark: bool = True, start_ns: int | None = None) -> TransportBar:
        bar = TransportBar(workspace, Theme(dark=dark))
        qtbot.addWidget(bar)
        bar.resize(width, BAR_PX)
        stamps_ns = regular_ns(100, SECOND_NS) if start_ns is None else regular_ns(100, SECOND_NS, start_ns)
        workspace.set_recording(FakeRecording(FakeStream("cam", stamps_ns)))
        bar.grab()
        return bar

    return make


def click(qtbot: QtBot, bar: QWidget, name: str) -> None:
    button = next(b for b in bar.findChildren(QToolButton) if b.accessibleName().startswith(name))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(
    ("name", "signal", "arguments"),
    [
        ("Open", "open_requested", []),
        ("To the start", "start_requested", []),
        ("To the end", "end_requested", []),
        ("One frame back", "step_requested", [-1]),
        ("One frame on", "step_requested", [1]),
    ],
)
def test_a_button_asks_for_what_it_says(
    qtbot: QtBot, make_bar: MakeBar, name: str, signal: str, arguments: list[int]
) -> None:
    bar = make_bar()
    with qtbot.waitSignal(getattr(bar, signal), timeout=1000) as asked:
        click(qtbot, bar, name)
    assert asked.args == arguments


def test_play_and_loop_drive_the_playhead_and_follow_it(
    qtbot: QtBot, make_bar: MakeBar, workspace: Workspace
) -> None:
    bar = make_bar()
    click(qtbot, bar, "Play (")
    assert workspace.playhead.playing
    workspace.playhead.set_playing(False)
    click(qtbot, bar, "Play (")
    click(qtbot, bar, "Pause")
    assert not workspace.playhead.playing
    click(qtbot, bar, "Play in a loop")
    assert workspace.playhead.loop
    workspace.playhead.set_loop(False)
    click(qtbot, bar, "Play in a loop")
    assert workspace.playhead.loop


def test_speed_goes_up_and_down_and_back_to_normal(
    qtbot: QtBot, make_bar: MakeBar, workspace: Workspace
) -> None:
    bar = make_bar()
    box = bar.findChild(SpeedBox)
    assert isinstance(box, SpeedBox)
    click(qtbot, box, "Faster")
    click(qtbot, box, "Faster")
    assert (workspace.playhead.speed, box.text) == (4.0, "4.0×")
    workspace.playhead.set_speed(-4.0)
    click(qtbot, box, "Slower")
    assert (workspace.playhead.speed, box.text) == (-2.0, "−2.0×")
    click(qtbot, box, "Back to normal")
    assert workspace.playhead.speed == 1.0


def test_in_and_out_are_set_at_the_playhead(qtbot: QtBot, make_bar: MakeBar, workspace: Workspace) -> None:
    bar = make_bar()
    box = bar.findChild(RangeBox)
    assert isinstance(box, RangeBox)
    assert box.texts() == ("–", "–", "")
    start_ns = workspace.playhead.span.start_ns
    workspace.playhead.jump_to(start_ns + 50_310_999_999)
    click(qtbot, box, "Set the in point")
    workspace.playhead.jump_to(start_ns + 54_800_000_000)
    click(qtbot, box, "Set the out point")
    assert box.texts() == ("50.310", "54.800", "4.49 s")
    assert workspace.playhead.in_ns == start_ns + 50_310_999_999


def test_the_time_reads_in_three_ways(make_bar: MakeBar, workspace: Workspace) -> None:
    bar = make_bar()
    time = bar.findChild(BigTime)
    assert isinstance(time, BigTime)
    workspace.playhead.jump_to(workspace.playhead.span.start_ns + 52_706_000_000)
    assert time.text() == "00:00:52.706"
    workspace.time_display.set_mode(TimeMode.UTC)
    assert time.text() == "12:57:27.184"
    workspace.time_display.set_mode(TimeMode.NS)
    assert time.text() == "1317646647184000000"


def test_a_click_on_a_segment_changes_the_mode_once(
    qtbot: QtBot, make_bar: MakeBar, workspace: Workspace
) -> None:
    bar = make_bar()
    with qtbot.waitSignal(workspace.time_display.changed, timeout=1000):
        click(qtbot, bar, "Raw nanoseconds")
    assert workspace.time_display.mode is TimeMode.NS
    with qtbot.assertNotEmitted(workspace.time_display.changed):
        click(qtbot, bar, "Raw nanoseconds")


def test_a_clock_that_does_not_count_from_1970_has_no_utc(make_bar: MakeBar, workspace: Workspace) -> None:
    bar = make_bar(start_ns=5 * SECOND_NS)
    info, time, modes = bar.findChild(FocusInfo), bar.findChild(BigTime), bar.findChild(ModeSegments)
    assert isinstance(info, FocusInfo)
    assert isinstance(time, BigTime)
    assert isinstance(modes, ModeSegments)
    assert info.date_text() == ""
    workspace.time_display.set_mode(TimeMode.UTC)
    assert time.text() == "00:00:00.000"
    disabled = [b.text() for b in modes.findChildren(QToolButton) if not b.isEnabled()]
    assert disabled == ["UTC", "Local"]


def test_the_number_of_the_frame_keeps_its_width(make_bar: MakeBar, workspace: Workspace) -> None:
    bar = make_bar()
    info = bar.findChild(FocusInfo)
    assert isinstance(info, FocusInfo)
    assert info.number_text() == "  1 / 100"
    assert info.date_text() == "2011-10-03 12:56:34.478 UTC"
    workspace.playhead.jump_to(workspace.playhead.span.stop_ns)
    assert info.number_text() == "100 / 100"
    workspace.focus(None)
    assert info.number_text() == ""


def shown_parts(bar: TransportBar) -> list[str]:
    kinds = (BigTime, FocusInfo, SpeedBox, ModeSegments, RangeBox)
    return [kind.__name__ for kind in kinds if not hidden(bar.findChild(kind), bar)]


def hidden(widget: object, bar: TransportBar) -> bool:
    assert isinstance(widget, QWidget)
    return not widget.isVisibleTo(bar)


def test_everything_fits_1280_pixels(make_bar: MakeBar) -> None:
    assert len(shown_parts(make_bar(width=1280))) == 5


def test_what_is_least_needed_goes_first(make_bar: MakeBar) -> None:
    bar = make_bar()
    needed = ["BigTime", "FocusInfo", "SpeedBox", "ModeSegments", "RangeBox"]
    seen = set()
    for width in range(1300, 0, -50):
        bar.resize(width, BAR_PX)
        bar.grab()
        shown = shown_parts(bar)
        seen.add(len(shown))
        assert shown == needed[: len(shown)]
        if len(shown) > 1:
            parts = [
                child for child in bar.children() if isinstance(child, QWidget) and not hidden(child, bar)
            ]
            assert max(part.geometry().right() for part in parts) < width
    assert seen == {0, 1, 2, 3, 4, 5}


def test_nothing_open_leaves_only_opening(qtbot: QtBot, make_bar: MakeBar, workspace: Workspace) -> None:
    bar = make_bar()
    workspace.set_recording(None)
    enabled = {b.accessibleName() for b in bar.findChildren(QToolButton) if b.isEnabled()}
    assert enabled == {"Open a recording (Ctrl+O)"}
    bar.grab()


@pytest.mark.parametrize("dark", [True, False])
def test_the_play_button_is_filled_with_the_accent(make_bar: MakeBar, dark: bool) -> None:
    bar = make_bar(dark=dark)
    play = bar.findChild(QToolButton, "play")
    assert isinstance(play, QToolButton)
    accent = Theme(dark=dark).tokens.accent
    assert play.grab().toImage().pixelColor(8, 20).rgb() == accent.rgb()
