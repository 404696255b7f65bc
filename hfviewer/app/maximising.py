"""One panel over the whole area, and all back as they were."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow

from hfviewer.app.panel_dock import PanelDock
from hfviewer.app.panel_key import PanelKey


class Maximising:
    """Hides the other docks of an area for a while; their panels stay open.

    Args:
        area: that holds the docks.
        docks: of all its panels; may change.
    """

    def __init__(self, area: QMainWindow, docks: Mapping[PanelKey, PanelDock]) -> None:
        self._area, self._docks = area, docks
        self._before: QByteArray | None = None
        self._open: frozenset[PanelKey] = frozenset()  # before; most of them are hidden now

    @property
    def is_on(self) -> bool:
        """True while one panel has the area."""
        return self._before is not None

    @property
    def state(self) -> QByteArray:
        """Where the docks are, and were before one of them had the area."""
        return self._area.saveState() if self._before is None else self._before

    def covers(self, key: PanelKey) -> bool:
        """True where a panel is open, even if another one has the area."""
        return key in self._open

    def begin(self, dock: PanelDock) -> None:
        """Give one panel the whole area."""
        self._before = self._area.saveState()
        self._open = frozenset(key for key, other in self._docks.items() if not other.isHidden())
        self.show_only(dock)

    def show_only(self, dock: PanelDock) -> None:
        """Another panel has the area now."""
        dock.show()
        for other in self._docks.values():
            if other is not dock and not other.isFloating():
                other.hide()

    def end(self) -> None:
        """Put all back."""
        before = self._before
        self.forget()
        if before is not None:
            self._area.restoreState(before)

    def forget(self) -> None:
        """The docks go: there is nothing to put back."""
        self._before, self._open = None, frozenset()
