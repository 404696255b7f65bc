"""Text, annotations, and whatever nobody could make sense of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from hfviewer.core.frame import Frame
from hfviewer.core.stream import StreamDescription
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.text_content import frame_text
from hfviewer.panels.theme import Theme, number_font


class TextPanel(StreamPanel):
    """The text under the playhead; it can be selected and copied, not edited."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._text = QPlainTextEdit(self)
        self._text.setReadOnly(True)
        self._text.setUndoRedoEnabled(False)
        self._text.setFont(number_font(12))
        self._text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._text.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # the panel has its own
        # Presses go to the viewport, not to the text itself.
        self._text.viewport().installEventFilter(self)
        self._set_body(self._text)

    @property
    def shown_text(self) -> str:
        return self._text.toPlainText()

    def reset_view(self) -> None:
        self._text.verticalScrollBar().setValue(0)

    def context_actions(self) -> list[QAction]:
        selection = self._action(self.tr("Copy selection"))
        selection.setEnabled(self._text.textCursor().hasSelection())
        selection.triggered.connect(self._text.copy)
        everything = self._action(self.tr("Copy all"))
        everything.setEnabled(bool(self.shown_text))
        everything.triggered.connect(lambda: QGuiApplication.clipboard().setText(self.shown_text))
        return [selection, everything]

    def _draw(self, frame: Frame) -> None:
        text = frame_text(frame)
        if text != self._text.toPlainText():
            place = self._text.verticalScrollBar().value()
            self._text.setPlainText(text)
            self._text.verticalScrollBar().setValue(place)

    def _clear(self) -> None:
        self._text.clear()

    def _set_stale(self, stale: bool) -> None:
        self._text.setEnabled(not stale)
