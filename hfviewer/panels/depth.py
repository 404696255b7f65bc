"""Depth pictures."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QAction, QImage, QPainter
from PySide6.QtWidgets import QWidget

from hfviewer.core.errors import FrameError
from hfviewer.core.frame import DepthFrame, Frame
from hfviewer.core.geometry import CameraModel
from hfviewer.core.projection import Ray, from_picture, meet_depth
from hfviewer.core.stream import StreamDescription
from hfviewer.model.pick import Pick, Point
from hfviewer.panels.canvas import CanvasTool
from hfviewer.panels.depth_cards import paint_box, paint_no_data, paint_probe, paint_profile, probe_line
from hfviewer.panels.depth_colour import (
    RECORDER_COLOURS,
    ColourMap,
    DepthColours,
    DepthProbe,
    invalid_share,
    probe,
    robust_range_mm,
)
from hfviewer.panels.depth_measure import (
    DepthSurvey,
    bin_table,
    box_statistics,
    histogram,
    join_survey,
    line_profile,
    survey_sample,
)
from hfviewer.panels.depth_menu import depth_actions
from hfviewer.panels.depth_prepare import (
    DepthLook,
    PreparedDepth,
    ShownDepth,
    prepare_depth,
    render_depth,
    shown_depth,
)
from hfviewer.panels.depth_scale import DepthScaleBar
from hfviewer.panels.marks import paint_cross, paint_line
from hfviewer.panels.picture_panel import PicturePanel
from hfviewer.panels.theme import Theme
from hfviewer.playback.result import Preparer
from hfviewer.playback.survey import Survey

Place = tuple[float, float]


class DepthPanel(PicturePanel):
    """Depth in colours of a fixed range, with the stored code of the pixel under the pointer."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._frame: DepthFrame | None = None
        self._shown_depth: ShownDepth | None = None
        self._colours: DepthColours | None = None
        self._chosen = False  # the range was set by a person, not by a frame or the recording
        self._surveyed: DepthSurvey | None = None
        self._survey_done = False
        self._style = (False, ColourMap.TURBO)
        self._closing = False
        self._look: DepthLook | None = None
        self._invalid = 0.0
        self._box: tuple[Place, Place] | None = None
        self._line: tuple[Place, Place] | None = None
        self._scale_bar = DepthScaleBar(theme, self._canvas)
        self._scale_bar.range_changed.connect(self.set_range_mm)
        self._scale_bar.reset_requested.connect(self.take_recording_range)
        self._canvas.set_tools(CanvasTool.BOX, CanvasTool.LINE)
        self._canvas.measured.connect(self._on_measured)
        self._canvas.view_changed.connect(self._scale_bar.place)

    # -- what it shows ---------------------------------------------------------------------------------------

    @property
    def shown_frame(self) -> DepthFrame | None:
        return self._frame

    @property
    def colours(self) -> DepthColours | None:
        """Range, curve and colour map; None until a frame was drawn or a range was set."""
        return self._colours

    @property
    def colour_style(self) -> tuple[bool, ColourMap]:
        """Whether the curve is logarithmic, and the colour map."""
        return self._style

    @property
    def closing(self) -> bool:
        """Whether small holes are closed for the eye."""
        return self._closing

    @property
    def is_settled(self) -> bool:
        """True once the recording's range is known, or a person has set one."""
        return self._survey_done or self._chosen

    @property
    def has_camera(self) -> bool:
        """True where its pixels can become points."""
        return self._surroundings.camera_of(self.stream_name) is not None

    @property
    def probed(self) -> DepthProbe | None:
        """The pixel under the pointer."""
        pixel = self._cursor_pixel()
        return None if pixel is None or self._frame is None else probe(self._frame, *pixel)

    @property
    def measuring(self) -> bool:
        """True while a box or a line lies on the picture."""
        return self._box is not None or self._line is not None

    def set_range_mm(self, low_mm: float, high_mm: float) -> None:
        """Fix the range that is coloured; what lies outside takes the end colours."""
        if not (np.isfinite(low_mm) and np.isfinite(high_mm) and 0 <= low_mm < high_mm):
            return
        self._chosen = True
        self._set_range(low_mm, high_mm)

    def set_logarithmic(self, logarithmic: bool) -> None:
        """Equal ratios instead of equal steps."""
        self._restyle(logarithmic, self._style[1])

    def set_colour_map(self, colour_map: ColourMap) -> None:
        self._restyle(self._style[0], colour_map)

    def show_as_recorder(self) -> None:
        """Range, curve and colours of the recorder's own display."""
        self._style = (RECORDER_COLOURS.logarithmic, RECORDER_COLOURS.colour_map)
        self.set_range_mm(RECORDER_COLOURS.low_mm, RECORDER_COLOURS.high_mm)

    def set_closing(self, closing: bool) -> None:
        """Close small holes for the eye, or not; the probe still says that there is no measurement."""
        if closing != self._closing:
            self._closing = closing
            self._look_changed()

    def take_range(self) -> None:
        """The range of the frame on screen."""
        if self._frame is not None:
            self.set_range_mm(*robust_range_mm(self._frame))

    def take_recording_range(self) -> None:
        """The range of the whole recording, as far as it is known."""
        self._chosen = False
        if self._surveyed is not None:
            self._set_range(self._surveyed.low_mm, self._surveyed.high_mm)
        elif self._frame is not None:
            self._set_range(*robust_range_mm(self._frame))

    def clear_measurements(self) -> None:
        """Take box and line away."""
        self._box = self._line = None
        self._canvas.update()

    def survey(self) -> Survey:
        """What the range of colours is taken from: pictures from all over the recording."""
        return Survey(lambda frame: _sampled(frame), join_survey)

    def set_survey(self, value: object) -> None:
        self._survey_done = True
        if isinstance(value, DepthSurvey):
            self._surveyed = value
            if not self._chosen:
                self._set_range(value.low_mm, value.high_mm)

    def context_actions(self) -> list[QAction]:
        return [*self._zoom_actions(), *depth_actions(self)]

    # -- drawing ---------------------------------------------------------------------------------------------

    def _draw(self, frame: Frame) -> None:
        if not isinstance(frame, DepthFrame) or frame.stored.ndim != 2 or frame.stored.size == 0:
            raise FrameError("This is not a depth picture.")
        rescaled = self._frame is None or self._frame.scale != frame.scale
        self._frame = frame
        if self._colours is None:
            self._set_range(*robust_range_mm(frame))
        elif rescaled or self._look is None:
            self._make_look()
        prepared = self._prepared if isinstance(self._prepared, PreparedDepth) else None
        self._show(prepared if prepared is not None and prepared.frame is frame else None)

    def preparer(self) -> Preparer | None:
        look, sight = self._look, self._canvas.sight
        return None if look is None else lambda frame: prepare_depth(frame, look, sight)

    def _clear(self) -> None:
        self._frame = self._shown_depth = None
        self._canvas.clear()
        self._scale_bar.show_range(None, (0.0, 1.0))

    def _show(self, prepared: PreparedDepth | None) -> None:
        if self._frame is None or self._look is None:
            return
        ready = None
        if prepared is not None:
            self._invalid = prepared.invalid
        else:
            self._invalid = invalid_share(self._frame)
        if prepared is not None and prepared.look is self._look:
            self._shown_depth, ready = prepared.shown, prepared.ready
            self._scale_bar.show_histogram(prepared.histogram)
        else:
            self._shown_depth = shown_depth(self._frame, self._look)
            self._scale_bar.show_histogram(histogram(self._frame.stored, self._look.bins))
        height, width = self._shown_depth.codes.shape
        render = partial(render_depth, self._shown_depth, self._look.table)
        self._canvas.show_picture(render, (width, height), (width, height), ready)

    def _set_range(self, low_mm: float, high_mm: float) -> None:
        logarithmic, colour_map = self._style
        self._set_colours(
            DepthColours(low_mm=low_mm, high_mm=high_mm, logarithmic=logarithmic, colour_map=colour_map)
        )

    def _restyle(self, logarithmic: bool, colour_map: ColourMap) -> None:
        self._style = (logarithmic, colour_map)
        if self._colours is not None:
            self._set_colours(replace(self._colours, logarithmic=logarithmic, colour_map=colour_map))

    def _set_colours(self, colours: DepthColours) -> None:
        self._colours = colours
        self._look_changed()

    def _look_changed(self) -> None:
        self._make_look()
        self._show(None)

    def _make_look(self) -> None:
        if self._colours is None or self._frame is None:
            return
        survey = self._surveyed
        extent = (self._colours.low_mm, self._colours.high_mm)
        if survey is not None:
            extent = (min(extent[0], survey.nearest_mm), max(extent[1], survey.farthest_mm))
        self._scale_bar.show_range(self._colours, extent)
        scale = self._frame.scale
        bins = bin_table(self._scale_bar.axis.position(scale.exact_mm_table))
        self._look = DepthLook(self._colours.table(scale), bins, self._orientation, self._closing)

    def picture_native(self) -> QImage | None:
        """The whole picture at its own resolution, in its colours; no data is transparent."""
        if self._shown_depth is None or self._look is None:
            return None
        height, width = self._shown_depth.codes.shape
        return render_depth(self._shown_depth, self._look.table, (0, 0, width, height), (width, height))

    # -- pixels ----------------------------------------------------------------------------------------------

    def _stored_size(self) -> tuple[int, int]:
        return (0, 0) if self._frame is None else (self._frame.stored.shape[1], self._frame.stored.shape[0])

    def _read_out(self) -> str:
        found = self.probed
        return "" if found is None else probe_line(found)

    def _said_of(self, pixel: tuple[float, float]) -> str:
        found = None if self._frame is None else probe(self._frame, *self._nearest(pixel))
        return "" if found is None else probe_line(found)

    def _nearest(self, pixel: tuple[float, float]) -> tuple[int, int]:
        width, height = self._stored_size()
        return min(max(round(pixel[0]), 0), width - 1), min(max(round(pixel[1]), 0), height - 1)

    def _value_lines(self, column: int, row: int) -> tuple[str, ...]:
        found = None if self._frame is None else probe(self._frame, column, row)
        if found is None:
            return ()
        return (
            (str(found.code),)
            if found.millimetres is None
            else (f"{found.millimetres:.0f}", f"#{found.code}")
        )

    # -- picking ---------------------------------------------------------------------------------------------

    def _point_at(self, pixel: tuple[int, int], camera: CameraModel | None) -> Point | None:
        found = None if self._frame is None else probe(self._frame, *pixel)
        if found is None or found.millimetres is None or camera is None:
            return None
        xyz = from_picture(camera, np.array([pixel]), np.array([found.millimetres / 1000.0]))[0]
        return (float(xyz[0]), float(xyz[1]), float(xyz[2])) if np.isfinite(xyz).all() else None

    def _meet(self, pick: Pick, ray: Ray, camera: CameraModel) -> None:
        if self._frame is None:
            return
        point = meet_depth(ray, camera, self._frame.stored, self._frame.scale)
        if point is not None:
            around = self._surroundings
            around.picks.resolve(pick, point, self._own_frame, around.calibration)

    # -- measuring -------------------------------------------------------------------------------------------

    def _on_measured(self, drag: object) -> None:
        match drag:
            case (CanvasTool() as tool, float(u0), float(v0), float(u1), float(v1)):
                size = self._stored_size()
                ends = (
                    self._orientation.to_stored(u0, v0, size),
                    self._orientation.to_stored(u1, v1, size),
                )
                if tool is CanvasTool.BOX:
                    self._box, self._line = ends, None
                else:
                    self._line, self._box = ends, None
                self._canvas.update()

    def box_pixels(self) -> tuple[int, int, int, int] | None:
        """Left, top, right, bottom of the box, half-open, in stored pixels."""
        if self._box is None:
            return None
        (x0, y0), (x1, y1) = self._box
        left, right = sorted((x0, x1))
        top, bottom = sorted((y0, y1))
        return int(left), int(top), int(np.ceil(right)), int(np.ceil(bottom))

    def _paint_measurements(self, painter: QPainter, area: QRect) -> None:
        box = self.box_pixels()
        if self._frame is None:
            return
        if box is not None:
            corners = self._to_widget(np.array([box[:2], box[2:]]) - 0.5)
            rect = QRectF(QPointF(*corners[0].tolist()), QPointF(*corners[1].tolist())).normalized()
            paint_box(painter, area, rect, box_statistics(self._frame, *box), self._theme)
        if self._line is not None:
            paint_line(painter, self._to_widget(np.array(self._line) - 0.5), self._theme, dashed=False)
            along, depths = line_profile(self._frame, *self._line)
            paint_profile(painter, area, along, depths, self._length_text(along), self._theme)

    def _length_text(self, along: NDArray[np.float64]) -> str:
        """The line's length in pixels, and in space where both ends were measured."""
        assert self._line is not None
        text, camera = f"{along[-1]:.0f} px", self._camera()
        ends = [self._point_at(self._nearest((x - 0.5, y - 0.5)), camera) for x, y in self._line]
        if ends[0] is not None and ends[1] is not None:
            text += f" · {float(np.linalg.norm(np.subtract(ends[0], ends[1]))):.3f} m"
        return text

    # -- painting --------------------------------------------------------------------------------------------

    def _paint_cards(self, painter: QPainter) -> None:
        if self._frame is None or self._colours is None or self.plate is not None:
            return
        area = self._canvas.rect()
        if self._scale_bar.isVisible():
            area = area.adjusted(0, 0, self._scale_bar.x() - self._canvas.width(), 0)
        paint_no_data(painter, area, self._invalid, self._theme, self.devicePixelRatioF())
        self._paint_measurements(painter, area)
        found = self.probed
        if found is not None:
            x, y = self._to_widget(np.array([[found.column, found.row]]))[0].tolist()
            paint_cross(painter, QPointF(x, y), self._theme)
            paint_probe(painter, area, QPointF(x, y), found, self._theme)

    # -- what a layout remembers -----------------------------------------------------------------------------

    def view_state(self) -> dict[str, object]:
        logarithmic, colour_map = self._style
        state: dict[str, object] = {"log": logarithmic, "map": colour_map.value, "closing": self._closing}
        if self._chosen and self._colours is not None:
            state["range_mm"] = [self._colours.low_mm, self._colours.high_mm]
        return {**super().view_state(), **state}

    def restore_view_state(self, state: dict[str, object]) -> None:
        super().restore_view_state(state)
        colour_map = state.get("map")
        known = [chosen for chosen in ColourMap if chosen.value == colour_map]
        self._style = (state.get("log") is True, known[0] if known else self._style[1])
        self._closing = state.get("closing") is True
        match state.get("range_mm"):
            case [float() | int() as low, float() | int() as high]:
                self.set_range_mm(float(low), float(high))
            case _:
                self._restyle(*self._style)


def _sampled(frame: Frame) -> NDArray[np.float32]:
    return survey_sample(frame) if isinstance(frame, DepthFrame) else np.empty(0, np.float32)
