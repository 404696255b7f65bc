"""Submenus of panel menus, made anew each time they open."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from hfviewer.panels.drawing import one_line

_Value = TypeVar("_Value")


class MenuMaker:
    """Makes entries and submenus for a panel; `popup_menu` takes them over.

    Args:
        parent: the panel.
    """

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent

    def entry(
        self,
        text: str,
        do: Callable[[], object] | None = None,
        *,
        checked: bool | None = None,
        enabled: bool = True,
        hint: str = "",
    ) -> QAction:
        """One entry.

        Args:
            text: may come from a file.
            do: called when it is chosen.
            checked: whether it has a tick; None: it can have none.
            enabled: False for what cannot be done now.
            hint: a sentence that says more.
        """
        action = QAction(one_line(text).replace("&", "&&"), self._parent)
        if checked is not None:
            action.setCheckable(True)
            action.setChecked(checked)
        action.setEnabled(enabled)
        if hint:
            action.setToolTip(hint)
            action.setStatusTip(hint)
        if do is not None:
            action.triggered.connect(lambda _=False: do())
        return action

    def submenu(self, title: str, entries: Iterable[QAction]) -> QAction:
        """An entry that opens others; disabled where there are none."""
        menu = QMenu(self._parent)
        menu.setToolTipsVisible(True)
        for below in entries:
            below.setParent(menu)
            menu.addAction(below)
            nested = below.menu()
            if isinstance(nested, QMenu):  # and goes with it
                nested.setParent(menu, nested.windowFlags())
        action = self.entry(title, enabled=not menu.isEmpty())
        action.setMenu(menu)
        return action

    def choice(
        self,
        title: str,
        options: Iterable[tuple[str, _Value]],
        current: _Value,
        choose: Callable[[_Value], None],
    ) -> QAction:
        """A submenu of which one entry is ticked.

        Args:
            title: of the submenu.
            options: text and value of each.
            current: the value in force.
            choose: called with the value that was chosen.
        """
        group = QActionGroup(self._parent)
        entries = []
        for text, value in options:

            def chosen(value: _Value = value) -> None:
                choose(value)

            entries.append(self.entry(text, chosen, checked=value == current))
            group.addAction(entries[-1])
        action = self.submenu(title, entries)
        group.setParent(action)
        return action
