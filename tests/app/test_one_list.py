"""Lanes, panel and command line tell one list of findings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from hfviewer.cli.main import main
from hfviewer.panels.findings.rows import FindingRow
from tests.app.test_main_window import MakeWindow, open_in
from tests.recordings import write_small


def test_lanes_panel_and_json_agree(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_small(tmp_path / "small.hfr", frames=60, lost=frozenset({7, 8, 20, 31, 32, 33}))
    window = make_window()
    open_in(qtbot, window, path)
    qtbot.waitUntil(lambda: window.workspace.checked, timeout=10_000)
    window.timeline.canvas.finish_scan()
    assert main(["check", str(path), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    table = window.findings.table
    rows = [table.row(table.index(i)) for i in range(table.rowCount())]
    listed = {
        (r.finding.code, r.finding.stream, r.finding.message) for r in rows if isinstance(r, FindingRow)
    }
    assert listed == {(f["code"], f["stream"], f["message"]) for f in told["findings"]}
    lanes = {lane.name: int(lane.marks.gaps.lost_before[-1]) for lane in window.timeline.canvas.lanes}
    assert lanes["cam"] == 6
    spans = {(f["start_ns"], f["end_ns"]) for f in told["findings"] if f["code"] == "missing_frames"}
    gaps = next(lane.marks.gaps for lane in window.timeline.canvas.lanes if lane.name == "cam")
    assert spans == set(zip(gaps.start_ns.tolist(), gaps.end_ns.tolist(), strict=True))
    strip = {(finding.code, finding.stream) for finding in window.timeline.canvas.strip.findings}
    assert strip == {(f["code"], f["stream"]) for f in told["findings"] if f["start_ns"] is not None}
