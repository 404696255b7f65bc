"""Cameras."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QImage, QPainter
from PySide6.QtWidgets import QWidget

from hfviewer.codecs.bayer import demosaic
from hfviewer.codecs.image import Pixels
from hfviewer.core.errors import FrameError
from hfviewer.core.frame import Frame, ImageFrame
from hfviewer.core.stream import StreamDescription
from hfviewer.panels.drawing import draw_text_card
from hfviewer.panels.picture import grey_levels, shrink, to_eight_bit, to_screen, value_text
from hfviewer.panels.picture_panel import PicturePanel
from hfviewer.panels.placement import Placement, Sight
from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.playback.result import Preparer


class ImagePanel(PicturePanel):
    """A camera's picture: zoom about the pointer, pan, the stored value of the pixel under it."""

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
        self._display: NDArray[np.uint8] | None = None
        self._levels: tuple[int, int] | None = None
        self._canvas.view_changed.connect(self._on_view_changed)

    @property
    def levels(self) -> tuple[int, int] | None:
        """Values shown as black and white: fixed at the first frame; None before it."""
        return self._levels

    def view_size(self) -> tuple[int, int]:
        """Device pixels that the whole picture takes at this zoom, so that a closer look is not blurred."""
        width, height = super().view_size()
        full_width, full_height = self._canvas.full_size
        if self._canvas.is_fitted or full_width == 0:
            return (width, height)
        scale = min(1.0, self._canvas.view.scale * self.devicePixelRatioF())
        return (max(1, round(full_width * scale)), max(1, round(full_height * scale)))

    def context_actions(self) -> list[QAction]:
        levels = self._action(self.tr("Levels from this frame"))
        levels.setEnabled(self._frame is not None and self._frame.pixels.dtype == np.uint16)
        levels.triggered.connect(self._take_levels)
        return [*self._zoom_actions(), levels]

    def _draw(self, frame: Frame) -> None:
        if not isinstance(frame, ImageFrame) or not _is_picture(frame.pixels):
            raise FrameError("This is not a picture.")
        self._frame = frame
        if self._levels is None:
            self._levels = grey_levels(frame.pixels)
        self._show()

    def _clear(self) -> None:
        self._frame = self._display = None
        self._canvas.clear()

    def _take_levels(self) -> None:
        if self._frame is not None:
            self._levels = grey_levels(self._frame.pixels)
            self._show()

    def preparer(self) -> Preparer | None:
        levels, sight = self._levels, self._canvas.sight
        return None if levels is None else lambda frame: prepare_image(frame, levels, sight)

    def _show(self) -> None:
        if self._frame is None or self._levels is None:
            return
        ready: tuple[Placement, QImage] | None = None
        prepared = self._prepared
        if isinstance(prepared, PreparedImage) and prepared.fits(self._frame, self._levels):
            self._display, ready = prepared.display, prepared.ready
        else:
            self._display = to_eight_bit(demosaic(self._frame.pixels, self._frame.pixel_format), self._levels)
        height, width = self._display.shape[:2]
        full = self._frame.full_size or (width, height)
        self._canvas.show_picture(partial(render_pixels, self._display), (width, height), full, ready)

    def _on_view_changed(self) -> None:
        if self._frame is None or self._frame.full_size is None:
            return
        width, height = self.view_size()
        if width > self._frame.pixels.shape[1] and height > self._frame.pixels.shape[0]:
            self.detail_wanted.emit()

    def _read_out(self) -> str:
        pixel = self._canvas.cursor_pixel
        if pixel is None or self._frame is None:
            return ""
        height, width = self._frame.pixels.shape[:2]
        full_width, full_height = self._canvas.full_size
        x = min(width - 1, pixel[0] * width // full_width)
        y = min(height - 1, pixel[1] * height // full_height)
        return f"{pixel[0]}, {pixel[1]}   {value_text(self._frame, x, y)}"

    def _paint_cards(self, painter: QPainter) -> None:
        if self._frame is None or self.plate is not None:
            return
        area, tokens = self._canvas.rect(), self._theme.tokens
        percent = round(self._canvas.view.scale * self.devicePixelRatioF() * 100)
        width, height = self._canvas.full_size
        zoom = f"fit {percent} %" if self._canvas.is_fitted else f"{percent} %"
        corner = Qt.AlignmentFlag.AlignBottom
        text = f"{width}×{height} · {zoom}"
        size_card = draw_text_card(
            painter, area, corner | Qt.AlignmentFlag.AlignRight, text, ui_font(12, 500), tokens
        )
        read_out = self._read_out()
        if read_out:
            room = area.adjusted(0, 0, -round(size_card.width()) - 10, 0)
            draw_text_card(
                painter, room, corner | Qt.AlignmentFlag.AlignLeft, read_out, number_font(12), tokens
            )


@dataclass(frozen=True, slots=True, eq=False)
class PreparedImage:
    """A picture ready to be shown.

    Args:
        frame: that it is of.
        levels: that black and white were taken from.
        display: uint8 H×W×3 or H×W.
        ready: what shows, at the size that it shows at; None where nothing does.
    """

    frame: ImageFrame
    levels: tuple[int, int]
    display: NDArray[np.uint8]
    ready: tuple[Placement, QImage] | None

    def fits(self, frame: ImageFrame, levels: tuple[int, int]) -> bool:
        return self.frame is frame and self.levels == levels


def prepare_image(frame: Frame, levels: tuple[int, int], sight: Sight) -> PreparedImage | None:
    """Do ahead, on any thread, what showing a frame takes."""
    if not isinstance(frame, ImageFrame) or not _is_picture(frame.pixels):
        return None
    display = to_eight_bit(demosaic(frame.pixels, frame.pixel_format), levels)
    height, width = display.shape[:2]
    place = sight.place(frame.full_size or (width, height), (width, height))
    ready = None if place is None else (place, render_pixels(display, place.part, place.size))
    return PreparedImage(frame, levels, display, ready)


def render_pixels(
    display: NDArray[np.uint8], part: tuple[int, int, int, int], size: tuple[int, int]
) -> QImage:
    """A part of a picture at the size that it is wanted at."""
    left, top, right, bottom = part
    pixels = display[top:bottom, left:right]
    if size != (right - left, bottom - top):
        pixels = shrink(pixels, *size)
    pixels = to_screen(pixels)
    layout = QImage.Format.Format_RGB32 if pixels.ndim == 3 else QImage.Format.Format_Grayscale8
    height, width = pixels.shape[:2]
    return QImage(pixels.data, width, height, pixels.strides[0], layout)


def _is_picture(pixels: Pixels) -> bool:
    """H×W or H×W×3 with at least one pixel."""
    return pixels.size > 0 and (pixels.ndim == 2 or (pixels.ndim == 3 and pixels.shape[2] == 3))
