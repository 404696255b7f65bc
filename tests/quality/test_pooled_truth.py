"""Pooled episodes with known truth: every row before which frames are missing, every row that repeats one."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hfviewer.quality.check import RecordingCheck, check_recording
from hfviewer.quality.deep import deep_check
from hfviewer.quality.job import Job, jobs_in, open_job

POOLED = Path(__file__).parents[3] / "shared" / "data" / "pooled"
pytestmark = pytest.mark.skipif(not POOLED.is_dir(), reason="the pooled episodes are not here")


def truth(task: str, number: int) -> dict[str, Any]:
    episodes = json.loads((POOLED / "expected.json").read_text(encoding="utf-8"))[task]["episodes"]
    return next(episode for episode in episodes if episode["episode_index"] == number)


def job(task: str, number: int) -> Job:
    (found,), many = jobs_in(str(POOLED / task), episode=number)
    assert not many
    return found


def checked(task: str, number: int) -> RecordingCheck:
    with open_job(job(task, number)) as recording:
        return check_recording(recording)


def lost(check: RecordingCheck, stream: str) -> dict[str, int]:
    """By the row behind each gap, as the truth tells it."""
    gaps = check.streams[stream].gaps
    return {str(before + 1): count for before, count in zip(gaps.before, gaps.lost.tolist(), strict=True)}


def repeated(check: RecordingCheck, stream: str) -> list[int]:
    found = [f for f in check.findings if (f.code, f.stream) == ("duplicate_frame", stream)]
    rows: list[int] = []
    for finding in sorted(found, key=lambda f: f.first_frame or 0):
        assert finding.first_frame is not None
        assert finding.last_frame is not None
        rows += range(finding.first_frame, finding.last_frame + 1)
    return rows


@pytest.mark.parametrize(("number", "device"), [(2, "d435"), (3, "D435_head")])
def test_every_gap_and_every_repeated_row_of_both_streams_is_found(number: int, device: str) -> None:
    colour, depth = f"{device}_rgb", f"{device}_depth"
    expected, check = truth("bench_d435_depth", number), checked("bench_d435_depth", number)
    assert lost(check, colour) == expected["rgb_gap_rows"]
    assert lost(check, depth) == expected["depth_gap_rows"]
    assert repeated(check, colour) == expected["rgb_dup_rows"]
    assert repeated(check, depth) == expected["depth_dup_rows"]
    assert check.streams[colour].missing_frames == expected["rgb_frames_lost_total"]
    assert check.streams[depth].missing_frames == expected["depth_frames_lost_total"]
    assert check.streams[colour].duplicate_frames == len(expected["rgb_dup_rows"])


def test_an_old_episode_shows_its_stall_by_the_interval() -> None:
    expected, check = truth("bench_d435_depth", 1), checked("bench_d435_depth", 1)
    (gap,) = expected["gaps"]
    assert lost(check, "d435_rgb") == {str(gap["row"]): gap["missing_frames"]}
    found = check.streams["d435_rgb"].gaps[0]
    assert abs(found.end_ns - found.start_ns - gap["interval_ns"]) < 1_000_000
    late = [f.stream for f in check.findings if f.code == "late_start"]
    assert late == ["d435_depth"]


def test_two_lost_frames_show_which_the_recorder_s_own_audit_misses() -> None:
    frames = truth("bench_ffv1_fallback", 2)["rgb_barcode"]["per_row_physical_frame"]
    steps = {str(i): b - a - 1 for i, (a, b) in enumerate(pairwise(frames), 1) if b - a > 1}
    check = checked("bench_ffv1_fallback", 2)
    assert steps == {"20": 2}
    assert lost(check, "d435_rgb") == lost(check, "d435_depth") == steps
    assert checked("bench_ffv1_fallback", 1).verdict == "ok"


def test_ticks_lost_in_one_or_both_eyes_are_told_apart() -> None:
    expected, check = truth("bench_stereo_imu", 1), checked("bench_stereo_imu", 1)
    assert (expected["lost_ticks_both"], expected["lost_ticks_right_only"]) == ([100, 101], [90])
    assert lost(check, "stereo_left") == {"100": 2}
    assert lost(check, "stereo_right") == {"90": 1, "99": 2}
    assert check.streams["imu"].missing_frames == 100


def test_a_device_clock_that_jumps_loses_nothing() -> None:
    check = checked("bench_stereo_imu", 2)
    assert all(stream.missing_frames == 0 for stream in check.streams.values())
    assert {f.stream for f in check.findings if f.code == "clock_step"} >= {"stereo_left", "stereo_right"}
    assert check.verdict == "ok"


def test_the_pictures_confirm_losses_of_one_frame_and_refute_none() -> None:
    which = job("bench_d435_depth", 2)
    with open_job(which) as recording:
        fast = check_recording(recording)
        deep = deep_check(which, recording, fast, jobs=1)
    lost_colour = [f for f in deep.findings if (f.code, f.stream) == ("missing_frames", "d435_rgb")]
    assert len(lost_colour) == 5
    assert all("the picture jumps" in finding.evidence for finding in lost_colour)
    for name, stream in fast.streams.items():
        assert deep.streams[name].missing_frames == stream.missing_frames
