from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget
from pytestqt.qtbot import QtBot

from hfviewer.app.dock_places import LEAST_PANEL_PX
from hfviewer.app.panel_area import SOON_NS, PanelArea
from hfviewer.model.workspace import Workspace
from hfviewer.panels.standing import Standing
from hfviewer.panels.theme import Theme
from hfviewer.playback.player import Player
from hfviewer.quality.gap import Gaps
from tests.playback.fakes import FakeRecording, FakeStream, every

START_NS = 1_700_000_000_000_000_000
PERIOD_NS = 100_000_000


@pytest.fixture
def workspace(qapp: object) -> Workspace:
    return Workspace()


@pytest.fixture
def area(qtbot: QtBot, workspace: Workspace) -> Iterator[PanelArea]:
    player = Player(workspace, cache_bytes=1 << 20)
    made = PanelArea(workspace, player, Theme())
    qtbot.addWidget(made)
    made.resize(1200, 700)
    made.show()
    qtbot.waitExposed(made)
    yield made
    player.close()


def cameras(count: int) -> FakeRecording:
    """Cameras `cam 0` …; only two of them get a panel by themselves."""
    return FakeRecording(*(FakeStream(f"cam {i}", every(PERIOD_NS, 20)) for i in range(count)))


def show(workspace: Workspace, area: PanelArea, recording: FakeRecording | None) -> None:
    workspace.set_recording(recording)
    area.show_recording(recording)


def visible(area: PanelArea) -> set[str]:
    return {panel.stream_name for panel in area.visible_panels}


def dock_of(area: PanelArea, stream: str) -> QDockWidget:
    dock = area.findChild(QDockWidget, f"panel/{stream}")
    assert dock is not None
    return dock


def wait_for(qtbot: QtBot, area: PanelArea, *streams: str) -> None:
    qtbot.waitUntil(lambda: visible(area) == set(streams), timeout=5_000)


def starts(**first_ns: int | None) -> FakeRecording:
    """A stream for each name; its first frame so long after the start, or none at all."""
    tables = {
        name: np.empty(0, np.int64) if at_ns is None else every(PERIOD_NS, 5, start_ns=START_NS + at_ns)
        for name, at_ns in first_ns.items()
    }
    return FakeRecording(*(FakeStream(name, table) for name, table in tables.items()))


@pytest.mark.parametrize(
    ("first_ns", "expected_ns"),
    [
        ({"a": 0, "b": 70_000_000}, 70_000_000),
        ({"a": 0, "b": SOON_NS}, SOON_NS),
        ({"a": 0, "b": SOON_NS + 1}, 0),
        ({"a": 0, "b": None}, 0),
    ],
)
def test_the_first_filled_moment_is_that_of_the_last_stream_to_begin_if_that_is_soon(
    workspace: Workspace, area: PanelArea, first_ns: dict[str, int | None], expected_ns: int
) -> None:
    show(workspace, area, starts(**first_ns))
    area.open_panel("b")
    assert area.first_filled_ns() == START_NS + expected_ns


def test_streams_without_a_panel_do_not_count_for_the_first_filled_moment(
    workspace: Workspace, area: PanelArea
) -> None:
    show(workspace, area, starts(a=0, b=0, c=500_000_000))
    assert not area.is_open("c")
    assert area.first_filled_ns() == START_NS
    area.open_panel("c")
    assert area.first_filled_ns() == START_NS + 500_000_000


def test_with_nothing_open_the_first_filled_moment_is_the_start(
    workspace: Workspace, area: PanelArea
) -> None:
    assert area.first_filled_ns() == workspace.playhead.span.start_ns


def test_the_frame_under_the_playhead_reaches_its_panel(
    qtbot: QtBot, workspace: Workspace, area: PanelArea
) -> None:
    show(workspace, area, cameras(2))
    workspace.playhead.jump_to(START_NS + 7 * PERIOD_NS)
    qtbot.waitUntil(lambda: [panel.shown_index for panel in area.panels] == [7, 7], timeout=5_000)


