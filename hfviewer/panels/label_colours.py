"""Which colour a label has: the one its schema gives it, else one of nine by its key or its place."""

from __future__ import annotations

from PySide6.QtGui import QColor

from hfviewer.core.annotation import Schema
from hfviewer.panels.tokens import Tokens


def label_colour(schema: Schema, name: str, tokens: Tokens) -> QColor:
    """Fill of a label's spans. One that the schema does not know is grey; its spans are hatched, too."""
    for place, label in enumerate(schema.labels):
        if label.name == name:
            if label.color:
                return QColor(label.color)
            number = int(label.hotkey) - 1 if label.hotkey else place
            return tokens.labels[number % len(tokens.labels)]
    return tokens.t3


def text_on(fill: QColor, tokens: Tokens) -> QColor:
    """Text that can be read on a fill of the user's own choice."""
    bright = 0.299 * fill.red() + 0.587 * fill.green() + 0.114 * fill.blue()
    return tokens.on_label if bright >= 110 else QColor("white")
