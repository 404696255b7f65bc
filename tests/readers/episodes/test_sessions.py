"""Sessions of v1.0: one folder a recording."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.errors import DamagedRecordingError, NotARecordingError
from hfviewer.core.frame import DepthFrame, ImageFrame
from hfviewer.core.recording import Recording
from hfviewer.core.stream import Clock
from hfviewer.readers.registry import open_path, open_recording
from tests.readers.episodes.tasks import PERIOD_NS, START_S, arrays, clip_file
from tests.video_clips import Clip, gray12_codes, write_clips, x264

FRAMES = 12


def session(root: Path, number: int = 1, **metadata: Any) -> Path:
    """A session with one camera, timestamps, a glove and an IMU."""
    root.mkdir(parents=True)
    cameras = {"stereo_left": {"type": "rgb", "width": 160, "height": 96, "fps": 30}}
    usual = {"format": "egodata", "version": "1.0", "episode_index": number, "cameras": cameras}
    usual |= {"created_at": START_S, "total_frames": FRAMES, "fps": 30, **metadata}
    (root / "metadata.json").write_text(json.dumps(usual, ensure_ascii=False), encoding="utf-8")
    rows = [
        {
            "frame_index": i,
            "timestamp": i * PERIOD_NS / 1e9,
            "wall_time": START_S + i * PERIOD_NS / 1e9 + 0.004,
            "hardware_ns": 4_000_000_000_000 + i * PERIOD_NS,
        }
        for i in range(FRAMES)
    ]
    (root / "timestamps.json").write_text(json.dumps({"timestamps": rows, "total_frames": FRAMES}))
    place(root / "videos/stereo_left/chunk-0000/stereo_left.mp4", clip_file("h264", FRAMES))
    place(root / "videos/stereo_left/chunk-0000/stereo_left_aux.mp4", clip_file("hevc", FRAMES))
    glove = np.random.default_rng(1).uniform(1, 9, (FRAMES, 256)).astype(np.float32)
    table(root, "right_glove", {"frame_index": np.arange(FRAMES), "observation.right_glove": glove})
    stamps = [[4_000_000_000_000 + i * PERIOD_NS + s * 5_000_000 for s in range(3)] for i in range(FRAMES)]
    samples = [[[0.0, 0, 0, 0, 0, 9.81]] * 3 for _ in range(FRAMES)]
    columns = {"frame_index": np.arange(FRAMES), "imu_ts_ns": stamps, "observation.imu": samples}
    table(root, "imu", columns)
    return root


def place(target: Path, source: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def table(root: Path, sensor: str, columns: dict[str, Any]) -> None:
    path = root / "data" / sensor / "chunk-0000/chunk_000000.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(arrays(columns)), path)


def depth_of(recording: Recording, slot: str, index: int) -> np.ndarray:
    frame = recording.streams[slot].read(index)
    assert isinstance(frame, DepthFrame)
    return frame.millimetres


def errors(recording: Recording) -> list[str]:
    return [f.message for f in recording.description.findings if f.severity == "error"]


def test_a_session_opens_with_its_cameras_sensors_and_times(tmp_path: Path) -> None:
    root = session(tmp_path / "抓取_000001")
    with open_recording(root) as recording:
        assert not errors(recording)
        assert list(recording.streams) == ["stereo_left", "imu", "right_glove"]
        camera, imu = recording.streams["stereo_left"], recording.streams["imu"]
        assert np.diff(camera.timestamps_ns).tolist() == [PERIOD_NS] * (FRAMES - 1)
        assert camera.description.clock is Clock.HARDWARE
        assert int(imu.timestamps_ns[0]) == int(camera.timestamps_ns[0])
        assert len(imu) == 3 * FRAMES
        assert len(recording.streams["right_glove"]) == FRAMES
        assert isinstance(camera.read(FRAMES - 1), ImageFrame)


def test_a_task_of_sessions_is_a_list_by_their_numbers(tmp_path: Path) -> None:
    for number, name in ((2, "抓取_000002"), (1, "抓取_000001"), (3, "抓取_20260101_101010")):
        session(tmp_path / "抓取" / name, number)
    (tmp_path / "抓取" / "meta").mkdir()
    (tmp_path / "抓取" / "meta/info.json").write_text("{}")
    opened = open_path(tmp_path / "抓取")
    assert isinstance(opened, EpisodeCollection)
    assert [(row.number, row.key) for row in opened.episodes] == [
        (1, "抓取_000001"),
        (2, "抓取_000002"),
        (3, "抓取_20260101_101010"),
    ]
    assert opened.episodes[0].frame_count == FRAMES
    with opened.open(2) as recording:
        assert recording.description.title == "抓取_000002"
    both = open_path(tmp_path)
    assert isinstance(both, EpisodeCollection)
    assert next(row.key for row in both.episodes) == "抓取/抓取_000001"


def test_depth_beside_a_heat_map_in_one_file_is_the_lossless_track(tmp_path: Path) -> None:
    root = session(tmp_path / "t_000001")
    path = root / "depth/d435_depth/d435_depth.mkv"
    path.parent.mkdir(parents=True)
    depth = Clip(codec="ffv1", frames=FRAMES, pixel_format="gray16le")
    write_clips(path, [x264(12, frames=FRAMES), depth])
    with open_recording(root) as recording:
        stream = recording.streams["d435_depth"]
        assert (stream.description.kind, stream.description.encoding) == ("depth", "ffv1")
        assert stream.timestamps_ns.tolist() == recording.streams["stereo_left"].timestamps_ns.tolist()
        assert depth_of(recording, "d435_depth", 3).dtype == np.uint16


def test_numbered_pictures_count_before_a_heat_map(tmp_path: Path) -> None:
    root = session(tmp_path / "t_000001")
    folder = root / "depth/stereo_depth"
    place(folder / "stereo_depth.mp4", clip_file("h264", FRAMES))
    shapes = [gray12_codes(i, (160, 96)).astype(np.uint16) * 3 for i in range(FRAMES)]
    for i, shape in enumerate(shapes, 1):
        cv2.imwrite(str(folder / f"{i:06d}.png"), shape)
    with open_recording(root) as recording:
        assert np.array_equal(depth_of(recording, "stereo_depth", 5), shapes[5])
        stamps = recording.streams["stereo_depth"].timestamps_ns
        assert stamps.tolist() == recording.streams["stereo_left"].timestamps_ns.tolist()


def test_fewer_pictures_than_rows_cannot_be_aligned_and_say_so(tmp_path: Path) -> None:
    root = session(tmp_path / "t_000001")
    for i in range(1, 8):
        path = root / f"depth/stereo_depth/{i:06d}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), np.full((4, 6), i, np.uint16))
    with open_recording(root) as recording:
        description = recording.streams["stereo_depth"].description
        assert description.clock is Clock.NOMINAL
        assert "cannot be aligned" in description.note


def test_raw_depth_has_the_size_that_the_metadata_states(tmp_path: Path) -> None:
    cameras = {"stereo_depth": {"type": "depth", "width": 6, "height": 4}, "other": {"type": "depth"}}
    root = session(tmp_path / "t_000001", cameras=cameras)
    values = np.arange(24, dtype="<u2").reshape(4, 6) + 1
    for slot in ("stereo_depth", "other"):
        path = root / f"depth/{slot}/000001.bin"
        path.parent.mkdir(parents=True)
        path.write_bytes(values.tobytes())
    with open_recording(root) as recording:
        assert np.array_equal(depth_of(recording, "stereo_depth", 0), values)
        assert errors(recording) == ["depth/other: Nothing says how wide its raw pictures are."]


def test_damage_leaves_the_rest(tmp_path: Path) -> None:
    root = session(tmp_path / "t_000001")
    (root / "timestamps.json").write_text('{"timestamps": [')
    (root / "data/right_glove/chunk-0000/chunk_000000.parquet").write_bytes(b"PAR1")
    with open_recording(root) as recording:
        assert len(recording.streams["stereo_left"]) == FRAMES
        told = " ".join(errors(recording))
        assert "timestamps.json" in told
        assert "right_glove" in told
    root = session(tmp_path / "t_000002", created_at=10**400, total_frames=True, episode_index=2.5)
    with open_recording(root) as recording:
        assert len(recording.streams["stereo_left"]) == FRAMES
    with open_path(tmp_path) as sessions:
        assert isinstance(sessions, EpisodeCollection)
        (row,) = (row for row in sessions.episodes if row.key == "t_000002")
        assert (row.start_ns, row.frame_count) == (None, None)
    (root / "metadata.json").write_text("{")
    with open_recording(root) as recording:
        assert len(recording.streams["stereo_left"]) == FRAMES


def test_what_is_no_session_is_not_taken_for_one(tmp_path: Path) -> None:
    folder = tmp_path / "photos_000001"
    folder.mkdir()
    (folder / "metadata.json").write_text('{"camera": "x"}')
    with pytest.raises(NotARecordingError):
        open_path(tmp_path)
    empty = session(tmp_path / "t_000001")
    shutil.rmtree(empty / "videos")
    shutil.rmtree(empty / "data")
    with pytest.raises(DamagedRecordingError, match="Nothing of this session"):
        open_path(empty)
