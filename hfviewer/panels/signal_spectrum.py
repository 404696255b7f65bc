"""The plot of spectra below a signal panel's plots."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from hfviewer.core.signal_maths import Spectrum
from hfviewer.panels.drawing import painting
from hfviewer.panels.signal_plot import AXIS_HEIGHT, AXIS_WIDTH
from hfviewer.panels.signal_tiles import polygon
from hfviewer.panels.theme import Theme, number_font, ui_font
from hfviewer.panels.ticks import tick_step, tick_texts, tick_values

_TITLE_PX = 22
_RIGHT_PX = 8
_DECADES = 8  # shown below the strongest swing
_MOST_LABELS = 4


@dataclass(frozen=True, slots=True, eq=False)
class SpectrumLine:
    """One channel's spectrum.

    Args:
        name: of the channel.
        unit: of its values.
        colour: of its line.
        spectrum: to draw.
    """

    name: str
    unit: str
    colour: QColor
    spectrum: Spectrum


class SpectrumPlot(QWidget):
    """Amplitude spectral density over frequency; both axes start at round numbers."""

    hovered = Signal(str)  # what is under the pointer, in one line

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines: tuple[SpectrumLine, ...] = ()
        self._note = ""
        self._pointer: float | None = None
        self.setMouseTracking(True)
        self.setToolTip(
            "Amplitude spectral density of the visible span, unit/√Hz. Point at a line to read it."
        )
        self.hide()
        theme.changed.connect(self.update)

    @property
    def lines(self) -> tuple[SpectrumLine, ...]:
        return self._lines

    @property
    def note(self) -> str:
        """How the spectra were made."""
        return self._note

    def show_lines(self, lines: tuple[SpectrumLine, ...], note: str) -> None:
        """Show these.

        Args:
            lines: in drawing order.
            note: how they were made, in one line.
        """
        self._lines, self._note = lines, note
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer = event.position().x()
        self.hovered.emit(self.read_out(self._pointer))
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._pointer = None
        self.hovered.emit("")
        self.update()

    def read_out(self, x: float) -> str:
        """Frequency at a pixel, and each channel's density there."""
        rect, span = self._rect(), self._span_hz()
        if span <= 0 or not rect.left() <= x <= rect.right():
            return ""
        frequency = (x - rect.left()) / rect.width() * span
        parts = [f"{frequency:.4g} Hz"]
        for line in self._lines:
            found = line.spectrum
            if len(found.frequencies_hz) > 1:
                index = int(
                    np.clip(round(frequency / float(found.frequencies_hz[1])), 0, len(found.density) - 1)
                )
                parts.append(f"{line.name} {float(found.density[index]):.4g} {line.unit}/√Hz")
        return "   ".join(parts)

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens, rect = self._theme.tokens, self._rect()
        with painting(self) as painter:
            painter.fillRect(self.rect(), tokens.bg1)
            painter.setFont(ui_font(12, 600))
            painter.setPen(tokens.t2)
            text = QFontMetrics(ui_font(12, 600)).elidedText(
                f"Spectrum of the visible span, unit/√Hz · {self._note}",
                Qt.TextElideMode.ElideRight,
                self.width() - 20,
            )
            painter.drawText(QRectF(10, 0, self.width() - 18, _TITLE_PX), Qt.AlignmentFlag.AlignVCenter, text)
            painter.fillRect(rect, tokens.bg0)
            span, limits = self._span_hz(), self._limits()
            if span <= 0 or limits is None:
                return
            self._paint_axes(painter, rect, span, limits)
            painter.setClipRect(rect)
            for line in self._lines:
                self._paint_line(painter, rect, span, limits, line)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_peaks(painter, rect, span, limits)
            if self._pointer is not None and rect.left() <= self._pointer <= rect.right():
                painter.setPen(QPen(tokens.t3, 1))
                painter.drawLine(QPointF(self._pointer, rect.top()), QPointF(self._pointer, rect.bottom()))

    # -- inside ----------------------------------------------------------------------------------------------

    def _rect(self) -> QRect:
        width, height = self.width() - AXIS_WIDTH - _RIGHT_PX, self.height() - _TITLE_PX - AXIS_HEIGHT
        return QRect(AXIS_WIDTH, _TITLE_PX, max(1, width), max(1, height))

    def _span_hz(self) -> float:
        return max((line.spectrum.rate_hz / 2 for line in self._lines), default=0.0)

    def _limits(self) -> tuple[float, float] | None:
        """Powers of ten at the lower and the upper edge; None where nothing swings."""
        found = [line.spectrum.density[1:] for line in self._lines]
        swings = np.concatenate(found) if found else np.empty(0)
        swings = swings[np.isfinite(swings) & (swings > 0)]
        if len(swings) == 0:
            return None
        top = math.ceil(math.log10(float(swings.max())) + 0.05)
        bottom = math.floor(math.log10(float(np.percentile(swings, 1))))
        return float(max(bottom, top - _DECADES)), float(max(top, bottom + 1))

    def _paint_axes(self, painter: QPainter, rect: QRect, span: float, limits: tuple[float, float]) -> None:
        tokens, font = self._theme.tokens, number_font(11)
        painter.setFont(font)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        step = max(1, math.ceil((limits[1] - limits[0]) / max(1, rect.height() // 22)))
        for power in range(int(limits[0]), int(limits[1]) + 1, step):
            y = round(rect.bottom() - (power - limits[0]) / (limits[1] - limits[0]) * (rect.height() - 1))
            painter.setPen(tokens.line)
            painter.drawLine(rect.left(), y, rect.right(), y)
            painter.setPen(tokens.t2)
            text = f"1e{power}".replace("-", "−")
            painter.drawText(QRect(0, y - 8, AXIS_WIDTH - 6, 16), right, text)
        most = max(1, rect.width() // 72)
        values = tick_values(0.0, span, most)
        taken = float(rect.left()) - 20
        for value, text in zip(values, tick_texts(values, tick_step(span, most)), strict=True):
            x = rect.left() + value / span * rect.width()
            painter.setPen(tokens.line)
            painter.drawLine(round(x), rect.top(), round(x), rect.bottom())
            width = QFontMetrics(font).horizontalAdvance(text)
            label = QRectF(x - width / 2, rect.bottom() + 3, width + 1, AXIS_HEIGHT - 4)
            if label.left() > taken and label.right() < self.width():
                painter.setPen(tokens.t2)
                painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
                taken = label.right() + 6
        painter.setFont(ui_font(11))
        painter.setPen(tokens.t2)
        painter.drawText(QRect(0, rect.bottom() + 3, AXIS_WIDTH - 6, AXIS_HEIGHT - 4), right, "Hz")

    def _paint_line(
        self, painter: QPainter, rect: QRect, span: float, limits: tuple[float, float], line: SpectrumLine
    ) -> None:
        """One line: where several frequencies fall on a pixel, the strongest of them."""
        frequencies, density = line.spectrum.frequencies_hz[1:], line.spectrum.density[1:]
        if len(frequencies) == 0:
            return
        pixels = (frequencies / span * rect.width()).astype(np.int64)
        starts = np.flatnonzero(np.diff(pixels, prepend=-1))
        strongest = np.fmax.reduceat(density, starts)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (np.log10(strongest) - limits[0]) / (limits[1] - limits[0])
        x = rect.left() + frequencies[starts] / span * rect.width()
        y = rect.bottom() - np.clip(np.nan_to_num(share, nan=-1.0), -1.0, 2.0) * (rect.height() - 1)
        painter.setPen(QPen(line.colour, 1.0))
        painter.drawPolyline(polygon(x, y))

    def _paint_peaks(self, painter: QPainter, rect: QRect, span: float, limits: tuple[float, float]) -> None:
        """A dot and the frequency at the strongest swing of the first few channels."""
        tokens, font = self._theme.tokens, number_font(11)
        metrics = QFontMetrics(font)
        taken: list[QRectF] = []
        for line in self._lines[:_MOST_LABELS]:
            peak = line.spectrum.peak()
            if peak is None:
                continue
            x = rect.left() + peak[0] / span * rect.width()
            share = (math.log10(peak[1]) - limits[0]) / (limits[1] - limits[0])
            y = rect.bottom() - share * (rect.height() - 1)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(line.colour)
            painter.drawEllipse(QPointF(x, y), 3, 3)
            text = f"{peak[0]:.4g} Hz"
            width = metrics.horizontalAdvance(text)
            left = x + 6 if x + 8 + width < rect.right() else x - 6 - width
            label = QRectF(left, max(y - 8.0, rect.top() + 1.0), width + 2, 15)
            if not any(label.intersects(other) for other in taken):
                taken.append(label)
                painter.setFont(font)
                painter.setPen(tokens.t1)
                painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
