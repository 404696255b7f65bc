from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from hfviewer.convert.frame_file import write_frame
from hfviewer.core.errors import FrameError
from hfviewer.core.frame import MatrixFrame, PoseFrame, TextFrame
from hfviewer.core.recording import Recording, Stream
from hfviewer.core.stream import ROLES, Clock, StreamKind
from hfviewer.readers.episodes.columns import TimedStream
from hfviewer.readers.episodes.force import LENGTH, decode_matrix
from hfviewer.readers.registry import open_recording
from tests.readers.episodes.tasks import PERIOD_NS, START_NS, Task, lists

FRAMES = 12
HOST_NS = 88_000_000_000_000


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return Task(tmp_path / "杯子-抓取")


def opened(task: Task, number: int = 1) -> Recording:
    return open_recording(task.root, episode=number)


def values_of(recording: Recording, name: str) -> np.ndarray:
    stream = recording.streams[name]
    span = stream.description.span
    assert span is not None
    return stream.samples(span.start_ns, span.stop_ns)[1]


def rows_of(stream: Stream) -> list[int]:
    """The rows of the table that its frames come from; its own numbers have no holes."""
    assert isinstance(stream, TimedStream)
    assert stream.rows is not None
    assert stream.sequence.tolist() == list(range(len(stream)))
    return [int(row) for row in stream.rows]


def forces(seed: int) -> np.ndarray:
    """Hundredths of a mN, as integers: a pressed spot on a flat pad."""
    cells = np.zeros((250, 250, 3), np.int16)
    cells[100:120, 90:100] = np.random.default_rng(seed).integers(-3000, 32000, (20, 10, 3))
    return cells


def differences(cells: np.ndarray) -> np.ndarray:
    rows = cells.reshape(250, 750)
    return np.diff(rows, axis=1, prepend=np.int16(0)).astype(np.int16).reshape(-1)


def test_a_touch_map_has_one_layout_for_both_hands(task: Task) -> None:
    right = np.random.default_rng(1).uniform(1, 4000, (FRAMES, 16, 16)).astype(np.float32)
    right[3] = 0  # nothing new in that row
    left = right.transpose(0, 2, 1)[:, ::-1, ::-1]  # symmetric to undo: as canonical[::-1, ::-1].T
    stored_left = np.stack([m[::-1, ::-1].T for m in right])
    task.add(
        columns={
            "observation.right_glove": right.reshape(FRAMES, 256),
            "observation.left_glove": stored_left.reshape(FRAMES, 256),
        }
    )
    assert not np.array_equal(left[0], right[0])
    with opened(task) as recording:
        filled = [i for i in range(FRAMES) if i != 3]
        for name in ("right_glove", "left_glove"):
            stream = recording.streams[name]
            assert stream.description.role == "touch_map"
            assert len(stream.description.channels) == 256
            assert rows_of(stream) == filled
            assert np.array_equal(values_of(recording, name).reshape(-1, 16, 16), right[filled])
        assert "unfolded" in recording.streams["left_glove"].description.note


def test_the_other_columns_of_gloves_and_hands_have_their_roles(task: Task) -> None:
    rng = np.random.default_rng(2)
    quats = rng.normal(size=(FRAMES, 64)).astype(np.float32)
    quats[5] = 0
    valid = np.ones((FRAMES, 16), np.float32)
    pose = rng.normal(size=(FRAMES, 63)).astype(np.float32)
    none = np.zeros((FRAMES, 63), np.float32)
    task.add(
        columns={
            "observation.right_glove_imu_quat": quats,
            "observation.right_glove_imu_valid": valid,
            "observation.right_hand_pose": pose,
            "observation.left_hand_pose": none,
        }
    )
    with opened(task) as recording:
        roles = {name: stream.description.role for name, stream in recording.streams.items()}
        assert roles["right_glove_imu_quat"] == "glove_quaternions"
        assert roles["right_glove_imu_valid"] == "glove_valid"
        assert roles["right_hand_pose"] == roles["left_hand_pose"] == "hand_pose"
        assert roles["action"] == "action"
        assert len(recording.streams["action"]) == 0, "it is a placeholder"
        assert set(roles.values()) - {""} <= set(ROLES)
        assert len(recording.streams["right_glove_imu_quat"]) == FRAMES - 1
        assert len(recording.streams["left_hand_pose"]) == 0
        assert np.array_equal(values_of(recording, "right_hand_pose"), pose)


