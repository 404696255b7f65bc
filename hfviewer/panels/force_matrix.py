"""Force matrices of tactile grippers: what every cell feels, and what that comes to."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QAction, QFontMetrics, QPainter
from PySide6.QtWidgets import QWidget

from hfviewer.core.frame import Frame, MatrixFrame
from hfviewer.core.stream import StreamDescription
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.canvas import PictureCanvas
from hfviewer.panels.depth_colour import ColourMap, colour_table
from hfviewer.panels.drawing import CARD_MARGIN, corner_rect, draw_card, draw_text_card
from hfviewer.panels.force_data import (
    ForcePlane,
    ForceScales,
    PreparedForce,
    RecordedForce,
    cells_of,
    is_force,
    plane_of,
    read_scales,
    recorded_at,
    scales_of,
    total_of,
)
from hfviewer.panels.heat import heat_picture, signed, two_sided_table
from hfviewer.panels.legend import draw_flat_legend
from hfviewer.panels.menus import MenuMaker
from hfviewer.panels.once import Once
from hfviewer.panels.segments import SegmentButtons
from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.playback.result import Preparer

_BUTTONS = (
    ("x", ForcePlane.FX, "fx, to both sides of zero"),
    ("y", ForcePlane.FY, "fy, to both sides of zero"),
    ("z", ForcePlane.FZ, "fz, to both sides of zero"),
    ("|f|", ForcePlane.SIZE, "Length of the force"),
)
_DEFAULT_TOP = 1.0
_FIT_AFTER_MS = 300
_ROOMY_PX = 480  # from here on all sums have room beside the picture
_ROW_PX, _COLUMN_PX, _NAME_PX = 18, 82, 28
_NO_PREPARED = PreparedForce(Frame(stream="", index=-1, timestamp_ns=0, sequence=0), np.zeros(3), None)


class ForceMatrixPanel(StreamPanel):
    """One plane of the matrix in colours of a fixed range; the sum beside the recorder's own total."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        self._plane = ForcePlane.FZ
        self._scales: Once[ForceScales] = Once()
        self._own_scales: ForceScales | None = None  # of the first frame with forces, where nothing better is
        self._cells: NDArray[np.float32] | None = None
        self._shown_plane: NDArray[np.float32] | None = None
        self._known = _NO_PREPARED
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._fit_soon = QTimer(self)
        self._fit_soon.setSingleShot(True)
        self._fit_soon.setInterval(_FIT_AFTER_MS)
        self._fit_soon.timeout.connect(self.detail_wanted)
        self._canvas = PictureCanvas(theme, self)
        self._canvas.set_paint_over(self._paint_cards)
        self._canvas.set_pixel_text(self._cell_text)
        self._canvas.hovered.connect(lambda _: self.read_out_changed.emit(self.read_out()))
        self._set_body(self._canvas)
        self._unit = next((channel.unit for channel in description.channels if channel.unit), "mN")
        self._buttons = SegmentButtons([(text, hint) for text, _, hint in _BUTTONS], theme, self._canvas)
        self._buttons.set_current([plane for _, plane, _ in _BUTTONS].index(self._plane))
        self._buttons.chosen.connect(self._on_button)
        self._buttons.move(CARD_MARGIN, CARD_MARGIN)

    @property
    def canvas(self) -> PictureCanvas:
        return self._canvas

    @property
    def plane(self) -> ForcePlane:
        return self._plane

    @property
    def limits(self) -> tuple[float, float]:
        """Forces of the first and last colour; fixed for the recording."""
        scales = self._scales.known or self._own_scales
        top = _DEFAULT_TOP if scales is None else scales.tops[self._plane]
        return (0.0 if self._plane is ForcePlane.SIZE else -top, top)

    @property
    def total(self) -> NDArray[np.float64]:
        """float64[3]: sum over all cells."""
        return self._known.total

    @property
    def recorded(self) -> RecordedForce | None:
        """The recorder's own total, from the stream beside it."""
        return self._known.recorded

    def set_plane(self, plane: ForcePlane) -> None:
        """Colour another plane."""
        self._plane = plane
        self._buttons.set_current([p for _, p, _ in _BUTTONS].index(plane))
        self._show()

    def preparer(self) -> Preparer | None:
        source, name, scales = self._source, self.stream_name, self._scales
        if source is None:
            return None
        # Not with the first frame: that one, and the pictures beside it, must not wait for all the others.
        fit = self._cells is not None

        def prepare(frame: Frame) -> PreparedForce | None:
            if not isinstance(frame, MatrixFrame) or not is_force(frame):
                return None  # `_draw` says so where a person sees it
            if fit:
                scales.get(lambda: read_scales(source, name))
            return PreparedForce(
                frame, total_of(cells_of(frame)), recorded_at(source, name, frame.timestamp_ns)
            )

        return prepare

    def context_actions(self) -> list[QAction]:
        menu = MenuMaker(self)
        return [
            menu.entry("Fit", self._canvas.fit, checked=self._canvas.is_fitted),
            menu.entry("Actual size", self._canvas.show_actual_size),
            menu.choice(
                "Colour", [(plane.value, plane) for plane in ForcePlane], self._plane, self.set_plane
            ),
        ]

    def reset_view(self) -> None:
        self._canvas.fit()

    def view_state(self) -> dict[str, object]:
        return {**super().view_state(), "plane": self._plane.value}

    def restore_view_state(self, state: dict[str, object]) -> None:
        super().restore_view_state(state)
        plane = state.get("plane")
        if isinstance(plane, str) and plane in list(ForcePlane):
            self.set_plane(ForcePlane(plane))

    # -- inside ----------------------------------------------------------------------------------------------

    def _draw(self, frame: Frame) -> None:
        self._cells = cells_of(frame)
        prepared = self._prepared
        if isinstance(prepared, PreparedForce) and prepared.frame is frame:
            self._known = prepared
        else:
            self._known = PreparedForce(frame, total_of(self._cells), None)
        if self._own_scales is None and self._scales.known is None:
            self._own_scales = scales_of([self._cells])
        if not self._scales.tried and self._source is not None:
            self._fit_soon.start()
        self._show()

    def _show(self) -> None:
        if self._cells is None:
            return
        plane = self._shown_plane = plane_of(self._cells, self._plane)
        height, width = plane.shape
        low, high = self.limits
        render = partial(heat_picture, plane, low, high, self._table())
        self._canvas.show_picture(render, (width, height), (width, height))

    def _table(self) -> NDArray[np.uint32]:
        return colour_table(ColourMap.TURBO) if self._plane is ForcePlane.SIZE else two_sided_table()

    def _clear(self) -> None:
        self._cells = self._shown_plane = None
        self._known = _NO_PREPARED
        self._canvas.clear()

    def _set_stale(self, stale: bool) -> None:
        self._canvas.set_stale(stale)

    def _cell_text(self, column: int, row: int) -> tuple[str, ...]:
        """What is written into a cell that is large enough."""
        plane = self._shown_plane
        return () if plane is None else (f"{float(plane[row, column]):.3f}",)

    def _on_button(self, number: int) -> None:
        self.focus_requested.emit(self.stream_name)
        self.set_plane(_BUTTONS[number][1])

    def read_out(self) -> str:
        """The cell under the pointer, in one line; empty where there is none."""
        pixel = self._canvas.cursor_pixel
        if pixel is None or self._cells is None:
            return ""
        column, row = pixel
        fx, fy, fz = (float(v) for v in self._cells[row, column])
        size = float(np.sqrt(fx * fx + fy * fy + fz * fz))
        return (
            f"{column}, {row}   fx {signed(fx, 3)}  fy {signed(fy, 3)}  fz {signed(fz, 3)}"
            f"  |f| {size:.3f} {self._unit}"
        )

    # -- cards -----------------------------------------------------------------------------------------------

    def _paint_cards(self, painter: QPainter) -> None:
        if self._cells is None or self.plate is not None:
            return
        area, tokens = self._canvas.rect(), self._theme.tokens
        low, high = (f"{edge:g}".replace("-", "−") for edge in self.limits)
        legend = draw_flat_legend(
            painter, area, self._table(), self._plane.value, low, f"{high} {self._unit}", tokens
        )
        self._paint_totals(painter, area)
        if text := self.read_out():
            room = area.adjusted(round(legend.right()) + 4 if legend.width() else 0, 0, 0, 0)
            if room.width() < 420:  # above the legend, then
                room = area.adjusted(0, 0, 0, -round(legend.height()) - 6)
            corner = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight
            draw_text_card(painter, room, corner, text, number_font(12), tokens)

    def total_rows(self) -> list[tuple[str, str, str]]:
        """Name, sum over the cells, and the recorder's own, of fx, fy, fz and the length."""
        recorded = self.recorded
        own = [*self.total.tolist(), float(np.linalg.norm(self.total))]
        told = [] if recorded is None else [*recorded.force.tolist(), float(np.linalg.norm(recorded.force))]
        rows = []
        for i, plane in enumerate(ForcePlane):
            show = (lambda v: f"{v:.2f}") if plane is ForcePlane.SIZE else signed
            rows.append((plane.value, show(own[i]), show(told[i]) if told else "–"))
        return rows

    def _paint_totals(self, painter: QPainter, area: QRect) -> None:
        """A table at the top right: sum of the cells, beside what the recorder says."""
        tokens, rows = self._theme.tokens, self.total_rows()
        if area.width() < _ROOMY_PX:  # one line of it, of the plane that is coloured
            _, own, told = rows[list(ForcePlane).index(self._plane)]
            room = area.width() - self._buttons.width() - 2 * CARD_MARGIN - 30
            texts = [f"Σ {own} · rec. {told}", f"Σ {own}"]
            fitting = [t for t in texts if QFontMetrics(number_font(12)).horizontalAdvance(t) <= room]
            if not fitting:
                return
            right = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight
            beside = area.adjusted(self._buttons.width() + 10, 0, 0, 0)
            draw_text_card(painter, beside, right, fitting[0], number_font(12), tokens)
            return
        width, height = _NAME_PX + 2 * _COLUMN_PX + 22, (len(rows) + 1) * _ROW_PX + 14
        corner = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight
        if area.width() < width + self._buttons.width() + 40 or area.height() < height + 60:
            return
        card = corner_rect(area, corner, width, height)
        draw_card(painter, card, tokens)
        line = QRectF(card.left() + 12, card.top() + 6, width - 22, _ROW_PX)
        heads = ("", f"cells, {self._unit}", f"recorded{self._offset_text()}")
        for row in (heads, *rows):
            is_head = row is heads
            for place, text in enumerate(row):
                painter.setFont(number_font(12) if place and not is_head else ui_font(11))
                painter.setPen(tokens.t2 if is_head or not place else tokens.t1)
                left = line.left() + (_NAME_PX + (place - 1) * _COLUMN_PX if place else 0)
                cell = QRectF(left, line.top(), _COLUMN_PX if place else _NAME_PX, _ROW_PX)
                side = Qt.AlignmentFlag.AlignRight if place else Qt.AlignmentFlag.AlignLeft
                painter.drawText(cell, side | Qt.AlignmentFlag.AlignVCenter, text)
            line.translate(0, _ROW_PX)

    def _offset_text(self) -> str:
        """How far the recorded total is from the matrix in time; empty where it is of the same moment."""
        recorded = self.recorded
        if recorded is None or recorded.offset_ns == 0:
            return ""
        return f" {signed(recorded.offset_ns / 1e6, 0)} ms"
