"""A row that shows where two people say different things about one track."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from hfviewer.core.agreement import Agreement, Stretch
from hfviewer.core.time_text import format_duration
from hfviewer.panels.drawing import hatch_brush, one_line
from hfviewer.panels.theme import Theme, icon_pixmap, ui_font
from hfviewer.panels.timeline.card import CardContent
from hfviewer.panels.timeline.track_row import TimeScale, TrackEvent

ROW_PX = 22
_LEAST_PX = 2  # however short it is, a disagreement shows
_TEXT_FROM_PX = 60


class DisagreementRow:
    """Hatched wherever the two differ; its name tells Cohen's kappa.

    Args:
        theme: the tokens in force.
    """

    height_px = ROW_PX

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._stretches: tuple[Stretch, ...] = ()
        self._starts_ns = np.empty(0, np.int64)
        self._stops_ns = np.empty(0, np.int64)
        self._text = ""
        self._tip = ""

    def set_agreement(
        self, agreement: Agreement, stretches: Sequence[Stretch], authors: tuple[str, str]
    ) -> None:
        """Show this comparison.

        Args:
            agreement: of the track.
            stretches: of the track, in order; those that agree are not shown.
            authors: the two people.
        """
        self._stretches = tuple(s for s in stretches if not s.agrees)
        count = len(self._stretches)
        self._starts_ns = np.fromiter((s.start_ns for s in self._stretches), np.int64, count)
        self._stops_ns = np.fromiter((s.stop_ns for s in self._stretches), np.int64, count)
        kappa = "κ –" if agreement.kappa is None else f"κ {agreement.kappa:.2f}"
        error = agreement.boundary_error_ms(50)
        self._text = kappa if error is None else f"{kappa} · edges {error:.0f} ms"
        alone = (len(agreement.only_a), len(agreement.only_b))
        self._tip = " · ".join(f"{n} only by {who}" for n, who in zip(alone, authors, strict=True))

    @property
    def text(self) -> str:
        """What its name says."""
        return self._text

    def paint(self, painter: QPainter, scale: TimeScale, rect: QRect) -> None:
        tokens = self._theme.tokens
        first = int(self._stops_ns.searchsorted(scale.view.start_ns, "right"))
        stop = int(self._starts_ns.searchsorted(scale.view.stop_ns, "left"))
        painter.setFont(ui_font(11, 600))
        drawn_to = rect.left() - 1
        for stretch in self._stretches[first:stop]:
            left = max(scale.x_of(stretch.start_ns), rect.left() - 4)
            right = min(max(scale.x_of(stretch.stop_ns), left + _LEAST_PX), rect.right() + 4)
            if right <= drawn_to:
                continue  # what is narrower than a column was drawn with the one before
            drawn_to = right
            box = QRectF(left, rect.top() + 3, right - left, rect.height() - 6)
            painter.fillRect(box, tokens.warning_ground)
            painter.fillRect(box, hatch_brush(tokens.warning, spacing=7))
            painter.setPen(QPen(tokens.warning, 1))
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
            if box.width() >= _TEXT_FROM_PX:
                words = f" {_said(stretch.a)} ≠ {_said(stretch.b)} "
                width = painter.fontMetrics().horizontalAdvance(words)
                if width < box.width() - 8:
                    plate = QRectF(box.center().x() - width / 2, box.top() + 1, width, box.height() - 2)
                    painter.fillRect(plate, tokens.bg1)
                    painter.setPen(tokens.t1)
                    painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, words)

    def paint_name(self, painter: QPainter, rect: QRect) -> None:
        tokens = self._theme.tokens
        painter.drawPixmap(
            rect.left() + 12, rect.center().y() - 7, icon_pixmap("warning", tokens.warning, 14)
        )
        painter.setFont(ui_font(12, 600))
        painter.setPen(tokens.t1)
        room = rect.adjusted(32, 0, -8, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._text)

    def paint_overview(self, painter: QPainter, scale: TimeScale, rect: QRect) -> None:
        for stretch in self._stretches[:5000]:
            left, right = scale.x_of(stretch.start_ns), scale.x_of(stretch.stop_ns)
            painter.fillRect(
                QRect(left, rect.top(), max(1, right - left), rect.height()), self._theme.tokens.warning
            )

    # -- the pointer: there is nothing to change here --------------------------------------------------------

    def press(self, event: TrackEvent) -> bool:
        return False

    def drag(self, event: TrackEvent) -> None:
        return

    def release(self, event: TrackEvent) -> None:
        return

    def cancel(self) -> None:
        return

    def double_click(self, event: TrackEvent) -> bool:
        return False

    def press_name(self, event: TrackEvent) -> bool:
        return False

    def cursor_at(self, event: TrackEvent) -> Qt.CursorShape:
        return Qt.CursorShape.ArrowCursor

    def hover(self, event: TrackEvent) -> CardContent | None:
        index = int(self._stops_ns.searchsorted(event.free_ns, "right"))
        if index >= len(self._stretches) or self._stretches[index].start_ns > event.free_ns:
            return None
        stretch = self._stretches[index]
        return CardContent(
            time=format_duration(stretch.stop_ns - stretch.start_ns),
            distance="",
            stream=f"{_said(stretch.a)} ≠ {_said(stretch.b)}",
            detail=self._tip,
        )


def _said(marks: frozenset[str]) -> str:
    return one_line(" + ".join(sorted(marks))) or "nothing"
