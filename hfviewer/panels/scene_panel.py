"""What the panels of hands and of trajectories share: a small 3-D view, its viewpoints, and a read-out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import QWidget

from hfviewer.core.stream import StreamDescription
from hfviewer.panels.base import StreamPanel
from hfviewer.panels.cloud_camera import CloudViewpoint
from hfviewer.panels.drawing import draw_text_card
from hfviewer.panels.menus import MenuMaker
from hfviewer.panels.scene_view import SceneView
from hfviewer.panels.segments import SegmentButtons
from hfviewer.panels.theme import Theme, number_font

_VIEWPOINTS = (
    (CloudViewpoint.TOP, "T", "Top view"),
    (CloudViewpoint.FRONT, "F", "Front view"),
    (CloudViewpoint.SIDE, "S", "Side view"),
    (CloudViewpoint.FREE, "3D", "As it was at first"),
)
_CARD_PX = 260


class ScenePanel(StreamPanel):
    """A stream that is drawn with a few lines in space."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._hovered: int | None = None
        self._view = SceneView(theme, self)
        self._view.set_paint_over(self._paint_cards)
        self._view.hovered.connect(self._on_hovered)
        self._buttons = SegmentButtons([(text, hint) for _, text, hint in _VIEWPOINTS], theme, self._view)
        self._buttons.chosen.connect(self._on_viewpoint)
        self._view.set_corner(self._buttons)
        self._set_body(self._view)

    @property
    def view(self) -> SceneView:
        return self._view

    def reset_view(self) -> None:
        self._view.go_home()

    def view_state(self) -> dict[str, object]:
        return {**super().view_state(), "ground": self._view.has_grid}

    def restore_view_state(self, state: dict[str, object]) -> None:
        super().restore_view_state(state)
        if isinstance(grid := state.get("ground"), bool):
            self._view.set_grid(grid)

    def read_out(self) -> str:
        """What is under the pointer, in one line; empty where nothing is."""
        raise NotImplementedError

    def _grid_action(self) -> QAction:
        return MenuMaker(self).entry(
            "Grid on the ground",
            lambda: self._view.set_grid(not self._view.has_grid),
            checked=self._view.has_grid,
        )

    def _clear(self) -> None:
        self._view.show_scene(None)

    def _set_stale(self, stale: bool) -> None:
        self._view.set_stale(stale)

    def _on_viewpoint(self, number: int) -> None:
        self.focus_requested.emit(self.stream_name)
        self._view.look_from(_VIEWPOINTS[number][0])

    def _on_hovered(self, number: object) -> None:
        self._hovered = number if isinstance(number, int) else None
        self.read_out_changed.emit(self.read_out())
        self._view.update()

    def _paint_cards(self, painter: QPainter) -> None:
        """Paint over the scene; called in each paint, also before there is a frame."""
        raise NotImplementedError

    def _card_area(self, area: QRect) -> QRect:
        """Room for cards from the top left: beside the buttons, below them where that is narrow."""
        beside = area.adjusted(0, 0, -self._buttons.width() - 10, 0)
        return beside if beside.width() >= _CARD_PX else area.adjusted(0, self._buttons.height() + 6, 0, 0)

    def _paint_read_out(self, painter: QPainter, area: QRect) -> None:
        if text := self.read_out():
            corner = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft
            draw_text_card(painter, area, corner, text, number_font(12), self._theme.tokens)
