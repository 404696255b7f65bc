"""Rows below the lanes: what they are given, and who gets the pointer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from hfviewer.core.finding import Finding, Severity
from hfviewer.model.workspace import Workspace
from hfviewer.panels.theme import Theme
from hfviewer.panels.timeline.card import CardContent
from hfviewer.panels.timeline.layout import (
    KEPT_LANES,
    LANE_PX,
    NAMES_PX,
    OVERVIEW_PX,
    TOP_PX,
    Area,
    TimelineLayout,
)
from hfviewer.panels.timeline.track_row import TimeScale, TrackEvent
from hfviewer.panels.timeline.view import TimelineView
from tests.panels.fakes import START_NS
from tests.panels.timeline.test_view import PERIOD_NS, drag, mouse, ten_seconds, wheel

TRACK_PX = 24


class Row:
    """A row that takes presses on its left half and remembers what it is told."""

    def __init__(self) -> None:
        self.height_px = TRACK_PX
        self.told: list[tuple[str, TrackEvent | None]] = []
        self.rects: list[QRect] = []

    def paint(self, painter: QPainter, scale: TimeScale, rect: QRect) -> None:
        self.rects.append(rect)
        painter.fillRect(scale.x_of(START_NS), rect.top(), 40, rect.height(), Qt.GlobalColor.magenta)

    def paint_name(self, painter: QPainter, rect: QRect) -> None:
        painter.fillRect(rect, Qt.GlobalColor.green)

    def paint_overview(self, painter: QPainter, scale: TimeScale, rect: QRect) -> None:
        painter.fillRect(rect, Qt.GlobalColor.cyan)

    def press(self, event: TrackEvent) -> bool:
        taken = event.point.x() < NAMES_PX + 500
        self.told.append(("press" if taken else "refused", event))
        return taken

    def drag(self, event: TrackEvent) -> None:
        self.told.append(("drag", event))

    def release(self, event: TrackEvent) -> None:
        self.told.append(("release", event))

    def cancel(self) -> None:
        self.told.append(("cancel", None))

    def double_click(self, event: TrackEvent) -> bool:
        self.told.append(("double", event))
        return True

    def press_name(self, event: TrackEvent) -> bool:
        self.told.append(("name", event))
        return True

    def cursor_at(self, event: TrackEvent) -> Qt.CursorShape:
        return Qt.CursorShape.CrossCursor

    def hover(self, event: TrackEvent) -> CardContent | None:
        return CardContent(time="here", distance="")

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.told]


@pytest.fixture
def workspace(qapp: QApplication) -> Workspace:
    return Workspace()


@pytest.fixture
def view(qtbot: QtBot, workspace: Workspace) -> TimelineView:
    made = TimelineView(workspace, Theme())
    qtbot.addWidget(made)
    made.resize(NAMES_PX + 1000, 282)
    made.grab()
    workspace.set_recording(ten_seconds())
    made.canvas.finish_scan()
    return made


def track_y(view: TimelineView, row: int = 0) -> int:
    return view.canvas.parts.track_rect(row).center().y()


def test_rows_lie_below_the_lanes_and_are_painted_in_their_room(view: TimelineView) -> None:
    rows = [Row(), Row()]
    view.canvas.set_tracks(rows)
    image = view.canvas.grab().toImage()
    parts = view.canvas.parts
    assert parts.track_rect(0).top() > parts.lane_top(1) + parts.lane_px - 1
    assert rows[1].rects[-1] == parts.track_rect(1)
    assert image.pixelColor(NAMES_PX + 10, track_y(view, 1)).name() == "#ff00ff"
    assert image.pixelColor(10, track_y(view, 0)).name() == "#00ff00"
    assert parts.area_at(QPoint(NAMES_PX + 10, track_y(view))) is Area.TRACKS
    assert parts.area_at(QPoint(10, track_y(view))) is Area.TRACK_NAMES


def test_no_pixel_between_lanes_and_rows_is_left_unpainted(view: TimelineView) -> None:
    view.resize(NAMES_PX + 1000, 170)  # more lanes than room
    view.canvas.set_tracks([Row()])
    view.canvas.grab()  # lays out
    image = QImage(view.canvas.size(), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.yellow)
    view.canvas.render(image, renderFlags=QWidget.RenderFlag(0))
    above = view.canvas.parts.tracks_rect.top()
    drawn = {image.pixelColor(NAMES_PX + 700, y).name() for y in range(above - 8, above + 8)}
    assert "#ffff00" not in drawn


def test_a_press_that_a_row_takes_is_its_own_until_release(view: TimelineView, workspace: Workspace) -> None:
    row = Row()
    view.canvas.set_tracks([row])
    before_ns = workspace.playhead.position_ns
    y = track_y(view)
    drag(view, (NAMES_PX + 100, y), (NAMES_PX + 700, y - 200))
    assert row.kinds == ["press", "drag", "release"]
    assert workspace.playhead.position_ns == before_ns
    told = row.told[1][1]
    assert told is not None
    assert told.rect == view.canvas.parts.track_rect(0)
    assert (told.time_ns - START_NS) % PERIOD_NS == 0  # on a frame
    assert told.frame == (told.time_ns - START_NS) // PERIOD_NS
    assert told.free_ns != told.time_ns


def test_what_a_row_does_not_want_scrubs(view: TimelineView, workspace: Workspace) -> None:
    row = Row()
    view.canvas.set_tracks([row])
    y = track_y(view)
    drag(view, (NAMES_PX + 800, y), (NAMES_PX + 900, y))
    assert row.kinds == ["refused"]
    assert workspace.playhead.position_ns > START_NS + 8 * 10**9


def test_alt_leaves_the_time_free(view: TimelineView, workspace: Workspace) -> None:
    row = Row()
    view.canvas.set_tracks([row])
    alt = Qt.KeyboardModifier.AltModifier
    mouse(view, QEvent.Type.MouseButtonPress, NAMES_PX + 100, track_y(view), modifiers=alt)
    told = row.told[0][1]
    assert told is not None
    assert (told.time_ns, told.frame) == (told.free_ns, None)


@pytest.mark.parametrize("how", ["recording", "esc", "tracks"])
def test_a_drag_that_cannot_end_is_cancelled(view: TimelineView, workspace: Workspace, how: str) -> None:
    row = Row()
    view.canvas.set_tracks([row])
    mouse(view, QEvent.Type.MouseButtonPress, NAMES_PX + 100, track_y(view))
    actions: dict[str, Callable[[], object]] = {
        "recording": lambda: workspace.set_recording(None),
        "esc": view.canvas.cancel_drag,
        "tracks": lambda: view.canvas.set_tracks([]),
    }
    actions[how]()
    mouse(view, QEvent.Type.MouseMove, NAMES_PX + 200, 260)
    mouse(view, QEvent.Type.MouseButtonRelease, NAMES_PX + 200, 260)
    assert row.kinds == ["press", "cancel"]


def test_names_double_clicks_and_hovering_go_to_the_row(view: TimelineView) -> None:
    row = Row()
    view.canvas.set_tracks([row])
    y = track_y(view)
    mouse(view, QEvent.Type.MouseButtonPress, 20, y)
    mouse(view, QEvent.Type.MouseButtonDblClick, NAMES_PX + 20, y)
    assert row.kinds == ["name", "double"]
    view.canvas.show_hover(QPoint(NAMES_PX + 30, y))
    content = view.canvas.card.last_content
    assert content is not None
    assert content.time == "here"


def test_many_tall_rows_leave_room_for_a_few_lanes_and_scroll() -> None:
    layout = TimelineLayout(900, TOP_PX + 200, 5, tracks=(36,) * 10)
    assert layout.lanes_rect.height() == KEPT_LANES * LANE_PX
    assert layout.tracks_rect.bottom() < layout.height_px
    assert layout.max_tracks_scroll_px == 360 - layout.tracks_rect.height()


def test_a_row_is_brought_into_sight_by_as_little_as_does() -> None:
    layout = TimelineLayout(900, TOP_PX + 163, 5, tracks=(40,) * 10)  # two and a half rows in sight
    assert layout.tracks_rect.height() == 96
    assert layout.scroll_showing(1) == 0
    assert layout.scroll_showing(2) == 24
    assert replace(layout, tracks_scroll_px=200).scroll_showing(3) == 120


def test_the_wheel_scrolls_rows_by_their_names(view: TimelineView) -> None:
    view.canvas.set_tracks([Row() for _ in range(20)])
    wheel(view, 20, track_y(view), -120)
    assert view.canvas.parts.tracks_scroll_px == 2 * LANE_PX


def test_a_row_that_grows_gets_its_room(view: TimelineView) -> None:
    row = Row()
    view.canvas.set_tracks([row])
    before = view.sizeHint().height()
    row.height_px = 36
    view.canvas.refresh_tracks()
    assert view.canvas.parts.track_rect(0).height() == 36
    assert view.sizeHint().height() == before + 12


def test_no_track_covers_a_finding_in_the_overview(view: TimelineView, workspace: Workspace) -> None:
    whole = Finding(
        code="x", severity=Severity.ERROR, message="", start_ns=START_NS, end_ns=START_NS + 9 * 10**9
    )
    workspace.add_findings([whole])
    view.canvas.set_tracks([Row() for _ in range(5)])
    axis = view.canvas.axis
    assert axis is not None
    view.canvas.set_axis(axis.showing(START_NS, START_NS + 10**9))  # the box tints what is shown
    image = view.canvas.grab().toImage()
    column = [image.pixelColor(NAMES_PX + 700, y).name() for y in range(OVERVIEW_PX)]
    assert column.count("#00ffff") == 9  # three of the rows, three pixels each
    assert column.count(Theme().tokens.error.name()) == 3
    assert column.index(Theme().tokens.error.name()) > column.index("#00ffff") + 8
