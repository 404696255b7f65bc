"""Damaged and hostile tasks: what is whole opens, and one line names the file and what is wrong with it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import DamagedRecordingError, FrameError, UnsupportedError
from hfviewer.core.frame import ImageFrame
from hfviewer.core.recording import Recording
from hfviewer.core.stream import Clock
from hfviewer.readers.episodes.recording import EpisodeRecording
from hfviewer.readers.registry import open_path, open_recording
from tests.readers.episodes.tasks import PERIOD_NS, Task, clip_file, lists

FRAMES = 12


@pytest.fixture
def task(tmp_path: Path) -> Task:
    made = Task(tmp_path / "杯子")
    for number in (1, 2):
        made.add(number, videos={"d435_rgb": "h264", "d435_depth": "depth12"}, columns=imu(FRAMES))
    return made


def imu(frames: int, *, samples: int = 3) -> dict[str, pa.Array]:
    stamps = 4_000_000_000_000 + np.arange(frames * samples) * (PERIOD_NS // samples)
    values = np.tile(np.array([0, 0, 0, 0, 0, 9.81], np.float32), (frames * samples, 1))
    inner = pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), 6)
    offsets = pa.array(np.arange(frames + 1, dtype=np.int32) * samples)
    return {
        "imu_ts_ns": pa.ListArray.from_arrays(offsets, pa.array(stamps)),
        "observation.imu": pa.ListArray.from_arrays(offsets, inner),
    }


def listed(task: Task) -> EpisodeCollection:
    opened = open_path(task.root)
    assert isinstance(opened, EpisodeCollection)
    return opened


def errors(recording: Recording) -> list[str]:
    return [f.message for f in recording.description.findings if f.severity == "error"]


def check_others_open(task: Task) -> None:
    """The whole episode beside the damaged one."""
    with listed(task) as collection:
        assert [row.ok for row in collection.episodes if row.number == 2] == [True]
        with collection.open(2) as recording:
            assert not errors(recording)
            assert len(recording.streams["d435_rgb"]) == FRAMES


def cut(path: Path, share: float = 0.5) -> None:
    os.truncate(path, int(path.stat().st_size * share))


@pytest.mark.parametrize("share", [0.5, 0.02])
def test_a_video_that_was_cut_off_or_never_finished_leaves_the_rest(task: Task, share: float) -> None:
    cut(task.path("videos", key="d435_rgb", suffix="mp4"), share)
    with listed(task) as collection:
        row = collection.episodes[0]
        assert not row.ok
        assert "d435_rgb/episode-000.mp4" in row.problem
        assert "moov" in row.problem
    with open_recording(task.root, episode=1) as recording:
        assert "d435_rgb" not in recording.streams
        assert len(recording.streams["d435_depth"]) == FRAMES
        assert len(recording.streams["imu"]) == 3 * FRAMES
        (message,) = errors(recording)
        assert message.startswith("videos/chunk-000/d435_rgb/episode-000.mp4: ")
        assert "moov" in message
        finding = next(f for f in recording.description.findings if f.severity == "error")
        assert (finding.code, finding.stream) == ("unreadable", "d435_rgb")
    check_others_open(task)


def test_depth_that_is_missing_is_told(task: Task) -> None:
    codec = {"video_codec": json.dumps({"depth": {"d435_depth": {}, "head_depth": {}}})}
    task.add(1, videos={"d435_rgb": "h264", "d435_depth": "depth12"}, meta=codec)
    task.path("videos", key="d435_depth", suffix="mp4").unlink()
    with open_recording(task.root, episode=1) as recording:
        (message,) = errors(recording)
        assert message.startswith("d435_depth: ")
        assert "missing" in message
        assert len(recording.streams["d435_rgb"]) == FRAMES
    check_others_open(task)


def test_half_a_table_leaves_the_videos_on_their_own_times(task: Task) -> None:
    cut(task.path("data"))
    with listed(task) as collection:
        assert "data/chunk-000/episode-000.parquet" in collection.episodes[0].problem
    with open_recording(task.root, episode=1) as recording:
        (message,) = errors(recording)
        assert message.startswith("data/chunk-000/episode-000.parquet: It is not a whole parquet file")
        rgb = recording.streams["d435_rgb"]
        assert rgb.description.clock is Clock.NOMINAL
        assert "stalls and lost frames do not show" in rgb.description.note
        assert isinstance(rgb.read(FRAMES - 1), ImageFrame)
    check_others_open(task)


def test_a_table_that_is_missing_is_told(task: Task) -> None:
    task.path("data").unlink()
    with open_recording(task.root, episode=1) as recording:
        assert any("data/chunk-000/episode-000.parquet: The file is missing" in m for m in errors(recording))
    check_others_open(task)


@pytest.mark.parametrize("damage", [lambda p: cut(p), lambda p: p.unlink(), lambda p: p.write_bytes(b"")])
def test_without_the_row_about_it_an_episode_still_opens(task: Task, damage: object) -> None:
    assert callable(damage)
    damage(task.path("meta/episodes"))
    with open_recording(task.root, episode=1) as recording:
        assert len(recording.streams["d435_rgb"]) == FRAMES
        assert any("meta/episodes" in f.message for f in recording.description.findings)
    check_others_open(task)


@pytest.mark.parametrize("stated", ["lerobot_v2.1", "pooled_episodes_v2", "", 7])
def test_an_unknown_format_is_refused_and_not_guessed(task: Task, stated: object) -> None:
    task.write_info(format=stated)
    with pytest.raises(UnsupportedError, match="does not know") as caught:
        open_path(task.root)
    assert "info.json" in caught.value.line()
    assert "pooled_episodes_v1" in caught.value.line()


def test_an_info_that_is_not_json_is_one_line(task: Task) -> None:
    (task.root / "meta/info.json").write_text('{"format": "pooled_epis')
    with pytest.raises(DamagedRecordingError, match="not valid JSON") as caught:
        open_path(task.root)
    assert "\n" not in caught.value.line()


def test_a_pretty_printed_task_list_is_told_and_harms_nothing(task: Task) -> None:
    text = json.dumps({"task_index": 0, "task": "杯子"}, indent=2)
    (task.root / "meta/tasks.jsonl").write_text(text)
    with listed(task) as collection:
        (finding,) = collection.findings
        assert finding.message.startswith("meta/tasks.jsonl: ")
        assert len(collection.episodes) == 2
    check_others_open(task)


@pytest.mark.parametrize(
    "template",
    [
        "../other/chunk-{c:03d}/episode-{f:03d}.parquet",
        "data/../../chunk-{c:03d}/episode-{f:03d}.parquet",
        "/etc/{f:03d}.parquet",
        "C:/data/{f:03d}.parquet",
        "data/{c.__class__}/{f:03d}.parquet",
        "data/{f:999999999d}.parquet",
        "data/{f!r:>9999999999}.parquet",
        "data\\..\\{f:03d}.parquet",
        "data/chunk-000/only.parquet",
        17,
    ],
)
def test_a_template_never_leads_out_of_the_task(task: Task, template: object) -> None:
    outside = task.root.parent / "other/chunk-000"
    outside.mkdir(parents=True)
    (outside / "episode-000.parquet").write_bytes(task.path("data").read_bytes())
    task.write_info(data_path=template)
    with listed(task) as collection:
        assert any("data_path" in f.message and "info.json" in f.message for f in collection.findings)
        with collection.open(1) as recording:
            assert isinstance(recording, EpisodeRecording)
            assert recording.table is not None
            assert recording.table.path == task.path("data")
            assert len(recording.streams["d435_rgb"]) == FRAMES


def test_another_template_is_honoured(task: Task) -> None:
    for number in (1, 2):
        source = task.path("data", number)
        target = task.root / f"rows/{number - 1:06d}.parquet"
        target.parent.mkdir(exist_ok=True)
        source.rename(target)
    task.write_info(data_path="rows/{f:06d}.parquet")
    with open_recording(task.root, episode=2) as recording:
        assert not errors(recording)
        assert len(recording.streams["imu"]) == 3 * FRAMES


def claim(path: Path, values: int, instead_of: int) -> None:
    """Let a column of a parquet file claim another number of values: its footer is edited."""

    def varint(value: int) -> bytes:
        value <<= 1  # zigzag of a positive number
        out = bytearray()
        while value >= 128:
            out.append(value & 127 | 128)
            value >>= 7
        return bytes([*out, value])

    data = path.read_bytes()
    size = int.from_bytes(data[-8:-4], "little")
    body, footer = data[: -8 - size], data[-8 - size : -8]
    assert footer.count(varint(instead_of)) >= 1
    footer = footer.replace(varint(instead_of), varint(values))
    path.write_bytes(body + footer + len(footer).to_bytes(4, "little") + b"PAR1")


def test_a_list_that_claims_ten_gigabytes_is_refused_before_memory_is_taken(task: Task) -> None:
    rows = [np.zeros(77_777, np.float32), *[np.zeros(0, np.float32)] * (FRAMES - 1)]
    columns = imu(FRAMES) | {"observation.odd": lists(rows, pa.float32())}
    task.add(1, videos={"d435_rgb": "h264"}, columns=columns)
    claim(task.path("data"), 2_600_000_000, 77_777 + FRAMES - 1)
    with open_recording(task.root, episode=1) as recording:
        (message,) = errors(recording)
        assert "observation.odd claims 10.4 GB" in message
        assert len(recording.streams["imu"]) == 3 * FRAMES
    check_others_open(task)


def test_matrices_that_claim_more_than_their_rows_can_hold_are_refused(task: Task) -> None:
    rows = [np.zeros(187_500, np.int16), *[np.zeros(0, np.int16)] * (FRAMES - 1)]
    name = "observation.gripper_left_force_matrix"
    task.add(1, videos={"d435_rgb": "h264"}, columns={name: lists(rows, pa.int16())})
    claim(task.path("data"), 4_000_000_000, 187_500 + FRAMES - 1)
    with open_recording(task.root, episode=1) as recording:
        assert any("claims 4000000000 values in 12 rows" in m for m in errors(recording))
        assert len(recording.streams["d435_rgb"]) == FRAMES


def test_imu_lists_and_stamps_that_differ_are_a_broken_signal_and_nothing_more(task: Task) -> None:
    columns = imu(FRAMES)
    columns["imu_ts_ns"] = imu(FRAMES, samples=2)["imu_ts_ns"]
    task.add(1, videos={"d435_rgb": "h264"}, columns=columns)
    with open_recording(task.root, episode=1) as recording:
        with pytest.raises(FrameError, match="more or fewer IMU samples than stamps"):
            recording.streams["imu"].read(0)
        assert isinstance(recording.streams["d435_rgb"].read(0), ImageFrame)


def test_more_rows_than_frames_is_a_finding(task: Task) -> None:
    task.add(1, videos={"d435_rgb": "h264:10"}, frames=FRAMES)
    with open_recording(task.root, episode=1) as recording:
        (finding,) = [f for f in recording.description.findings if f.code == "count_mismatch"]
        assert finding.message == "d435_rgb: 12 timestamps, but 10 frames in the video."
        with pytest.raises(FrameError, match="ends before it"):
            recording.streams["d435_rgb"].read(11)


def test_an_episode_that_ended_before_its_first_frame_is_no_damage(task: Task) -> None:
    task.add(3, frames=0, videos={}, rows=False)
    video = task.path("videos", 3, key="d435_rgb", suffix="mp4")
    video.write_bytes(clip_file("h264", FRAMES).read_bytes()[:260])
    with listed(task) as collection:
        assert collection.episodes[2].problem == "It was stopped before its first frame."
        with collection.open(3) as recording:
            assert recording.description.span is None
            assert not errors(recording)


def test_nothing_at_all_is_one_error(task: Task) -> None:
    for path in (task.path("data"), task.path("videos", key="d435_depth", suffix="mp4")):
        path.unlink()
    cut(task.path("videos", key="d435_rgb", suffix="mp4"))
    with pytest.raises(DamagedRecordingError, match="Nothing of episode 1"):
        open_recording(task.root, episode=1)
    check_others_open(task)


@pytest.mark.parametrize("size", [0, -5, 1.5, "many", True, None, 10**12])
def test_an_impossible_chunk_size_is_told(task: Task, size: object) -> None:
    task.write_info(chunks_size=size)
    with listed(task) as collection:
        assert any("chunks_size" in f.message for f in collection.findings)
        assert [row.number for row in collection.episodes] == [1, 2]


def test_numbers_that_no_float_or_version_can_hold_are_taken_for_none(task: Task) -> None:
    task.write_info(app_version="9" * 5000, fps=10**400, chunks_size=10**400)
    camera = {"intrinsic": [10**400, 1, 1, 1], "distortion": [True, 0]}
    calibration = {"a": {"resolution": [160, 96], "left_camera": camera, "baseline": 10**400}}
    task.add(
        1,
        videos={"stereo_left": "h264", "stereo_right": "h264"},
        meta={
            "calibration": json.dumps(calibration),
            "drop_stats": json.dumps({"d435_rgb": 10**400}),
            "duration_sec": 1e300,
        },
    )
    with listed(task) as collection:
        assert collection.row(1).duration_s is None
    with open_recording(task.root, episode=1) as recording:
        assert not recording.description.calibration.cameras
        assert len(recording.streams["stereo_left"]) == FRAMES


def test_files_that_change_underneath_are_seen_and_do_no_harm(task: Task) -> None:
    with listed(task) as collection:
        assert not collection.refresh()
        task.add(3, videos={"d435_rgb": "h264"})
        task.path("data", 2).unlink()
        assert collection.refresh()
        assert [row.ok for row in collection.episodes] == [True, False, True]
        task.path("meta/episodes", 1).unlink()
        with collection.open(1) as recording:
            assert len(recording.streams["d435_rgb"]) == FRAMES


def test_working_files_of_the_recorder_are_ignored(task: Task) -> None:
    (task.root / "meta/episodes/.lock").write_bytes(b"")
    (task.root / "meta/recycled_episode.json").write_text('{"episode_index": 9}')
    (task.root / "data/chunk-000/.episode-005.parquet.tmp").write_bytes(b"half")
    (task.root / "videos/_trash").mkdir()
    (task.root / "videos/chunk-000/.hidden").mkdir()
    (task.root / "_migrate_backup_1").mkdir()
    (task.root / "data/chunk-000/_episodes_3_1.parquet").write_bytes(b"x")
    (task.root / "meta/.stats_state.json").write_text("{")
    with listed(task) as collection:
        assert [row.number for row in collection.episodes] == [1, 2]
        assert all(row.ok for row in collection.episodes)
        assert not collection.findings


def test_statistics_without_a_count_are_told_and_not_used(task: Task) -> None:
    (task.root / "meta/stats.json").write_text('{"observation.imu": {"mean": [0]}, "action": {"count": 0}}')
    with listed(task) as collection:
        (finding,) = collection.findings
        assert finding.message == "meta/stats.json: no count in observation.imu; they are not used."
