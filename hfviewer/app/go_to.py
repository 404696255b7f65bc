"""Go to a time or a frame: a line over the window, gone with Enter or Esc."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from hfviewer.app.ask_line import AskLine
from hfviewer.panels.theme import Theme


class GoToLine(AskLine):
    """Asks for a time; the text is judged by whoever listens."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        hint = "12.5 · +3s · #340 (frame index, from 0) · ns:… · ISO 8601"
        super().__init__("Go to", hint, theme, parent)
