"""What leaves a cloud panel: the points shown, as a PLY file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hfviewer.convert.ply import write_ply
from hfviewer.core.errors import FrameError
from hfviewer.panels.cloud_gather import ShownCloud, values_of
from hfviewer.panels.saving import Write


def ply_writer(stream: str, shown: ShownCloud | None, colours: NDArray[np.uint32]) -> Write:
    """What writes points with their fields and colours, on any thread.

    Args:
        stream: that they are of.
        shown: the points; None: there are none, and it will say so.
        colours: uint32[N], ``0xAARRGGBB``.
    """

    def write(path: Path) -> str:
        if shown is None:
            raise FrameError("There is no scan on screen.")
        newest = shown.parts[0].frame
        names = [name for name in newest.fields if name not in ("x", "y", "z")]
        columns = {name: found for name in names if (found := values_of(shown, name)) is not None}
        comments = [
            f"stream {stream} frame {newest.index} of {len(shown.parts)} scans",
            f"timestamp_ns {newest.timestamp_ns}",
            f"metres, in the frame of the sensor at that time; {len(shown.xyz)} of {shown.usable} points",
        ]
        write_ply(path, shown.xyz, fields=columns, colours=colours, comments=comments)
        return f"{len(shown.xyz)} points"

    return write
