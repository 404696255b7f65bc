"""The heading of a list: what it lists, and how many there are."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QRectF, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from hfviewer.panels.drawing import painting
from hfviewer.panels.theme import Theme, ui_font

TITLE_PX = 30
LEFT_PX = 12
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class ListTitle(QWidget):
    """A heading with the number of rows under it.

    Args:
        text: what is listed.
        model: whose rows are counted.
        theme: the tokens in force.
        whole: whose rows they are taken from, where a filter may hide some: then it says ``3 of 24``.
    """

    def __init__(
        self, text: str, model: QAbstractItemModel, theme: Theme, whole: QAbstractItemModel | None = None
    ) -> None:
        super().__init__()
        self._text, self._model, self._whole, self._theme = text, model, whole, theme
        self._font = ui_font(13, 600)
        self._count_font = ui_font(11, 600)
        self.setFixedHeight(TITLE_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for watched in (model, whole):
            if watched is not None:
                for signal in (watched.modelReset, watched.rowsInserted, watched.rowsRemoved):
                    signal.connect(self.update)
        theme.changed.connect(self.update)

    @property
    def count_text(self) -> str:
        """``24``, or ``3 of 24``."""
        shown = self._model.rowCount()
        whole = shown if self._whole is None else self._whole.rowCount()
        return str(shown) if shown == whole else f"{shown} of {whole}"

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens, count = self._theme.tokens, self.count_text
        with painting(self, smooth=True) as painter:
            painter.fillRect(self.rect(), tokens.bg2)
            painter.setFont(self._font)
            painter.setPen(tokens.t1)
            painter.drawText(self.rect().adjusted(LEFT_PX, 0, 0, 0), _LEFT, self._text)
            x = LEFT_PX + painter.fontMetrics().horizontalAdvance(self._text) + 8
            painter.setFont(self._count_font)
            badge = QRectF(x, 7, painter.fontMetrics().horizontalAdvance(count) + 12, TITLE_PX - 14)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.bg4)
            painter.drawRoundedRect(badge, 4, 4)
            painter.setPen(tokens.t1)
            painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, count)
