"""The entries of a signal panel's menu that switch channels on and off."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from hfviewer.core.stream import Channel
from hfviewer.panels.signal_data import ChannelGroup

_MOST_FLAT = 12  # more channels than this go into a submenu for each unit
_MOST_CHANNELS = 1000  # a menu of a damaged stream must open, too


def channel_actions(
    channels: Sequence[Channel],
    groups: Sequence[ChannelGroup],
    off: Collection[int],
    *,
    make: Callable[[str, bool | None], QAction],
    parent: QWidget,
    toggle: Callable[[int], None],
    show_only: Callable[[Collection[int]], None],
) -> list[QAction]:
    """An entry for each channel, below its unit where there are many.

    Args:
        channels: of the stream.
        groups: the same, by unit.
        off: columns that are switched off.
        make: an action from its text, and whether it is checked; None: it cannot be.
        parent: of submenus.
        toggle: called with the column that was chosen.
        show_only: called with the columns that are to be on, all others off.
    """
    whole = range(len(channels))

    def entry(column: int) -> QAction:
        unit = f", {channels[column].unit}" if channels[column].unit else ""
        action = make(f"{channels[column].name}{unit}", column not in off)
        action.triggered.connect(lambda _=False: toggle(column))
        return action

    actions = []
    if off:
        everything = make("All channels", None)
        everything.triggered.connect(lambda _=False: show_only(whole))
        actions.append(everything)
    if len(channels) <= _MOST_FLAT:
        return [*actions, *map(entry, whole)]
    left = _MOST_CHANNELS
    for group in groups:
        if left <= 0:
            break
        action, menu = make(group.title, None), QMenu(parent)
        action.setMenu(menu)
        only = make("Only these", None)
        only.triggered.connect(lambda _=False, columns=group.columns: show_only(columns))
        for below in (only, *map(entry, group.columns[:left])):
            below.setParent(menu)
            menu.addAction(below)
        left -= len(group.columns)
        actions.append(action)
    if len(channels) > _MOST_CHANNELS:
        rest = make(f"{len(channels) - _MOST_CHANNELS} more channels", None)
        rest.setEnabled(False)
        actions.append(rest)
    return actions
