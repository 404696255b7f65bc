"""What the menu of a depth panel offers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from hfviewer.panels.depth_colour import ColourMap
from hfviewer.panels.menus import MenuMaker

if TYPE_CHECKING:
    from hfviewer.panels.depth import DepthPanel


def depth_actions(panel: DepthPanel) -> list[QAction]:
    """The entries that only depth has."""
    make, tr = MenuMaker(panel), panel.tr
    logarithmic, colour_map = panel.colour_style
    maps = [(tr(each.value.capitalize()), each) for each in ColourMap]
    return [
        make.choice(tr("Colours"), maps, colour_map, panel.set_colour_map),
        make.entry(
            tr("Logarithmic"),
            lambda: panel.set_logarithmic(not panel.colour_style[0]),
            checked=logarithmic,
            hint=tr("Equal ratios of depth, not equal steps, are equally far apart in colour"),
        ),
        make.entry(
            tr("Colours as the recorder shows them"),
            panel.show_as_recorder,
            hint=tr("JET over the logarithm from 0.1 to 5 m"),
        ),
        make.entry(
            tr("Range of the whole recording"),
            panel.take_recording_range,
            hint=tr("Percentiles 1 and 99 of pictures from all over it"),
        ),
        make.entry(tr("Range of this frame"), panel.take_range, enabled=panel.shown_frame is not None),
        make.entry(
            tr("Close small holes for the eye"),
            lambda: panel.set_closing(not panel.closing),
            checked=panel.closing,
            hint=tr("Drawn darker, within surfaces only; the probe still says that nothing was measured"),
        ),
        make.entry(
            tr("Forget box and line"),
            panel.clear_measurements,
            enabled=panel.measuring,
            hint=tr("Shift-drag measures a box, Ctrl-drag a line"),
        ),
        make.entry(
            tr("As a point cloud"),
            partial(panel.command_requested.emit, "cloud"),
            enabled=panel.has_camera,
            hint=tr("In a panel of its own, through the calibration of its camera"),
        ),
    ]
