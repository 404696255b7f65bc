from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from hfviewer.core.geometry import Calibration
from hfviewer.core.projection import to_picture
from hfviewer.core.stream import StreamKind
from hfviewer.demo.rig import DEPTH_CAMERA
from hfviewer.panels.depth_cloud import DepthCloudPanel, cloud_of
from hfviewer.panels.standing import Standing
from hfviewer.panels.surroundings import UPRIGHT_FROM_CAMERA, Surroundings, upright_frame
from hfviewer.panels.theme import Theme
from tests.panels.fakes import FakeRecording, FakeStream
from tests.panels.making import NAME, START_NS, depth, describe, image, result, show, table

STAMPS = table(10)
CAMERA = DEPTH_CAMERA.model


def ramp() -> np.ndarray[tuple[int, int], np.dtype[np.uint16]]:
    stored = np.tile(np.arange(1000, 1000 + CAMERA.width, dtype=np.uint16), (CAMERA.height, 1))
    stored[:, 100:110] = 0
    return stored


@pytest.fixture
def panel(qtbot: QtBot) -> DepthCloudPanel:
    made = DepthCloudPanel(describe(StreamKind.DEPTH, STAMPS), STAMPS, START_NS, Theme())
    show(qtbot, made, 404, 332)
    made.set_playhead(START_NS)
    return made


def test_every_measured_pixel_becomes_the_point_that_projects_back_onto_it() -> None:
    cloud = cloud_of(depth(ramp()), CAMERA)
    assert len(cloud.xyz) == CAMERA.height * (CAMERA.width - 10)
    in_camera = cloud.xyz.astype(np.float64) @ UPRIGHT_FROM_CAMERA[:3, :3]
    pixels, inside = to_picture(CAMERA, in_camera)
    assert inside.all()
    np.testing.assert_allclose(pixels[:, 0], cloud.fields["column"], atol=1e-3)
    np.testing.assert_allclose(pixels[:, 1], cloud.fields["row"], atol=1e-3)
    np.testing.assert_allclose(in_camera[:, 2], 1 + cloud.fields["column"] / 1000, atol=1e-6)


def test_it_shows_points_whether_they_were_made_ahead_or_not(panel: DepthCloudPanel) -> None:
    panel.set_surroundings(Surroundings(Calibration({NAME: CAMERA})))
    panel.show_result(result(depth(ramp()), generation=1))
    assert panel.standing is Standing.FRESH
    assert panel.view.drawn > 0 or not panel.grab().isNull()
    prepare = panel.preparer()
    assert prepare is not None
    frame = depth(ramp())
    panel.show_result(replace(result(frame, generation=2), prepared=prepare(frame)))
    assert panel.standing is Standing.FRESH
    assert panel.header.content.number == "1"


def test_without_a_camera_it_says_why(panel: DepthCloudPanel) -> None:
    panel.show_result(result(depth(ramp()), generation=1))
    assert panel.standing is Standing.UNREADABLE
    panel.set_surroundings(Surroundings(Calibration({NAME: CAMERA})))
    panel.show_result(result(image(np.zeros((4, 4), np.uint8)), generation=2))
    assert panel.standing is Standing.UNREADABLE


def test_the_upright_frame_of_a_depth_camera_is_known_to_all() -> None:
    recording = FakeRecording(FakeStream("depth", [0], kind=StreamKind.DEPTH))
    surroundings = Surroundings.of(recording, Surroundings(Calibration()).picks)
    matrix = surroundings.calibration.between(target=upright_frame("depth"), source="depth")
    assert matrix is not None
    np.testing.assert_array_equal(matrix @ [0, 0, 5, 1], [5, 0, 0, 1])
