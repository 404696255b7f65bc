"""A line over the window that asks for one text, gone with Enter or Esc."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QWidget

from hfviewer.panels.theme import Theme, number_font, ui_font


class AskLine(QFrame):
    """Asks for a text; it is judged by whoever listens.

    Args:
        title: what is asked for.
        hint: shown while the line is empty.
        theme: colours.
        parent: the window to lie over.
    """

    entered = Signal(str)

    def __init__(self, title: str, hint: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._then: Callable[[str], None] | None = None
        self.setObjectName("card")
        self.setAutoFillBackground(True)
        self._label = QLabel(title, self)
        self._label.setFont(ui_font(13, 600))
        self._edit = QLineEdit(self)
        self._edit.setFont(number_font(13))
        self._edit.setPlaceholderText(hint)
        self._edit.setMinimumWidth(420)
        self._edit.setAccessibleName(title)
        self._problem = QLabel(self)
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self._problem.hide()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(10)
        layout.addWidget(self._label)
        layout.addWidget(self._edit)
        layout.addWidget(self._problem)
        self._edit.returnPressed.connect(self._on_return)
        self._edit.installEventFilter(self)
        self.hide()

    @property
    def edit(self) -> QLineEdit:
        """Where one types."""
        return self._edit

    def ask(self, text: str = "") -> None:
        """Show the line, ready to type into."""
        self._edit.setText(text)
        self._edit.selectAll()
        self._problem.hide()
        self.place()
        self.show()
        self.raise_()
        self._edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def ask_for(self, title: str, hint: str, text: str, then: Callable[[str], None]) -> None:
        """Ask for something else this time.

        Args:
            title: what is asked for.
            hint: shown while the line is empty.
            text: to begin with.
            then: told what was entered; the line is gone by then.
        """
        self._label.setText(title)
        self._edit.setPlaceholderText(hint)
        self._edit.setAccessibleName(title)
        self._then = then
        self.ask(text)

    def complain(self, text: str) -> None:
        """Say why that will not do; the line stays open."""
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
            if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
                return True  # there is nowhere to go from here but Enter and Esc
        elif event.type() == QEvent.Type.FocusOut:
            self.hide()
        return super().eventFilter(watched, event)

    def place(self) -> None:
        """Put it where it belongs; the window has another size."""
        self.adjustSize()
        parent = self.parentWidget()
        if parent is not None:
            self.move((parent.width() - self.width()) // 2, 72)

    def _on_return(self) -> None:
        text, then = self._edit.text(), self._then
        self.entered.emit(text)
        if then is not None:
            self._then = None
            self.dismiss()
            then(text)
