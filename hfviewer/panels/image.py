"""Cameras."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QImage, QPainter
from PySide6.QtWidgets import QWidget

from hfviewer.codecs.levels import grey_levels
from hfviewer.core.errors import FrameError
from hfviewer.core.frame import Frame, ImageFrame
from hfviewer.core.geometry import CameraModel
from hfviewer.core.projection import is_distorted, straightened
from hfviewer.core.stream import StreamDescription
from hfviewer.model.pick import Point
from hfviewer.panels.adjust_card import AdjustCard
from hfviewer.panels.drawing import draw_text_card, one_line, painting
from hfviewer.panels.image_look import (
    ImageLook,
    SecondCamera,
    SecondMode,
    ShownPixels,
    Tone,
    shown_pixels,
)
from hfviewer.panels.image_menu import adjustments, image_actions
from hfviewer.panels.image_prepare import (
    ImageWish,
    PreparedImage,
    is_picture,
    prepare_image,
    render_pixels,
)
from hfviewer.panels.image_read_out import at_hand, beside_text, stored_size
from hfviewer.panels.image_state import overlay_in, point_px_in, second_in, state_of, tone_in
from hfviewer.panels.overlay import PointOverlay, overlay_choices
from hfviewer.panels.overlay_paint import OverlayPainter
from hfviewer.panels.picture import value_text
from hfviewer.panels.picture_panel import PicturePanel
from hfviewer.panels.text_card import KeptTextCard
from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.playback.result import Preparer

_PICK_PX = 6  # an overlay's point this near to the pointer, on the screen, is the one that is meant


class ImagePanel(PicturePanel):
    """A camera's picture: zoom about the pointer, pan, the stored value of the pixel under it, overlays."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._frame: ImageFrame | None = None
        self._second_frame: ImageFrame | None = None
        self._shown_pixels: ShownPixels | None = None
        self._look: ImageLook | None = None  # None: levels are not known yet
        self._tone, self._straight = Tone(), False
        self._second: SecondCamera | None = None
        self._overlay_of = ""
        self._overlays = OverlayPainter(theme)
        self._card: AdjustCard | None = None
        self._size_card = KeptTextCard()
        self._canvas.view_changed.connect(self._on_view_changed)

    # -- what it shows ---------------------------------------------------------------------------------------

    @property
    def shown_frame(self) -> ImageFrame | None:
        return self._frame

    @property
    def levels(self) -> tuple[int, int] | None:
        """Values shown as black and white: fixed at the first frame; None before it."""
        return None if self._look is None else self._look.levels

    @property
    def tone(self) -> Tone:
        return self._tone

    @property
    def straight(self) -> bool:
        """Whether lens distortion is taken out."""
        return self._straight

    @property
    def second(self) -> SecondCamera | None:
        """The other camera in this panel."""
        return self._second

    @property
    def overlay_of(self) -> str:
        """Name of the stream that is laid over the picture; empty for none."""
        return self._overlay_of

    @property
    def overlays(self) -> OverlayPainter:
        return self._overlays

    @property
    def can_straighten(self) -> bool:
        camera = self._surroundings.camera_of(self.stream_name)
        return camera is not None and is_distorted(camera)

    def view_size(self) -> tuple[int, int]:
        """Device pixels that the whole picture takes at this zoom, so that a closer look is not blurred."""
        width, height = super().view_size()
        full_width, full_height = self._canvas.full_size
        if not self._canvas.is_fitted and full_width:
            scale = min(1.0, self._canvas.view.scale * self.devicePixelRatioF())
            width, height = max(1, round(full_width * scale)), max(1, round(full_height * scale))
        return self._orientation.size((width, height))

    def set_levels(self, low: int, high: int) -> None:
        """Show these values as black and as white."""
        if 0 <= low < high <= 65535 and self._look is not None:
            self._change(levels=(low, high))

    def set_tone(self, tone: Tone) -> None:
        """Brightness, contrast and gamma."""
        if tone != self._tone:
            self._tone = tone
            self._look_changed()

    def set_straight(self, straight: bool) -> None:
        """Take lens distortion out, or not."""
        if straight != self._straight:
            self._straight = straight
            self._look_changed()
            self.detail_wanted.emit()

    def set_second(self, second: SecondCamera | None) -> None:
        """Show another camera in this panel, too."""
        if second != self._second:
            other = (second and second.stream) != (self._second and self._second.stream)
            self._second = second
            self._look_changed()
            if other:
                self.detail_wanted.emit()

    def with_share(self, share: float) -> None:
        """Blend so much of the second camera in."""
        if self._second is not None:
            self.set_second(replace(self._second, share=share))

    def set_overlay(self, stream: str) -> None:
        """Lay a stream's points over the picture; empty for none."""
        if stream != self._overlay_of:
            self._overlay_of = stream
            self._overlays.limits = None
            self._overlays.show(None)
            self._canvas.update()
            self.detail_wanted.emit()

    def set_point_px(self, point_px: int) -> None:
        """Size of an overlay's points."""
        self._overlays.point_px = max(1, min(12, point_px))
        self._canvas.update()

    # -- menus -----------------------------------------------------------------------------------------------

    def context_actions(self) -> list[QAction]:
        return [*self._zoom_actions(), *image_actions(self)]

    def overlay_choices(self) -> list[str]:
        """Names of the streams that can be laid over the picture."""
        around = self._surroundings
        return overlay_choices(around.calibration, dict(around.descriptions), self.stream_name)

    def other_cameras(self) -> list[str]:
        """Names of the other streams of pictures."""
        kind = self._description.kind
        return [
            n for n, d in self._surroundings.descriptions.items() if d.kind is kind and n != self.stream_name
        ]

    def take_levels(self) -> None:
        """Black and white from the values of the frame on screen."""
        if self._frame is not None and self._look is not None:
            self._change(levels=grey_levels(self._frame.pixels))

    def refit_overlay(self) -> None:
        """Colours of the overlay from the distances that show now."""
        self._overlays.fit_limits()
        self._canvas.update()

    def show_adjustments(self) -> None:
        """A card with sliders, or away with it."""
        if self._card is not None:
            self._card.deleteLater()
            self._card = None
            return
        self._card = AdjustCard(adjustments(self), self._theme, self._canvas)
        self._card.closed.connect(self.show_adjustments)

    # -- drawing ---------------------------------------------------------------------------------------------

    def _draw(self, frame: Frame) -> None:
        if not isinstance(frame, ImageFrame) or not is_picture(frame.pixels):
            raise FrameError("This is not a picture.")
        self._frame = frame
        prepared = self._prepared if isinstance(self._prepared, PreparedImage) else None
        if prepared is not None and prepared.frame is not frame:
            prepared = None
        if self._look is None:
            levels = grey_levels(frame.pixels) if prepared is None else prepared.look.levels
            self._look = self._look_with(levels)
        fits = prepared is not None and prepared.overlay_of == self._overlay_of
        self._overlays.show(
            prepared.overlay if prepared is not None and fits else None,
            prepared.trouble if prepared is not None else "",
        )
        self._second_frame = None if prepared is None else prepared.second
        self._show(prepared)
        if self._second is not None and prepared is not None and prepared.look.second != self._second:
            self.detail_wanted.emit()  # asked for before the second camera was known

    def _clear(self) -> None:
        self._frame = self._shown_pixels = self._second_frame = None
        self._overlays.show(None)
        self._canvas.clear()

    def preparer(self) -> Preparer | None:
        wish = ImageWish(
            self._look,
            self._canvas.sight,
            self._surroundings.camera_of(self.stream_name),
            self._overlay_of,
            self._source,
        )
        return lambda frame: prepare_image(frame, wish)

    def _look_with(self, levels: tuple[int, int]) -> ImageLook:
        return ImageLook(levels, self._tone, self._orientation, self._straight, self._second)

    def _look_changed(self) -> None:
        if self._look is not None:
            self._change(levels=self._look.levels)

    def _change(self, *, levels: tuple[int, int]) -> None:
        self._look = self._look_with(levels)
        self._show(None)

    def _show(self, prepared: PreparedImage | None) -> None:
        if self._frame is None or self._look is None:
            return
        ready = None
        if prepared is not None and prepared.look == self._look:
            self._shown_pixels, ready = prepared.shown, prepared.ready
        else:
            camera = self._surroundings.camera_of(self.stream_name)
            fitting = self._second_frame
            if fitting is not None and (self._second is None or fitting.stream != self._second.stream):
                fitting = None
            self._shown_pixels = shown_pixels(self._frame, self._look, camera, fitting)
        shown = self._shown_pixels
        render = partial(render_pixels, shown.display, table=self._look.tone.table)
        self._canvas.show_picture(render, shown.size, shown.full, ready)

    def picture_native(self) -> QImage | None:
        """The whole picture at its own resolution, as it is shown, with its overlay."""
        if self._shown_pixels is None or self._look is None:
            return None
        width, height = self._shown_pixels.size
        table = self._look.tone.table
        picture = render_pixels(self._shown_pixels.display, (0, 0, width, height), (width, height), table)
        picture = picture.convertToFormat(QImage.Format.Format_RGB32)  # a copy that can be painted on
        scale, stored = width / self._shown_pixels.full[0], self._stored_size()

        def place(pixels: NDArray[np.floating]) -> NDArray[np.float64]:
            return self._orientation.many_to_shown(np.asarray(pixels) + 0.5, stored) * scale

        with painting(picture) as painter:
            self._overlays.paint(painter, place, (width, height), "native")
        return picture

    def _on_view_changed(self) -> None:
        if self._card is not None:
            self._card.place()
        if self._frame is None or self._frame.full_size is None:
            return
        width, height = self.view_size()
        if width > self._frame.pixels.shape[1] and height > self._frame.pixels.shape[0]:
            self.detail_wanted.emit()

    # -- pixels ----------------------------------------------------------------------------------------------

    def _stored_size(self) -> tuple[int, int]:
        return (0, 0) if self._frame is None else stored_size(self._frame)

    def _camera(self) -> CameraModel | None:
        camera = super()._camera()
        return straightened(camera) if camera is not None and self._straight else camera

    def _value(self, column: int, row: int) -> str:
        if self._frame is None:
            return ""
        camera = self._surroundings.camera_of(self.stream_name) if self._straight else None
        at = at_hand(self._frame, column, row, camera)
        return "" if at is None else value_text(self._frame, *at)

    def _value_lines(self, column: int, row: int) -> tuple[str, ...]:
        return tuple(re.findall(r"(?:[A-Z] *)?\d+", self._value(column, row)))

    def _read_out(self) -> str:
        pixel = self._cursor_pixel()
        if pixel is None:
            return self._read_out_of_second()
        return f"{pixel[0]}, {pixel[1]}   {self._value(*pixel)}{self._overlay_text(pixel)}"

    def _said_of(self, pixel: tuple[float, float]) -> str:
        width, height = self._stored_size()
        column = min(max(round(pixel[0]), 0), width - 1)
        row = min(max(round(pixel[1]), 0), height - 1)
        return f"{pixel[0]:.1f}, {pixel[1]:.1f}   {self._value(column, row)}"

    def _read_out_of_second(self) -> str:
        """Of the picture beside the first one."""
        place, other = self._canvas.cursor_place, self._second_frame
        if place is None or other is None or self._second is None or self._frame is None:
            return ""
        if self._second.mode is not SecondMode.BESIDE:
            return ""
        left, full_height = self._orientation.size(self._stored_size())
        across = self._canvas.full_size[0] - left
        return beside_text(other, (place[0] - left) / max(1, across), place[1] / full_height)

    # -- picking ---------------------------------------------------------------------------------------------

    def _near_point(self, pixel: tuple[int, int]) -> int | None:
        overlay = self._overlays.overlay
        if not isinstance(overlay, PointOverlay):
            return None
        return overlay.nearest(*pixel, _PICK_PX / max(self._canvas.view.scale, 1e-6))

    def _overlay_text(self, pixel: tuple[int, int]) -> str:
        overlay, found = self._overlays.overlay, self._near_point(pixel)
        if found is None or not isinstance(overlay, PointOverlay):
            return ""
        return f"   {overlay.depth_m[found]:.3f} m (point {int(overlay.index[found])})"

    def _point_at(self, pixel: tuple[int, int], camera: CameraModel | None) -> Point | None:
        overlay, found = self._overlays.overlay, self._near_point(pixel)
        if found is None or not isinstance(overlay, PointOverlay):
            return None
        x, y, z = (float(v) for v in overlay.xyz[found])
        return (x, y, z)

    # -- painting --------------------------------------------------------------------------------------------

    def _paint_marks(self, painter: QPainter) -> None:
        canvas = self._canvas
        key = (canvas.view, self._orientation, self._stored_size())
        self._overlays.paint(painter, self._to_widget, (canvas.width(), canvas.height()), key)

    def _paint_cards(self, painter: QPainter) -> None:
        if self._frame is None or self.plate is not None:
            return
        area, tokens = self._canvas.rect(), self._theme.tokens
        self._overlays.paint_cards(painter, area, self._period_ns)
        percent = round(self._canvas.view.scale * self.devicePixelRatioF() * 100)
        width, height = self._stored_size()
        zoom = f"fit {percent} %" if self._canvas.is_fitted else f"{percent} %"
        words = [f"{width}×{height}", zoom]
        if self._straight and self.can_straighten:
            words.append("straightened")
        if self._second is not None and self._second_frame is not None:
            words.append(f"with {one_line(self._second.stream)}, {self._second.mode.value}")
        corner = Qt.AlignmentFlag.AlignBottom
        size_card = self._size_card.paint(
            painter, area, corner | Qt.AlignmentFlag.AlignRight, " · ".join(words), ui_font(12, 500), tokens
        )
        read_out = self._read_out()
        if read_out:
            room = area.adjusted(0, 0, -round(size_card.width()) - 10, 0)
            draw_text_card(
                painter, room, corner | Qt.AlignmentFlag.AlignLeft, read_out, number_font(12), tokens
            )

    # -- what a layout remembers -----------------------------------------------------------------------------

    def view_state(self) -> dict[str, object]:
        return {**super().view_state(), **state_of(self)}

    def restore_view_state(self, state: dict[str, object]) -> None:
        super().restore_view_state(state)
        self._straight = state.get("straight") is True
        self._overlay_of = overlay_in(state, self.overlay_choices(), self._overlay_of)
        self._tone = tone_in(state, self._tone)
        self._second = second_in(state, self.other_cameras(), self._second)
        self.set_point_px(point_px_in(state, self._overlays.point_px))
        self._look_changed()
