"""The menu of the lanes: move, hide, show, group, height."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from hfviewer.panels.drawing import one_line
from hfviewer.panels.timeline.canvas import TimelineCanvas

HEIGHT_STEP_PX = 4


def fill_lane_menu(menu: QMenu, canvas: TimelineCanvas, name: str | None) -> None:
    """Put everything into a menu that can be done to the lanes.

    Args:
        menu: empty.
        canvas: whose lanes.
        name: of the lane that was pointed at; None: of none.
    """
    lanes = canvas.arrangement

    def add(text: str, work: Callable[[], None], *, enabled: bool = True) -> QAction:
        action = menu.addAction(text)
        action.triggered.connect(lambda: work())
        action.setEnabled(enabled)
        return action

    row, last = lanes.row_of(name), len(lanes.shown) - 1
    if name is not None and row is not None:
        title = one_line(name).replace("&", "&&")
        add(f"Move {title} up", lambda: lanes.move_by(name, -1), enabled=row > 0)
        add(f"Move {title} down", lambda: lanes.move_by(name, 1), enabled=row < last)
        add(f"Hide {title}", lambda: lanes.set_hidden(name, True), enabled=last > 0)
        add(f"Show only {title}", lambda: lanes.show_only(name), enabled=last > 0)
        menu.addSeparator()
    for other in lanes.hidden:
        shown = one_line(other).replace("&", "&&")
        add(f"Show {shown}", lambda other=other: lanes.set_hidden(other, False))  # type: ignore[misc]
    add("Show all lanes", lanes.show_all, enabled=bool(lanes.hidden))
    menu.addSeparator()
    grouped = menu.addAction("Group by kind")
    grouped.setCheckable(True)
    grouped.setChecked(lanes.order.by_kind)
    grouped.triggered.connect(lanes.set_by_kind)
    add("Order of the recording", lanes.reset)
    menu.addSeparator()
    add("Higher lanes", lambda: step_height(canvas, 1))
    add("Lower lanes", lambda: step_height(canvas, -1))
    automatic = add("Height of lanes by room", lambda: canvas.set_lane_height(None))
    automatic.setCheckable(True)
    automatic.setChecked(canvas.parts.set_lane_px is None)


def step_height(canvas: TimelineCanvas, steps: int) -> None:
    """Make the lanes higher or lower."""
    canvas.set_lane_height(canvas.parts.lane_px + steps * HEIGHT_STEP_PX)
