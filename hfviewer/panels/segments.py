"""A row of small buttons of which one is pressed, on a card over a picture."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from hfviewer.panels.drawing import draw_card, painting
from hfviewer.panels.theme import Theme, ui_font

_EDGE = 24


class SegmentButtons(QWidget):
    """Buttons with a letter or two each.

    Args:
        entries: text and tooltip of each.
        theme: colours.
        parent: the widget they lie on.
    """

    chosen = Signal(int)

    def __init__(self, entries: list[tuple[str, str]], theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(2)
        for i, (text, hint) in enumerate(entries):
            button = QToolButton(self)
            button.setText(text)
            button.setToolTip(hint)
            button.setAccessibleName(hint)
            button.setCheckable(True)
            button.setFont(ui_font(12, 600))
            button.setStyleSheet("padding: 0px")
            button.setFixedSize(_EDGE, _EDGE)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self._group.addButton(button, i)
            row.addWidget(button)
        self._group.idClicked.connect(self.chosen)
        self.setFixedSize(QSize(len(entries) * (_EDGE + 2) + 2, _EDGE + 4))
        theme.changed.connect(self.update)

    @property
    def current(self) -> int:
        """Which is pressed; −1 while none is."""
        return self._group.checkedId()

    def set_current(self, index: int) -> None:
        """Press one without saying so."""
        button = self._group.button(index)
        if button is not None:
            button.setChecked(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            draw_card(painter, self.rect().toRectF(), self._theme.tokens)
