"""Text of files in tooltips."""

from __future__ import annotations

from PySide6.QtGui import Qt


def plain_tip(text: str) -> str:
    """A text for a tooltip, which shows as it is written.

    Qt takes for markup what looks like it, and opens every picture that it names.
    """
    return Qt.convertFromPlainText(text) if Qt.mightBeRichText(text) else text
