"""F12: how the viewer keeps up, per stream. What it skips is its own affair, never a recorded drop."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from hfviewer.panels.drawing import one_line
from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.playback.player import Player
from hfviewer.playback.stalls import StallMeter

_REFRESH_MS = 250
_MOST_LETTERS = 28  # of a name
_HEAD = ("stream", "asked", "shown", "skipped", "cached", "decode p50", "p99")


class StatisticsCard(QFrame):
    """A table over the panels; costs nothing while it is hidden.

    Args:
        player: whose figures they are.
        theme: colours.
        parent: the window; the card keeps to its upper right corner.
    """

    def __init__(self, player: Player, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._player, self._theme = player, theme
        self.setObjectName("card")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._meter = StallMeter(self)
        self._title = QLabel("What this viewer manages", self)
        self._title.setFont(ui_font(13, 600))
        self._table = QLabel(self)
        self._table.setFont(number_font(12))
        self._table.setTextFormat(Qt.TextFormat.RichText)
        self._lines: list[str] = []
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 12)
        layout.setSpacing(6)
        layout.addWidget(self._title)
        layout.addWidget(self._table)
        self._timer = QTimer(self)
        self._timer.setInterval(_REFRESH_MS)
        self._timer.timeout.connect(self._refresh)
        self.hide()

    @property
    def text(self) -> str:
        """The table, a line for each row."""
        return "\n".join(self._lines)

    def toggle(self) -> None:
        """Show it, counting stalls from now on; or hide it."""
        if self.isVisible():
            self._timer.stop()
            self._meter.stop()
            self.hide()
        else:
            self._meter.start()
            self._timer.start()
            self._refresh()
            self.show()
            self.raise_()

    def _refresh(self) -> None:
        rows: list[tuple[str, ...]] = [_HEAD]
        for name, s in self._player.stream_statistics().items():
            rows.append(
                (
                    _short(one_line(name)),
                    str(s.requested),
                    str(s.shown),
                    str(s.superseded),
                    f"{s.from_cache * 100:.0f} %",
                    _ms(s.decode_p50_ms),
                    _ms(s.decode_p99_ms),
                )
            )
        cache = self._player.cache.statistics()
        late_ms = self._meter.late_ms
        p99, worst = (np.percentile(late_ms, 99), max(late_ms)) if late_ms else (0.0, 0.0)
        notes = [
            f"event loop late by {p99:.1f} ms (p99), {worst:.1f} ms at worst",
            f"cache {cache.used_bytes >> 20} of {cache.budget_bytes >> 20} MiB, {cache.hits} hits,"
            f" {cache.misses} misses, {cache.evictions} let go",
        ]
        self._lines = ["  ".join(row) for row in rows] + notes
        self._table.setText(_markup(rows, notes))
        self.adjustSize()
        parent = self.parentWidget()
        if parent is not None:
            self.move(parent.width() - self.width() - 16, 130)


def _short(name: str) -> str:
    return name if len(name) <= _MOST_LETTERS else f"{name[:13]}…{name[-14:]}"


def _markup(rows: Sequence[Sequence[str]], notes: Sequence[str]) -> str:
    """A table in Qt's HTML: spaces align nothing where letters of another script are not two digits wide."""
    lines = []
    for row in rows:
        cells = [
            f'<td align="{"right" if column else "left"}" style="padding-right: 14px">{escape(cell)}</td>'
            for column, cell in enumerate(row)
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    below = f'<p style="margin-top: 8px">{"<br>".join(map(escape, notes))}</p>'
    return f'<table cellspacing="0" cellpadding="1">{"".join(lines)}</table>{below}'


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} ms"
