"""The menu of recordings that were opened last."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from hfviewer.app.settings import SettingsStore
from hfviewer.panels.drawing import one_line


class RecentMenu(QMenu):
    """Filled anew each time it opens.

    Args:
        settings: know what was opened.
        parent: as in Qt.
    """

    chosen = Signal(str)  # path

    def __init__(self, settings: SettingsStore, parent: QWidget | None = None) -> None:
        super().__init__("Open recent", parent)
        self._settings = settings
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        for path in self._settings.values.recent:
            action = self.addAction(one_line(path).replace("&", "&&"))
            action.triggered.connect(partial(self.chosen.emit, path))
        if self.isEmpty():
            self.addAction("Nothing opened yet").setEnabled(False)
