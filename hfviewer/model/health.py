"""What is known of how well the recordings of a collection are."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from hfviewer.quality.health import Health


class HealthStore(QObject):
    """Health by the key of an episode. Whoever checks one puts it in; lists show what is there."""

    changed = Signal(str)  # key
    cleared = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: dict[str, Health] = {}

    def of(self, key: str) -> Health | None:
        """None where it was not checked yet."""
        return self._known.get(key)

    def put(self, key: str, health: Health) -> None:
        """Say what the checks of an episode came to."""
        if self._known.get(key) != health:
            self._known[key] = health
            self.changed.emit(key)

    def clear(self) -> None:
        """Forget everything: another collection is open, or its files have changed."""
        if self._known:
            self._known = {}
            self.cleared.emit()
