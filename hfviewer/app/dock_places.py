"""Where docks go: beside, below or behind one another."""

from __future__ import annotations

from collections.abc import Sequence

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
