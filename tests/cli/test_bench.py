from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from hfviewer.app import bench, bench_reading
from hfviewer.cli.main import main
from tests.recordings import write_small

KEYS = {
    "open_ms",
    "index_read_ms",
    "entries",
    "random_read_us",
    "bare_read_us",
    "window_read_ratio",
    "decode_ms",
    "seek_to_painted_ms",
    "slowest_decode_ms",
    "stall_ms",
    "painted",
    "requested",
}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure so little that a test has the time for it."""
    for module, name, value in (
        (bench, "_SEEKS", 2),
        (bench, "_SCRUB_S", 0.3),
        (bench_reading, "_READS", 10),
        (bench_reading, "_WINDOWS", 3),
        (bench_reading, "_REPEATS", 2),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.mark.usefixtures("quick")
def test_the_document_has_the_keys_of_the_contract_and_figures_that_fit_together(
    qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_small(tmp_path / "small.hfr", frames=6)
    assert main(["bench", str(path), "--json"]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert set(document) >= KEYS
    assert document["entries"] == 4 * 6 + 10 * 6 + 1
    assert set(document["decode_ms"]) == {"cam", "depth", "lidar", "imu", "pose", "notes"}
    assert document["slowest_decode_ms"] == max(document["decode_ms"].values())
    for key in ("random_read_us", "bare_read_us", "seek_to_painted_ms"):
        assert 0 < document[key]["p50"] <= document[key]["p99"]
    assert set(document["stall_ms"]) == {"p99", "max"}
    assert document["stall_ms"]["p99"] <= document["stall_ms"]["max"]
    assert document["open_ms"] > 0
    assert document["index_read_ms"] > 0
    assert document["window_read_ratio"] > 0
    assert 0 < document["painted"] <= document["requested"]


@pytest.mark.usefixtures("quick")
def test_people_get_one_line_a_figure(
    qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_small(tmp_path / "small.hfr", frames=2)
    assert main(["bench", str(path)]) == 0
    names = {line.split()[0] for line in capsys.readouterr().out.splitlines()}
    assert names >= KEYS


def test_what_cannot_be_opened_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", str(tmp_path / "absent.hfr"), "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
