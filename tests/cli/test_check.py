from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from hfviewer.cli.main import main
from hfviewer.core.stream import Channel, Clock, StreamDescription, StreamKind
from hfviewer.quality.batch import Options, check_many
from hfviewer.quality.job import Job
from hfviewer.readers.hyperframe.writer import HyperframeWriter
from tests.recordings import START_NS, write_small

KEYS = {
    "path": str,
    "verdict": str,
    "streams": list,
    "sync": list,
    "windows": dict,
    "findings": list,
}
STREAM_KEYS = {
    *("name", "frame_count", "period_ns", "rate_hz", "missing_frames", "gaps", "duplicate_timestamps"),
    *("duplicate_frames", "out_of_order", "interval_ns"),
}


def write_imu(path: Path, lost: tuple[int, ...] = (), count: int = 100) -> Path:
    description = StreamDescription(
        name="imu", kind=StreamKind.IMU, encoding="f64", clock=Clock.HARDWARE, channels=(Channel("x"),)
    )
    with HyperframeWriter(path, 100_000_000) as writer:
        writer.add_stream(description)
        for index in range(count):
            if index not in lost:
                writer.append("imu", START_NS + index * 10_000_000, np.zeros(1).tobytes(), sequence=index)
    return path


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code = main(["check", "--json", *words])
    return code, json.loads(capsys.readouterr().out)


def test_a_sound_recording_is_ok(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_small(tmp_path / "a.hfr")
    code, document = run_json(capsys, str(path))
    assert (code, document["verdict"], document["findings"]) == (0, "ok", [])
    assert {key: type(document[key]) for key in KEYS} == KEYS
    for stream in document["streams"]:
        assert set(stream) >= STREAM_KEYS
        assert set(stream["interval_ns"]) == {"p50", "p95", "p99", "max"}
    assert {error["reference"] for error in document["sync"]} == {"cam"}
    assert document["windows"]["count"] > 0
    assert set(document["windows"]["empty"]) == {stream["name"] for stream in document["streams"]}


def test_lost_frames_are_told_with_place_number_and_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_imu(tmp_path / "a.hfr", lost=(40, 41, 42))
    code, document = run_json(capsys, str(path))
    assert (code, document["verdict"]) == (1, "findings")
    (stream,) = document["streams"]
    assert stream["missing_frames"] == 3
    (gap,) = stream["gaps"]
    assert gap["start_ns"] == START_NS + 39 * 10_000_000
    assert gap["end_ns"] == START_NS + 43 * 10_000_000
    assert (gap["missing"], gap["evidence"]) == (3, ["sequence", "interval"])
    (finding,) = document["findings"]
    assert set(finding) == {
        *("code", "severity", "stream", "start_ns", "end_ns", "first_frame", "last_frame"),
        *("message", "evidence"),
    }
    assert (finding["code"], finding["severity"]) == ("missing_frames", "error")


def test_text_says_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(write_imu(tmp_path / "a.hfr", lost=(40, 41, 42)))]) == 1
    text = capsys.readouterr().out
    assert "error: Missing frames: imu: 3 frames lost after #39." in text
    assert "1 error; 3 frames lost." in text
    assert main(["check", str(write_imu(tmp_path / "b.hfr"))]) == 0
    assert "Nothing is wrong." in capsys.readouterr().out


def test_what_cannot_be_read_ends_with_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "a.hfr"
    broken.write_bytes(b"HFRM" + bytes(100))
    assert main(["check", "--json", str(broken)]) == 2
    captured = capsys.readouterr()
    assert json.loads(captured.out)["verdict"] == "unreadable"
    assert captured.err.startswith("hfviewer: ")
    assert captured.err.count("\n") == 1
    assert main(["check", str(tmp_path / "none.hfr")]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)


def test_a_folder_gives_a_row_for_each_and_a_damaged_one_is_a_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_imu(tmp_path / "a.hfr")
    (tmp_path / "deep").mkdir()
    write_imu(tmp_path / "deep" / "b.hfr", lost=(20,))
    (tmp_path / "c.hfr").write_bytes((tmp_path / "a.hfr").read_bytes()[:600])
    code, document = run_json(capsys, str(tmp_path))
    rows = {Path(row["path"]).name: row["verdict"] for row in document["recordings"]}
    assert (code, rows) == (1, {"a.hfr": "ok", "b.hfr": "findings", "c.hfr": "unreadable"})
    assert {row["episode"] for row in document["recordings"]} == {None}  # each path says it all


