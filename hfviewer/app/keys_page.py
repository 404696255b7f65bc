"""The help page: every key, made from the one binding table."""

from __future__ import annotations

from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from hfviewer.app.bindings import BINDINGS, Binding
from hfviewer.panels.theme import Theme, number_font, ui_font

_COLUMNS = 3
_SIZE = (1160, 660)  # a window of 1280×720 holds it
_KEYS_APART = "   "


class KeysPage(QDialog):
    """Lists the keys; does not block the window."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self.resize(*_SIZE)
        page = QWidget()
        columns = QHBoxLayout(page)
        columns.setContentsMargins(24, 20, 24, 20)
        columns.setSpacing(36)
        sides = [QVBoxLayout() for _ in range(_COLUMNS)]
        heights = [0] * _COLUMNS
        for side in sides:
            columns.addLayout(side, 1)
        for group, bindings in groupby(BINDINGS, key=lambda binding: binding.group):
            rows = [binding for binding in bindings if binding.keys and not binding.family]
            if not rows:
                continue
            shortest = heights.index(min(heights))
            heights[shortest] += len(rows) + 2
            grid = QGridLayout()
            grid.setColumnStretch(0, 1)
            grid.setVerticalSpacing(4)
            grid.setHorizontalSpacing(12)
            title = QLabel(group)
            title.setFont(ui_font(14, 600))
            grid.addWidget(title, 0, 0, 1, 2)
            for row, binding in enumerate(rows, start=1):
                what, keys = QLabel(binding.text), QLabel(keys_text(binding))
                what.setFont(ui_font(12))
                what.setWordWrap(True)  # the keys are never cut
                keys.setFont(number_font(12))
                grid.addWidget(what, row, 0)
                grid.addWidget(keys, row, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            sides[shortest].addLayout(grid)
            sides[shortest].addSpacing(16)
        mouse = QLabel(
            "On the timeline: drag scrubs, Shift+drag selects in and out, the wheel zooms about the pointer,"
            " Shift+wheel or the middle button pans, a double click shows everything. Alt turns"
            " snapping round; a name is dragged to move its lane; Ctrl+wheel makes lanes higher. On a track"
            " of labels a drag draws one, moves one or stretches its edge."
        )
        mouse.setFont(ui_font(12))
        mouse.setWordWrap(True)
        palette = mouse.palette()
        palette.setColor(palette.ColorRole.WindowText, theme.tokens.t2)
        mouse.setPalette(palette)
        sides[heights.index(min(heights))].addWidget(mouse)
        for side in sides:
            side.addStretch(1)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(page)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)


def keys_text(binding: Binding) -> str:
    """All keys of a binding; of one that stands for others, from the first to the last: ``1 – 9``."""
    others = [other for other in BINDINGS if other.family == binding.action]
    if others:
        return f"{key_text(binding.keys[0])} – {key_text(others[-1].keys[0])}"
    return _KEYS_APART.join(key_text(key) for key in binding.keys)


def key_text(key: str) -> str:
    """A key as this system writes it."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
