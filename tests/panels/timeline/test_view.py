from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from hfviewer.core.finding import Finding, Severity
from hfviewer.core.stream import StreamKind
from hfviewer.core.window import TimeWindow
from hfviewer.model.workspace import Workspace
from hfviewer.panels.theme import DARK, Theme
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.canvas import TimelineCanvas
from hfviewer.panels.timeline.lane_menu import fill_lane_menu
from hfviewer.panels.timeline.layout import LANE_PX, NAMES_PX, TALL_LANE_PX, TOP_PX
from hfviewer.panels.timeline.view import TimelineView
from tests.panels.fakes import START_NS, FakeRecording, FakeStream, regular_ns

PERIOD_NS = 10_000_000
SECOND_NS = 1_000_000_000
LEFT = Qt.MouseButton.LeftButton
MIDDLE = Qt.MouseButton.MiddleButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
PLAIN = Qt.KeyboardModifier.NoModifier
MakeView = Callable[..., TimelineView]


def ten_seconds() -> FakeRecording:
    """Two regular streams of 10 s at 100 Hz; the second lost frames 500 to 502."""
    lost = np.delete(regular_ns(1000, PERIOD_NS), [500, 501, 502])
    return FakeRecording(
        FakeStream("cam", regular_ns(1000, PERIOD_NS)), FakeStream("depth", lost, kind=StreamKind.DEPTH)
    )


@pytest.fixture
def workspace(qapp: QApplication) -> Workspace:
    return Workspace()


@pytest.fixture
def make_view(qtbot: QtBot, workspace: Workspace) -> MakeView:
    def make(
        recording: FakeRecording | None, *, width: int = NAMES_PX + 1000, height: int = 282, dark: bool = True
    ) -> TimelineView:
        view = TimelineView(workspace, Theme(dark=dark))
        qtbot.addWidget(view)
        view.resize(width, height)
        view.grab()  # lays it out
        workspace.set_recording(recording)
        view.canvas.finish_scan()
        return view

    return make


def axis_of(view: TimelineView) -> TimeAxis:
    assert view.canvas.axis is not None
    return view.canvas.axis


def mouse(
    view: TimelineView,
    kind: QEvent.Type,
    x: int,
    y: int,
    *,
    button: Qt.MouseButton = LEFT,
    modifiers: Qt.KeyboardModifier = PLAIN,
) -> None:
    held = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseButtonRelease else button
    changed = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else button
    where = QPointF(x, y)
    QApplication.sendEvent(view.canvas, QMouseEvent(kind, where, where, changed, held, modifiers))


def drag(
    view: TimelineView,
    start: tuple[int, int],
    *stops: tuple[int, int],
    button: Qt.MouseButton = LEFT,
    modifiers: Qt.KeyboardModifier = PLAIN,
) -> None:
    mouse(view, QEvent.Type.MouseButtonPress, *start, button=button, modifiers=modifiers)
    for stop in stops:
        mouse(view, QEvent.Type.MouseMove, *stop, button=button, modifiers=modifiers)
    mouse(view, QEvent.Type.MouseButtonRelease, *stops[-1], button=button, modifiers=modifiers)


