from __future__ import annotations

import csv
import json
import zipfile
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pyarrow.parquet as pq
import pytest

from hfviewer.cli.main import main
from hfviewer.convert.clip import FPS
from hfviewer.convert.export import safe_name
from hfviewer.convert.run import convert
from hfviewer.core.collection import EpisodeCollection
from hfviewer.core.frame import DepthFrame, ImageFrame, MatrixFrame
from hfviewer.readers.annotations import annotation_store
from hfviewer.readers.hyperframe.verify import verify
from hfviewer.readers.registry import open_path, open_recording
from tests.convert.test_recording_plan import check_same, everything
from tests.readers.episodes.tasks import Task
from tests.recordings import IMU_PERIOD_NS, imu_row, picture, write_small
from tests.recordings import START_NS as SMALL_NS

FRAMES = 30


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write_small(tmp_path / "small.hfr", frames=20)


@pytest.fixture
def task(tmp_path: Path) -> Task:
    made = Task(tmp_path / "杯子")
    videos = {"d435_rgb": "h264", "d435_depth": "depth12"}
    for number in (1, 2):
        made.add(number, frames=FRAMES, videos=videos, columns=everything(FRAMES))
    return made


def export(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, dict[str, Any]]:
    code = main(["export", *map(str, words), "--json"])
    out = capsys.readouterr().out
    return code, json.loads(out)["exported"][0] if out else {}


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main(["export", *map(str, words)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_samples_as_csv_are_exact_and_say_their_frame(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "imu.csv"
    code, done = export(capsys, small, "--csv", "imu", out, "--from", "#10", "--to", "#19")
    assert code == 0
    rows = table(out)
    assert list(rows[0])[:4] == ["timestamp_ns", "seconds", "frame", "accel_x [m/s^2]"]
    assert [int(row["frame"]) for row in rows] == list(range(10, 20))
    assert int(rows[0]["timestamp_ns"]) == SMALL_NS + 10 * IMU_PERIOD_NS
    assert rows[0]["seconds"] == "0.100000000"
    assert [float(v) for v in list(rows[3].values())[3:]] == imu_row(13).tolist()
    assert done["streams"] == [
        {
            "stream": "imu",
            "first_frame": 10,
            "last_frame": 19,
            "first_ns": SMALL_NS + 10 * IMU_PERIOD_NS,
            "last_ns": SMALL_NS + 19 * IMU_PERIOD_NS,
            "frame_count": 10,
        }
    ]


def test_texts_pictures_and_matrices_have_tables_too(
    small: Path, task: Task, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export(capsys, small, "--csv", "notes", tmp_path / "notes.csv")
    assert json.loads(table(tmp_path / "notes.csv")[0]["value"]) == {"weather": "晴"}
    export(capsys, small, "--csv", "cam", tmp_path / "cam.csv")
    assert len(table(tmp_path / "cam.csv")) == 20
    name = "gripper_left_force_matrix"
    export(capsys, task.root, "--episode", 1, "--csv", name, tmp_path / "force.csv")
    rows = table(tmp_path / "force.csv")
    with open_recording(task.root, episode=1) as recording:
        frame = recording.streams[name].read(1)
        assert isinstance(frame, MatrixFrame)
        assert float(rows[1]["sum fz [mN]"]) == pytest.approx(float(frame.values[:, :, 2].sum()))


def test_pictures_are_named_for_what_they_show(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "pictures"
    code, done = export(capsys, small, "--pictures", "cam", folder, "--from", "0.5", "--to", "0.7")
    assert code == 0
    rows = table(folder / "frames.csv")
    assert [int(row["frame"]) for row in rows] == [5, 6, 7]
    assert rows[0]["file"] == f"cam_000005_{SMALL_NS + 500_000_000}.png"
    shown = cv2.imread(str(folder / rows[0]["file"]))
    assert shown is not None
    assert np.array_equal(shown, picture(5))
    assert done["streams"][0]["frame_count"] == 3
    export(capsys, small, "--pictures", "depth", tmp_path / "depth")
    first = cv2.imread(str(tmp_path / "depth" / table(tmp_path / "depth/frames.csv")[0]["file"]), -1)
    assert first is not None
    assert first.dtype == np.uint16
    assert "exists already" in refused(capsys, small, "--pictures", "cam", folder)
    assert "no pictures" in refused(capsys, small, "--pictures", "imu", tmp_path / "none")


def test_a_slice_is_a_recording_of_its_own(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "slice.hfr"
    code, done = export(capsys, small, "--slice", out, "--from", "+0.5s", "--to", "+0.9s")
    assert code == 0
    assert verify(out).ok
    with open_recording(small) as before, open_recording(out) as after:
        assert [len(after.streams[name]) for name in ("cam", "depth", "imu")] == [5, 4, 41]
        for name in ("cam", "imu", "lidar"):
            start = int(before.streams[name].timestamps_ns.searchsorted(after.streams[name].timestamps_ns[0]))
            for index in range(len(after.streams[name])):
                assert after.streams[name].payload(index) == before.streams[name].payload(start + index)
    assert next(s for s in done["streams"] if s["stream"] == "cam")["first_frame"] == 5


def test_labels_of_a_slice_count_its_frames_and_keep_their_colours(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spans = {
        "inside": ("#6", "#7"),
        "over its end": ("#8", "#15"),
        "gone": ("#1", "#2"),
        "begun": ("#4", "#7"),
    }
    for name, (first, last) in spans.items():
        words = ["--track", "drive", "--label", name, "--start", first, "--end", last, "--stream", "cam"]
        assert main(["labels", "add", str(small), *words]) == 0
    capsys.readouterr()
    out = tmp_path / "slice.hfr"
    code, done = export(capsys, small, "--slice", out, "--from", "+0.5s", "--to", "+0.9s")
    assert code == 1
    assert [line for line in done["problems"] if line.startswith("1 label left out (begun before")]
    with open_recording(out) as part:
        cam = part.streams["cam"].timestamps_ns
        stored = annotation_store(part).load().annotations
    found = {a.label: (a.first_frame, a.last_frame) for a in stored}
    assert found == {"inside": (1, 2), "over its end": (3, 4)}
    assert int(cam[1]) == next(a.start_ns for a in stored if a.label == "inside")
    assert not stored.unknown_labels
    assert [label.hotkey for label in stored.schema.labels] == ["1", "2", "3", "4"]


def test_labels_that_a_conversion_leaves_behind_are_told(task: Task, tmp_path: Path) -> None:
    words = ["--episode", "1", "--track", "t", "--label", "l", "--start", "0.1"]
    assert main(["labels", "add", str(task.root), *words]) == 0
    told = {n: convert(task.root, tmp_path / f"{n}.hfr", episode=n).notes for n in (1, 2)}
    assert [note for note in told[1] if note.startswith("Not taken along: 1 label;")]
    assert not told[2]


def test_a_slice_of_video_begins_at_the_key_frame_before(
    task: Task, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, again = tmp_path / "slice.hfr", tmp_path / "again.hfr"
    code, done = export(capsys, task.root, "--episode", 2, "--slice", out, "--from", "0.6", "--to", "0.8")
    assert code == 0
    assert next(s for s in done["streams"] if s["stream"] == "d435_rgb")["first_frame"] == 12
    assert export(capsys, out, "--slice", again, "--from", "#5")[0] == 0
    with open_recording(task.root, episode=2) as before:
        whole = before.streams["d435_rgb"]
        for path in (out, again):
            with open_recording(path) as after:
                part = after.streams["d435_rgb"]
                for index in range(len(part)):
                    place = int(whole.timestamps_ns.searchsorted(part.timestamps_ns[index]))
                    one, other = part.read(index), whole.read(place)
                    assert isinstance(one, ImageFrame)
                    assert isinstance(other, ImageFrame)
                    assert np.array_equal(one.pixels, other.pixels)
                depth = after.streams["d435_depth"].read(len(after.streams["d435_depth"]) - 1)
                assert isinstance(depth, DepthFrame)


def test_a_clip_shows_all_pictures_by_real_time(
    task: Task, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "clip.mp4"
    code, done = export(capsys, task.root, "--episode", 1, "--clip", out)
    assert code == 0
    with av.open(str(out)) as clip:
        pictures = [frame.to_ndarray(format="bgr24") for frame in clip.decode(video=0)]
    assert len(pictures) == done["pictures"]
    assert done["fps"] == FPS
    assert abs(len(pictures) - FRAMES) <= 1
    assert {s["stream"] for s in done["streams"]} == {"d435_rgb", "d435_depth"}
    width = pictures[0].shape[1]
    left, right = pictures[10][30:, : width // 2], pictures[10][30:, width // 2 :]
    assert left.std() > 10
    assert right.std() > 10
    assert "exists already" in refused(capsys, task.root, "--episode", 1, "--clip", out)
    assert list(tmp_path.glob(".*")) == []


def test_the_zip_of_an_episode_opens_as_a_task_with_that_one_episode(
    task: Task, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (task.root / "meta/episodes/.lock").write_bytes(b"")
    code, done = export(capsys, task.root, "--episode", 2, "--episode-zip", tmp_path / "out")
    assert code == 0
    path = tmp_path / "out" / "杯子_ep000001.zip"
    assert done["output"] == str(path)
    with zipfile.ZipFile(path) as archive:
        assert all(item.compress_type == zipfile.ZIP_STORED for item in archive.infolist())
        assert (
            sorted(archive.namelist())
            == done["files"]
            == [
                "data/chunk-000/episode-001.parquet",
                "meta/episodes/chunk-000/episode-001.parquet",
                "meta/info.json",
                "meta/tasks.jsonl",
                "videos/chunk-000/d435_depth/episode-001.mp4",
                "videos/chunk-000/d435_rgb/episode-001.mp4",
            ]
        )
        archive.extractall(tmp_path / "again")
        assert b"somebody" not in path.read_bytes()
    again = tmp_path / "again"
    with open_recording(task.root, episode=2) as before, open_recording(again, episode=2) as after:
        check_same(before, after)
        assert not [f for f in after.description.findings if f.severity == "error"]
    codec = pq.read_table(tmp_path / "again" / done["files"][1])["video_codec"][0].as_py()
    assert json.loads(codec)["ffmpeg"] == "ffmpeg"
    assert "exists already" in refused(capsys, task.root, "--episode", 2, "--episode-zip", tmp_path / "out")


def test_rows_of_a_shard_are_cut_out_and_renamed(
    task: Task, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import pyarrow as pa

    for part in ("data", "meta/episodes"):
        tables = [pq.read_table(task.path(part, number)) for number in (1, 2)]
        for number in (1, 2):
            task.path(part, number).unlink()
        task.write_table(f"{part}/chunk-000/file-000.parquet", pa.concat_tables(tables))
    code, done = export(capsys, task.root, "--episode", 2, "--episode-zip", tmp_path / "out")
    assert code == 0
    assert "data/chunk-000/episode-001.parquet" in done["files"]
    assert "meta/episodes/chunk-000/episode-001.parquet" in done["files"]
    with zipfile.ZipFile(done["output"]) as archive:
        archive.extractall(tmp_path / "again")
    opened = open_path(tmp_path / "again")
    assert isinstance(opened, EpisodeCollection)
    assert [row.number for row in opened.episodes] == [2]
    with open_recording(task.root, episode=2) as before, opened.open(2) as after:
        check_same(before, after)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Nothing to export"),
        (["--csv", "nothing", "{out}/a.csv"], "no stream 'nothing'"),
        (["--csv", "imu", "{out}/a.csv", "--from", "1.0", "--to", "0.5"], "before --from"),
        (["--csv", "imu", "{out}/a.csv", "--from", "ns:5", "--to", "ns:6"], "no frames in that time"),
        (["--episode-zip", "{out}"], "not a task"),
        (["--csv", "imu", "{out}/no/such/folder/a.csv"], "cannot be written"),
        (["--slice", "{small}"], "exists already"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    before = small.read_bytes()
    assert said in refused(capsys, small, *(w.format(out=tmp_path, small=small) for w in words))
    assert small.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["small.hfr"]


def test_frames_that_cannot_be_read_are_told_and_the_rest_is_written(
    task: Task, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task.add(1, frames=FRAMES, videos={"d435_rgb": "h264:28"})
    code, done = export(capsys, task.root, "--episode", 1, "--pictures", "d435_rgb", tmp_path / "p")
    assert code == 1
    assert len(table(tmp_path / "p/frames.csv")) == 28
    assert len(done["problems"]) == 2


def test_names_of_streams_become_names_of_files() -> None:
    assert safe_name("status/右手套") == "status_右手套"
    assert safe_name("../../etc") == "_.._etc"
    assert safe_name("///") == "_"
    assert safe_name("..") == "stream"
