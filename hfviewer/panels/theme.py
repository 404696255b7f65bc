"""The look: which tokens are in force, and the fonts. The app makes one `Theme` for all widgets."""

from __future__ import annotations

import threading
from functools import lru_cache

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFont, QFontDatabase

from hfviewer.panels.icons import icon, icon_pixmap
from hfviewer.panels.stylesheet import qpalette, stylesheet
from hfviewer.panels.tokens import DARK, LIGHT, Tokens, kind_colour, kind_icon, severity_colour, with_alpha

__all__ = [
    "DARK",
    "LIGHT",
    "Theme",
    "Tokens",
    "icon",
    "icon_pixmap",
    "kind_colour",
    "kind_icon",
    "number_font",
    "qpalette",
    "severity_colour",
    "stylesheet",
    "ui_font",
    "with_alpha",
]


class _Fonts(threading.local):
    """Fonts by family, size and weight, each looked up once.

    Loader threads write on pictures, too, and no two threads may use what two copies of a font share.
    """

    def __init__(self) -> None:
        self.known: dict[tuple[str, int, int], QFont] = {}


_fonts = _Fonts()


class Theme(QObject):
    """The tokens in force; widgets take them from here when they paint and repaint on `changed`."""

    changed = Signal()

    def __init__(self, *, dark: bool = True, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tokens = DARK if dark else LIGHT

    @property
    def tokens(self) -> Tokens:
        return self._tokens

    @property
    def on_picture(self) -> Tokens:
        """Tokens for what is drawn straight on a picture area, whose ground is dark in both themes."""
        return DARK

    @property
    def dark(self) -> bool:
        return self._tokens.dark

    def set_dark(self, dark: bool) -> None:
        if dark != self._tokens.dark:
            self._tokens = DARK if dark else LIGHT
            self.changed.emit()


def ui_font(size: int = 13, weight: int = 400) -> QFont:
    """The text font, with figures of equal width.

    Args:
        size: pixels; 13 body, 12 secondary, 11 least.
        weight: 400 normal, 600 for names and headings.
    """
    return _font("Inter", QFontDatabase.SystemFont.GeneralFont, size, weight)


def number_font(size: int = 12, weight: int = 400) -> QFont:
    """The font of numbers that change: every character is equally wide.

    Args:
        size: pixels.
        weight: 400 to 700.
    """
    return _font("JetBrains Mono", QFontDatabase.SystemFont.FixedFont, size, weight)


@lru_cache(maxsize=8)
def _has_family(family: str) -> bool:
    return QFontDatabase.hasFamily(family)


def _font(family: str, fallback: QFontDatabase.SystemFont, size: int, weight: int) -> QFont:
    """The font, made once for each thread; whoever wants to change it takes a copy."""
    found = _fonts.known.get((family, size, weight))
    if found is None:
        found = _fonts.known[family, size, weight] = _new_font(family, fallback, size, weight)
    return found


def _new_font(family: str, fallback: QFontDatabase.SystemFont, size: int, weight: int) -> QFont:
    font = QFont(family) if _has_family(family) else QFontDatabase.systemFont(fallback)
    font.setPixelSize(size)
    font.setWeight(QFont.Weight(weight))
    font.setFeature(QFont.Tag("tnum"), 1)
    if fallback is QFontDatabase.SystemFont.FixedFont:
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setFeature(QFont.Tag("calt"), 0)  # no ligatures inside numbers
    return font
