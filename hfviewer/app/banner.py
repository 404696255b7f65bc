"""A line of plain words across the window: an error or a remark, never a modal box."""

from __future__ import annotations

from textwrap import wrap
from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from hfviewer.core.errors import HfviewerError
from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import Theme, icon, icon_pixmap, ui_font
from hfviewer.panels.tips import plain_tip

Level = Literal["error", "warning", "info"]
_MOST_LETTERS = 600
_LONG_WORD = 24
_BREAK = "\u200b"  # a space of no width


def breakable(text: str) -> str:
    """The text with places where a long word may go on in the next line; nobody reads more than so much."""
    if len(text) > _MOST_LETTERS:
        text = text[: _MOST_LETTERS - 1] + "…"
    pieces = (
        word if len(word) <= _LONG_WORD else _BREAK.join(wrap(word, _LONG_WORD, drop_whitespace=False))
        for word in text.split(" ")
    )
    return " ".join(pieces)


class Banner(QWidget):
    """Says one thing until it is closed or something else is said."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._level: Level = "info"
        self._icon = QLabel(self)
        self._text = QLabel(self)
        self._text.setFont(ui_font(13))
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        # A path without spaces must not make the window wider than the screen.
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._said = ""
        self._close = QToolButton(self)
        self._close.setAutoRaise(True)
        self._close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._close.setToolTip("Close")
        self._close.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 8, 8)
        layout.setSpacing(10)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignVCenter)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.hide()

    @property
    def text(self) -> str:
        """What it says."""
        return self._said

    def show_error(self, error: HfviewerError) -> None:
        """Say what is wrong and what to do."""
        self.say(error.line(), "error")

    def say(self, text: str, level: Level) -> None:
        self._said = text
        self._text.setText(breakable(text))
        self._text.setToolTip(plain_tip(text) if len(text) > _MOST_LETTERS else "")
        self._level = level
        self._restyle()
        self.show()

    def _colours(self) -> tuple[QColor, QColor]:
        tokens = self._theme.tokens
        if self._level == "error":
            return tokens.error, tokens.error_ground
        if self._level == "warning":
            return tokens.warning, tokens.warning_ground
        return tokens.info, tokens.info_ground

    def _restyle(self) -> None:
        colour, _ = self._colours()
        self._icon.setPixmap(icon_pixmap(self._level, colour, 20))
        self._close.setIcon(icon("close", self._theme.tokens.t2, 16))
        self._close.setIconSize(QSize(16, 16))
        palette = self._text.palette()
        palette.setColor(palette.ColorRole.WindowText, self._theme.tokens.t1)
        self._text.setPalette(palette)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colour, ground = self._colours()
        with painting(self, smooth=True) as painter:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
            painter.setBrush(colour)
            painter.drawRoundedRect(QRectF(0, 0, 3, self.height()), 1.5, 1.5)