@pytest.mark.parametrize("stored", ["int16", "float32"])
def test_force_matrices_come_back_cell_by_cell(task: Task, stored: str) -> None:
    cells = {1: forces(1), 4: forces(4), 9: forces(9)}
    empty = np.empty(0)
    stamps = np.zeros(FRAMES, np.int64)
    rows: list[Any] = [empty] * FRAMES
    for row, matrix in cells.items():
        rows[row] = (
            differences(matrix) if stored == "int16" else (matrix / 100).astype(np.float32).reshape(-1)
        )
        stamps[row] = HOST_NS + row * PERIOD_NS
    name = "observation.gripper_left_force_matrix"
    specs = {name: {"dtype": stored, "encoding": "row_diff_quantized", "scale": 100}}
    task.add(
        columns={name: lists(rows, getattr(pa, stored)()), f"{name}_ns": stamps},
        meta={"force_matrix_specs": json.dumps(specs)},
    )
    with opened(task) as recording:
        stream = recording.streams["gripper_left_force_matrix"]
        description = stream.description
        assert (description.kind, description.role) == (StreamKind.MATRIX, "force_matrix")
        assert [c.unit for c in description.channels] == ["mN"] * 3
        assert rows_of(stream) == list(cells)
        assert np.diff(stream.timestamps_ns).tolist() == [3 * PERIOD_NS, 5 * PERIOD_NS]
        for index in (2, 0, 1):
            frame = stream.read(index)
            assert isinstance(frame, MatrixFrame)
            expected = (list(cells.values())[index].astype(np.float32) / np.float32(100)).astype(np.float32)
            assert np.array_equal(frame.values, expected)
        assert len(stream.payload(0)) == 4 * LENGTH
        frame, written = write_frame(stream, 0, task.root.parent / "matrix.npy")
        assert isinstance(frame, MatrixFrame)
        assert written.fields == ("fx", "fy", "fz")
        assert np.array_equal(np.load(task.root.parent / "matrix.npy"), frame.values)


def test_the_scale_of_an_episode_counts_and_not_that_of_the_task(task: Task) -> None:
    name = "observation.gripper_left_force_matrix"
    column = {name: lists([differences(forces(1))] * FRAMES, pa.int16())}
    task.write_info(features={name: {"scale": 10}})
    task.add(1, columns=column, meta={"force_matrix_specs": json.dumps({name: {"scale": 1000}})})
    task.add(2, columns=column, meta={"force_matrix_specs": "{}"})
    task.write_info(features={})
    task.add(3, columns=column, meta={"force_matrix_specs": "not json"})
    task.write_info(features={name: {"scale": 10}})
    largest = int(forces(1).max())
    for number, scale, words in ((1, 1000, "force_matrix_specs"), (2, 10, "info.json")):
        with opened(task, number) as recording:
            stream = recording.streams["gripper_left_force_matrix"]
            frame = stream.read(0)
            assert isinstance(frame, MatrixFrame)
            assert frame.values.max() == np.float32(largest) / np.float32(scale)
            assert words in stream.description.note
    task.write_info(features={})
    with opened(task, 3) as recording:
        assert "no scale is stated" in recording.streams["gripper_left_force_matrix"].description.note


def test_matrices_without_stamps_are_found_by_reading(task: Task) -> None:
    name = "observation.gripper_right_force_matrix"
    rows = [differences(forces(1)) if row % 5 == 0 else np.empty(0, np.int16) for row in range(FRAMES)]
    task.add(columns={name: lists(rows, pa.int16())})
    with opened(task) as recording:
        assert rows_of(recording.streams["gripper_right_force_matrix"]) == [0, 5, 10]


