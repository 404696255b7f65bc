"""Injected faults: each found at its place with the right number, and nothing called lost that is not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from hfviewer.core.finding import Severity
from hfviewer.quality.check import RecordingCheck, check_recording
from tests.panels.fakes import START_NS, FakeRecording, FakeStream
from tests.quality import faults
from tests.quality.faults import HOUR_NS, RATES_HZ, Tables, Truth, recording, rig

JITTERS = [0.0, 0.1]
NOTICED = ("clock_step", "clock_drift", "late_start", "early_end")


def checked(tables: Tables) -> RecordingCheck:
    return check_recording(recording(tables))


def lost_in(check: RecordingCheck) -> dict[str, list[tuple[int, int]]]:
    """By stream: number of the last frame before each gap, frames lost."""
    return {
        name: list(
            zip(
                stream.timing.sequence[stream.gaps.before].tolist(),
                stream.gaps.lost.tolist(),
                strict=True,
            )
        )
        for name, stream in check.streams.items()
        if len(stream.gaps)
    }


def told(check: RecordingCheck, codes: tuple[str, ...] = NOTICED) -> set[tuple[str, str | None]]:
    return {(f.code, f.stream) for f in check.findings if f.code in codes}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("jitter", JITTERS)
def test_clean_and_jittery_twins_have_no_findings_at_all(jitter: float, seed: int) -> None:
    check = checked(rig(jitter=jitter, seed=seed))
    assert (check.findings, check.verdict) == ((), "ok")


@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize("jitter", JITTERS)
@pytest.mark.parametrize("seed", range(8))
def test_drops_are_found_at_their_place_and_counted_exactly(counted: bool, jitter: float, seed: int) -> None:
    tables, truth = rig(jitter=jitter, seed=seed), Truth()
    faults.drops(tables, truth, np.random.default_rng(seed), counted=counted)
    check = checked(tables)
    if counted:
        assert lost_in(check) == truth.lost
        assert all(f.severity is Severity.ERROR for f in check.findings if f.code == "missing_frames")
        return
    for name, lost in truth.lost.items():
        gaps = check.streams[name].gaps
        before = np.array([number for number, _ in lost])
        gone = np.cumsum([0, *[count for _, count in lost[:-1]]])
        assert gaps.lost.tolist() == [count for _, count in lost], name
        assert gaps.before.tolist() == (before - gone).tolist(), name


@pytest.mark.parametrize("jitter", JITTERS)
def test_doubled_stamps_are_counted_and_lose_nothing(jitter: float) -> None:
    tables, truth = rig(jitter=jitter), Truth()
    faults.doubles(tables, truth, np.random.default_rng(3))
    check = checked(tables)
    assert lost_in(check) == {}
    for name, doubled in truth.doubled.items():
        assert check.streams[name].disorder.repeats == len(doubled)
        assert ("duplicate_timestamp", name) in told(check, ("duplicate_timestamp",))


@pytest.mark.parametrize("jitter", JITTERS)
def test_late_frames_are_named_once_each_and_lose_nothing(jitter: float) -> None:
    tables, truth = rig(jitter=jitter), Truth()
    faults.disorder(tables, truth, np.random.default_rng(4))
    check = checked(tables)
    assert lost_in(check) == {}
    for name, late in truth.late.items():
        assert check.streams[name].disorder.late_ns.tolist() == late, name


@pytest.mark.parametrize("jitter", JITTERS)
@pytest.mark.parametrize("name", ["cam", "lidar", "imu"])
@pytest.mark.parametrize("size_ns", [HOUR_NS, -HOUR_NS, 30 * HOUR_NS, -30 * HOUR_NS, -2_500_000_000])
def test_a_clock_step_is_one_finding_and_loses_nothing(jitter: float, name: str, size_ns: int) -> None:
    tables, truth = rig(jitter=jitter), Truth()
    faults.step(name, 20, size_ns)(tables, truth)
    before_ns, after_ns = (int(ns) for ns in tables[name].stamps_ns[20 * RATES_HZ[name] - 1 :][:2])
    check = checked(tables)
    assert lost_in(check) == {}
    assert told(check) == truth.codes
    (found,) = [f for f in check.findings if f.code == "clock_step"]
    assert {found.start_ns, found.end_ns} == {before_ns, after_ns}


@pytest.mark.parametrize("size_ns", [HOUR_NS, -HOUR_NS])
def test_a_host_clock_that_was_set_is_a_step_in_every_stream(size_ns: int) -> None:
    tables, truth = rig(), Truth()
    faults.all_set(20, size_ns)(tables, truth)
    check = checked(tables)
    assert lost_in(check) == {}
    assert told(check) == truth.codes
    assert len([f for f in check.findings if f.code == "clock_step"]) == len(RATES_HZ)


@pytest.mark.parametrize("jitter", JITTERS)
@pytest.mark.parametrize("stamp_ns", [0, 86_400_000_000_000, 4_000_000_000_000_000_000])
@pytest.mark.parametrize(("name", "at"), [("cam", 0), ("cam", 700), ("imu", 11_999), ("gps", 100)])
def test_a_bad_stamp_is_one_finding_and_its_frame_is_not_lost(
    jitter: float, stamp_ns: int, name: str, at: int
) -> None:
    tables, truth = rig(jitter=jitter), Truth()
    place_ns = int(tables[name].stamps_ns[at])
    faults.bad_stamp(name, at, stamp_ns)(tables, truth)
    check = checked(tables)
    assert lost_in(check) == {}
    assert told(check) == truth.codes
    (found,) = [f for f in check.findings if f.code == "clock_step"]
    assert found.start_ns is not None
    assert abs(found.start_ns - place_ns) < 2e9 / RATES_HZ[name]
    assert check.span is not None
    assert check.span.duration_ns < 61e9


@pytest.mark.parametrize("ppm", [200, -200, 500])
@pytest.mark.parametrize("name", ["cam", "imu"])
@pytest.mark.parametrize("jitter", JITTERS)
def test_drift_against_the_other_clocks_is_measured(ppm: float, name: str, jitter: float) -> None:
    tables, truth = rig(jitter=jitter), Truth()
    faults.drift(name, ppm)(tables, truth)
    check = checked(tables)
    assert lost_in(check) == {}
    assert told(check) == truth.codes
    (found,) = [f for f in check.findings if f.code == "clock_drift"]
    measured = float(found.message.split("by ")[1].split(" ppm")[0])
    assert abs(measured - ppm) < 25


@pytest.mark.parametrize("fault", [faults.late_start("cam", 2), faults.early_end("imu", 3)])
@pytest.mark.parametrize("jitter", JITTERS)
def test_late_starts_and_early_ends_are_found(fault: Callable[[Tables, Truth], None], jitter: float) -> None:
    tables, truth = rig(jitter=jitter), Truth()
    fault(tables, truth)
    check = checked(tables)
    assert told(check) == truth.codes
    assert lost_in(check) == {}
    (found,) = [f for f in check.findings if f.code in NOTICED]
    assert found.severity is Severity.WARNING
    assert found.start_ns is not None
    assert found.end_ns is not None
    assert abs((found.end_ns - found.start_ns) / 1e9 - (2 if found.code == "late_start" else 3)) < 0.1


@pytest.mark.parametrize("size", [2, 5, 20])
def test_bursts_lose_nothing(size: int) -> None:
    tables = rig()
    faults.bursts(tables, size=size)
    check = checked(tables)
    assert lost_in(check) == {}
    assert "missing_frames" not in {f.code for f in check.findings}


def test_several_faults_at_once_are_told_apart() -> None:
    tables, truth = rig(jitter=0.05), Truth()
    faults.drops(tables, truth, np.random.default_rng(9), counted=True)
    faults.bad_stamp("cam", 1000, 0)(tables, truth)
    faults.step("lidar", 15, -HOUR_NS)(tables, truth)
    check = checked(tables)
    assert {name: sorted(lost) for name, lost in lost_in(check).items()} == truth.lost
    assert told(check) == truth.codes


def polled(numbers: np.ndarray, period_ns: int, poll_ns: int) -> np.ndarray:
    """Frames that are seen only when somebody looks."""
    return -(-(numbers * period_ns) // poll_ns) * poll_ns


@pytest.mark.parametrize("lost", [[], [700], range(700, 703), range(700, 730)])
def test_frames_that_are_polled_come_unevenly_and_still_show_what_is_lost(lost: list[int]) -> None:
    numbers = np.delete(np.arange(3000), list(lost))
    stamps_ns = START_NS + polled(numbers, 33_333_333, 10_000_000)
    stream = FakeStream("cam", stamps_ns)
    assert stream.description.rate_hz is None  # by its intervals alone
    check = check_recording(FakeRecording(stream))
    assert lost_in(check) == ({"cam": [(699, len(lost))]} if lost else {})


@pytest.mark.parametrize("seed", range(6))
def test_a_jittery_transport_loses_nothing_and_a_long_silence_shows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    late = rng.exponential(0.3, 3000) * 33_333_333
    stamps_ns = START_NS + np.maximum.accumulate(np.arange(3000) * 33_333_333 + late.astype(np.int64))
    assert lost_in(check_recording(FakeRecording(FakeStream("cam", stamps_ns)))) == {}
    check = check_recording(FakeRecording(FakeStream("cam", np.delete(stamps_ns, range(900, 1000)))))
    ((before, lost),) = lost_in(check)["cam"]
    assert before == 899
    assert abs(lost - 100) <= 2


@pytest.mark.parametrize("seed", range(6))
def test_events_lose_nothing_however_long_nothing_happens(seed: int) -> None:
    stamps_ns = START_NS + np.cumsum(np.random.default_rng(seed).exponential(1e8, 3000)).astype(np.int64)
    check = check_recording(FakeRecording(FakeStream("events", stamps_ns)))
    assert not check.streams["events"].timing.regular
    assert check.findings == ()
