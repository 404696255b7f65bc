from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hfviewer.core.frame import TextFrame
from hfviewer.readers.registry import open_recording
from tests.readers.episodes.tasks import Task, arrays

FRAMES = 12


@pytest.fixture
def task(tmp_path: Path) -> Task:
    made = Task(tmp_path / "data" / "recordings" / "杯子")
    made.add(7)
    return made


@pytest.fixture
def mirror(task: Task) -> Path:
    return task.root.parent.parent / "keypoints_output" / "杯子" / "episode_000007"


def write(path: Path, columns: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(arrays(columns)), path)


def hands_2d(frames: list[int]) -> dict[str, object]:
    data = np.random.default_rng(1).uniform(10, 100, (len(frames), 92)).astype(np.float32)
    data[0, 46:] = 0  # only one hand
    return {
        "frame_index": pa.array(frames, pa.int32()),
        "num_hands": pa.array([2] * len(frames), pa.int32()),
        "hand_data": data,
        "track_ids": np.zeros((len(frames), 2), np.int32),
    }


def hands_3d(frames: list[int]) -> dict[str, object]:
    points = np.random.default_rng(2).normal(size=(len(frames), 63)).astype(np.float32)
    return {
        "frame_index": pa.array(frames, pa.int32()),
        "hand_0_present": pa.array([True] * len(frames)),
        "hand_0_landmarks_3d": points,
        "hand_0_label": ["Left"] * len(frames),
        "hand_1_present": pa.array([False] * len(frames)),
        "hand_1_landmarks_3d": np.zeros((len(frames), 63), np.float32),
        "hand_1_label": [""] * len(frames),
    }


def test_keypoints_lie_at_the_times_of_the_first_camera(task: Task, mirror: Path) -> None:
    frames = [0, 2, 3, 11]
    write(mirror / "hand_pose/chunk-000.parquet", hands_2d(frames))
    write(mirror / "hand_pose_3d/chunk-000.parquet", hands_3d(frames))
    with open_recording(task.root, episode=7) as recording:
        camera = recording.streams["cam_rgb"]
        flat, deep = recording.streams["hand_pose_2d"], recording.streams["hand_pose_3d"]
        assert (flat.description.role, deep.description.role) == ("hand_keypoints", "hand_keypoints_3d")
        assert flat.description.extra["image_stream"] == "cam_rgb"
        assert flat.timestamps_ns.tolist() == camera.timestamps_ns[frames].tolist()
        _, values = flat.samples(int(flat.timestamps_ns[0]), int(flat.timestamps_ns[-1]) + 1)
        assert np.isnan(values[0, 46:]).all()
        assert np.isfinite(values[1]).all()
        _, values = deep.samples(int(deep.timestamps_ns[0]), int(deep.timestamps_ns[-1]) + 1)
        assert values.shape == (4, 126)
        assert np.isfinite(values[:, :63]).all()
        assert np.isnan(values[:, 63:]).all()


def test_labels_made_by_a_program_are_texts(task: Task, mirror: Path) -> None:
    columns: dict[str, object] = {
        "frame_index": [0, 1],
        "hand_0_gesture": ["fist", "open"],
        "contact": ["holding"] * 2,
    }
    write(mirror / "auto_labels/auto_labels.parquet", columns)
    lines = [{"start_frame": 2, "end_frame": 9, "label": "抓取"}, {"start_frame": 99}]
    text = "\n".join(json.dumps(line) for line in lines) + "\nnot json\n"
    (mirror / "auto_labels/auto_actions.jsonl").write_text(text)
    with open_recording(task.root, episode=7) as recording:
        frame = recording.streams["auto_labels"].read(1)
        assert isinstance(frame, TextFrame)
        assert frame.value == {"frame_index": 1, "hand_0_gesture": "open", "contact": "holding"}
        actions = recording.streams["auto_actions"]
        assert len(actions) == 1
        assert int(actions.timestamps_ns[0]) == int(recording.streams["cam_rgb"].timestamps_ns[2])


def test_rows_for_frames_that_do_not_exist_are_left_out(task: Task, mirror: Path) -> None:
    write(mirror / "hand_pose/chunk-000.parquet", hands_2d([0, 5, FRAMES, 10**6, -1]))
    with open_recording(task.root, episode=7) as recording:
        assert len(recording.streams["hand_pose_2d"]) == 2


def test_damage_in_the_mirror_harms_nothing_else(task: Task, mirror: Path) -> None:
    write(mirror / "hand_pose_3d/chunk-000.parquet", hands_3d([0, 1]))
    write(mirror / "hand_pose/chunk-000.parquet", {"frame_index": [0]})
    (mirror / "auto_labels").mkdir()
    (mirror / "auto_labels/auto_labels.parquet").write_bytes(b"PAR1half")
    with open_recording(task.root, episode=7) as recording:
        assert len(recording.streams["hand_pose_3d"]) == 2
        told = [f.message for f in recording.description.findings if f.severity == "error"]
        assert any("hand_pose/chunk-000.parquet: It has no column hand_data" in m for m in told)
        assert any("auto_labels.parquet: It is not a whole parquet file" in m for m in told)
        assert len(recording.streams["cam_rgb"]) == FRAMES


def test_another_episodes_keypoints_are_not_taken(task: Task, mirror: Path) -> None:
    write(mirror.parent / "episode_000001/hand_pose/chunk-000.parquet", hands_2d([0]))
    with open_recording(task.root, episode=7) as recording:
        assert "hand_pose_2d" not in recording.streams
