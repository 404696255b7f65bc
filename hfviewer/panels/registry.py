"""Which panel shows which kind of stream. Panels are imported when the first of their kind is made."""

from __future__ import annotations

from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.theme import Theme
from hfviewer.panels.trouble import TroublePanel

_PANELS = {
    StreamKind.IMAGE: ("hfviewer.panels.image", "ImagePanel"),
    StreamKind.DEPTH: ("hfviewer.panels.depth", "DepthPanel"),
    StreamKind.POINTS: ("hfviewer.panels.cloud", "CloudPanel"),
    StreamKind.IMU: ("hfviewer.panels.signals", "SignalsPanel"),
    StreamKind.SIGNAL: ("hfviewer.panels.signals", "SignalsPanel"),
    StreamKind.POSE: ("hfviewer.panels.signals", "SignalsPanel"),
    StreamKind.MATRIX: ("hfviewer.panels.text", "TextPanel"),
    StreamKind.TEXT: ("hfviewer.panels.text", "TextPanel"),
    StreamKind.ANNOTATION: ("hfviewer.panels.text", "TextPanel"),
    StreamKind.UNKNOWN: ("hfviewer.panels.text", "TextPanel"),
}

# Shown by a panel made for what the numbers stand for, whatever the kind.
_PANELS_OF_ROLES: dict[str, tuple[str, str]] = {
    "force_matrix": ("hfviewer.panels.force_matrix", "ForceMatrixPanel"),
    "hand_keypoints_3d": ("hfviewer.panels.hand", "HandPanel"),
    "hand_pose": ("hfviewer.panels.hand", "HandPanel"),
    "status": ("hfviewer.panels.state_panel", "StatePanel"),
    "touch_map": ("hfviewer.panels.touch", "TouchPanel"),
    "trajectory": ("hfviewer.panels.trajectory", "TrajectoryPanel"),
}

# Other ways to look at a kind than its own panel.
_VIEWS: dict[tuple[StreamKind, str], tuple[str, str]] = {
    (StreamKind.POSE, "curves"): ("hfviewer.panels.signals", "SignalsPanel"),
    (StreamKind.SIGNAL, "curves"): ("hfviewer.panels.signals", "SignalsPanel"),
    (StreamKind.DEPTH, "cloud"): ("hfviewer.panels.depth_cloud", "DepthCloudPanel"),
}


def make_panel(
    description: StreamDescription,
    timestamps_ns: NDArray[np.int64],
    recording_start_ns: int,
    theme: Theme,
    *,
    view: str = "",
) -> StreamPanel:
    """The panel for a stream; where it cannot be made, one that says why.

    Args:
        description: of the stream.
        timestamps_ns: int64[n], non-decreasing, recording clock.
        recording_start_ns: what the header's seconds count from.
        theme: colours.
        view: another way to look at it than its kind's own, e.g. ``cloud``.
    """
    try:
        made = panel_class(description.kind, description.role, view)(
            description, timestamps_ns, recording_start_ns, theme
        )
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        # A broken OpenCV or graphics driver costs this panel, not the window.
        reason = f"{type(error).__name__}: {error}"
        return TroublePanel(description, timestamps_ns, recording_start_ns, theme, reason=reason)
    return made


def panel_class(kind: StreamKind, role: str = "", view: str = "") -> type[StreamPanel]:
    """The class of panel for a view, else for a role, else for a kind, imported now.

    Raises:
        ImportError: it, or something that it needs, cannot be imported.
    """
    module, name = _VIEWS.get((kind, view)) or _PANELS_OF_ROLES.get(role, _PANELS[kind])
    found = getattr(import_module(module), name)
    if not (isinstance(found, type) and issubclass(found, StreamPanel)):
        raise ImportError(f"{module}.{name} is not a panel")
    return found
