"""Text of files in tooltips."""

from __future__ import annotations

from PySide6.QtCore import QChildEvent, QEvent, QObject
from PySide6.QtGui import QHelpEvent, Qt
from PySide6.QtWidgets import QMainWindow, QTabBar, QToolTip


def plain_tip(text: str) -> str:
    """A text for a tooltip, which shows as it is written.

    Qt takes for markup what looks like it, and opens every picture that it names.
    """
    return Qt.convertFromPlainText(text) if Qt.mightBeRichText(text) else text


class PlainTabTips(QObject):
    """Has the tabs of docks tell their titles as they are written: Qt makes tips of them by itself.

    Args:
        window: that has the docks.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QChildEvent):
            child = event.child()
            if event.type() is QEvent.Type.ChildPolished and isinstance(child, QTabBar):
                child.installEventFilter(self)
        elif isinstance(watched, QTabBar) and isinstance(event, QHelpEvent):
            tip = watched.tabToolTip(watched.tabAt(event.pos()))
            QToolTip.showText(event.globalPos(), plain_tip(tip), watched)
            return True
        return False