def test_a_matrix_of_another_length_spoils_only_its_own_frame(task: Task) -> None:
    name = "observation.gripper_left_force_matrix"
    rows = [differences(forces(1))] * FRAMES
    rows[4] = rows[4][:-1]
    task.add(columns={name: lists(rows, pa.int16())})
    with opened(task) as recording:
        stream = recording.streams["gripper_left_force_matrix"]
        with pytest.raises(FrameError, match="187499 values, not 187500"):
            stream.read(4)
        assert isinstance(stream.read(5), MatrixFrame)


def test_differences_wrap_at_sixteen_bits() -> None:
    counts = np.zeros((250, 750), np.int16)
    counts[:, 1::2] = -32767
    counts[:, ::2] = 32767
    stored = np.diff(counts.astype(np.int32), axis=1, prepend=0).astype(np.int16)
    assert np.array_equal(decode_matrix(stored.reshape(-1), 1.0).reshape(250, 750), counts)


def trajectory(count: int, start_s: float) -> np.ndarray:
    t = start_s + np.arange(count) * 0.01
    q = np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))
    return np.column_stack([t, np.cos(t), np.sin(t), 0.1 * t, q])


def test_a_trajectory_keeps_every_point_its_stamp_and_its_axes(task: Task) -> None:
    points = [trajectory(n, 10 + row / 30) for row, n in enumerate([0, 3, 2, 0, 1, 4, 2, 3, 3, 3, 3, 3])]
    stamps = [HOST_NS + (p[:, 0] * 1e9).astype(np.int64) for p in points]
    stamps[4][0] = 0  # a point without a stamp
    name = "observation.slam_trajectory"
    axes = {"+X": "down", "+Y": "left", "+Z": "forward"}
    task.write_info(features={name: {"frame": "down_left_forward", "frame_axes": axes}})
    task.add(
        columns={
            name: lists([p.reshape(-1) for p in points], pa.float64()),
            f"{name}_ns": lists(stamps, pa.int64()),
        }
    )
    with opened(task) as recording:
        stream = recording.streams["slam_trajectory"]
        description = stream.description
        assert (description.kind, description.role) == (StreamKind.POSE, "trajectory")
        assert (description.frame, description.extra["frame_axes"]) == ("down_left_forward", axes)
        everything = np.concatenate(points)
        found = values_of(recording, "slam_trajectory")
        order = stream.sequence
        assert np.array_equal(found, everything[order][:, 1:])
        assert np.array_equal(values_of(recording, "slam_trajectory_t")[:, 0], everything[order][:, 0])
        frame = stream.read(0)
        assert isinstance(frame, PoseFrame)
        assert np.array_equal(frame.matrix[:3, 3], found[0, :3])
        known = np.concatenate(stamps)[order] != 0
        offsets = stream.timestamps_ns[known] - np.concatenate(stamps)[order][known]
        assert len(set(offsets.tolist())) == 1, "differences are kept to the nanosecond"


def test_an_old_trajectory_has_the_old_axes_and_its_own_time(task: Task) -> None:
    points = [trajectory(2, 10 + row / 30) for row in range(FRAMES)]
    task.add(
        columns={
            "observation.gripper_2_slam_trajectory": lists([p.reshape(-1) for p in points], pa.float64())
        }
    )
    with opened(task) as recording:
        description = recording.streams["gripper_2_slam_trajectory"].description
        assert description.frame == "right_forward_up"
        assert description.extra["frame_axes"]["+Z"] == "up"
        assert "100 ms" in description.note
        assert len(recording.streams["gripper_2_slam_trajectory"]) == 2 * FRAMES


def test_a_state_is_a_frame_whenever_it_changes(task: Task) -> None:
    words = ["connected"] * 5 + ["disconnected"] * 3 + ["connected"] * 4
    task.add(columns={"status.右手套": words})
    with opened(task) as recording:
        stream = recording.streams["status/右手套"]
        assert stream.description.role == "status"
        assert rows_of(stream) == [0, 5, 8]
        frames = [stream.read(i) for i in range(3)]
        assert all(isinstance(frame, TextFrame) for frame in frames)
        assert [getattr(f, "value", None) for f in frames] == ["connected", "disconnected", "connected"]


