"""What is written over a cloud: how many points, what was left out, and what the colours mean."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from hfviewer.panels.cloud_colour import FLAT, HEIGHT, RANGE
from hfviewer.panels.cloud_gather import ShownCloud
from hfviewer.panels.cloud_prepare import Colouring
from hfviewer.panels.drawing import CARD_MARGIN, draw_text_card, one_line
from hfviewer.panels.legend import draw_flat_legend
from hfviewer.panels.theme import Tokens, ui_font

_UNITS = {HEIGHT: "m", RANGE: "m"}
_CORNER = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
_BOTTOM = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft


def grouped(count: int) -> str:
    """Digits in groups of three, set apart by narrow spaces."""
    return f"{count:,}".replace(",", "\u202f")


def rough(count: int) -> str:
    """Two or three digits and their order: ``9.1 M``, ``120 k``, ``37``."""
    for size, letter in ((1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")):
        if count >= size:
            share = count / size
            return f"{share:.0f} {letter}" if share >= 100 else f"{share:.1f} {letter}"
    return str(count)


def count_text(shown: ShownCloud, drawn: int) -> str:
    """How many points there are, of how many scans, and how many of them show.

    Args:
        shown: the points.
        drawn: how many of them are in the picture: fewer while the view of a large cloud moves.
    """
    total, scans = shown.usable, len(shown.parts)
    if len(shown.xyz) < total:
        points = f"showing {rough(len(shown.xyz))} of {rough(total)} points"
    else:
        points = f"{grouped(total)} points"
    parts = [points, f"{scans} scans" if scans != 1 else "1 scan"]
    if shown.missing:
        parts.append(f"{shown.missing} missing")
    if shown.unmoved:
        parts.append("no pose: not moved")
    if shown.assumed:
        parts.append("poses taken as the sensor's own")
    if drawn < len(shown.xyz):
        parts.append(f"{rough(drawn)} drawn while moving")
    return " · ".join(parts)


def dropped_text(shown: ShownCloud) -> str:
    """How many points have no place and do not show; empty where all have one."""
    counts = ((shown.not_finite, "not finite"), (shown.too_far, "out of range"))
    return " · ".join(f"{grouped(count)} {what}" for count, what in counts if count)


def paint_counts(painter: QPainter, area: QRect, lines: list[str], tokens: Tokens) -> None:
    """Cards one below the other at the top left.

    Args:
        painter: of the widget.
        area: that is free for them.
        lines: one card each; of the first, the beginning up to " · " where all of it has no room.
        tokens: colours.
    """
    font, top = ui_font(12, 600), 0
    for line in lines:
        if QFontMetrics(font).horizontalAdvance(line) > area.width() - 2 * CARD_MARGIN - 20:
            line = line.split(" · ")[0]
        card = draw_text_card(painter, area.adjusted(0, top, 0, 0), _CORNER, line, font, tokens)
        top += round(card.height()) + 6


def paint_legend(
    painter: QPainter, area: QRect, colouring: Colouring, tokens: Tokens, *, offset_ns: int | None = None
) -> None:
    """Which colour means what, at the bottom left; nothing where all are the same.

    Args:
        painter: of the widget.
        area: the widget's rectangle.
        colouring: with the limits in force.
        tokens: colours.
        offset_ns: how much later than the scan the picture was taken that colours it; None: there is none.
    """
    offset = "" if offset_ns is None else f"  {offset_ns / 1e6:+.1f} ms".replace("-", "−")
    limits = colouring.limits
    if colouring.camera:
        text = f"{one_line(colouring.colour_by)}{offset} · grey: not in the picture"
        draw_text_card(painter, area, _BOTTOM, text, ui_font(12), tokens)
    if limits is None or colouring.colour_by == FLAT or colouring.camera:
        return
    unit = _UNITS.get(colouring.colour_by, "")
    low, high = number_text(limits[0], limits), f"{number_text(limits[1], limits)} {unit}".rstrip()
    draw_flat_legend(painter, area, colouring.table, one_line(colouring.colour_by), low, high, tokens)


def number_text(value: float, limits: tuple[float, float]) -> str:
    """A limit with as many decimals as its range asks for."""
    span = limits[1] - limits[0]
    decimals = 0 if span >= 100 else 1 if span >= 2 else 2 if span >= 0.2 else 4
    return f"{value:.{decimals}f}" if abs(value) < 1e6 else f"{value:.2e}"
