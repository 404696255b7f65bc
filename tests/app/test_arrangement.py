from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from hfviewer.app.arrangement import MOST_PANELS, arrange, choose_streams
from hfviewer.core.stream import StreamDescription, StreamKind


def stream(name: str, kind: StreamKind, count: int = 5) -> StreamDescription:
    return StreamDescription(name=name, kind=kind, encoding="", frame_count=count)


def test_some_of_every_kind_is_shown() -> None:
    streams = [
        *(stream(f"cam{i}", StreamKind.IMAGE) for i in range(4)),
        stream("depth", StreamKind.DEPTH),
        stream("lidar", StreamKind.POINTS),
        stream("imu", StreamKind.IMU),
        stream("pose", StreamKind.POSE),
    ]
    assert choose_streams(streams) == ["cam0", "cam1", "depth", "lidar", "imu", "pose"]


def test_signals_alone_fill_the_window() -> None:
    streams = [stream(f"s{i}", StreamKind.SIGNAL) for i in range(9)]
    assert len(choose_streams(streams)) == MOST_PANELS


def test_empty_streams_are_not_shown_unless_there_is_nothing_else() -> None:
    empty = stream("empty", StreamKind.IMAGE, 0)
    assert choose_streams([empty, stream("imu", StreamKind.IMU)]) == ["imu"]
    assert choose_streams([empty]) == ["empty"]
    assert choose_streams([]) == []


def test_a_stream_about_another_one_waits_until_it_is_asked_for() -> None:
    lidar, scan = stream("lidar", StreamKind.POINTS), stream("lidar/scan", StreamKind.SIGNAL)
    assert choose_streams([scan, lidar]) == ["lidar"]
    assert choose_streams([scan]) == ["lidar/scan"]


def test_actions_wait_until_they_are_asked_for() -> None:
    camera, action = stream("cam", StreamKind.IMAGE), stream("action", StreamKind.SIGNAL)
    assert sorted(choose_streams([action, camera])) == ["action", "cam"]
    assert choose_streams([replace(action, role="action"), camera]) == ["cam"]


def test_cameras_lie_above_the_rest() -> None:
    rows = arrange([stream("cam", StreamKind.IMAGE), stream("imu", StreamKind.IMU)])
    assert [row.streams for row in rows] == [("cam",), ("imu",)]
    assert rows[0].weight > rows[1].weight


def test_a_single_camera_stands_beside_its_depth() -> None:
    streams = [
        stream("cam", StreamKind.IMAGE),
        stream("depth", StreamKind.DEPTH),
        stream("p", StreamKind.POSE),
    ]
    assert [row.streams for row in arrange(streams)] == [("cam", "depth"), ("p",)]


@given(st.lists(st.sampled_from(list(StreamKind)), max_size=12))
def test_every_chosen_stream_has_one_place(kinds: list[StreamKind]) -> None:
    streams = [stream(f"{kind}{i}", kind) for i, kind in enumerate(kinds)]
    chosen = choose_streams(streams)
    by_name = {d.name: d for d in streams}
    placed = [name for row in arrange([by_name[name] for name in chosen]) for name in row.streams]
    assert sorted(placed) == sorted(chosen)
    assert len(placed) == len(set(placed)) <= MOST_PANELS


def test_what_a_stream_stands_for_decides_among_signals() -> None:
    def of(name: str, role: str, kind: StreamKind = StreamKind.SIGNAL) -> StreamDescription:
        return StreamDescription(name=name, kind=kind, encoding="", role=role, frame_count=5)

    streams = [
        stream("cam", StreamKind.IMAGE),
        of("action", "action"),
        of("gripper_force", "force"),
        of("status/glove", "status", StreamKind.TEXT),
        of("gripper_force_matrix", "force_matrix", StreamKind.MATRIX),
        of("speed", ""),
        of("hand", "hand_pose"),
        of("glove", "touch_map"),
    ]
    assert choose_streams(streams) == ["cam", "gripper_force_matrix", "glove", "hand"]
    assert choose_streams([of("action", "action")]) == ["action"]
