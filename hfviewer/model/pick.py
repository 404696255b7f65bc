"""The place that the pointer is at, shared by all panels: one marks it, the others show where they see it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QObject, Signal

from hfviewer.core.geometry import Calibration
from hfviewer.core.projection import Ray, link, moved_point

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """A place that somebody points at.

    Args:
        stream: whose panel the pointer is over.
        timestamp_ns: of the frame that it shows.
        text: the numbers there, in one line.
        frame: coordinate frame of ``point_m`` and ``ray``; empty where the calibration knows none.
        point_m: the place, metres, where its distance is known.
        ray: the line of sight, where there is one; a camera's pixel has one even without a distance.
        pixel: column and row of the stored picture, for pictures.
        index: of the point in its frame's arrays, for clouds.
    """

    stream: str
    timestamp_ns: int
    text: str
    frame: str = ""
    point_m: Point | None = None
    ray: Ray | None = None
    pixel: tuple[float, float] | None = None
    index: int | None = None

    def seen_from(self, calibration: Calibration, frame: str) -> Pick | None:
        """The same place in another coordinate frame; None where nothing connects the two."""
        matrix = link(calibration, target=frame, source=self.frame)
        if matrix is None:
            return None
        point_m = None if self.point_m is None else moved_point(matrix, self.point_m)
        ray = None if self.ray is None else self.ray.moved(matrix)
        if point_m is not None and not np.isfinite(point_m).all():
            point_m = None
        return replace(self, frame=frame, point_m=point_m, ray=ray)


class PickBoard(QObject):
    """What is pointed at now, and what every panel has to say about it."""

    changed = Signal(object)  # Pick | None
    read_out_changed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pick: Pick | None = None
        self._said: dict[str, str] = {}
        self._telling = False

    @property
    def pick(self) -> Pick | None:
        return self._pick

    @property
    def read_out(self) -> str:
        """Everything that is known of the place, in one line; empty where nothing is pointed at."""
        return "" if self._pick is None else "   |   ".join([self._pick.text, *self._said.values()])

    def point_at(self, pick: Pick) -> None:
        """The pointer is here now."""
        if pick != self._pick:
            self._set(pick)

    def resolve(self, pick: Pick, point_m: Point, frame: str, calibration: Calibration) -> None:
        """Somebody found out where a line of sight ends.

        Args:
            pick: that was asked about; nothing happens where it is not the one of now, or its place is known.
            point_m: in ``frame``.
            frame: that whoever found it thinks in.
            calibration: to bring it back into the pick's own frame.
        """
        back = link(calibration, target=pick.frame, source=frame)
        if back is not None and pick == self._pick and pick.point_m is None:
            self._set(replace(pick, point_m=moved_point(back, point_m)))

    def leave(self, stream: str) -> None:
        """The pointer has left the panel of a stream."""
        if self._pick is not None and self._pick.stream == stream:
            self._set(None)

    def say(self, stream: str, text: str) -> None:
        """What another panel sees at the place; replaces what it said before, empty takes it back."""
        if self._pick is None or stream == self._pick.stream or self._said.get(stream, "") == text:
            return
        if text:
            self._said[stream] = text
        else:
            self._said.pop(stream, None)
        self.read_out_changed.emit(self.read_out)

    def _set(self, pick: Pick | None) -> None:
        self._pick = pick
        self._said.clear()
        if self._telling:
            return  # who listens found out more: told to all once they have heard this one
        self._telling = True
        try:
            while True:
                told = self._pick
                self.changed.emit(told)
                if told is self._pick:
                    break
        finally:
            self._telling = False
        self.read_out_changed.emit(self.read_out)
