"""What a row below the lanes can be: the place where annotations are drawn and edited.

The timeline knows nothing of annotations. It gives each row its room and its scale of time, paints it on
every repaint (a row keeps what is costly), and hands it what the pointer does there; what a row does not
want, the timeline does itself: scrub, select, zoom, pan.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter

from hfviewer.core.window import TimeWindow
from hfviewer.panels.timeline.axis import TimeAxis
from hfviewer.panels.timeline.card import CardContent
from hfviewer.panels.timeline.layout import NAMES_PX


@dataclass(frozen=True, slots=True)
class TimeScale:
    """Which time lies where across the widget.

    Args:
        axis: of the view, or of the whole recording in the overview.
        left_px: where column 0 lies in the widget.
    """

    axis: TimeAxis
    left_px: int = NAMES_PX

    @property
    def view(self) -> TimeWindow:
        """What is shown."""
        return self.axis.view

    def x_of(self, time_ns: int) -> int:
        """Left edge of the column of a time; at most a width beside what shows."""
        width = self.axis.width_px
        return self.left_px + max(-width, min(self.axis.column_at(time_ns), 2 * width))

    def time_at(self, x: int) -> int:
        """Where the column at a place begins."""
        return self.axis.time_at(x - self.left_px)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackEvent:
    """The pointer on a row, or on its way from there.

    Args:
        point: in the widget.
        rect: of the row.
        scale: of the view.
        free_ns: the time under the pointer.
        time_ns: the same, snapped to a frame of the focused stream where snapping is on (Alt turns it round).
        frame: index of that frame; None where it did not snap.
        button: that was pressed or released; none for a move.
        modifiers: keys that are held.
    """

    point: QPoint
    rect: QRect
    scale: TimeScale
    free_ns: int
    time_ns: int
    frame: int | None
    button: Qt.MouseButton
    modifiers: Qt.KeyboardModifier


class TrackRow(Protocol):
    """One row below the lanes."""

    @property
    def height_px(self) -> int:
        """Room that it asks for; call `TimelineCanvas.refresh_tracks` when it changes."""

    def paint(self, painter: QPainter, scale: TimeScale, rect: QRect) -> None:
        """Paint what lies in view; clipped to the row. The ground is painted already."""

    def paint_name(self, painter: QPainter, rect: QRect) -> None:
        """Paint its name into the column on the left."""

    def paint_overview(self, painter: QPainter, scale: TimeScale, rect: QRect) -> None:
        """Paint the whole of it into a line of the overview, a few pixels high."""

    def press(self, event: TrackEvent) -> bool:
        """A button went down; True takes the drag that begins here, False leaves it to the timeline."""

    def drag(self, event: TrackEvent) -> None:
        """The pointer moved, with the button of a press that was taken still down."""

    def release(self, event: TrackEvent) -> None:
        """That button went up."""

    def cancel(self) -> None:
        """The drag will not come to its end: another recording was opened, or Esc was pressed."""

    def double_click(self, event: TrackEvent) -> bool:
        """True where it was for the row."""

    def press_name(self, event: TrackEvent) -> bool:
        """A button went down on its name; True where it was for the row."""

    def cursor_at(self, event: TrackEvent) -> Qt.CursorShape:
        """What the pointer looks like there."""

    def hover(self, event: TrackEvent) -> CardContent | None:
        """What the card says there; None for the time alone."""
