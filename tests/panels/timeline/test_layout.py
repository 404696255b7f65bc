from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint

from hfviewer.panels.timeline.layout import (
    LANE_PX,
    NAMES_PX,
    OVERVIEW_PX,
    RULER_PX,
    TALL_LANE_PX,
    TOP_PX,
    Area,
    BoxPart,
    TimelineLayout,
    box_part,
)


@pytest.mark.parametrize(
    ("lanes", "height_px", "lane_px"),
    [
        (4, TOP_PX + 10, LANE_PX),
        (4, TOP_PX + 4 * 50, TALL_LANE_PX),
        (7, TOP_PX + 7 * 30, 30),
        (7, 2000, TALL_LANE_PX),
        (40, 200, LANE_PX),
    ],
)
def test_lanes_are_as_high_as_room_allows(lanes: int, height_px: int, lane_px: int) -> None:
    assert TimelineLayout(800, height_px, lanes).lane_px == lane_px


def test_a_lane_is_found_where_it_is_painted() -> None:
    layout = TimelineLayout(800, TOP_PX + 100, 40, scroll_px=33)
    for lane in layout.visible_lanes():
        top = layout.lane_top(lane)
        assert layout.lane_at(max(top, TOP_PX)) == lane
        assert layout.lane_at(top + layout.lane_px - 1) == lane
    assert layout.lane_at(TOP_PX - 1) is None
    assert list(layout.visible_lanes()) == [1, 2, 3, 4, 5, 6]


def test_below_the_last_lane_is_none() -> None:
    layout = TimelineLayout(800, 600, 2)
    assert layout.lane_at(TOP_PX + 2 * TALL_LANE_PX - 1) == 1
    assert layout.lane_at(TOP_PX + 2 * TALL_LANE_PX) is None


@pytest.mark.parametrize(
    ("point", "area"),
    [
        ((NAMES_PX, 0), Area.OVERVIEW),
        ((NAMES_PX, OVERVIEW_PX), Area.RULER),
        ((NAMES_PX, OVERVIEW_PX + RULER_PX), Area.STRIP),
        ((NAMES_PX, TOP_PX), Area.LANES),
        ((NAMES_PX - 1, TOP_PX), Area.NAMES),
        ((NAMES_PX - 1, 5), Area.NOTHING),
        ((800, 100), Area.NOTHING),
        ((400, -1), Area.NOTHING),
    ],
)
def test_every_point_belongs_to_one_part(point: tuple[int, int], area: Area) -> None:
    assert TimelineLayout(800, 300, 5).area_at(QPoint(*point)) is area


@pytest.mark.parametrize(
    ("column", "part"),
    [
        (94, BoxPart.OUTSIDE),
        (95, BoxPart.START),
        (104, BoxPart.START),
        (105, BoxPart.MIDDLE),
        (194, BoxPart.MIDDLE),
        (195, BoxPart.STOP),
        (205, BoxPart.STOP),
        (206, BoxPart.OUTSIDE),
    ],
)
def test_the_box_has_two_edges_and_a_middle(column: int, part: BoxPart) -> None:
    assert box_part(100, 200, column) is part


def test_a_narrow_box_can_still_be_moved() -> None:
    assert [box_part(100, 103, column) for column in (100, 101, 102)] == [
        BoxPart.START,
        BoxPart.MIDDLE,
        BoxPart.STOP,
    ]
