"""The timeline's fonts and how wide their text is."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPixmap

from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import number_font, ui_font

PLATE_PX = 15  # height of a mark's label
_PLATE_PAD_PX = 4
_MOST_PLATES = 512


class TimelineFonts:
    """Looked up once. Digits are all equally wide, so that numbers are measured by counting."""

    def __init__(self) -> None:
        self.name = ui_font(13, 500)
        self.quiet = ui_font(12)
        self.ruler = number_font(12)
        self.index = number_font(12)
        self.mark = number_font(11, 700)
        self.frame_number = number_font(10)
        self.playhead = number_font(12, 700)
        self.flag = ui_font(11, 700)
        self._name_metrics = QFontMetrics(self.name)
        self._mark_px = _digit_px(self.mark)
        self._index_px = _digit_px(self.index)
        self._frame_number_px = _digit_px(self.frame_number)
        self._playhead_px = _digit_px(self.playhead)
        self._plates: dict[tuple[str, int, int, float], QPixmap] = {}

    def plate(self, text: str, colour: QColor, ground: QColor, ratio: float) -> QPixmap:
        """A few characters in the font of marks on a rounded ground; kept, as the same few come back."""
        key = (text, colour.rgba(), ground.rgba(), ratio)
        plate = self._plates.get(key)
        if plate is None:
            width = self.mark_width(len(text)) + 2 * _PLATE_PAD_PX
            plate = QPixmap(ceil(width * ratio), ceil(PLATE_PX * ratio))
            plate.setDevicePixelRatio(ratio)
            plate.fill(Qt.GlobalColor.transparent)
            with painting(plate, smooth=True) as painter:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(ground)
                rect = QRectF(0, 0, width, PLATE_PX)
                painter.drawRoundedRect(rect, 3, 3)
                painter.setPen(colour)
                painter.setFont(self.mark)
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
            if len(self._plates) >= _MOST_PLATES:
                self._plates.clear()
            self._plates[key] = plate
        return plate

    def plate_width(self, characters: int) -> int:
        return self.mark_width(characters) + 2 * _PLATE_PAD_PX

    def mark_width(self, characters: int) -> int:
        return ceil(self._mark_px * characters)

    def index_width(self, characters: int) -> int:
        return ceil(self._index_px * characters)

    def frame_number_width(self, characters: int) -> int:
        return ceil(self._frame_number_px * characters)

    def playhead_width(self, characters: int) -> int:
        return ceil(self._playhead_px * characters)

    def elided(self, name: str, width_px: int) -> str:
        """A name cut in its middle to fit: its ends tell most."""
        return self._name_metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, width_px)


def _digit_px(font: QFont) -> float:
    return QFontMetricsF(font).horizontalAdvance("0000000000") / 10
