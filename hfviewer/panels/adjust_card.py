"""A card with sliders in the corner of a panel, for what one wants to see change while one drags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSlider, QToolButton, QWidget

from hfviewer.panels.drawing import CARD_MARGIN, draw_card, painting
from hfviewer.panels.theme import Theme, icon, number_font, ui_font

_SLIDER_PX = 150


@dataclass(frozen=True, slots=True, eq=False)
class Adjustment:
    """One slider.

    Args:
        text: what it changes.
        hint: for the tooltip; says more than ``text``.
        least: smallest value.
        most: largest value.
        value: now.
        standard: where a double click on the text puts it.
        shown: the value as text.
        changed: told of each new value.
    """

    text: str
    hint: str
    least: int
    most: int
    value: int
    standard: int
    shown: Callable[[int], str]
    changed: Callable[[int], None]


class AdjustCard(QWidget):
    """Sliders, one below the other. Never takes the keyboard: Space and the arrows keep driving playback.

    Args:
        adjustments: from the top.
        theme: colours.
        parent: the widget in whose lower left corner it lies.
    """

    closed = Signal()

    def __init__(self, adjustments: Sequence[Adjustment], theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 8, 8, 8)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        self._sliders: list[QSlider] = []
        for row, adjustment in enumerate(adjustments):
            self._add(grid, row, adjustment)
        reset = self._button("undo", self.tr("Put everything back"))
        reset.clicked.connect(lambda: self._reset(adjustments))
        close = self._button("close", self.tr("Close this card"))
        close.clicked.connect(self.closed)
        grid.addWidget(reset, 0, 3)
        grid.addWidget(close, min(1, len(adjustments) - 1), 4 if len(adjustments) < 2 else 3)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.adjustSize()
        self.place()
        self.show()

    def place(self) -> None:
        """Into the lower left corner of the widget it lies on."""
        parent = self.parentWidget()
        if parent is not None:
            self.move(CARD_MARGIN, max(CARD_MARGIN, parent.height() - self.height() - CARD_MARGIN - 30))

    def _add(self, grid: QGridLayout, row: int, adjustment: Adjustment) -> None:
        label = QLabel(adjustment.text, self)
        label.setFont(ui_font(12))
        value = QLabel(adjustment.shown(adjustment.value), self)
        value.setFont(number_font(12))
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        widest = max((adjustment.shown(v) for v in (adjustment.least, adjustment.most)), key=len)
        value.setMinimumWidth(value.fontMetrics().horizontalAdvance(widest + "0"))
        slider = QSlider(Qt.Orientation.Horizontal, self)
        slider.setRange(adjustment.least, adjustment.most)
        slider.setValue(adjustment.value)
        slider.setFixedWidth(_SLIDER_PX)
        slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        slider.setAccessibleName(adjustment.text)
        for widget in (label, value, slider):
            widget.setToolTip(adjustment.hint)
        slider.valueChanged.connect(lambda now: value.setText(adjustment.shown(now)))
        slider.valueChanged.connect(adjustment.changed)
        self._sliders.append(slider)
        grid.addWidget(label, row, 0)
        grid.addWidget(slider, row, 1)
        grid.addWidget(value, row, 2)

    def _button(self, name: str, hint: str) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("icon-name", name)
        button.setToolTip(hint)
        button.setAccessibleName(hint)
        button.setFixedSize(22, 22)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def _reset(self, adjustments: Sequence[Adjustment]) -> None:
        for slider, adjustment in zip(self._sliders, adjustments, strict=True):
            slider.setValue(adjustment.standard)

    def _restyle(self) -> None:
        for button in self.findChildren(QToolButton):
            button.setIcon(icon(str(button.property("icon-name")), self._theme.tokens.t2, 16))
            button.setIconSize(QSize(16, 16))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self, smooth=True) as painter:
            draw_card(painter, self.rect().toRectF(), self._theme.tokens)
