"""A dialog for the two ends of a range of numbers, typed into one line."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QInputDialog, QLabel, QWidget

from hfviewer.core.errors import UsageError


class RangeDialog(QInputDialog):
    """Asks; does not block the window, and goes with its answer.

    Args:
        title: of the dialog.
        label: what is asked for.
        now: the range in force.
        parent: as in Qt.
    """

    chosen = Signal(float, float)  # lowest and highest
    refused = Signal(object)  # UsageError: what was typed is no range

    def __init__(self, title: str, label: str, now: tuple[float, float], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.setLabelText(label)
        for text in self.findChildren(QLabel):
            text.setTextFormat(Qt.TextFormat.PlainText)  # it may name something of a file
        self.setTextValue(f"{now[0]:g} {now[1]:g}")
        self.textValueSelected.connect(self._on_selected)

    def _on_selected(self, text: str) -> None:
        try:
            self.chosen.emit(*typed_range(text))
        except UsageError as error:
            self.refused.emit(error)


def typed_range(text: str) -> tuple[float, float]:
    """The range that a person wrote: ``−2 3``, ``-2, 3`` or ``-2 … 3``.

    Raises:
        UsageError: it is none, or its ends are the wrong way round.
    """
    parts = text.replace("−", "-").replace(",", " ").replace("…", " ").split()
    try:
        low, high = (float(part) for part in parts)
    except ValueError:
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise UsageError(f"{text!r} is not a range.", remedy="Type two numbers, the lower one first: -2 3.")
    return low, high
