from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hfviewer.core import finding_codes
from hfviewer.core.finding import Finding, Severity
from hfviewer.core.finding_codes import CODES, severity_of, title_of
from hfviewer.core.stream import StreamKind
from hfviewer.panels.timeline.lane import lanes_of, look_through
from hfviewer.quality.check import check_recording
from hfviewer.quality.document import check_document
from hfviewer.quality.health import health_of
from hfviewer.quality.profile import parse_profile
from hfviewer.quality.stream_timing import StreamTiming
from tests.panels.fakes import START_NS, FakeRecording, FakeStream, regular_ns
from tests.quality import faults
from tests.quality.faults import Truth, recording, rig

P = 10_000_000
REAL = Path(__file__).parents[3] / "shared" / "data" / "real"
needs_real = pytest.mark.skipif(not REAL.is_dir(), reason="the real recordings are not here")


def faulty() -> FakeRecording:
    tables, truth = rig(jitter=0.05), Truth()
    faults.drops(tables, truth, np.random.default_rng(9), counted=True)
    faults.doubles(tables, truth, np.random.default_rng(9))
    faults.bad_stamp("cam", 1000, 0)(tables, truth)
    faults.step("lidar", 15, -faults.HOUR_NS)(tables, truth)
    return recording(tables)


def test_lanes_findings_json_and_health_tell_the_same_story() -> None:
    opened = faulty()
    check = check_recording(opened)
    document = check_document(check)
    assert document["findings"] == [finding.document() for finding in check.findings]
    assert check.span is not None
    lanes = {}
    for found in look_through(lanes_of(opened), opened, check.span):
        if found is not None:
            lanes[found[1].name] = found[1]
    for stream in document["streams"]:
        marks = lanes[stream["name"]].marks
        gaps = [(g["start_ns"], g["end_ns"], g["missing"]) for g in stream["gaps"]]
        drawn = zip(marks.gaps.start_ns, marks.gaps.end_ns, marks.gaps.lost, strict=True)
        assert [tuple(map(int, gap)) for gap in drawn] == gaps
        assert marks.disorder.repeats == stream["duplicate_timestamps"]
        assert len(marks.disorder.late) == stream["out_of_order"]
        told = [
            (f["start_ns"], f["end_ns"])
            for f in document["findings"]
            if (f["code"], f["stream"]) == ("missing_frames", stream["name"])
        ]
        assert sorted(told) == [gap[:2] for gap in gaps]
    health = health_of(opened, check.findings)
    assert health.frames_lost == sum(stream["missing_frames"] for stream in document["streams"]) > 0
    assert health.severity is Severity.ERROR


def test_every_code_that_is_used_is_in_the_table() -> None:
    used = set()
    for path in Path(finding_codes.__file__).parents[1].rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        used |= set(re.findall(r'code="(\w+)"', text)) | set(re.findall(r'severity_of\("(\w+)"', text))
    assert len(used) > 12
    assert used <= set(CODES)
    assert severity_of("missing_frames") is Severity.ERROR
    assert severity_of("missing_frames", milder=True) is Severity.WARNING
    assert severity_of("out_of_order", milder=True) is Severity.WARNING
    assert title_of("from_another_package") == "from another package"


def test_the_worst_come_first_and_each_finding_of_opening_once() -> None:
    opening = [
        Finding(code="guessed_encoding", severity=Severity.INFO, message="a guess", stream="cam"),
        Finding(code="clock_step", severity=Severity.WARNING, message="of the reader", stream="cam"),
    ]
    stamps_ns = np.delete(regular_ns(200, P), [30, 31])
    stamps_ns[0] = 0
    check = check_recording(FakeRecording(FakeStream("cam", stamps_ns), findings=opening))
    assert [f.code for f in check.findings] == ["missing_frames", "clock_step", "guessed_encoding"]
    assert "far off its neighbours" in check.findings[1].message


def test_order_of_decoding_is_no_disorder_also_where_the_counter_wraps() -> None:
    class Video(FakeStream):
        """Two B frames between references, as an encoder hands them out."""

        def __init__(self, wrap: int, lost: tuple[int, ...] = ()) -> None:
            shown = np.arange(901)
            decoded = np.where(shown % 3 == 0, shown - 2 * (shown > 0), shown + 1) % wrap
            stamps_ns = np.delete(regular_ns(901, P), lost)
            super().__init__("cam", stamps_ns, sequence=np.delete(decoded, lost))
            self._description = replace(self._description, encoding="h264")

    for wrap in (1 << 32, 1 << 16, 256):
        assert check_recording(FakeRecording(Video(wrap))).findings == ()
        check = check_recording(FakeRecording(Video(wrap, lost=(256, 257, 500))))
        assert [f.code for f in check.findings] == ["missing_frames", "missing_frames"]
        assert check.streams["cam"].missing_frames == 3


def test_events_are_not_accused_however_evenly_they_come_for_a_while() -> None:
    stamps_ns = np.delete(regular_ns(100, P), range(40, 60))
    text = FakeStream("notes", stamps_ns, kind=StreamKind.TEXT)
    assert check_recording(FakeRecording(text)).findings == ()


def test_an_own_reference_and_a_demanded_distance() -> None:
    opened = FakeRecording(
        FakeStream("a", regular_ns(100, P)), FakeStream("b", regular_ns(100, P, START_NS + 3_000_000))
    )
    profile = parse_profile({"sync": {"max_ms": 2, "reference": "b"}})
    check = check_recording(opened, profile)
    (error,) = check.sync
    assert (error.reference, error.stream, error.spread.max) == ("b", "a", 3_000_000)
    assert [(f.code, f.stream) for f in check.findings] == [("sync_error", "a")]
    assert check_recording(opened).findings == ()


