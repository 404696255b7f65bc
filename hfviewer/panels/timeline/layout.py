"""Where the parts of the timeline lie, in device-independent pixels."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

from PySide6.QtCore import QPoint, QRect

NAMES_PX = 204
OVERVIEW_PX = 26
RULER_PX = 26
LANE_PX = 21
TALL_LANE_PX = 38
FEW_LANES = 4
_BOX_EDGE_PX = 5


class Area(Enum):
    """What lies under the pointer."""

    OVERVIEW = auto()
    RULER = auto()
    LANES = auto()
    NAMES = auto()
    NOTHING = auto()


@dataclass(frozen=True)
class TimelineLayout:
    """The timeline's parts: names on the left; overview, ruler and lanes on the right.

    Args:
        width_px: of the widget.
        height_px: of the widget.
        lanes: how many there are.
        scroll_px: how far the lanes are scrolled up.
    """

    width_px: int
    height_px: int
    lanes: int
    scroll_px: int = 0

    @cached_property
    def time_px(self) -> int:
        """Columns of time, at least 1."""
        return max(1, self.width_px - NAMES_PX)

    @cached_property
    def lane_px(self) -> int:
        """Height of a lane: as tall as room allows."""
        return max(LANE_PX, min(TALL_LANE_PX, self.lanes_rect.height() // max(1, self.lanes)))

    @cached_property
    def overview_rect(self) -> QRect:
        return QRect(NAMES_PX, 0, self.time_px, OVERVIEW_PX)

    @cached_property
    def ruler_rect(self) -> QRect:
        return QRect(NAMES_PX, OVERVIEW_PX, self.time_px, RULER_PX)

    @cached_property
    def lanes_rect(self) -> QRect:
        """All the room for lanes, filled or not."""
        top = OVERVIEW_PX + RULER_PX
        return QRect(NAMES_PX, top, self.time_px, max(0, self.height_px - top))

    @cached_property
    def body_rect(self) -> QRect:
        """Ruler and lanes."""
        return self.ruler_rect.united(self.lanes_rect)

    @cached_property
    def max_scroll_px(self) -> int:
        return max(0, self.lanes * self.lane_px - self.lanes_rect.height())

    def lane_top(self, lane: int) -> int:
        """Upper edge of a lane, in the widget; may lie outside `lanes_rect`."""
        return self.lanes_rect.top() + lane * self.lane_px - self.scroll_px

    def visible_lanes(self) -> range:
        """Lanes of which at least a row is in view."""
        first = self.scroll_px // self.lane_px
        stop = -(-(self.scroll_px + self.lanes_rect.height()) // self.lane_px)
        return range(max(0, first), max(0, min(self.lanes, stop)))

    def lane_at(self, y: int) -> int | None:
        """The lane at a height, if any."""
        if y < self.lanes_rect.top():
            return None
        lane = (y - self.lanes_rect.top() + self.scroll_px) // self.lane_px
        return lane if lane < self.lanes else None

    def column_of(self, x: int) -> int:
        """Column of time at a place in the widget; may lie outside the view."""
        return x - NAMES_PX

    def area_at(self, point: QPoint) -> Area:
        """What lies there."""
        if point.y() < 0 or point.y() >= self.height_px or point.x() >= self.width_px:
            return Area.NOTHING
        if point.x() < NAMES_PX:
            return Area.NAMES if point.y() >= OVERVIEW_PX + RULER_PX else Area.NOTHING
        if point.y() < OVERVIEW_PX:
            return Area.OVERVIEW
        return Area.RULER if point.y() < OVERVIEW_PX + RULER_PX else Area.LANES


class BoxPart(Enum):
    """Which part of the overview's box is grabbed."""

    START = auto()
    MIDDLE = auto()
    STOP = auto()
    OUTSIDE = auto()


def box_part(first: int, stop: int, column: int) -> BoxPart:
    """The part of the box that lies under a column.

    Args:
        first: first column of the box.
        stop: one past its last column.
        column: of the pointer.
    """
    if column < first - _BOX_EDGE_PX or column > stop + _BOX_EDGE_PX:
        return BoxPart.OUTSIDE
    # In a narrow box a third remains for dragging it as a whole.
    edge = min(_BOX_EDGE_PX, max(1, (stop - first) // 3))
    if column < first + edge:
        return BoxPart.START
    return BoxPart.STOP if column >= stop - edge else BoxPart.MIDDLE
