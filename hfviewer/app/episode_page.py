"""What stands in the place of the panels while a collection is open and no episode of it can be shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from hfviewer.app.banner import breakable
from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import Theme, icon_pixmap, ui_font

_WIDTH = 560
_ICON = 32


class EpisodePage(QWidget):
    """One heading, one sentence, and what to do."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shape = ""
        self._icon = QLabel(self)
        self._title, self._text, self._hint = QLabel(self), QLabel(self), QLabel(self)
        self._title.setFont(ui_font(20, 600))
        self._text.setFont(ui_font(13))
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._hint.setFont(ui_font(12))
        inner = QWidget(self)
        inner.setFixedWidth(_WIDTH)
        column = QVBoxLayout(inner)
        column.setSpacing(12)
        for label in (self._icon, self._title, self._text, self._hint):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(label is not self._icon)
            column.addWidget(label)
        middle = QHBoxLayout()  # an alignment instead of it would ignore how high wrapped text is
        middle.addStretch(1)
        middle.addWidget(inner)
        middle.addStretch(1)
        outer = QVBoxLayout(self)
        outer.addStretch(2)
        outer.addLayout(middle)
        outer.addStretch(3)
        theme.changed.connect(self._restyle)
        self._restyle()

    @property
    def said(self) -> tuple[str, str]:
        """Heading and sentence."""
        return self._title.text(), self._text.text().replace("\u200b", "")

    def show_problem(self, name: str, problem: str) -> None:
        """Say why an episode cannot be opened."""
        self._say("error", f"{name} cannot be opened", problem, "The others open. Ctrl+PgDown: the next one.")

    def show_busy(self, text: str) -> None:
        """Say what is being done."""
        self._say("", text, "", "")

    def show_choice(self, name: str) -> None:
        """Nothing is chosen yet."""
        hint = "Up and Down move in the list, Enter opens. Ctrl+E goes to the list."
        self._say("", f"Choose an episode of {name}", "", hint)

    def show_empty(self, name: str) -> None:
        """There is nothing to choose from."""
        text = "No recording was found here. F5 looks again; a new recording shows up in the list by itself."
        self._say("info", f"{name} holds no episodes", text, "")

    def _say(self, shape: str, title: str, text: str, hint: str) -> None:
        self._shape = shape
        for label, words in ((self._title, title), (self._text, text), (self._hint, hint)):
            label.setText(breakable(words))
            label.setVisible(bool(words))
        self._icon.setVisible(bool(shape))
        self._restyle()

    def _restyle(self) -> None:
        tokens = self._theme.tokens
        if self._shape:
            colour = tokens.error if self._shape == "error" else tokens.info
            self._icon.setPixmap(icon_pixmap(self._shape, colour, _ICON))
        for label, text in ((self._title, tokens.t1), (self._text, tokens.t2), (self._hint, tokens.t3)):
            palette = label.palette()
            palette.setColor(palette.ColorRole.WindowText, text)
            label.setPalette(palette)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            painter.fillRect(self.rect(), self._theme.tokens.bg1)
