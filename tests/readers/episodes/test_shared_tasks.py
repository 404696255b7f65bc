"""Everything that is known about the shared example tasks holds through the reader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hfviewer.core.frame import DepthFrame, ImageFrame, SampleFrame
from hfviewer.core.recording import Recording
from hfviewer.core.stream import Clock, StreamKind
from tests.readers.episodes.shared import (
    FOLDER,
    TASKS,
    bar_code,
    episodes,
    expected,
    needs_data,
    open_task,
    truth,
)

pytestmark = needs_data


@pytest.fixture(params=episodes(), ids=lambda p: f"{p[0]}-{p[1]}")
def episode(request: pytest.FixtureRequest) -> Any:
    task, number = request.param
    with open_task(task) as collection, collection.open(number) as recording:
        yield recording, expected(task, number)


def pixels(recording: Recording, key: str, index: int) -> np.ndarray:
    frame = recording.streams[key].read(index)
    assert isinstance(frame, ImageFrame)
    return frame.pixels


def depth(recording: Recording, key: str, index: int) -> DepthFrame:
    frame = recording.streams[key].read(index)
    assert isinstance(frame, DepthFrame)
    return frame


@pytest.mark.parametrize("task", TASKS)
def test_the_list_says_what_the_recorder_noted(task: str) -> None:
    known = truth()[task]
    with open_task(task) as collection:
        rows = collection.episodes
        assert collection.task == task
        assert [row.number for row in rows] == [e["episode_index"] for e in known["episodes"]]
        assert len(rows) == known["info_total_episodes"]
        assert all(row.ok for row in rows), [row.problem for row in rows]
        for row, e in zip(rows, known["episodes"], strict=True):
            assert row.frame_count == e.get("meta_length", e["rows"])
            assert set(e["video_frames"]) <= set(row.streams)
            assert row.name == f"{task}_ep{row.number - 1:06d}"
        assert not any("head_depth" in row.streams for row in rows)


def test_every_stream_has_the_frames_that_were_written(episode: Any) -> None:
    recording, e = episode
    pictures = (StreamKind.IMAGE, StreamKind.DEPTH)
    videos = {k: len(s) for k, s in recording.streams.items() if s.description.kind in pictures}
    assert videos == e["video_frames"]
    assert not any(f.severity == "error" for f in recording.description.findings)
    for stream in recording.streams.values():
        assert (np.diff(stream.timestamps_ns) >= 0).all()


def test_every_picture_shows_the_physical_frame_that_it_should(episode: Any) -> None:
    recording, e = episode
    if "rgb_barcode" in e:
        codes = {e["rgb_barcode"]["key"]: e["rgb_barcode"]["per_row_physical_frame"]}
        rule = e["rgb_barcode"]
    else:
        rule = e["barcodes"]
        codes = {key: rule[key] for key in e["video_frames"]}
    for key, wanted in codes.items():
        found = [
            bar_code(pixels(recording, key, i), block_px=rule["block_px"], bright=rule["mid_level"])
            for i in range(len(wanted))
        ]
        assert found == wanted


def test_every_depth_frame_shows_the_physical_frame_that_it_should(episode: Any) -> None:
    recording, e = episode
    if "depth_barcode" not in e:
        pytest.skip("an episode without depth")
    rule = e["depth_barcode"]
    wanted = rule["per_depth_frame_physical_frame"]
    found = [
        bar_code(
            depth(recording, rule["key"], i).millimetres, block_px=rule["block_px"], bright=rule["mid_mm"]
        )
        for i in range(len(wanted))
    ]
    assert found == wanted


def test_depth_is_right_to_the_tolerance_and_holes_stay_holes(episode: Any) -> None:
    recording, e = episode
    if "depth_samples" not in e:
        pytest.skip("an episode without depth")
    key = e["depth_barcode"]["key"]
    for sample in e["depth_samples"]:
        found = int(depth(recording, key, sample["depth_frame"]).millimetres[sample["y"], sample["x"]])
        if sample["true_mm"] == 0 or (sample["decoded_mm"] <= 110 and not e.get("depth_lossless")):
            assert found == 0
        else:
            assert found == sample["decoded_mm"]
            assert abs(found - sample.get("ideal_mm", sample["true_mm"])) <= sample.get("tolerance_mm", 0)


def test_depth_belongs_to_the_rows_from_its_first_frame_on(episode: Any) -> None:
    recording, e = episode
    if "depth_barcode" not in e:
        pytest.skip("an episode without depth")
    rgb, deep = (recording.streams[e[k]["key"]] for k in ("rgb_barcode", "depth_barcode"))
    late = e["depth_frame_0_belongs_to_row"]
    assert deep.sequence.tolist() == rgb.sequence[late:].tolist()
    assert deep.timestamps_ns.tolist() == rgb.timestamps_ns[late:].tolist(), "a row's picture and depth"


def test_colours_are_those_that_were_painted(episode: Any) -> None:
    recording, e = episode
    known = e.get("rgb_patches", [])
    patches = known if isinstance(known, list) else [known]
    limit = truth()["_general"]["rgb_patch_tolerance_per_channel"]
    for part in patches:
        first = pixels(recording, part["key"], 0)
        for item in part["items"]:
            around = first[item["y"] - 4 : item["y"] + 4, item["x"] - 4 : item["x"] + 4].reshape(-1, 3)
            assert np.abs(around.mean(axis=0) - item["bgr"]).max() <= limit


def test_what_the_recorder_noted_of_lost_and_repeated_frames_is_kept(episode: Any) -> None:
    recording, e = episode
    if "rgb_gap_rows" not in e:
        assert all(s.recorder_evidence is None for s in recording.streams.values())
        return
    for part in ("rgb", "depth"):
        evidence = recording.streams[e[f"{part}_barcode"]["key"]].recorder_evidence
        assert evidence is not None
        gaps = {str(i): int(n) for i, n in enumerate(evidence.missing_before) if n}
        assert gaps == e[f"{part}_gap_rows"]
        assert np.flatnonzero(evidence.duplicate).tolist() == e[f"{part}_dup_rows"]
        assert int(evidence.missing_before.sum()) == e[f"{part}_frames_lost_total"]


def test_counters_of_frames_are_findings_and_others_are_not_taken_for_frames(episode: Any) -> None:
    recording, e = episode
    drops = [
        f for f in recording.description.findings if f.code == "recorder_drop" and f.severity == "warning"
    ]
    counted = sum(int(f.message.split("counted ")[1].split()[0]) for f in drops)
    assert counted == e.get("drop_stats_frames_total", e.get("drop_frames_total", 0))


def test_a_stall_shows_in_the_times_to_the_nanosecond(episode: Any) -> None:
    recording, e = episode
    for gap in e.get("gaps", []):
        stamps_ns = recording.streams["d435_rgb"].timestamps_ns
        assert int(np.diff(stamps_ns)[gap["row"] - 1]) == gap["interval_ns"]


def test_frames_lie_on_one_wall_clock(episode: Any) -> None:
    recording, e = episode
    span = recording.description.span
    assert 1_790_000_000 < span.start_ns / 1e9 < 1_790_003_000
    for key in e["video_frames"]:
        description = recording.streams[key].description
        assert description.clock is Clock.HARDWARE
        assert "wall" in description.note


def test_a_clock_that_was_set_loses_no_frames(episode: Any) -> None:
    recording, e = episode
    jump = e.get("imu", {}).get("clock_jump")
    found = [f for f in recording.description.findings if f.code == "clock_step"]
    if jump is None:
        assert not found
        return
    before, after = jump["between_left_frames"]
    assert (found[0].first_frame, found[0].last_frame) == (before, after)
    intervals = np.diff(recording.streams["stereo_left"].timestamps_ns)
    assert intervals.max() < 35_000_000
    imu = recording.streams["imu"]
    assert np.diff(imu.timestamps_ns).max() < 10_000_000, "its samples jumped with the clock"


def test_the_imu_has_the_samples_values_and_stamps_that_were_recorded(episode: Any) -> None:
    recording, e = episode
    if "imu" not in e:
        pytest.skip("an episode without IMU")
    known, imu = e["imu"], recording.streams["imu"]
    assert len(imu) == known["samples"]
    assert [c.name.split("_")[0][0] + c.name[-1] for c in imu.description.channels] == known["order"]
    stamps_ns, values = imu.samples(int(imu.timestamps_ns[0]), int(imu.timestamps_ns[-1]) + 1)
    offset_ns = imu.description.extra["clock_offset_ns"]
    for picked in known["picked"]:
        place = int(np.flatnonzero(imu.sequence == picked["flat_index"])[0])
        assert values[place].tolist() == picked["value"]
        frame = imu.read(place)
        assert isinstance(frame, SampleFrame)
        assert frame.values[0].tolist() == picked["value"]
        if not known.get("clock_jump"):
            assert int(stamps_ns[place]) - offset_ns == picked["ts_ns"]
    if not known.get("clock_jump"):
        assert int(stamps_ns[-1]) - int(stamps_ns[0]) == known["last_ts_ns"] - known["first_ts_ns"]
    repeated = int((np.diff(stamps_ns) == 0).sum())
    assert repeated == known.get("duplicate_timestamps", 0)
    for name, found in (
        ("mean", values.mean(axis=0)),
        ("std_population", values.std(axis=0)),
        ("min", values.min(axis=0)),
        ("max", values.max(axis=0)),
    ):
        np.testing.assert_allclose(found, known[name], rtol=1e-5, atol=1e-6)


def test_rows_of_a_stereo_pair_are_told_apart_and_stay_together(episode: Any) -> None:
    recording, e = episode
    if "rows_per_slot" not in e:
        pytest.skip("one row a tick")
    left, right = (recording.streams[key] for key in ("stereo_left", "stereo_right"))
    assert {"stereo_left": len(left), "stereo_right": len(right)} == e["rows_per_slot"]
    assert np.isin(right.timestamps_ns, left.timestamps_ns).all(), "they were taken together"


def test_statistics_of_the_task_agree_with_its_episodes() -> None:
    total = 0
    with open_task("bench_stereo_imu") as collection:
        for row in collection.episodes:
            with collection.open(row.number) as recording:
                total += len(recording.streams["imu"])
    assert total == truth()["bench_stereo_imu"]["stats_imu_count"]


def test_nothing_is_ever_written_into_a_task() -> None:
    before = {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in Path(FOLDER).rglob("*")}
    for task in TASKS:
        with open_task(task) as collection, collection.open(1) as recording:
            for stream in recording.streams.values():
                if len(stream):
                    stream.read(0)
    assert {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in Path(FOLDER).rglob("*")} == before
