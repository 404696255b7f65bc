"""F12: how the viewer keeps up, per stream. What it skips is its own affair, never a recorded drop."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.playback.player import Player
from hfviewer.playback.stalls import StallMeter

_REFRESH_MS = 250
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
        self._table.setTextFormat(Qt.TextFormat.PlainText)
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
        """The table."""
        return self._table.text()

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
        rows = [_HEAD]
        for name, s in self._player.stream_statistics().items():
            rows.append(
                (
                    name if len(name) <= 28 else f"{name[:13]}…{name[-14:]}",
                    str(s.requested),
                    str(s.shown),
                    str(s.superseded),
                    f"{s.from_cache * 100:.0f} %",
                    _ms(s.decode_p50_ms),
                    _ms(s.decode_p99_ms),
                )
            )
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
        lines = [
            "  ".join(
                f"{cell:>{width}}" if column else f"{cell:<{width}}"
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ]
        cache = self._player.cache.statistics()
        late_ms = self._meter.late_ms
        p99, worst = (np.percentile(late_ms, 99), max(late_ms)) if late_ms else (0.0, 0.0)
        lines += [
            "",
            f"event loop late by {p99:.1f} ms (p99), {worst:.1f} ms at worst",
            f"cache {cache.used_bytes >> 20} of {cache.budget_bytes >> 20} MiB, {cache.hits} hits,"
            f" {cache.misses} misses, {cache.evictions} let go",
        ]
        self._table.setText("\n".join(lines))
        self.adjustSize()
        parent = self.parentWidget()
        if parent is not None:
            self.move(parent.width() - self.width() - 16, 130)


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} ms"
