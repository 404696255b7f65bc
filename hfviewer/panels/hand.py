"""Hands in space: 21 points each, joined by bones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import QWidget

from hfviewer.core.frame import Frame
from hfviewer.core.stream import StreamDescription
from hfviewer.panels.cloud_camera import OrbitCamera
from hfviewer.panels.drawing import draw_text_card
from hfviewer.panels.hand_data import (
    ORDERS,
    HandOrder,
    hands_of,
    measures_of,
    order_of,
    palm_view,
)
from hfviewer.panels.menus import MenuMaker
from hfviewer.panels.scene_panel import ScenePanel
from hfviewer.panels.scene_view import Dot, Scene, Strand, unit_axes
from hfviewer.panels.theme import Theme, number_font, ui_font

_LOW_PX = 170  # in lower panels a card would hide the hand
_DISTANCES = 3.0  # from the hand, in its own reach


class HandPanel(ScenePanel):
    """Every hand of a frame, fingers in colours of their own; the wrist stays in the middle."""

    def __init__(
        self,
        description: StreamDescription,
        timestamps_ns: NDArray[np.int64],
        recording_start_ns: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(description, timestamps_ns, recording_start_ns, theme, parent)
        self._hands: list[NDArray[np.float64]] | None = None
        self._order: HandOrder | None = None  # found out from the first hand, or chosen
        self._follows = True
        self._framed = False
        self._names: list[str] = []  # of the dots shown
        self._view.set_axes(unit_axes(theme))
        self._view.set_grid(False)

    @property
    def hands(self) -> list[NDArray[np.float64]]:
        """float64 21×3 of each hand in the frame shown."""
        return self._hands or []

    @property
    def order(self) -> HandOrder | None:
        """In which order the points come; None until there was a hand."""
        return self._order

    def set_order(self, order: HandOrder | None) -> None:
        """Say in which order the points come; None: find out from the next hand."""
        self._order = order
        self._show()

    def set_follows(self, follows: bool) -> None:
        """Keep the wrist in the middle, or show hands where they are."""
        self._follows, self._framed = follows, False
        self._show()

    def view_state(self) -> dict[str, object]:
        order = {} if self._order is None else {"order": self._order.name}
        return {**super().view_state(), "follows": self._follows, **order}

    def restore_view_state(self, state: dict[str, object]) -> None:
        super().restore_view_state(state)
        self.set_follows(state.get("follows") is not False)
        self._order = next((order for order in ORDERS if order.name == state.get("order")), self._order)
        self._show()

    def context_actions(self) -> list[QAction]:
        menu = MenuMaker(self)
        return [
            menu.entry("Reset view", self.reset_view),
            menu.entry(
                "Wrist in the middle", lambda: self.set_follows(not self._follows), checked=self._follows
            ),
            self._grid_action(),
            menu.choice("Order of the points", [(o.name, o) for o in ORDERS], self._order, self.set_order),
            self._curves_action(),
        ]

    # -- inside ----------------------------------------------------------------------------------------------

    def _draw(self, frame: Frame) -> None:
        self._hands = hands_of(frame)
        if self._hands and self._order is None:
            self._order = order_of(self._hands[0])
        self._show()

    def _clear(self) -> None:
        self._hands = None
        super()._clear()

    def _show(self) -> None:
        if self._hands is None or self._order is None:
            self._view.show_scene(None if self._hands is None else Scene())
            return
        colours = self._theme.on_picture.labels
        strands: list[Strand] = []
        dots: list[Dot] = []
        self._names = []
        middle = self._middle()
        for number, hand in enumerate(self._hands):
            placed = hand - middle
            finger_of = {p: f for f, points in enumerate(self._order.fingers) for p in points}
            strands += [Strand(placed[[a, b]], colours[finger_of[b]], 3.0) for a, b in self._order.bones]
            for point, place in enumerate(placed.tolist()):
                colour = self._theme.on_picture.t1 if point == 0 else colours[finger_of[point]]
                x, y, z = place
                dots.append(Dot((x, y, z), colour, 5.0 if point == 0 else 3.5))
                which = f"hand {number + 1}, " if len(self._hands) > 1 else ""
                self._names.append(which + self._order.point_name(point))
        self._view.show_scene(Scene(tuple(strands), tuple(dots)))
        if not self._framed and self._hands:
            self._frame_hands(middle)

    def _middle(self) -> NDArray[np.float64]:
        """What is taken away from every point."""
        return self._hands[0][0] if self._follows and self._hands and len(self._hands) == 1 else np.zeros(3)

    def _frame_hands(self, middle: NDArray[np.float64]) -> None:
        """Once: look at the first hand from the side of its palm."""
        assert self._hands is not None
        assert self._order is not None
        self._framed = True
        points = np.concatenate(self._hands) - middle
        centre = points.mean(axis=0)
        reach = max(0.02, float(np.linalg.norm(points - centre, axis=1).max()))
        x, y, z = centre.tolist()
        azimuth_rad, elevation_rad = palm_view(self._hands[0], self._order)
        camera = OrbitCamera(
            target_m=(x, y, z),
            distance_m=_DISTANCES * reach,
            azimuth_rad=azimuth_rad,
            elevation_rad=elevation_rad,
        )
        self._view.set_home(camera, reach_m=reach, ground_m=float(points[:, 2].min()))

    def read_out(self) -> str:
        number = self._hovered
        if number is None or self._hands is None or number >= len(self._names):
            return ""
        x, y, z = np.concatenate(self._hands)[number].tolist()
        return f"{self._names[number]}   x {x:+.4f}  y {y:+.4f}  z {z:+.4f} m".replace("-", "−")

    def _paint_cards(self, painter: QPainter) -> None:
        if self._hands is None or self.plate is not None:
            return
        tokens, area = self._theme.tokens, self._view.rect()
        corner = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
        beside = self._card_area(area)
        if not self._hands or self._order is None:
            text = self.tr("no hand in this frame")
            draw_text_card(painter, beside, corner, text, ui_font(12, 600), tokens)
            return
        for hand in self._hands if area.height() >= _LOW_PX else ():
            text = measures_of(hand, self._order)
            card = draw_text_card(painter, beside, corner, text, number_font(12), tokens)
            beside = beside.adjusted(0, round(card.height()) + 6, 0, 0)
        self._paint_read_out(painter, area)