def wheel(view: TimelineView, x: int, y: int, delta: int, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    where = QPointF(x, y)
    event = QWheelEvent(
        where,
        where,
        QPoint(),
        QPoint(0, delta),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.canvas, event)


def lane_y(view: TimelineView, lane: int) -> int:
    return view.canvas.parts.lane_top(lane) + view.canvas.parts.lane_px // 2


def picture(view: TimelineView) -> QImage:
    return view.canvas.grab().toImage()


def count_of(image: QImage, colour: QColor, y: int) -> int:
    return sum(image.pixelColor(x, y).rgb() == colour.rgb() for x in range(NAMES_PX, image.width()))


def test_opening_a_recording_shows_all_of_it(make_view: MakeView) -> None:
    view = make_view(ten_seconds())
    assert view.view == TimeWindow(START_NS, START_NS + 999 * PERIOD_NS + 1)
    assert [lane.name for lane in view.canvas.lanes] == ["cam", "depth"]


@pytest.mark.parametrize("frames_in_view", [20, 200, 1000])
def test_a_gap_is_red_at_any_zoom(make_view: MakeView, frames_in_view: int) -> None:
    view = make_view(ten_seconds())
    middle_ns = START_NS + 501 * PERIOD_NS
    half_ns = frames_in_view * PERIOD_NS // 2
    view.canvas.set_axis(axis_of(view).showing(middle_ns - half_ns, middle_ns + half_ns))
    error = Theme().tokens.error
    assert count_of(picture(view), error, lane_y(view, 1)) >= 3
    assert count_of(picture(view), error, lane_y(view, 0)) == 0


def test_the_in_out_range_dims_ticks_but_no_gap(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(ten_seconds())
    error, y = Theme().tokens.error, lane_y(view, 1)
    before = picture(view)
    workspace.playhead.set_range(START_NS, START_NS + SECOND_NS)
    after = picture(view)
    assert count_of(after, error, y) == count_of(before, error, y) > 0
    x = NAMES_PX + axis_of(view).column_at(START_NS + 8 * SECOND_NS)
    assert after.pixelColor(x, y).lightness() < before.pixelColor(x, y).lightness()


def test_moving_the_playhead_keeps_the_painted_lanes(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(ten_seconds())
    first = picture(view)
    painted = view.canvas.bodies_painted
    workspace.playhead.jump_to(START_NS + 3 * SECOND_NS)
    assert picture(view) != first
    assert view.canvas.bodies_painted == painted
    view.zoom(2)
    picture(view)
    assert view.canvas.bodies_painted == painted + 1


def test_pressing_a_tick_shows_its_frame_and_dragging_scrubs(
    make_view: MakeView, workspace: Workspace
) -> None:
    view = make_view(ten_seconds())
    moves: list[int] = []
    workspace.playhead.moved.connect(moves.append)
    stamp_ns = START_NS + 300 * PERIOD_NS
    x, y = NAMES_PX + axis_of(view).column_at(stamp_ns), lane_y(view, 0)
    mouse(view, QEvent.Type.MouseButtonPress, x, y)
    assert stamp_ns <= workspace.playhead.position_ns < stamp_ns + PERIOD_NS
    mouse(view, QEvent.Type.MouseMove, x + 100, y)
    mouse(view, QEvent.Type.MouseMove, x + 50, y)
    mouse(view, QEvent.Type.MouseButtonRelease, x + 50, y)
    assert len(moves) == 3
    assert moves[2] < moves[1]
    mouse(view, QEvent.Type.MouseMove, x + 400, y, button=Qt.MouseButton.NoButton)
    assert len(moves) == 3


def test_dragging_beyond_the_edge_stops_at_the_edge_of_the_view(
    make_view: MakeView, workspace: Workspace
) -> None:
    view = make_view(ten_seconds())
    drag(view, (NAMES_PX + 50, lane_y(view, 0)), (NAMES_PX - 150, 500))
    assert workspace.playhead.position_ns - START_NS < 2 * PERIOD_NS


def test_a_drag_with_shift_selects_in_either_direction(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(ten_seconds())
    workspace.set_snapping(False)
    y = lane_y(view, 0)
    for first, last in ((200, 400), (400, 200)):
        workspace.playhead.set_range(None, None)
        drag(view, (NAMES_PX + first, y), (NAMES_PX + 300, y), (NAMES_PX + last, y), modifiers=SHIFT)
        assert workspace.playhead.in_ns == axis_of(view).time_at(201) - 1
        assert workspace.playhead.out_ns == axis_of(view).time_at(401) - 1
    assert workspace.playhead.position_ns == START_NS


def test_the_wheel_zooms_about_the_pointer(make_view: MakeView) -> None:
    view = make_view(ten_seconds())
    under_ns = axis_of(view).time_at(700)
    wheel(view, NAMES_PX + 700, lane_y(view, 0), 120)
    assert axis_of(view).view.duration_ns == pytest.approx(axis_of(view).span.duration_ns / 1.25, rel=1e-3)
    assert abs(axis_of(view).column_at(under_ns) - 700) <= 1
    wheel(view, NAMES_PX + 700, lane_y(view, 0), -120)
    assert axis_of(view).view.duration_ns == pytest.approx(axis_of(view).span.duration_ns, rel=1e-3)


def test_the_wheel_with_shift_and_the_middle_button_pan(make_view: MakeView) -> None:
    view = make_view(ten_seconds())
    view.canvas.set_axis(axis_of(view).showing(START_NS + 4 * SECOND_NS, START_NS + 5 * SECOND_NS))
    wheel(view, NAMES_PX + 700, lane_y(view, 0), -120, SHIFT)
    assert axis_of(view).view == TimeWindow(START_NS + 4_100_000_000, START_NS + 5_100_000_000)
    y = lane_y(view, 0)
    drag(view, (NAMES_PX + 500, y), (NAMES_PX + 450, y), (NAMES_PX + 600, y), button=MIDDLE)
    assert axis_of(view).view == TimeWindow(START_NS + 4 * SECOND_NS, START_NS + 5 * SECOND_NS)


def test_a_double_click_and_the_button_show_all(make_view: MakeView) -> None:
    view = make_view(ten_seconds())
    view.zoom(8)
    mouse(view, QEvent.Type.MouseButtonDblClick, NAMES_PX + 10, lane_y(view, 0))
    assert axis_of(view).fits
    view.zoom(8)
    assert not axis_of(view).fits
    view.fit()
    assert axis_of(view).fits


def test_the_box_in_the_overview_moves_and_resizes_the_view(make_view: MakeView) -> None:
    view = make_view(ten_seconds())
    view.canvas.set_axis(axis_of(view).showing(START_NS + 2 * SECOND_NS, START_NS + 4 * SECOND_NS))
    whole = axis_of(view).fitted()
    first, stop = whole.column_at(START_NS + 2 * SECOND_NS), whole.column_at(START_NS + 4 * SECOND_NS)
    drag(view, (NAMES_PX + first + 50, 10), (NAMES_PX + first + 150, 10))
    moved = axis_of(view).view
    assert moved.duration_ns == 2 * SECOND_NS
    assert moved.start_ns == pytest.approx(START_NS + 3 * SECOND_NS, abs=2 * PERIOD_NS)
    drag(view, (NAMES_PX + stop + 100, 10), (NAMES_PX + stop + 200, 10))
    wider = axis_of(view).view
    assert wider.start_ns == moved.start_ns
    assert wider.duration_ns == pytest.approx(3 * SECOND_NS, abs=2 * PERIOD_NS)
    drag(view, (NAMES_PX + 900, 10), (NAMES_PX + 901, 10))
    assert START_NS + 9 * SECOND_NS in axis_of(view).view


def test_a_click_on_a_name_focuses_its_stream(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(ten_seconds())
    assert workspace.focused == "cam"
    drag(view, (40, lane_y(view, 1)), (40, lane_y(view, 1)))
    assert workspace.focused == "depth"
    assert workspace.playhead.position_ns == START_NS


def test_playing_beyond_the_edge_turns_the_page(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(ten_seconds())
    view.canvas.set_axis(axis_of(view).showing(START_NS, START_NS + SECOND_NS))
    workspace.playhead.jump_to(START_NS + SECOND_NS - 1)
    workspace.playhead.set_playing(True)
    workspace.playhead.move_to(START_NS + SECOND_NS + 1_000)
    assert axis_of(view).view.start_ns == START_NS + SECOND_NS + 1_000 - SECOND_NS // 10
    assert axis_of(view).view.duration_ns == SECOND_NS


def test_who_looks_elsewhere_while_playing_is_left_alone(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(ten_seconds())
    workspace.playhead.set_playing(True)
    elsewhere = axis_of(view).showing(START_NS + 8 * SECOND_NS, START_NS + 9 * SECOND_NS)
    view.canvas.set_axis(elsewhere)
    workspace.playhead.move_to(START_NS + PERIOD_NS)
    workspace.playhead.move_to(START_NS + 2 * PERIOD_NS)
    assert axis_of(view) == elsewhere


def test_a_seek_while_paused_leaves_the_view(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(ten_seconds())
    view.canvas.set_axis(axis_of(view).showing(START_NS, START_NS + SECOND_NS))
    before = axis_of(view)
    workspace.playhead.jump_to(START_NS + 5 * SECOND_NS)
    assert axis_of(view) == before


@pytest.mark.parametrize(
    ("time_ns", "start_ns"),
    [(4_500_000_000, 4_000_000_000), (5_000_000_000, 4_900_000_000), (3_900_000_000, 3_000_000_000)],
)
def test_a_time_is_brought_into_view_at_the_same_zoom(
    make_view: MakeView, time_ns: int, start_ns: int
) -> None:
    view = make_view(ten_seconds())
    view.canvas.set_axis(axis_of(view).showing(START_NS + 4 * SECOND_NS, START_NS + 5 * SECOND_NS))
    view.show_time(START_NS + time_ns)
    assert axis_of(view).view == TimeWindow(START_NS + start_ns, START_NS + start_ns + SECOND_NS)


def test_zooming_in_far_from_the_playhead_paints_whatever_lies_millions_of_columns_away(
    make_view: MakeView, workspace: Workspace
) -> None:
    view = make_view(ten_seconds())
    ends_ns = (START_NS, START_NS + 10 * SECOND_NS - 1)
    for elsewhere_ns in ends_ns:
        view.canvas.set_axis(axis_of(view).showing(elsewhere_ns, elsewhere_ns + 1))
        assert axis_of(view).view.duration_ns == 1_000
        for playhead_ns in (*ends_ns, elsewhere_ns):
            workspace.playhead.jump_to(playhead_ns)
            workspace.playhead.set_range(ends_ns[0], playhead_ns)
            assert not picture(view).isNull()


def test_the_hold_of_a_frame_fills_the_view_that_lies_inside_it(
    make_view: MakeView, workspace: Workspace
) -> None:
    view = make_view(FakeRecording(FakeStream("slow", regular_ns(3, SECOND_NS))))
    workspace.playhead.jump_to(START_NS + SECOND_NS)
    middle_ns = START_NS + SECOND_NS + SECOND_NS // 2
    view.canvas.set_axis(axis_of(view).showing(middle_ns, middle_ns + 1))
    row = picture(view)
    y = lane_y(view, 0)
    held = {row.pixelColor(x, y).name() for x in range(NAMES_PX + 1, row.width() - 1)}
    assert held != {DARK.bg0.name()}
    assert len(held) <= 2  # and a line of the grid
    workspace.playhead.jump_to(START_NS)
    assert picture(view).pixelColor(NAMES_PX + 7, y).name() == DARK.bg0.name()


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_zoom_keys_keep_the_playhead_in_view(
    make_view: MakeView, workspace: Workspace, share: float
) -> None:
    view = make_view(ten_seconds())
    span = workspace.playhead.span
    playhead_ns = span.start_ns + round((span.duration_ns - 1) * share)
    workspace.playhead.jump_to(playhead_ns)
    while axis_of(view).view.duration_ns > 1_000:
        before = axis_of(view)
        view.zoom(1.6)
        assert playhead_ns in axis_of(view).view
        assert abs(axis_of(view).column_at(playhead_ns) - before.column_at(playhead_ns)) <= 1
    for _ in range(60):
        view.zoom(1 / 1.6)
        assert playhead_ns in axis_of(view).view


def test_timestamps_up_to_the_end_of_int64_are_drawn(make_view: MakeView, workspace: Workspace) -> None:
    stamps_ns = 2**63 - 1 - SECOND_NS * np.arange(49, -1, -1, dtype=np.int64)
    view = make_view(FakeRecording(FakeStream("late", stamps_ns)))
    assert count_of(picture(view), DARK.bg0, lane_y(view, 0)) < 1000 - 49
    for time_ns in (int(stamps_ns[0]), int(stamps_ns[-1])):
        workspace.playhead.jump_to(time_ns)
        assert time_ns in axis_of(view).view
        for _ in range(60):
            view.zoom(1.6)
            assert not picture(view).isNull()
        assert time_ns in axis_of(view).view
        view.canvas.show_hover(QPoint(NAMES_PX + 500, lane_y(view, 0)))
        view.fit()
    view.canvas.show_hover(QPoint(NAMES_PX + 999, lane_y(view, 0)))
    content = view.canvas.card.last_content
    assert content is not None
    assert content.number == "#49 of 50"


def test_a_name_of_two_lines_is_shown_on_one(make_view: MakeView) -> None:
    view = make_view(FakeRecording(FakeStream("line\nbreak", regular_ns(10, SECOND_NS))))
    view.canvas.show_hover(QPoint(NAMES_PX + 500, lane_y(view, 0)))
    content = view.canvas.card.last_content
    assert content is not None
    assert content.stream == "line break"
    assert not picture(view).isNull()


def test_hovering_tells_time_frame_and_what_is_lost(make_view: MakeView) -> None:
    view = make_view(ten_seconds())
    x = NAMES_PX + axis_of(view).column_at(START_NS + 501 * PERIOD_NS)
    view.canvas.show_hover(QPoint(x, lane_y(view, 1)))
    content = view.canvas.card.last_content
    assert content is not None
    assert content.stream == "depth"
    assert content.number == "#499 of 997"
    assert content.warning == "3 frames lost, by interval"
    view.canvas.hide_hover()
    assert view.canvas.card.last_content is None


def test_hovering_shows_a_picture_that_is_at_hand(make_view: MakeView) -> None:
    view = make_view(ten_seconds())
    asked: list[tuple[str, int]] = []
    small = QImage(16, 9, QImage.Format.Format_RGB32)

    def source(stream: str, index: int) -> QImage:
        asked.append((stream, index))
        return small

    view.set_thumbnails(source)
    view.canvas.show_hover(
        QPoint(NAMES_PX + axis_of(view).column_at(START_NS + 70 * PERIOD_NS), lane_y(view, 0))
    )
    content = view.canvas.card.last_content
    assert content is not None
    assert content.thumbnail is small
    assert asked == [("cam", 70)]


def test_the_worst_finding_stands_beside_the_name(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(ten_seconds())
    beside = (NAMES_PX - 19, lane_y(view, 0) - 7, 14, 14)
    before = view.canvas.grab().copy(*beside).toImage()
    workspace.add_findings(
        [
            Finding(code="a", severity=Severity.INFO, message="", stream="cam"),
            Finding(code="b", severity=Severity.ERROR, message="", stream="cam"),
        ]
    )
    after = view.canvas.grab().copy(*beside).toImage()
    error = Theme().tokens.error
    colours = {after.pixelColor(x, y).rgb() for x in range(14) for y in range(14)}
    assert before != after
    assert error.rgb() in colours


@pytest.mark.parametrize("dark", [True, False])
def test_nothing_open_says_so_and_every_gesture_is_harmless(make_view: MakeView, dark: bool) -> None:
    view = make_view(None, dark=dark)
    picture(view)
    drag(view, (NAMES_PX + 10, 100), (NAMES_PX + 90, 100))
    drag(view, (NAMES_PX + 10, 10), (NAMES_PX + 90, 10))
    wheel(view, NAMES_PX + 10, 100, 120)
    mouse(view, QEvent.Type.MouseButtonDblClick, NAMES_PX + 10, 100)
    view.zoom(2)
    view.fit()
    view.show_time(5)
    assert view.view is None


def test_streams_of_one_and_of_no_frame_are_shown(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(FakeRecording(FakeStream("one", [START_NS]), FakeStream("none", [])))
    view.canvas.arrangement.show_all()
    picture(view)
    for lane in range(2):
        view.canvas.show_hover(QPoint(NAMES_PX + 500, lane_y(view, lane)))
    content = view.canvas.card.last_content
    assert content is not None
    assert (content.number, content.detail) == ("– of 0", "no frames")
    view.zoom(1e6)
    picture(view)


def test_a_recording_without_any_frame_is_empty(make_view: MakeView) -> None:
    view = make_view(FakeRecording(FakeStream("none", [])))
    assert view.view is None
    picture(view)


def test_many_streams_scroll_and_the_focused_one_comes_into_view(
    make_view: MakeView, workspace: Workspace
) -> None:
    streams = [FakeStream(f"stream/{i}", regular_ns(100, PERIOD_NS)) for i in range(40)]
    view = make_view(FakeRecording(*streams))
    parts = view.canvas.parts
    assert parts.lane_px == LANE_PX
    assert parts.max_scroll_px == 40 * LANE_PX - parts.lanes_rect.height()
    workspace.focus("stream/39")
    assert 39 in view.canvas.parts.visible_lanes()
    assert view.canvas.parts.scroll_px == parts.max_scroll_px
    picture(view)
    wheel(view, 50, lane_y(view, 39), 120 * 100)
    assert view.canvas.parts.scroll_px == 0


def test_few_lanes_are_tall(make_view: MakeView) -> None:
    assert make_view(ten_seconds()).canvas.parts.lane_px == TALL_LANE_PX


@pytest.mark.parametrize("size", [(1, 1), (NAMES_PX, 40), (NAMES_PX + 1, 60)])
def test_a_tiny_timeline_can_be_painted(qtbot: QtBot, workspace: Workspace, size: tuple[int, int]) -> None:
    canvas = TimelineCanvas(workspace, Theme())
    qtbot.addWidget(canvas)
    canvas.setMinimumHeight(1)
    canvas.resize(*size)
    canvas.set_recording(ten_seconds())
    canvas.finish_scan()
    assert canvas.grab().toImage().size() == QSize(*size)
    assert canvas.axis is not None
    assert canvas.axis.width_px == 1


def test_closing_the_recording_empties_the_timeline(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(ten_seconds())
    workspace.set_recording(None)
    assert view.view is None
    assert len(view.canvas.lanes) == 0
    picture(view)


def test_a_drag_does_not_outlive_its_recording(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(ten_seconds())
    view.zoom(4)
    mouse(view, QEvent.Type.MouseButtonPress, NAMES_PX + 5, 10)
    workspace.set_recording(FakeRecording(FakeStream("cam", regular_ns(100, PERIOD_NS, 5))))
    whole = axis_of(view)
    mouse(view, QEvent.Type.MouseMove, NAMES_PX + 400, 10)
    assert axis_of(view) == whole


def test_changing_the_theme_repaints(make_view: MakeView, workspace: Workspace) -> None:
    theme = Theme()
    view = TimelineView(workspace, theme)
    workspace.set_recording(ten_seconds())
    dark = picture(view)
    theme.set_dark(False)
    assert picture(view) != dark
    view.deleteLater()


def three_streams() -> FakeRecording:
    stamps_ns = regular_ns(100, PERIOD_NS)
    return FakeRecording(
        FakeStream("cam/a", stamps_ns),
        FakeStream("imu", stamps_ns, kind=StreamKind.IMU),
        FakeStream("cam/b", stamps_ns),
    )


def names_of(view: TimelineView) -> list[str]:
    return [lane.name for lane in view.canvas.lanes]


def test_a_name_is_dragged_to_move_its_lane(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(three_streams())
    drag(view, (40, lane_y(view, 0)), (40, lane_y(view, 1) + 16))
    assert names_of(view) == ["imu", "cam/a", "cam/b"]
    assert workspace.focused == "cam/a"
    drag(view, (40, lane_y(view, 2)), (40, lane_y(view, 0) - 16))
    assert names_of(view) == ["cam/b", "imu", "cam/a"]
    drag(view, (40, lane_y(view, 2)), (40, lane_y(view, 2) + 3))
    assert names_of(view) == ["cam/b", "imu", "cam/a"]


def test_the_same_streams_come_back_as_they_were_arranged(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(three_streams())
    view.canvas.arrangement.set_hidden("imu", True)
    view.canvas.arrangement.move("cam/b", 0)
    workspace.set_recording(ten_seconds())
    assert names_of(view) == ["cam", "depth"]
    workspace.set_recording(three_streams())
    view.canvas.finish_scan()
    assert names_of(view) == ["cam/b", "cam/a"]
    assert view.header.findChild(QToolButton) is not None
    view.canvas.arrangement.reset()
    assert names_of(view) == ["cam/a", "imu", "cam/b"]


def test_marks_reach_a_lane_that_was_moved_while_it_was_looked_through(
    make_view: MakeView, workspace: Workspace
) -> None:
    view = make_view(None)
    workspace.set_recording(ten_seconds())
    view.canvas.arrangement.move("depth", 0)
    view.canvas.finish_scan()
    assert [len(lane.marks.gaps) for lane in view.canvas.lanes] == [1, 0]


def test_the_header_says_how_many_lanes_are_hidden(make_view: MakeView) -> None:
    view = make_view(three_streams())
    view.canvas.arrangement.show_only("imu")
    texts = [button.text() for button in view.header.findChildren(QToolButton) if not button.isHidden()]
    assert "2 lanes hidden" in texts
    assert not any("empty" in text for text in texts)
    view.header.show_hidden_wanted.emit()
    assert len(view.canvas.lanes) == 3


def test_the_lane_menu_does_what_it_says(make_view: MakeView) -> None:
    view = make_view(three_streams())

    def choose(name: str | None, text: str) -> None:
        menu = QMenu()
        fill_lane_menu(menu, view.canvas, name)
        next(action for action in menu.actions() if action.text() == text).trigger()
        menu.deleteLater()

    choose("cam/b", "Move cam/b up")
    assert names_of(view) == ["cam/a", "cam/b", "imu"]
    choose("cam/b", "Hide cam/b")
    assert names_of(view) == ["cam/a", "imu"]
    choose(None, "Show cam/b")
    choose(None, "Order of the recording")
    choose(None, "Group by kind")
    assert names_of(view) == ["cam/a", "cam/b", "imu"]
    height = view.canvas.parts.lane_px
    choose(None, "Lower lanes")
    assert view.canvas.parts.lane_px == height - 4
    choose(None, "Height of lanes by room")
    assert view.canvas.parts.lane_px == height


def test_the_in_point_is_dragged_by_its_flag(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(ten_seconds())
    workspace.playhead.set_range(START_NS + 2 * SECOND_NS, START_NS + 6 * SECOND_NS)
    x = NAMES_PX + axis_of(view).column_at(START_NS + 2 * SECOND_NS) + 4
    drag(view, (x, 40), (x + 100, 40), (x + 150, 40))
    assert workspace.playhead.out_ns == START_NS + 6 * SECOND_NS
    assert workspace.playhead.in_ns is not None
    assert (workspace.playhead.in_ns - START_NS) % PERIOD_NS == 0
    assert workspace.playhead.in_ns > START_NS + 3 * SECOND_NS


def test_a_click_in_the_strip_of_findings_means_the_finding(
    qtbot: QtBot, make_view: MakeView, workspace: Workspace
) -> None:
    view = make_view(ten_seconds())
    finding = Finding(
        code="missing_frames", severity=Severity.ERROR, message="gone", stream="depth", start_ns=START_NS + 5
    )
    workspace.add_findings([finding])
    with qtbot.waitSignal(view.finding_clicked, timeout=1000) as clicked:
        mouse(view, QEvent.Type.MouseButtonPress, NAMES_PX + 2, TOP_PX - 6)
    assert clicked.args == [finding]
    view.canvas.show_hover(QPoint(NAMES_PX + 2, TOP_PX - 6))
    content = view.canvas.card.last_content
    assert content is not None
    assert (content.warning, content.stream) == ("gone", "depth")


def test_scrubbing_snaps_to_frames_of_the_focused_stream(make_view: MakeView, workspace: Workspace) -> None:
    view = make_view(ten_seconds())
    view.canvas.set_axis(axis_of(view).showing(START_NS, START_NS + 5 * PERIOD_NS))
    x, y = NAMES_PX + axis_of(view).column_at(START_NS + 2 * PERIOD_NS), lane_y(view, 0)
    mouse(view, QEvent.Type.MouseButtonPress, x - 5, y)
    assert workspace.playhead.position_ns == START_NS + 2 * PERIOD_NS
    mouse(view, QEvent.Type.MouseMove, x - 5, y, modifiers=Qt.KeyboardModifier.AltModifier)
    assert workspace.playhead.position_ns < START_NS + 2 * PERIOD_NS
    workspace.set_snapping(False)
    mouse(view, QEvent.Type.MouseMove, x + 5, y)
    assert workspace.playhead.position_ns > START_NS + 2 * PERIOD_NS
    assert not view.header.snap.isChecked()


def test_no_button_of_the_header_takes_the_keyboard(make_view: MakeView) -> None:
    view = make_view(ten_seconds())
    buttons = view.header.findChildren(QToolButton)
    assert len(buttons) == 10
    assert all(button.focusPolicy() == Qt.FocusPolicy.NoFocus and button.toolTip() for button in buttons)