def test_a_hidden_panel_is_read_no_more_and_comes_back_with_the_frame_of_now(
    qtbot: QtBot, workspace: Workspace, area: PanelArea
) -> None:
    recording = cameras(2)
    show(workspace, area, recording)
    wait_for(qtbot, area, "cam 0", "cam 1")
    area.close_panel("cam 1")
    wait_for(qtbot, area, "cam 0")
    workspace.playhead.jump_to(START_NS + 15 * PERIOD_NS)
    first, second = area.panel("cam 0"), area.panel("cam 1")
    assert first is not None
    assert second is not None
    qtbot.waitUntil(lambda: first.shown_index == 15, timeout=5_000)
    assert 15 not in recording.streams["cam 1"].read_indices
    area.open_panel("cam 1")
    qtbot.waitUntil(lambda: second.shown_index == 15, timeout=5_000)
    assert area.panel("cam 1") is second


def test_a_new_panel_stands_beside_a_wide_one_and_below_a_high_one(
    qtbot: QtBot, workspace: Workspace, area: PanelArea
) -> None:
    area.resize(3 * LEAST_PANEL_PX[0], 700)
    show(workspace, area, cameras(4))
    area.close_panel("cam 1")
    qtbot.waitUntil(lambda: dock_of(area, "cam 0").size() == area.size(), timeout=5_000)
    area.open_panel("cam 2")
    wait_for(qtbot, area, "cam 0", "cam 2")
    left, right = dock_of(area, "cam 0").geometry(), dock_of(area, "cam 2").geometry()
    assert right.left() >= left.right()
    assert (right.top(), right.height()) == (left.top(), left.height())
    area.open_panel("cam 3")
    wait_for(qtbot, area, "cam 0", "cam 2", "cam 3")
    below = dock_of(area, "cam 3").geometry()
    above = next(
        geometry
        for stream in ("cam 0", "cam 2")
        if (geometry := dock_of(area, stream).geometry()).left() == below.left()
    )
    assert below.top() >= above.bottom()


def test_where_no_room_is_left_a_panel_goes_behind_the_one_in_focus(
    qtbot: QtBot, workspace: Workspace, area: PanelArea
) -> None:
    show(workspace, area, cameras(3))
    wait_for(qtbot, area, "cam 0", "cam 1")
    area.resize(2 * LEAST_PANEL_PX[0] - 20, 2 * LEAST_PANEL_PX[1] - 20)
    narrow = 2 * LEAST_PANEL_PX[0]
    qtbot.waitUntil(lambda: all(dock_of(area, f"cam {i}").width() < narrow for i in (0, 1)), timeout=5_000)
    workspace.focus("cam 1")
    area.open_panel("cam 2")
    wait_for(qtbot, area, "cam 0", "cam 2")
    assert area.tabifiedDockWidgets(dock_of(area, "cam 1")) == [dock_of(area, "cam 2")]
    # The lower one of the two is open all the same.
    assert area.is_open("cam 1")
    area.open_panel("cam 1")
    wait_for(qtbot, area, "cam 0", "cam 1")


def test_the_first_panel_of_an_empty_area_fills_it(
    qtbot: QtBot, workspace: Workspace, area: PanelArea
) -> None:
    show(workspace, area, cameras(3))
    for stream in ("cam 0", "cam 1"):
        area.close_panel(stream)
    qtbot.waitUntil(lambda: bool(area.empty_text), timeout=5_000)
    area.open_panel("cam 2")
    wait_for(qtbot, area, "cam 2")
    assert area.empty_text == ""
    assert dock_of(area, "cam 2").size() == area.size()


def test_maximising_gives_one_panel_the_area_and_the_others_stay_open(
    qtbot: QtBot, workspace: Workspace, area: PanelArea
) -> None:
    show(workspace, area, cameras(2))
    wait_for(qtbot, area, "cam 0", "cam 1")
    before = {name: dock_of(area, name).geometry() for name in ("cam 0", "cam 1")}
    area.toggle_maximised("cam 1")
    wait_for(qtbot, area, "cam 1")
    assert area.is_open("cam 0")
    area.toggle_maximised("cam 1")
    wait_for(qtbot, area, "cam 0", "cam 1")
    qtbot.waitUntil(
        lambda: {name: dock_of(area, name).geometry() for name in before} == before, timeout=5_000
    )


@pytest.mark.parametrize("action", ["open_panel", "close_panel"])
def test_opening_or_closing_a_panel_undoes_maximising(
    qtbot: QtBot, workspace: Workspace, area: PanelArea, action: str
) -> None:
    show(workspace, area, cameras(3))
    wait_for(qtbot, area, "cam 0", "cam 1")
    area.toggle_maximised("cam 0")
    wait_for(qtbot, area, "cam 0")
    if action == "open_panel":
        area.open_panel("cam 2")
        wait_for(qtbot, area, "cam 0", "cam 1", "cam 2")
    else:
        area.close_panel("cam 1")
        wait_for(qtbot, area, "cam 0")
        assert not area.is_open("cam 1")


