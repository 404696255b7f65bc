"""When waiting for a frame has lasted long enough to be told of."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

# A frame that arrives sooner than this never makes the badge say "loading": nothing may blink while playing.
LOADING_AFTER_MS = 100


class Patience(QObject):
    """Asked again and again whether something is still awaited; remembers since when it has been."""

    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._overdue = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(LOADING_AFTER_MS)
        self._timer.timeout.connect(self._on_timeout)

    def is_over(self, *, waiting: bool) -> bool:
        """True once something has been awaited for `LOADING_AFTER_MS`.

        Args:
            waiting: whether it is awaited now; False begins anew.
        """
        if not waiting:
            self._timer.stop()
            self._overdue = False
        elif not self._overdue and not self._timer.isActive():
            self._timer.start()
        return self._overdue

    def _on_timeout(self) -> None:
        self._overdue = True
        self.ended.emit()
