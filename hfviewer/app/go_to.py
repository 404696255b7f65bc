"""Go to a time or a frame: a line over the window, gone with Enter or Esc."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QWidget

from hfviewer.panels.theme import Theme, number_font, ui_font


class GoToLine(QFrame):
    """Asks for a time; the text is judged by whoever listens."""

    entered = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("card")
        self.setAutoFillBackground(True)
        label = QLabel("Go to", self)
        label.setFont(ui_font(13, 600))
        self._edit = QLineEdit(self)
        self._edit.setFont(number_font(13))
        self._edit.setPlaceholderText("12.5 · +3s · #340 (frame index, from 0) · ns:… · ISO 8601")
        self._edit.setMinimumWidth(420)
        self._edit.setAccessibleName("Time or frame to go to")
        self._problem = QLabel(self)
        self._problem.hide()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(10)
        layout.addWidget(label)
        layout.addWidget(self._edit)
        layout.addWidget(self._problem)
        self._edit.returnPressed.connect(lambda: self.entered.emit(self._edit.text()))
        self._edit.installEventFilter(self)
        self.hide()

    @property
    def edit(self) -> QLineEdit:
        """Where one types."""
        return self._edit

    def ask(self) -> None:
        """Show the line, empty and ready to type into."""
        self._edit.clear()
        self._problem.hide()
        self.place()
        self.show()
        self.raise_()
        self._edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def complain(self, text: str) -> None:
        """Say why that was not a place to go to; the line stays open."""
        # The application's style sheet outweighs a palette.
        self._problem.setStyleSheet(f"color: {self._theme.tokens.error.name()}")
        self._problem.setText(text)
        self._problem.show()
        self.place()

    def dismiss(self) -> None:
        """Hide it and give the keyboard back to the window."""
        if self.isVisible():
            self.hide()
            parent = self.parentWidget()
            if parent is not None:
                parent.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.dismiss()
                return True
        elif event.type() == QEvent.Type.FocusOut:
            self.hide()
        return super().eventFilter(watched, event)

    def place(self) -> None:
        """Put it where it belongs; the window has another size."""
        self.adjustSize()
        parent = self.parentWidget()
        if parent is not None:
            self.move((parent.width() - self.width()) // 2, 72)