def test_a_closed_panel_cannot_be_maximised(qtbot: QtBot, workspace: Workspace, area: PanelArea) -> None:
    show(workspace, area, cameras(3))
    area.close_panel("cam 1")
    wait_for(qtbot, area, "cam 0")
    for stream in ("cam 1", "cam 2", "none"):
        area.toggle_maximised(stream)
        assert visible(area) == {"cam 0"}


def test_a_floating_panel_is_a_window_of_its_own_until_it_is_put_back(
    qtbot: QtBot, workspace: Workspace, area: PanelArea
) -> None:
    show(workspace, area, cameras(2))
    wait_for(qtbot, area, "cam 0", "cam 1")
    dock = dock_of(area, "cam 1")
    area.toggle_floating("cam 1")
    qtbot.waitUntil(dock.isFloating, timeout=5_000)
    assert visible(area) == {"cam 0", "cam 1"}
    area.toggle_maximised("cam 0")  # leaves windows of their own alone
    assert visible(area) == {"cam 0", "cam 1"}
    area.toggle_maximised("cam 0")
    area.toggle_floating("cam 1")
    qtbot.waitUntil(lambda: not dock.isFloating(), timeout=5_000)


def test_maximising_a_floating_panel_fills_the_screen(
    qtbot: QtBot, workspace: Workspace, area: PanelArea
) -> None:
    show(workspace, area, cameras(2))
    wait_for(qtbot, area, "cam 0", "cam 1")
    dock = dock_of(area, "cam 1")
    area.toggle_floating("cam 1")
    for is_maximised in (True, False):
        area.toggle_maximised("cam 1")
        assert bool(dock.windowState() & Qt.WindowState.WindowMaximized) is is_maximised
        assert visible(area) == {"cam 0", "cam 1"}


def test_only_an_open_panel_is_called_open(qtbot: QtBot, workspace: Workspace, area: PanelArea) -> None:
    show(workspace, area, cameras(3))
    assert [area.is_open(f"cam {i}") for i in range(4)] == [True, True, False, False]
    area.close_panel("cam 0")
    assert [area.is_open(f"cam {i}") for i in range(3)] == [False, True, False]
    assert area.panel("cam 2") is None


def test_every_panel_that_comes_or_goes_is_told(qtbot: QtBot, workspace: Workspace, area: PanelArea) -> None:
    told: list[tuple[bool, ...]] = []
    area.panels_changed.connect(lambda: told.append(tuple(area.is_open(f"cam {i}") for i in range(3))))
    show(workspace, area, cameras(3))
    area.open_panel("cam 2")
    area.close_panel("cam 0")
    area.close_panel("none")
    show(workspace, area, None)
    assert told == [(True, True, False), (True, True, True), (False, True, True), (False, False, False)]
    assert list(area.panels) == []


def test_with_nothing_open_no_panel_can_be_opened(area: PanelArea) -> None:
    area.open_panel("cam 0")
    area.toggle_floating("cam 0")
    area.close_panel("cam 0")
    assert list(area.panels) == []
    assert area.empty_text == ""


def test_a_recording_without_streams_says_so(workspace: Workspace, area: PanelArea) -> None:
    show(workspace, area, FakeRecording())
    assert area.empty_text == "This recording has no streams."


def test_the_focus_outlines_one_panel(qtbot: QtBot, workspace: Workspace, area: PanelArea) -> None:
    show(workspace, area, cameras(2))
    wait_for(qtbot, area, "cam 0", "cam 1")
    panel = area.panel("cam 1")
    assert panel is not None
    panel.focus_requested.emit("cam 1")
    assert workspace.focused == "cam 1"
    panel.maximise_requested.emit()
    wait_for(qtbot, area, "cam 1")


