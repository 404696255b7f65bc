"""What is known of the episode that is chosen in the list: two lines, or why it cannot be opened."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from hfviewer.core.collection import EpisodeRow
from hfviewer.panels.drawing import one_line, painting, wrapped
from hfviewer.panels.episode_table import EpisodeTable, start_text
from hfviewer.panels.theme import Theme, icon_pixmap, ui_font
from hfviewer.panels.tips import plain_tip

_HEIGHT = 66
_LINE = 18
_EDGE = 12
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class EpisodeCard(QWidget):
    """Below the list; keeps its height whatever it says.

    Args:
        table: whose row is told of.
        theme: the tokens in force.
    """

    def __init__(self, table: EpisodeTable, theme: Theme) -> None:
        super().__init__()
        self._table, self._theme = table, theme
        self._row: EpisodeRow | None = None
        self._count = 0
        self._looked_into = self._checked = (0, 0)  # so many of how many
        self._opening: str | None = None
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_row(self, row: EpisodeRow | None, count: int) -> None:
        """Tell of this row of so many; None: of none."""
        self._row, self._count = row, count
        self.setToolTip("" if row is None else plain_tip(self._table.tooltip(row)))
        self.setAccessibleName("\n".join([self.title, *self.lines]))
        self.update()

    def set_opening(self, key: str | None) -> None:
        self._opening = key
        self.update()

    def set_progress(self, done: int, whole: int) -> None:
        self._looked_into = (done, whole)
        self.update()

    def set_checked(self, done: int, whole: int) -> None:
        self._checked = (done, whole)
        self.update()

    @property
    def title(self) -> str:
        """Name of the episode."""
        return "" if self._row is None else one_line(self._row.name)

    @property
    def lines(self) -> list[str]:
        """What is said below the name."""
        row = self._row
        if row is None:
            return ["No episode is chosen."] if self._count else []
        if not row.ok:
            return [one_line(row.problem) or "It cannot be opened."]
        facts = [
            start_text(row.start_ns),
            "" if row.frame_count is None else f"{row.frame_count} frames",
            "" if row.duration_s is None else f"{row.duration_s:.2f} s",
        ]
        said = " · ".join(fact for fact in facts if fact)
        return [line for line in (said, ", ".join(map(one_line, row.streams))) if line]

    @property
    def state_text(self) -> str:
        """What goes on in the background; empty where nothing does."""
        if self._row is not None and self._row.key == self._opening:
            return "opening…"
        for what, (done, whole) in (("looked into", self._looked_into), ("checked", self._checked)):
            if done < whole:
                return f"{what} {done} of {whole}"
        return ""

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        with painting(self, smooth=True) as painter:
            painter.fillRect(self.rect(), tokens.bg1)
            painter.fillRect(_EDGE, 0, self.width() - 2 * _EDGE, 1, tokens.line)
            first = QRect(_EDGE, 6, self.width() - 2 * _EDGE, _LINE)
            painter.setFont(ui_font(11))
            painter.setPen(tokens.t3)
            state = self.state_text
            painter.drawText(first, _RIGHT, state)
            room = first.width() - (painter.fontMetrics().horizontalAdvance(state) + 10 if state else 0)
            painter.setFont(ui_font(12, 600))
            painter.setPen(tokens.t1)
            title = painter.fontMetrics().elidedText(self.title, Qt.TextElideMode.ElideMiddle, max(0, room))
            painter.drawText(first, _LEFT, title)
            self._paint_lines(painter, first.translated(0, _LINE))

    def _paint_lines(self, painter: QPainter, line: QRect) -> None:
        tokens, font = self._theme.tokens, ui_font(11)
        failed = self._row is not None and not self._row.ok
        painter.setFont(font)
        painter.setPen(tokens.error if failed else tokens.t2)
        lines = self.lines
        if failed:
            painter.drawPixmap(line.left(), line.top() + 2, icon_pixmap("error", tokens.error, 14))
            line.setLeft(line.left() + 19)
            lines = wrapped(lines[0], font, max(24, line.width()), 2)
        for text in lines[:2]:
            text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, line.width())
            painter.drawText(line, _LEFT, text)
            painter.setPen(tokens.error if failed else tokens.t3)
            line.translate(0, _LINE)
