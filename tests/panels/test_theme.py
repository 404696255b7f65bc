from __future__ import annotations

import dataclasses
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from PySide6.QtGui import QColor, QFont, QPalette
from pytestqt.qtbot import QtBot

from hfviewer.core.resources import resource_path
from hfviewer.core.stream import StreamKind
from hfviewer.panels.theme import (
    DARK,
    LIGHT,
    Theme,
    Tokens,
    icon_pixmap,
    kind_colour,
    kind_icon,
    number_font,
    qpalette,
    stylesheet,
    ui_font,
)


def contrast(a: QColor, b: QColor) -> float:
    """WCAG 2 contrast ratio."""

    def luminance(colour: QColor) -> float:
        linear = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in (colour.redF(), colour.greenF(), colour.blueF())
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("tokens", [DARK, LIGHT], ids=["dark", "light"])
def test_all_text_can_be_read_on_every_ground_it_stands_on(tokens: Tokens) -> None:
    for ground in (tokens.bg0, tokens.bg1, tokens.bg2, tokens.bg3):
        for text in (tokens.t1, tokens.t2, tokens.t3, tokens.error, tokens.warning):
            assert contrast(text, ground) >= 4.5, (text.name(), ground.name())
    for text, ground in (
        (tokens.on_accent, tokens.accent),
        (tokens.error, tokens.error_ground),
        (tokens.warning, tokens.warning_ground),
    ):
        assert contrast(text, ground) >= 4.5


@pytest.mark.parametrize("tokens", [DARK, LIGHT], ids=["dark", "light"])
def test_curves_can_be_seen_on_the_ground_of_plots(tokens: Tokens) -> None:
    for colour in (*tokens.axis, *tokens.series):
        assert contrast(colour, tokens.bg0) >= 3.0, colour.name()


@pytest.mark.parametrize("tokens", [DARK, LIGHT], ids=["dark", "light"])
def test_the_style_sheet_holds_no_colour_that_is_not_a_token(tokens: Tokens) -> None:
    values = [getattr(tokens, f.name) for f in dataclasses.fields(tokens)]
    known = {v.name() for v in values if isinstance(v, QColor)}
    used = set(re.findall(r"#[0-9a-fA-F]{3,8}\b", stylesheet(tokens)))
    assert used
    assert used <= known
    assert "$" not in stylesheet(tokens)


def test_the_palette_follows_the_tokens() -> None:
    for tokens in (DARK, LIGHT):
        assert qpalette(tokens).color(QPalette.ColorRole.Window) == tokens.bg0
        assert qpalette(tokens).color(QPalette.ColorRole.Text) == tokens.t1


def test_changing_the_theme_is_said_once(qtbot: QtBot) -> None:
    theme = Theme(dark=True)
    heard: list[bool] = []
    theme.changed.connect(lambda: heard.append(theme.dark))
    theme.set_dark(True)
    theme.set_dark(False)
    theme.set_dark(False)
    assert heard == [False]
    assert theme.tokens is LIGHT
    assert theme.on_picture is DARK


@pytest.mark.parametrize("kind", list(StreamKind))
def test_every_kind_has_an_icon_and_a_colour(qtbot: QtBot, kind: StreamKind) -> None:
    assert resource_path("icons", f"{kind_icon(kind)}.svg").is_file()
    assert kind_colour(DARK, kind).isValid()


def test_an_icon_is_drawn_in_the_colour_asked_for(qtbot: QtBot) -> None:
    for colour in (DARK.error, DARK.fine):
        image = icon_pixmap("error", colour, 24, 1.0).toImage()
        assert (image.width(), image.height()) == (24, 24)
        assert image.pixelColor(12, 4).name() == colour.name()
        assert image.pixelColor(0, 0).alpha() == 0


def test_an_icon_has_as_many_pixels_as_the_screen_wants(qtbot: QtBot) -> None:
    pixmap = icon_pixmap("play", DARK.t1, 16, 2.0)
    assert pixmap.width() == 32
    assert pixmap.devicePixelRatio() == 2.0


def test_an_unknown_icon_is_empty_not_an_error(qtbot: QtBot) -> None:
    image = icon_pixmap("no-such-icon", DARK.t1, 16, 1.0).toImage()
    assert all(image.pixelColor(x, y).alpha() == 0 for x in range(16) for y in range(16))


def test_every_icon_is_tinted_as_a_whole(qtbot: QtBot) -> None:
    files = sorted(resource_path("icons").glob("*.svg"))
    assert len(files) > 40
    for file in files:
        if file.stem == "chevron-combo":
            continue
        source = file.read_text()
        assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', source)) <= {"none", "currentColor"}, file.name
        image = icon_pixmap(file.stem, QColor("#FF0000"), 24, 1.0).toImage()
        drawn = [image.pixelColor(x, y) for x in range(24) for y in range(24)]
        strong = [c for c in drawn if c.alpha() > 150]
        assert strong, file.name
        assert all(c.red() > 240 and c.green() < 15 for c in strong), file.name


def test_digits_are_equally_wide(qtbot: QtBot) -> None:
    from PySide6.QtGui import QFontMetricsF

    for font in (number_font(12), ui_font(13)):
        widths = {QFontMetricsF(font).horizontalAdvance(digit * 10) for digit in "0123456789"}
        assert len(widths) == 1


def test_a_font_is_looked_up_once_but_shared_with_no_other_thread(qtbot: QtBot) -> None:
    font = ui_font(12, 600)
    assert ui_font(12, 600) is font
    assert ui_font(12) is not font
    assert (font.pixelSize(), font.weight()) == (12, QFont.Weight.DemiBold)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(ui_font, 12, 600).result()
    assert other is not font
    assert other == font
