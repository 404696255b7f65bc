"""Colours and short names of a signal's channels."""

from __future__ import annotations

from PySide6.QtGui import QColor

from hfviewer.panels.theme import Tokens


def channel_colour(name: str, place: int, tokens: Tokens) -> QColor:
    """Colour of a channel: its axis, where the name ends in x, y or z, else by its place in the plot."""
    last = name[-1:].lower()
    parts = name.lower().replace("-", "_").split("_")
    if last in ("x", "y", "z") and (len(name) <= 2 or parts[-1] == last):
        return tokens.axis["xyz".index(last)]
    palette = (*tokens.axis, *tokens.series)
    return palette[place % len(palette)]


def short_names(names: list[str]) -> list[str]:
    """Names without the words they all begin with: ``acc_x, acc_y`` become ``x, y``."""
    split = [name.split("_") for name in names]
    common = 0
    while len(names) > 1 and all(
        len(s) > common + 1 and s[: common + 1] == split[0][: common + 1] for s in split
    ):
        common += 1
    return ["_".join(words[common:]) for words in split]
