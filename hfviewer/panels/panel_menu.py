"""The menu of a stream panel: by a right click that is no drag, from the header or by the keyboard."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

from hfviewer.panels.menus import MenuMaker

if TYPE_CHECKING:
    from hfviewer.panels.base import StreamPanel

_CLICK_PX = 3  # a button that moves no farther while held down is a click


class RightClick:
    """Tells a click of the right button, which opens a menu, from a drag, which moves the picture."""

    def __init__(self) -> None:
        self._pressed_at: QPoint | None = None  # where the button went down, until it becomes a drag

    def watch(self, event: QMouseEvent) -> QPoint | None:
        """Where on the screen a click ended with this event; None where none did."""
        place, right = event.globalPosition().toPoint(), event.button() is Qt.MouseButton.RightButton
        match event.type():
            case QEvent.Type.MouseButtonPress:
                self._pressed_at = place if right else None
            case QEvent.Type.MouseMove if self._pressed_at is not None:
                if (place - self._pressed_at).manhattanLength() > _CLICK_PX:
                    self._pressed_at = None
            case QEvent.Type.MouseButtonRelease if right and self._pressed_at is not None:
                self._pressed_at = None
                return place
        return None


def common_actions(panel: StreamPanel) -> list[QAction]:
    """What every panel's menu ends with: what can be done with the panel itself."""
    line = QAction(panel)
    line.setSeparator(True)
    make, tr = MenuMaker(panel), panel.tr
    entries = [line, make.submenu(tr("Picture"), panel.pictures.actions())]
    for command, text in (
        ("another", tr("Another panel of this stream")),
        ("float", tr("Float, or dock")),
        ("tab", tr("Tab with its neighbour, or beside it")),
        ("close", tr("Close")),
    ):
        entries.append(make.entry(text, partial(panel.command_requested.emit, command)))
    return entries


def popup_menu(panel: QWidget, actions: list[QAction], place: QPoint) -> None:
    """Show a menu at a place on the screen; it takes the actions over. Without any, none opens."""
    if not actions:
        return
    menu = QMenu(panel)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addActions(actions)
    for action in actions:
        action.setParent(menu)  # and goes with it
        below = action.menu()
        if isinstance(below, QMenu):
            below.setParent(menu, below.windowFlags())
    menu.popup(place)
