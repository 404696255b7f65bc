"""The menu of a signal panel."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from hfviewer.core.stream import Channel
from hfviewer.core.time_text import NS_PER_S
from hfviewer.panels.menus import MenuMaker
from hfviewer.panels.signal_channels import Made, MadeOf
from hfviewer.panels.signal_data import ChannelGroup
from hfviewer.panels.signal_ranges import ValueRange

if TYPE_CHECKING:
    from hfviewer.panels.signals import SignalsPanel

_MOST_FLAT = 12  # more channels than this go into a submenu for each unit
_MOST_CHANNELS = 1000  # a menu of a damaged stream must open, too
_MOST_SOURCES = 48  # channels that others are made of
_WIDTHS_S = (0.05, 0.2, 1.0, 5.0)
_VIEWS = (
    ("Around the playhead (R)", "follow"),
    ("Whole stream", "whole"),
    ("Same span as the timeline", "timeline"),
    ("Any other (wheel and drag)", "own"),
)
_RANGES = (
    ("All values of the stream", ValueRange.WHOLE),
    ("What is visible", ValueRange.VISIBLE),
    ("Locked as they are", ValueRange.LOCKED),
)


def signal_actions(panel: SignalsPanel) -> list[QAction]:
    """Everything the panel can do."""
    make = MenuMaker(panel)
    cursors = panel.cursors
    return [
        make.choice(
            "Show", _VIEWS[: 4 if panel.view_kind == "own" else 3], panel.view_kind, panel.set_view_kind
        ),
        make.choice("Values from", _RANGES, panel.value_range, panel.set_value_range),
        make.choice(
            "Axes",
            [("One for each unit", False), ("One for each channel", True)],
            panel.is_apart,
            panel.set_apart,
        ),
        make.submenu("Channels", channel_actions(panel, make)),
        make.submenu("Add a channel", _making(panel, make)),
        make.submenu(
            "Remove a channel",
            [
                make.entry(c.channel.name, partial(panel.remove_channel, n))
                for n, c in panel.channels.added.items()
            ],
        ),
        make.entry("Statistics of the visible span", panel.toggle_statistics, checked=panel.has_statistics),
        make.entry("Spectrum of the visible span", panel.toggle_spectrum, checked=panel.has_spectrum),
        make.submenu(
            "Cursors",
            [
                make.entry("A to the playhead", partial(panel.put_cursor, "A")),
                make.entry("B to the playhead", partial(panel.put_cursor, "B")),
                make.entry("Take them away", panel.clear_cursors, enabled=cursors.any),
                make.entry("Shift and a click set one, a drag moves it", enabled=False),
            ],
        ),
        make.entry(
            "Save the visible span as CSV…", panel.ask_csv, enabled=bool(len(panel.channels.sample_ns))
        ),
    ]


def channel_actions(panel: SignalsPanel, make: MenuMaker) -> list[QAction]:
    """An entry for each channel, below its unit where there are many."""
    channels, groups, off = panel.channels.all, panel.units, panel.off
    actions = []
    if off:
        actions.append(make.entry("All channels", partial(panel.show_only, list(channels))))
    if len(channels) <= _MOST_FLAT:
        return [*actions, *(_entry(panel, make, number, channels[number]) for number in channels)]
    left = _MOST_CHANNELS
    for group in groups:
        if left <= 0:
            break
        only = make.entry("Only these", partial(panel.show_only, group.columns))
        below = [_entry(panel, make, number, channels[number]) for number in group.columns[:left]]
        actions.append(make.submenu(group.title, [only, *below]))
        left -= len(group.columns)
    if len(channels) > _MOST_CHANNELS:
        actions.append(make.entry(f"{len(channels) - _MOST_CHANNELS} more channels", enabled=False))
    return actions


def _entry(panel: SignalsPanel, make: MenuMaker, number: int, channel: Channel) -> QAction:
    unit = f", {channel.unit}" if channel.unit else ""
    return make.entry(
        f"{channel.name}{unit}", partial(panel.toggle_channel, number), checked=number not in panel.off
    )


def _making(panel: SignalsPanel, make: MenuMaker) -> list[QAction]:
    """What can be made of the stream's own channels."""
    own = panel.channels.own[:_MOST_SOURCES]

    def of_each(what: Made, width_ns: int = 0) -> list[QAction]:
        return [
            make.entry(channel.name, partial(panel.add_channel, MadeOf(what, (column,), width_ns)))
            for column, channel in enumerate(own)
        ]

    means = [
        make.submenu(f"over {width_s:g} s", of_each(Made.MEAN, round(width_s * NS_PER_S)))
        for width_s in _WIDTHS_S
    ]
    lengths = [
        make.entry(title, partial(panel.add_channel, MadeOf(Made.MAGNITUDE, columns)))
        for title, columns in vectors(own, panel.units)
    ]
    return [
        make.submenu("Derivative of", of_each(Made.DERIVATIVE)),
        make.submenu("Integral of", of_each(Made.INTEGRAL)),
        make.submenu("Moving mean of", means),
        make.submenu("Magnitude of", lengths),
    ]


def vectors(
    channels: Sequence[Channel], groups: Collection[ChannelGroup]
) -> list[tuple[str, tuple[int, ...]]]:
    """Channels that are parts of one vector: same name but for the axis at the end, and same unit."""
    found: list[tuple[str, tuple[int, ...]]] = []
    for group in groups:
        by_name: dict[str, list[int]] = {}
        for column in group.columns:
            if column < len(channels):
                name = channels[column].name
                stem = name[:-1] if name[-1:].lower() in ("x", "y", "z") else ""
                if stem or name.lower() in ("x", "y", "z"):
                    by_name.setdefault(stem, []).append(column)
        for stem, columns in by_name.items():
            if 2 <= len(columns) <= 3:
                names = ", ".join(channels[column].name for column in columns)
                found.append((names if not stem else f"{stem.rstrip('_-./ ')} ({names})", tuple(columns)))
    return found
