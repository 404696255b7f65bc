"""Which digits are down, wherever the focus is; and keys that are a text field's while it has the focus."""

from __future__ import annotations

import contextlib

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

_TEXT_FIELDS = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox)
_DIGITS = {int(getattr(Qt.Key, f"Key_{digit}")): str(digit) for digit in range(1, 10)}


class HeldKeys(QObject):
    """Watches the widget that has the focus, and no other.

    A shortcut only tells that a key went down. Here it shows when it comes up again. While somebody types
    into a text field, every key is the field's: Tab, Enter, Esc and Delete, too.

    Args:
        window: gets the keys that no widget has the focus for.
    """

    released = Signal(str)  # "1" to "9"
    all_released = Signal()  # the window lost the keyboard

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._down: set[str] = set()
        self._watched: QWidget | None = None
        window.installEventFilter(self)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)

    def is_down(self, digit: str) -> bool:
        """Whether the key of a digit is down now."""
        return digit in self._down

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if is_text_field(watched):
                event.accept()
                return False
            digit = _DIGITS.get(event.key())
            if digit is not None and not event.isAutoRepeat() and _is_plain(event):
                self._down.add(digit)
        elif kind is QEvent.Type.KeyRelease and isinstance(event, QKeyEvent) and not event.isAutoRepeat():
            digit = _DIGITS.get(event.key(), "")
            if digit in self._down:
                self._down.discard(digit)
                self.released.emit(digit)
        elif kind is QEvent.Type.WindowDeactivate and watched is self._window and self._down:
            self._down.clear()
            self.all_released.emit()
        return False

    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self._watched is not None and self._watched is not self._window:
            with contextlib.suppress(RuntimeError):  # it may be gone
                self._watched.removeEventFilter(self)
        self._watched = new
        if new is not None and new is not self._window:
            new.installEventFilter(self)


def is_text_field(widget: QObject | None) -> bool:
    """Whether one can type into it."""
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, _TEXT_FIELDS) and not widget.isReadOnly()


def _is_plain(event: QKeyEvent) -> bool:
    ignored = Qt.KeyboardModifier.KeypadModifier
    return not event.modifiers() & ~ignored
