"""What the menu of a depth panel offers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from hfviewer.panels.depth_colour import ColourMap

if TYPE_CHECKING:
    from hfviewer.panels.depth import DepthPanel


def depth_actions(panel: DepthPanel) -> list[QAction]:
    """The entries that only depth has."""
    logarithmic, colour_map = panel.colour_style
    frame = panel.shown_frame is not None
    entry, tr = panel.menu_entry, panel.tr
    maps = [
        entry(tr(each.value.capitalize()), partial(panel.set_colour_map, each), checked=each is colour_map)
        for each in ColourMap
    ]
    maps += [
        entry(
            tr("Logarithmic"), lambda: panel.set_logarithmic(not panel.colour_style[0]), checked=logarithmic
        ),
        entry(tr("As the recorder shows it"), panel.show_as_recorder),
    ]
    ranges = [
        entry(tr("Of the whole recording"), panel.take_recording_range),
        entry(tr("Of this frame"), panel.take_range, enabled=frame),
    ]
    return [
        panel.submenu(tr("Colours"), maps),
        panel.submenu(tr("Range of colours"), ranges),
        entry(
            tr("Close small holes for the eye"),
            lambda: panel.set_closing(not panel.closing),
            checked=panel.closing,
        ),
        entry(
            tr("Forget box and line (made with Shift-drag and Ctrl-drag)"),
            panel.clear_measurements,
            enabled=panel.measuring,
        ),
        entry(
            tr("As a point cloud"),
            partial(panel.command_requested.emit, "cloud"),
            enabled=panel.has_camera,
        ),
    ]