def test_forces_lie_on_the_clock_of_the_grippers_camera(task: Task) -> None:
    hardware = HOST_NS + np.arange(FRAMES) * PERIOD_NS
    stamps = hardware - 5_000_000
    force = np.random.default_rng(3).normal(size=(FRAMES, 3)).astype(np.float32)
    force[2], stamps[2] = 0, 0
    task.add(
        videos={"gripper_rgb": "h264"},
        columns={
            "hardware_ns": hardware,
            "observation.gripper_left_force": force,
            "observation.gripper_left_force_ns": stamps,
            "observation.gripper_state": np.full((FRAMES, 3), 50, np.float32),
        },
    )
    with opened(task) as recording:
        camera, stream = recording.streams["gripper_rgb"], recording.streams["gripper_left_force"]
        assert camera.description.clock is Clock.HOST
        assert stream.description.role == "force"
        assert len(stream) == FRAMES - 1
        assert int(camera.timestamps_ns[0]) - int(stream.timestamps_ns[0]) == 5_000_000
        assert "shares with gripper_rgb" in stream.description.note
        assert recording.streams["gripper_state"].description.role == "gripper_state"


def test_what_two_cameras_rows_carry_twice_is_taken_once(task: Task) -> None:
    ticks = np.repeat(np.arange(FRAMES), 2)
    force = np.random.default_rng(4).normal(size=(FRAMES, 3)).astype(np.float32)
    glove = np.random.default_rng(5).uniform(1, 9, (FRAMES, 256)).astype(np.float32)
    matrix = [differences(forces(row)) if row % 4 == 0 else np.empty(0, np.int16) for row in range(FRAMES)]
    task.write_info(cameras={"a_rgb": {}, "b_rgb": {}})
    columns = {
        "episode_index": np.ones(2 * FRAMES, np.int64),
        "frame_index": ticks,
        "timestamp": (ticks / 30 + 0.004).astype(np.float32),
        "task_index": np.zeros(2 * FRAMES, np.int64),
        "wall_time": START_NS / 1e9 + ticks / 30 + 0.004 + np.tile([0, 0.001], FRAMES),
        "hardware_ns": np.zeros(2 * FRAMES, np.int64),
        "action": [[0.0]] * (2 * FRAMES),
        "observation.gripper_left_force": force[ticks],
        "observation.gripper_left_force_ns": HOST_NS + ticks * PERIOD_NS,
        "observation.right_glove": glove[ticks],
        "observation.gripper_left_force_matrix": lists([matrix[t] for t in ticks], pa.int16()),
    }
    task.add(
        videos={"a_rgb": "h264", "b_rgb": "hevc"}, columns=columns, frames=2 * FRAMES, meta={"length": FRAMES}
    )
    for key in ("a_rgb", "b_rgb"):
        task.path("videos", key=key, suffix="mp4").unlink()
    task.add(
        2, videos={"a_rgb": f"h264:{FRAMES}", "b_rgb": f"hevc:{FRAMES}"}, columns=columns, frames=2 * FRAMES
    )
    with opened(task, 2) as recording:
        assert len(recording.streams["a_rgb"]) == len(recording.streams["b_rgb"]) == FRAMES
        assert np.array_equal(values_of(recording, "gripper_left_force"), force)
        assert np.array_equal(values_of(recording, "right_glove"), glove)
        assert len(recording.streams["gripper_left_force_matrix"]) == 3


def test_a_column_that_nobody_knows_is_shown_all_the_same(task: Task) -> None:
    task.add(columns={"observation.温度": np.arange(FRAMES) * 0.5, "observation.new": np.zeros((FRAMES, 4))})
    with opened(task) as recording:
        assert values_of(recording, "温度")[:, 0].tolist() == [0.5 * i for i in range(FRAMES)]
        assert values_of(recording, "new").shape == (FRAMES, 4)


def test_actions_are_all_there_once_there_are_any(task: Task) -> None:
    action = np.zeros((FRAMES, 1), np.float32)
    action[7] = 0.5
    task.add(columns={"action": action})
    with opened(task) as recording:
        assert np.array_equal(values_of(recording, "action"), action)
