"""The labels that there are, each with the digit that sets it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from hfviewer.core.annotation import Label, Schema
from hfviewer.panels.drawing import one_line, painting
from hfviewer.panels.label_colours import label_colour
from hfviewer.panels.theme import Theme, ui_font
from hfviewer.panels.tips import plain_tip

_CHIP_PX = 28
_GAP_PX = 6
_PAD_PX = 8
_COLUMNS = 3
_KEY_PX = 16


class LabelChips(QWidget):
    """One chip for each label; a click does what its digit does.

    Args:
        theme: the tokens in force.
        parent: as in Qt.
    """

    pressed = Signal(str)  # the label's digit
    menu_wanted = Signal(str, object)  # name of the label, QPoint on the screen

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._schema = Schema()
        self._held: frozenset[str] = frozenset()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        theme.changed.connect(self.update)

    def set_schema(self, schema: Schema) -> None:
        if schema is not self._schema:
            self._schema = schema
            self.setVisible(bool(schema.labels))
            self.updateGeometry()
            self.update()

    def set_held(self, hotkeys: frozenset[str]) -> None:
        """Digits of the labels that are being made."""
        if hotkeys != self._held:
            self._held = hotkeys
            self.update()

    def sizeHint(self) -> QSize:
        rows = -(-len(self._schema.labels) // _COLUMNS)
        return QSize(200, rows * (_CHIP_PX + _GAP_PX) + _PAD_PX)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self, smooth=True) as painter:
            for place, label in enumerate(self._schema.labels):
                self._paint_chip(painter, self._rect(place), label)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        label = self._at(event)
        if label is not None and event.button() is Qt.MouseButton.RightButton:
            self.menu_wanted.emit(label.name, event.globalPosition().toPoint())
        elif label is not None and label.hotkey and event.button() is Qt.MouseButton.LeftButton:
            self.pressed.emit(label.hotkey)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        label = self._at(event)
        key = "" if label is None or not label.hotkey else f" ({label.hotkey})"
        self.setToolTip("" if label is None else plain_tip(f"{one_line(label.name)}{key}"))

    def _paint_chip(self, painter: QPainter, rect: QRect, label: Label) -> None:
        tokens = self._theme.tokens
        held = bool(label.hotkey) and label.hotkey in self._held
        painter.setPen(tokens.line2)
        painter.setBrush(tokens.accent_ground if held else tokens.bg2)
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(label_colour(self._schema, label.name, tokens))
        painter.drawRoundedRect(QRectF(rect.left() + 1, rect.top() + 5, 3, rect.height() - 10), 1.5, 1.5)
        x = rect.left() + 9
        if label.hotkey:
            key = QRectF(x, rect.center().y() - _KEY_PX / 2 + 0.5, _KEY_PX, _KEY_PX)
            painter.setBrush(tokens.bg4)
            painter.drawRoundedRect(key, 4, 4)
            painter.setFont(ui_font(11, 600))
            painter.setPen(tokens.t1)
            painter.drawText(key, Qt.AlignmentFlag.AlignCenter, label.hotkey)
            x += _KEY_PX + 6
        painter.setFont(ui_font(12, 600))
        painter.setPen(tokens.t1)
        room = QRect(x, rect.top(), rect.right() - x - 4, rect.height())
        text = painter.fontMetrics().elidedText(
            one_line(label.name), Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _rect(self, place: int) -> QRect:
        row, column = divmod(place, _COLUMNS)
        width = (self.width() - 2 * _PAD_PX - (_COLUMNS - 1) * _GAP_PX) // _COLUMNS
        left = _PAD_PX + column * (width + _GAP_PX)
        return QRect(left, _PAD_PX // 2 + row * (_CHIP_PX + _GAP_PX), width, _CHIP_PX)

    def _at(self, event: QMouseEvent) -> Label | None:
        point = event.position().toPoint()
        for place, label in enumerate(self._schema.labels):
            if self._rect(place).contains(point):
                return label
        return None
