"""Point clouds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import QWidget

from hfviewer.core.errors import FrameError
from hfviewer.core.frame import Frame, PointFrame
from hfviewer.core.geometry import Calibration, CameraModel
from hfviewer.core.stream import StreamDescription, StreamKind
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.cloud_camera import CloudViewpoint, viewpoint_of
from hfviewer.panels.cloud_cards import count_text, dropped_text, paint_counts, paint_legend
from hfviewer.panels.cloud_colour import HEIGHT, reach_and_ground
from hfviewer.panels.cloud_gather import MOST_ASKED, Gathering, ShownCloud, gathered, values_of
from hfviewer.panels.cloud_lines import LineRole, SceneLines, frustum, sensor_axes
from hfviewer.panels.cloud_link import CloudLink
from hfviewer.panels.cloud_menu import cloud_actions
from hfviewer.panels.cloud_motion import Motion, PathStore
from hfviewer.panels.cloud_out import ply_writer
from hfviewer.panels.cloud_picks import Picks, picked_point
from hfviewer.panels.cloud_picture import cameras_of, picture_offset_ns
from hfviewer.panels.cloud_prepare import Colouring, PreparedCloud, Recipe, prepare_cloud
from hfviewer.panels.cloud_state import restore, state_of
from hfviewer.panels.cloud_view import CloudView
from hfviewer.panels.depth_colour import ColourMap
from hfviewer.panels.drawing import one_line
from hfviewer.panels.range_dialog import RangeDialog
from hfviewer.panels.saving import Saver, Write, file_name
from hfviewer.panels.segments import SegmentButtons
from hfviewer.panels.surroundings import Surroundings
from hfviewer.panels.theme import Theme
from hfviewer.playback.result import Preparer

_VIEWPOINTS = (
    (CloudViewpoint.TOP, "T", "Top view"),
    (CloudViewpoint.FRONT, "F", "Front view"),
    (CloudViewpoint.SIDE, "S", "Side view"),
    (CloudViewpoint.FREE, "3D", "View from behind and above (R)"),
)
_NO_PATH = np.empty((0, 3))


class CloudPanel(StreamPanel):
    """A lidar's scans: orbit, pan and zoom, coloured by a field over a fixed range."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._frame: PointFrame | None = None
        self._shown_cloud: ShownCloud | None = None
        self._gathering = Gathering()
        self._colour_by, self._colour_map = HEIGHT, ColourMap.TURBO
        self._values: NDArray[np.float32] | None = None  # of the points, by which they are coloured
        self._own: NDArray[np.uint32] | None = None  # or colours of their own
        self._limits: dict[str, tuple[float, float]] = {}
        self._is_fitted = False
        self._mounting, self._calibration = description.frame or description.name, Calibration()
        self._cameras: dict[str, NDArray[np.float64]] = {}
        self._poses: tuple[str, ...] = ()
        self._last: PreparedCloud | None = None
        self._motion: Motion | None = None
        self._path: PathStore | None = None
        self._path_seen = _NO_PATH
        self._with_axes = self._with_frustums = self._with_path = True
        self._picks = self._picks_before = Picks()
        self._saver = Saver(self)
        self._saver.failed.connect(self.failed)
        self._saver.saved.connect(self.told)
        self._view = CloudView(theme, self)
        self._link = CloudLink(self._view)
        self._view.set_paint_over(self._paint_cards)
        self._view.hovered.connect(self._on_hovered)
        self._view.picked.connect(self._on_picked)
        self._view.unpicked.connect(self._on_unpicked)
        self._view.camera_moved.connect(self._on_camera_moved)
        self._view.picture_wanted.connect(self.detail_wanted)
        self._buttons = SegmentButtons([(text, hint) for _, text, hint in _VIEWPOINTS], theme, self._view)
        self._buttons.chosen.connect(self._on_viewpoint_chosen)
        self._buttons.set_current(len(_VIEWPOINTS) - 1)
        self._view.set_corner(self._buttons)
        self._set_body(self._view)
        self._show_lines()

    # -- how it is shown -------------------------------------------------------------------------------------

    @property
    def view(self) -> CloudView:
        return self._view

    @property
    def shown_frame(self) -> PointFrame | None:
        return self._frame

    @property
    def frame(self) -> PointFrame | None:
        """The scan on screen."""
        return self._frame

    @property
    def shown_cloud(self) -> ShownCloud | None:
        """The points on screen."""
        return self._shown_cloud

    @property
    def picks(self) -> Picks:
        return self._picks

    @property
    def gathering(self) -> Gathering:
        """Which points are shown."""
        return self._gathering

    @property
    def colour_by(self) -> str:
        return self._colour_by

    @property
    def colour_map(self) -> ColourMap:
        return self._colour_map

    @property
    def is_fitted(self) -> bool:
        """True where every scan has colours over its own range."""
        return self._is_fitted

    @property
    def limits(self) -> tuple[float, float] | None:
        """Range of the colours: fixed at the first scan that had the field, unless it is fitted to each."""
        return self._limits.get(self._colour_by)

    @property
    def dropped_text(self) -> str:
        """How many points have no place and do not show; empty where all have one."""
        return "" if self._shown_cloud is None else dropped_text(self._shown_cloud)

    @property
    def has_axes(self) -> bool:
        return self._with_axes

    @property
    def has_frustums(self) -> bool:
        return self._with_frustums

    @property
    def has_path(self) -> bool:
        return self._with_path

    @property
    def link_name(self) -> str:
        """What its points are called where things are pointed at."""
        return self.stream_name

    def set_surroundings(self, surroundings: Surroundings) -> None:
        """The recording around it: cameras to be coloured by, poses, and what is pointed at elsewhere."""
        self._calibration, known = surroundings.calibration, surroundings.descriptions
        self._mounting = surroundings.frame_of(self.stream_name)
        self._cameras = cameras_of(self._calibration, known, self._mounting)
        self._poses = tuple(name for name, one in known.items() if one.kind is StreamKind.POSE)
        if self._poses:
            self._gathering = replace(self._gathering, pose=self._poses[0])
        self._choose_motion()
        self._link.set_surroundings(surroundings, self.link_name)
        self._show_lines()

    def set_colour_by(self, name: str) -> None:
        """Colour by ``height``, ``range``, a field's name, ``flat``, or ``picture of`` a camera."""
        self._colour_by = name
        self._take_values()
        self._colour()
        self.detail_wanted.emit()

    def set_limits(self, low: float, high: float) -> None:
        """Fix the range of what is coloured by now."""
        if math.isfinite(low) and math.isfinite(high) and low < high:
            self._is_fitted = False
            self._limits[self._colour_by] = (low, high)
            self._colour()

    def set_fitted(self, fitted: bool) -> None:
        """Give every scan colours over its own range, or all of them the same."""
        self._is_fitted = fitted
        self._colour()

    def refit(self) -> None:
        """Fix the range to that of the scan on screen."""
        self._is_fitted = False
        self._limits.pop(self._colour_by, None)
        self._colour()

    def set_colour_map(self, colour_map: ColourMap) -> None:
        self._colour_map = colour_map
        self._colour()

    def set_scans(self, count: int) -> None:
        """Show the last so many scans in one picture."""
        self._gather_anew(replace(self._gathering, scans=max(1, count)))

    def set_pose(self, stream: str) -> None:
        """Say which stream of poses moves earlier scans; empty for none."""
        gathering = replace(self._gathering, pose=stream)
        if gathering != self._gathering:
            self._gathering = gathering
            self._choose_motion()
            self.detail_wanted.emit()

    def set_most(self, count: int) -> None:
        """Show so many points at most."""
        self._gather_anew(replace(self._gathering, most=min(max(1, count), MOST_ASKED)))

    def look_from(self, viewpoint: CloudViewpoint) -> None:
        """Put the camera to one of the four viewpoints."""
        self._view.look_from(viewpoint)
        self._buttons.set_current([v for v, _, _ in _VIEWPOINTS].index(viewpoint))

    def reset_view(self) -> None:
        self.look_from(CloudViewpoint.FREE)

    def toggle_grid(self) -> None:
        self._view.set_grid(not self._view.has_grid)

    def toggle_axes(self) -> None:
        self._with_axes = not self._with_axes
        self._show_lines()

    def toggle_frustums(self) -> None:
        self._with_frustums = not self._with_frustums
        self._show_lines()

    def toggle_path(self) -> None:
        self._with_path = not self._with_path
        self._choose_motion()
        self.detail_wanted.emit()

    def clear_picks(self) -> None:
        self._picks.clear()
        self._show_lines()

    @property
    def poses(self) -> tuple[str, ...]:
        """Streams that may say how the sensor moved."""
        return self._poses

    def view_state(self) -> dict[str, object]:
        return state_of(self)

    def restore_view_state(self, state: dict[str, object]) -> None:
        restore(self, state)

    def context_actions(self) -> list[QAction]:
        return cloud_actions(self, list(self._cameras))

    def ask_limits(self) -> None:
        """Let a person type the range of the colours."""
        label = f"Lowest and highest {one_line(self._colour_by)}, e.g. −2 3:"
        dialog = RangeDialog("Colour range", label, self.limits or (0.0, 1.0), self)
        dialog.chosen.connect(self.set_limits)
        dialog.refused.connect(self.failed)
        dialog.open()

    def ask_ply(self) -> None:
        """Let a person say where the points shown are to be written."""
        if self._frame is not None:
            suggested = file_name(self.stream_name, f"{self._frame.index:06d}.ply")
            self._saver.ask("Save points", suggested, "Point clouds", self.ply_writer())

    def ply_writer(self) -> Write:
        """What writes the points on screen now, with their fields and colours; for any thread."""
        shown = self._shown_cloud
        shading = self._colouring().fitted(self._values).shading(self._values, self._own)
        colours = shading.colours(0 if shown is None else len(shown.xyz))
        return ply_writer(self.stream_name, shown, colours)

    # -- frames ----------------------------------------------------------------------------------------------

    def _draw(self, frame: Frame) -> None:
        if not isinstance(frame, PointFrame) or frame.xyz.ndim != 2 or frame.xyz.shape[1] != 3:
            raise FrameError("This is not a point cloud.")
        self._frame = frame
        prepared = self._prepared
        if isinstance(prepared, PreparedCloud) and prepared.frame is frame:
            self._shown_cloud, self._path_seen = prepared.shown, prepared.path
            self._last = prepared
            size = prepared.size
        else:
            prepared = None
            self._shown_cloud, self._path_seen = gathered([frame], most=self._gathering.most), _NO_PATH
            size = reach_and_ground(self._shown_cloud.xyz)
        if not self._view.knows_size and len(self._shown_cloud.xyz):
            self._view.learn_size(*size)
        if prepared is not None and prepared.recipe.colouring.colour_by == self._colour_by:
            self._values, self._own = prepared.values, prepared.own
        else:
            self._take_values()
        self._colour(prepared)
        self._show_lines()

    def preparer(self) -> Preparer | None:
        recipe = Recipe(
            gathering=self._gathering,
            colouring=self._colouring(),
            look=self._view.look_to_prepare(),
            source=self._source,
            motion=self._motion,
            camera=self._camera_to_colour_by(),
            path=self._path,
            as_points=self._as_points(),
            last=self._last,
        )
        return lambda frame: prepare_cloud(frame, recipe)

    def _clear(self) -> None:
        self._frame = self._shown_cloud = self._values = self._own = None
        self._path_seen, self._last = _NO_PATH, None
        self._view.clear()
        self._show_lines()

    def _set_stale(self, stale: bool) -> None:
        self._view.set_stale(stale)

    def _gather_anew(self, gathering: Gathering) -> None:
        if gathering != self._gathering:
            self._gathering = gathering
            self.detail_wanted.emit()

    def _as_points(self) -> Callable[[Frame], Frame] | None:
        """What makes a scan of a stored frame, on any thread; None where stored frames are scans."""
        return None

    def _camera_to_colour_by(self) -> tuple[CameraModel, NDArray[np.float64]] | None:
        name = self._colouring().camera
        return (self._calibration.cameras[name], self._cameras[name]) if name in self._cameras else None

    def _choose_motion(self) -> None:
        pose, self._motion = self._gathering.pose, None
        if self._source is not None and pose:
            self._motion = Motion.of(self._source, pose, self._calibration, self._mounting)
        self._path = PathStore(self._motion) if self._motion is not None and self._with_path else None

    def _take_values(self) -> None:
        """Once per scan and choice: a renderer sends the same array only once."""
        self._own = None
        if self._shown_cloud is not None:
            self._values = values_of(self._shown_cloud, self._colour_by)

    def _colouring(self) -> Colouring:
        limits = None if self._is_fitted else self.limits
        return Colouring(self._colour_by, limits, self._colour_map, self._theme.on_picture)

    def _colour(self, prepared: PreparedCloud | None = None) -> None:
        if self._shown_cloud is None:
            return
        asked = self._colouring()
        same = prepared is not None and prepared.recipe.colouring == asked
        colouring = prepared.colouring if prepared is not None and same else asked.fitted(self._values)
        if colouring.limits is not None:
            self._limits[self._colour_by] = colouring.limits
        ready = prepared.ready if prepared is not None and same else None
        self._view.show_points(self._shown_cloud.xyz, colouring.shading(self._values, self._own), ready)

    def _show_lines(self) -> None:
        step_m = self._view.ring_step_m
        lines: list[SceneLines] = []
        if self._with_frustums:
            cameras = self._calibration.cameras
            found = (frustum(n, cameras[n], matrix, step_m) for n, matrix in self._cameras.items())
            lines += [one for one in found if one is not None]
        if self._with_path and len(self._path_seen) > 1:
            lines.append(SceneLines(LineRole.PATH, (self._path_seen,)))
        if self._with_axes and self._frame is not None:
            lines += sensor_axes(step_m)
        self._view.set_lines((*lines, *self._picks.lines()))

    # -- what the user does ----------------------------------------------------------------------------------

    def _on_viewpoint_chosen(self, index: int) -> None:
        self.focus_requested.emit(self.stream_name)
        self.look_from(_VIEWPOINTS[index][0])

    def _on_camera_moved(self) -> None:
        here = viewpoint_of(self._view.camera)
        self._buttons.set_current([viewpoint for viewpoint, _, _ in _VIEWPOINTS].index(here))

    def _on_hovered(self, index: object) -> None:
        point = None
        if isinstance(index, int) and self._shown_cloud is not None:
            point = picked_point(self._shown_cloud, index)
        if point is None or self._frame is None:
            self._link.leave()
            self.read_out_changed.emit("")
            return
        text = point.text(number=self._frame.index - point.frame_index)
        self.read_out_changed.emit(text)
        self._link.point_at(point, text)

    def _on_picked(self, index: object, second: bool) -> None:
        point = None
        if isinstance(index, int) and self._shown_cloud is not None:
            point = picked_point(self._shown_cloud, index)
        self._picks_before = replace(self._picks)
        self._picks.take(point, second=second)
        self._show_lines()

    def _on_unpicked(self) -> None:
        self._picks = self._picks_before
        self._show_lines()

    def _paint_cards(self, painter: QPainter) -> None:
        shown = self._shown_cloud
        if self._frame is None or shown is None or self.plate is not None:
            return
        tokens, area = self._theme.on_picture, self._view.rect()
        self._link.paint(painter, tokens)
        self._picks.paint_marks(painter, self._view.matrix, tokens)
        tokens = self._theme.tokens
        lines = [count_text(shown, self._view.drawn), self.dropped_text]
        beside_buttons = area.adjusted(0, 0, -self._buttons.width() - 10, 0)
        paint_counts(painter, beside_buttons, [line for line in lines if line], tokens)
        colouring = replace(self._colouring(), limits=self.limits)
        offset_ns = picture_offset_ns(self._source, colouring.camera, self._frame.timestamp_ns)
        paint_legend(painter, area, colouring, tokens, offset_ns=offset_ns)
        self._picks.paint_card(painter, area, tokens)
