"""Tasks as older recorders left them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.stream import Clock
from hfviewer.readers.registry import open_path, open_recording
from tests.readers.episodes.tasks import PERIOD_NS, START_NS, Task, captured, key_columns, meta_row

FRAMES = 12


def listed(root: Path) -> EpisodeCollection:
    opened = open_path(root)
    assert isinstance(opened, EpisodeCollection)
    return opened


def rows_of(numbers: list[int]) -> pa.Table:
    """The rows about several episodes as v1.1.0 kept them, ten columns, in one shard."""
    rows = [meta_row(n, FRAMES + n) for n in numbers]
    keys = [key for key in rows[0] if key != "force_matrix_specs"]
    return pa.table({key: [row[key] for row in rows] for key in keys})


def test_the_prefix_file_is_read_where_the_task_has_it(tmp_path: Path) -> None:
    task = Task(tmp_path / "旧任务", prefix="file")
    for number in (1, 2, 1001):
        task.add(number)
    with listed(task.root) as collection:
        assert [row.number for row in collection.episodes] == [1, 2, 1001]
        assert [row.chunk for row in collection.episodes] == [0, 0, 1]
        assert [row.name for row in collection.episodes] == [f"旧任务_ep{n:06d}" for n in (0, 1, 0)]
        with collection.open(1001) as recording:
            assert len(recording.streams["cam_rgb"]) == FRAMES


def test_files_of_either_prefix_stand_side_by_side(tmp_path: Path) -> None:
    task = Task(tmp_path / "t")
    task.add(2)
    old = Task(tmp_path / "t", prefix="file")
    old.add(1)
    task.write_info()
    with listed(task.root) as collection:
        assert [row.number for row in collection.episodes] == [1, 2]
        for row in collection.episodes:
            with collection.open(row.number) as recording:
                assert not [f for f in recording.description.findings if f.severity == "error"]


def test_a_shard_holds_the_rows_about_many_episodes(tmp_path: Path) -> None:
    task = Task(tmp_path / "t")
    for number in (1, 2, 3):
        task.add(number)
        task.path("meta/episodes", number).unlink()
    task.write_table("meta/episodes/chunk-000/file-000.parquet", rows_of([1, 2, 3]))
    with listed(task.root) as collection:
        assert [row.frame_count for row in collection.episodes] == [FRAMES + n for n in (1, 2, 3)]
        with collection.open(2) as recording:
            assert not [f for f in recording.description.findings if f.severity == "error"]


def test_a_shard_of_rows_is_told_from_an_episode_by_what_it_holds(tmp_path: Path) -> None:
    task = Task(tmp_path / "t")
    tables = []
    for number in (1, 2):
        task.add(number)
        tables.append(pq.read_table(task.path("data", number)))
        task.path("data", number).unlink()
    task.write_table("data/chunk-000/file-000.parquet", pa.concat_tables(tables))
    with listed(task.root) as collection:
        assert [row.number for row in collection.episodes] == [1, 2]
        assert all(row.ok for row in collection.episodes)
        with collection.open(2) as recording:
            stream = recording.streams["cam_rgb"]
            assert len(stream) == FRAMES
            assert np.diff(stream.timestamps_ns).tolist() == [PERIOD_NS] * (FRAMES - 1)


def test_the_first_episode_and_the_first_shard_share_a_name(tmp_path: Path) -> None:
    task = Task(tmp_path / "t", prefix="file")
    task.add(1)
    with listed(task.root) as collection:
        assert [row.number for row in collection.episodes] == [1]
        assert collection.episodes[0].frame_count == FRAMES


def test_holes_in_the_numbers_are_normal(tmp_path: Path) -> None:
    task = Task(tmp_path / "t", chunks_size=10)
    for number in (3, 10, 11):
        task.add(number)
    with listed(task.root) as collection:
        assert [(row.number, row.chunk, row.id) for row in collection.episodes] == [
            (3, 0, "episode-002"),
            (10, 0, "episode-009"),
            (11, 1, "episode-000"),
        ]


def test_slots_may_change_their_names_and_extensions_lie(tmp_path: Path) -> None:
    task = Task(tmp_path / "t")
    task.add(1, videos={"D435_depth_rgb": "h264", "D435_depth": "depth16"})
    task.add(2, videos={"头部_rgb": "hevc", "头部_depth": "depth12"})
    task.write_info(video_extensions={"D435_depth": "mp4", "head_depth": "mp4"})
    for number, names in ((1, ["D435_depth_rgb", "D435_depth"]), (2, ["头部_rgb", "头部_depth"])):
        with open_recording(task.root, episode=number) as recording:
            assert list(recording.streams)[:2] == names
            assert not [f for f in recording.description.findings if f.severity == "error"]
            assert recording.streams[names[1]].description.kind == "depth"


def test_a_placeholder_is_no_calibration(tmp_path: Path) -> None:
    camera = {"intrinsic": [0, 0, 0, 0], "distortion": []}
    real = {"intrinsic": [210.0, 211.0, 80.0, 48.0], "distortion": [0.1, 0, 0, 0]}
    placeholder = {
        "resolution": [1280, 800],
        "baseline": 0.095,
        "left_camera": camera,
        "right_camera": camera,
    }
    sound = {"resolution": [160, 96], "baseline": 0.08, "left_camera": real, "right_camera": real}
    task = Task(tmp_path / "t")
    videos = {"stereo_left": "h264", "stereo_right": "h264"}
    task.add(1, videos=videos, meta={"calibration": json.dumps({"head_stereo": placeholder})})
    task.add(2, videos=videos, meta={"calibration": json.dumps({"head_stereo": sound})})
    with open_recording(task.root, episode=1) as recording:
        assert not recording.description.calibration.cameras
    with open_recording(task.root, episode=2) as recording:
        calibration = recording.description.calibration
        assert set(calibration.cameras) == set(videos)
        between = calibration.between(target="stereo_left", source="stereo_right")
        assert between is not None
        assert between[0, 3] == 0.08


def test_the_path_of_the_recorders_ffmpeg_is_private(tmp_path: Path) -> None:
    task = Task(tmp_path / "t")
    task.add(1)
    with open_recording(task.root, episode=1) as recording:
        assert "somebody" not in repr(recording.description.metadata)


def test_stamps_that_an_early_recorder_cut_are_made_whole(tmp_path: Path) -> None:
    frames = 200
    whole = 7_000_000_000 + np.arange(frames) * PERIOD_NS
    cut = (whole + (1 << 31)) % (1 << 32) - (1 << 31)
    task = Task(tmp_path / "t")
    task.add(1, videos={"gripper_rgb": "h264"}, frames=frames, columns={"hardware_ns": cut})
    with open_recording(task.root, episode=1) as recording:
        stream = recording.streams["gripper_rgb"]
        assert np.diff(stream.timestamps_ns).tolist() == [PERIOD_NS] * (frames - 1)
        assert "32 bit" in stream.description.note


def test_a_usb_camera_has_the_hosts_time_and_says_so(tmp_path: Path) -> None:
    task = Task(tmp_path / "t")
    task.add(1, videos={"head_left_rgb": "h264"}, columns={"hardware_ns": np.zeros(FRAMES, np.int64)})
    with open_recording(task.root, episode=1) as recording:
        description = recording.streams["head_left_rgb"].description
        assert description.clock is Clock.HOST
        assert "when a row was written" in description.note


def test_a_camera_that_started_again_keeps_its_place_in_time(tmp_path: Path) -> None:
    hardware = np.concatenate([np.arange(6), np.arange(6)]) * PERIOD_NS + 1_000_000
    task = Task(tmp_path / "t")
    task.add(1, columns={"hardware_ns": hardware})
    with open_recording(task.root, episode=1) as recording:
        stream = recording.streams["cam_rgb"]
        assert np.abs(np.diff(stream.timestamps_ns) - PERIOD_NS).max() < 1_000_000
        steps = [f.first_frame for f in recording.description.findings if f.code == "clock_step"]
        assert steps == [5]


def test_wall_time_of_capture_is_taken_as_it_is(tmp_path: Path) -> None:
    task = Task(tmp_path / "t", info={"app_version": "1.3.17"})
    task.add(1, columns=captured(FRAMES))
    with open_recording(task.root, episode=1) as recording:
        stream = recording.streams["cam_rgb"]
        assert int(stream.timestamps_ns[0]) == START_NS
        assert "when it was taken" in stream.description.note


@pytest.mark.parametrize("missing", ["hardware_ns", "frame_index", "timestamp", "wall_time", "task_index"])
def test_an_old_table_may_lack_columns(tmp_path: Path, missing: str) -> None:
    task = Task(tmp_path / "t")
    task.add(1)
    columns = key_columns(1, FRAMES)
    del columns[missing]
    task.write_table("data/chunk-000/episode-000.parquet", pa.table(columns))
    with open_recording(task.root, episode=1) as recording:
        stream = recording.streams["cam_rgb"]
        assert len(stream) == FRAMES
        assert np.abs(np.diff(stream.timestamps_ns) - PERIOD_NS).max() < 1000


def test_a_folder_of_tasks_lists_them_all(tmp_path: Path) -> None:
    for name in ("任务一", "任务二"):
        task = Task(tmp_path / name)
        task.add(1)
        task.add(2)
    Task(tmp_path / "_trash")
    with listed(tmp_path) as collection:
        assert [row.key for row in collection.episodes] == ["任务一/1", "任务一/2", "任务二/1", "任务二/2"]
        assert {row.task for row in collection.episodes} == {"任务一", "任务二"}
        with collection.open_key("任务二/2") as recording:
            assert recording.description.title == "任务二_ep000001"
        with pytest.raises(Exception, match="Several tasks have an episode 2"):
            collection.open(2)
