"""The command line over the shared example tasks, held against the truth about them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hfviewer.cli.main import main
from tests.readers.episodes.shared import FOLDER, TASKS, bar_code, episodes, expected, needs_data, truth
from tests.readers.episodes.tasks import Task

FIRST = ["--stream", "cam_rgb", "--index", "0", "--out", "{out}"]


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, Any]:
    code = main([str(word) for word in words])
    out = capsys.readouterr().out
    return code, json.loads(out) if out.startswith(("{", "[")) else out


@needs_data
@pytest.mark.parametrize("task", TASKS)
def test_info_lists_a_task_as_the_recorder_left_it(task: str, capsys: pytest.CaptureFixture[str]) -> None:
    known = truth()[task]
    code, document = run(capsys, "info", FOLDER / task, "--json")
    assert code == 0
    assert (document["kind"], document["task"]) == ("collection", task)
    assert document["episode_count"] == known["info_total_episodes"]
    for row, e in zip(document["episodes"], known["episodes"], strict=True):
        assert row["number"] == e["episode_index"]
        assert row["frame_count"] == e.get("meta_length", e["rows"])
        assert row["ok"]
        assert set(e["video_frames"]) <= set(row["streams"])


@needs_data
@pytest.mark.parametrize(("task", "number"), episodes())
def test_info_of_an_episode_counts_what_is_there(
    task: str, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    e = expected(task, number)
    code, document = run(capsys, "info", FOLDER / task, "--episode", number, "--json")
    assert code == 0 or e.get("drop_frames_total")
    assert (document["format"], document["kind"]) == ("episodes", "recording")
    counts = {s["name"]: s["frame_count"] for s in document["streams"]}
    assert {key: counts[key] for key in e["video_frames"]} == e["video_frames"]
    if "imu" in e:
        assert counts["imu"] == e["imu"]["samples"]
        _, document = run(capsys, "info", FOLDER / task, "--episode", number, "--json", "--statistics")
        found = next(s["statistics"] for s in document["streams"] if s["name"] == "imu")
        assert found["count"] == e["imu"]["samples"]
        for ours, theirs in (("mean", "mean"), ("std", "std_population"), ("min", "min"), ("max", "max")):
            assert found[ours] == pytest.approx(e["imu"][theirs], rel=1e-5, abs=1e-6)
    assert all(s["note"] for s in document["streams"] if s["name"] in e["video_frames"])


@needs_data
@pytest.mark.parametrize(("task", "number"), episodes())
def test_frame_gives_pictures_depth_and_samples(
    task: str, number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    e = expected(task, number)
    out = tmp_path / "frame.npy"

    def frame(stream: str, index: int, *more: str) -> tuple[dict[str, Any], np.ndarray]:
        words = ["frame", FOLDER / task, "--episode", number, "--stream", stream, "--index", index]
        code, document = run(capsys, *words, "--out", out, *more)
        assert code == 0
        return document, np.load(out)

    rule: dict[str, Any] = e["rgb_barcode"] if "rgb_barcode" in e else e["barcodes"]
    key = rule.get("key", "stereo_right")
    codes: list[int] = rule["per_row_physical_frame"] if "rgb_barcode" in e else rule[key]
    for index in (0, 77 % len(codes), len(codes) - 1):
        document, pixels = frame(key, index)
        assert document["shape"] == list(pixels.shape)
        assert bar_code(pixels, block_px=rule["block_px"], bright=rule["mid_level"]) == codes[index]
    if "depth_samples" in e:
        sample = e["depth_samples"][0]
        key = e["depth_barcode"]["key"]
        _, millimetres = frame(key, sample["depth_frame"])
        assert int(millimetres[sample["y"], sample["x"]]) == sample["decoded_mm"]
        _, stored = frame(key, sample["depth_frame"], "--stored")
        assert stored.dtype == np.uint16
        assert (int(stored.max()) <= 4095) == (not e.get("depth_lossless"))
    if "imu" in e:
        for picked in e["imu"]["picked"]:
            document, values = frame("imu", picked["flat_index"])
            assert values[0].tolist() == picked["value"]
            assert document["sequence"] == picked["flat_index"]


@needs_data
@pytest.mark.parametrize("task", TASKS)
def test_verify_finds_the_examples_whole(task: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(capsys, "verify", FOLDER / task, "--episode", 1, "--json")
    assert (code, document["ok"], document["bad"]) == (0, True, [])
    assert document["frames_checked"] > 100


def test_verify_names_what_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = Task(tmp_path / "t")
    task.add(1, videos={"cam_rgb": "h264:10"})
    code, document = run(capsys, "verify", task.root, "--episode", 1, "--json")
    assert code == 1
    assert {(part["stream"], part["index"]) for part in document["bad"]} >= {("cam_rgb", 10), ("cam_rgb", 11)}
    assert main(["verify", str(task.root), "--episode", "1"]) == 1
    assert "cam_rgb, frame 10: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["frame", "{path}", "--stream", "cam_rgb", "--index", "0", "--out", "{out}"],
            "folder of 2 episodes",
        ),
        (
            ["frame", "{path}", "--episode", "9", "--stream", "x", "--index", "0", "--out", "{out}"],
            "no episode 9",
        ),
        (["info", "{path}", "--revision", "1"], "no revisions"),
        (["convert", "{path}", "{out}.hfr"], "Choose one with --episode"),
        (["verify", "{path}"], "Choose one with --episode"),
        (["export", "{path}", "--csv", "cam_rgb", "{out}"], "Choose one with --episode"),
        (["export", "{path}", "--episode-zip", "{out}"], "Choose one with --episode"),
    ],
)
def test_which_episode_is_asked_for_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    task = Task(tmp_path / "t")
    task.add(1)
    task.add(2)
    filled = [word.format(path=task.root, out=tmp_path / "out.npy") for word in words]
    assert main(filled) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
