"""Where the parts of the timeline lie, in device-independent pixels."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

from PySide6.QtCore import QPoint, QRect

NAMES_PX = 204
OVERVIEW_PX = 26
RULER_PX = 26
STRIP_PX = 16  # findings of all streams, between ruler and lanes
TOP_PX = OVERVIEW_PX + RULER_PX + STRIP_PX
LANE_PX = 21
TALL_LANE_PX = 38
FEW_LANES = 4
LANE_PX_RANGE = (16, 48)  # what the user may set
KEPT_LANES = 3  # so many stay in sight, however many tracks there are
TRACKS_GAP_PX = 4  # between lanes and tracks
_BOX_EDGE_PX = 5


class Area(Enum):
    """What lies under the pointer."""

    OVERVIEW = auto()
    RULER = auto()
    STRIP = auto()
    LANES = auto()
    TRACKS = auto()
    NAMES = auto()
    TRACK_NAMES = auto()
    NOTHING = auto()


@dataclass(frozen=True)
class TimelineLayout:
    """The timeline's parts: names on the left; overview, ruler, findings, lanes and tracks on the right.

    Args:
        width_px: of the widget.
        height_px: of the widget.
        lanes: how many there are.
        scroll_px: how far the lanes are scrolled up.
        set_lane_px: height of a lane as the user set it; None: as tall as room allows.
        tracks: heights of the rows below the lanes.
        tracks_scroll_px: how far those are scrolled up; they take at most half the room, or all but
            that of a few lanes.
    """

    width_px: int
    height_px: int
    lanes: int
    scroll_px: int = 0
    set_lane_px: int | None = None
    tracks: tuple[int, ...] = ()
    tracks_scroll_px: int = 0

    @cached_property
    def time_px(self) -> int:
        """Columns of time, at least 1."""
        return max(1, self.width_px - NAMES_PX)

    @cached_property
    def lane_px(self) -> int:
        """Height of a lane: as set, or as tall as room allows."""
        if self.set_lane_px is not None:
            return self.set_lane_px
        return max(LANE_PX, min(TALL_LANE_PX, self.lanes_rect.height() // max(1, self.lanes)))

    @cached_property
    def overview_rect(self) -> QRect:
        return QRect(NAMES_PX, 0, self.time_px, OVERVIEW_PX)

    @cached_property
    def ruler_rect(self) -> QRect:
        return QRect(NAMES_PX, OVERVIEW_PX, self.time_px, RULER_PX)

    @cached_property
    def strip_rect(self) -> QRect:
        """Findings of all streams."""
        return QRect(NAMES_PX, OVERVIEW_PX + RULER_PX, self.time_px, STRIP_PX)

    @cached_property
    def lanes_rect(self) -> QRect:
        """All the room for lanes, filled or not."""
        room = max(0, self.height_px - TOP_PX)
        return QRect(NAMES_PX, TOP_PX, self.time_px, room - self._tracks_px)

    @cached_property
    def tracks_rect(self) -> QRect:
        """Rows below the lanes; they follow on the last lane where there is room to spare."""
        filled = min(self.lanes_rect.height(), self.lanes * self.lane_px)
        height = max(0, self._tracks_px - TRACKS_GAP_PX)
        return QRect(NAMES_PX, TOP_PX + filled + min(TRACKS_GAP_PX, self._tracks_px), self.time_px, height)

    @cached_property
    def body_rect(self) -> QRect:
        """Ruler, findings and lanes."""
        return self.ruler_rect.united(self.strip_rect).united(self.lanes_rect)

    @cached_property
    def _tracks_px(self) -> int:
        if not self.tracks:
            return 0
        room = max(0, self.height_px - TOP_PX)
        most = max(room // 2, room - min(self.lanes, KEPT_LANES) * LANE_PX)
        return min(sum(self.tracks) + TRACKS_GAP_PX, most)

    @cached_property
    def max_tracks_scroll_px(self) -> int:
        return max(0, sum(self.tracks) - self.tracks_rect.height())

    def track_rect(self, track: int) -> QRect:
        """Where a row below the lanes lies; may reach beyond `tracks_rect`."""
        top = self.tracks_rect.top() + sum(self.tracks[:track]) - self.tracks_scroll_px
        return QRect(NAMES_PX, top, self.time_px, self.tracks[track])

    def scroll_showing(self, track: int) -> int:
        """How far the tracks are scrolled up where one is brought into sight, by as little as does."""
        top = sum(self.tracks[:track])
        below = top + self.tracks[track] - self.tracks_rect.height()
        return max(0, min(top, max(self.tracks_scroll_px, below)))

    def track_at(self, y: int) -> int | None:
        """The row below the lanes at a height, if any."""
        if not self.tracks_rect.top() <= y <= self.tracks_rect.bottom():
            return None
        rects = (self.track_rect(track) for track in range(len(self.tracks)))
        return next((track for track, rect in enumerate(rects) if rect.top() <= y <= rect.bottom()), None)

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
        if y < self.lanes_rect.top() or (self.tracks and y > self.lanes_rect.bottom()):
            return None
        lane = (y - self.lanes_rect.top() + self.scroll_px) // self.lane_px
        return lane if lane < self.lanes else None

    def lane_edge_at(self, y: int) -> int:
        """The place between lanes nearest to a height: 0 above the first, ``lanes`` below the last."""
        edge = (y - self.lanes_rect.top() + self.scroll_px + self.lane_px // 2) // self.lane_px
        return max(0, min(edge, self.lanes))

    def column_of(self, x: int) -> int:
        """Column of time at a place in the widget; may lie outside the view."""
        return x - NAMES_PX

    def area_at(self, point: QPoint) -> Area:
        """What lies there."""
        if point.y() < 0 or point.y() >= self.height_px or point.x() >= self.width_px:
            return Area.NOTHING
        in_tracks = self.tracks_rect.top() <= point.y() <= self.tracks_rect.bottom()
        if point.x() < NAMES_PX:
            if in_tracks:
                return Area.TRACK_NAMES
            return Area.NAMES if point.y() >= TOP_PX else Area.NOTHING
        if point.y() < OVERVIEW_PX:
            return Area.OVERVIEW
        if point.y() < OVERVIEW_PX + RULER_PX:
            return Area.RULER
        if point.y() < TOP_PX:
            return Area.STRIP
        return Area.TRACKS if in_tracks else Area.LANES


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
