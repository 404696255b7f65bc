"""QActions and menus from the binding table."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from hfviewer.app.bindings import BINDINGS


def make_actions(window: QMainWindow, handlers: list[object]) -> dict[str, QAction]:
    """One action for every binding, working everywhere in the window except while a text field is typed into.

    Args:
        window: owns the actions.
        handlers: objects that have a method for each action, by its name; the first that has it counts.

    Raises:
        LookupError: a binding has no method.
    """
    actions: dict[str, QAction] = {}
    for binding in BINDINGS:
        action = QAction(binding.text, window)
        action.setShortcuts([QKeySequence(key) for key in binding.keys])
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setAutoRepeat(binding.repeats)
        action.triggered.connect(_handler(binding.action, handlers))
        window.addAction(action)
        actions[binding.action] = action
    return actions


def fill_menus(window: QMainWindow, actions: dict[str, QAction]) -> dict[str, QMenu]:
    """A menu for every group of the table."""
    menus: dict[str, QMenu] = {}
    for group, bindings in groupby(BINDINGS, key=lambda binding: binding.group):
        menu = menus[group] = window.menuBar().addMenu(group)
        for binding in bindings:
            menu.addAction(actions[binding.action])
    return menus


def _handler(name: str, handlers: list[object]) -> Callable[[], None]:
    for handler in handlers:
        method = getattr(handler, name, None)
        if method is not None:
            return lambda: method()
    raise LookupError(f"no handler has a method {name!r}")