def test_a_stream_has_as_many_panels_as_are_asked_for_and_each_frame_is_read_once(
    qtbot: QtBot, workspace: Workspace, area: PanelArea
) -> None:
    recording = cameras(1)
    show(workspace, area, recording)
    wait_for(qtbot, area, "cam 0")
    area.open_another("cam 0")
    qtbot.waitUntil(lambda: len(area.visible_panels) == 2, timeout=5_000)
    qtbot.waitUntil(lambda: [panel.shown_index for panel in area.panels] == [0, 0], timeout=5_000)
    workspace.playhead.jump_to(START_NS + 7 * PERIOD_NS)
    qtbot.waitUntil(lambda: [panel.shown_index for panel in area.panels] == [7, 7], timeout=5_000)
    assert recording.streams["cam 0"].read_indices.count(7) == 1


def test_the_panel_clicked_last_is_the_one_that_is_outlined_and_closed(
    qtbot: QtBot, workspace: Workspace, area: PanelArea
) -> None:
    show(workspace, area, cameras(1))
    wait_for(qtbot, area, "cam 0")
    first = area.panels[0]
    first.command_requested.emit("another")
    qtbot.waitUntil(lambda: len(area.visible_panels) == 2, timeout=5_000)
    second = area.panels[1]
    second.focus_requested.emit("cam 0")
    assert area.panel("cam 0") is second
    area.close_active("cam 0")
    qtbot.waitUntil(lambda: list(area.visible_panels) == [first], timeout=5_000)
    assert area.is_open("cam 0")
    assert area.panel("cam 0") is first
    area.open_another("cam 0")
    qtbot.waitUntil(lambda: len(area.visible_panels) == 2, timeout=5_000)
    assert len(area.panels) == 2
    area.close_panel("cam 0")
    assert not area.is_open("cam 0")


def test_the_menu_of_a_panel_floats_docks_and_closes_it(
    qtbot: QtBot, workspace: Workspace, area: PanelArea
) -> None:
    show(workspace, area, cameras(2))
    wait_for(qtbot, area, "cam 0", "cam 1")
    panel = area.panel("cam 1")
    assert panel is not None
    panel.command_requested.emit("float")
    assert dock_of(area, "cam 1").isFloating()
    panel.command_requested.emit("float")
    panel.command_requested.emit("close")
    wait_for(qtbot, area, "cam 0")


def test_a_panel_goes_behind_its_neighbour_as_a_tab_and_comes_back_beside_it(
    qtbot: QtBot, workspace: Workspace, area: PanelArea
) -> None:
    show(workspace, area, cameras(2))
    wait_for(qtbot, area, "cam 0", "cam 1")
    panel = area.panel("cam 1")
    assert panel is not None
    panel.command_requested.emit("tab")
    wait_for(qtbot, area, "cam 1")
    assert area.tabifiedDockWidgets(dock_of(area, "cam 1")) == [dock_of(area, "cam 0")]
    panel.command_requested.emit("tab")
    wait_for(qtbot, area, "cam 0", "cam 1")
    assert area.tabifiedDockWidgets(dock_of(area, "cam 1")) == []


def test_tabs_of_one_stream_can_be_told_apart(qtbot: QtBot, workspace: Workspace, area: PanelArea) -> None:
    show(workspace, area, cameras(1))
    area.open_another("cam 0")
    titles = {dock.windowTitle() for dock in area.findChildren(QDockWidget)}
    assert titles == {"cam 0", "cam 0 · 2"}


def test_gaps_that_decoding_judged_reach_open_panels_and_later_ones(
    qtbot: QtBot, workspace: Workspace, area: PanelArea
) -> None:
    stamps_ns = np.delete(every(PERIOD_NS, 20), [7, 8])
    show(workspace, area, FakeRecording(FakeStream("cam 0", stamps_ns)))
    wait_for(qtbot, area, "cam 0")
    workspace.playhead.move_to(int(stamps_ns[6]) + 2 * PERIOD_NS)
    qtbot.waitUntil(lambda: all(panel.standing is Standing.MISSING for panel in area.panels), timeout=5_000)
    area.set_gaps({"cam 0": Gaps.none()})
    area.open_another("cam 0")
    qtbot.waitUntil(lambda: len(area.visible_panels) == 2, timeout=5_000)
    qtbot.waitUntil(lambda: all(panel.is_current for panel in area.panels), timeout=5_000)
    assert all(panel.standing is not Standing.MISSING for panel in area.panels)
    area.show_recording(workspace.recording)
    qtbot.waitUntil(lambda: all(panel.standing is Standing.MISSING for panel in area.panels), timeout=5_000)