def test_a_reference_of_the_profile_that_is_not_there_is_told() -> None:
    opened = FakeRecording(FakeStream("a", regular_ns(100, P)), FakeStream("b", regular_ns(100, P)))
    check = check_recording(opened, parse_profile({"sync": {"reference": "cam"}}))
    assert [(f.code, f.stream) for f in check.findings] == [("missing_stream", "cam")]
    assert f"{check.reference} is taken" in check.findings[0].message


def test_a_stream_with_fewer_frames_than_demanded_is_told_with_both_numbers() -> None:
    opened = FakeRecording(FakeStream("a", regular_ns(100, P)))
    check = check_recording(opened, parse_profile({"expect": [{"stream": "a", "frames": 120}]}))
    assert [f.message for f in check.findings] == ["120 frames of a are demanded; it has 100."]


def test_a_slow_stream_looks_for_partners_in_a_fast_one() -> None:
    imu, cam = regular_ns(1000, 1_000_000), regular_ns(30, 33_333_333, START_NS + 400_000)
    opened = FakeRecording(FakeStream("cam", cam), FakeStream("imu", imu, kind=StreamKind.IMU))
    (error,) = check_recording(opened).sync
    assert (error.reference, error.stream, error.pairs) == ("cam", "imu", 30)
    brute = np.abs(imu[None, :] - cam[:, None]).min(axis=1)
    assert (error.spread.p50, error.spread.max) == (int(np.sort(brute)[14]), int(brute.max()))
    assert error.bridged_ns == 1_000_000


@needs_real
def test_seven_real_clocks_that_never_coincide_are_clean() -> None:
    folder = REAL / "kitti_drive0001_timing"
    streams = []
    for path in sorted(folder.rglob("timestamps.txt")):
        lines = path.read_text().split("\n")
        stamps = [np.datetime64(line.replace(" ", "T"), "ns").astype(np.int64) for line in lines if line]
        streams.append(FakeStream(path.parent.name, np.array(stamps)))
    assert len(streams) >= 6
    check = check_recording(FakeRecording(*streams))
    assert check.findings == ()
    assert all(stream.missing_frames == 0 for stream in check.streams.values())


def test_what_the_recorder_counted_is_evidence_of_its_own() -> None:
    numbers = np.arange(20)
    recorded = np.zeros(20, np.int64)
    recorded[[5, 9]] = [2, 1]
    seen = StreamTiming.of_table(regular_ns(20, P), numbers, P, recorded=recorded)
    gaps = seen.gaps.all()
    assert (gaps.before.tolist(), gaps.lost.tolist(), gaps.severe.tolist()) == ([4, 8], [2, 1], [True, True])
    assert [str(e) for e in gaps[0].evidences] == ["recorder"]
    assert gaps[0].evidence_text == "recorder counted 2 lost; interval 1.0 × period (none lost)"
    stamps_ns = np.delete(regular_ns(24, P), range(6, 9))
    silent = StreamTiming.of_table(stamps_ns, np.arange(21), P, recorded=np.zeros(21, np.int64)).gaps.all()
    assert silent[0].evidence_text == "interval 4.0 × period (3 lost); recorder counted none"
    assert (silent.lost.tolist(), silent[0].evidences) == ([3], ("interval",))


def test_evidences_that_disagree_are_all_told() -> None:
    numbers = np.arange(100)
    numbers[20:] += 2  # a jump, but no time for it
    stamps_ns = regular_ns(100, P)
    stamps_ns[50:] += 3 * P  # both agree
    numbers[50:] += 3
    stamps_ns[80:] += 4 * P  # time passes, but the counter runs on
    gaps = StreamTiming.of_table(stamps_ns, numbers, P).gaps.all()
    assert [gaps[i].evidence_text for i in range(3)] == [
        "sequence jump +3 (2 lost); interval 1.0 × period (none lost)",
        "sequence jump +4; interval 4.0 × period",
        "interval 5.0 × period; sequence runs on",
    ]
    assert gaps.lost.tolist() == [2, 3, 4]


def test_a_counter_that_moves_by_more_than_one_as_a_rule_is_counted_in_its_strides() -> None:
    kept = np.delete(np.arange(400), [100, 101, 250])
    check = check_recording(FakeRecording(FakeStream("cam", START_NS + kept * P, sequence=kept * 8 + 3)))
    assert check.streams["cam"].gaps.by_sequence.tolist() == [2, 1]
    (remark,) = (f for f in check.findings if f.code == "irregular_rate")
    assert remark.severity is Severity.INFO
    assert "moves by 8" in remark.message


def test_numbers_that_several_streams_share_lose_nothing() -> None:
    rng = np.random.default_rng(3)
    shared = np.cumsum(rng.integers(1, 9, 400))
    check = check_recording(FakeRecording(FakeStream("cam", regular_ns(400, P), sequence=shared)))
    assert check.streams["cam"].missing_frames == 0
    assert [f.code for f in check.findings] == ["irregular_rate"]
    assert check.verdict == "ok"
    late = shared.copy()
    late[[50, 51]] = late[[51, 50]]
    check = check_recording(FakeRecording(FakeStream("cam", regular_ns(400, P), sequence=late)))
    assert len(check.streams["cam"].disorder.late) == 1