def test_several_paths_are_told_in_their_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(write_imu(tmp_path / f"{name}.hfr")) for name in "cab"]
    code, document = run_json(capsys, *paths, str(tmp_path / "none.hfr"))
    told = [(row["path"], row["verdict"]) for row in document["recordings"]]
    assert code == 1
    assert told == [*((path, "ok") for path in paths), (str(tmp_path / "none.hfr"), "unreadable")]


def test_many_are_checked_on_several_processes_in_order(tmp_path: Path) -> None:
    jobs = []
    for index in range(12):
        path = write_imu(tmp_path / f"{index}.hfr", lost=(index + 1,), count=30)
        if index == 5:
            path.write_bytes(path.read_bytes()[:700])
        jobs.append(Job(path=str(path)))
    told: list[tuple[int, int]] = []
    outcomes = list(check_many(jobs, Options(jobs=2), progress=lambda *done: told.append(done)))
    assert [outcome.job for outcome in outcomes] == jobs
    assert [outcome.verdict for outcome in outcomes].count("unreadable") == 1
    assert outcomes[5].verdict == "unreadable"
    assert [o.frames_lost for o in outcomes] == [0 if i == 5 else 1 for i in range(12)]
    assert told == [(done, 12) for done in range(1, 13)]


def test_another_reference_can_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_small(tmp_path / "a.hfr")
    _, document = run_json(capsys, str(path), "--reference", "lidar")
    assert {error["reference"] for error in document["sync"]} == {"lidar"}
    depth = next(error for error in document["sync"] if error["stream"] == "depth")
    assert depth["median_ns"] == depth["max_ns"] == 15_000_000
    assert main(["check", str(path), "--reference", "nobody"]) == 2
    assert "Streams: cam" in capsys.readouterr().err


def test_a_profile_demands_streams_and_rates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_small(tmp_path / "a.hfr")
    profile = tmp_path / "p.toml"
    profile.write_text(
        '[[expect]]\nstream = "cam"\nrate_hz = 30\ntolerance_percent = 2\n[[expect]]\nstream = "gps"\n'
    )
    code, document = run_json(capsys, str(path), "--profile", str(profile))
    told = [(f["code"], f["stream"], f["severity"]) for f in document["findings"]]
    assert code == 1
    assert sorted(told) == [("irregular_rate", "cam", "error"), ("missing_stream", "gps", "error")]
    profile.write_text('[severity]\nmissing_stream = "off"\n[[expect]]\nstream = "gps"\n')
    assert run_json(capsys, str(path), "--profile", str(profile))[0] == 0
    profile.write_text("[limits]\nlate_start_s = 3\n")
    assert main(["check", str(path), "--profile", str(profile)]) == 2
    assert "limits.late_start_s is unknown. Known: late_start_ms" in capsys.readouterr().err


def test_a_build_server_reads_the_junit_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_imu(tmp_path / "a.hfr", lost=(40, 41))
    write_imu(tmp_path / "b.hfr")
    report = tmp_path / "out.xml"
    assert main(["check", str(tmp_path), "--junit", str(report)]) == 1
    root = ElementTree.fromstring(report.read_bytes())
    assert (root.get("failures"), root.get("errors"), len(root)) == ("1", "0", 2)
    (failed,) = root.findall(".//failure")
    assert failed.get("message") == "Missing frames: 2 frames lost after #39."
    assert main(["check", str(tmp_path), "--junit", str(tmp_path / "a.hfr")]) == 2
    assert "must name a file that ends in .xml" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--jobs", "0"], ["--episode", "1"]])
def test_what_makes_no_sense_is_refused(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(write_imu(tmp_path / "a.hfr")), *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_report_is_one_page_and_must_be_named_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_imu(tmp_path / "a.hfr", lost=(40, 41, 42))
    report = tmp_path / "out.html"
    assert main(["check", str(path), "--deep", "--jobs", "1", "--report", str(report)]) == 1
    assert "3 frames lost after #39." in report.read_text(encoding="utf-8")
    before = path.read_bytes()
    assert main(["check", str(path), "--report", str(path)]) == 2
    assert path.read_bytes() == before
    assert main(["check", str(path), "--report", str(tmp_path / "none" / "a.html")]) == 2
    assert "The report cannot be written" in capsys.readouterr().err
