from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pyarrow as pa
import pytest

from hfviewer.convert.recording_plan import plan_recording
from hfviewer.convert.run import convert
from hfviewer.core.errors import ConversionError, FrameError, UsageError
from hfviewer.core.frame import DepthFrame, Frame, ImageFrame, MatrixFrame, PoseFrame, SampleFrame, TextFrame
from hfviewer.core.recording import Recording
from hfviewer.readers.hyperframe.verify import verify
from hfviewer.readers.registry import open_recording
from tests.readers.episodes.tasks import PERIOD_NS, Task, lists
from tests.readers.episodes.test_sessions import session
from tests.recordings import write_small
from tests.video_clips import write_clip, x264

FRAMES = 30


def content(frame: Frame) -> Any:
    match frame:
        case ImageFrame(pixels=pixels):
            return pixels.tobytes()
        case DepthFrame():
            return frame.stored.tobytes(), frame.millimetres.tobytes()
        case SampleFrame(values=values):
            return values.tobytes()
        case PoseFrame(matrix=matrix):
            return matrix.tobytes()
        case MatrixFrame(values=values):
            return values.tobytes()
        case TextFrame(value=value):
            return value
    raise AssertionError(frame)


def check_same(before: Recording, after: Recording) -> None:
    """Every frame of every stream, its time and what it is of."""
    for name, stream in before.streams.items():
        if not len(stream):
            continue
        copy = after.streams[name]
        assert np.array_equal(copy.timestamps_ns, stream.timestamps_ns), name
        for key in ("kind", "role", "channels", "frame", "clock", "width", "height"):
            said = getattr(stream.description, key)
            if said is not None and not (key in ("width", "height") and stream.description.kind != "matrix"):
                assert getattr(copy.description, key) == said, (name, key)
        for index in range(len(stream)):
            assert content(copy.read(index)) == content(stream.read(index)), (name, index)


