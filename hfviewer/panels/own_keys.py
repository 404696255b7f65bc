"""Keys that a widget keeps for itself while it has the keyboard, whatever they do elsewhere in the window."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent


def claims(event: QEvent, keys: Collection[Qt.Key]) -> bool:
    """Whether Qt asks for one of these keys, without Ctrl and the like; then the answer is: it is mine.

    To be asked first in a widget's ``event``; the key comes again as a ``keyPressEvent``.
    """
    if event.type() is not QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    if event.key() not in keys or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return False
    event.accept()
    return True
