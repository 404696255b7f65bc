"""How far a check has come, and the button that stops it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import Theme, icon, number_font, ui_font
from hfviewer.panels.transport_parts import flat_button

_LINE_PX = 40
_PAD_PX = 12


class ProgressLine(QWidget):
    """Two words, a bar and a button; hidden while nothing is under way.

    Args:
        title: what is under way.
        theme: the tokens in force.
        parent: as in Qt.
    """

    stop_wanted = Signal()

    def __init__(self, title: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._theme = title, theme
        self._done, self._whole = 0, 0
        self._title_font, self._number_font = ui_font(12, 600), number_font(11)
        self._stop = flat_button(f"Stop: {title.lower()}")
        self._stop.setParent(self)
        self._stop.clicked.connect(self.stop_wanted)
        self.setFixedHeight(_LINE_PX)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.hide()

    @property
    def text(self) -> str:
        """How far it has come, in words."""
        if self._whole == 0:
            return "beginning"
        return f"{self._done} of {self._whole}  {self._done * 100 // self._whole} %"

    def begin(self) -> None:
        """Something is under way; how much there is to do is not known yet."""
        self._done = self._whole = 0
        self.show()
        self.update()

    def set_progress(self, done: int, whole: int) -> None:
        self._done, self._whole = done, whole
        self.setToolTip(f"{self._title}: {self.text}")
        self.update()

    def _restyle(self) -> None:
        self._stop.setIcon(icon("close", self._theme.tokens.t2, 16))
        self.update()

    def resizeEvent(self, event: object) -> None:
        self._stop.move(self.width() - self._stop.width() - 6, (self.height() - self._stop.height()) // 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        with painting(self, smooth=True) as painter:
            painter.fillRect(self.rect(), tokens.bg2)
            painter.fillRect(0, 0, self.width(), 1, tokens.line)
            room = self.rect().adjusted(_PAD_PX, 5, -self._stop.width() - _PAD_PX, -16)
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.setFont(self._title_font)
            painter.setPen(tokens.t1)
            painter.drawText(room, middle | Qt.AlignmentFlag.AlignLeft, self._title)
            painter.setFont(self._number_font)
            painter.setPen(tokens.t2)
            painter.drawText(room, middle | Qt.AlignmentFlag.AlignRight, self.text)
            groove = QRectF(_PAD_PX, self.height() - 12, room.width(), 4)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.bg4)
            painter.drawRoundedRect(groove, 2, 2)
            if self._whole:
                groove.setWidth(max(4.0, groove.width() * self._done / self._whole))
                painter.setBrush(tokens.accent)
                painter.drawRoundedRect(groove, 2, 2)
