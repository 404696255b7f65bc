"""Where docks go: beside, below or behind one another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

LEAST_PANEL_PX = (300, 180)


def find_room(
    area: QMainWindow, dock: QDockWidget, docked: Sequence[QDockWidget], focused: QDockWidget | None
) -> None:
    """Put a new dock beside, below or, where there is no room left, behind another one.

    Args:
        area: that holds them.
        dock: to be placed.
        docked: the others that can be seen.
        focused: the one to go behind, if it is one of those.
    """
    if not docked:
        area.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, dock)
        return
    roomy = max(docked, key=lambda other: other.width() * other.height())
    if roomy.width() >= 2 * LEAST_PANEL_PX[0] and roomy.width() >= roomy.height():
        area.splitDockWidget(roomy, dock, Qt.Orientation.Horizontal)
    elif roomy.height() >= 2 * LEAST_PANEL_PX[1]:
        area.splitDockWidget(roomy, dock, Qt.Orientation.Vertical)
    else:
        behind = focused if focused is not None and focused in docked else roomy
        area.tabifyDockWidget(behind, dock)


def place_in_rows(
    area: QMainWindow, rows: Sequence[Sequence[QDockWidget]], *, weights: Sequence[int]
) -> None:
    """Put docks side by side, rows of them one below the other.

    Args:
        area: that holds them, and no others yet.
        rows: each with at least one.
        weights: share of the height of each row.
    """
    firsts = [row[0] for row in rows]
    for above, first in zip([None, *firsts], firsts, strict=False):
        if above is None:
            area.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, first)
        else:
            area.splitDockWidget(above, first, Qt.Orientation.Vertical)
    # Columns only once all rows stand: a split inside a row then stays in that row.
    for row in rows:
        for left, right in pairwise(row):
            area.splitDockWidget(left, right, Qt.Orientation.Horizontal)
    for row in rows:
        for dock in row:
            dock.show()  # of a window that is on screen already, Qt leaves new docks hidden
    area.resizeDocks(firsts, [weight * 100 for weight in weights], Qt.Orientation.Vertical)
    for row in rows:
        area.resizeDocks(row, [1000] * len(row), Qt.Orientation.Horizontal)


def toggle_tab(area: QMainWindow, dock: QDockWidget, docked: Sequence[QDockWidget]) -> None:
    """Put a dock behind its neighbour, as a tab; or, where it is one, beside the others again.

    Args:
        area: that holds them.
        dock: to be placed.
        docked: the others that can be seen.
    """
    dock.setFloating(False)
    if area.tabifiedDockWidgets(dock):
        # Beside everything: a split of a tabbed dock would only make another tab.
        area.removeDockWidget(dock)
        area.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, dock, Qt.Orientation.Horizontal)
        dock.show()
    elif docked:
        here = dock.geometry().center()
        nearest = min(docked, key=lambda other: (other.geometry().center() - here).manhattanLength())
        area.tabifyDockWidget(nearest, dock)
        dock.raise_()
