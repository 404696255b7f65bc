"""Keeps the table and the spectrum below a signal panel's plots up to date with what is visible."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer

from hfviewer.core.window import TimeWindow
from hfviewer.panels.latest_work import LatestWork
from hfviewer.panels.signal_cursors import Cursors
from hfviewer.panels.signal_figures import (
    DrawnChannel,
    SpanFigures,
    spectrum_lines,
    table_rows,
    table_title,
    work_out,
)
from hfviewer.panels.signal_spectrum import SpectrumPlot
from hfviewer.panels.signal_table import SignalTable

_TABLE_PERCENT, _TABLE_ALONE_PERCENT = 32, 45  # of the panel's height, with and without a spectrum
_SOON_MS = 40  # after the last move of the view


class FigureBoard(QObject):
    """Has figures of the visible span worked out in the background, and shows the newest.

    Args:
        table: below the plots.
        spectrum: below the plots.
        drawn: gives the channels that have a curve.
        window: gives the span that is visible.
        origin_ns: what times count from.
        parent: as in Qt.
    """

    def __init__(
        self,
        table: SignalTable,
        spectrum: SpectrumPlot,
        *,
        drawn: Callable[[], Sequence[DrawnChannel]],
        window: Callable[[], TimeWindow],
        origin_ns: int,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._table, self._spectrum = table, spectrum
        self._drawn, self._window, self._origin_ns = drawn, window, origin_ns
        self.cursors = Cursors()
        self._with_statistics = self._with_spectrum = False
        self._figures: SpanFigures | None = None
        self._work = LatestWork(self)
        self._work.finished.connect(self._on_worked_out)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self._work_out)

    @property
    def has_statistics(self) -> bool:
        return self._with_statistics

    @property
    def has_spectrum(self) -> bool:
        return self._with_spectrum

    def _room_px(self) -> int:
        """Height for the table: what the plots, and the spectrum, do not need themselves."""
        body = self._table.parentWidget()
        height = 0 if body is None else body.height()
        return height * (_TABLE_PERCENT if self._with_spectrum else _TABLE_ALONE_PERCENT) // 100

    def set_statistics(self, on: bool) -> None:
        """Show figures of the visible span, or not."""
        self._with_statistics, self._figures = on, None
        self.update()

    def set_spectrum(self, on: bool) -> None:
        """Show the spectrum of the visible span, or not."""
        self._with_spectrum, self._figures = on, None
        self._spectrum.show_lines((), "")
        self._spectrum.setVisible(on)
        self.update()

    def forget(self) -> None:
        """The channels are others now: what was worked out of them counts no longer."""
        self._figures = None
        self.update()

    def update(self) -> None:
        """Bring the table in line with cursors and span; figures follow as soon as they are worked out."""
        self._say()
        wanted = self._with_statistics or self._with_spectrum
        known = self._figures is not None and self._figures.window == self._window()
        if wanted and not known and not self._soon.isActive():
            self._soon.start()

    def _work_out(self) -> None:
        wanted = self._with_statistics or self._with_spectrum
        body = self._table.parentWidget()
        if not wanted or body is None or not body.isVisible():
            return
        drawn, window = list(self._drawn()), self._window()
        with_statistics, with_spectra = self._with_statistics, self._with_spectrum
        self._work.ask(
            "figures",
            lambda: work_out(drawn, window, with_statistics=with_statistics, with_spectra=with_spectra),
        )

    def _on_worked_out(self, _kind: str, result: object) -> None:
        if isinstance(result, SpanFigures):
            self._figures = result
            if self._with_spectrum:
                self._spectrum.show_lines(*spectrum_lines(self._drawn(), result))
            self.update()

    def _say(self) -> None:
        if not (self._with_statistics or self.cursors.any):
            self._table.show_rows((), (), (), room_px=0)
            return
        drawn = self._drawn()
        heads, rows = table_rows(
            drawn, self.cursors.shown, self._figures, with_statistics=self._with_statistics
        )
        parts = [self.cursors.text(self._origin_ns)] if self.cursors.any else []
        if self._with_statistics:
            parts.append(table_title(self._window(), drawn, self._figures))
        self._table.show_rows(tuple(parts), heads, rows, room_px=self._room_px())
