"""Touch gloves: 16×16 cells, drawn on a hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import QWidget

from hfviewer.core.frame import Frame
from hfviewer.core.stream import StreamDescription
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.depth_colour import ColourMap, colour_table
from hfviewer.panels.drawing import draw_text_card
from hfviewer.panels.heat import colours_of
from hfviewer.panels.legend import draw_flat_legend
from hfviewer.panels.menus import MenuMaker
from hfviewer.panels.once import Once
from hfviewer.panels.segments import SegmentButtons
from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.panels.touch_canvas import TouchCanvas
from hfviewer.panels.touch_data import TouchOverview, read_overview, touch_grid
from hfviewer.panels.touch_layout import cell_name, grid_cells
from hfviewer.playback.result import Preparer

_FALLBACK_TOP = 4000.0
_TOPS = (100.0, 200.0, 500.0, 1000.0, 2000.0, 4000.0)
_MODES = (("Hand", "Cells on a hand, seen from its back"), ("Grid", "Cells as they are stored, 16×16"))


class TouchPanel(StreamPanel):
    """How strongly each cell of a glove is pressed, above its resting value, on a fixed scale."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._overview: Once[TouchOverview] = Once()
        self._grid: NDArray[np.float32] | None = None
        self._above_rest = True
        self._top: float | None = None  # chosen by hand; None: of the recording
        self._canvas = TouchCanvas(theme, self, left="left" in description.name.lower())
        self._canvas.set_paint_over(self._paint_cards)
        self._canvas.hovered.connect(lambda: self.read_out_changed.emit(self.read_out()))
        self._buttons = SegmentButtons([(text[:1], hint) for text, hint in _MODES], theme, self._canvas)
        self._buttons.set_current(0)
        self._buttons.chosen.connect(self._on_mode)
        self._buttons.move(10, 10)
        self._set_body(self._canvas)

    @property
    def canvas(self) -> TouchCanvas:
        return self._canvas

    @property
    def overview(self) -> TouchOverview | None:
        """Of the recording, once a frame was prepared."""
        return self._overview.known

    @property
    def scale_top(self) -> float:
        """Value of the last colour; fixed until the user changes it."""
        known = self.overview
        if self._top is not None:
            return self._top
        if known is None:
            return _FALLBACK_TOP
        return known.top if self.subtracts else known.raw_top

    @property
    def subtracts(self) -> bool:
        """True where what is shown is above the resting value."""
        return self._above_rest and self.overview is not None

    def shown_values(self) -> NDArray[np.float32] | None:
        """float32 16×16: what is coloured."""
        if self._grid is None:
            return None
        known = self.overview
        return self._grid - known.baseline if self.subtracts and known is not None else self._grid

    def set_above_rest(self, above: bool) -> None:
        """Take the median of each cell away, or show values as stored."""
        self._above_rest = above
        self._colour()

    def set_top(self, top: float | None) -> None:
        """Fix the end of the scale; None: as far as nearly all touches of the recording go."""
        self._top = top
        self._colour()

    def set_on_hand(self, on_hand: bool) -> None:
        self._canvas.set_on_hand(on_hand)
        self._buttons.set_current(0 if on_hand else 1)

    def reset_view(self) -> None:
        self.set_on_hand(True)
        self.set_top(None)

    def view_state(self) -> dict[str, object]:
        own = {"hand": self._canvas.on_hand, "above_rest": self._above_rest, "top": self._top}
        return {**super().view_state(), **own}

    def restore_view_state(self, state: dict[str, object]) -> None:
        super().restore_view_state(state)
        self.set_on_hand(state.get("hand") is not False)
        self.set_above_rest(state.get("above_rest") is not False)
        top = state.get("top")
        self.set_top(top if isinstance(top, float) and top in _TOPS else None)

    def preparer(self) -> Preparer | None:
        overview, stream = self._overview, self._own_stream()
        if overview.tried or stream is None:
            return None
        return lambda _frame: overview.get(lambda: read_overview(stream))

    def context_actions(self) -> list[QAction]:
        menu = MenuMaker(self)
        ends: list[tuple[str, float | None]] = [("Of the recording", None)]
        ends += [(f"{top:.0f}", top) for top in _TOPS]
        return [
            menu.choice(
                "Cells", [("On a hand", True), ("As a grid", False)], self._canvas.on_hand, self.set_on_hand
            ),
            menu.entry(
                "Above the resting value",
                lambda: self.set_above_rest(not self._above_rest),
                checked=self._above_rest,
                hint="Each cell's median over the recording is taken away",
            ),
            menu.choice("End of the scale", ends, self._top, self.set_top),
            self._curves_action(),
        ]

    def read_out(self) -> str:
        """The cell under the pointer, in one line; empty where there is none."""
        cell, values = self._canvas.cursor_cell, self.shown_values()
        if cell is None or values is None or self._grid is None:
            return ""
        row, column = cell
        text = f"{cell_name(row, column)} · row {row}, column {column} · {values[cell]:.0f}"
        known = self.overview
        if self.subtracts and known is not None:
            text += f"  (stored {self._grid[cell]:.0f}, at rest {known.baseline[cell]:.0f})"
        return text

    # -- inside ----------------------------------------------------------------------------------------------

    def _draw(self, frame: Frame) -> None:
        self._grid = touch_grid(frame)
        self._colour()

    def _clear(self) -> None:
        self._grid = None
        self._canvas.clear()

    def _set_stale(self, stale: bool) -> None:
        self._canvas.set_stale(stale)

    def _on_mode(self, number: int) -> None:
        self.focus_requested.emit(self.stream_name)
        self.set_on_hand(number == 0)

    def _colour(self) -> None:
        values = self.shown_values()
        if values is not None:
            table = colour_table(ColourMap.TURBO)
            self._canvas.show_cells(colours_of(values, 0.0, self.scale_top, table), values)

    def _paint_cards(self, painter: QPainter) -> None:
        values = self.shown_values()
        if values is None or self.plate is not None:
            return
        tokens, area = self._theme.tokens, self._canvas.rect()
        sums = summary_of(values)
        right = Qt.AlignmentFlag.AlignRight
        beside = area.adjusted(self._buttons.width() + 10, 0, 0, 0)
        draw_text_card(painter, beside, Qt.AlignmentFlag.AlignTop | right, sums.text, number_font(12), tokens)
        name = "above rest" if self.subtracts else "stored"
        legend = draw_flat_legend(
            painter, area, colour_table(ColourMap.TURBO), name, "0", f"{self.scale_top:.0f}", tokens
        )
        if text := self.read_out():
            room = area.adjusted(round(legend.right()) + 4 if legend.width() else 0, 0, 0, 0)
            if room.width() < 260:  # above the legend, then
                room = area.adjusted(0, 0, 0, -round(legend.height()) - 6)
            draw_text_card(
                painter, room, Qt.AlignmentFlag.AlignBottom | right, text, ui_font(12, 500), tokens
            )


@dataclass(frozen=True, slots=True)
class TouchSummary:
    """All live cells together.

    Args:
        total: sum of what is above zero.
        most: the strongest.
        where: name of its cell.
    """

    total: float
    most: float
    where: str

    @property
    def text(self) -> str:
        return f"total {_short(self.total, 6)} · most {_short(self.most, 4)} {self.where}"


def _short(value: float, width: int) -> str:
    """A whole number, right-aligned; what is longer than any glove gives, by its size only."""
    return f"{value:{width}.0f}" if abs(value) < 1e7 else f"{value:.1e}"


def summary_of(values: NDArray[np.float32]) -> TouchSummary:
    """Total and strongest of the live cells of a 16×16 map."""
    cells = grid_cells()
    live = np.nan_to_num(values[cells.rows, cells.columns].astype(np.float64), posinf=0.0, neginf=0.0)
    best = int(np.argmax(live))
    where = cell_name(int(cells.rows[best]), int(cells.columns[best]))
    return TouchSummary(float(np.maximum(live, 0).sum()), float(live[best]), where)
