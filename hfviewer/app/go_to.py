"""Go to a time or a frame: a line over the window, gone with Enter or Esc."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from hfviewer.app.ask_line import AskLine
from hfviewer.core.errors import UsageError
from hfviewer.core.time_text import FrameNumber, parse_time
from hfviewer.model.workspace import Workspace
from hfviewer.panels.theme import Theme


class GoToLine(AskLine):
    """Asks for a time; the text is judged by whoever listens."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        hint = "12.5 · +3s · #340 (frame index, from 0) · ns:… · ISO 8601"
        super().__init__("Go to", hint, theme, parent)


class GoToCommands(QObject):
    """Moves the playhead to a time or a frame that was written down.

    Args:
        workspace: whose playhead.
        line: that asks.
    """

    failed = Signal(object)  # UsageError: what is no time, where the line was not asked

    def __init__(self, workspace: Workspace, line: GoToLine) -> None:
        super().__init__(line)
        self._workspace, self._line = workspace, line
        line.entered.connect(self.go_to_time)

    def go_to(self) -> None:
        """Ask for a time."""
        if self._workspace.recording is not None:
            self._line.ask()

    def go_to_time(self, text: str) -> None:
        """Move the playhead to a time as a person writes it, see cli.md; what is no time is told."""
        playhead = self._workspace.playhead
        try:
            target = parse_time(text, start_ns=playhead.span.start_ns)
            if isinstance(target, FrameNumber):
                target = self._frame_time(target, text)
        except UsageError as error:
            if self._line.isVisible():
                self._line.complain(error.problem)
            else:
                self.failed.emit(error)
            return
        playhead.jump_to(target, remember=True)
        self._line.dismiss()

    def _frame_time(self, number: FrameNumber, text: str) -> int:
        recording, name = self._workspace.recording, self._workspace.focused
        table = () if recording is None or name is None else recording.streams[name].timestamps_ns
        if not 0 <= number.index < len(table):
            raise UsageError(f"There is no frame {text}: {name} has {len(table)}.")
        return int(table[number.index])
