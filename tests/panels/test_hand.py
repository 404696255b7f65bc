from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from hfviewer.core.errors import FrameError
from hfviewer.core.stream import StreamKind
from hfviewer.panels.cloud_camera import CloudViewpoint
from hfviewer.panels.cloud_lines import place_of
from hfviewer.panels.hand import HandPanel
from hfviewer.panels.hand_data import ORDERS, HandOrder, hands_of, measures_of, order_of, palm_view
from hfviewer.panels.theme import Theme
from tests.panels.making import describe, move_pointer, result, samples, show, table
from tests.special_recording import hand


def in_order(number: int) -> np.ndarray:
    """The same hand, its points in another order."""
    points, mano = hand(0), ORDERS[0]
    out = np.zeros((21, 3))
    for source, target in zip(mano.fingers, ORDERS[number].fingers, strict=True):
        out[list(target)] = points[list(source)]
    return out


@pytest.fixture
def panel(qtbot: QtBot) -> HandPanel:
    stamps = table(20)
    made = HandPanel(describe(StreamKind.SIGNAL, stamps), stamps, int(stamps[0]), Theme())
    show(qtbot, made, 480, 400)
    made.set_playhead(int(stamps[0]))
    return made


@pytest.mark.parametrize("number", range(len(ORDERS)))
def test_the_order_of_the_points_shows_in_their_places(number: int) -> None:
    assert order_of(in_order(number)) is ORDERS[number]


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_has_20_bones_and_names_all_points(order: HandOrder) -> None:
    assert len(order.bones) == 20
    assert {point for bone in order.bones for point in bone} == set(range(21))
    assert len({order.point_name(point) for point in range(21)}) == 21


def test_a_hand_of_zeros_or_of_no_numbers_is_none() -> None:
    two = np.concatenate([hand(0), np.full((21, 3), np.nan)])
    assert hands_of(samples(np.zeros(63))) == []
    assert len(hands_of(samples(two))) == 1
    assert len(hands_of(samples(np.concatenate([hand(0), hand(3)])))) == 2


@pytest.mark.parametrize("count", [0, 62, 92])
def test_other_numbers_of_values_are_no_hand(count: int) -> None:
    with pytest.raises(FrameError):
        hands_of(samples(np.zeros(count)))


def test_a_palm_is_looked_at_from_its_side() -> None:
    flat = in_order(0)
    flat[:, 2] = 0
    azimuth, elevation = palm_view(flat, ORDERS[0])
    assert np.degrees(elevation) > 80
    # Fingers point along +y: away from a camera at −y they are up on screen.
    assert np.degrees(azimuth) == pytest.approx(-90, abs=1)
    upright = flat[:, [0, 2, 1]]
    _, elevation = palm_view(upright, ORDERS[0])
    assert np.degrees(elevation) == pytest.approx(0, abs=1)


def test_measures_are_in_centimetres() -> None:
    points = np.zeros((21, 3))
    fingers = ORDERS[0].fingers
    points[fingers[2][-1]] = (0, 0.18, 0)
    points[fingers[0][-1]], points[fingers[1][-1]] = (0.03, 0, 0), (0, 0.04, 0)
    assert measures_of(points, ORDERS[0]) == "wrist to middle tip 18.0 cm · thumb to index  5.0 cm"


def test_a_hand_is_drawn_with_its_bones_and_keeps_the_view(panel: HandPanel) -> None:
    panel.show_result(result(samples(hand(0))))
    scene = panel.view.scene
    assert scene is not None
    assert (len(scene.strands), len(scene.dots)) == (20, 21)
    camera = panel.view.camera
    panel.show_result(result(samples(hand(9) + 5.0, index=1), generation=2))
    assert panel.view.camera == camera
    scene = panel.view.scene
    assert scene is not None
    assert np.abs(scene.dots[0].place_m).max() == 0  # the wrist stays in the middle
    panel.set_follows(False)
    assert panel.view.scene is not None
    assert panel.view.scene.dots[0].place_m[0] == pytest.approx(5.0)


def test_no_hand_is_said_and_nothing_is_drawn(panel: HandPanel) -> None:
    panel.show_result(result(samples(np.zeros(63))))
    assert panel.hands == []
    assert panel.view.scene is not None
    assert panel.view.scene.dots == ()
    panel.view.grab()


def test_the_pointer_reads_a_joint(panel: HandPanel) -> None:
    panel.show_result(result(samples(hand(0))))
    tip = ORDERS[0].fingers[1][-1]
    assert panel.view.scene is not None
    place = place_of(panel.view.matrix, panel.view.scene.dots[tip].place_m)
    assert place is not None
    move_pointer(panel.view, place.toPoint())
    assert panel.read_out().startswith("index, tip   x ")
    move_pointer(panel.view, QPoint(3, 200))
    assert panel.read_out() == ""


def test_a_drag_orbits_a_double_click_and_reset_go_home(panel: HandPanel) -> None:
    panel.show_result(result(samples(hand(0))))
    home = panel.view.camera
    QTest.mousePress(panel.view, Qt.MouseButton.LeftButton, pos=QPoint(200, 200))
    move_pointer(panel.view, QPoint(240, 220), held=Qt.MouseButton.LeftButton)
    QTest.mouseRelease(panel.view, Qt.MouseButton.LeftButton, pos=QPoint(240, 220))
    assert panel.view.camera.azimuth_rad != home.azimuth_rad
    panel.reset_view()
    assert panel.view.camera == home
    panel.view.look_from(CloudViewpoint.TOP)
    assert panel.view.camera.parallel
    assert panel.view.camera.target_m == home.target_m
    QTest.mouseDClick(panel.view, Qt.MouseButton.LeftButton, pos=QPointF(100, 100).toPoint())
    assert panel.view.camera == home


def test_how_it_is_looked_at_is_part_of_a_layout(panel: HandPanel) -> None:
    panel.show_result(result(samples(hand(0))))
    panel.set_order(ORDERS[2])
    panel.set_follows(False)
    panel.view.set_grid(True)
    state = panel.view_state()
    panel.set_order(ORDERS[0])
    panel.restore_view_state(state)
    assert panel.order is ORDERS[2]
    assert panel.view.has_grid
    panel.restore_view_state({"order": [], "ground": "yes", "follows": 3})
    assert panel.order is ORDERS[2]
