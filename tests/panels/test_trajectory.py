from __future__ import annotations

from pathlib import Path as FilePath

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from hfviewer.core.frame import PoseFrame
from hfviewer.core.geometry import matrix_from_pose
from hfviewer.core.stream import StreamKind
from hfviewer.panels.cloud_camera import OrbitCamera
from hfviewer.panels.scene_view import thinned
from hfviewer.panels.theme import Theme
from hfviewer.panels.trajectory import TrajectoryPanel
from hfviewer.panels.trajectory_data import MOST_POINTS, frame_axes, path_of, read_path
from hfviewer.readers.registry import open_recording
from tests.panels.fakes import FakeStream
from tests.panels.making import NAME, describe, failure, result, show, table
from tests.special_recording import AXES, PERIOD_NS, pose, write_special


def frame(matrix: np.ndarray, *, index: int = 0) -> PoseFrame:
    return PoseFrame(stream=NAME, index=index, timestamp_ns=0, sequence=index, matrix=matrix)


def pose_frame(index: int) -> PoseFrame:
    row = pose(index)
    return frame(matrix_from_pose(row[:3], row[3:]), index=index)


@pytest.fixture
def panel(qtbot: QtBot) -> TrajectoryPanel:
    stamps = table(20)
    description = describe(
        StreamKind.POSE, stamps, frame="down_left_forward", extra={"frame_axes": AXES}, role="trajectory"
    )
    made = TrajectoryPanel(description, stamps, int(stamps[0]), Theme())
    show(qtbot, made, 640, 480)
    made.set_playhead(int(stamps[0]))
    return made


def test_axes_are_named_and_turned_by_the_words_of_the_recording() -> None:
    axes = frame_axes(AXES)
    assert axes.names == ("X down", "Y left", "Z forward")
    # One metre forward in the view is one metre along +Z of the frame.
    assert (axes.view_from_frame @ [0, 0, 1]).tolist() == [1, 0, 0]
    assert (axes.view_from_frame @ [1, 0, 0]).tolist() == [0, 0, -1]
    old = frame_axes({"+X": "right", "+Y": "forward", "+Z": "up"})
    assert (old.view_from_frame @ [0, 1, 0]).tolist() == [1, 0, 0]
    assert np.linalg.det(old.view_from_frame) == pytest.approx(1)


@pytest.mark.parametrize(
    "stated",
    [
        None,
        "down",
        {},
        {"+X": "down"},
        {"+X": "up", "+Y": "up", "+Z": "forward"},
        {"+X": 1, "+Y": [], "+Z": {}},
    ],
)
def test_axes_that_are_not_stated_or_make_no_sense_are_only_letters(stated: object) -> None:
    axes = frame_axes(stated)
    assert axes.names == ("X", "Y", "Z")
    assert not axes.stated
    assert np.array_equal(axes.view_from_frame, np.eye(3))


def test_a_path_leaves_out_what_is_no_place_and_is_thinned() -> None:
    times = np.arange(10, dtype=np.int64)
    places = np.zeros((10, 3))
    places[:, 0] = np.arange(10)
    places[4], places[7, 1] = np.nan, np.inf
    path = path_of(times, places)
    assert path is not None
    assert len(path.times_ns) == 8
    assert path.length_m[-1] == 9
    assert path.split(4) == 4
    many = path_of(np.arange(50_000, dtype=np.int64), np.ones((50_000, 3)))
    assert many is not None
    assert len(many.times_ns) == MOST_POINTS
    assert path_of(times, np.full((10, 3), np.nan)) is None


def test_the_path_of_a_stream_is_read_whole(tmp_path: FilePath) -> None:
    with open_recording(write_special(tmp_path / "a.hfr", frames=30)) as recording:
        path = read_path(recording.streams["slam_trajectory"])
    assert path is not None
    assert len(path.times_ns) == 30
    assert np.allclose(path.places_m[7], pose(7)[:3])
    assert int(path.times_ns[1] - path.times_ns[0]) == PERIOD_NS
    assert read_path(FakeStream(NAME, [], kind=StreamKind.POSE)) is None
    assert read_path(FakeStream(NAME, table(3), kind=StreamKind.POSE)) is None


def test_past_and_future_meet_where_the_body_is(panel: TrajectoryPanel) -> None:
    places = np.array([pose(i)[:3] for i in range(20)])
    panel._path.get(lambda: path_of(table(20), places))
    panel.show_result(result(pose_frame(5)))
    scene = panel.view.scene
    assert scene is not None
    future, past, *axes = scene.strands
    assert future.dashed
    assert not past.dashed
    assert np.allclose(past.points[-1], future.points[0])
    assert len(axes) == 3
    # Forward is +Z: what the view shows in front lies there.
    assert np.allclose(past.points[-1][0], pose(5)[2])
    assert np.allclose(past.points[-1][2], -pose(5)[0])
    panel.set_future(False)
    assert panel.view.scene is not None
    assert not any(strand.dashed for strand in panel.view.scene.strands)
    assert panel.way_text().startswith("way ")


def test_the_view_is_fitted_once_and_never_moves_by_itself(panel: TrajectoryPanel) -> None:
    places = np.array([pose(i)[:3] for i in range(20)])
    panel.show_result(result(pose_frame(0)))
    panel._path.get(lambda: path_of(table(20), places))
    panel.show_result(result(pose_frame(1), generation=2))
    camera = panel.view.camera
    panel.show_result(result(pose_frame(15), generation=3))
    assert panel.view.camera == camera


def test_the_card_says_where_by_the_axes_of_the_frame(panel: TrajectoryPanel) -> None:
    panel.show_result(result(pose_frame(0)))
    assert panel.pose_text() == "X down −0.000   Y left +0.300   Z forward +0.000 m"
    assert panel.pose_text(short=True) == "X −0.000   Y +0.300   Z +0.000 m"


def test_a_pose_that_is_no_number_is_said_and_the_next_one_shows(panel: TrajectoryPanel) -> None:
    panel.show_result(result(frame(np.full((4, 4), np.nan))))
    assert panel.plate is not None
    assert panel.view.scene is None
    panel.show_result(failure(0, generation=2))
    panel.show_result(result(pose_frame(0), generation=3))
    assert panel.plate is None
    assert panel.view.scene is not None


def test_a_line_is_thinned_to_what_can_be_told_apart() -> None:
    matrix = OrbitCamera(distance_m=10.0).pixels_from_sensor(640, 480)
    line = np.zeros((5000, 3))
    line[:, 1] = np.linspace(-1, 1, 5000)
    found = thinned(line, matrix)
    assert len(found) < 100
    assert np.array_equal(found[[0, -1]], line[[0, -1]])
    few = line[::100]
    assert thinned(few, matrix) is few
    behind = line.copy()
    behind[:, 0] = np.linspace(0, -100, 5000)  # runs past the camera
    assert len(thinned(behind, matrix)) == 5000
