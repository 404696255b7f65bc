from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import pytest

from hfviewer.cli.common import (
    add_reading,
    exit_code,
    index_on_screen,
    open_for,
    print_json,
    print_line,
    print_table,
    time_on,
)
from hfviewer.core.errors import UsageError
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.text import counted
from tests.playback.fakes import FakeRecording, FakeStream, every
from tests.recordings import write_small

START_NS = 1_700_000_000_000_000_000
EMPTY = FakeStream("empty", np.empty(0, np.int64))
CAM = FakeStream("cam", every(100_000_000, 5))
LATE = FakeStream("late", every(100_000_000, 5, start_ns=START_NS + 7))
RECORDING = FakeRecording(EMPTY, CAM, LATE)


def finding(severity: Severity) -> Finding:
    return Finding(code="truncated", severity=severity, message="It is cut off.", stream="cam", start_ns=5)


@pytest.mark.parametrize(
    ("text", "offset_ns"),
    [("0.25", 250_000_000), ("+3s", 3_000_000_000), (f"ns:{START_NS + 1}", 1), ("#2", 200_000_000)],
)
def test_times_count_from_the_start_and_frames_from_the_first_stream_that_has_some(
    text: str, offset_ns: int
) -> None:
    assert time_on(RECORDING, text, None) == START_NS + offset_ns


def test_frames_are_those_of_the_stream_that_is_named() -> None:
    assert time_on(RECORDING, "#2", LATE) == START_NS + 200_000_007


@pytest.mark.parametrize(("text", "stream", "count"), [("#5", None, 5), ("#5", LATE, 5), ("#0", EMPTY, 0)])
def test_a_frame_that_is_not_there_is_an_error_that_says_how_many_there_are(
    text: str, stream: FakeStream | None, count: int
) -> None:
    with pytest.raises(UsageError, match=f"no frame {text}; the stream has {count}"):
        time_on(RECORDING, text, stream)


def test_a_recording_without_frames_has_no_frame_and_starts_at_0() -> None:
    recording = FakeRecording(EMPTY)
    assert time_on(recording, "2", None) == 2_000_000_000
    with pytest.raises(UsageError, match="the stream has 0"):
        time_on(recording, "#0", None)


def test_on_screen_is_the_last_frame_at_or_before_a_time() -> None:
    assert index_on_screen(CAM, START_NS + 299_999_999, "/x") == 2
    assert index_on_screen(CAM, START_NS + 300_000_000, "/x") == 3
    with pytest.raises(
        UsageError, match=r"^/x: 'cam' has no frame at that time yet\. Its first one is at ns:"
    ):
        index_on_screen(CAM, START_NS - 1, "/x")
    with pytest.raises(UsageError, match=r"^/x: 'empty' has no frames\.$"):
        index_on_screen(EMPTY, START_NS, "/x")


def test_a_finding_has_every_key_of_the_contract_in_its_place() -> None:
    assert finding(Severity.WARNING).document() == {
        "code": "truncated",
        "severity": "warning",
        "stream": "cam",
        "start_ns": 5,
        "end_ns": None,
        "first_frame": None,
        "last_frame": None,
        "message": "It is cut off.",
        "evidence": "",
    }


def test_a_remark_is_fine_and_anything_worse_is_not() -> None:
    assert exit_code([]) == exit_code([finding(Severity.INFO)]) == 0
    assert exit_code([finding(Severity.INFO), finding(Severity.WARNING)]) == 1
    assert exit_code([finding(Severity.ERROR)]) == 1


def test_counts_agree_with_their_word() -> None:
    assert [counted(n, "frame") for n in (0, 1, 2)] == ["0 frames", "1 frame", "2 frames"]


def test_a_line_stays_one_line_whatever_the_text_was_made_of(capsys: pytest.CaptureFixture[str]) -> None:
    print_line("a\nb\x1b[2J\udcff 数据")
    print_line()
    out = capsys.readouterr().out
    assert out.splitlines() == ["a\ufffdb\ufffd[2J\ufffd 数据", ""]


def test_json_keeps_every_nanosecond_and_every_letter(capsys: pytest.CaptureFixture[str]) -> None:
    document = {"at": 2**63 - 1, "name": "数据\n\x1b"}
    print_json(document)
    out = capsys.readouterr().out
    assert json.loads(out) == document
    assert "数据" in out
    assert out.endswith("}\n")


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_reading(parser)
    return parser.parse_args(words)


def test_the_recording_and_its_revision_are_those_on_the_command_line(tmp_path: Path) -> None:
    path = str(write_small(tmp_path / "small.hfr", frames=2))
    for words in ([path], [path, "--revision", "1"]):
        with open_for(parse(*words)) as recording:
            assert recording.description.path == path
    with pytest.raises(UsageError, match="revision"):
        open_for(parse(path, "--revision", "9"))
    with pytest.raises(UsageError, match="not a folder of episodes"):
        open_for(parse(path, "--episode", "1"))


def test_columns_are_as_wide_as_their_widest_cell(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("stream", "frames", "note"), ("cam", "12", ""), ("imu/left", "3456", "x"), ("右手套", "7", "y")]
    print_table(rows, right=[1])
    assert capsys.readouterr().out.splitlines() == [
        "stream    frames  note",
        "cam           12",
        "imu/left    3456  x",
        "右手套         7  y",  # a Chinese sign is two columns wide
    ]
