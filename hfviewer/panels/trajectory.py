"""Trajectories: where a body went, where it is, and which way it points."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QFontMetrics, QPainter
from PySide6.QtWidgets import QWidget

from hfviewer.core.errors import FrameError
from hfviewer.core.frame import Frame, PoseFrame
from hfviewer.core.stream import StreamDescription
from hfviewer.panels.cloud_camera import OrbitCamera
from hfviewer.panels.drawing import CARD_MARGIN, draw_text_card, one_line
from hfviewer.panels.menus import MenuMaker
from hfviewer.panels.once import Once
from hfviewer.panels.scene_panel import ScenePanel
from hfviewer.panels.scene_view import Axis, Dot, Scene, Strand
from hfviewer.panels.theme import Theme, number_font, with_alpha
from hfviewer.panels.trajectory_data import FARTHEST_M, Path, frame_axes, read_path
from hfviewer.playback.result import Preparer

_AXIS_SHARE = 0.22  # length of the body's axes, of the path's reach
_FUTURE = 0.45
_DISTANCES = 2.6
_LEAST_REACH_M = 0.05
_LOW_PX = 170  # lower panels have room for one card


class TrajectoryPanel(ScenePanel):
    """The path so far as a line, what is to come dotted, and the axes of the body where it is now."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._path: Once[Path] = Once()
        self._pose: NDArray[np.float64] | None = None
        self._time_ns = 0
        self._reach_m: float | None = None  # None: not framed yet
        self._framed_path = False
        self._axes = frame_axes(description.extra.get("frame_axes"))
        self._future = True
        self._view.set_axes(
            [
                Axis(name, self._axes.view_from_frame[:, i], theme.on_picture.axis[i])
                for i, name in enumerate(self._axes.names)
            ]
        )

    @property
    def axis_names(self) -> tuple[str, str, str]:
        """``X down`` and so on, as the recording states it."""
        return self._axes.names

    @property
    def path(self) -> Path | None:
        """The whole path, once a frame was prepared."""
        return self._path.known

    def set_future(self, future: bool) -> None:
        """Show what is to come, too."""
        self._future = future
        self._show()

    def view_state(self) -> dict[str, object]:
        return {**super().view_state(), "future": self._future}

    def restore_view_state(self, state: dict[str, object]) -> None:
        super().restore_view_state(state)
        self.set_future(state.get("future") is not False)

    def preparer(self) -> Preparer | None:
        path, stream = self._path, self._own_stream()
        if path.tried or stream is None:
            return None
        return lambda _frame: path.get(lambda: read_path(stream))

    def context_actions(self) -> list[QAction]:
        menu = MenuMaker(self)
        return [
            menu.entry("Reset view", self.reset_view),
            menu.entry("What is to come", lambda: self.set_future(not self._future), checked=self._future),
            self._grid_action(),
            self._curves_action(),
        ]

    # -- inside ----------------------------------------------------------------------------------------------

    def _draw(self, frame: Frame) -> None:
        if not isinstance(frame, PoseFrame):
            raise FrameError("This is not a pose.")
        with np.errstate(invalid="ignore"):
            if not (np.abs(frame.matrix) < FARTHEST_M).all():
                raise FrameError("This pose is no place.", remedy="The others still show.")
        self._pose = frame.matrix
        self._time_ns = int(self._timestamps_ns[frame.index])
        self._show()

    def _clear(self) -> None:
        self._pose = None
        super()._clear()

    def _seen(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points of the stream's frame in the view's axes."""
        return np.asarray(points @ self._axes.view_from_frame.T, np.float64)

    def _show(self) -> None:
        if self._pose is None:
            return
        self._frame_path()
        tokens, path = self._theme.on_picture, self.path
        here = self._pose[:3, 3]
        strands: list[Strand] = []
        dots: list[Dot] = []
        if path is not None:
            at = path.split(self._time_ns)
            past = np.concatenate([path.places_m[:at], here[None]])
            to_come = np.concatenate([here[None], path.places_m[at:]])
            if self._future and len(to_come) > 1:
                dim = with_alpha(tokens.series[0], _FUTURE)
                strands.append(Strand(self._seen(to_come), dim, 1.2, dashed=True))
            strands.append(Strand(self._seen(past), tokens.series[0], 2.2))
            dots.append(self._dot(path.places_m[0], 3.5, "start"))
        length = _AXIS_SHARE * (self._reach_m or 1.0)
        for i in range(3):
            tip = here + length * self._pose[:3, i]
            strands.append(Strand(self._seen(np.stack([here, tip])), tokens.axis[i], 3.0))
        dots.append(self._dot(here, 4.5, ""))
        self._view.show_scene(Scene(tuple(strands), tuple(dots)))

    def _dot(self, place: NDArray[np.float64], radius: float, name: str) -> Dot:
        x, y, z = self._seen(place).tolist()
        return Dot((x, y, z), self._theme.on_picture.t1, radius, name)

    def _frame_path(self) -> None:
        """Fit the camera to the first pose, and once more when the whole path is known."""
        path = self.path
        if self._pose is None or (self._reach_m is not None and (self._framed_path or path is None)):
            return
        self._framed_path = path is not None
        points = self._seen(self._pose[None, :3, 3] if path is None else path.places_m)
        low, high = points.min(axis=0), points.max(axis=0)
        self._reach_m = max(_LEAST_REACH_M, float(np.linalg.norm(high - low)) / 2)
        x, y, z = ((low + high) / 2).tolist()
        camera = OrbitCamera(
            target_m=(x, y, z),
            distance_m=_DISTANCES * self._reach_m,
            azimuth_rad=math.pi + 0.5,
            elevation_rad=math.radians(30),
        )
        self._view.set_home(camera, reach_m=self._reach_m, ground_m=float(low[2]))

    def pose_text(self, *, short: bool = False) -> str:
        """Where the body is, by the frame's own axes; short: by their letters only."""
        if self._pose is None:
            return ""
        names = [name[:1] if short else name for name in self.axis_names]
        places = (f"{name} {value:+.3f}" for name, value in zip(names, self._pose[:3, 3], strict=True))
        return ("   ".join(places) + " m").replace("-", "−")

    def way_text(self) -> str:
        """How far it came, of how far it goes; empty until the path is known."""
        path = self.path
        if path is None:
            return ""
        done = float(path.length_m[max(0, path.split(self._time_ns) - 1)])
        return f"way {done:.2f} of {float(path.length_m[-1]):.2f} m"

    def read_out(self) -> str:
        return self.pose_text() if self._hovered is not None else ""

    def _paint_cards(self, painter: QPainter) -> None:
        if self._pose is None or self.plate is not None:
            return
        tokens, area = self._theme.tokens, self._view.rect()
        corner = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
        beside = self._card_area(area)
        font = number_font(12)
        whole = self.pose_text()
        short = QFontMetrics(font).horizontalAdvance(whole) > beside.width() - 2 * CARD_MARGIN - 20
        card = draw_text_card(painter, beside, corner, self.pose_text(short=short), font, tokens)
        beside = beside.adjusted(0, round(card.height()) + 6, 0, 0)
        if area.height() < _LOW_PX:
            return
        if text := self.way_text():
            draw_text_card(painter, beside, corner, text, font, tokens)
        named = one_line(self._description.frame) or "frame not named"
        said = named if self._axes.stated else f"{named} · where its axes point is not stated"
        low = area.adjusted(0, 0, -120, 0)
        left = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft
        draw_text_card(painter, low, left, said, number_font(11), tokens)
