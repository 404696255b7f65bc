"""What the panels of cameras and of depth share: a picture to zoom and pan."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import QWidget

from hfviewer.core.stream import StreamDescription
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.canvas import PictureCanvas
from hfviewer.panels.theme import Theme


class PicturePanel(StreamPanel):
    """A stream of pictures on a canvas, with cards over it and the pixel under the pointer read out."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._canvas = PictureCanvas(theme, self)
        self._canvas.set_paint_over(self._paint_cards)
        self._canvas.hovered.connect(self._on_hovered)
        self._set_body(self._canvas)

    @property
    def canvas(self) -> PictureCanvas:
        return self._canvas

    def reset_view(self) -> None:
        self._canvas.fit()

    def _zoom_actions(self) -> list[QAction]:
        """The entries of the menu that every picture has."""
        fit = self._action(self.tr("Fit"), checked=self._canvas.is_fitted)
        fit.triggered.connect(self._canvas.fit)
        actual = self._action(self.tr("Actual size"))
        actual.triggered.connect(self._canvas.show_actual_size)
        return [fit, actual]

    def _set_stale(self, stale: bool) -> None:
        self._canvas.set_stale(stale)

    def _on_hovered(self, pixel: object) -> None:
        self.read_out_changed.emit(self._read_out())

    # -- for subclasses --------------------------------------------------------------------------------------

    def _read_out(self) -> str:
        """The pixel under the pointer, in one line; empty where there is none."""
        raise NotImplementedError

    def _paint_cards(self, painter: QPainter) -> None:
        """Paint over the picture; called in each paint, also before there is a frame."""
        raise NotImplementedError
