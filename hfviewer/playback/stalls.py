"""How late the event loop comes round: what a person feels as stutter."""

from __future__ import annotations

import time
from collections import deque

from PySide6.QtCore import QObject, Qt, QTimer

_BEAT_MS = 4
_KEPT = 2048


class StallMeter(QObject):
    """Notes by how much each beat of a timer is late; runs only between start and stop."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._late_ms: deque[float] = deque(maxlen=_KEPT)
        self._due = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_BEAT_MS)
        self._timer.timeout.connect(self._on_beat)

    @property
    def late_ms(self) -> list[float]:
        """Delays of the last beats, in ms, oldest first."""
        return list(self._late_ms)

    def start(self) -> None:
        """Forget earlier beats and begin."""
        self._late_ms.clear()
        self._due = time.perf_counter() + _BEAT_MS / 1e3
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _on_beat(self) -> None:
        now = time.perf_counter()
        self._late_ms.append(max(0.0, (now - self._due) * 1e3))
        self._due = now + _BEAT_MS / 1e3
