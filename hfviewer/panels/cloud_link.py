"""What a cloud has to do with what is pointed at in other panels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject
from PySide6.QtGui import QPainter

from hfviewer.core.projection import Ray
from hfviewer.model.pick import Pick
from hfviewer.panels.cloud_lines import LineRole, SceneLines, draw_lines, place_of
from hfviewer.panels.cloud_picks import PickedPoint, paint_mark
from hfviewer.panels.cloud_view import CloudView
from hfviewer.panels.surroundings import Surroundings
from hfviewer.panels.tokens import Tokens

_RAY_M = 200.0
_NEAR_RAY_RAD = 0.006  # a point this close to a line of sight is what it meets
_MOST_TRIED = 400_000


class CloudLink(QObject):
    """Tells the other panels what is pointed at here, and marks what is pointed at there.

    Args:
        view: of the cloud.
    """

    def __init__(self, view: CloudView) -> None:
        super().__init__(view)
        self._view = view
        self._around: Surroundings | None = None
        self._stream = self._frame = ""
        self._points = False  # the pointer is over this cloud
        self._seen: Pick | None = None  # what others point at, in the frame of the points

    @property
    def seen(self) -> Pick | None:
        """What is pointed at elsewhere, in the frame of the points; None where nothing known is."""
        return self._seen

    def set_surroundings(self, around: Surroundings, stream: str) -> None:
        """Listen to the picks of a recording.

        Args:
            around: the recording.
            stream: whose points these are.
        """
        self._around, self._stream, self._frame = around, stream, around.frame_of(stream)
        around.picks.changed.connect(self._on_changed)

    def point_at(self, point: PickedPoint, text: str) -> None:
        """The pointer is over a point here."""
        if self._around is not None:
            self._points = True
            self._around.picks.point_at(
                Pick(
                    stream=self._stream,
                    timestamp_ns=point.timestamp_ns,
                    text=text,
                    frame=self._frame,
                    point_m=point.place_m,
                    index=point.index,
                )
            )

    def leave(self) -> None:
        """The pointer is over nothing here."""
        if self._around is not None and self._points:
            self._points = False
            self._around.picks.leave(self._stream)

    def paint(self, painter: QPainter, tokens: Tokens) -> None:
        """Mark what others point at."""
        seen = self._seen
        if seen is None:
            return
        matrix, size = self._view.matrix, (max(1, self._view.width()), max(1, self._view.height()))
        if seen.ray is not None:
            reach = (
                _RAY_M if seen.point_m is None else float(np.linalg.norm(_between(seen.ray, seen.point_m)))
            )
            along = seen.ray.points(np.linspace(0.0, reach, 120))
            draw_lines(painter, [SceneLines(LineRole.RAY, (along,))], matrix, size, tokens)
        if seen.point_m is not None and (place := place_of(matrix, seen.point_m)) is not None:
            paint_mark(painter, place, tokens)

    def _on_changed(self, pick: object) -> None:
        around, before = self._around, self._seen
        self._seen = None
        if around is None or not self._view.isVisible():
            return
        if isinstance(pick, Pick) and not self._points:
            self._seen = pick.seen_from(around.calibration, self._frame)
            if self._seen is not None and self._seen.point_m is None and self._seen.ray is not None:
                found = meet_points(self._seen.ray, self._view.points())
                if found is not None:
                    self._say(around, pick, found)
        if self._seen is not None or before is not None:
            self._view.update_over()

    def _say(self, around: Surroundings, pick: Pick, found: NDArray[np.float32]) -> None:
        """A line of sight ends at one of the points: tell where that is."""
        x, y, z = (float(part) for part in found)
        around.picks.resolve(pick, (x, y, z), self._frame, around.calibration)
        around.picks.say(self._stream, f"{self._stream}  x {x:.3f}  y {y:.3f}  z {z:.3f} m")


def _between(ray: Ray, point_m: tuple[float, float, float]) -> NDArray[np.float64]:
    return np.asarray(np.array(point_m) - np.array(ray.origin_m), np.float64)


def meet_points(
    ray: Ray, xyz: NDArray[np.float32], *, within_rad: float = _NEAR_RAY_RAD
) -> NDArray[np.float32] | None:
    """The point of a cloud that a line of sight meets first; None where it passes between all of them.

    Args:
        ray: in the frame of the points.
        xyz: float32 N×3; of very many, some are tried.
        within_rad: how far beside the line, as seen from its origin, a point may be.
    """
    tried = xyz[:: max(1, -(-len(xyz) // _MOST_TRIED))]
    if len(tried) == 0:
        return None
    from_origin = tried - np.array(ray.origin_m, np.float32)
    along = from_origin @ np.array(ray.direction, np.float32)
    length2 = np.einsum("ij,ij->i", from_origin, from_origin)
    # cos² of the angle, without a root or a division for each point.
    close = np.flatnonzero((along > 0.05) & (along * along >= np.float32(np.cos(within_rad) ** 2) * length2))
    if len(close) == 0:
        return None
    # The nearest of those within the cone, and not the one that happens to lie closest to the line.
    found: NDArray[np.float32] = tried[close[int(np.argmin(along[close]))]]
    return found
