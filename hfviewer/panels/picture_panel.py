"""What the panels of cameras and of depth share: a picture to zoom, pan and turn, and the shared pick."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import QWidget

from hfviewer.core.geometry import Calibration, CameraModel
from hfviewer.core.projection import Ray, fitted_to, ray_of, to_picture
from hfviewer.core.stream import StreamDescription
from hfviewer.model.pick import Pick, Point
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.canvas import PictureCanvas
from hfviewer.panels.drawing import one_line
from hfviewer.panels.marks import paint_cross, paint_line
from hfviewer.panels.menus import MenuMaker
from hfviewer.panels.orientation import Orientation
from hfviewer.panels.surroundings import Surroundings
from hfviewer.panels.theme import Theme

_TURNS = ("Not turned", "A quarter clockwise", "Upside down", "A quarter anticlockwise")
# A line of sight is drawn from here to there, in equal steps of 1/distance.
_RAY_FROM_M, _RAY_TO_M, _RAY_STEPS = 0.15, 200.0, 96


class PicturePanel(StreamPanel):
    """A stream of pictures on a canvas, with cards over it and the pixel under the pointer read out."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._surroundings = Surroundings(Calibration())
        self._orientation = Orientation()
        self._mark: tuple[float, float] | None = None  # pixel where another panel points
        self._sight_line: NDArray[np.float64] = np.empty((0, 2))  # pixels that another panel may mean
        self._canvas = PictureCanvas(theme, self)
        self._canvas.set_paint_over(self._paint_over)
        self._canvas.set_pixel_text(self._pixel_text)
        self._canvas.hovered.connect(self._on_hovered)
        self._set_body(self._canvas)

    @property
    def canvas(self) -> PictureCanvas:
        return self._canvas

    @property
    def orientation(self) -> Orientation:
        """How the stored picture is turned before the eye."""
        return self._orientation

    @property
    def mark(self) -> tuple[float, float] | None:
        """Pixel of the stored picture, centres at whole numbers, that another panel's pointer is at."""
        return self._mark

    def reset_view(self) -> None:
        self._canvas.fit()

    def set_orientation(self, orientation: Orientation) -> None:
        """Turn or mirror the picture; the values and their places stay those that are stored."""
        if orientation != self._orientation:
            self._orientation = orientation
            self._canvas.fit()
            self._look_changed()

    def set_surroundings(self, surroundings: Surroundings) -> None:
        if self._linked:
            self._surroundings.picks.changed.disconnect(self._on_pick_changed)
        self._surroundings, self._linked = surroundings, True
        surroundings.picks.changed.connect(self._on_pick_changed)

    def view_state(self) -> dict[str, object]:
        turns = [self._orientation.quarter_turns, self._orientation.mirrored]
        return {**super().view_state(), "turn": turns, "grid": self._canvas.grid}

    def restore_view_state(self, state: dict[str, object]) -> None:
        super().restore_view_state(state)
        match state.get("turn"):
            case [int(quarters), bool(mirrored)]:
                self._orientation = Orientation(quarters % 4, mirrored)
        self._canvas.set_grid(state.get("grid") is not False)

    # -- menus -----------------------------------------------------------------------------------------------

    def _zoom_actions(self) -> list[QAction]:
        """The entries of the menu that every picture has."""
        make, canvas = MenuMaker(self), self._canvas
        turns = [(self.tr(text), quarters) for quarters, text in enumerate(_TURNS)]
        return [
            make.entry(self.tr("Fit"), canvas.fit, checked=canvas.is_fitted),
            make.entry(
                self.tr("Actual size"),
                canvas.show_actual_size,
                hint=self.tr("One pixel of the picture for each pixel of the screen"),
            ),
            make.entry(
                self.tr("Lines between large pixels"),
                lambda: canvas.set_grid(not canvas.grid),
                checked=canvas.grid,
                hint=self.tr("From 8 times on; larger still, values are written into them"),
            ),
            make.choice(self.tr("Turn"), turns, self._orientation.quarter_turns, self._turn),
            make.entry(
                self.tr("Mirrored"),
                lambda: self.set_orientation(self._orientation.flipped()),
                checked=self._orientation.mirrored,
            ),
        ]

    def _turn(self, quarters: int) -> None:
        self.set_orientation(Orientation(quarters, self._orientation.mirrored))

    # -- pixels ----------------------------------------------------------------------------------------------

    def _stored_place(self) -> tuple[float, float] | None:
        """The place of the stored picture under the pointer; None outside it."""
        place = self._canvas.cursor_place
        return None if place is None else self._to_stored(*place)

    def _to_stored(self, u: float, v: float) -> tuple[float, float] | None:
        """A place on the canvas's picture as one of the stored picture; None beyond its edges."""
        width, height = self._stored_size()
        x, y = self._orientation.to_stored(u, v, (width, height))
        return (x, y) if 0 <= x < width and 0 <= y < height else None

    def _cursor_pixel(self) -> tuple[int, int] | None:
        """Column and row of the stored picture under the pointer."""
        place = self._stored_place()
        return None if place is None else (int(place[0]), int(place[1]))

    def _to_widget(self, pixels: NDArray[np.floating]) -> NDArray[np.float64]:
        """Places in the widget of N×2 pixels of the stored picture, whose centres lie at whole numbers."""
        view = self._canvas.view
        shown = self._orientation.many_to_shown(np.asarray(pixels) + 0.5, self._stored_size())
        return shown * view.scale + [view.left, view.top]

    # -- the shared pick -------------------------------------------------------------------------------------

    def _camera(self) -> CameraModel | None:
        """The camera of the picture as it is shown, before it is turned; None where it is not known."""
        camera = self._surroundings.camera_of(self.stream_name)
        return None if camera is None else fitted_to(camera, self._stored_size())

    @property
    def _own_frame(self) -> str:
        return self._surroundings.frame_of(self.stream_name)

    def _on_hovered(self, _pixel: object) -> None:
        self.read_out_changed.emit(self._read_out())
        self._point()

    def _point(self) -> None:
        """Tell the other panels where the pointer is."""
        pixel, frame = self._cursor_pixel(), self.shown_frame
        if pixel is None or frame is None:
            if self._points:
                self._points = False
                self._surroundings.picks.leave(self.stream_name)
            return
        self._points = True
        camera = self._camera()
        self._mark, self._sight_line = None, np.empty((0, 2))
        self._surroundings.picks.point_at(
            Pick(
                stream=self.stream_name,
                timestamp_ns=frame.timestamp_ns,
                text=f"{one_line(self.stream_name)} {self._read_out()}",
                frame=self._own_frame,
                point_m=self._point_at(pixel, camera),
                ray=None if camera is None else ray_of(camera, pixel),
                pixel=pixel,
            )
        )

    def _on_pick_changed(self, pick: Pick | None) -> None:
        if not self.isVisible():
            return  # what nobody sees costs nothing
        mark, line = None, np.empty((0, 2))
        if pick is not None and not self._points and self.shown_frame is not None:
            mark, line = self._seen_here(pick)
        if mark is not None or self._mark is not None or len(line) or len(self._sight_line):
            self._canvas.update()
        self._mark, self._sight_line = mark, line
        if pick is not None and not self._points:
            told = ""
            if mark is not None:
                told = f"{one_line(self.stream_name)} {self._said_of(mark)}"
            self._surroundings.picks.say(self.stream_name, told)

    def _seen_here(self, pick: Pick) -> tuple[tuple[float, float] | None, NDArray[np.float64]]:
        """Which pixel another panel means, or which line of pixels."""
        nothing = np.empty((0, 2))
        if pick.stream == self.stream_name and pick.pixel is not None:
            return pick.pixel, nothing
        camera = self._camera()
        seen = pick.seen_from(self._surroundings.calibration, self._own_frame)
        if camera is None or seen is None:
            return None, nothing
        if seen.point_m is not None:
            pixels, inside = to_picture(camera, np.array([seen.point_m]))
            return ((float(pixels[0, 0]), float(pixels[0, 1])) if inside[0] else None), nothing
        if seen.ray is None:
            return None, nothing
        self._meet(pick, seen.ray, camera)
        distances = 1 / np.linspace(1 / _RAY_FROM_M, 1 / _RAY_TO_M, _RAY_STEPS)
        pixels, inside = to_picture(camera, seen.ray.points(distances))
        return None, pixels[inside]

    # -- Qt --------------------------------------------------------------------------------------------------

    def _set_stale(self, stale: bool) -> None:
        self._canvas.set_stale(stale)

    def _paint_over(self, painter: QPainter) -> None:
        if self.shown_frame is not None and self.plate is None:
            self._paint_marks(painter)
            if len(self._sight_line):
                paint_line(painter, self._to_widget(self._sight_line), self._theme, dashed=True)
            if self._mark is not None:
                x, y = self._to_widget(np.array([self._mark]))[0].tolist()
                paint_cross(painter, QPointF(x, y), self._theme)
        self._paint_cards(painter)

    # -- for subclasses --------------------------------------------------------------------------------------

    _linked = False  # to the shared pick
    _points = False  # the pointer is over this picture

    def _stored_size(self) -> tuple[int, int]:
        """Width and height of the stored picture; (0, 0) without one."""
        raise NotImplementedError

    def _look_changed(self) -> None:
        """Draw the frame on screen anew."""
        raise NotImplementedError

    def _read_out(self) -> str:
        """The pixel under the pointer, in one line; empty where there is none."""
        raise NotImplementedError

    def _said_of(self, pixel: tuple[float, float]) -> str:
        """A pixel that another panel points at, in one line."""
        raise NotImplementedError

    def _point_at(self, pixel: tuple[int, int], camera: CameraModel | None) -> Point | None:
        """The point in the camera's frame that a pixel shows, metres; None where its distance is unknown."""
        return None

    def _meet(self, pick: Pick, ray: Ray, camera: CameraModel) -> None:
        """A line of sight, in this camera's frame, crosses the picture: say where it ends, if known."""

    def _pixel_text(self, u: int, v: int) -> tuple[str, ...]:
        """What to write into a large pixel of the picture as shown."""
        place = self._to_stored(u + 0.5, v + 0.5)
        return () if place is None else self._value_lines(int(place[0]), int(place[1]))

    def _value_lines(self, column: int, row: int) -> tuple[str, ...]:
        """The stored value of a pixel, in short lines."""
        return ()

    def _paint_marks(self, painter: QPainter) -> None:
        """Paint what lies in the picture itself, below the cards."""

    def _paint_cards(self, painter: QPainter) -> None:
        """Paint over the picture; called in each paint, also before there is a frame."""
        raise NotImplementedError
