"""The one switch for how times read, in every panel at once."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from hfviewer.core.time_format import TimeFormat, TimeMode
from hfviewer.core.window import TimeWindow


class TimeDisplay(QObject):
    """Mode and format of all times on screen."""

    changed = Signal(object)  # TimeFormat: of another mode, or for another recording

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._format = TimeFormat.elapsed(TimeWindow(0, 1))

    @property
    def format(self) -> TimeFormat:
        """How times of the open recording read."""
        return self._format

    @property
    def mode(self) -> TimeMode:
        """What was asked for; `TimeFormat.reads_as` is what a recording allows."""
        return self._format.mode

    def set_mode(self, mode: TimeMode) -> None:
        """Count times from something else."""
        self._set(TimeFormat.of(mode, self._format.span))

    def next_mode(self) -> None:
        """The next mode that this recording can be read in; after the last one the first."""
        modes = list(TimeMode)
        start = modes.index(self._format.reads_as)
        for step in range(1, len(modes) + 1):
            found = TimeFormat.of(modes[(start + step) % len(modes)], self._format.span)
            if found.reads_as is found.mode:
                self._set(found)
                return

    def set_span(self, span: TimeWindow) -> None:
        """Another recording; the mode stays."""
        self._set(TimeFormat.of(self._format.mode, span))

    def _set(self, found: TimeFormat) -> None:
        if found != self._format:
            self._format = found
            self.changed.emit(found)