def everything(frames: int) -> dict[str, Any]:
    rng = np.random.default_rng(7)
    ticks = np.arange(frames)
    stamps = 88_000_000_000_000 + ticks * PERIOD_NS
    imu = rng.normal(size=(frames * 4, 6)).astype(np.float32)
    offsets = pa.array(np.arange(frames + 1, dtype=np.int32) * 4)
    imu_stamps = 4_000_000_000_000 + np.arange(frames * 4) * (PERIOD_NS // 4)
    matrices = [rng.integers(-9, 9, 187_500).astype(np.int16) if t % 9 == 0 else np.empty(0) for t in ticks]
    points = [rng.normal(size=8 * (t % 3)) for t in ticks]
    return {
        "imu_ts_ns": pa.ListArray.from_arrays(offsets, pa.array(imu_stamps)),
        "observation.imu": pa.ListArray.from_arrays(
            offsets, pa.FixedSizeListArray.from_arrays(pa.array(imu.reshape(-1)), 6)
        ),
        "observation.left_glove": rng.uniform(1, 9, (frames, 256)).astype(np.float32),
        "observation.right_hand_pose": rng.normal(size=(frames, 63)).astype(np.float32),
        "observation.gripper_left_force": rng.normal(size=(frames, 3)).astype(np.float32),
        "observation.gripper_left_force_ns": stamps,
        "observation.gripper_left_force_matrix": lists(matrices, pa.int16()),
        "observation.gripper_left_force_matrix_ns": np.where(ticks % 9 == 0, stamps, 0),
        "observation.slam_trajectory": lists(points, pa.float64()),
        "observation.slam_trajectory_ns": lists(
            [np.full(len(p) // 8, s) + np.arange(len(p) // 8) for p, s in zip(points, stamps, strict=True)],
            pa.int64(),
        ),
        "status.右手套": ["connected"] * (frames - 1) + ["disconnected"],
    }


@pytest.mark.parametrize(
    "videos",
    [
        {"d435_rgb": "h264", "d435_depth": "depth12"},
        {"d435_rgb": "hevc", "d435_depth": "depth16"},
        {"d435_rgb": "h264", "d435_depth": "depth12:27"},
    ],
)
def test_an_episode_becomes_a_hyperframe_file_with_nothing_lost(
    tmp_path: Path, videos: dict[str, str]
) -> None:
    task = Task(tmp_path / "杯子")
    task.add(1, frames=FRAMES, videos=videos, columns=everything(FRAMES))
    report = convert(task.root, tmp_path / "a.hfr")
    assert not report.problems
    assert verify(tmp_path / "a.hfr").ok
    with open_recording(task.root, episode=1) as before, open_recording(tmp_path / "a.hfr") as after:
        check_same(before, after)
        assert after.description.title == before.description.title
        rows: list[Any] = [content(after.streams["rows"].read(i)) for i in range(FRAMES)]
        assert [row["frame_index"] for row in rows] == list(range(FRAMES))
        assert rows[3]["hardware_ns"] == 4_000_000_000_000 + 3 * PERIOD_NS
        assert rows[3]["observation.gripper_left_force_ns"] > 0
        metadata = json.dumps(dict(after.description.metadata))
        assert "force_matrix_specs" in metadata
        assert "somebody" not in metadata


def test_video_is_copied_and_not_encoded_anew(tmp_path: Path) -> None:
    task = Task(tmp_path / "t")
    task.add(1, frames=FRAMES, videos={"d435_rgb": "h264"})
    convert(task.root, tmp_path / "a.hfr")
    with open_recording(tmp_path / "a.hfr") as recording:
        stream = recording.streams["d435_rgb"]
        assert stream.description.encoding == "h264"
        assert stream.payload(0).startswith(b"\0\0\0\1")
        assert (stream.flags & 1).tolist() == [int(i % 12 == 0) for i in range(FRAMES)]
        assert sorted(stream.sequence.tolist()) == list(range(FRAMES))
        video = task.path("videos", key="d435_rgb", suffix="mp4").stat().st_size
        assert stream.description.stored_bytes < 1.1 * video


def test_frames_without_a_picture_and_files_that_are_broken_are_told(tmp_path: Path) -> None:
    task = Task(tmp_path / "t")
    task.add(1, frames=FRAMES, videos={"d435_rgb": "h264:28", "d435_depth": "depth12"})
    path = task.path("videos", key="d435_depth", suffix="mp4")
    path.write_bytes(path.read_bytes()[:1000])
    report = convert(task.root, tmp_path / "a.hfr")
    assert report.frame_counts["d435_rgb"] == 28
    told = " ".join(problem.line() for problem in report.problems)
    assert "frame 28" in told
    assert "d435_depth/episode-000.mp4" in told
    with open_recording(task.root, episode=1) as recording, pytest.raises(FrameError):
        recording.streams["d435_rgb"].read(28)


def test_which_episode_is_asked_for_where_there_are_several(tmp_path: Path) -> None:
    task = Task(tmp_path / "t")
    task.add(1, frames=12)
    task.add(2, frames=14)
    with pytest.raises(UsageError, match="folder of 2 episodes"):
        convert(task.root, tmp_path / "a.hfr")
    assert convert(task.root, tmp_path / "a.hfr", episode=2).frame_counts["cam_rgb"] == 14
    with pytest.raises(UsageError, match="no episode 3"):
        convert(task.root, tmp_path / "b.hfr", episode=3)
    with pytest.raises(UsageError, match="not a folder of episodes"):
        convert(write_small(tmp_path / "c.hfr", frames=2), tmp_path / "b.hfr", episode=1)
    assert not (tmp_path / "b.hfr").exists()


def test_a_single_video_converts_and_a_hyperframe_file_does_not(tmp_path: Path) -> None:
    video = write_clip(tmp_path / "a.mp4", x264(6, frames=10))
    convert(video, tmp_path / "a.hfr")
    with open_recording(video) as before, open_recording(tmp_path / "a.hfr") as after:
        check_same(before, after)
    with pytest.raises(ConversionError, match="already"):
        convert(tmp_path / "a.hfr", tmp_path / "b.hfr")


def test_what_the_recorder_noted_of_its_frames_comes_along(tmp_path: Path) -> None:
    gaps, doubles = np.zeros(FRAMES, np.int32), np.zeros(FRAMES, np.int8)
    gaps[[3, 20]], doubles[[2, 19]] = [4, 1], 1
    columns = {"rgb_gap": gaps, "rgb_dup": doubles, "depth_gap": gaps[::-1].copy(), "depth_dup": doubles}
    task = Task(tmp_path / "t")
    task.add(1, frames=FRAMES, videos={"d435_rgb": "h264", "d435_depth": "depth12"}, columns=columns)
    convert(task.root, tmp_path / "a.hfr")
    with open_recording(task.root, episode=1) as before, open_recording(tmp_path / "a.hfr") as after:
        for name in ("d435_rgb", "d435_depth"):
            one, other = before.streams[name].recorder_evidence, after.streams[name].recorder_evidence
            assert one is not None
            assert other is not None
            np.testing.assert_array_equal(one.missing_before, other.missing_before)
            np.testing.assert_array_equal(one.duplicate, other.duplicate)
            assert one.source == other.source
        assert after.streams["rows"].recorder_evidence is None


def test_what_only_the_source_can_tell_is_found_in_the_conversion_too(tmp_path: Path) -> None:
    device_ns = np.arange(FRAMES, dtype=np.int64) * PERIOD_NS + 10**12
    device_ns[20:] -= 10**9
    task = Task(tmp_path / "t")
    meta = {"drop_stats": json.dumps({"ext:cam": 2})}
    task.add(1, frames=FRAMES, videos={"cam": "h264"}, columns={"hardware_ns": device_ns}, meta=meta)
    convert(task.root, tmp_path / "a.hfr")
    with open_recording(task.root, episode=1) as before, open_recording(tmp_path / "a.hfr") as after:
        one, other = (sorted(f.code for f in r.description.findings) for r in (before, after))
        assert one == other == ["clock_step", "recorder_drop"]
        assert set(before.description.findings) == set(after.description.findings)
        assert before.description.window_ns == after.description.window_ns
        half = before.windows[0]
        part = plan_recording(before, window=half).metadata
        assert "recorder_findings" not in part
        assert "recorder_findings" in plan_recording(after, window=after.description.span).metadata


def test_a_session_of_v1_converts_with_its_numbered_depth(tmp_path: Path) -> None:
    cameras = {"stereo_left": {"type": "rgb"}, "raw_depth": {"type": "depth", "width": 6, "height": 4}}
    root = session(tmp_path / "t_000001", cameras=cameras)
    for i in range(1, 13):
        values = np.full((4, 6), 100 * i, np.uint16)
        for name, content in (
            (f"depth/raw_depth/{i:06d}.bin", values.tobytes()),
            (f"depth/png_depth/{i:06d}.png", bytes(cv2.imencode(".png", values)[1].tobytes())),
        ):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content)
    report = convert(root, tmp_path / "a.hfr")
    assert not report.problems
    assert report.frame_counts["raw_depth"] == report.frame_counts["png_depth"] == 12
    with open_recording(root) as before, open_recording(tmp_path / "a.hfr") as after:
        check_same(before, after)


def test_a_conversion_leaves_out_where_the_recorder_kept_its_programs(tmp_path: Path) -> None:
    root = session(tmp_path / "t_000001", video_codec={"ffmpeg": "/home/somebody/bin/ffmpeg", "crf": 23})
    with open_recording(root) as recording:
        metadata = dict(plan_recording(recording).metadata)
    assert metadata["session"]["video_codec"] == {"crf": 23}
