"""The menu of a cloud panel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from hfviewer.panels.cloud_camera import CloudViewpoint
from hfviewer.panels.cloud_colour import FLAT, HEIGHT, PICTURE, RANGE, colour_choices
from hfviewer.panels.cloud_gather import MOST_ASKED
from hfviewer.panels.depth_colour import ColourMap
from hfviewer.panels.menus import MenuMaker

if TYPE_CHECKING:
    from hfviewer.panels.cloud import CloudPanel

_MOST_ENTRIES = 200
_SCANS = (1, 2, 5, 10, 20, 50)
_BUDGETS = (
    ("500 000", 500_000),
    ("2 million", 2_000_000),
    ("10 million", 10_000_000),
    ("20 million", MOST_ASKED),
)
_VIEWPOINTS = (
    ("From behind and above", CloudViewpoint.FREE),
    ("Top", CloudViewpoint.TOP),
    ("Front", CloudViewpoint.FRONT),
    ("Side", CloudViewpoint.SIDE),
)


def cloud_actions(panel: CloudPanel, cameras: Sequence[str]) -> list[QAction]:
    """Everything the panel can do.

    Args:
        panel: that it is the menu of.
        cameras: streams whose pictures can colour the points.
    """
    make = MenuMaker(panel)
    frame, poses = panel.frame, panel.poses
    names = [HEIGHT, RANGE, FLAT] if frame is None else colour_choices(frame)
    # A menu of a damaged recording must open, too.
    by = [
        (name, name)
        for name in [*names[:_MOST_ENTRIES], *(PICTURE + camera for camera in cameras[:_MOST_ENTRIES])]
    ]
    fitted, limits = panel.is_fitted, panel.limits
    with_range = limits is not None and panel.colour_by != FLAT
    view = panel.view
    return [
        make.entry("Reset view (R)", panel.reset_view),
        make.submenu(
            "Look from",
            [make.entry(text, partial(panel.look_from, viewpoint)) for text, viewpoint in _VIEWPOINTS],
        ),
        make.choice("Colour by", by, panel.colour_by, panel.set_colour_by),
        make.submenu(
            "Colour range",
            [
                make.entry(
                    "Fixed for all scans", lambda: panel.set_fitted(False), checked=not fitted, hint=_FIXED
                ),
                make.entry(
                    "Fitted to every scan", lambda: panel.set_fitted(True), checked=fitted, hint=_FITTED
                ),
                make.entry("Fixed to this scan's range", panel.refit, enabled=frame is not None),
                make.entry("Set…", panel.ask_limits, enabled=with_range),
            ],
        ),
        make.choice(
            "Colours", [(name.value, name) for name in ColourMap], panel.colour_map, panel.set_colour_map
        ),
        make.choice(
            "Point size", [(f"{size} px", size) for size in range(1, 7)], view.point_px, view.set_point_px
        ),
        make.choice("Points at most", _BUDGETS, panel.gathering.most, panel.set_most),
        make.choice(
            "Scans in one picture",
            [("This one", 1), *((f"The last {count}", count) for count in _SCANS[1:])],
            panel.gathering.scans,
            panel.set_scans,
        ),
        make.choice(
            "Move earlier scans by",
            [("Nothing: lay them over one another", ""), *((name, name) for name in poses[:_MOST_ENTRIES])],
            panel.gathering.pose,
            panel.set_pose,
        ),
        make.submenu(
            "Show",
            [
                make.entry("Ground grid", panel.toggle_grid, checked=view.has_grid),
                make.entry("Axes of the sensor", panel.toggle_axes, checked=panel.has_axes),
                make.entry("What cameras see", panel.toggle_frustums, checked=panel.has_frustums),
                make.entry(
                    "Path of the sensor", panel.toggle_path, checked=panel.has_path, enabled=bool(poses)
                ),
            ],
        ),
        make.submenu(
            "Picked points",
            [
                make.entry("Forget them", panel.clear_picks, enabled=panel.picks.first is not None),
                make.entry("A click picks one; with Ctrl the second, to measure", enabled=False),
                make.entry("A double click makes one the point to turn about", enabled=False),
            ],
        ),
        make.entry("Save the points shown as PLY…", panel.ask_ply, enabled=frame is not None),
    ]


_FIXED = "The same colour means the same value in every scan"
_FITTED = "The middle 98 % of each scan's values use all colours"
