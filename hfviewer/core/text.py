"""Text for people: of files, made fit to be shown on one line, and of numbers."""

from __future__ import annotations

import re

# Control characters, line separators and halves of surrogate pairs: what breaks a line or cannot be printed.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def printable(text: str) -> str:
    """The text with a sign in place of all that would move a cursor, forge a line or not encode."""
    return _UNPRINTABLE.sub("\ufffd", text)


def counted(count: int, word: str) -> str:
    """``1 frame``, ``2 frames``."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
